"""Games against a program to learn from: who plays what, how they end, and programs that fail."""

from __future__ import annotations

import math
import os
import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sgfmill import boards
from support.needs import needs_gnugo
from support.scripted_engine import command
from support.small_game_engine import command as small
from support.usi_engine import command as usi

from gotools import cli
from gotools.base.errors import EngineError, GotoolsError
from gotools.games.go.go import GO, point_of
from gotools.games.go.inputs.positions import GRID
from gotools.games.go.kernels import game as g
from gotools.games.shogi.shogi import SHOGI
from gotools.jit.kernels.seams import ONGOING
from gotools.values.games.partner_games import ATTEMPTS, PartnerGames
from gotools.values.games.selfplay import GameBatch, Policy, empty_games
from gotools.values.td.shapes import shapes_of
from gotools.values.training.recipe import Opponents, find_recipe, parse_opponent, settings_of
from gotools.values.weights.weights_file import load_weights

SIZE, KOMI = 5, 0.5
OWN = "an engine of ours"


class ScriptedPartner:
    """A program in this process: plays what `choose` says of the position, and keeps the moves it is sent."""

    name = OWN

    def __init__(self, choose: Callable[[np.ndarray, np.random.Generator], str], refuses: str = "") -> None:
        self._choose, self._refuses = choose, refuses
        self.games: list[list[tuple[int, str, str]]] = []
        self.seeds: list[int] = []

    def new_game(self, size: int, komi: float, seed: int) -> None:
        assert (size, komi) == (SIZE, KOMI)
        self._state, self._random = GO.position(size, komi), np.random.default_rng(seed)
        self.games.append([])
        self.seeds.append(seed)

    def play(self, side: int, move: str) -> bool:
        assert self._state[1] == side
        if move == self._refuses:
            return False
        self.games[-1].append((side, move, "learner"))
        self._state = GO.play(self._state, GO.parse_move(move, SIZE))
        return True

    def revive(self) -> bool:
        return False

    def reply(self, side: int) -> str:
        assert self._state[1] == side
        text = self._choose(self._state, self._random)
        self.games[-1].append((side, text, "own"))
        with suppress(ValueError):  # what is no move
            self._state = GO.play(self._state, GO.parse_move(text, SIZE))
        return text


def at_random(state: np.ndarray, random: np.random.Generator) -> str:
    moves = np.empty(GO.longest, np.int32)
    return GO.move_text(int(random.choice(moves[: GO.worthy(state, moves)])), SIZE)


def evaluation(seed: int = 1) -> tuple[Callable[..., float], np.ndarray]:
    shapes, random = shapes_of(GO, SIZE), np.random.default_rng(seed)
    return GRID.evaluate, shapes.numbers(random.normal(0.0, 0.05, shapes.weights))


def played(partner: Any, policy: Policy, count: int = 8, first: int = 0, share: float = 1.0) -> GameBatch:
    games = empty_games(GO, count, SIZE, 1)
    table = PartnerGames(GO, partner, share, 3, SIZE, KOMI)
    table.fill(games, table.rows(first, count), first, policy, evaluation())
    return games


def value_after(state: np.ndarray, move: int) -> float:
    evaluate, numbers = evaluation()
    after = GO.play(state, move)
    outcome = GO.outcome(after)
    return -float(np.sign(outcome)) if outcome != ONGOING else -evaluate(after, numbers)


def result_on_sgfmill(moves: list[int]) -> float:
    """Count the area after the moves on sgfmill's board; 1 where black won."""
    board = boards.Board(SIZE)
    for ply, move in enumerate(moves):
        if move != g.PASS_MOVE:
            y, x = divmod(point_of(move, SIZE), SIZE)
            board.play(y, x, "bw"[ply % 2])
    return math.copysign(1.0, board.area_score() - KOMI)


