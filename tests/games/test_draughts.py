"""examples/draughts, a game of a package of its own: its rules, inputs and records, and that commands know it."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from draughts_game import curve, pdn
from draughts_game.draughts import DRAUGHTS, MOVE_OF, SAMUEL, TEXTS, WINDOWS, with_setting, write_fen
from draughts_game.kernels import rules as k
from draughts_game.kernels import values as v
from draughts_game.vocabulary import VOCABULARY
from hypothesis import given
from hypothesis import strategies as st
from rules import test_vocabularies, test_vocabulary_pages
from support.declared import declared
from support.meanings import check_meaning, measured
from support.needs import ROOT, needs_swipl
from support.pages import blocks
from support.pages import run as run_in_shell
from support.plain_draughts import DARK, board_of, said_of, successors
from support.written_json import read_json

from gotools.base.errors import GotoolsError
from gotools.cli import run
from gotools.game.history import History
from gotools.game.records.reading import read_records
from gotools.game.records.record import Problem
from gotools.game.vocabulary import UNDEFINED
from gotools.jit.kernels.seams import ONGOING, TO_PLAY
from gotools.rules.clauses.rules import Rule, parse_body
from gotools.rules.explain.diagrams import diagram
from gotools.rules.explain.sentences import sentence

PACKAGE = ROOT / "examples/draughts"
PERFT = (1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931)
"""Positions after so many moves, as Aart Bik published them in 2009 (talkchess.com, "perft for 8x8 checkers")."""


@pytest.fixture(autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("packages")
    with declared(folder, "draughts-game", draughts="draughts_game.draughts:DRAUGHTS"):
        yield


def position(fen):
    return DRAUGHTS.started_from(fen).position()


def texts(state):
    return sorted(TEXTS[move] for move in DRAUGHTS.moves_of(state))


def walk(seed, plies=200):
    """Yield the positions of a game of random legal moves."""
    rng, state = random.Random(seed), DRAUGHTS.position()
    for _ in range(plies):
        yield state
        if not (moves := DRAUGHTS.moves_of(state)):
            return
        state = DRAUGHTS.play(state, rng.choice(moves))


# rules ----------------------------------------------------------------------------------------------------------------


def perft(state, depth):
    moves = DRAUGHTS.moves_of(state)
    return len(moves) if depth == 1 else sum(perft(DRAUGHTS.play(state, move), depth - 1) for move in moves)


def test_the_games_that_begin_are_as_many_as_published():
    assert [perft(DRAUGHTS.position(), depth) for depth in range(1, 8)] == list(PERFT[1:8])


@pytest.mark.slow
def test_the_games_of_eight_moves_are_as_many_as_published():
    assert perft(DRAUGHTS.position(), 8) == PERFT[8]


def test_moves_are_those_of_the_slow_twin():
    seen = Counter[str]()
    for seed in range(40):
        for state in walk(seed):
            if state[k.QUIET] >= k.QUIET_LIMIT:
                break  # the twin knows no such draw
            side, board = board_of(write_fen(state))
            expected = successors(side, board)
            assert texts(state) == sorted(expected)
            for move in DRAUGHTS.moves_of(state):
                after = DRAUGHTS.play(state, move)
                assert board_of(write_fen(after))[1] == expected[TEXTS[move]], (write_fen(state), TEXTS[move])
                jumps = TEXTS[move].count("x")
                seen["several jumps"] += jumps > 1
                seen["jumps of a king"] += jumps > 1 and state[k.SQUARES + k.PATHS[move][0]] > k.KING
                seen["crowned"] += bool((after[k.SQUARES :] > k.KING).sum() > (state[k.SQUARES :] > k.KING).sum())
    assert len(seen) == 3 and min(seen.values()) >= 20


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("B:W18:B1,15", ["15x22"]),  # 1-5 is no choice
        ("B:W18,25:B15", ["15x22x29"]),  # nor is the first jump alone
        ("B:W25,26:B22", ["22x29", "22x31"]),
        ("B:W26,27:B22", ["22x31"]),  # crowned: the move is over, though a king could take 27
        ("B:W6,7,14,15:BK2", ["2x11x18x9x2", "2x9x18x11x2"]),  # around, and home
    ],
)
def test_captures_are_forced_and_go_on(fen, moves):
    assert texts(position(fen)) == moves == sorted(successors(*board_of(fen)))


def test_a_move_is_refused_with_the_rule():
    history = History.start(DRAUGHTS.started_from("B:W18,25:B1,15"), 8)
    for text in ("1-5", "15x22"):
        assert history.why_illegal(1, MOVE_OF[text]) == "a capture is forced, and goes on while it can"
    assert history.why_illegal(1, MOVE_OF["15x22x29"]) == ""


def test_who_cannot_move_has_lost():
    state = DRAUGHTS.play(position("B:W13:B1,6,5"), MOVE_OF["5-9"])
    assert DRAUGHTS.moves_of(state) == [] and DRAUGHTS.outcome(state) == -1
    with pytest.raises(GotoolsError, match="a finished game"):
        DRAUGHTS.started_from(write_fen(state))


def test_forty_moves_of_kings_on_each_side_are_a_draw():
    state = position("B:WK32,21:BK1")
    state = DRAUGHTS.play(DRAUGHTS.play(state, MOVE_OF["1-5"]), MOVE_OF["21-17"])
    there, back = ("5-1", "32-27"), ("1-5", "27-32")
    for turn in range(40):
        assert DRAUGHTS.outcome(state) == ONGOING
        for text in back if turn % 2 else there:
            state = DRAUGHTS.play(state, MOVE_OF[text])
    assert DRAUGHTS.outcome(state) == 0 and DRAUGHTS.moves_of(state) == []


# texts and inputs -----------------------------------------------------------------------------------------------------


def test_positions_are_read_as_they_are_written():
    for state in walk(1):
        if DRAUGHTS.outcome(state) == ONGOING:
            again = position(write_fen(state))
            assert (np.delete(again, k.QUIET) == np.delete(state, k.QUIET)).all()


@pytest.mark.parametrize("fen", ["", "B", "B:W1", "B:W1:W2", "X:W1:B2", "B:W1:B1", "B:W33:B1", "B:WQ3:B1", "B:W:B1,"])
def test_other_texts_are_no_positions(fen):
    with pytest.raises(GotoolsError, match="is not a FEN"):
        with_setting(fen)


def inputs(features, state):
    x = np.full(len(features.scales(8)), np.nan)
    features.inputs(state, x)
    return x


def exchanged(state):
    """Return a position with the board turned and the sides exchanged: it is the same for the side to play."""
    other = state.copy()
    pieces = state[k.SQUARES :][::-1]
    other[k.SQUARES :], other[TO_PLAY] = np.where(pieces > 0, (pieces - 1 ^ 1) + 1, 0), 3 - state[TO_PLAY]
    return other


@pytest.mark.parametrize("name", ["raw", "samuel", "windows"])
def test_inputs_are_alike_for_both_sides_and_fit_their_scales(name):
    features = DRAUGHTS.find_features(name)
    assert len(features.labels(8)) == len(set(features.labels(8))) == len(features.scales(8))
    for state in walk(2):
        x = inputs(features, state)
        assert (x == inputs(features, exchanged(state))).all()
        assert (np.abs(x * features.scales(8)) <= 1.5).all()


def test_windows_hold_the_sums_of_their_fields():
    for state in walk(3):
        board, mine = np.zeros((8, 8)), state[TO_PLAY]
        for place, piece in zip(DARK, state[k.SQUARES :].tolist(), strict=True):
            worth = (0, 1, 1, v.KING_WORTH, v.KING_WORTH)[piece]
            board[place] = worth if piece % 2 == mine % 2 else -worth
        board = board if mine == 1 else board[::-1, ::-1]
        sums = [
            board[r : r + n, c : c + n].sum() for n in range(3, 9) for r in range(9 - n) for c in range(9 - n)
        ]  # fmt: skip
        assert len(sums) == 91 and np.allclose(inputs(WINDOWS, state), sums)


@pytest.mark.parametrize(
    ("fen", "terms"),
    [
        ("B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12", {}),
        ("B:W32:B1,2,3,7", {"men": 3, "BACK": 1, "OREO": 1, "MOB": 4, "POLE": 0}),
        ("W:W32:B1,2,3,7", {"men": -3, "BACK": -1, "OREO": -1, "MOB": -4, "POLE": 0}),
        ("B:WK30:B11,17", {"men": 2, "kings": -1, "ADV": 0, "CENT": 1, "POLE": 2}),
        ("B:W5:BK10,21", {"kings": 1, "KCENT": 1, "ADV": 1, "MOB": 4, "POLE": 0}),
    ],
)
def test_samuels_terms_are_those_counted_by_hand(fen, terms):
    found = dict(zip(v.TERMS, inputs(SAMUEL, position(fen)).tolist(), strict=True))
    assert {name: found[name] for name in terms or v.TERMS} == (terms or dict.fromkeys(v.TERMS, 0))


# records --------------------------------------------------------------------------------------------------------------

PDN = """\
[Event "one"]
[Black "Anna"]
[White "Bert"]
[Result "1-0"]

