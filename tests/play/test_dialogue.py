"""A person plays in the terminal: what each command answers, and what is left in files."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.dialogues import Play, games_of
from support.scripted_engine import command as go_engine
from support.small_game_engine import Connect4, TicTacToe
from support.small_game_engine import command as small_engine

from gotools.base.errors import EngineError
from gotools.engines.settings import PlayerSettings
from gotools.game.game import find_game
from gotools.gtp_client.client import GtpEngine
from gotools.library.players import open_table
from gotools.matches.terminal.dialogue import HELP, Dialogue
from gotools.matches.terminal.table import Table

CONNECT4 = ("--game", "connect4", "--engine", small_engine(seed=3))
GO = ("--size", "5", "--engine")


def twin(moves: list[tuple[str, str]]) -> tuple[Connect4, int | None]:
    """Replay a game of Connect-4 by other rules than ours; returns the position and the winner, None before."""
    board, winner = Connect4(), None
    for number, (side, move) in enumerate(moves):
        assert winner is None and move in board.legal() and side == "bw"[number % 2]
        board.play(move, 1 + number % 2)
        winner = board.winner(1 + number % 2)
    return board, winner


def drawn(board: Connect4) -> str:
    rows = [" ".join(".XO"[board.at(x, y)] for x in range(7)) for y in range(5, -1, -1)]
    return "\n".join([*rows, "1 2 3 4 5 6 7"])


def test_moves_are_answered_drawn_and_kept(play: Play) -> None:
    code, out, err = play("4/4/1", *CONNECT4)
    assert code == 0 and err == "You are b, small is w.\ngotools play: the game is kept in game-1.sgf\n"
    ((root, moves),) = games_of(Path("game-1.sgf"))
    assert [move for side, move in moves if side == "b"] == ["4", "4", "1"] and len(moves) == 6
    assert (root["PB"], root["PW"], root["RE"], root["GN"]) == ("person", "small", "?", "connect4")
    boards = [drawn(twin(moves[:count])[0]) for count in range(7)]
    answers = [f"w: {move}" for side, move in moves if side == "w"]
    shown = [boards[0]]
    for number, answer in enumerate(answers):
        shown += [boards[2 * number + 1], answer, boards[2 * number + 2]]
    assert out == "\n".join(shown) + "\n"


def test_commands_say_what_they_are_asked(play: Play) -> None:
    code, out, _ = play("help/moves/board/BOARD//4/moves/quit", *CONNECT4, "-q")
    empty = drawn(Connect4())
    assert code == 0 and out.startswith("\n".join([empty, HELP, "1 2 3 4 5 6 7", empty, empty, ""]))
    assert out.endswith("1 2 3 4 5 6 7\n" * 2) and not Path("game-1.sgf").exists()  # the board, then the moves


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("9", "'9' is not a column of Connect-4 (1 to 7); help lists the commands"),
        ("undoo", "'undoo' is not a column of Connect-4 (1 to 7); did you mean undo?"),
        ("hint me", "did you mean hint?"),
        ("4 4", "is not a column of Connect-4"),
        ("undo", "you have not moved yet"),
        ("save", "save FILE: name a file"),
        ("save -", "save FILE: name a file"),
        ("save nowhere/x.sgf", "nowhere/x.sgf: cannot write: No such file or directory"),
        ("save x\0y", "not the name of a file"),
        ("\x1b[2J", "is not a column of Connect-4"),
        ("x" * 100_000, "is not a column of Connect-4"),
    ],
    ids=lambda text: text[:20].strip() if text.isprintable() else "control",
)
def test_what_is_no_move_is_answered_and_the_game_goes_on(play: Play, typed: str, answer: str) -> None:
    code, out, err = play(f"{typed}\n4\nquit\n".encode(), *CONNECT4, "-q")
    assert code == 0 and err == "" and answer in out and "w: " in out
    assert "\x1b" not in out and len(out) < 2000


def test_a_full_column_is_no_move(play: Play) -> None:
    typed = b"".join(b"%d\n" % column for column in [1] * 8)
    code, out, _ = play(typed, *CONNECT4, "-q")
    ((_, moves),) = games_of(Path("game-1.sgf"))
    board, winner = twin(moves)
    assert code == 0 and ("1" not in board.legal() or winner is not None)
    assert "not a legal move here; help lists the commands" in out or winner is not None


def test_bytes_that_are_no_text_are_no_move(play: Play) -> None:
    code, out, err = play(b"\xff\xfe\n4\nquit\n", *CONNECT4, "-q")
    assert (code, err) == (0, "") and "is not a column" in out and "w: " in out


# undo, hint, why, score -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [(), ("no-undo",)])
def test_undo_takes_back_a_move_and_its_answer(play: Play, how: tuple[str, ...]) -> None:
    engine = small_engine(*how, seed=3)
    code, out, _ = play("4/2/undo/undo/undo/7/6", "--game", "connect4", "--engine", engine, "-q")
    ((_, moves),) = games_of(Path("game-1.sgf"))
    twin(moves)
    assert code == 0 and [move for side, move in moves if side == "b"] == ["7", "6"]
    assert out.count("2 moves taken back") == 2 and out.count("you have not moved yet") == 1
    after = out.split("2 moves taken back\n")[2]
    assert after.startswith(drawn(Connect4()))


def test_undo_as_the_second_side_leaves_the_engines_first_move(play: Play) -> None:
    code, out, _ = play("undo/4/undo/5", *CONNECT4, "--side", "w", "-q")
    ((root, moves),) = games_of(Path("game-1.sgf"))
    assert code == 0 and (root["PB"], root["PW"]) == ("small", "person")
    twin(moves)
    assert [side for side, _ in moves] == ["b", "w", "b"] and moves[1][1] == "5"
    assert "you have not moved yet" in out and "2 moves taken back" in out
    assert out.startswith(drawn(Connect4()) + f"\nb: {moves[0][1]}\n")


def test_undo_of_a_finished_game_goes_on_with_it(play: Play) -> None:
    play("4/5/resign/4/undo/3", *CONNECT4, "-q")
    ((root, moves),) = games_of(Path("game-1.sgf"))
    assert [move for side, move in moves if side == "b"] == ["4", "3"] and root["RE"] == "?"


def test_an_undo_that_the_engine_refuses_loses_no_move(play: Play) -> None:
    """It keeps its board at clear_board, where it is the other side's turn."""
    engine = small_engine("keeps-board", seed=2)
    code, _, err = play("4/2/undo", "--game", "connect4", "--engine", engine, "--side", "w", "-q")
    ((_, moves),) = games_of(Path("game-1.sgf"))
    assert code == 1 and "refuses `play b " in err and err.endswith("; the game is kept in game-1.sgf\n")
    assert [move for side, move in moves if side == "w"] == ["4", "2"] and len(moves) == 5