def test_each_side_plays_its_own_moves_and_the_learner_the_best() -> None:
    partner = ScriptedPartner(at_random)
    games = played(partner, Policy(epsilon=0.0))
    for row, shown in enumerate(partner.games):
        learner = 1 + row % 2
        length = int(games.lengths[row])
        moves = [int(move) for move in games.moves[row, :length]]
        assert games.learner[row] == learner and (games.moves[row, length:] == -1).all()
        assert [GO.move_text(move, SIZE) for move in moves] == [move for _, move, _ in shown]
        assert games.outcomes[row] == result_on_sgfmill(moves)
        state, found = GO.position(SIZE, KOMI), np.empty(GO.longest, np.int32)
        for (side, _, whose), move in zip(shown, moves, strict=True):
            assert (whose == "learner") == (side == learner)
            if side == learner:
                worthy = [int(m) for m in found[: GO.worthy(state, found)] if m != g.PASS_MOVE] or [g.PASS_MOVE]
                if move != g.PASS_MOVE:
                    assert value_after(state, move) == max(value_after(state, m) for m in worthy)
                else:
                    assert worthy == [g.PASS_MOVE] or value_after(state, move) == 1.0
            state = GO.play(state, move)
        assert not games.explored[row].any()
    assert len(set(games.outcomes.tolist())) == 2


def test_the_learner_passes_when_the_program_does_and_the_board_is_won() -> None:
    partner = ScriptedPartner(lambda *_: "pass")
    games = played(partner, Policy(epsilon=0.0), 2)
    assert games.lengths.tolist() == [3, 2]  # black puts a stone first; white has won by komi already
    assert games.outcomes.tolist() == [1.0, -1.0]


def test_resignation_ends_the_game_for_the_learner() -> None:
    games = played(ScriptedPartner(lambda *_: "Resign"), Policy(), 4)
    assert games.outcomes.tolist() == [1.0, -1.0, 1.0, -1.0] and games.lengths.tolist() == [1, 0, 1, 0]


def test_shares_of_random_moves() -> None:
    """Of the learner's by epsilon; of the program's by dilution; at the opening, all; each marked as it should be."""
    partner = ScriptedPartner(at_random)
    games = played(partner, Policy(epsilon=0.5, dilution=0.25, opening=4), 40)
    random, own, of_learner = 0, 0, 0
    for row, moves in enumerate(partner.games):
        assert games.explored[row, :4].all() and {whose for _, _, whose in moves[:4]} == {"learner"}
        for ply, (side, _, whose) in enumerate(moves[4:], 4):
            if side == 1 + row % 2:
                random += int(games.explored[row, ply])
                of_learner += 1
            else:
                assert not games.explored[row, ply]
                own += whose == "own"
    theirs = int(games.lengths.sum()) - 160 - of_learner
    assert 0.4 < random / of_learner < 0.6 and 0.65 < own / theirs < 0.85


def test_temperature_draws_by_the_softmax_of_values() -> None:
    """The first moves of black, 4,000 of them, against the shares that exp(value / temperature) gives."""
    games = played(ScriptedPartner(lambda *_: "resign"), Policy(epsilon=0.0, temperature=0.05), 8000)
    firsts = games.moves[::2, 0]
    state = GO.position(SIZE, KOMI)
    values = {move: value_after(state, move) for move in GO.moves_of(state) if move != g.PASS_MOVE}
    total = sum(math.exp(value / 0.05) for value in values.values())
    for move, value in values.items():
        assert np.mean(firsts == move) == pytest.approx(math.exp(value / 0.05) / total, abs=0.04)
    best = max(values.values())
    assert [bool(mark) for mark in games.explored[::2, 0]] == [values[int(move)] < best for move in firsts]


def test_a_move_that_the_program_refuses_gives_way_to_the_next_best() -> None:
    state = GO.position(SIZE, KOMI)
    ranked = sorted({round(value_after(state, m), 12) for m in GO.moves_of(state) if m != g.PASS_MOVE}, reverse=True)
    free = played(ScriptedPartner(lambda *_: "resign"), Policy(epsilon=0.0), 1)
    best = int(free.moves[0, 0])
    assert value_after(state, best) == pytest.approx(ranked[0])
    games = played(ScriptedPartner(lambda *_: "resign", GO.move_text(best, SIZE)), Policy(epsilon=0.0), 1)
    assert games.moves[0, 0] != best and value_after(state, int(games.moves[0, 0])) >= ranked[1] - 1e-9

    class Stubborn(ScriptedPartner):
        def play(self, side: int, move: str) -> bool:
            return False

    with pytest.raises(EngineError, match="refuses all legal moves at move 1"):
        played(Stubborn(at_random), Policy(), 1)


