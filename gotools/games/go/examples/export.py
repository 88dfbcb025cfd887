"""Write examples for logic systems: facts for SWI-Prolog, and folders that Aleph and Popper run as they are.

Boards are atoms g1, g2, ... in the order in which positions first appear (examples first, then counter-examples);
coordinates run from 1, column from the left and row from the bottom, as in games/go/background.pl.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.resources import files as resource_files
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.files.opening import open_output
from gotools.game.records.sources import SOURCES
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.points import NONE, PASS
from gotools.games.go.vocabulary import (
    CHAIN_RELATIONS,
    INTERVALS,
    PREDICATES,
    STAGES,
    VOCABULARIES,
    window_offsets,
)

NAME = "go"
"""Stem of the files of an Aleph folder: go.b, go.f, go.n, go.pl."""

ALEPH_SETTINGS = (
    ("i", "10"),
    ("clauselength", "16"),
    ("nodes", "5000"),
    ("noise", "10"),
    ("evalfn", "coverage"),
    ("search", "bf"),
    ("depth", "1000"),
)
"""The thesis' settings: variable depth 10, head and 15 literals, 5,000 nodes a clause, at most 10 counter-examples."""

_COLOURS = ("e", "b", "w")
_MANY_ANSWERS = ("block_on_pos", "range", "liberty", *CHAIN_RELATIONS)  # recall *; of the others one answer is wanted
_DECLARED_FIRST = ("pos_gen", "edge_ver", "edge_hor", "stage")
"""In this order, before all others: that of saturation in `induce-patterns`, so that Aleph learns the same theory."""
_SHARES = (10, 30)  # stones on 81 points up to which the game is open, middle


class PositionFacts:
    """Work out the facts about the distinct positions of some rows.

    board, size -- uint8[g, c], uint8[g]: the distinct positions
    of_row -- int64[n]: the position of each row
    """

    def __init__(self, rows: GoExamples) -> None:
        from gotools.game.examples.negatives import distinct_positions
        from gotools.games.go.kernels.chains import name_chains

        self.rows = rows
        blank = np.zeros(len(rows), np.uint8)  # the same stones are one position, whoever is to play
        self.of_row, first = distinct_positions(replace(rows, to_play=blank, ko=blank.astype(np.int16)))
        self.board = np.ascontiguousarray(rows.board[first])
        self.size = rows.size[first]
        self.head = np.empty(self.board.shape, np.int16)
        self.stones = np.zeros(self.board.shape, np.int16)
        self.liberties = np.zeros(self.board.shape, np.int16)
        name_chains(self.board, self.size, self.head, self.stones, self.liberties)

    def chains(self) -> Iterator[tuple[int, int, int, int, int]]:
        """Give (position, chain, colour, stones, liberties)."""
        where, chain = np.nonzero(self.stones)
        columns = (where, chain, self.board[where, chain], self.stones[where, chain], self.liberties[where, chain])
        return zip(*(column.tolist() for column in columns), strict=True)

    def chain_liberties(self) -> Iterator[tuple[int, int, int]]:
        """Give (position, chain, liberty), in this order."""
        from gotools.games.go.kernels.chains import list_liberties

        facts = np.empty((2 * self.board.size, 3), np.int32)
        facts = facts[: list_liberties(self.head, self.size, facts)]
        facts = facts[np.lexsort((facts[:, 2], facts[:, 1], facts[:, 0]))]
        return zip(*facts.T.tolist(), strict=True)

    def relations(self) -> NDArray[np.int32]:
        """Return int32[m, 4]: relation (index into CHAIN_RELATIONS), a row that asks, colour, chain.

        A (position, point) is asked once, for the first row that has it; sorted.
        """
        from gotools.games.go.kernels.chains import list_relations

        cells = self.board.shape[1]
        asked = np.unique(self.of_row * cells + self.rows.move, return_index=True)[1]
        facts = np.empty((32 * len(asked), 4), np.int32)
        used = list_relations(
            self.board, self.size, self.head, self.liberties, self.of_row[asked], self.rows.move[asked], facts
        )
        facts = facts[:used]
        facts[:, 1] = asked[facts[:, 1]]
        return facts[np.lexsort((facts[:, 3], facts[:, 2], facts[:, 1], facts[:, 0]))]

    def stages(self) -> list[str]:
        """Return open, middle or end for each position, by the share of its points that bear stones."""
        share = 81 * np.count_nonzero(self.board, axis=1)
        area = self.size.astype(np.int64) ** 2
        number = sum((share > limit * area).astype(int) for limit in _SHARES)
        return [STAGES[at] for at in np.asarray(number).tolist()]

    def only_size(self) -> int:
        """Return the one size of all boards.

        Raises GotoolsError if there are several: edge_ver/4 and edge_hor/4 know the point, not the board.
        """
        sizes = np.unique(self.size).tolist()
        if len(sizes) != 1:
            raise GotoolsError(f"an Aleph folder has one board size, and there are {sizes}; choose one with --size")
        return int(sizes[0])