def test_an_engine_without_hints_reasons_and_scores_says_so(play: Play) -> None:
    engine = small_engine("no-undo")
    code, out, err = play("why/hint/score/4/why/quit", "--game", "connect4", "--engine", engine, "-q")
    assert (code, err) == (0, "") and "w: " in out
    for answer in ("has not moved yet", "gives no hints", "gives no reasons", "does not say"):
        assert f"the engine {answer}\n" in out


def test_a_hint_of_an_engine_that_can_only_undo_leaves_the_game(play: Play) -> None:
    code, out, _ = play("hint/4/hint/board/1", *CONNECT4, "-q")
    ((_, moves),) = games_of(Path("game-1.sgf"))
    twin(moves)
    hints = re.findall(r"^[1-7]$", out, re.MULTILINE)
    assert code == 0 and len(hints) == 2
    assert [move for side, move in moves if side == "b"] == ["4", "1"] and len(moves) == 4


def test_our_own_player_gives_hints_reasons_and_chances(play: Play) -> None:
    """The same player, spoken to by GTP, gives the same answers."""
    code, out, _ = play("hint/4/why/score/hint/why", "--game", "connect4", "--nodes", "500", "--seed", "5", "-q")
    assert code == 0
    words = [sys.executable, "-m", "gotools", "gtp", "--game", "connect4", "--nodes", "500", "--seed", "5"]
    untimed = re.compile(r" in \d.*? s;")
    with GtpEngine(words) as engine:
        first = engine.ask("reg_genmove b")
        engine.ask("play b 4")
        answer = engine.ask("genmove w")
        why = engine.ask("gotools-explain")
        chance, hint = engine.ask("gotools-chance"), engine.ask("reg_genmove b")
    board = Connect4()
    board.play("4", 1)
    boards = [drawn(Connect4()), first, drawn(board), f"w: {answer}"]
    board.play(answer, 2)
    tail = [drawn(board), why, f"chance of b to win: {chance} %", hint]
    assert untimed.sub("", out).startswith(untimed.sub("", "\n".join([*boards, *tail, ""])))
    last = untimed.sub("", out).removesuffix("\n").rpartition(f" %\n{hint}\n")[2]
    assert last == untimed.sub("", why)  # a hint does not change what the last move was played for