@pytest.mark.parametrize(
    ("answer", "message"),
    [("Z9", "answered 'Z9' at move 1, which is no move"), ("", "answered ''"), ("F1", "which is no move")],
)
def test_nonsense_is_an_error(answer: str, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        played(ScriptedPartner(lambda *_: answer), Policy(), 1, first=1)


def test_an_illegal_move_is_an_error() -> None:
    class Occupies(ScriptedPartner):
        def reply(self, side: int) -> str:
            return self.games[-1][-1][1]

    with pytest.raises(EngineError, match=r"an engine of ours.*played \w\d at move 2, which is not legal"):
        played(Occupies(at_random), Policy(), 1)


def test_a_game_depends_on_the_seed_and_its_number_alone() -> None:
    policy = Policy(epsilon=0.2, dilution=0.1, temperature=0.1)
    whole, late = played(ScriptedPartner(at_random), policy, 6), played(ScriptedPartner(at_random), policy, 3, first=3)
    assert (whole.moves[3:] == late.moves).all() and (whole.explored[3:] == late.explored).all()
    assert (whole.moves[0] != whole.moves[2]).any()


def test_a_share_of_the_games() -> None:
    table = PartnerGames(GO, ScriptedPartner(at_random), 0.3, 3, SIZE, KOMI)
    rows = table.rows(0, 2000)
    assert 0.26 < len(rows) / 2000 < 0.34
    assert [row - 1000 for row in rows if row >= 1000] == table.rows(1000, 1000)


# ---- as an option ----


def test_opponents_are_read() -> None:
    assert parse_opponent("self") == Opponents((1.0, 0.0, 0.0))
    assert parse_opponent("gtp:gnugo --mode gtp") == Opponents((1.0, 0.0, 0.0), "gnugo --mode gtp", 1.0)
    assert parse_opponent("gtp", "x y") == parse_opponent("gtp:x y") == parse_opponent("mix:gtp=2", "x y")
    assert parse_opponent("mix:self=3,gtp=1", "x") == Opponents((1.0, 0.0, 0.0), "x", 0.25)
    assert parse_opponent("mix:self=1,random=1,gtp=6", "x") == Opponents((0.5, 0.5, 0.0), "x", 0.75)
    for text, program in [
        ("gtp:", ""), ("gtp", ""), ("mix:self=1,gtp=1", ""), ("self", "x"), ("mix:gtp=0,self=1", "x"), ("gtp:x", "y"),
        ("mix:", ""), ("mix:self=nan", ""), ("mix:self=-1,random=2", ""), ("mix:self=inf", ""), ("mix:self=0", ""),
        ("mix:other=1", ""), ("nobody", ""),
    ]:  # fmt: skip
        with pytest.raises(GotoolsError):
            parse_opponent(text, program)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "tdleaf", "features": "raw"}, "for --method td"),
        ({"method": "evolve", "features": "raw"}, "--opponent means nothing to --method evolve"),
    ],
)
def test_what_a_program_is_not_for(options: dict[str, str], message: str) -> None:
    reported: list[str] = []
    with pytest.raises(GotoolsError, match=message):
        find_recipe(settings_of({"seed": 0, "opponent": "gtp:x", **options}), reported.append)  # type: ignore[arg-type]
    assert reported == []


def test_games_are_numbered_on_from_batch_to_batch() -> None:
    """So that no two are alike: as many seeds for the program as there are games, the learner's sides in turn."""
    partner = ScriptedPartner(at_random)
    options = {"seed": 3, "size": SIZE, "komi": KOMI, "batch": 5, "opponent": "gtp:x"}
    trainer = find_recipe(settings_of(options), lambda command: partner).trainer
    for _ in range(3):
        trainer.advance(1)
    assert trainer.games == 15 and len(set(partner.seeds)) == 15
    learners = [next(side for side, _, whose in found if whose == "learner") for found in partner.games]
    assert learners == [1 + number % 2 for number in range(15)]


def train(folder: Path, *arguments: object) -> int:
    options = ["--size", "5", "--batch", "4", "--checkpoint", "4", "--referee-games", "0", "-q"]
    return cli.run(["train-eval", "-o", str(folder / "eval.npz"), *options, *map(str, arguments)])


