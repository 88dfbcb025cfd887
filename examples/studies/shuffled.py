"""Put the rows of a table of examples into a random order: python shuffled.py SEED < examples.tsv. 0 leaves them."""

from __future__ import annotations

import sys

import numpy as np


def main() -> None:
    seed = int(sys.argv[1])
    lines = sys.stdin.read().splitlines()
    head = next(n for n, line in enumerate(lines) if not line.startswith("##")) + 1  # the names of the columns, too
    rows = lines[head:]
    order = np.random.default_rng(seed).permutation(len(rows)) if seed else range(len(rows))
    print("\n".join([*lines[:head], *(rows[i] for i in order)]))


if __name__ == "__main__":
    main()
