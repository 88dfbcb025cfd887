"""What networks see of positions: against counts on sets, under symmetry, and the evaluations to learn against."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
import pytest
from go.test_evaluation import TWO_STONES, WALL_AND_TWO_STONES, board_of, random_board, slow_map
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.slow import SlowGo
from support.slow_measures import linked, one_group, sets_of
from support.turned import transform_cells

from gotools.base.errors import GotoolsError
from gotools.game.game import Game, find_game
from gotools.game.learning import FeatureSet, Heuristic
from gotools.game.sides import BLACK, WHITE
from gotools.games.go.board import Board
from gotools.games.go.inputs.positions import RAW, THESIS8
from gotools.games.go.kernels import rules as k
from gotools.games.go.kernels.game import KOMI2
from gotools.games.go.points import parse_vertex, symmetry_tables
from gotools.jit.kernels.network import network_value
from gotools.jit.kernels.seams import ONGOING

Point = tuple[int, int]
Floats = NDArray[np.float64]

GO, CONNECT4, TICTACTOE = find_game("go"), find_game("connect4"), find_game("tictactoe")
MIXED = (
    "thesis8,-territory,area",
    "thesis8,zobrist,distance,area,explicit,raw",
    "liberties,linked,raw,point-liberties",
)
FIXED = [(game, name) for game in (GO, CONNECT4, TICTACTOE) for name in game.learning.features]
FIXED += [(GO, name) for name in MIXED]
SIZES, SEEDS = st.integers(2, 19), st.integers(0, 2**32)


def inputs_of(features: FeatureSet, state: NDArray[np.int32], size: int) -> Floats:
    """Fill the inputs, over numbers that must not shine through."""
    x = np.full(len(features.labels(size)), 77.0)
    features.inputs(state, x)
    return x


def see(board: Board) -> Floats:
    return inputs_of(THESIS8, board.state, board.side)


def network(inputs: int, hidden: tuple[int, ...], seed: int = 1) -> Floats:
    """Return the numbers of an unbiased network of random weights (kernels/network.py)."""
    sizes = [inputs, *hidden, 1]
    weights = np.random.default_rng(seed).normal(size=sum(a * b for a, b in pairwise(sizes)))
    return np.concatenate([[len(sizes) - 1, 0], sizes, np.full(inputs, 0.02), weights])


# the eight inputs against sets ----------------------------------------------------------------------------------------


def beside(at: Point) -> set[Point]:
    x, y = at
    return {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}


def around(at: Point) -> set[Point]:
    return {(at[0] + dx, at[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {at}


def parts(points: set[Point], neighbours: Callable[[Point], set[Point]]) -> Iterator[set[Point]]:
    """Yield the connected parts of a set."""
    left = set(points)
    while left:
        part, edge = set(), {left.pop()}
        while edge:
            part |= edge
            edge = {q for p in edge for q in neighbours(p)} & left
            left -= edge
        yield part


def objects_less_holes(stones: set[Point], size: int) -> int:
    """Count what the Euler number counts: parts connected along lines, less their holes.

    A hole is a part of all else, connected by corners too, that is cut off from what lies around the board.
    """
    rest = {(x, y) for x in range(-1, size + 1) for y in range(-1, size + 1)} - stones
    return len(list(parts(stones, beside))) - (len(list(parts(rest, around))) - 1)


def slow_inputs(state: NDArray[np.int32], cells: NDArray[np.uint8], size: int) -> list[float]:
    """Count the eight inputs by the words of the thesis."""
    colours = {(i % size, i // size): int(colour) for i, colour in enumerate(cells)}
    owned = list(slow_map(cells, size, 5, 21).values())
    counts: dict[int, list[float]] = {}
    for colour in (BLACK, WHITE):
        stones = {at for at, found in colours.items() if found == colour}
        orders, in_atari = [0, 0, 0], 0
        for chain in parts(stones, beside):
            counted, source = set[tuple[int, int]](), chain
            for order in range(3):
                source = {q for p in source for q in beside(p) if colours.get(q) == 0} - counted
                orders[order] += len(source)
                counted |= source
                in_atari += len(chain) if order == 0 and len(source) == 1 else 0
        prisoners = state[k.TAKEN_WHITE if colour == BLACK else k.TAKEN_BLACK]
        territory = sum((value > 0) if colour == BLACK else (value < 0) for value in owned)
        counts[colour] = [
            *orders, objects_less_holes(stones, size), prisoners, territory, len(stones), in_atari
        ]  # fmt: skip
    own, other = counts[int(state[k.TO_PLAY])], counts[3 - int(state[k.TO_PLAY])]
    return [a - b for a, b in zip(own, other, strict=True)]


@given(SIZES, SEEDS)
def test_the_eight_inputs_are_those_counted_on_sets(size: int, seed: int) -> None:
    rng = random.Random(seed)
    board = random_board(rng, size)
    board.state[k.TAKEN_BLACK : k.TAKEN_WHITE + 1] = rng.randrange(20), rng.randrange(20)
    assert see(board).tolist() == slow_inputs(board.state, board.cells, size)


@pytest.mark.parametrize("size", range(2, 20))
def test_the_eight_inputs_follow_the_moves_of_a_game(size: int) -> None:
    """Chains here have grown, merged and been taken: their rings and heads are not those of a board set up."""
    rng = random.Random(size)
    state = GO.position(size)
    cells = np.empty(size * size, np.uint8)
    for ply in range(2 * size * size):
        moves = GO.moves_of(state)
        if not moves:
            break
        state = GO.play(state, rng.choice(moves[:-1] or moves))
        if ply % (1 + size * size // 12) == 0:
            k.cells_of(state, cells)
            assert inputs_of(THESIS8, state, size).tolist() == slow_inputs(state, cells, size)


BY_HAND = """
. . . . . . .
. X . . . O .
. . . . O . O
. X . . . O .
. . . . . . .
X . . . . . .
O . . . . . ."""


def test_the_eight_inputs_of_a_position_counted_by_hand() -> None:
    """Black's stones on the left share the liberty B5, white's on the right F5: it counts once for each chain."""
    board = board_of(BY_HAND.replace(" ", ""), WHITE)
    board.state[k.TAKEN_BLACK] = 3
    liberties, _, _, euler, prisoners, _, stones, in_atari = see(board)
    white, black = [4, 4, 3, 4, 1], [4, 4, 2]
    assert liberties == sum(white) - sum(black) == 6
    assert euler == 5 - 3  # five white objects without a hole (corners do not join them), three black ones
    assert prisoners == 3
    assert stones == 5 - 3
    assert in_atari == 1
    board.state[k.TO_PLAY] = BLACK
    assert see(board)[[0, 3, 4, 6, 7]].tolist() == [-6, -2, -3, -2, -1]


@pytest.mark.parametrize(
    ("stones", "orders"),
    [
        ((("E5",), ()), (4, 8, 12)),  # the diamonds around a stone in the open
        ((("A1",), ()), (2, 3, 4)),
        ((("E5", "F5"), ()), (6, 10, 14)),
        ((("A1",), ("B1",)), (1 - 2, 2 - 4, 3 - 5)),
        ((("D5", "F5"), ()), (8, 14, 22)),  # each by itself; the other stands in the way
    ],
)
def test_liberties_of_three_orders(stones: tuple[tuple[str, ...], tuple[str, ...]], orders: tuple[int, ...]) -> None:
    black, white = ([(divmod(parse_vertex(v, 9), 9)) for v in side] for side in stones)
    board = Board(9)
    board.apply_setup(black, white, [])
    assert tuple(see(board)[:3]) == orders


@pytest.mark.parametrize(("position", "territory"), [(TWO_STONES, 0), (WALL_AND_TWO_STONES, 20 - 7)])
def test_territory_of_the_maps_that_the_thesis_prints(position: str, territory: int) -> None:
    assert see(board_of(position.replace(" ", ""), WHITE))[5] == territory


# control, and inputs chosen one by one --------------------------------------------------------------------------------

CONTROL = GO.find_features("zobrist,distance,area,explicit")


def slow_control(board: Board) -> list[int]:
    """Count by Zobrist's map, by distance, by area, and explicit control: black's points less white's."""
    size = board.side
    colours = {(i % size, i // size): int(colour) for i, colour in enumerate(board.cells)}
    signs = {at: {0: 0, BLACK: 1, WHITE: -1}[colour] for at, colour in colours.items()}
    values = {at: 50 * sign for at, sign in signs.items()}
    for _ in range(4):
        values = {at: value + sum(np.sign(values.get(q, 0)) for q in beside(at)) for at, value in values.items()}
    by_distance, explicit = 0, 0
    for at, sign in signs.items():
        nearest = {
            side: min((abs(at[0] - x) + abs(at[1] - y) for (x, y), s in signs.items() if s == side), default=99)
            for side in (1, -1)
        }
        by_distance += np.sign(nearest[-1] - nearest[1])
        around_it = {signs[q] for q in beside(at) if q in signs}
        explicit += sign or (around_it.pop() if len(around_it) == 1 else 0)
    by_area = sum(signs.values())
    for region in parts({at for at, sign in signs.items() if sign == 0}, beside):
        touching = {signs[q] for at in region for q in beside(at) if signs.get(q)}
        by_area += len(region) * touching.pop() if len(touching) == 1 else 0
    return [int(sum(np.sign(value) for value in values.values())), int(by_distance), by_area, explicit]


@given(SIZES, SEEDS)
def test_control_is_that_counted_point_by_point(size: int, seed: int) -> None:
    board = random_board(random.Random(seed), size)
    sign = 1 if int(board.state[k.TO_PLAY]) == BLACK else -1
    expected = slow_control(board)
    assert inputs_of(CONTROL, board.state, size).tolist() == [sign * lead for lead in expected]
    for name, lead in (("area", expected[2]), ("explicit", expected[3])):
        heuristic, komi = GO.find_heuristic(name), 0.5 * int(board.state[KOMI2])
        assert heuristic is not None
        value = heuristic.evaluate(board.state, heuristic.numbers)
        assert np.sign(value) == np.sign(sign * (lead - komi)) and -1 < value < 1


def test_control_of_positions_counted_by_hand() -> None:
    """Two stones share the board; five own it by every measure; beside a wall no point is held explicitly."""
    board = board_of("..... ..... .X.O. ..... .....", BLACK)
    zobrist, distance, area, explicit = inputs_of(CONTROL, board.state, 5)
    assert (zobrist, distance, area, explicit) == (0, 0, 0, 0)
    board = board_of("X.X .X. X.X", BLACK)
    assert inputs_of(CONTROL, board.state, 3).tolist() == [9, 9, 9, 9]
    board = board_of("X... X... X... X...", BLACK)  # explicit: no empty point has black neighbours alone
    assert inputs_of(CONTROL, board.state, 4).tolist() == [16, 16, 16, 4]


CHAINS = GO.find_features("atari-chains,linked,groups,point-liberties")


def slow_chains(board: Board) -> list[int]:
    """Count chains in atari, sets of linked chains and groups, and liberties by point: black's less white's."""
    go = SlowGo(board.side, {(i % board.side, i // board.side): int(c) for i, c in enumerate(board.cells) if c})
    signs = {BLACK: 1, WHITE: -1}
    chains = {frozenset(go.chain(at)): signs[colour] for at, colour in go.stones.items()}
    in_atari = sum(sign for chain, sign in chains.items() if len(go.liberties(min(chain))) == 1)
    sets = [sum(sign * len(sets_of(go, c, meet)) for c, sign in signs.items()) for meet in (linked, one_group)]
    points = [(x, y) for y in range(board.side) for x in range(board.side)]
    return [in_atari, *sets, *(signs[go.stones[at]] * len(go.liberties(at)) if at in go.stones else 0 for at in points)]


@given(st.integers(2, 9), SEEDS)
def test_chains_are_those_counted_on_sets(size: int, seed: int) -> None:
    board = random_board(random.Random(seed), size)
    sign = 1 if int(board.state[k.TO_PLAY]) == BLACK else -1
    assert inputs_of(CHAINS, board.state, size).tolist() == [sign * lead for lead in slow_chains(board)]


def test_chains_counted_by_hand() -> None:
    """Black's diagonal stones share two liberties; a two-point jump reaches the third; white's one is in atari."""
    board = board_of("OX....... ..X..X... ......... ......... ......... ......... ......... ......... ........X", BLACK)
    assert inputs_of(CHAINS, board.state, 9)[:3].tolist() == [-1, 2, 1]


@pytest.mark.parametrize(
    ("text", "name", "labels"),
    [
        ("atari,stones", "stones,atari", ("stones", "stones in atari")),
        ("zobrist,thesis8", "thesis8,zobrist", (*THESIS8.labels(9), "control by Zobrist's influence")),
        ("thesis8,raw,-raw", "thesis8", THESIS8.labels(9)),
        ("thesis8,-thesis8,raw", "raw", RAW.labels(9)),
        ("thesis8,-liberties-2,-liberties-3", "liberties,euler,prisoners,territory,stones,atari", None),
    ],
)
def test_inputs_are_chosen_by_name(text: str, name: str, labels: tuple[str, ...] | None) -> None:
    features = GO.find_features(text)
    assert features.name == name
    assert GO.find_features(features.name) is features
    if labels is not None:
        assert features.labels(9) == labels


@given(SEEDS)
def test_chosen_inputs_are_those_of_all_in_their_order(seed: int) -> None:
    board = random_board(random.Random(seed), 5)
    parts_of = THESIS8, CONTROL, RAW, CHAINS
    every, scales = (
        np.concatenate(found)
        for found in zip(*((inputs_of(f, board.state, 5), f.scales(5)) for f in parts_of), strict=True)
    )
    places_of = {
        MIXED[0]: [0, 1, 2, 3, 4, 6, 7, 10],
        MIXED[1]: list(range(12 + 25)),
        MIXED[2]: [0, 38, *range(12, 12 + 25), *range(40, 65)],
    }  # fmt: skip
    for text, places in places_of.items():
        features = GO.find_features(text)
        assert inputs_of(features, board.state, 5).tolist() == every[places].tolist()
        assert features.scales(5).tolist() == scales[places].tolist()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("thesis8,zobrst", "go has no features 'zobrst'; did you mean 'zobrist'"),
        ("thesis8,-raw", "features 'thesis8,-raw': raw is taken away, but is not there"),
        ("zobrist,-zobrist", "features 'zobrist,-zobrist': no input is left"),
        ("thesis8,", "go has no features ''"),
        ("thesis8,shapes", "go has no features 'shapes'"),
    ],
)
def test_inputs_that_cannot_be_chosen(text: str, why: str) -> None:
    with pytest.raises(GotoolsError, match=re.escape(why)):
        GO.find_features(text)


# symmetry -------------------------------------------------------------------------------------------------------------


def exchanged(board: Board) -> Board:
    """Exchange the colours: stones, prisoners, and who is to play."""
    cells = np.array([0, WHITE, BLACK], np.uint8)[board.cells]
    other = Board.from_cells(cells, board.side, to_play=3 - int(board.state[k.TO_PLAY]))
    other.state[k.TAKEN_BLACK], other.state[k.TAKEN_WHITE] = board.state[k.TAKEN_WHITE], board.state[k.TAKEN_BLACK]
    return other


@given(SIZES, SEEDS)
def test_colours_are_alike(size: int, seed: int) -> None:
    """To the digit: nothing changes when all is exchanged; the other side sees the opposite."""
    rng = random.Random(seed)
    board = random_board(rng, size)
    board.state[k.TAKEN_BLACK : k.TAKEN_WHITE + 1] = rng.randrange(20), rng.randrange(20)
    mirrored, other = exchanged(board), exchanged(board)
    other.state[k.TO_PLAY] = board.state[k.TO_PLAY]
    for features in (THESIS8, RAW, CONTROL):
        x = inputs_of(features, board.state, size)
        assert (inputs_of(features, mirrored.state, size) == x).all()
        assert (inputs_of(features, other.state, size) == -x).all()
        for hidden in ((), (4,)):
            numbers = network(len(x), hidden)
            value = features.evaluate(board.state, numbers)
            assert features.evaluate(mirrored.state, numbers) == value
            assert features.evaluate(other.state, numbers) == -value


@given(SIZES, SEEDS, st.integers(1, 7))
def test_turned_and_mirrored_boards_are_alike(size: int, seed: int, symmetry: int) -> None:
    board = random_board(random.Random(seed), size)
    cells = transform_cells(board.cells, size, symmetry)
    turned = Board.from_cells(cells, size, to_play=int(board.state[k.TO_PLAY]))
    assert (see(turned) == see(board)).all()
    assert (inputs_of(CONTROL, turned.state, size) == inputs_of(CONTROL, board.state, size)).all()
    table = symmetry_tables(size)[symmetry]
    raw, raw_turned = (inputs_of(RAW, b.state, size) for b in (board, turned))
    assert (raw_turned[table] == raw).all()


# raw stones and open lines --------------------------------------------------------------------------------------------


@given(SIZES, SEEDS)
def test_raw_inputs_of_go_are_the_stones(size: int, seed: int) -> None:
    board = random_board(random.Random(seed), size)
    to_play = int(board.state[k.TO_PLAY])
    expected = [0 if cell == 0 else 1 if cell == to_play else -1 for cell in board.cells]
    assert inputs_of(RAW, board.state, size).tolist() == expected
    assert len(set(RAW.labels(size))) == size * size


def play_some(game: Game, seed: int) -> NDArray[np.int32]:
    """Return a position of a random game."""
    rng = random.Random(seed)
    state = game.position()
    for _ in range(rng.randrange(43)):
        moves = game.moves_of(state)
        if moves:
            state = game.play(state, rng.choice(moves))
    return state


def drawn(game: Game, state: NDArray[np.int32]) -> dict[Point, int]:
    """Read the stones off the diagram: (column, row from the bottom) to 1 own stone, -1 the opponent's, 0 empty."""
    width = {"connect4": 7, "tictactoe": 3}[game.name]
    rows = [[c for c in line if c in ".XO"] for line in game.draw(state).splitlines()]
    rows = [row for row in rows if len(row) == width][::-1]
    own = {1: "X", 2: "O"}[int(state[1])]
    return {
        (x, y): 0 if cell == "." else 1 if cell == own else -1
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
    }


def open_lines(cells: dict[Point, int], length: int, stones: int) -> int:
    """Count own open lines of so many stones, less the opponent's."""
    total = 0
    for x, y in cells:
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = [cells.get((x + i * dx, y + i * dy)) for i in range(length)]
            if None not in line:
                for side in (1, -1):
                    if -side not in line and line.count(side) == stones:
                        total += side
    return total


@given(SEEDS)
def test_small_games_show_their_stones_and_open_lines(seed: int) -> None:
    for game, length in ((CONNECT4, 4), (TICTACTOE, 3)):
        state = play_some(game, seed)
        cells = drawn(game, state)
        across = sorted(cells, key=(lambda at: at) if game is CONNECT4 else (lambda at: (at[1], at[0])))
        raw, lines = (game.find_features(name) for name in ("raw", "lines"))
        size = game.sizes[0]
        assert inputs_of(raw, state, size).tolist() == [cells[at] for at in across]
        expected = [open_lines(cells, length, stones) for stones in range(1, length)]
        assert inputs_of(lines, state, size).tolist() == expected


# all sets, and evaluations to learn against ---------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "name"), FIXED, ids=lambda part: getattr(part, "name", part))
def test_a_feature_set_has_inputs_and_scales_and_values_by_a_network(game: Game, name: str) -> None:
    features = game.find_features(name)
    for size in {*game.sizes[::6], game.sizes[-1]}:
        labels, scales = features.labels(size), features.scales(size)
        assert len(set(labels)) == len(labels) == len(scales)
        assert (scales > 0).all()
        state = game.position(size)
        rng = random.Random(size)
        largest = np.zeros(len(labels))
        for _ in range(size * size):
            moves = game.moves_of(state)
            if not moves:
                break
            state = game.play(state, rng.choice(moves[:-1] or moves))
            x = inputs_of(features, state, size)
            largest = np.maximum(largest, abs(x * scales))
            numbers = network(len(labels), (3,))
            assert features.evaluate(state, numbers) == network_value(x, numbers)
        assert (largest < 6).all(), "scaled inputs should be about 1 at most; but one stone may own all of 19x19"


def test_features_that_a_game_does_not_have() -> None:
    with pytest.raises(GotoolsError, match="connect4 has no features 'thesis8'; there are raw, lines"):
        CONNECT4.find_features("thesis8")


def test_prisoners_are_tallied_for_the_side_to_play() -> None:
    tally, nothing = GO.find_tally(), np.zeros(0)
    state = GO.position(5)
    for text in ("a2", "a1", "b1"):  # black takes a1
        state = GO.play(state, GO.parse_move(text, 5))
    assert tally(state, nothing) == -1.0
    state = GO.play(state, GO.parse_move("pass", 5))
    assert tally(state, nothing) == 1.0


def best_move(game: Game, heuristic: Heuristic, state: NDArray[np.int32]) -> int:
    """Return the move whose successor is worst for the opponent."""

    def worth(move: int) -> float:
        after = game.play(state, move)
        outcome = game.outcome(after)
        return -float(outcome if outcome != ONGOING else heuristic.evaluate(after, heuristic.numbers))

    return max(game.moves_of(state), key=worth)


@pytest.mark.parametrize(("game", "share"), [(CONNECT4, 0.9), (TICTACTOE, 0.8)], ids=["connect4", "tictactoe"])
def test_heuristics_of_small_games_beat_random_moves(game: Game, share: float) -> None:
    heuristic, rng = game.find_heuristic(), random.Random(5)
    assert heuristic is not None
    points = 0.0
    for number in range(100):
        state, player = game.position(), 1 + number % 2
        while game.outcome(state) == ONGOING:
            own = int(state[1]) == player
            state = game.play(state, best_move(game, heuristic, state) if own else rng.choice(game.moves_of(state)))
        outcome = float(np.sign(game.outcome(state)))
        points += 0.5 + 0.5 * (outcome if int(state[1]) == player else -outcome)
    assert points >= 100 * share


@pytest.mark.parametrize("game", [GO, CONNECT4, TICTACTOE], ids=lambda game: game.name)
def test_heuristics_stay_between_lost_and_won(game: Game) -> None:
    heuristic = game.find_heuristic()
    assert heuristic is not None
    for seed in range(30):
        value = heuristic.evaluate(play_some(game, seed), heuristic.numbers)
        assert -1.0 < value < 1.0
