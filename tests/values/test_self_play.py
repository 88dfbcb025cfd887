"""Games that a search plays against itself: legal, their results, samples of them, and what a network learns."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from sgfmill import boards
from support.random_boards import some_positions
from support.searching import TICTACTOE, positions_at, solved_tictactoe, worthy
from support.slow import SlowGo
from support.turned import transform_point

from gotools import cli
from gotools.base.phases import UNWATCHED
from gotools.files.tables import read_header
from gotools.game.game import Game
from gotools.game.learning import Planes
from gotools.games.connect4.connect4 import CONNECT4
from gotools.games.go.board import Board
from gotools.games.go.examples.examples import of_go
from gotools.games.go.go import GO, point_of
from gotools.games.go.inputs.positions import PLANES
from gotools.games.go.kernels import rules as k
from gotools.games.go.kernels.game import KOMI2
from gotools.games.go.points import PASS
from gotools.jit.kernels.basics import seed_random
from gotools.jit.kernels.seams import ONGOING, TO_PLAY
from gotools.values.games.kernels.search_games import TRIED
from gotools.values.network.samples import SampleBatch, read_samples
from gotools.values.network.search_games import (
    MOST_KOMI,
    OF_GAMES,
    OF_SAMPLES,
    PlayedGames,
    SearchGames,
    SearchGameSettings,
    none_played,
)
from gotools.values.network.shape import numbers_of, parse_shape
from gotools.values.weights.evaluator import load_evaluator
from gotools.values.weights.weights_file import load_weights, save_weights

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")

RECORDS = Path(__file__).parents[2] / "examples" / "games"
TINY = parse_shape("conv:1x16")
State = NDArray[np.int32]


# who owns what --------------------------------------------------------------------------------------------------------


def slow_owners(stones: SlowGo) -> list[int]:
    """Return the owner of each point: of its stone, or of all stones that its empty region touches."""
    found = []
    for y in range(stones.size):
        for x in range(stones.size):
            region = stones.chain((x, y))
            around = {stones.stones.get(q, 0) for p in region for q in stones.beside(p)} - {0}
            colours = {stones.stones[x, y]} if (x, y) in stones.stones else around
            found.append({1: 1, 2: -1}[colours.pop()] if len(colours) == 1 else 0)
    return found


def cells_of(state: State) -> list[int]:
    size = int(state[k.SIZE])
    cells = np.empty(size * size, np.uint8)
    k.cells_of(state, cells)
    return cells.tolist()


def slow_go(state: State) -> SlowGo:
    size = int(state[k.SIZE])
    return SlowGo(size, {(p % size, p // size): colour for p, colour in enumerate(cells_of(state)) if colour})


def go_positions(size: int) -> list[State]:
    """Return positions of random games, and last positions of games that are played out at random."""
    found = [Board.from_cells(position.cells, size, position.to_play).state for position in some_positions(size, 30)]
    for seed in range(20):
        state, word, played = GO.position(size), np.zeros(1, np.uint64), np.empty(1200, np.int32)
        seed_random(word, seed)
        GO.playout(state, word, played)
        found.append(state)
    return found


@pytest.mark.parametrize("size", [2, 5, 9, 19])
def test_owners_of_points_are_those_that_a_flood_finds(size: int) -> None:
    totals = []
    for komi2, state in enumerate(go_positions(size)[:: 4 if size == 19 else 1], -10):
        state[KOMI2] = komi2
        owned = np.full(size * size, 77, np.int8)
        lead = PLANES.owners(state, owned)
        assert owned.tolist() == slow_owners(slow_go(state))
        assert lead == k.area_score(state) - komi2 / 2 == int(owned.sum()) - komi2 / 2
        other = boards.Board(size)
        stones = [(divmod(p, size), colour) for p, colour in enumerate(cells_of(state))]
        black, white, empty = ([at for at, colour in stones if colour == of] for of in (1, 2, 0))
        assert other.apply_setup(black, white, empty)
        assert lead == other.area_score() - komi2 / 2
        totals.append(set(owned.tolist()))
    assert any(1 in found for found in totals) and any(-1 in found for found in totals)
    assert any(0 in found for found in totals)


# games ----------------------------------------------------------------------------------------------------------------


class Play(NamedTuple):
    """Games to be played by a network of random weights."""

    game: Game
    size: int
    komi: float
    games: int
    settings: SearchGameSettings


PLAYS = {
    "tictactoe": Play(TICTACTOE, 3, 0.0, 40, SearchGameSettings(12, 4, 0.5)),
    "connect4": Play(CONNECT4, 7, 0.0, 16, SearchGameSettings(12, 4, 0.5)),
    "go-5": Play(GO, 5, 0.5, 60, SearchGameSettings(8, 3, 0.3)),
    "go-9": Play(GO, 9, 7.5, 4, SearchGameSettings(12, 4, 0.3)),
}
every = pytest.mark.parametrize("name", PLAYS)


def random_network(game: Game, strength: float = 0.5, seed: int = 1) -> NDArray[np.float64]:
    planes = game.need(Planes)
    weights = np.random.default_rng(seed).normal(0.0, 0.1, TINY.weights(len(planes.names))).astype(np.float32)
    return numbers_of(TINY, len(planes.names), weights, strength)


def search_games(play: Play, seed: int = 3, starts: tuple[State, ...] = (), **changes: Any) -> SearchGames:
    game, size, komi, _, settings = play._replace(**changes)
    return SearchGames(game, size, komi, settings, 0.5, seed, len(starts), lambda number: starts[number].copy())


def played_of(name: str, jobs: int = 1, first: int = 0, count: int = 0, **changes: Any) -> PlayedGames:
    play = PLAYS[name]
    return search_games(play, **changes).play(random_network(play.game), first, count or play.games, jobs)


@cache
def played(name: str) -> PlayedGames:
    return played_of(name)


@cache
def middles(name: str) -> tuple[State, ...]:
    """Return other positions for games to begin at, some moves after the beginning."""
    play, plies = PLAYS[name], {"tictactoe": 2, "connect4": 5, "go-5": 8, "go-9": 20}[name]
    return tuple(positions_at(play.game, play.size, (plies,), 3))


def assert_same(one: PlayedGames, other: PlayedGames) -> None:
    for name, array in one.arrays.items():
        assert array.dtype == other.arrays[name].dtype, name
        assert np.array_equal(array, other.arrays[name], equal_nan=name == "worth"), name


def differ(one: PlayedGames, other: PlayedGames) -> bool:
    return one.moves.tolist() != other.moves.tolist()


def lines(play: Play, found: PlayedGames, starts: tuple[State, ...] = ()) -> list[list[State]]:
    """Return the positions of each game, from its first to its last; every move is legal, and none comes too late."""
    game, at, every_line = play.game, 0, []
    for number in range(len(found.game)):
        start = int(found.start[number])
        state = game.position(play.size) if start < 0 else starts[start].copy()
        if game.komi >= 0:
            state[game.komi] = found.komi2[number]
        line = [state]
        for move in found.moves[at : at + found.length[number]].tolist():
            assert move in game.moves_of(line[-1])
            line.append(game.play(line[-1], move))
        at += int(found.length[number])
        every_line.append(line)
    assert at == len(found.moves)
    return every_line


def assert_ends(play: Play, found: PlayedGames, ends: list[State]) -> None:
    """Compare results with those of last positions."""
    for number, state in enumerate(ends):
        value = play.game.outcome(state)
        assert value != ONGOING
        assert found.result[number] == (0 if value == 0 else 1 if (value > 0) == (state[TO_PLAY] == 1) else -1)
        if play.game is GO:
            owners = slow_owners(slow_go(state))
            assert found.owned[number].tolist() == owners
            assert found.lead[number] == sum(owners) - found.komi2[number] / 2
            assert np.sign(found.lead[number]) == found.result[number]
        else:
            assert not found.owned[number].any() and found.lead[number] == 0.0


@every
def test_games_are_legal_and_end_as_their_last_positions_say(name: str) -> None:
    play, found = PLAYS[name], played(name)
    assert found.game.tolist() == list(range(play.games)) and (found.start == -1).all()
    every_line = lines(play, found)
    assert all(play.game.outcome(state) == ONGOING for line in every_line for state in line[:-1])
    assert_ends(play, found, [line[-1] for line in every_line])
    assert len({tuple(line[-1].tolist()) for line in every_line}) > play.games / 2  # they are different games
    assert len(set(found.result.tolist())) > 1


@every
def test_moves_that_a_search_tried_are_legal_and_share_its_visits(name: str) -> None:
    play, found = PLAYS[name], played(name)
    every_line, shares = lines(play, found), 0
    assert len(set(zip(found.of.tolist(), found.ply.tolist(), strict=True))) == len(found) > 0
    assert (np.diff(found.of) >= 0).all()
    for of, ply, tried, parts in zip(found.of, found.ply, found.tried, found.shares, strict=True):
        assert 0 <= ply < found.length[of]
        state, kept = every_line[of][ply], int((parts > 0).sum())
        moves = tried[:kept].tolist()
        assert kept and not parts[kept:].any() and not tried[kept:].any()
        assert set(moves) <= set(worthy(play.game, state)) and len(set(moves)) == kept
        assert len(worthy(play.game, state)) > 1  # or there is nothing to search
        assert parts.tolist() == sorted(parts.tolist(), reverse=True)
        assert abs(int(parts.sum()) - 255) <= kept / 2  # each is rounded
        shares += kept > 1
    assert shares > len(found) / 4


@every
def test_long_searches_are_as_many_as_asked_for(name: str) -> None:
    play, found = PLAYS[name], played(name)
    searched = sum(len(worthy(play.game, state)) > 1 for line in lines(play, found) for state in line[:-1])
    assert 0.6 < len(found) / (searched * play.settings.long) < 1.4
    assert len(played_of(name, count=3, settings=replace(play.settings, long=0.0))) == 0


def test_of_long_searches_the_most_visited_moves_are_kept() -> None:
    """Of more than there is room for: a network that knows nothing tries all."""
    play = PLAYS["go-9"]._replace(settings=SearchGameSettings(800, 4, 0.05, trust=1.0))
    nothing = numbers_of(TINY, len(PLANES.names), np.zeros(TINY.weights(len(PLANES.names)), np.float32))
    found = search_games(play).play(nothing, 0, 2, 1)
    assert len(found)
    for of, ply, tried, parts in zip(found.of, found.ply, found.tried, found.shares.astype(int), strict=True):
        state = lines(play, found)[of][ply]
        if len(worthy(GO, state)) > 70:
            assert len(set(tried.tolist())) == TRIED and set(tried.tolist()) <= set(worthy(GO, state))
            assert parts.tolist() == sorted(parts.tolist(), reverse=True)
            assert parts[-1] > 0 and TRIED * 255 / len(worthy(GO, state)) < parts.sum() < 255
    assert (found.shares[:, -1] > 0).any()


def test_later_moves_are_those_that_the_search_visited_most() -> None:
    """The first moves are drawn: a board of 42 points has five of them."""
    found = played_of("connect4", settings=SearchGameSettings(30, 4, 1.0))
    first = np.concatenate([[0], np.cumsum(found.length)])[found.of]
    best, late = found.tried[:, 0] == found.moves[first + found.ply], found.ply >= 42 // 8
    assert best[late].all() and late.sum() > 50
    assert 0 < best[~late].sum() < (~late).sum()


def test_komi_is_the_usual_one_or_near_it() -> None:
    for name in ("go-5", "go-9"):
        komi, away = PLAYS[name].komi, played_of(name, count=60).komi2 / 2
        others = away[away != komi]
        assert 5 < len(others) < 25 and abs(others - komi).max() <= MOST_KOMI
        assert len(set(others.tolist())) > 4
    assert not played("tictactoe").komi2.any() and not played("connect4").komi2.any()


# seeds, jobs, starts --------------------------------------------------------------------------------------------------


@every
def test_the_same_seed_gives_the_same_games_however_many_threads_play_them(name: str) -> None:
    assert_same(played(name), played_of(name))
    assert_same(played(name), played_of(name, jobs=3))
    assert differ(played(name), played_of(name, seed=4))
    assert differ(played(name), search_games(PLAYS[name]).play(
        random_network(PLAYS[name].game, seed=2), 0, PLAYS[name].games, 1))  # fmt: skip


@every
def test_a_game_depends_on_its_number_alone(name: str) -> None:
    parts = [played_of(name, first=0, count=2), played_of(name, first=2, count=PLAYS[name].games - 2)]
    assert_same(played(name), parts[0].joined(parts[1]))


@every
def test_odd_games_begin_at_other_positions(name: str) -> None:
    play = PLAYS[name]._replace(games=12)
    found = search_games(play, starts=middles(name)).play(random_network(play.game), 0, 12, 1)
    usual = search_games(play).play(random_network(play.game), 0, 12, 1)
    assert (found.start[::2] == -1).all() and (usual.start == -1).all()
    assert set(found.start[1::2].tolist()) == {0, 1, 2}
    assert_ends(play, found, [line[-1] for line in lines(play, found, middles(name))])
    for number in range(12):
        of = [array.moves[array.length[:number].sum() :][: array.length[number]].tolist() for array in (found, usual)]
        assert (of[0] == of[1]) == (number % 2 == 0)


@every
def test_a_game_that_is_cut_off_counts_as_it_stands(name: str) -> None:
    """A board of Go by its area, as if both had passed; other games are drawn."""
    play, plies = PLAYS[name], 4
    cut, whole = played_of(name, game=replace(play.game, plies=plies)), played(name)
    assert (cut.length == np.minimum(whole.length, plies)).all() and (cut.length < whole.length).any()
    begins = np.concatenate([[0], np.cumsum(whole.length)])
    wanted = [whole.moves[begin : begin + plies][: cut.length[i]] for i, begin in enumerate(begins[:-1])]
    assert cut.moves.tolist() == np.concatenate(wanted).tolist()
    assert (cut.ply < plies).all()
    ends = [line[-1] for line in lines(play, cut)]
    if play.game is not GO:
        assert not cut.result[cut.length == plies].any()
        return
    for number, state in enumerate(ends):
        while play.game.outcome(state) == ONGOING:
            state = ends[number] = play.game.play(state, GO.pass_move)
    assert_ends(play, cut, ends)


# what searches find ---------------------------------------------------------------------------------------------------


def test_searches_of_tictactoe_see_victories_and_seldom_err() -> None:
    """Playouts alone: the network knows nothing."""
    play = Play(TICTACTOE, 3, 0.0, 100, SearchGameSettings(300, 6, 0.7, trust=0.0))
    found = search_games(play).play(random_network(TICTACTOE), 0, play.games, 1)
    values = {TICTACTOE.draw(state): value for state, value in solved_tictactoe()}
    every_line, at_once, right = lines(play, found), 0, []
    for of, ply, tried, parts in zip(found.of, found.ply, found.tried, found.shares, strict=True):
        state = every_line[of][ply]
        after = {move: TICTACTOE.play(state, move) for move in worthy(TICTACTOE, state)}
        wins = {move for move, end in after.items() if TICTACTOE.outcome(end) == -1.0}
        worth = {move: -values.get(TICTACTOE.draw(end), TICTACTOE.outcome(end)) for move, end in after.items()}
        if wins:  # what wins later, whatever the other side does, may be looked at as much
            at_once += all(worth[move] < 1.0 for move in worth if move not in wins)
            assert worth[int(tried[0])] == 1.0, TICTACTOE.draw(state)
            assert wins & set(tried[parts > 0].tolist())
        right.append(worth[int(tried[0])] == values[TICTACTOE.draw(state)])
    assert at_once > 15 and len(right) > 100
    assert np.mean(right) > 0.9


# games together -------------------------------------------------------------------------------------------------------


def listed(found: PlayedGames) -> list[tuple[Any, ...]]:
    """Return all that is known of each game, with its samples."""
    games, at = [], 0
    for number in range(len(found.game)):
        moves = found.moves[at : at + found.length[number]].tolist()
        at += int(found.length[number])
        rows = [row for row in range(len(found)) if found.of[row] == number]
        of_samples = (found.ply, found.tried, found.shares, np.nan_to_num(found.worth, nan=77.0))
        samples = [[array[row].tolist() for array in of_samples] for row in rows]
        about = [found.arrays[name][number].tolist() for name in ("game", "start", "komi2", "result", "lead", "owned")]
        games.append((*about, moves, samples))
    assert at == len(found.moves)
    return games


@every
def test_games_keep_their_moves_and_samples_when_joined_and_cut(name: str) -> None:
    assert {field.name for field in fields(PlayedGames)} == {*OF_GAMES, *OF_SAMPLES, "moves"}
    whole = played(name)
    every_game = listed(whole)
    taught = replace(whole, worth=np.arange(len(whole), dtype=np.float32))
    assert listed(taught.last(3)) == listed(taught)[-3:] != every_game[-3:]
    parts = [played_of(name, first=first, count=count) for first, count in ((0, 1), (1, 2), (3, 1))]
    joined = none_played(whole.owned.shape[1])
    for count, part in zip((1, 3, 4), parts, strict=True):
        joined = joined.joined(part)
        assert listed(joined) == every_game[:count]
    assert_same(joined.joined(none_played(whole.owned.shape[1])), joined)
    for count in (1, 2, len(every_game) - 1, len(every_game), len(every_game) + 5):
        assert listed(whole.last(count)) == every_game[-count:]
    assert listed(whole.last(3).joined(parts[0]).last(2)) == [every_game[-1], every_game[0]]
    for row, found in enumerate(whole.held_out):
        assert found == (whole.game[whole.of[row]] in (19, 39, 59))


# samples --------------------------------------------------------------------------------------------------------------


def turned_point(play: Play, point: int, symmetry: int) -> int:
    if play.game is CONNECT4:
        return point + 6 - 2 * (point % 7) if symmetry else point
    return transform_point(point, play.size, symmetry)


def point_of_move(play: Play, state: State, move: int) -> int:
    """Return where a move puts its stone; a pass is behind all points."""
    if play.game is GO:
        point = point_of(move, play.size)
        return play.size**2 if point == PASS else point
    if play.game is TICTACTOE:
        return move
    below = [row[2 * move] for row in CONNECT4.draw(state).split("\n")[:6]]
    return 7 * (below.count("X") + below.count("O")) + move


def slow_batch(play: Play, found: PlayedGames, starts: tuple[State, ...], rows: list[int], turned: bool) -> SampleBatch:
    """Make samples one at a time."""
    planes = play.game.need(Planes)
    height, width = planes.shape(play.size)
    points, every_line = height * width, lines(play, found, starts)
    x = np.zeros((len(rows), height, width, len(planes.names)), np.float32)
    policy, owned = np.zeros((len(rows), points + 1), np.float32), np.zeros((len(rows), points), np.float32)
    result, lead = np.zeros(len(rows), np.float32), np.zeros(len(rows), np.float32)
    for i, row in enumerate(rows):
        of, symmetry = found.of[row], i % planes.symmetries if turned else 0
        state = every_line[of][found.ply[row]]
        filled = np.empty((height + 2) * (width + 2) * len(planes.names), np.float32)
        planes.fill(state, 0.5, filled)
        board, sign = filled.reshape(height + 2, width + 2, -1)[1:-1, 1:-1], 1 if state[TO_PLAY] == 1 else -1
        for point in range(points):
            place = turned_point(play, point, symmetry)
            x[i, place // width, place % width] = board[point // width, point % width]
            owned[i, place] = sign * found.owned[of, point]
        for move, share in zip(found.tried[row].tolist(), found.shares[row].tolist(), strict=True):
            if share:
                point = point_of_move(play, state, move)
                place = point if point == points else turned_point(play, point, symmetry)
                policy[i, place] = share / found.shares[row].sum(dtype=int)
        known = not np.isnan(found.worth[row])
        result[i], lead[i] = found.worth[row] if known else sign * found.result[of], sign * found.lead[of]
    return SampleBatch(x, policy, result, owned, lead)


@every
@pytest.mark.parametrize("turned", [False, True])
def test_samples_are_the_positions_of_games_turned_with_all_that_is_known(name: str, turned: bool) -> None:
    play, starts = PLAYS[name]._replace(games=12), middles(name)
    games = search_games(play, starts=starts)
    found = games.play(random_network(play.game), 0, 12, 1)
    assert np.isnan(found.worth).all()
    found = replace(found, worth=found.worth.copy())
    found.worth[::3] = np.linspace(-1.0, 1.0, len(found.worth[::3]))  # what a teacher says counts more than the result
    rows = np.random.default_rng(5).permutation(len(found))[:40]
    wanted, batch = slow_batch(play, found, starts, rows.tolist(), turned), games.batch(found, rows, turned)
    for field in fields(SampleBatch):
        one, other = getattr(batch, field.name), getattr(wanted, field.name)
        assert one.dtype == other.dtype and one.shape == other.shape
        assert np.allclose(one, other, rtol=0, atol=1e-6 if field.name == "policy" else 0), field.name
    assert np.allclose(batch.policy.sum(1), 1.0)
    if not turned:
        parts = list(games.batches(found, rows, 7))
        assert [len(part.result) for part in parts[:-1]] == [7] * (len(parts) - 1)
        assert (np.concatenate([part.planes for part in parts]) == batch.planes).all()
        assert (np.concatenate([part.policy for part in parts]) == batch.policy).all()


def test_samples_of_go_have_shares_of_passes() -> None:
    """They stay where they are when the board is turned."""
    games, found = search_games(PLAYS["go-5"]), played("go-5")
    rows = np.flatnonzero(((found.tried == GO.pass_move) & (found.shares > 0)).any(1))
    assert len(rows) > 5
    for turned in (False, True):
        assert (games.batch(found, rows, turned).policy[:, -1] > 0).all()


# train-eval -----------------------------------------------------------------------------------------------------------

Change = Callable[[NDArray[Any]], NDArray[Any] | None]

PLAY = ["--features", "planes", "--network", "conv:1x16", "--batch", "32", "--playouts", "16"]
SMALL = [*PLAY, "--game", "tictactoe", "--alpha", "0.03", "--anneal", "2000"]
MIXED = [*PLAY, "--size", "9", "--records", str(RECORDS), "--self-play", "0.5"]


def changed(index: int, value: float) -> Callable[[NDArray[Any]], NDArray[Any]]:
    """Return what changes a number of an array."""

    def change(array: NDArray[Any]) -> NDArray[Any]:
        array = array.copy()
        array[index] = value
        return array

    return change


def train(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    code = cli.run(["train-eval", *map(str, arguments)])
    shown = capsys.readouterr()
    assert shown.out == ""
    return code, shown.err


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return the one line that a command says."""
    code, err = train(capsys, *arguments, "-q")
    assert code == 1
    assert err.startswith("gotools train-eval: ") and err.count("\n") == 1
    return err


