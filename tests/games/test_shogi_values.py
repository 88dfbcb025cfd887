"""What searches of shogi go by: worthy and noisy moves, orders, keys, material; and the mates that alpha-beta finds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from games.test_shogi import ENTERED, State, after, mixed, move, texts, walk
from support import plain_shogi
from support.meanings import measured
from support.shogi_by_cshogi import SHOGI, random_pieces
from support.slow_search import listed

from gotools.engines.players import new_player
from gotools.game.choice import Limits
from gotools.game.game import find_game
from gotools.game.history import History
from gotools.games.shogi.board import USUAL, read_sfen, write_sfen
from gotools.games.shogi.inputs import MATERIAL_HEURISTIC
from gotools.games.shogi.kernels import attacks
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.vocabulary import VOCABULARY
from gotools.jit.kernels.seams import ONGOING, TO_PLAY

WORTH = {
    "P": 1,
    "L": 3,
    "N": 4,
    "S": 5,
    "G": 6,
    "B": 8,
    "R": 10,
    "+P": 7,
    "+L": 6,
    "+N": 6,
    "+S": 6,
    "+B": 10,
    "+R": 12,
}
IN_HAND = {"P": 1, "L": 3, "N": 4, "S": 5, "G": 6, "B": 9, "R": 11}


def named(state: State, kind: str) -> set[str]:
    return {SHOGI.move_text(one, 9) for one in listed(SHOGI, getattr(SHOGI, kind))(state)}


def test_moves_worth_searching_are_all_but_non_promotions_that_lose_nothing() -> None:
    left_out: Counter[str] = Counter()
    for state in mixed(16):
        legal, worthy, twin = named(state, "legal"), named(state, "worthy"), plain_shogi.read(write_sfen(state))
        expected = set()
        for text in legal:
            piece = "" if text == "win" or text[1] == "*" else twin.board[plain_shogi.square_of(text)][1]
            near = piece == "L" and plain_shogi.ahead(twin.side, plain_shogi.square_of(text[2:])) < 2
            if f"{text}+" not in legal or not (piece in ("P", "B", "R") or near):
                expected.add(text)
            else:
                left_out[piece] += 1
        assert worthy == expected, write_sfen(state)
    assert min(left_out[piece] for piece in "PLBR") > 2


def takes(board: dict[plain_shogi.Square, tuple[int, str]], text: str) -> bool:
    """Return whether a move, no declaration, captures."""
    return text[1] != "*" and plain_shogi.square_of(text[2:]) in board


def gain_of(state: State, board: dict[plain_shogi.Square, tuple[int, str]], text: str) -> int:
    """Return what a move of a piece gains by promoting and, as vocabulary.pl has it, by the exchange that follows."""
    columns, _, _ = measured(SHOGI, state, [move(text)])
    wins, loses = (max(0, int(columns[0, VOCABULARY.column_of[name]])) for name in ("wins", "loses"))
    piece = board[plain_shogi.square_of(text)][1]
    return wins - loses + (WORTH[f"+{piece}"] - WORTH[piece] if text[-1] == "+" else 0)


def test_noisy_moves_are_the_captures_and_promotions_among_the_worthy_that_lose_nothing() -> None:
    found, lose = 0, 0
    for state in mixed(12):
        board = plain_shogi.read(write_sfen(state)).board
        worthy = named(state, "worthy") - {"win"}
        loud = {text for text in worthy if text[-1] == "+" or takes(board, text)}
        expected = {text for text in loud if gain_of(state, board, text) >= 0}
        assert named(state, "noisy") == expected <= named(state, "legal"), write_sfen(state)
        found, lose = found + len(expected), lose + len(loud - expected)
    assert found + lose > 500 and lose > 100


def test_a_finished_game_has_no_moves_of_any_kind() -> None:
    state = read_sfen("4k4/9/9/3r5/4G4/9/9/9/4K4 b - 1")
    assert named(state, "noisy") == {"5e6d"} <= named(state, "worthy") <= named(state, "legal")
    for entry, value in ((p.LIMIT, state[p.PLIES]), (p.DECLARED, 2)):
        ended = state.copy()
        ended[entry] = value
        assert named(ended, "noisy") == named(ended, "worthy") == named(ended, "legal") == set()


def scores(state: State, moves: list[str]) -> dict[str, float]:
    """Return the scores of moves by the order `captures`."""
    found = np.zeros(len(moves), np.float64)
    numbers = np.zeros(0, np.int64)
    SHOGI.find_order("captures")(state, np.array([move(text) for text in moves], np.int32), len(moves), found, numbers)
    return dict(zip(moves, found.tolist(), strict=True))


def test_the_order_tries_large_captures_by_small_pieces_first() -> None:
    state = read_sfen("4k4/9/9/3r1p3/4G4/3R1L3/9/9/4K4 b B 1")
    found = scores(state, ["5e6d", "5e4d", "6f6d", "4f4d", "5e5d", "B*1e", "6f6e"])
    assert found["5e6d"] > found["6f6d"] > found["4f4d"] > found["5e4d"] > 0  # of a rook, then of a pawn
    assert found["5e5d"] == found["B*1e"] == found["6f6e"] == 0


def test_the_order_tries_promotions_and_declarations_before_quiet_moves() -> None:
    state = read_sfen("4k4/9/8p/9/8R/P8/9/9/4K4 b - 1")
    found = scores(state, ["1e1c+", "1e1c", "1e1d", "9f9e"])
    assert found["1e1c+"] > found["1e1c"] > found["1e1d"] == found["9f9e"] == 0
    first = scores(read_sfen(f"{ENTERED}/9/9/9/9/4k4 b RB 1"), ["win", "9a8b", "R*5e"])
    assert max(first, key=first.__getitem__) == "win"


def test_the_order_knows_captures_promotions_and_declarations_alone() -> None:
    for state in mixed(4):
        board, moves = plain_shogi.read(write_sfen(state)).board, texts(state)
        first = {text for text, score in scores(state, moves).items() if score > 0}
        assert first == {text for text in moves if text == "win" or text[-1] == "+" or takes(board, text)}
        assert all(score >= 0 for score in scores(state, moves).values())


def worth(state: State) -> int:
    """Return the material of side 1 less that of side 2."""
    twin = plain_shogi.read(write_sfen(state))
    board = sum(WORTH[piece] * (1 if side == 1 else -1) for side, piece in twin.board.values() if piece != "K")
    mine, theirs = (sum(IN_HAND[piece] for piece in hand.elements()) for hand in twin.hands)
    return board + mine - theirs


def value(state: State) -> float:
    return float(MATERIAL_HEURISTIC.evaluate(state, MATERIAL_HEURISTIC.numbers))


def test_material_is_counted_and_antisymmetric() -> None:
    leads = set()
    for state in mixed(8):
        lead = worth(state) * (1 if state[TO_PLAY] == 1 else -1)
        assert value(state) == pytest.approx(lead / (20 + abs(lead)))
        other = state.copy()
        other[TO_PLAY] = 3 - state[TO_PLAY]
        assert value(other) == -value(state)
        assert value(read_sfen(plain_shogi.turned(write_sfen(state)))) == value(state)
        leads.add(lead)
    assert value(SHOGI.position()) == 0 and len(leads) > 30
    assert SHOGI.find_heuristic() is MATERIAL_HEURISTIC


def near_kings(sfen: str) -> Counter[str]:
    """Count own pieces less the other side's, by kind and by their distance to each king; and those in hand."""
    twin, found = plain_shogi.read(sfen), Counter[str]()
    king = {side: square for square, (side, piece) in twin.board.items() if piece == "K"}
    for (file, rank), (side, piece) in twin.board.items():
        for name, whose in (("own", side), ("other", 3 - side)) if piece != "K" else ():
            away = max(abs(file - king[whose][0]), abs(rank - king[whose][1]))
            found[f"{piece} {away} from the {name} king"] += 1 if side == twin.side else -1
    for side, hand in enumerate(twin.hands, 1):
        for piece in hand.elements():
            found[f"{piece} in hand"] += 1 if side == twin.side else -1
    return found