@pytest.mark.parametrize("features", ["shapes", "raw"])
@pytest.mark.system
def test_training_against_a_program_is_repeatable_and_goes_on(tmp_path: Path, features: str) -> None:
    found = []
    for name, lengths in (("one", [12]), ("two", [8, 12])):
        (tmp_path / name).mkdir()
        for games in lengths:
            opponent = "mix:self=1,gtp=2", "--program", command(seed=1)
            more = ["--resume"] if games != lengths[0] else []
            assert train(tmp_path / name, "--games", games, "--features", features, "--opponent", *opponent, *more) == 0
        found.append((tmp_path / name / "eval.npz").read_bytes())
    assert found[0] == found[1]
    weights = load_weights(tmp_path / "one/eval.npz")
    assert weights.settings["program"] == command(seed=1) and np.abs(weights.weights).max() > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"how": "dies", "at": 2}, "died at `genmove"),
        ({"how": "off-board", "at": 2}, "answered 'Z9' at move"),
        ({"how": "occupied", "at": 2}, "which is not legal"),
        ({"how": "empty", "at": 2}, "answered ''"),
        ({"how": "refuses-genmove", "at": 2}, "refuses `genmove"),
        ({"how": "no-boardsize"}, "refuses `boardsize 5`"),
        ({"how": "wont-start"}, "cannot find its network"),
    ],
)
def test_a_program_that_fails_ends_the_training(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], options: dict[str, str], message: str
) -> None:
    how = [str(options.pop("how"))]
    assert train(tmp_path, "--games", "8", "--opponent", f"gtp:{command(*how, **options)}") == 1
    again = ["game 1 is played again"] * (ATTEMPTS - 1) if how == ["dies"] else []
    done = capfd.readouterr().err.splitlines()
    assert message in done[-1] and "Traceback" not in done
    assert [line.rpartition("; ")[2] for line in done[:-1]] == again
    assert os.listdir(tmp_path) == []


def dying(folder: Path, when: str) -> str:
    """Return the command of a program that resigns each game, and dies at clear_board where `when` holds.

    games -- how many it has begun; born -- how many processes of it there have been
    """
    program = folder / "dies.py"
    program.write_text(
        "import pathlib, sys\n"
        f"counter = pathlib.Path({str(folder / 'born')!r})\n"
        "born = int(counter.read_text()) + 1 if counter.exists() else 1\n"
        "counter.write_text(str(born))\n"
        "games = 0\n"
        "for line in sys.stdin:\n"
        "    number, name, *_ = line.split()\n"
        "    games += name == 'clear_board'\n"
        f"    if name == 'clear_board' and ({when}):\n"
        "        sys.exit('enough')\n"
        "    answer = 'resign' if name == 'genmove' else ''\n"
        "    print(f'={number} {answer}\\n', flush=True)\n"
    )
    return f"gtp:{sys.executable} {program}"