# ---- Prolog ----


def write_prolog(out: BinaryIO, rows: GoExamples) -> None:
    """Write one file of facts to load beside games/go/background.pl.

    position(Board, Size, cells(C1, C2, ...)) for each distinct position, as background.pl wants it, and
    decision(Id, Board, Color, X, Y, Ko, Last, Last2, Label, Source) for each row; points are X-Y, none or pass.
    """
    rows = _examples_first(rows)
    tables = PositionFacts(rows)
    out.write(b"% gotools decisions 1\n:- multifile position/3.\n:- dynamic position/3.\n")
    out.write(_lines(_positions(tables)))
    columns = (rows.ko, rows.last, rows.last2)
    points = [[_pair(point, size) for point, size in zip(c.tolist(), rows.size.tolist(), strict=True)] for c in columns]
    names = [name.replace("\\", "\\\\").replace("'", "\\'") for name in rows.id]
    heads = zip(names, _heads(tables, rows), *points, rows.label.tolist(), rows.source.tolist(), strict=True)
    out.write(
        _lines(
            f"decision('{name}', {head}, {ko}, {last}, {last2}, {label}, {SOURCES[source]})."
            for name, head, ko, last, last2, label, source in heads
        )
    )


def _positions(tables: PositionFacts) -> Iterator[str]:
    for number, (cells, size) in enumerate(zip(tables.board, tables.size.tolist(), strict=True), 1):
        colours = ",".join(_COLOURS[cell] for cell in cells[: size * size].tolist())
        yield f"position(g{number}, {size}, cells({colours}))."


def _pair(point: int, size: int) -> str:
    if point < 0:
        return {NONE: "none", PASS: "pass"}[point]
    return f"{point % size + 1}-{point // size + 1}"


# ---- Aleph ----


def write_aleph(folder: Path, rows: GoExamples) -> None:
    """Fill a folder with go.b, go.f, go.n for `read_all(go)`, and go.pl, the same for Aleph as an SWI-Prolog module.

    Raises GotoolsError if boards of several sizes are mixed.
    """
    rows = _examples_first(rows)
    tables = PositionFacts(rows)
    background = _aleph_background(tables)
    declarations = list(_declarations())
    heads = list(_heads(tables, rows))
    split = int(rows.label.sum())
    positives, negatives = (_lines(f"move({head})." for head in part) for part in (heads[:split], heads[split:]))
    parts = {
        f"{NAME}.b": [_aleph_head("set"), _lines(declarations), background],
        f"{NAME}.f": [positives],
        f"{NAME}.n": [negatives],
        f"{NAME}.pl": [
            b"% swipl go.pl, then ?- induce(Program).\n:- use_module(library(aleph)).\n:- aleph.\n",
            *(_aleph_head("aleph_set"), _lines(declarations)),
            *(b":- begin_bg.\n", background, b":- end_bg.\n"),
            *(b":- begin_in_pos.\n", positives, b":- end_in_pos.\n"),
            *(b":- begin_in_neg.\n", negatives, b":- end_in_neg.\n"),
        ],
    }
    for name, texts in parts.items():
        with open_output(folder / name) as out:
            out.writelines(texts)


def _aleph_head(setting: str) -> bytes:
    lines = ["% Moves of Go for Aleph, written by gotools; settings of the thesis, change them at will."]
    return _lines(lines + [f":- {setting}({name}, {value})." for name, value in ALEPH_SETTINGS])