def test_a_heuristic_by_its_name_plays(play: Play) -> None:
    options = ("--game", "abalone", "--depth", "1", "--seed", "5")
    code, out, _ = play("why", *options, "--heuristic", "terminator", "--side", "w", "-q")
    untimed = re.compile(r" in \d.*? s;")
    reasons = []
    for heuristic in ("terminator", "thesis"):
        with GtpEngine([sys.executable, "-m", "gotools", "gtp", *options, "--heuristic", heuristic]) as engine:
            answer = engine.ask("genmove b")
            reasons.append(untimed.sub("", f"b: {answer}\n{engine.ask('gotools-explain')}"))
    first, _, why = reasons[0].partition("\n")
    assert code == 0 and f"\n{first}\n" in out and why in untimed.sub("", out)
    assert reasons[0] != reasons[1]


# the end of a game ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "board"), [("connect4", Connect4), ("tictactoe", TicTacToe)])
@pytest.mark.parametrize("side", ["b", "w"])
def test_a_game_to_its_end(play: Play, name: str, board: Any, side: str) -> None:
    """Whoever types every move in turn until there is none left comes to an end; the twin's rules say which."""
    typed = "/".join([*board.moves * 8, "score", "new", "quit"])
    engine = small_engine(game=name, seed=8)
    code, out, _ = play(typed, "--game", name, "--engine", engine, "--side", side, "-q", "-o", "kept.sgf")
    position, winner = board(), None
    (root, moves), *_ = games_of(Path("kept.sgf"))
    for number, (_, move) in enumerate(moves):
        assert winner is None and move in position.legal()
        position.play(move, 1 + number % 2)
        winner = position.winner(1 + number % 2)
    assert code == 0 and winner is not None and root["RE"] == ("0", "B+", "W+")[winner]
    words = ("a draw (0)", "b wins (B+)", "w wins (W+)")[winner]
    assert f"The game is over: {words}.\n" in out and "the game is over: new, undo, save FILE or quit" in out


def test_go_ends_by_two_passes_and_is_counted(play: Play) -> None:
    """One stone on 5x5 holds all 25 points; the engine, which passes, has the komi."""
    typed = "C3/score/pass/D4/hint/save mine.sgf"
    code, out, _ = play(typed, *GO, go_engine(moves="pass pass"), "--komi", "6.5", "-q")
    assert code == 0 and "B+18.5 by area, dead stones found by playouts\n" in out
    assert "The game is over: b wins by 18.5 (B+18.5).\n" in out
    assert out.count("the game is over") == 2  # D4 and hint
    ((root, moves),) = games_of(Path("mine.sgf"))
    assert (root["RE"], root["KM"], root["SZ"]) == ("B+18.5", "6.5", "5")
    assert moves == [("b", "cc"), ("w", ""), ("b", "")]  # two passes end it: the engine is not asked again
    assert Path("game-1.sgf").read_bytes() == Path("mine.sgf").read_bytes()


def test_go_moves_are_read_as_people_type_them_and_ko_and_suicide_refused(play: Play) -> None:
    """White, asked for nothing but these, makes the eye at A1 in which black may not play."""
    engine = go_engine(moves="A2 B1 B2 pass")
    code, out, _ = play("e5/D5/c5/a1/PASS/moves/quit", *GO, engine, "-q")
    assert code == 0 and "suicide" in out
    assert out.count("w: ") == 4
    moves = out.split("w: pass")[1].replace("\n", " ").split("C4")
    assert "A1" not in moves[-1]


