"""examples/abalone_uci.py: an engine of a dialect of UCI plays over GTP; its rules stand in tests/support once more."""

from __future__ import annotations

import importlib
import random
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.abalone_uci_engine import CELLS, DIRECTIONS, LABELS, Board, command, read_move
from support.needs import ROOT
from support.tournament_runs import lines

from gotools import cli
from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.games.abalone import board

pytestmark = pytest.mark.system

GAME = "abalone:belgian-daisy"
SCRIPT = ROOT / "examples/abalone_uci.py"


def load() -> ModuleType:
    sys.path.insert(0, str(SCRIPT.parent))
    try:
        return importlib.import_module("abalone_uci")
    finally:
        sys.path.remove(str(SCRIPT.parent))


uci: Any = load()
START = board.read_fen(board.write_fen(find_game(GAME).position()))
TRANSLATOR = uci.Translator(uci.turned(START, board.read_fen(uci.BELGIAN_DAISY)))


@pytest.fixture
def bridges() -> Iterator[Any]:
    """Make bridges and their engines, by the words of `command`, and end the engines."""
    made = []

    def new(*words: str, **options: object) -> Any:
        engine = uci.Engine(command(*words, **options), 20.0)
        made.append(engine)
        return uci.Bridge(find_game(GAME), TRANSLATOR, engine, 3), engine

    yield new
    for engine in made:
        engine.close()


def answers(bridge: Any, *commands: str) -> list[str]:
    return [bridge.obey(line).strip() for line in commands]


@pytest.mark.smoke
def test_cells_and_directions_are_those_of_the_engine() -> None:
    for label, (r, q) in LABELS.items():
        assert uci.label(uci.cell_at(4 - q - r, 4 - r)) == label
    for r, q in CELLS:
        for word, way in DIRECTIONS.items():
            after = (4 - (q + way[1]) - (r + way[0]), 4 - (r + way[0]))
            assert after == (4 - q - r + uci.STEPS[word][0], 4 - r + uci.STEPS[word][1])


@pytest.mark.smoke
def test_the_engine_and_gotools_list_the_same_moves_all_through_a_game() -> None:
    game, twin = find_game(GAME), Board()
    state, chance = game.position(), random.Random(7)
    for _ in range(30):
        ours = {read_move(TRANSLATOR.to_engine(game.move_text(move, 9))): move for move in game.moves_of(state)}
        theirs = twin.moves()
        assert {(tuple(sorted(ends)), way) for ends, way in ours} == {(tuple(sorted(e)), way) for e, way in theirs}
        for ends, way in theirs:
            word = next(word for word, step in DIRECTIONS.items() if step == way)
            said = f"bestmove Move: {''.join(f'({r},{q})' for r, q in ends)} {word} \n"
            move = game.parse_move(TRANSLATOR.from_engine(said.encode()), 9)
            assert ours.get((ends, way), ours.get((ends[::-1], way))) == move
        key = chance.choice(sorted(ours))
        twin.play(theirs[key])
        state = game.play(state, ours[key])


def test_a_whole_match_runs_through_the_controller(tmp_path: Path) -> None:
    game = f"{GAME},moves=40"
    engines = []
    for seed, name in enumerate("ab"):
        words = [sys.executable, str(SCRIPT), "--game", game, "--depth", "2", "--", *command(seed=seed)]
        engines += ["--engine", f"{name}={shlex.join(words)}"]
    assert (
        cli.run(
            ["tournament", "--game", game, *engines, "--games", "2", "--openings", "none", "-o", str(tmp_path), "-q"]
        )
        == 0
    )
    _, *games = lines(tmp_path)
    assert [one["end"] for one in games] == ["score"] * 2 and not any(one["notes"] for one in games)
    assert [len(one["moves"].split()) for one in games] == [40, 40]
    assert {one["result"] for one in games} == {"0"}


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("illegal", "the engine plays .*: .* holds a marble of the other side"),
        ("garbage", "the engine names no move that can be read; it says bestmove e2e4"),
        ("silent", "the engine names no move that can be read; it says readyok"),
        ("off-board", "the board has no cell"),
        ("dies", "engine .*ended at `go`; it last said: out of marbles"),
        ("floods", "engine .*wrote more than 1048576 bytes at `go`"),
    ],
)
def test_a_misbehaviour_is_a_refusal_that_says_so_and_the_game_goes_on(how: str, words: str, bridges: Any) -> None:
    bridge, _ = bridges(how, at=2)
    first, second, third = answers(bridge, "genmove b", "genmove w", "7 genmove w")
    assert first.startswith("= ") and third.startswith("=7 ")
    assert second.startswith("? ") and re.search(words, second), second


def test_an_engine_that_does_not_answer_is_ended(bridges: Any) -> None:
    bridge, engine = bridges("sleeps", at=2)
    assert bridge.obey("genmove b").startswith("= ")
    engine.timeout = 0.1
    assert answers(bridge, "genmove w")[0].endswith("did not answer `go` within 0.1 s")
    engine.timeout = 20.0
    assert bridge.obey("genmove w").startswith("= ")  # by a new process


def test_a_repeated_position_is_sent_without_what_led_back_to_it(bridges: Any) -> None:
    bridge, _ = bridges()
    loop = ("play b G5F5", "play w G7F7", "play b F5G5", "play w F7G7")
    assert answers(bridge, *loop, "genmove b")[-1].startswith("= ")
    assert answers(bridge, "clear_board", *loop, *loop, "genmove b")[-1] == "? the game is over"
    assert bridge.obey("final_score") == "= 0\n\n"


def test_commands_and_refusals(bridges: Any) -> None:
    bridge, _ = bridges()
    known = answers(bridge, "list_commands")[0]
    assert all(f"\n{name}\n" in f"\n{known[2:]}\n" for name in ("genmove", "gogui-rules_legal_moves", "undo"))
    said = answers(
        bridge, "boardsize 9", "boardsize 8", "play b I5H5", "play b I5H5", "play w X1", "undo", "undo", "play b",
        "genmove w", "known_command nonsense", "nonsense", "final_score",
    )  # fmt: skip
    assert "".join(answer[0] for answer in said) == "=?=??=???=??"
    assert set(answers(bridge, "gogui-rules_legal_moves")[0][2:].split()) == {
        find_game(GAME).move_text(move, 9) for move in find_game(GAME).moves_of(find_game(GAME).position())
    }
    assert bridge.obey(" # nothing\n") is None


def test_a_start_that_cannot_be_turned_into_the_engines_is_refused() -> None:
    with pytest.raises(GotoolsError, match="begins from another position"):
        uci.turned(board.read_fen(board.write_fen(find_game("abalone").position())), START)


def test_a_wrong_command_line_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--", "no-such-engine"], ["--game", "abalone:nonsense", "--", "x"], ["--depth", "0", "--", "x"]):
        with pytest.raises(SystemExit) as end:
            uci.main(words)
        assert end.value.code == 2 and "Traceback" not in capsys.readouterr().err