def _declarations() -> Iterator[str]:
    """Give the modes and determinations of the vocabulary. Counts come twice: as a constant, then as a variable."""
    yield ":- modeh(*, move(+board, +color, +coord_x, +coord_y))."
    names = sorted(VOCABULARIES["advanced"], key=lambda name: (*_DECLARED_FIRST, name).index(name))
    of_name = {p.name: p for p in PREDICATES}
    exported = [of_name[name] for name in names]
    for predicate in exported:
        for modes in predicate.variants:
            recall = "*" if predicate.name in _MANY_ANSWERS else "1"
            yield f":- modeb({recall}, {predicate.name}({', '.join(modes)}))."
    for predicate in exported:
        yield f":- determination(move/4, {predicate.name}/{predicate.arity})."


def _aleph_background(tables: PositionFacts) -> bytes:
    rules = resource_files("gotools.games.go.examples").joinpath("aleph_background.pl").read_bytes()
    relations = [f"go_{name}" for name in CHAIN_RELATIONS]
    facts = tables.relations().tolist()
    move, of_row, size = tables.rows.move.tolist(), tables.of_row.tolist(), tables.only_size()
    heads = (",".join(map(str, (row + 1).tolist())) for row in tables.head[:, : size * size])
    return b"".join(
        [
            rules,
            b"\n% ---- the tables ----\n:- dynamic go_liberty/3, go_chain/5.\n",
            _lines(f":- dynamic {name}/5." for name in relations),
            f"go_size({size}).\n".encode(),
            _lines(f"go_heads(g{number}, heads({cells}))." for number, cells in enumerate(heads, 1)),
            _lines(f"go_stage(g{number}, {stage})." for number, stage in enumerate(tables.stages(), 1)),
            _lines(f"go_chain(g{g + 1}, {b + 1}, {_COLOURS[c]}, {s}, {n})." for g, b, c, s, n in tables.chains()),
            _lines(f"go_liberty(g{g + 1}, {b + 1}, {point + 1})." for g, b, point in tables.chain_liberties()),
            _lines(
                f"{relations[kind]}(g{of_row[row] + 1}, {chain + 1}, {move[row] % size + 1}, {move[row] // size + 1}, "
                f"{_COLOURS[colour]})."
                for kind, row, colour, chain in facts
            ),
        ]
    )


# ---- Popper ----


def write_popper(folder: Path, rows: GoExamples) -> None:
    """Fill a folder with bk.pl, bias.pl, exs.pl: the same vocabulary without numbers, as Popper wants it.

    A decision is e1, e2, ...; its eight views are e1_p1 to e1_p8; a chain is g5_c12. An offset, a distance, a count or
    an interval is part of a predicate's name (block_m1_2: one to the left, two up). Facts only, so that every version
    can read them; a predicate that is true of nothing is left out.
    """
    rows = _examples_first(rows)
    facts = _PopperFacts(PositionFacts(rows))
    facts.collect()
    labels = rows.label.tolist()
    texts = {
        "bk.pl": _lines(line for lines in facts.lines.values() for line in lines),
        "bias.pl": _lines(facts.bias()),
        "exs.pl": _lines(f"{'pos' if label else 'neg'}(move(e{row}))." for row, label in enumerate(labels, 1)),
    }
    for name, text in texts.items():
        with open_output(folder / name) as out:
            out.write(text)