@pytest.mark.parametrize(("side", "result"), [("b", "W+R"), ("w", "B+R")])
def test_the_person_resigns_and_the_record_says_so_at_once(play: Play, side: str, result: str) -> None:
    kept = "mine.sgf"
    code, out, _ = play("4/resign/resign/4/quit", *CONNECT4, "--side", side, "-o", kept, "-q")
    ((root, _),) = games_of(Path(kept))
    assert code == 0 and root["RE"] == result
    assert out.count(f"The game is over: {'w' if side == 'b' else 'b'} wins by resignation ({result}).\n") == 1


def test_the_engine_resigns(play: Play) -> None:
    engine = small_engine(resign_after=2)
    code, out, _ = play("4/4/4", "--game", "connect4", "--engine", engine, "-q")
    ((root, moves),) = games_of(Path("game-1.sgf"))
    assert code == 0 and root["RE"] == "B+R" and len(moves) == 3
    assert "w: resign\n" in out and "The game is over: b wins by resignation (B+R).\n" in out


# files ----------------------------------------------------------------------------------------------------------------


def test_the_file_of_o_holds_the_game_after_every_move(tmp_path: Path) -> None:
    kept = tmp_path / "kept.sgf"
    seen: list[int] = []
    level = PlayerSettings()
    with open_table("connect4", 1, level, engine=small_engine(seed=1), komi=None) as table:

        def person() -> Iterator[str]:
            for move in ("4", "undo", "1", "2", "resign"):
                yield move
                seen.append(len(games_of(kept)[0][1]) if kept.stat().st_size else 0)
                assert seen[-1] == len(table.moves)

        Dialogue(table, person(), lambda _: None, str(kept)).hold()
    assert seen == [2, 0, 2, 4, 4] and games_of(kept)[0][0]["RE"] == "W+R"


def test_every_game_of_a_sitting_is_kept(play: Play) -> None:
    for options, name in (((), "game-1.sgf"), (("-o", "all.sgf"), "all.sgf")):
        code, _, err = play("4/resign/new/new/1/2/new/7", *CONNECT4, *options)
        games = games_of(Path(name))
        assert code == 0 and f"the games are kept in {name}\n" in err
        assert [root["RE"] for root, _ in games] == ["W+R", "?", "?"]
        assert [[move for side, move in moves if side == "b"] for _, moves in games] == [["4"], ["1", "2"], ["7"]]


def test_the_next_free_name_is_taken(play: Play) -> None:
    Path("game-1.sgf").write_text("mine")
    Path("game-3.sgf").write_text("mine")
    for _ in range(2):
        assert play("4", *CONNECT4, "-q")[0] == 0
    assert sorted(path.name for path in Path().iterdir()) == [f"game-{number}.sgf" for number in (1, 2, 3, 4)]
    assert Path("game-1.sgf").read_text() == Path("game-3.sgf").read_text() == "mine"
    assert len(games_of(Path("game-2.sgf"))) == len(games_of(Path("game-4.sgf"))) == 1


def test_a_game_without_moves_is_not_kept(play: Play) -> None:
    for typed in (b"", b"help\nresign\n"):
        assert play(typed, *CONNECT4)[0] == 0
    assert not list(Path().iterdir())


def test_no_file_of_another_kind_is_lost(play: Play) -> None:
    Path("rules").write_text("%% gotools rules 1\n")
    code, out, _ = play("4/save rules/save x.npz/save good.sgf/1/save good.sgf/quit", *CONNECT4, "-q")
    assert code == 0 and "rules: a file of rules, and would be lost" in out and ".npz is for weights" in out
    assert len(games_of(Path("good.sgf"))[0][1]) == 4
    for name in ("rules", "x.npz", "-"):
        code, out, err = play("4", *CONNECT4, "-o", name)
        assert (code, out, err.count("\n")) == (2, "", 1) and "name" in err
    assert Path("rules").read_text() == "%% gotools rules 1\n" and not Path("x.npz").exists()