def test_inputs_by_the_distance_to_kings_are_those_of_the_twin() -> None:
    features, seen = SHOGI.find_features("kings"), set[str]()
    labels, x = features.labels(9), np.empty(len(features.labels(9)), np.float64)
    assert len(set(labels)) == len(labels) == 215
    for state in mixed(8):
        features.inputs(state, x)
        expected = near_kings(write_sfen(state))
        assert dict(zip(labels, x.tolist(), strict=True)) == {label: float(expected[label]) for label in labels}
        assert expected.keys() <= set(labels)
        seen |= expected.keys()
    assert len(seen) > 150


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("7g7f 3c3d 2g2f 8c8d", "2g2f 8c8d 7g7f 3c3d"),
        ("7g7f 3c3d 8h2b+ 3a2b", "7g7f 3c3d 8h2b 3a2b"),  # whatever was taken
        ("2h3h 8b7b 3h2h 7b8b 2g2f", "2g2f"),
    ],
)
def test_transpositions_have_one_key(one: str, other: str) -> None:
    first, second = (after(SHOGI.position(), words) for words in (one, other))
    assert SHOGI.key(first) == SHOGI.key(second)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (USUAL, USUAL.replace(" b ", " w ")),
        ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "4k4/9/9/9/9/9/9/9/4K4 b p 1"),
        ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "4k4/9/9/9/9/9/9/9/4K4 b 2P 1"),
        ("4k4/9/9/4P4/9/9/9/9/4K4 b - 1", "4k4/9/9/4+P4/9/9/9/9/4K4 b - 1"),
        ("4k4/9/9/4P4/9/9/9/9/4K4 b - 1", "4k4/9/9/4p4/9/9/9/9/4K4 b - 1"),
        ("4k4/9/9/4P4/9/9/9/9/4K4 b - 1", "4k4/9/9/5P3/9/9/9/9/4K4 b - 1"),
    ],
)
def test_what_differs_has_different_keys(one: str, other: str) -> None:
    assert SHOGI.key(read_sfen(one)) != SHOGI.key(read_sfen(other))


