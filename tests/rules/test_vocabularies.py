"""Every vocabulary of measures and a window means in the kernels what its file says in SWI-Prolog, at random."""

import ctypes
import random
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.meanings import check_meaning
from support.needs import ROOT, needs_swipl

from gotools.cli import run
from gotools.engines.knowledge import rules_ordering
from gotools.game.game import Game, find_game, vocabulary_of
from gotools.game.table import GAMES
from gotools.library.rules import compile_rules
from gotools.rules.boosting.candidates import body_of, conditions_of
from gotools.rules.clauses.points import StateMoves
from gotools.rules.clauses.rules import Rule, RuleSet, load_rules, parse_body, write_rules
from gotools.rules.compiled.native import MoveLibrary, load_compiled
from gotools.rules.explain.sentences import sentence
from gotools.rules.matching import Interpreted, find_matcher
from gotools.rules.weigh.accuracy import Choices

NAMES = [name for name in GAMES if "Vocabulary" in find_game(name).traits and not vocabulary_of(name).points]
OTHERS = [name for name in NAMES if name not in ("shogi", "abalone")]
"""Shogi and Abalone have tests of their own, on positions in which every measure says all that it may."""
POSITIONS = 60


def positions(game: Game, count: int, seed: int) -> list[NDArray[np.int32]]:
    """Positions of random games, none of them over."""
    rng, found = random.Random(seed), list[NDArray[np.int32]]()
    while len(found) < count:
        state = game.position()
        for _ in range(rng.randrange(1 + (game.plies or 60) // 2)):
            if not (moves := game.moves_of(state)):
                break
            state = game.play(state, rng.choice(moves))
        if game.moves_of(state):
            found.append(state)
    return found


def drawn_rules(name: str, count: int, seed: int) -> RuleSet:
    """Rules of some conditions each that --objective rank tries."""
    rng, known = random.Random(seed), conditions_of(vocabulary_of(name).names("full"), game=name)
    bodies = [body_of(rng.sample(known, rng.randrange(1, 4)), name) for _ in range(count)]
    rules = (Rule(f"r{k}", body, 0, 0, round(rng.gauss(0, 1), 3), name) for k, body in enumerate(bodies))
    return RuleSet(tuple(rules), {"game": name})


def choices_at(game: Game, states: list[NDArray[np.int32]]) -> Choices:
    """The legal moves of positions."""
    moves = [game.moves_of(state) for state in states]
    size, first = np.full(len(states), game.sizes[0], np.uint8), np.cumsum([0, *map(len, moves)])
    place = [game.place_of(move, game.sizes[0]) for some in moves for move in some]
    position = np.repeat(np.arange(len(states), dtype=np.int32), np.diff(first))
    found = StateMoves(game, np.array(states), size, position, np.array(place, np.int16))
    return Choices(found, first, np.full(len(states), -1), np.arange(len(states)))


@pytest.mark.parametrize("name", NAMES)
def test_searches_score_moves_as_the_interpreter_does(name: str, tmp_path: Path) -> None:
    game, rules = find_game(name), drawn_rules(name, 300, 2)
    path = tmp_path / "rules.pl"
    with path.open("w") as out:
        write_rules(out, rules)
    matcher, states = find_matcher(str(path)), positions(game, 30, 3)
    choices = choices_at(game, states)
    expected = matcher.match(choices).scores([rule.weight for rule in matcher.rules.rules])
    ordering = rules_ordering(matcher, "rules.pl")
    for k, state in enumerate(states):
        moves = np.array(game.moves_of(state), np.int32)
        scores = np.empty(len(moves))
        ordering.order(state, moves, len(moves), scores, ordering.numbers)
        assert scores.tolist() == expected[choices.first[k] : choices.first[k + 1]].tolist()
    assert len(np.unique(expected)) > len(expected) / 10


@pytest.mark.parametrize(
    ("header", "clause", "what"),
    [
        ("game=hex", "wins(A,C,B)", "2: there is no game 'hex'"),
        ("game=tictactoe\n%% vocabulary=2", "wins(A,C,B)", "3: rules by version 2 of the vocabulary of tictactoe"),
        ("game=tictactoe", "captures(A,C,B)", "4: unknown predicate 'captures'"),
        ("game=tictactoe", "wins(A,B,C)", "4: wins(A,B,C): argument 2 must be C"),
        ("game=tictactoe", "place(A,C,middle)", "4: place(A,C,middle): middle is not one of corner, edge, centre"),
        ("game=tictactoe", "threats(A,C,B,D), range(D,3,1)", "4: range(D,3,1): an interval goes from a number"),
        ("game=tictactoe", "pos_gen(D), cell(A,C,5,0,own,D)", "4: cell(A,C,5,0,own,D): the offset 5,0 is outside"),
    ],
)
def test_rules_that_a_vocabulary_does_not_know_are_one_line(
    header: str, clause: str, what: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rules.pl"
    line = int(what.split(":")[0])
    rule = f"rule(r1, 1, 1, 1.0).\nmove(A,B,C) :- {clause}.\n"
    path.write_text(f"%% gotools rules 1\n%% {header}\n{rule}")
    assert run(["compile-patterns", "-q", str(path), "-o", str(tmp_path / "rules.so")]) == 1
    said = capfd.readouterr().err
    assert said.startswith(f"gotools compile-patterns: {path}:{line if 'game=hex' not in header else 4}")
    assert what.partition(": ")[2] in said and not (tmp_path / "rules.so").exists()


MODES = """
:- modeh(1, move(+board, +color, +move)).
:- modeb(1, opposite(+color, -color)).
:- modeb(1, wins(+board, +move, +color)).
:- modeb(*, place(+board, +move, #[corner, centre])).
:- modeb(*, threats(+board, +move, +color, #[2..3])).
"""


def test_modes_say_of_what_rules_of_a_game_are_made(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    table, modes, rules = str(ROOT / "examples/tictactoe/learn.tsv"), tmp_path / "modes.pl", tmp_path / "rules.pl"
    command = ["induce-patterns", "-q", table, "--modes", str(modes), "--min-body", "1", "-o", str(rules)]
    modes.write_text(MODES)
    assert run(command) == 0
    found = load_rules(rules)
    said = {literal.predicate for rule in found.rules for literal in rule.body}
    assert {"wins", "threats"} <= said <= {"opposite", "wins", "place", "threats"}
    assert not any("edge" in rule.clause or ",1)" in rule.clause for rule in found.rules)
    modes.write_text(MODES.replace("centre", "middle"))
    assert run(command) == 1
    assert "modes.pl:5: `middle` is no place; there are corner, edge, centre" in capfd.readouterr().err


def test_a_sentence_says_all_that_a_rule_asks_of_a_place() -> None:
    clause = "move(A,B,C) :- pos_gen(D), cell(A,C,0,1,other,D), cell(A,C,0,1,other_gold,D)."
    rule = Rule("r1", parse_body(clause, "here", 1, "shogi"), 0, 0, 1.0, "shogi")
    assert sentence(rule).count("one square ahead") == 2


class MovesOfC(ctypes.Structure):
    """gotools_moves of gotools_move_rules.h."""

    _fields_ = (
        ("moves", ctypes.c_int32),
        ("stage", ctypes.c_int32),
        ("measure", ctypes.c_void_p),
        ("seen", ctypes.c_void_p),
    )


@pytest.mark.parametrize("name", NAMES)
def test_compiled_rules_score_moves_as_the_interpreter_does(name: str, tmp_path: Path) -> None:
    game, vocabulary, rules = find_game(name), vocabulary_of(name), drawn_rules(name, 300, 4)
    library = compile_rules(rules, tmp_path / "rules.so") and load_compiled(tmp_path / "rules.so")
    assert isinstance(library, MoveLibrary) and library.rules.digest == rules.digest
    functions = library.library
    assert functions.gotools_move_rules_columns() == vocabulary.columns
    states = positions(game, 10, 5)
    choices = choices_at(game, states)
    firing = Interpreted(rules).match(choices)
    expected = firing.scores([rule.weight for rule in rules.rules])
    for k, state in enumerate(states):
        moves = np.array(game.moves_of(state), np.int32)
        begin, n, window = int(choices.first[k]), len(moves), vocabulary.window
        assert window is not None
        measured = np.zeros((n, vocabulary.columns), np.int32)
        seen = np.zeros((n, window.frames, len(window.offsets)), np.int32)
        stage = vocabulary.measure(state, moves, n, measured)
        vocabulary.look(state, moves, n, seen)
        given = MovesOfC(n, stage, measured.ctypes.data, seen.ctypes.data)
        score, hits = np.empty(n), np.zeros((len(rules.rules), n), np.uint8)
        arrays = (ctypes.c_void_p(array.ctypes.data) for array in (score, hits))
        assert functions.gotools_move_rules_hits(ctypes.byref(given), *arrays) == n
        assert score.tolist() == expected[begin : begin + n].tolist()
        for i in range(n):
            fired = firing.rule[firing.at[begin + i] : firing.at[begin + i + 1]]
            assert np.flatnonzero(hits[:, i]).tolist() == fired.tolist()


@needs_swipl
@pytest.mark.parametrize("name", OTHERS)
def test_kernels_say_what_prolog_says(name: str, tmp_path: Path) -> None:
    game = find_game(name)
    states = positions(game, POSITIONS, 1)
    asked = {f"b{n}": (state, game.moves_of(state)) for n, state in enumerate(states)}
    looked = {(board, move) for board, (_, moves) in asked.items() for move in moves}
    check_meaning(game, asked, looked, tmp_path)