def files(folder: Path) -> list[str]:
    folder.mkdir(exist_ok=True)
    return ["-o", str(folder / "e.npz"), "--log", str(folder / "log.tsv")]


def table(path: Path) -> list[dict[str, float]]:
    rows = path.read_text(encoding="utf-8").splitlines()
    _, columns, first = read_header(rows, "training-log", 2)
    return [dict(zip(columns, map(float, row.split("\t")), strict=True)) for row in rows[first:]]


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what a training on tic-tac-toe writes."""
    folder = tmp_path_factory.mktemp("learned")
    options = ["--games", "800", "--checkpoint", "160", "--reuse", "8", "--seed", "1", "-q"]
    assert cli.run(["train-eval", *SMALL, *options, *files(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what a training on records and games of Go writes."""
    folder = tmp_path_factory.mktemp("mixed")
    options = ["--playouts", "4", "--games", "32", "--reuse", "2", "-q"]
    assert cli.run(["train-eval", *MIXED, *options, *files(folder)]) == 0
    return folder


@needs_torch
def test_losses_fall(learned: Path) -> None:
    rows = table(learned / "log.tsv")
    assert [row["games"] for row in rows] == [160, 320, 480, 640, 800]
    nothing = math.log(10)  # of a network that knows nothing: nine points and a pass
    assert rows[-1]["held_out_loss"] < rows[0]["held_out_loss"] - 0.05 < nothing - 0.2
    assert rows[-1]["policy_loss"] < rows[0]["policy_loss"] - 0.05 < nothing - 0.2
    assert rows[-1]["value_loss"] < rows[0]["value_loss"]
    assert all(5 <= row["length"] <= 9 and 0 <= row["top1"] <= 1 for row in rows)
    assert all(row["held_out_low"] <= row["held_out"] <= row["held_out_high"] for row in rows)