def test_keys_are_equal_for_equal_positions_alone() -> None:
    keys: dict[str, int] = {}
    for seed in range(30):
        for state in walk(seed, USUAL if seed % 2 else random_pieces(random.Random(seed))):
            without_number = write_sfen(state).rpartition(" ")[0]
            assert keys.setdefault(without_number, SHOGI.key(state)) == SHOGI.key(state)
    assert len(set(keys.values())) == len(keys) > 2_000


def test_keys_differ_near_the_limit_by_the_plies_left() -> None:
    early, late = SHOGI.position(), SHOGI.position()
    late[p.PLIES] = 102
    assert SHOGI.key(early) == SHOGI.key(late)
    early[p.PLIES], late[p.PLIES] = p.LONGEST_GAME - 12, p.LONGEST_GAME - 10
    assert SHOGI.key(early) != SHOGI.key(late)


# mates ----------------------------------------------------------------------------------------------------------------


def checks(state: State) -> Iterator[tuple[str, State]]:
    """Yield the moves that check, and what they lead to."""
    for text in texts(state):
        then = SHOGI.play(state, move(text))
        if attacks.in_check(then):
            yield text, then


def mates(state: State, plies: int) -> set[str]:
    """Return the checks that mate in so many plies at most, whatever the other side does."""
    return {
        text
        for text, then in checks(state)
        if not texts(then)
        or (plies > 1 and all(mates(SHOGI.play(then, move(answer)), plies - 2) for answer in texts(then)))
    }


