"""The vocabulary of shogi has one meaning: vocabulary.pl in SWI-Prolog says what the kernels say, at random."""

from __future__ import annotations

import random
import subprocess
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.needs import ROOT, needs_swipl

from gotools.game.game import find_game
from gotools.game.vocabulary import UNDEFINED
from gotools.games.shogi import board as b
from gotools.games.shogi.vocabulary import VOCABULARY
from gotools.jit.kernels.seams import TO_PLAY

SHOGI = find_game("shogi")
WINDOW = VOCABULARY.window
assert WINDOW is not None
State = NDArray[np.int32]
Answers = dict[str, set[tuple[object, ...]]]

DRIVER = """
opposite(b, w).
opposite(w, b).
show(Name, Fields) :- atomic_list_concat([Name|Fields], ' ', Line), write(Line), nl.
said(B, M, P, []) :- plain(P), once(call(P, B, M)).
said(B, M, P, [V]) :- valued(P), call(P, B, M, V).
said(B, M, P, [S]) :- sided(P), member(S, [b, w]), once(call(P, B, M, S)).
said(B, M, P, [S, V]) :- both(P), member(S, [b, w]), call(P, B, M, S, V).
said(B, M, cell, [DX, DY, C, F]) :- looked(B, M), member(F, [p1, p2]), cell(B, M, DX, DY, C, F).
main :-
    forall(( asked(B, M), said(B, M, P, Values) ), show(P, [B, M|Values])),
    forall(( to_play(B, _), stage(B, S) ), show(stage, [B, S])).
"""


def states_of(seed: int, games: int) -> list[State]:
    """Positions of random games in which captures and promotions are as likely as all other moves together."""
    chance, found = random.Random(seed), []
    for _ in range(games):
        state = SHOGI.position()
        for _ in range(chance.randrange(4, 140)):
            moves = SHOGI.moves_of(state)
            if not moves:
                break
            sharp = [m for m in moves if m & 1 or b.piece_at(state, (m >> 1) % 81)]
            state = SHOGI.play(state, chance.choice(sharp if sharp and chance.random() < 0.5 else moves))
        if SHOGI.moves_of(state):
            found.append(state)
    return found


def measured(state: State, moves: list[int]) -> tuple[NDArray[np.int32], NDArray[np.int32], str]:
    """Return the columns of moves, what stands around them, and the stage."""
    columns = np.full((len(moves), VOCABULARY.columns), -7, np.int32)
    assert WINDOW is not None
    seen = np.full((len(moves), WINDOW.frames, len(WINDOW.offsets)), -7, np.int32)
    before, numbers = state.copy(), np.array(moves, np.int32)
    stage = VOCABULARY.measure(state, numbers, len(moves), columns)
    VOCABULARY.look(state, numbers, len(moves), seen)
    assert (state == before).all()
    return columns, seen, tuple(VOCABULARY.stages)[stage]


def values_of(row: list[int], own: str) -> Answers:
    """Return what a row of columns says: name -> {(side, value)}, without what the measure lacks."""
    found: Answers = defaultdict(set)
    for measure in VOCABULARY.measures:
        for i, side in enumerate((own, "w" if own == "b" else "b") if measure.coloured else ("",)):
            value = row[VOCABULARY.column_of[measure.name] + i]
            if value == (UNDEFINED if measure.is_number else 0):
                continue
            said = value if measure.is_number else measure.words[value - 1] if measure.words else None
            assert measure.last or value == 1
            found[measure.name].add((*([side] if side else []), *([] if said is None else [said])))
    return found


def said_by_kernels(asked: dict[str, tuple[State, list[int]]], looked: set[tuple[str, int]]) -> Answers:
    found: Answers = defaultdict(set)
    assert WINDOW is not None
    for board, (state, moves) in asked.items():
        columns, seen, stage = measured(state, moves)
        found["stage"].add((board, stage))
        for i, move in enumerate(moves):
            for name, values in values_of(columns[i].tolist(), " bw"[state[TO_PLAY]]).items():
                found[name] |= {(board, move, *value) for value in values}
            if (board, move) in looked:
                found["cell"] |= {
                    (board, move, *offset, name, f"p{frame + 1}")
                    for frame in range(WINDOW.frames)
                    for o, offset in enumerate(WINDOW.offsets)
                    for bit, name in enumerate(WINDOW.classes)
                    if seen[i, frame, o] >> bit & 1
                }
    return found


def said_by_prolog(asked: dict[str, tuple[State, list[int]]], looked: set[tuple[str, int]], folder: Path) -> Answers:
    kinds: dict[tuple[bool, bool], list[str]] = {(c, v): [] for c in (False, True) for v in (False, True)}
    for measure in VOCABULARY.measures:
        kinds[measure.coloured, bool(measure.last)].append(measure.name)
    assert VOCABULARY.facts is not None
    lines = [fact for board, (state, _) in asked.items() for fact in VOCABULARY.facts(state, board)]
    lines += [f"asked({board}, {move})." for board, (_, moves) in asked.items() for move in moves]
    lines += [f"looked({board}, {move})." for board, move in looked]
    for name, key in (
        ("plain", (False, False)), ("valued", (False, True)), ("sided", (True, False)), ("both", (True, True)),
    ):  # fmt: skip
        lines += [f"{name}({measure})." for measure in kinds[key]]
    lines.sort(key=lambda line: line.split("(")[0])  # a predicate's clauses together
    program = folder / "program.pl"
    meaning = ROOT / "gotools/games/shogi" / VOCABULARY.background
    program.write_text(f":- consult('{meaning}').\n" + "\n".join(lines) + DRIVER)
    command = ["swipl", "-q", "-f", "none", "-g", "main", "-t", "halt", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    said: Answers = defaultdict(set)
    for line in done.stdout.splitlines():
        name, *fields = line.split()
        said[name].add(tuple(int(f) if f.lstrip("-").isdigit() else f for f in fields))
    return said


@needs_swipl
def test_prolog_and_the_kernels_mean_the_same(tmp_path: Path) -> None:
    chance = random.Random(1)
    asked = {f"b{n}": (state, SHOGI.moves_of(state)) for n, state in enumerate(states_of(1, 30))}
    looked = {(board, chance.choice(moves)) for board, (_, moves) in asked.items()}
    prolog, kernels = said_by_prolog(asked, looked, tmp_path), said_by_kernels(asked, looked)
    different = {
        name: sorted(map(str, prolog[name] ^ kernels[name]))[:3]
        for name in prolog.keys() | kernels.keys()
        if prolog[name] != kernels[name]
    }
    assert different == {}