@needs_torch
def test_won_positions_are_worth_more_than_lost_ones(learned: Path) -> None:
    evaluator = load_evaluator(learned / "e.npz", "tictactoe")
    found: dict[float, list[float]] = {1.0: [], 0.0: [], -1.0: []}
    for state, value in solved_tictactoe():
        found[value].append(evaluator.value(state))
    assert np.mean(found[1.0]) > np.mean(found[-1.0]) + 0.2
    above = [won > lost for won in found[1.0][::7] for lost in found[-1.0][::7]]
    assert np.mean(above) > 0.7


@needs_torch
def test_a_training_writes_weights_and_what_it_goes_on_with(learned: Path) -> None:
    weights = load_weights(learned / "e.npz")
    assert (weights.game, weights.features, weights.network, weights.games) == ("tictactoe", "planes", "conv:1x16", 800)
    settings = {name: weights.settings[name] for name in ("method", "self_play", "playouts", "window", "reuse")}
    assert settings == {"method": "expert", "self_play": 1.0, "playouts": 16, "window": 10_000, "reuse": 8.0}
    memory = weights.memory
    assert memory["played_game"].tolist() == list(range(800))
    assert len(memory["played_moves"]) == memory["played_length"].sum()


@needs_torch
def test_only_the_latest_games_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(capsys, *SMALL, "--games", 64, "--window", 20, *files(tmp_path))[0] == 0
    assert load_weights(tmp_path / "e.npz").memory["played_game"].tolist() == list(range(44, 64))