1. 11-15 22-18 {a comment; 1. 9-14} 2. 15x22 (2. 15-19 (2. 1-2)) 25x18! $1
3. 8-11 1-0

[Event "two"]
[FEN "W:W18,22,K32:B8,K14."]
1. 18x9 8-11 *

[GameType "20"]
1. 32-28 *

11-15 ; no header
23-19 9-14 3-4 8-11 0-1
"""


def records(folder):
    """Return the games of a folder: id, texts of the moves, players, result, setting, what is wrong; and reports."""
    reports = list[str]()
    found = [record for _, record in read_records([folder], DRAUGHTS, reports.append)]
    return [
        (one.id, [TEXTS[move] for _, move in one.moves], one.players, one.result, one.setting, one.stop)
        for one in found
    ], reports


def test_records_in_pdn_are_read_and_looked_for_in_folders(tmp_path):
    (tmp_path / "games.pdn").write_text(PDN)
    found, reports = records(tmp_path)
    assert found == [
        ("games", ["11-15", "22-18", "15x22", "25x18", "8-11"], ("Anna", "Bert"), "B+", "", ""),
        ("games@2", ["18x9", "8-11"], ("", ""), "", "W:W18,22,K32:B8,K14", ""),
        ("games@4", ["11-15", "23-19", "9-14"], ("", ""), "W+", "", "move 4 (3-4): no legal move"),
    ]
    assert reports == [f"{tmp_path}/games.pdn:13: GameType 20 is not 21, English draughts"]


@pytest.mark.parametrize(
    ("text", "moves", "stop"),
    [
        ("15x29", ["15x22x29"], ""),
        ("15x22x29", ["15x22x29"], ""),
        ("15-29", ["15x22x29"], ""),
        ("15x22", [], "move 1 (15x22): no legal move"),
    ],
)
def test_a_capture_may_be_written_without_the_squares_between(tmp_path, text, moves, stop):
    (tmp_path / "a.pdn").write_text(f'[FEN "B:W18,25,32:B15"]\n1. {text} *')
    ((_, found, *_, why),), _ = records(tmp_path)
    assert (found, why) == (moves, stop)


def test_a_capture_that_may_be_two_moves_is_not_guessed(tmp_path):
    for name, text in (("a", "2x18"), ("b", "2x9x18")):
        (tmp_path / f"{name}.pdn").write_text(f'[FEN "B:W6,7,14,15,32:B2"]\n1. {text} *')
    (one, other), _ = records(tmp_path)
    assert one[-1] == "move 1 (2x18): several moves" and other[1] == ["2x9x18"]


@given(st.binary(max_size=200) | st.text('[]"(){};.x-1023 \n*FENBWGameType', max_size=200).map(str.encode))
def test_whatever_a_file_holds_is_read_or_a_problem(data):
    found = list(pdn.read(data, "a.pdn"))
    assert found and all(isinstance(one, Problem) or one.size == 8 for one in found)


# the vocabulary -------------------------------------------------------------------------------------------------------


def some_positions(games):
    """Every fifth position of some games of random moves, none of them over."""
    states = (state for seed in range(games) for state in list(walk(seed))[3::5])
    return [state for state in states if DRAUGHTS.outcome(state) == ONGOING]


def test_measures_are_those_of_the_slow_twin():
    seen = Counter[str]()
    for state in some_positions(40):
        (side, board), moves = board_of(write_fen(state)), DRAUGHTS.moves_of(state)
        columns = measured(DRAUGHTS, state, moves)[0].tolist()
        for move, row in zip(moves, columns, strict=True):
            values, expected_of = iter(row), said_of(side, board, TEXTS[move])
            for measure in VOCABULARY.measures:
                expected = expected_of[measure.name]
                own, *other = (next(values) for _ in range(measure.columns))
                said = measure.words[own - 1] if measure.words else None if own == UNDEFINED else own
                found = [own, *other] if measure.coloured else said
                assert found == expected, (write_fen(state), TEXTS[move], measure.name)
                seen[measure.name] += expected not in (0, None, [0, 0])
    assert len(seen) == len(VOCABULARY.measures) and min(seen.values()) >= 10


@needs_swipl
def test_measures_mean_what_prolog_says(tmp_path):
    asked = {f"b{n}": (state, DRAUGHTS.moves_of(state)) for n, state in enumerate(some_positions(12))}
    looked = {(board, move) for board, (_, moves) in asked.items() for move in moves}
    check_meaning(DRAUGHTS, asked, looked, tmp_path)


def test_searches_and_libraries_score_moves_by_rules_as_the_interpreter_does(tmp_path):
    test_vocabularies.test_searches_score_moves_as_the_interpreter_does("draughts", tmp_path)
    test_vocabularies.test_compiled_rules_score_moves_as_the_interpreter_does("draughts", tmp_path)


def test_what_stands_where_is_drawn_there():
    test_vocabulary_pages.test_what_stands_where_is_drawn_there("draughts")


def test_a_rule_in_words_and_as_a_drawing():
    body = "opposite(B,D), regains(A,C,1), exposed(A,C,D,E), range(E,2,99), pos_gen(F), cell(A,C,1,1,other_king,F)"
    rule = Rule("r1", parse_body(f"move(A,B,C) :- {body}.", "r.pl", 1, "draughts"), 1, 0, 1.0, "draughts")
    assert sentence(rule) == (
        "Is sure of one piece in return and attacks two or more pieces of the opponent, with an opponent's king "
        "diagonally ahead."
    )
    assert diagram(rule) == [".   k", "  *  ", ".   ."]


# commands -------------------------------------------------------------------------------------------------------------


def test_it_stands_in_the_list_of_games(capfd):
    assert run(["show", "games", "--json"]) == 0
    row = read_json(capfd.readouterr().out)["games"]["rows"][-1]
    assert row == {
        "game": "draughts", "package": "draughts-game", "version": "0.1", "sizes": "8",
        "traits": "Complexity, Learning, Picture, Records, Repetition, Starts, Vocabulary",
        "state": "ready",
    }  # fmt: skip


def test_values_evolve_and_are_measured(tmp_path, capfd):
    weights = str(tmp_path / "eval.npz")
    evolve = "train-eval --game draughts --method evolve --features windows --network mlp:4,3 --parents 2 --matches 2"
    assert run([*evolve.split(), "--games", "16", "--referee-games", "2", "-q", "-o", weights]) == 0
    capfd.readouterr()
    curve.main(2, 4, [weights])
    head, row = (line.split("\t") for line in capfd.readouterr().out.splitlines())
    assert head[1:4] == ["random_won", "random_drawn", "random_lost"] and head[4] == "samuel_won"
    assert sum(map(int, row[1:4])) == sum(map(int, row[4:])) == 4


def test_four_plies_with_samuels_terms_win_a_match_against_one(tmp_path):
    engines = [f"--engine={name}=gotools:depth={depth}" for name, depth in (("one", 1), ("four", 4))]
    command = ["tournament", "--game", "draughts", *engines, "--games", "2", "--opening-moves", "2"]
    assert run([*command, "-q", "-o", str(tmp_path / "run")]) == 0
    _, *games = map(read_json, (tmp_path / "run/results.jsonl").read_text().splitlines())
    winners = Counter({"B": game["black"], "W": game["white"]}.get(game["result"][0]) for game in games)
    assert len(games) == 2 and winners["four"] > winners["one"]


SMALLER = {
    "4000": "32", "90000": "900", "18000": "450", "200 ": "2 ", "100 ": "2 ", "1000": "1", "60 ": "3 ",
    "depth 8": "depth 2",
}  # fmt: skip
"""What the commands of the page ask for, and what the test does."""


@pytest.mark.system
def test_the_commands_of_the_page_run(tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    script = "".join(text for kind, text, _ in blocks(PACKAGE / "README.md") if kind == "sh")
    assert script.count("pip install ./examples/draughts\n") == 1 and script.count("gotools ") >= 8
    script = script.replace("pip install", "test -d").replace("gotools play", "gotools </dev/null play")
    for number, smaller in SMALLER.items():
        script = re.sub(rf"\b{number}", smaller, script)
    done = run_in_shell("bash", "-euo", "pipefail", "-c", script, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "8-11\tAnna\tBert" in done.stdout and "positions; " in done.stdout


# the package ----------------------------------------------------------------------------------------------------------


def test_it_takes_about_700_lines_of_python():
    files = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".toml")]
    assert 650 < sum(bool(line.strip()) for path in files for line in path.read_text().splitlines()) < 720


def test_gotools_knows_nothing_of_it():
    assert not [path for path in (ROOT / "gotools").rglob("*.py") if "draughts" in path.read_text().lower()]
