"""Print Elo by rules and evaluation, of ratings whose players are called RULES+VALUES: python table.py ratings.tsv"""

from __future__ import annotations

import csv
import sys
from pathlib import Path


def main() -> None:
    order = {"none": 0, "thesis": 1, "ranking": 2}
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    ratings = csv.DictReader((line for line in lines if not line.startswith("##")), delimiter="\t")
    rows = [(*row["name"].split("+"), row["elo"], row["low"], row["high"]) for row in ratings]
    print("#rules\tvalues\telo\tlow\thigh")
    for row in sorted(rows, key=lambda row: order[row[0]]):
        print("\t".join(row))


if __name__ == "__main__":
    main()