def test_what_was_learned_is_kept_when_a_program_dies(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """At each attempt of game 7."""
    options = ["--games", "40", "--checkpoint", "1000", "--opponent", dying(tmp_path, "games == 7 or born > 1")]
    assert train(tmp_path, *options) == 1
    assert "holds the checkpoint of 4 games" in capfd.readouterr().err
    assert load_weights(tmp_path / "eval.npz").games == 4
    assert (tmp_path / "born").read_text() == str(ATTEMPTS)


@pytest.mark.system
def test_a_game_in_which_a_program_dies_is_played_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    opponent = dying(tmp_path, "games == 7")
    options = ["--size", "5", "--batch", "4", "--games", "16", "--referee-games", "0", "--opponent", opponent]
    assert cli.run(["train-eval", "-o", str(tmp_path / "eval.npz"), *options]) == 0
    shown = " ".join(capfd.readouterr().err.split())
    for game in (7, 13):  # the sixth of the second process is game 12, and game 7 its first
        assert f"game {game} is played again" in shown
    assert shown.count("is played again") == 2 and shown.count("died at `clear_board` (exit code 1)") == 2
    assert load_weights(tmp_path / "eval.npz").games == 16


def test_a_game_that_is_played_again_has_other_random_numbers() -> None:
    class Dies(ScriptedPartner):
        def __init__(self, times: int) -> None:
            super().__init__(at_random)
            self.times = times

        def new_game(self, size: int, komi: float, seed: int) -> None:
            super().new_game(size, komi, seed)
            if len(self.games) == 2 and self.times > 0:
                raise EngineError(OWN, "died")

        def revive(self) -> bool:
            self.times -= 1
            self.games.pop()
            return True

    policy = Policy(epsilon=0.5)
    plain, twice = Dies(0), Dies(2)
    one, other = played(plain, policy, 3), played(twice, policy, 3)
    assert len(twice.seeds) == 5 and len(set(twice.seeds)) == 5 and twice.seeds[0] == plain.seeds[0]
    assert (one.moves[0] == other.moves[0]).all() and (one.moves[2] == other.moves[2]).all()
    assert (one.moves[1] != other.moves[1]).any()
    with pytest.raises(EngineError, match="died"):
        played(Dies(3), policy, 3)


def test_a_missing_program_is_reported_before_anything_begins(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert train(tmp_path, "--games", "4", "--opponent", "gtp:no-such-program --gtp") == 1
    assert "no-such-program" in capfd.readouterr().err and os.listdir(tmp_path) == []


@needs_gnugo
@pytest.mark.smoke
@pytest.mark.system
def test_games_against_gnugo_teach(tmp_path: Path) -> None:
    assert train(tmp_path, "--games", "8", "--opponent", "gtp:gnugo --mode gtp --level 0", "--dilution", "0.3") == 0
    assert np.abs(load_weights(tmp_path / "eval.npz").weights).max() > 0


# other games ----------------------------------------------------------------------------------------------------------


class Rook:
    """A player of shogi that moves its rook to and fro."""

    name = "rook"

    def new_game(self, size: int, komi: float, seed: int) -> None:
        self.moves = 0

    def play(self, side: int, move: str) -> bool:
        return True

    def reply(self, side: int) -> str:
        self.moves += 1
        return ("8b7b", "7b8b")[(self.moves - 1) % 2]

    def revive(self) -> bool:
        return False


def test_a_position_that_comes_four_times_ends_a_game_of_shogi() -> None:
    """The learner likes what it knows: its rook moves to and fro as well."""
    state, known = SHOGI.position(), set[str]()
    for move in ("2h3h", "8b7b", "3h2h", "7b8b", "2h3h", "8b7b"):
        state = SHOGI.play(state, SHOGI.parse_move(move, 9))
        known.add(SHOGI.text_of(state).split()[0])

    def evaluate(after: np.ndarray, numbers: object) -> float:
        return -float(SHOGI.text_of(after).split()[0] in known)

    games = empty_games(SHOGI, 1, 9, 1)
    table = PartnerGames(SHOGI, Rook(), 1.0, 1, 9, 0.0)
    table.fill(games, [0], 0, Policy(epsilon=0.0), (evaluate, np.empty(0)))
    assert games.lengths[0] == 12 and games.outcomes[0] == 0.0


@pytest.mark.system
@pytest.mark.parametrize(
    ("game", "opponent"),
    [
        ("connect4", small(game="connect4", seed=3)),
        ("tictactoe", small(game="tictactoe", seed=3)),
        ("shogi", "usi:" + shlex.join(usi("resigns"))),
    ],
)
def test_a_program_of_another_game_is_an_opponent(tmp_path: Path, game: str, opponent: str) -> None:
    options = ["--game", game, "--games", "1", "--batch", "1", "--checkpoint", "1", "--referee-games", "0", "-q"]
    path = str(tmp_path / "eval.npz")
    assert cli.run(["train-eval", "-o", path, *options, "--opponent", f"gtp:{opponent}"]) == 0
    assert load_weights(path).games == 1


@pytest.mark.system
def test_a_program_that_plays_something_else_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    opponent = f"gtp:{small(plays_game='tictactoe', seed=3)}"
    path = str(tmp_path / "eval.npz")
    assert cli.run(["train-eval", "--game", "connect4", "--games", "4", "-q", "-o", path, "--opponent", opponent]) == 1
    assert "plays tictactoe, not connect4" in capfd.readouterr().err and os.listdir(tmp_path) == []