@needs_torch
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(SMALL, id="tictactoe"),
        pytest.param([*MIXED, "--playouts", "3", "--anneal", "200"], id="mixed"),
    ],
)
def test_a_run_in_two_parts_equals_one_in_one(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [*options, "--jobs", "1", "--batch", "16", "--checkpoint", "16", "--window", "20"]
    whole, parts = files(tmp_path / "whole"), files(tmp_path / "parts")
    assert train(capsys, *options, "--games", 32, *whole)[0] == 0
    assert [row["games"] for row in table(tmp_path / "whole" / "log.tsv")] == [16, 32]
    assert train(capsys, *options, "--games", 16, *parts)[0] == 0
    assert (tmp_path / "whole" / "e.npz").read_bytes() != (tmp_path / "parts" / "e.npz").read_bytes()
    assert train(capsys, *options, "--games", 32, "--resume", *parts)[0] == 0
    for name in ("e.npz", "log.tsv"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()


@needs_torch
def test_games_do_not_depend_on_threads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first ones: later weights may differ by rounding."""
    for jobs in (1, 2):
        assert train(capsys, *SMALL, "--games", 16, "--jobs", jobs, *files(tmp_path / str(jobs)))[0] == 0
    one, two = (load_weights(tmp_path / str(jobs) / "e.npz").memory for jobs in (1, 2))
    for name in one:
        if name.startswith("played_"):
            assert np.array_equal(one[name], two[name], equal_nan=name == "played_worth"), name


# --start --------------------------------------------------------------------------------------------------------------


@needs_torch
def test_a_training_begins_with_another_one(learned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A step too small to change anything shows what it began with."""
    still = [*PLAY, "--game", "tictactoe", "--alpha", "1e-12", "--games", 64, "--seed", 5]
    begun, fresh = files(tmp_path / "begun"), files(tmp_path / "fresh")
    assert train(capsys, *still, "--start", learned / "e.npz", *begun)[0] == 0
    assert train(capsys, *still, *fresh)[0] == 0
    found, other = load_evaluator(begun[1], "tictactoe"), load_evaluator(fresh[1], "tictactoe")
    wanted = load_evaluator(learned / "e.npz", "tictactoe")
    values = [[evaluator.value(state) for state, _ in solved_tictactoe()[::50]] for evaluator in (wanted, found, other)]
    assert values[0] == pytest.approx(values[1], abs=1e-4)
    assert np.corrcoef(values[0], values[2])[0, 1] < 0.9
    assert load_weights(begun[1]).settings["start"] and "start" not in load_weights(fresh[1]).settings
    first = [table(Path(log))[0]["held_out_loss"] for log in (begun[3], fresh[3])]
    assert first[0] < first[1]


@needs_torch
def test_a_training_takes_the_games_of_another_one_along(
    learned: Path, mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The latest ones, as many as the window holds; not those that began at positions of records."""
    begun, before = files(tmp_path / "begun"), load_weights(learned / "e.npz").memory
    options = ["--games", 16, "--window", 100, "--seed", 5]
    assert train(capsys, *SMALL, *options, "--start", learned / "e.npz", *begun)[0] == 0
    found = load_weights(begun[1]).memory
    assert found["played_game"].tolist() == [*before["played_game"][-84:].tolist(), *range(16)]
    old = int(before["played_length"][-84:].sum())
    assert (found["played_moves"][:old] == before["played_moves"][-old:]).all()
    records = load_weights(mixed / "e.npz").memory
    begun = files(tmp_path / "alone")
    plain = [*MIXED[: MIXED.index("--records")], "--playouts", 4, "--games", 16]
    assert train(capsys, *plain, "--start", mixed / "e.npz", *begun)[0] == 0
    found = load_weights(begun[1]).memory
    assert len(found["played_game"]) == 16 + int((records["played_start"] < 0).sum()) < 48
    assert (found["played_start"] == -1).all()


@needs_torch
def test_a_training_begins_with_weights_alone(learned: Path, tmp_path: Path) -> None:
    """As --keep writes them: they value positions alike after steps too small to change anything, resumed or not."""
    weights = load_weights(learned / "e.npz")
    save_weights(tmp_path / "bare.npz", replace(weights, memory={}))
    still = [*SMALL, "--alpha", "1e-12", "--seed", "5", "--reuse", "2", "-q", "--checkpoint", "16", "--jobs", "1"]
    still += ["--start", str(tmp_path / "bare.npz")]
    for folder, games in (("still", ["48"]), ("parts", ["16"]), ("parts", ["48", "--resume"])):
        assert cli.run(["train-eval", *still, *files(tmp_path / folder), "--games", *games]) == 0
    assert (tmp_path / "still/e.npz").read_bytes() == (tmp_path / "parts/e.npz").read_bytes()
    states = [state for state, _ in solved_tictactoe()[::50]]
    before, after = (load_evaluator(path, "tictactoe") for path in (tmp_path / "bare.npz", tmp_path / "still/e.npz"))
    values = [[evaluator.value(state) for state in states] for evaluator in (before, after)]
    assert values[0] == pytest.approx(values[1], abs=1e-4)
    assert table(tmp_path / "still/log.tsv")[0]["policy_loss"] < math.log(10) - 0.2


# --sizes --------------------------------------------------------------------------------------------------------------


@needs_torch
def test_games_are_played_on_several_board_sizes_in_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """16 on each; a run in two parts is one in one, and another training takes the games of each size along."""
    options = [*PLAY, "--size", 5, "--sizes", "5,6,5", "--playouts", 4, "--window", 60, "--jobs", 1]
    whole, parts = files(tmp_path / "whole"), files(tmp_path / "parts")
    assert train(capsys, *options, "--anneal", 64, "--games", 64, "--checkpoint", 32, *whole)[0] == 0
    for games in (32, 64):
        resumed = ["--resume"] if games == 64 else []
        assert train(capsys, *options, "--anneal", 64, "--games", games, "--checkpoint", 32, *resumed, *parts)[0] == 0
    assert Path(whole[1]).read_bytes() == Path(parts[1]).read_bytes()
    weights = load_weights(whole[1])
    assert weights.settings["sizes"] == [5, 6, 5]
    assert weights.memory["played_game"].tolist() == [*range(2, 16), *range(32, 48), *range(48, 64)][-30:]
    assert weights.memory["played_6_game"].tolist() == list(range(16, 32))
    assert (weights.memory["played_owned"].shape[1], weights.memory["played_6_owned"].shape[1]) == (25, 36)
    begun = files(tmp_path / "begun")
    other = [*options[:2], *PLAY[2:], "--size", 6, "--sizes", "6,5", "--playouts", 4, "--games", 16]
    assert train(capsys, *other, "--start", whole[1], *begun)[0] == 0
    memory = load_weights(begun[1]).memory
    assert memory["played_game"].tolist() == [*range(16, 32), *range(16)]
    assert memory["played_5_game"].tolist() == weights.memory["played_game"].tolist()


@needs_torch
def test_files_that_cannot_be_begun_with_are_refused(
    learned: Path, mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = ["--games", 16, "-o", tmp_path / "e.npz"]
    err = refused(capsys, *SMALL, "--start", mixed / "e.npz", *output)
    assert "weights for go 9x9 planes conv:1x16, not for tictactoe 3x3 planes conv:1x16" in err
    err = refused(capsys, *SMALL, "--network", "conv:1x32", "--start", learned / "e.npz", *output)
    assert "not for tictactoe 3x3 planes conv:1x32" in err
    assert not (tmp_path / "e.npz").exists()


# records and games ----------------------------------------------------------------------------------------------------


@needs_torch
def test_half_of_the_games_begin_at_positions_of_records(mixed: Path) -> None:
    weights = load_weights(mixed / "e.npz")
    samples = read_samples([str(RECORDS)], GO, frozenset({9}), lambda _: None, UNWATCHED)
    starts, length = weights.memory["played_start"], weights.memory["played_length"]
    assert (starts[::2] == -1).all() and (starts[1::2] >= 0).all() and starts.max() < len(samples)
    assert len(set(starts[1::2].tolist())) > 10
    at = 0
    for number, moves in enumerate(length.tolist()):
        state = GO.position(9) if starts[number] < 0 else samples.state(int(starts[number]))
        if starts[number] >= 0:
            row = samples.rows.take(np.array([starts[number]]))
            assert cells_of(state) == of_go(row).board[0].tolist() and state[TO_PLAY] == row.to_play[0]
        for move in weights.memory["played_moves"][at : at + moves].tolist():
            assert move in GO.moves_of(state)
            state = GO.play(state, move)
        at += moves
    assert weights.settings["self_play"] == 0.5 and weights.settings["records"]
    assert 1.0 < table(mixed / "log.tsv")[-1]["policy_loss"] < 5.0


@needs_torch
def test_records_of_all_sizes_teach_where_none_is_named(tmp_path: Path) -> None:
    other = tmp_path / "other.sgf"
    other.write_text("(;GM[1]FF[4]SZ[5]KM[7]RE[B+1];B[cc];W[bb];B[cb];W[bc];B[bd];W[dd];B[dc];W[ab])\n" * 40)
    found = []
    for number, more in enumerate(([], ["--records", str(other)])):
        folder = tmp_path / str(number)
        options = [word for word in MIXED if word not in ("--size", "9")]
        options += ["--playouts", "4", "--games", "32", "--reuse", "2", "-q"]
        assert cli.run(["train-eval", *options, *more, *files(folder)]) == 0
        evaluator = load_evaluator(folder / "e.npz", "go")
        state = GO.position(5, 7.0)
        found.append(evaluator.policy(state, np.array(GO.worthy_moves_of(state), np.int32)))
    middle = GO.worthy_moves_of(GO.position(5, 7.0)).index(GO.parse_move("c3", 5))
    without, with_it = (np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum() for scores in found)
    assert with_it[middle] > without[middle]


@needs_torch
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--records", RECORDS, "--playouts", "8"], "--playouts goes with --self-play"),
        (["--records", RECORDS, "--window", "8"], "--window goes with --self-play"),
        (["--records", RECORDS, "--self-play", "0", "--reuse", "8"], "--reuse goes with --self-play"),
        (["--self-play", "0.5"], "--records PATH"),
        (["--self-play", "0"], "--records PATH"),
        (["--game", "abalone"], "abalone has no features 'planes'"),
        (["--game", "tictactoe", "--batch", "1"], "at least 2"),
        (["--game", "tictactoe", "--alpha", "0.1,0.2"], "--alpha"),
        (["--game", "tictactoe", "--lambda", "0.5"], "--lambda means nothing to"),
        (["--records", RECORDS, "--self-play", "0.5", "--size", "13"], "no examples"),
        (["--game", "tictactoe", "--features", "raw", "--playouts", "8"], "--playouts means nothing to"),
        (["--records", RECORDS, "--sizes", "9,13"], "--sizes goes with --self-play"),
        (["--sizes", "9,20"], "go has no board of size 20"),
        (["--game", "tictactoe", "--start", "default"], "of abalone, connect4, go, shogi, not of tictactoe"),
    ],
)
def test_wrong_settings_are_one_line_and_nothing_is_written(
    arguments: list[object], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "e.npz"
    assert message in refused(capsys, "--features", "planes", "--games", "16", *arguments, "-o", output)
    assert not output.exists()


@needs_torch
@pytest.mark.parametrize(
    "arguments", [["--game", "tictactoe", "--komi", "0.5"], ["--size", "2", "--komi", "0.3"]], ids=["none", "a third"]
)
def test_a_komi_that_cannot_be_is_refused(
    arguments: list[object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [*PLAY, "--playouts", "2", "--games", "16", *arguments]
    assert "komi" in refused(capsys, *options, "-o", tmp_path / "e.npz")


# damaged files --------------------------------------------------------------------------------------------------------

DAMAGED: dict[str, tuple[str, Change]] = {
    "missing": ("played_moves", lambda array: None),
    "a move less": ("played_moves", lambda array: array[:-1]),
    "a game less": ("played_komi2", lambda array: array[1:]),
    "a sample less": ("played_tried", lambda array: array[1:]),
    "another type": ("played_length", lambda array: array.astype(np.int64)),
    "another width": ("played_shares", lambda array: array[:, 1:]),
    "another board": ("played_owned", lambda array: array[:, :-1]),
    "negative lengths": ("played_length", lambda array: array * [[-1, 1][i > 0] for i in range(len(array))]),
    "no such game": ("played_of", lambda array: array + 64),
    "negative games": ("played_of", lambda array: array - 64),
    "no such ply": ("played_ply", lambda array: array + 9),
    "negative plies": ("played_ply", lambda array: array - 9),
    "other progress": ("progress", lambda array: array[:-1]),
    "no progress": ("progress", lambda array: np.full_like(array, np.nan)),
    "no network": ("network", lambda array: None),
    "no average": ("average", lambda array: None),
    "infinite network": ("network", lambda array: array * np.float32(np.inf)),
    "other moments": ("first_moment", lambda array: array[:-1]),
}


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a short training on tic-tac-toe."""
    folder = tmp_path_factory.mktemp("short")
    assert cli.run(["train-eval", *SMALL, "--games", "32", "-q", "-o", str(folder / "e.npz")]) == 0
    return folder / "e.npz"


def resume_damaged(
    short: Path, name: str, change: Change, path: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    """Change an array of the memory and go on."""
    weights = load_weights(short)
    array = change(weights.memory[name])
    memory = {key: value for key, value in {**weights.memory, name: array}.items() if value is not None}
    save_weights(path, replace(weights, memory=memory))
    return train(capsys, *SMALL, "--games", "48", "--resume", "-o", path, "-q")


@needs_torch
@pytest.mark.parametrize("what", DAMAGED)
def test_a_memory_that_is_damaged_is_refused(
    what: str, short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, change = DAMAGED[what]
    code, err = resume_damaged(short, name, change, tmp_path / "e.npz", capsys)
    assert code == 1, what
    assert err.startswith(f"gotools train-eval: {tmp_path / 'e.npz'}: ") and err.count("\n") == 1
    assert "cannot resume" in err


@needs_torch
def test_a_memory_that_is_whole_is_not_refused(short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert resume_damaged(short, "played_moves", lambda array: array.copy(), tmp_path / "e.npz", capsys)[0] == 0
    assert load_weights(tmp_path / "e.npz").games == 48


IMPOSSIBLE = [
    pytest.param("played_moves", lambda array: np.full_like(array, -30_000), id="no such moves"),
    pytest.param("played_tried", lambda array: np.full_like(array, 30_000), id="no such tried moves"),
    pytest.param("played_moves", np.zeros_like, id="illegal moves"),
    pytest.param("played_start", changed(0, 5), id="no such start"),
    pytest.param("played_game", lambda array: np.array(3, array.dtype), id="a number, no games"),
    pytest.param("played_of", lambda array: np.array(3, array.dtype), id="a number, no samples"),
    pytest.param("progress", changed(2, -1), id="negative steps"),
]


@needs_torch
@pytest.mark.parametrize(("name", "change"), IMPOSSIBLE)
def test_a_memory_of_games_that_cannot_be_is_refused(
    name: str, change: Change, short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, err = resume_damaged(short, name, change, tmp_path / "e.npz", capsys)
    assert code == 1 and err.startswith(f"gotools train-eval: {tmp_path / 'e.npz'}: ") and err.count("\n") == 1


@needs_torch
@pytest.mark.parametrize("strength", ["abc", [1.0]])
def test_a_strength_that_is_no_number_is_refused(
    strength: Any, short: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = load_weights(short)
    save_weights(tmp_path / "s.npz", replace(weights, settings={**weights.settings, "strength": strength}))
    err = refused(capsys, *SMALL, "--games", 16, "--start", tmp_path / "s.npz", "-o", tmp_path / "e.npz")
    assert "s.npz" in err and "strength" in err
