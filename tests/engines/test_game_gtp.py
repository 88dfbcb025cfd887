"""GTP for games other than Go: the commands against the rules, and players that see what is decided."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import forked
from support.gtp_player import Controller

from gotools.base.errors import GotoolsError
from gotools.engines.gtp.session import Session
from gotools.engines.players import new_player
from gotools.engines.settings import PlayerSettings
from gotools.game.game import find_game
from gotools.game.history import History
from gotools.game.table import GAMES
from gotools.game.traits import Scoring, SetUp, Starts
from gotools.jit.kernels.seams import ONGOING

PAGE = Path(__file__).parents[2] / "docs/gtp.md"
EITHER = pytest.mark.parametrize("name", ("connect4", "tictactoe"))


def table(name: str, settings: PlayerSettings | None = None, **options: object) -> Controller:
    player = new_player(name, **options)
    return Controller(session=Session.begin(player, settings or PlayerSettings(nodes=500)))


@EITHER
def test_a_game_is_as_its_rules_say(name: str) -> None:
    game, controller = find_game(name), table(name)
    rng = random.Random(3)
    for _ in range(3):
        state, side = game.position(), "b"
        controller.ask("clear_board")
        while game.outcome(state) == ONGOING:
            legal = [game.move_text(move, game.sizes[0]) for move in game.moves_of(state)]
            assert controller.ask("gogui-rules_legal_moves").split() == legal
            assert controller.ask("gogui-rules_side_to_move")[0] == side
            assert controller.ask("gogui-rules_board") == game.draw(state).strip()
            assert "not over" in controller.refuses("final_score")
            assert controller.refuses(f"play {'w' if side == 'b' else 'b'} {legal[0]}") == f"it is the turn of {side}"
            text = rng.choice(legal)
            controller.ask(f"play {side} {text}")
            state, side = game.play(state, game.parse_move(text, game.sizes[0])), "w" if side == "b" else "b"
        value = game.outcome(state)
        winner = "0" if value == 0 else f"{'W' if (side == 'b') == (value < 0) else 'B'}+"
        assert controller.ask("final_score") == controller.ask("gogui-rules_final_result") == winner
        assert controller.ask("gogui-rules_legal_moves") == ""
        assert controller.refuses(f"genmove {side}") == "the game is over"
        assert f"over, {winner}" in controller.ask("showboard")


def test_what_is_refused() -> None:
    controller = table("connect4")
    assert controller.ask("gogui-rules_game_id") == "connect4"
    assert controller.ask("boardsize 7") == ""
    assert controller.refuses("boardsize 9") == "unacceptable size"
    assert "is not a column" in controller.refuses("play b D4")
    assert controller.refuses("komi 7.5") == "unknown command"
    assert controller.refuses("undo") == "cannot undo"
    for side in "bwbwbw":
        controller.ask(f"play {side} 1")
    assert controller.refuses("play b 1") == "illegal move"
    assert controller.ask("move_history").split("\n")[:2] == ["white 1", "black 1"]
    controller.ask("gg-undo 2")
    assert controller.ask("play b 1") == ""


def test_the_commands_are_known_and_documented() -> None:
    controller = table("connect4")
    names = controller.ask("list_commands").split("\n")
    assert names == sorted(set(names))
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in names if f"`{name}" not in page] == []


@pytest.mark.parametrize("search", ["alphabeta", "mcts"])
@pytest.mark.parametrize(
    ("moves", "best"), [("1 7 1 7 1 7", {"1"}), ("4 1 4 1 4", {"4"}), ("2 2 3 3", {"1", "4", "5"})]
)
def test_a_player_wins_at_once_and_stops_a_line(search: str, moves: str, best: set[str]) -> None:
    controller = table("connect4", PlayerSettings(nodes=3000), search=search)
    for i, move in enumerate(moves.split()):
        controller.ask(f"play {'bw'[i % 2]} {move}")
    assert controller.ask(f"genmove {'bw'[len(moves.split()) % 2]}") in best


@EITHER
def test_alpha_beta_against_itself_explains_each_move(name: str) -> None:
    controller, side = table(name, PlayerSettings(depth=9)), 0
    while "over" not in controller.ask("showboard"):
        move = controller.ask(f"genmove {'bw'[side]}")
        assert controller.ask("gotools-explain").startswith(f"{move}: ")
        side = 1 - side
    if name == "tictactoe":  # nine plies are the whole game
        assert controller.ask("final_score") == "0"


def test_a_hopeless_game_is_given_up() -> None:
    controller = table("connect4", PlayerSettings(depth=3, resign=1.0))
    for side in "bwbw":
        assert controller.ask(f"genmove {side}") in "1234567"
    assert controller.ask("genmove b") == "resign"


@EITHER
def test_an_analysis_reports_the_moves(name: str) -> None:
    controller = table(name)
    for command, winrate in (("lz-analyze b 1", r"\d+"), ("kata-analyze", r"[01]\.\d+")):
        answer = controller.send(command.encode()).decode()
        first = controller.ask("gogui-rules_legal_moves").split()
        found = re.findall(rf"info move (\w+) visits \d+ winrate {winrate} .*? pv (\w+)", answer)
        assert found and all(move == line and move in first for move, line in found), answer
    assert "is not known here" in controller.refuses("kata-analyze b 1 ownership true")
    assert controller.refuses("lz-analyze w") == "it is the turn of b"


@EITHER
def test_an_analysis_may_allow_and_avoid_moves_and_end_with_a_move(name: str) -> None:
    controller = table(name)
    one, other, *rest = controller.ask("gogui-rules_legal_moves").split()
    for keys in (f"allow b {one} 1", f"avoid b {','.join([other, *rest])} 1"):
        answer = controller.send(f"kata-analyze 1 {keys}".encode()).decode()
        assert re.findall(r"info move (\w+)", answer) == [one]
    assert controller.refuses(f"lz-analyze allow b {one} 1 avoid b {one} 1") == "syntax error: no legal move is left"
    *reports, played = controller.send(b"lz-genmove_analyze b 1 maxmoves 1").decode().strip().split("\n")
    assert reports[-1].startswith("info move ")
    assert controller.ask("move_history") == f"black {played.removeprefix('play ')}"


@pytest.mark.parametrize(
    ("name", "text", "moves"),
    [
        ("connect4", "(;GM[1001];B[4];W[4];B[1])", ["4", "4", "1"]),
        ("shogi", "(;GM[8];B[7g7f];W[3c3d])", ["7g7f", "3c3d"]),
    ],
)
def test_a_game_is_loaded_from_a_file_up_to_a_move(name: str, text: str, moves: list[str], tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text(text)
    controller = table(name)
    for number in range(1, len(moves) + 2):
        controller.ask(f"loadsgf {tmp_path / 'game.sgf'} {number}")
        assert controller.ask("move_history").split()[1::2] == moves[: number - 1][::-1]
    assert controller.ask("undo") == "" and controller.ask("move_history").split()[1::2] == moves[:-1][::-1]
    (tmp_path / "bad.sgf").write_text(text.replace(f"[{moves[-1]}]", "[9z]"))
    assert controller.refuses(f"loadsgf {tmp_path / 'bad.sgf'}").startswith("cannot load file: ")


@pytest.mark.parametrize("name", GAMES)
def test_a_command_is_there_where_the_game_has_its_trait(name: str) -> None:
    names, game = set(table(name).ask("list_commands").split("\n")), find_game(name)
    assert {"genmove", "lz-genmove_analyze", "loadsgf", "gotools-candidates"} <= names
    assert game.has(Scoring) == ({"komi", "kata-set-rules", "final_status_list", "gotools-ownership"} <= names)
    assert game.has(SetUp) == ({"fixed_handicap", "set_position", "list_stones"} <= names)
    assert game.has(Starts) == ("gotools-start" in names)
    assert game.has(Scoring) != any(name.startswith("gogui-rules_") for name in names)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "connect4", "size": 9}, "connect4 is not played on a board of size 9"),
        ({"name": "conect4"}, "there is no game 'conect4'"),
        ({"name": "connect4", "search": "mtcs"}, "there is no 'mtcs'; did you mean 'mcts'"),
    ],
)
def test_players_that_cannot_be(options: dict[str, object], message: str) -> None:
    with pytest.raises(GotoolsError, match=message):
        new_player(**options)


@pytest.mark.system
def test_the_program_plays_and_refuses_options_of_go() -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "gotools", "gtp", "--nodes", "50", *words]
        return forked.run(command, input="genmove b\nquit\n", capture_output=True, text=True, timeout=120)

    done = run("--game", "connect4")
    assert done.returncode == 0 and done.stdout[2] in "1234567", done
    refused = run("--game", "connect4", "--komi", "6.5")
    assert (refused.returncode, refused.stderr) == (1, "gotools gtp: --komi is for go, not for connect4\n")
    unknown = run("--game", "connect5")
    assert unknown.returncode == 2 and "connect4" in unknown.stderr


AHEAD = "ss1ss/ss2ss/1s3s1/8/9/8/1SS1SS1/SSSSSS/SS1SS"
BEHIND = "ss1ss/ssssss/1ss1ss1/8/9/8/1S3S1/SS2SS/SS1SS"


@pytest.mark.parametrize(
    ("start", "white", "repeats"),
    [(AHEAD, "play w I5H5", False), (AHEAD, "genmove w", False), (BEHIND, "play w I5H5", True)],
)
def test_a_position_comes_again_only_if_the_player_was_behind(start: str, white: str, repeats: bool) -> None:
    name = f"abalone:{start} b,repetition=3"
    game, controller = find_game(name), table(name, PlayerSettings(depth=1))
    size, first = game.sizes[0], game.position(game.sizes[0])
    black = controller.ask("genmove b")
    answered = controller.ask(white) or white.split()[-1]
    state = game.play(game.play(first, game.parse_move(black, size)), game.parse_move(answered, size))
    ways_back = (
        (one, other)
        for one in game.moves_of(state)
        for other in game.moves_of(game.play(state, one))
        if game.draw(game.play(game.play(state, one), other)) == game.draw(first)
    )
    for side, move in zip("bw", next(ways_back), strict=True):
        controller.ask(f"play {side} {game.move_text(move, size)}")
    assert (controller.ask("genmove b") == black) == repeats


def test_a_player_leaves_no_answer_that_draws_by_repetition() -> None:
    """If black goes back with D6C5, to a new position, F6G7 makes the first one of the game for the third time."""
    game = find_game("abalone")
    for moves, drawn in (("C5D6 G5F4 D6C5 F4G5 C5D6 G7F6", {"D6C5"}), ("C5D6 G7F6", set())):
        history = History.start(game, 9)
        for ply, text in enumerate(moves.split()):
            history = history.after(1 + ply % 2, history.parse(text))
        assert set(map(history.text, history.wanted() or ())) == set(map(history.text, history.legal_moves())) - drawn
