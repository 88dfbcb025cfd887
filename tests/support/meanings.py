"""What a vocabulary of measures and a window says of moves: by its kernels, and by its file in SWI-Prolog."""

import subprocess
from collections import defaultdict
from collections.abc import Collection, Mapping
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game, vocabulary_of
from gotools.game.vocabulary import UNDEFINED, Vocabulary, Window
from gotools.jit.kernels.seams import TO_PLAY

State = NDArray[np.int32]
Asked = Mapping[str, tuple[State, list[int]]]
"""Positions by the names of their boards, and the moves that are asked about."""
Looked = Collection[tuple[str, int]]
"""Boards and moves whose window is looked at."""
Answers = dict[str, set[tuple[object, ...]]]
"""By name: (board, move, side, value) of a measure, (board, move, dx, dy, class, frame) of cell, (board, stage)."""

DRIVER = """
asked_show(Name, Fields) :- atomic_list_concat([Name|Fields], ' ', Line), write(Line), nl.
asked_said(B, M, P, []) :- asked_plain(P), once(call(P, B, M)).
asked_said(B, M, P, [V]) :- asked_valued(P), call(P, B, M, V).
asked_said(B, M, P, [S]) :- asked_sided(P), member(S, [b, w]), once(call(P, B, M, S)).
asked_said(B, M, P, [S, V]) :- asked_both(P), member(S, [b, w]), call(P, B, M, S, V).
asked_said(B, M, cell, [DX, DY, C, F]) :-
    asked_look(B, M), pos_gen(F), asked_offset(DX, DY), cell(B, M, DX, DY, C, F).
main :-
    forall(( asked_move(B, M), asked_said(B, M, P, Values) ), asked_show(P, [B, M|Values])),
    forall(( to_play(B, _), stage(B, S) ), asked_show(stage, [B, S])).
"""
_KINDS = {(False, False): "plain", (False, True): "valued", (True, False): "sided", (True, True): "both"}
"""Facts that name measures, by whether these have a side, and a value."""


def known(game: Game) -> tuple[Vocabulary, Window]:
    """Return the vocabulary of a game, and its window."""
    vocabulary = vocabulary_of(game.name)
    assert vocabulary.window is not None
    return vocabulary, vocabulary.window


def measured(game: Game, state: State, moves: list[int]) -> tuple[NDArray[np.int32], NDArray[np.int32], str]:
    """Return the columns of moves, what stands around them, and the stage."""
    vocabulary, window = known(game)
    columns = np.full((len(moves), vocabulary.columns), -7, np.int32)
    seen = np.full((len(moves), window.frames, len(window.offsets)), -7, np.int32)
    before, numbers = state.copy(), np.array(moves, np.int32)
    stage = vocabulary.measure(state, numbers, len(moves), columns)
    vocabulary.look(state, numbers, len(moves), seen)
    assert (state == before).all()
    return columns, seen, tuple(vocabulary.stages)[stage]


def values_of(game: Game, row: list[int], own: str) -> Answers:
    """Return what a row of columns says: name -> {(side, value)}, without what the measure lacks."""
    vocabulary, found = vocabulary_of(game.name), defaultdict[str, set[tuple[object, ...]]](set)
    for measure in vocabulary.measures:
        for i, side in enumerate((own, "w" if own == "b" else "b") if measure.coloured else ("",)):
            value = row[vocabulary.column_of[measure.name] + i]
            if value == (UNDEFINED if measure.is_number else 0):
                continue
            said = value if measure.is_number else measure.words[value - 1] if measure.words else None
            assert measure.last or value == 1
            found[measure.name].add((*([side] if side else []), *([] if said is None else [said])))
    return found


def said_by_kernels(game: Game, asked: Asked, looked: Looked) -> Answers:
    _, window = known(game)
    found: Answers = defaultdict(set)
    for board, (state, moves) in asked.items():
        columns, seen, stage = measured(game, state, moves)
        found["stage"].add((board, stage))
        for i, move in enumerate(moves):
            for name, values in values_of(game, columns[i].tolist(), " bw"[state[TO_PLAY]]).items():
                found[name] |= {(board, move, *value) for value in values}
            if (board, move) in looked:
                found["cell"] |= {
                    (board, move, *offset, name, f"p{frame + 1}")
                    for frame in range(window.frames)
                    for o, offset in enumerate(window.offsets)
                    for bit, name in enumerate(window.classes)
                    if seen[i, frame, o] >> bit & 1
                }
    return found


def said_by_prolog(game: Game, asked: Asked, looked: Looked, folder: Path) -> Answers:
    vocabulary, window = known(game)
    assert vocabulary.facts is not None
    lines = [fact for board, (state, _) in asked.items() for fact in vocabulary.facts(state, board)]
    lines += [f"asked_move({board}, {move})." for board, (_, moves) in asked.items() for move in moves]
    lines += [f"asked_look({board}, {move})." for board, move in looked]
    lines += [f"asked_offset({dx}, {dy})." for dx, dy in window.offsets]
    lines += [f"asked_{_KINDS[m.coloured, bool(m.last)]}({m.name})." for m in vocabulary.measures]
    lines.sort(key=lambda line: line.split("(")[0])  # a predicate's clauses together
    place = files(vocabulary.facts.__module__.rpartition(".")[0])
    begin = [f":- consult('{place / vocabulary.background}')."]
    begin += [f":- dynamic asked_{kind}/1." for kind in _KINDS.values()]
    program = folder / "program.pl"
    program.write_text("\n".join([*begin, *lines]) + DRIVER)
    command = ["swipl", "-q", "-f", "none", "-g", "main", "-t", "halt", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    said: Answers = defaultdict(set)
    for line in done.stdout.splitlines():
        name, *fields = line.split()
        said[name].add(tuple(int(f) if f.lstrip("-").isdigit() else f for f in fields))
    return said


def check_meaning(game: Game, asked: Asked, looked: Looked, folder: Path) -> None:
    """Assert that Prolog and the kernels say the same, and that the moves show each measure, each word, each stage."""
    vocabulary = vocabulary_of(game.name)
    prolog, kernels = said_by_prolog(game, asked, looked, folder), said_by_kernels(game, asked, looked)
    different = {
        name: sorted(map(str, prolog[name] ^ kernels[name]))[:3]
        for name in sorted(prolog.keys() | kernels.keys())
        if prolog[name] != kernels[name]
    }
    assert different == {}
    assert {answer[-1] for answer in prolog["stage"]} == set(vocabulary.stages)
    for measure in vocabulary.measures:
        values = {answer[-1] for answer in prolog[measure.name]}
        assert values and (not measure.is_number or len(values) > 1), f"the positions show {measure.name}"
        assert not measure.words or values == set(measure.words)
