"""The rules: kernels against the slow twin, sgfmill, and known counts."""

import random

import numpy as np
import pytest
from sgfmill import boards
from support.needs import SHARED, needs_shared
from support.slow import SlowGo

from gotools.game.records.record import Problem, Record, Setup
from gotools.game.records.replay import played
from gotools.game.records.sgf import read_games
from gotools.games.go.board import Board, legal_mask, legal_points, replay, replay_many
from gotools.games.go.go import GO
from gotools.games.go.kernels import rules as k
from gotools.games.go.points import NONE, PASS


def random_game(size, moves, seed):
    """Yield (board, twin, ko of the side to play, colour) before each random legal move, then play it on both."""
    rng = random.Random(seed)
    board, twin, colour = Board(size), SlowGo(size), 1
    for _ in range(moves):
        yield board, twin, colour
        legal = board.legal_points(colour)
        point = rng.choice(legal) if legal and rng.random() > 0.02 else PASS
        board.play_point(point, colour)
        if point == PASS:
            twin.pass_turn()
        else:
            assert twin.play((point % size, point // size), colour) == ""
        colour = 3 - colour if rng.random() > 0.05 else colour


@pytest.mark.parametrize(
    ("size", "moves", "thorough"), [(2, 60, 1), (3, 150, 2), (5, 200, 5), (9, 250, 20), (13, 250, 60), (19, 400, 200)]
)
def test_random_play_agrees_with_the_slow_twin(size, moves, thorough):
    for ply, (board, twin, colour) in enumerate(random_game(size, moves, seed=size), 1):
        assert board.cells.tolist() == twin.cells()
        assert board.ko == (twin.ko[1][1] * size + twin.ko[1][0] if twin.ko and twin.ko[0] == board.to_play else NONE)
        if ply % thorough:
            continue
        assert board.area_score() == twin.area_score()
        every = [(x, y) for y in range(size) for x in range(size)]
        for suicide in (False, True):
            wanted = [twin.is_legal(at, colour, suicide) for at in every]
            assert [board.is_legal(p, colour, suicide=suicide) for p in range(size * size)] == wanted
        for at in twin.stones:
            point = at[1] * size + at[0]
            assert board.chain(point) == sorted(y * size + x for x, y in twin.chain(at))
            assert board.liberties(point) == sorted(y * size + x for x, y in twin.liberties(at))


@pytest.mark.parametrize("size", [2, 4, 9])
def test_suicide_agrees_with_sgfmill(size):
    rng = random.Random(size)
    board, other = Board(size), boards.Board(size)
    for _ in range(600):
        empty = [p for p in range(size * size) if board.colour(p) == 0]
        point, colour = rng.choice(empty), rng.choice("bw")
        assert board.play(point // size, point % size, colour) == other.play(point // size, point % size, colour)
        assert board.board == other.board
        assert board.area_score() == other.area_score()


def test_the_incremental_state_is_the_loaded_state():
    for board, _, _ in random_game(7, 200, seed=1):
        fresh = Board.from_cells(board.cells, 7)
        assert fresh.hash == board.hash
        for p in range(49):
            assert fresh.liberties(p) == board.liberties(p)
            if board.colour(p):
                padded = k.pad(p, 7)
                heads = [b.state[k.HEAD + padded] for b in (board, fresh)]
                assert board.state[k.LIBS + heads[0]] == fresh.state[k.LIBS + heads[1]]


@pytest.mark.parametrize(("size", "count"), [(2, 57), (3, 12_675)])
def test_count_of_legal_positions(size, count):
    """Known numbers (Tromp and Farnebäck 2006): all legal positions, and each can be reached by legal moves."""
    seen, waiting = {bytes(size * size)}, [bytes(size * size)]
    state, after = np.zeros(k.STATE, np.int32), np.zeros(k.STATE, np.int32)
    cells = np.empty(size * size, np.uint8)
    while waiting:
        k.load(state, np.frombuffer(waiting.pop(), np.uint8).copy(), size)
        for point in range(size * size):
            for colour in (1, 2):
                k.copy(after, state)
                if k.play(after, k.pad(point, size), colour, False) == 0:
                    k.cells_of(after, cells)
                    if cells.tobytes() not in seen:
                        seen.add(cells.tobytes())
                        waiting.append(cells.tobytes())
    assert len(seen) == count
    every = np.indices((3,) * size**2).reshape(size**2, -1).T.astype(np.uint8)
    assert sum(k.load(state, row, size) == 0 for row in np.ascontiguousarray(every)) == count


def test_copy_takes_the_whole_position():
    for board, _, colour in random_game(6, 80, seed=3):
        target = np.full(k.STATE, 77, np.int32)
        k.copy(target, board.state)
        for p in range(36):
            assert k.why_illegal(target, k.pad(p, 6), colour, False) == k.why_illegal(
                board.state, k.pad(p, 6), colour, False
            )
        assert (target[: k.HEADER] == board.state[: k.HEADER]).all()


def test_a_refused_move_changes_nothing():
    for board, _, colour in random_game(4, 120, seed=4):
        before = board.state.copy()
        for p in range(16):
            if k.why_illegal(board.state, k.pad(p, 4), colour, False):
                assert k.play(board.state, k.pad(p, 4), colour, False) != 0
        assert (board.state == before).all()


def test_legal_mask_of_many_sizes_at_once():
    rows, sizes, colours, kos, wanted = [], [], [], [], []
    for size, moves in ((2, 40), (3, 100), (4, 200), (9, 30)):
        for board, twin, colour in random_game(size, moves, seed=size + 50):
            ko = board.ko if colour == board.to_play else NONE
            rows.append(np.pad(board.cells, (0, 81 - size * size)))
            sizes.append(size)
            colours.append(colour)
            kos.append(ko)
            legal = [twin.is_legal((p % size, p // size), colour) for p in range(size * size)]
            wanted.append(legal + [False] * (81 - size * size))
            assert legal_points(board.cells, size, colour, ko).tolist() == legal
    assert any(ko >= 0 for ko in kos)
    mask = legal_mask(np.array(rows), np.array(sizes), np.array(colours), np.array(kos))
    assert mask.tolist() == wanted


# replay ---------------------------------------------------------------------------------------------------------------


def record(size, *moves, setup=(), rules="", name="game"):
    """moves as "B aa", points by SGF letters."""
    rows = []
    for text in moves:
        colour, _, at = text.partition(" ")
        point = PASS if not at else (size - 1 - (ord(at[1]) - 97)) * size + ord(at[0]) - 97
        rows.append(("BW".index(colour) + 1, point))
    return Record(name, size, np.array(rows, np.int16).reshape(-1, 2), tuple(setup), rules=rules)


def test_columns_of_a_replay():
    game = record(3, "B aa", "W", "B bb", "W cc")
    replayed = replay(game)
    assert replayed.illegal[0] == ""
    assert replayed.move.tolist() == [6, PASS, 4, 2]
    assert replayed.to_play.tolist() == [1, 2, 1, 2]
    assert replayed.last.tolist() == [NONE, 6, PASS, 4]
    assert replayed.last2.tolist() == [NONE, NONE, 6, PASS]
    assert replayed.board.tolist()[3] == [0, 0, 0, 0, 1, 0, 1, 0, 0]
    assert len(replayed) == 4


KO = ("B ba", "W ca", "B ab", "W db", "B bc", "W cc", "B cb", "W bb")  # white has just taken cb


@pytest.mark.parametrize(
    ("moves", "illegal"),
    [
        ((*KO, "B cb"), "move 9 (B C4): ko"),
        ((*KO, "B ee", "W ed", "B cb"), ""),
        ((*KO, "B", "W", "B cb"), ""),
        ((*KO, "W cb"), ""),  # to fill one's own ko is no taking back
        (("B aa", "W aa"), "move 2 (W A5): occupied"),
        (("B ab", "B ba", "W aa"), "move 3 (W A5): suicide"),
        (("B ab", "B bb", "B ca", "W ba", "W aa"), "move 5 (W A5): suicide"),
        ((), ""),
    ],
)
def test_where_a_replay_stops(moves, illegal):
    replayed = replay(record(5, *moves))
    assert replayed.illegal[0] == illegal
    assert len(replayed) == len(moves) - bool(illegal)


def test_the_ko_column_speaks_of_the_mover():
    assert replay(record(5, *KO, "B ee", "W ed")).ko.tolist() == [NONE] * 8 + [3 * 5 + 2, NONE]
    assert replay(record(5, *KO, "W ee")).ko.tolist() == [NONE] * 9


@pytest.mark.parametrize(
    "rules",
    [
        "NZ",
        "New Zealand",
        "Tromp-Taylor",
        "GOE",
        "Ing",
        "koSIMPLEscoreAREAtaxNONEsui1",
        "应氏",
        "Tromp/Taylor",
        '{"suicide":true}',
    ],
)
def test_rule_sets_with_suicide(rules):
    replayed = replay(record(3, "B ab", "B bb", "B ca", "W ba", "W aa", "B cc", rules=rules))
    assert replayed.illegal[0] == ""
    assert replayed.board[5].tolist() == [0, 0, 0, 1, 1, 0, 0, 0, 1]  # both white stones are gone


@pytest.mark.parametrize(
    "rules", ["Japanese", "Chinese", "AGA", "Korean", "kingston", "koSIMPLEsui0", '{"suicide":false}', ""]
)
def test_rule_sets_without_suicide(rules):
    assert replay(record(3, "B ab", "B ba", "W aa", rules=rules)).illegal[0] == "move 3 (W A3): suicide"


def test_setup_before_and_between_moves():
    game = record(3, "W bb", "B cc", setup=[Setup(0, 1, 0), Setup(0, 1, 8), Setup(1, 0, 0), Setup(1, 2, 1)])
    replayed = replay(game)
    assert replayed.board.tolist() == [[1, 0, 0, 0, 0, 0, 0, 0, 1], [0, 2, 0, 0, 2, 0, 0, 0, 1]]
    assert replayed.last.tolist() == [NONE, NONE]


@pytest.mark.parametrize(("after", "rows"), [(0, 0), (1, 1), (2, 2)])
def test_setup_without_liberties_stops_the_replay(after, rows):
    dead = [Setup(after, 1, 1), Setup(after, 1, 3), Setup(after, 2, 0)]
    replayed = replay(record(3, "W cc", "W cb", setup=dead))
    assert replayed.illegal[0] == f"before move {after + 1}: setup leaves a chain without liberties"
    assert len(replayed) == rows


SOME = [
    record(3, "B aa", "W bb"),
    record(5, *KO, "B cb"),
    record(9),
    record(3, "W aa", "B aa"),
    record(9, "B ee", setup=[Setup(0, 2, 0)]),
    record(3, "W bb", "B cc", setup=[Setup(0, 1, 0), Setup(0, 1, 8), Setup(1, 0, 0), Setup(1, 2, 1)]),
    record(3, "B ab", "B bb", "B ca", "W ba", "W aa", "B cc", rules="NZ"),
]


def test_many_games_in_one_call():
    games = SOME[:5]
    many = replay_many(games)
    assert many.illegal == [replay(game).illegal[0] for game in games]
    assert np.diff(many.first).tolist() == [2, 8, 0, 1, 1]
    assert many.game.tolist() == [0] * 2 + [1] * 8 + [3] + [4]
    for i, game in enumerate(games):
        alone = replay(game)
        rows = slice(many.first[i], many.first[i + 1])
        assert (many.size[rows] == game.size).all()
        assert (many.board[rows, : game.size**2] == alone.board).all()
        assert not many.board[rows, game.size**2 :].any()
        for column in ("ko", "last", "last2", "to_play", "move"):
            assert (getattr(many, column)[rows] == getattr(alone, column)).all()
    assert len(replay_many([])) == 0


@pytest.mark.parametrize("bad", [record(1), record(20), record(3, "B ca", "B ia"), record(3, setup=[Setup(0, 1, 9)])])
def test_points_off_the_board_never_reach_a_kernel(bad):
    with pytest.raises(ValueError, match="board"):
        replay(bad)


@pytest.mark.parametrize("game", SOME)
def test_the_replay_of_any_game_has_the_same_positions(game):
    """In which neither the side that moves nor a rule of repetition has a say, as in the replay of Go alone."""
    (history, why), fast = played(game, GO), replay(game)
    assert why == fast.illegal[0]
    before = history.positions[: len(history.moves)]
    assert [Board.of_state(state).cells.tolist() for state in before] == fast.board.tolist()
    assert [move for _, move in history.moves] == fast.move.tolist()


# real games -----------------------------------------------------------------------------------------------------------


def compare_with_sgfmill(path):
    """Compare a file's games with sgfmill's boards move by move; returns the number of moves."""
    count = 0
    for game in read_games(path.read_bytes(), str(path), GO):
        assert not isinstance(game, Problem)
        if game.setup:
            continue
        replayed = replay(game)
        assert replayed.illegal[0] == ""
        board, ours, ko = boards.Board(game.size), Board(game.size), (NONE, 0)
        for i, (colour, point) in enumerate(game.moves.tolist()):
            assert ours.board == board.board, path
            assert (replayed.board[i] == ours.cells).all()
            assert replayed.ko[i] == (ko[0] if ko[1] == colour else NONE)
            ours.play_point(point, colour)
            taken = None if point == PASS else board.play(*divmod(point, game.size), " bw"[colour])
            ko = (NONE, 0) if taken is None else (taken[0] * game.size + taken[1], 3 - colour)
        assert ours.board == board.board
        assert ours.area_score() == board.area_score()
        count += len(replayed)
    return count


FOLDERS = ["go9-pro/train", "go9-pro/valid", "go9-dan/train", "go9-dan/valid"] + [
    f"go9-bands/{band}" for band in ("20k", "15k", "10k", "5k", "1k")
]


@needs_shared
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_sample_of_real_games_against_sgfmill(folder):
    files = sorted((SHARED / folder).glob("*.sgf"))[::12]
    assert sum(compare_with_sgfmill(path) for path in files) > 100


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize("folder", FOLDERS)
def test_all_real_games_against_sgfmill(folder):
    files = sorted((SHARED / folder).glob("*.sgf"))
    assert sum(compare_with_sgfmill(path) for path in files) > 1000
