"""`gotools lessons` and the pages of rules, of other games than Go: tic-tac-toe against counts by hand."""

from __future__ import annotations

import html
import random
from collections import Counter
from pathlib import Path

import pytest
from commands.test_lessons import lessons, rows_of

from gotools.cli import run

RULES = """%% gotools rules 1
%% game=tictactoe
rule(blocks, 40, 3, 1.25).
move(A,B,C) :- opposite(B,D), wins(A,C,D).
rule(beside, 9, 1, -0.5).
move(A,B,C) :- pos_gen(D), cell(A,C,1,0,other,D), cell(A,C,-1,0,outside,D).
"""
LINES = [{(0, k), (1, k), (2, k)} for k in range(3)] + [{(k, 0), (k, 1), (k, 2)} for k in range(3)]
LINES += [{(0, 0), (1, 1), (2, 2)}, {(0, 2), (1, 1), (2, 0)}]
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
RANKS = {"weak": "12k", "strong": "3d"}
BANDS = ("--bands", "15k-1k,1d-5d")
GAME = ("--game", "tictactoe")
Cell = tuple[int, int]


def covers(rule: str, stones: dict[Cell, str], cell: Cell, side: str) -> bool:
    """Whether a rule covers a move, read from its sentence."""
    other = {at for at, colour in stones.items() if colour != side}
    if rule == "blocks":
        return any(cell in line and line - {cell} <= other for line in LINES)
    x, y = cell
    beside = [((x + dx, y + dy), (x - dx, y - dy)) for dx, dy in STEPS]
    return any(one in other and (min(across) < 0 or max(across) > 2) for one, across in beside)


def games(ranks: dict[str, str]) -> tuple[str, Counter[tuple[str, str, str]]]:
    """Return random games as SGF, and what is counted in them: (band, rule, what)."""
    chance, counts, text = random.Random(3), Counter[tuple[str, str, str]](), ""
    for _ in range(20):
        pair = chance.sample(sorted(ranks), 2)
        stones: dict[Cell, str] = {}
        text += "(;GM[1002]SZ[3]" + "".join(
            f"P{c}[{name}]{c}R[{ranks[name]}]" for c, name in zip("BW", pair, strict=True)
        )
        while len(stones) < 9 and not any({stones.get(at) for at in line} in ({"B"}, {"W"}) for line in LINES):
            side = "BW"[len(stones) % 2]
            free = [(x, y) for x in range(3) for y in range(3) if (x, y) not in stones]
            move = chance.choice(free)
            for rule in ("blocks", "beside"):
                fires = [cell for cell in free if covers(rule, stones, cell, side)]
                band = "1d-5d" if pair["BW".index(side)] == "strong" else "15k-1k"
                counts[band, rule, "opportunities"] += bool(fires)
                counts[band, rule, "taken"] += move in fires
            stones[move] = side
            text += f";{side}[{'abc'[move[0]]}{move[1] + 1}]"
        text += ")\n"
    return text, counts


def test_counts_of_tictactoe_are_those_by_hand(tmp_path: Path) -> None:
    text, counts = games(RANKS)
    (tmp_path / "g.sgf").write_text(text)
    (tmp_path / "rules.pl").write_text(RULES)
    out = tmp_path / "l.tsv"
    assert lessons(tmp_path / "g.sgf", "--rules", tmp_path / "rules.pl", *GAME, *BANDS, "-o", out) == 0
    found = rows_of(out)
    assert found["blocks"]["words"] == "Blocks three in a line."
    for band in ("15k-1k", "1d-5d"):
        for rule, row in found.items():
            opportunities = counts[band, rule, "opportunities"]
            assert int(row[f"{band}_opportunities"]) == opportunities > 5
            assert float(row[band]) == pytest.approx(counts[band, rule, "taken"] / opportunities, abs=1e-4)
    page = tmp_path / "l.html"
    files = [str(tmp_path / name) for name in ("rules.pl", "l.tsv", "g.sgf")]
    assert run(["report", "-q", *GAME, *files, "-o", str(page)]) == 0
    shown = html.unescape(page.read_text())
    key = "the ring is the move, a white stone is an opponent's stone, a dark patch is no cell."
    assert shown.count(key) == 2 and "three in a line" in shown and "lift" in shown and "either colour" not in shown
    assert run(["report", "-q", files[0], "-o", str(page)]) == 0
    assert "These are rules of tictactoe: --game tictactoe and its records" in page.read_text()


def test_ratings_say_nothing_of_ranks_but_in_go(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text, _ = games({"weak": "900", "strong": "4100"})
    (tmp_path / "g.sgf").write_text(text)
    (tmp_path / "rules.pl").write_text(RULES)
    given = (tmp_path / "g.sgf", "--rules", tmp_path / "rules.pl", *GAME)
    assert lessons(*given) == 1
    assert "no player has a rank (BR, WR)" in capfd.readouterr().err
    assert lessons(*given, "--bands", "800-999,4000-4199", "-o", tmp_path / "l.tsv") == 0


def test_rules_of_another_game_are_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "g.sgf").write_text(games(RANKS)[0])
    (tmp_path / "rules.pl").write_text("%% gotools rules 1\nrule(r1, 1, 0, 1).\nmove(A,B,C,D) :- line(A,C,D,1).\n")
    assert lessons(tmp_path / "g.sgf", "--rules", tmp_path / "rules.pl", *GAME) == 1
    assert capfd.readouterr().err == f"gotools lessons: {tmp_path / 'rules.pl'}: rules of go, not of tictactoe\n"
