"""Put the rows of a table into a random order: python shuffled.py SEED < examples.tsv. 0 leaves it as it is."""

from __future__ import annotations

import sys

import numpy as np


def main() -> None:
    seed = int(sys.argv[1])
    lines = sys.stdin.read().splitlines()
    rows = [line for line in lines if not line.startswith("#")]
    order = np.random.default_rng(seed).permutation(len(rows)) if seed else range(len(rows))
    print("\n".join([*(line for line in lines if line.startswith("#")), *(rows[i] for i in order)]))


if __name__ == "__main__":
    main()
