"""Hold the figures of a study against those of a smaller run of it with another seed.

    python check.py compare FOLDER SMALLER --rows "arms policy play" --show "10, softmax 0.4, 500" -o compared.tsv
    python check.py sum compared.tsv ... -o check.tsv

compare reads the tables of the same name in both folders. A measure is a column followed by two whose names end in
`low` and `high`; a figure is a measure of a row, and rows are named by those of the columns of --rows that a table has.
`agree` is 1 where the intervals of both runs have a number in common. `shown` marks the rows that begin as --show does,
or the first of each table. sum joins such tables and prints, as a table of Markdown, the figures shown, with the number
of figures of each study and of those that agree.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import math
from collections.abc import Iterator
from pathlib import Path

COLUMNS = (
    *("study", "table", "row", "measure", "old", "old_low", "old_high", "new", "new_low", "new_high"),
    *("agree", "shown"),
)
Row = dict[str, str]


def read(path: Path) -> list[Row]:
    """Return the rows of a table; its header may stand behind a mark of comments, as the last of them."""
    lines = path.read_text(encoding="utf-8").splitlines()
    comments = list(itertools.takewhile(lambda line: line.startswith("#"), lines))
    header = comments[-1].lstrip("# ") if comments and "\t" in comments[-1] else lines[len(comments)]
    body = lines[len(comments) :] if comments and "\t" in comments[-1] else lines[len(comments) + 1 :]
    return list(csv.DictReader([header, *body], delimiter="\t"))


def measures(row: Row) -> list[tuple[str, str, str]]:
    """Return the names of each measure and of the ends of its interval."""
    names = list(row)
    triples = zip(names, names[1:], names[2:], strict=False)
    return [each for each in triples if each[1].endswith("low") and each[2].endswith("high")]


def numbers(row: Row, names: tuple[str, str, str]) -> tuple[float, float, float] | None:
    """Return a figure with the ends of its interval, the figure itself where it has none; None: there is no figure."""
    found = []
    for name in names:
        try:
            found.append(float(row[name].removesuffix(" %")))
        except ValueError:
            found.append(math.nan)
    value, low, high = found
    if math.isnan(value):
        return None
    return value, value if math.isnan(low) else low, value if math.isnan(high) else high


def compared(folder: Path, smaller: Path, named: list[str], show: str) -> Iterator[list[str]]:
    """Yield a row for each figure that both runs have."""
    for path in sorted(folder.glob("*.tsv")):
        other = smaller / path.name
        if not other.exists():
            continue
        tables = [read(path), read(other)]
        keys = [name for name in named if name in tables[0][0]]
        if not keys:
            raise SystemExit(f"check.py: {path}: it has none of the columns {', '.join(named)}")
        old, new = ({", ".join(row[key] for key in keys): row for row in table} for table in tables)
        both = [label for label in old if label in new]
        shown = [label for label in both if show and label.startswith(show)] or both[:1]
        for label in both:
            for names in measures(old[label]):
                pair = [numbers(row[label], names) for row in (old, new)]
                if pair[0] is None or pair[1] is None:
                    continue
                agree = pair[0][1] <= pair[1][2] and pair[1][1] <= pair[0][2]
                figures = [f"{number:g}" for figure in pair if figure for number in figure]
                yield [folder.name, path.stem, label, names[0], *figures, str(int(agree)), str(int(label in shown))]


def markdown(rows: list[Row]) -> Iterator[str]:
    """Yield the lines of a table of the figures that are shown, study by study."""
    yield "| study | figures | agree | for example | as committed | again |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for study, each in itertools.groupby(rows, key=lambda row: row["study"]):
        some = list(each)
        counts = f"{len(some)} | {sum(row['agree'] == '1' for row in some)}"
        for row in some:
            if row["shown"] == "1":
                pair = (f"{row[x]} ({row[x + '_low']} to {row[x + '_high']})" for x in ("old", "new"))
                yield f"| {study} | {counts} | {row['row']}: {row['measure']} | {' | '.join(pair)} |"
                study, counts = "", " | "


def main() -> None:
    parser = argparse.ArgumentParser(description="Hold studies against smaller runs with another seed.")
    modes = parser.add_subparsers(dest="mode", required=True)
    compare = modes.add_parser("compare", help="the tables of one study")
    compare.add_argument("folder", type=Path, help="with the tables that are committed")
    compare.add_argument("smaller", type=Path, help="with those of the smaller run")
    compare.add_argument("--rows", required=True, help="columns that name a row")
    compare.add_argument("--show", default="", help="how the row begins that stands for the study")
    total = modes.add_parser("sum", help="the results of several studies")
    total.add_argument("tables", type=Path, nargs="+")
    for each in (compare, total):
        each.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    if words.mode == "compare":
        lines = [list(COLUMNS), *compared(words.folder.resolve(), words.smaller, words.rows.split(), words.show)]
    else:
        rows = [row for path in words.tables for row in read(path)]
        lines = [list(COLUMNS), *([row[name] for name in COLUMNS] for row in rows)]
        print("\n".join(markdown(rows)))
    words.output.write_text("\n".join("\t".join(line) for line in lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