# engines that fail ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "said", "moves"),
    [
        ({"words": ("dies",)}, "died at `genmove w` (exit code 3)", 5),
        ({"words": ("full",)}, "plays 9: '9' is not a column", 5),
        ({"words": ("refuses",)}, "refuses `genmove w`: no idea", 5),
        ({"words": ("rejects",)}, "refuses `play b 3`: illegal move", 2),
        ({"words": (), "answer": ""}, "plays nothing: an empty answer", 5),
    ],
)
def test_an_engine_that_fails_ends_the_game_and_nothing_is_lost(
    play: Play, how: dict[str, tuple[str, ...]], said: str, moves: int
) -> None:
    options: dict[str, Any] = {name: value for name, value in how.items() if name != "words"}
    engine = small_engine(*how["words"], seed=1, **options)
    code, _, err = play("4/3/5/2/1", "--game", "connect4", "--engine", engine, "-q")
    assert code == 1 and err.count("\n") == 1 and said in err
    assert err.startswith("gotools play: engine `") and err.endswith("; the game is kept in game-1.sgf\n")
    assert len(games_of(Path("game-1.sgf"))[0][1]) == moves


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--game", "chess"), 2, "--game: there is no game 'chess'; there are go, tictactoe, connect4"),
        (("--game", "connect4", "--komi", "3"), 2, "--komi is for games that are counted"),
        (("--rules", "r.pl", "--engine", "x"), 2, "--rules is for a player of ours, not for --engine"),
        (("--engine", "x", "--nodes", "3"), 2, "--nodes is for a player of ours"),
        (("--engine", "x", "--seed", "1"), 2, "--seed is for a player of ours, not for --engine"),
        (("--game", "connect4", "--size", "9"), 2, "--size: connect4 is not played on a board of size 9"),
        (("--size", "20"), 2, "--size"),
        (("--komi", "nan"), 2, "--komi"),
        (("--side", "x"), 2, "--side"),
        (("--engine", "no-such-program"), 1, "the engine `no-such-program` is not installed"),
        (("--heuristic", "x"), 1, "go has no heuristic 'x'"),
        (("--game", "abalone", "--heuristic", "x"), 1, "abalone has no heuristic 'x'"),
        (("--eval", "none.npz"), 1, "none.npz: No such file or directory"),
        (("--game", "connect4", "--eval", "go.npz"), 1, "go.npz: weights for the game go, not for connect4"),
        (("--eval", "go.npz", "--size", "7"), 1, "weights for 5x5"),
        (("--game", "connect4", "--rules", "r.pl"), 1, "gotools play: r.pl: No such file or directory"),
        (("--level", "40k"), 1, "gotools play: level 40k is not known; there are 20k, 19k, "),
        (("--game", "tictactoe", "--engine", small_engine()), 1, "plays connect4, not tictactoe"),
        (("--game", "connect4", "--engine", small_engine("no-size")), 1, "refuses `boardsize 7`: unacceptable size"),
        (("-o", "nowhere/x.sgf"), 1, "nowhere/x.sgf: cannot write"),
    ],
)
def test_wrong_options_are_one_line(play: Play, options: tuple[str, ...], code: int, said: str) -> None:
    from gotools.values.td.shapes import shapes_of
    from gotools.values.weights.weights_file import Weights, save_weights

    save_weights(
        "go.npz", Weights("go", 5, 7.5, "shapes", "linear", 1, np.zeros(shapes_of(find_game("go"), 5).weights))
    )
    found, out, err = play("4", *options)
    assert (found, out) == (code, "") and err.startswith("gotools play: ") and err.count("\n") == 1
    assert said in err and sys.executable not in err.replace(small_engine(), "").replace(small_engine("no-size"), "")
    assert not Path("game-1.sgf").exists()


def test_weights_decide_the_board_size(tmp_path: Path) -> None:
    from gotools.values.td.shapes import shapes_of
    from gotools.values.weights.weights_file import Weights, save_weights

    path = str(tmp_path / "go.npz")
    save_weights(path, Weights("go", 5, 7.5, "shapes", "linear", 1, np.zeros(shapes_of(find_game("go"), 5).weights)))
    with open_table("go", 1, PlayerSettings(evaluation=path, nodes=1), komi=None) as table:
        assert table.setting.size == 5 and table.drawing().count(".") == 25


def test_a_table_without_its_engine_still_writes_the_game() -> None:
    """A person who stops while the engine thinks, or after it died, gets the record at once."""
    with open_table("connect4", 1, PlayerSettings(), engine=small_engine("dies", at=1), komi=None) as table:
        assert isinstance(table, Table)
        table.play("4")
        with pytest.raises(EngineError):
            table.reply()
        assert b"PW[small]" in table.sgf() and b"B[4]" in table.sgf()