class _PopperFacts:
    """Gather ground facts by predicate; `types` has what their arguments are, the first one bound."""

    def __init__(self, tables: PositionFacts) -> None:
        self.tables = tables
        self.lines: dict[str, list[str]] = {}
        self.types: dict[str, tuple[str, ...]] = {}

    def add(self, name: str, types: tuple[str, ...], *arguments: str) -> None:
        self.types[name] = types
        self.lines.setdefault(name, []).append(f"{name}({','.join(arguments)}).")

    def collect(self) -> None:
        stages = self.tables.stages()
        of_row = self.tables.of_row.tolist()
        for row in range(len(self.tables.rows)):
            self.add(f"stage_{stages[of_row[row]]}", ("decision",), f"e{row + 1}")
            self._views(row)
        self._chains(of_row)
        self._relations()

    def _views(self, row: int) -> None:
        from gotools.games.go.points import SYMMETRIES, transform_offset

        rows, tables = self.tables.rows, self.tables
        size, board = int(rows.size[row]), int(tables.of_row[row])
        y, x = divmod(int(rows.move[row]), size)
        head = tables.head[board].tolist()
        for symmetry, frame in enumerate(SYMMETRIES):
            view = f"e{row + 1}_{frame}"
            self.add("view", ("decision", "view"), f"e{row + 1}", view)
            for name, direction in (("ver", (-1, 0)), ("hor", (0, -1))):
                dx, dy = transform_offset(*direction, symmetry)
                line = (x + 1 if dx < 0 else size - x) if dx else (y + 1 if dy < 0 else size - y)
                self.add(f"edge_{name}_{line}", ("view",), view)
            for dx, dy, name in _OFFSETS:
                bx, by = transform_offset(dx, dy, symmetry)
                if 0 <= x + bx < size and 0 <= y + by < size and head[(y + by) * size + x + bx] >= 0:
                    self.add(name, ("view", "chain"), view, f"g{board + 1}_c{head[(y + by) * size + x + bx] + 1}")

    def _chains(self, of_row: list[int]) -> None:
        asking: dict[int, list[int]] = {}
        for row, board in enumerate(of_row):
            asking.setdefault(board, []).append(row)
        to_play = self.tables.rows.to_play.tolist()
        for board, chain, colour, stones, liberties in self.tables.chains():
            name = f"g{board + 1}_c{chain + 1}"
            for what, count in (("liberties", liberties), ("stones", stones)):
                if count < 5:
                    self.add(f"{what}_{count}", ("chain",), name)
                for low, high in INTERVALS:
                    if low <= count <= high:
                        self.add(f"{what}_{low}_{high}", ("chain",), name)
            for row in asking[board]:
                side = "own" if to_play[row] == colour else "opponent"
                self.add(side, ("decision", "chain"), f"e{row + 1}", name)

    def _relations(self) -> None:
        rows, of_row = self.tables.rows, self.tables.of_row
        cells = self.tables.board.shape[1]
        asked: dict[int, list[int]] = {}
        for row, key in enumerate((of_row * cells + rows.move).tolist()):
            asked.setdefault(key, []).append(row)
        for kind, first, colour, chain in self.tables.relations().tolist():
            board = int(of_row[first])
            for row in asked[board * cells + int(rows.move[first])]:
                side = "" if int(rows.to_play[row]) == colour else "opponent_"
                name = f"{side}{CHAIN_RELATIONS[kind]}"
                self.add(name, ("decision", "chain"), f"e{row + 1}", f"g{board + 1}_c{chain + 1}")

    def bias(self) -> Iterator[str]:
        """Yield the language: the decision is bound, the second argument is free, except in own and opponent."""
        yield from ("max_vars(5).", "max_body(6).", "max_clauses(3).", "head_pred(move,1).")
        for name, types in self.types.items():
            yield f"body_pred({name},{len(types)})."
        for name, types in {"move": ("decision",), **self.types}.items():
            ways = ("in", "in" if name in ("own", "opponent") else "out")[: len(types)]
            comma = "," if len(types) == 1 else ""
            yield f"type({name},({','.join(types)}{comma}))."
            yield f"direction({name},({','.join(ways)}{comma}))."


_OFFSETS = [(dx, dy, f"block_{dx}_{dy}".replace("-", "m")) for dx, dy in window_offsets()]


# ---- what they share ----


def _examples_first(rows: GoExamples) -> GoExamples:
    return rows.take(np.argsort(1 - rows.label, kind="stable"))


def _heads(tables: PositionFacts, rows: GoExamples) -> Iterator[str]:
    """Give `g5, b, 3, 4` for each row: board, colour, column and row of the move."""
    columns = (tables.of_row, rows.to_play, rows.move, rows.size)
    for board, colour, move, size in zip(*(column.tolist() for column in columns), strict=True):
        yield f"g{board + 1}, {_COLOURS[colour]}, {move % size + 1}, {move // size + 1}"


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(line + "\n" for line in lines).encode("utf-8", "replace")