@pytest.mark.parametrize(
    ("sfen", "plies"),
    [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", 1),
        ("8+r/4K1+n2/3+n5/9/9/9/9/k2+l5/9 w G2SNL4Pr2b3g2sn2l14p 1", 1),
        ("1p7/2B4PP/k1PP5/3G5/Ks6+p/P8/3L2P2/6N2/2+LS5 b 2RG2S2N2L7Pb2gn3p 1", 1),
        ("1+P+S+p+S2B+P/+R+P1+P1P1+PK/+P1+L1+P2+p1/3p4+L/8+r/9/6k+b1/5N3/3g5 w 3G2S3N2L6Pp 1", 3),
        ("+P+P2g+S1G+L/2+P+P+P1+P+P+P/+p1+PK1+N1+P1/g4+p1+S1/3+p5/9/4+p2+p1/8+R/4k3+p w RG2S2N3L2P2bn 1", 3),
        ("p2l+p1KRp/2+S1kPPG1/+P+P1P+p2L1/6p2/1l1g5/2n6/9/9/s2g5 w 2BG2S3NL7Prp 1", 3),
        ("3+P+S1+p1+P/3+p4+b/1g2g3+l/2P2+s+lp1/1+pG+p+Nn3/P1p+s+p4/2+pP4+N/4K+P3/1+p6k b 2R2Pbgsn2lp 1", 3),
    ],
)
def test_alpha_beta_finds_mates(sfen: str, plies: int) -> None:
    state = read_sfen(sfen)
    assert mates(state, plies) and (plies == 1 or not mates(state, 1))
    player = new_player("shogi", search="alphabeta", evaluation="none", extensions=0)  # they find longer mates, too
    choice = player.choose(at(state), Limits(depth=plies + 1))
    found = SHOGI.move_text(choice.move, 9)
    assert choice.value == 1.0 and found in mates(state, plies)
    for one in choice.line[:plies]:
        assert one in SHOGI.moves_of(state)
        state = SHOGI.play(state, one)
    assert SHOGI.outcome(state) == -1.0


def at(state: State) -> History:
    """Return a game that begins with a position."""
    return History(SHOGI, 9, (state,))


def test_alpha_beta_declares() -> None:
    player = new_player("shogi", search="alphabeta")
    choice = player.choose(at(read_sfen(f"{ENTERED}/9/9/9/9/4k4 b RB 1")), Limits(depth=1))
    assert choice.value == 1.0


def test_alpha_beta_takes_what_is_free_with_the_order_of_captures() -> None:
    state = read_sfen("4k4/9/9/3r5/4G4/9/9/9/4K4 b - 1")
    for order in (None, "captures"):
        choice = new_player("shogi", search="alphabeta", order=order).choose(at(state), Limits(depth=2))
        assert SHOGI.move_text(choice.move, 9) == "5e6d" and 0 < choice.value < 1


def test_random_games_have_an_end() -> None:
    game, ends = find_game("shogi:moves=200"), Counter[float]()
    for seed in range(30):
        random_state, state, played = np.array([seed], np.uint64), game.position(), np.zeros(1000, np.int32)
        game.playout(state, random_state, played)
        assert game.outcome(state) != ONGOING and played[0] == state[p.PLIES] <= 200
        ends[game.outcome(state)] += 1
    assert ends[0.0] and ends[-1.0]


@pytest.mark.parametrize("kind", ["legal", "worthy", "noisy"])
def test_white_lists_the_moves_that_black_would_list_on_the_board_turned(kind: str) -> None:
    """Searches look at the first of equal moves: both sides have to have the same ones there."""
    listing, seen = listed(SHOGI, getattr(SHOGI, kind)), 0
    for state in mixed(6):
        turned = read_sfen(plain_shogi.turned(write_sfen(state)))
        moves, others = ([SHOGI.move_text(one, 9) for one in listing(side)] for side in (state, turned))
        assert [plain_shogi.turned_move(text) for text in moves] == others
        seen += len(moves)
    assert seen > 100
