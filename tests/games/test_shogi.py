"""Shogi against independent truth: known counts, the package cshogi, a twin on dicts, positions made by hand."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from support import plain_shogi
from support.shogi_by_cshogi import OPENINGS, SHOGI, compare, openings, random_pieces, stripped

from gotools.game.game import find_game
from gotools.game.history import History
from gotools.games.shogi.board import USUAL, read_sfen, write_sfen
from gotools.games.shogi.kernels import attacks
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels import shogi as k
from gotools.jit.kernels.seams import ONGOING

State = NDArray[np.int32]
MIDDLE = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
"""From the games of a tournament, known for its counts."""
MOST_MOVES = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"
"""The position with the most moves that is known."""


def repetition_value(game, positions):
    return History(game, 9, tuple(positions)).repetition_value()


def move(text: str) -> int:
    return SHOGI.parse_move(text, 9)


def texts(state: State) -> list[str]:
    return [SHOGI.move_text(one, 9) for one in SHOGI.moves_of(state)]


def after(state: State, words: str) -> State:
    """Return the position after legal moves."""
    for text in words.split():
        assert text in texts(state), text
        state = SHOGI.play(state, move(text))
    return state


def placed(pieces: dict[tuple[int, int], str], side: str = "b", hands: str = "-") -> str:
    """Return the SFEN of pieces on squares (file, rank)."""
    rows = ["".join(pieces.get((file, rank), "1") for file in range(9, 0, -1)) for rank in range(1, 10)]
    return write_sfen(read_sfen(f"{'/'.join(rows)} {side} {hands}"))


def walk(seed: int, begin: str = USUAL, plies: int = 120) -> Iterator[State]:
    """Yield the positions of a random game, declarations left out."""
    rng, state = random.Random(seed), read_sfen(begin)
    for _ in range(plies):
        yield state
        moves = [one for one in SHOGI.moves_of(state) if one != p.DECLARE]
        if not moves:
            break
        state = SHOGI.play(state, rng.choice(moves))


def mixed(count: int) -> Iterator[State]:
    """Yield positions of random games and of pieces at random."""
    for seed in range(count):
        rng = random.Random(seed)
        states = list(walk(seed))
        yield from states[rng.randrange(20) :: 20]
        for _ in range(6):
            yield from walk(seed, random_pieces(rng), 2)


# the rules ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sfen", "counts"),
    [
        (USUAL, (30, 900, 25_470, 719_731)),
        pytest.param(USUAL, (30, 900, 25_470, 719_731, 19_861_490), marks=pytest.mark.slow, id="deep"),
        (MIDDLE, (207, 28_684, 4_809_015)),
        (MOST_MOVES, (593, 105_677)),
    ],
)
def test_sequences_of_moves_are_as_many_as_others_count(sfen: str, counts: tuple[int, ...]) -> None:
    state = read_sfen(sfen)
    assert tuple(k.count_leaves(state, depth) for depth in range(1, len(counts) + 1)) == counts


def test_the_usual_position() -> None:
    assert (SHOGI.position() == read_sfen(USUAL)).all()
    assert write_sfen(SHOGI.position()) == USUAL
    drawing = """
white (small) in hand: -
    9  8  7  6  5  4  3  2  1
    l  n  s  g  k  g  s  n  l  a
    .  r  .  .  .  .  .  b  .  b
    p  p  p  p  p  p  p  p  p  c
    .  .  .  .  .  .  .  .  .  d
    .  .  .  .  .  .  .  .  .  e
    .  .  .  .  .  .  .  .  .  f
    P  P  P  P  P  P  P  P  P  g
    .  B  .  .  .  .  .  R  .  h
    L  N  S  G  K  G  S  N  L  i
black (capitals) in hand: -"""
    assert SHOGI.draw(SHOGI.position()) == drawing[1:]


def test_pieces_in_hand_and_promoted_ones_are_drawn() -> None:
    drawing = SHOGI.draw(read_sfen("4k4/9/3+P5/9/9/6+r2/9/9/4K4 b R2G3Lb 1")).split("\n")
    assert drawing[0] == "white (small) in hand: b"
    assert drawing[4] == "    .  .  . +P  .  .  .  .  .  c"
    assert drawing[7] == "    .  .  .  .  .  . +r  .  .  f"
    assert drawing[-1] == "black (capitals) in hand: R G2 L3"


def check_against_twin(state: State) -> None:
    """Compare moves, what they lead to, checks and declarations with the twin."""
    twin = plain_shogi.read(write_sfen(state))
    found = texts(state)
    expected = {*plain_shogi.legal(twin), *["win"] * plain_shogi.can_declare(twin)}
    assert len(found) == len(set(found)) and set(found) == expected, write_sfen(state)
    assert attacks.in_check(state) == plain_shogi.in_check(twin, twin.side)
    assert (SHOGI.outcome(state) == ONGOING) == bool(expected)
    for text in found[:: max(1, len(found) // 8)]:
        if text != "win":
            then, ours = plain_shogi.after(twin, text), SHOGI.play(state, move(text))
            assert plain_shogi.read(write_sfen(ours)) == then, (write_sfen(state), text)


def test_moves_are_those_of_plain_rules() -> None:
    states = list(mixed(4))
    for state in states:
        check_against_twin(state)
    assert len(states) > 40 and sum(attacks.in_check(state) for state in states) > 2


def test_positions_are_those_of_cshogi() -> None:
    pytest.importorskip("cshogi")
    counts = compare(3_000, seed=1)
    assert min(counts["start"], counts["random pieces"]) > 300 and min(counts["checks"], counts["declarations"]) > 10
    assert counts["opening"] > 100 or not OPENINGS.exists()


@pytest.mark.slow
def test_many_positions_are_those_of_cshogi() -> None:
    pytest.importorskip("cshogi")
    counts = compare(100_000, seed=2)
    assert min(counts["declarations"], counts["checks"]) > 300 and counts["ends"] > 30


@pytest.mark.skipif(not OPENINGS.exists(), reason="no games of shogi in ../shared")
def test_real_openings_are_played() -> None:
    for line in openings()[::400]:
        state = after(SHOGI.position(), line)
        assert state[p.PLIES] == len(line.split()) and SHOGI.outcome(state) == ONGOING


BARE = "4k4/9/9/9/9/9/9/9/4K4 b {} 1"
MATE = "7nk/9/8G/9/9/9/9/9/4K4 b {} 1"
CASES = [
    # two pawns on a file
    ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e", "there is a pawn of one's own on file 5"),
    ("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*4e", ""),
    ("4k4/9/9/9/9/9/4+P4/9/4K4 b P 1", "P*5e", ""),
    ("4k4/9/4p4/9/9/9/9/9/4K4 b P 1", "P*5e", ""),
    ("4k4/9/9/9/9/9/4P4/9/4K4 b L 1", "L*5e", ""),
    # a pawn dropped to mate
    (MATE.format("P"), "P*1b", "a pawn may not be dropped to mate"),
    (MATE.format("L"), "L*1b", ""),
    (MATE.format("G"), "G*1b", ""),
    ("7nk/9/7GP/9/9/9/9/9/4K4 b - 1", "1c1b", ""),  # a pawn that moves may mate
    ("8k/9/8G/9/9/9/9/9/4K4 b P 1", "P*1b", ""),  # 2a is free
    ("7nk/9/9/9/9/9/9/9/4K4 b P 1", "P*1b", ""),  # nobody guards the pawn
    ("7gk/9/8G/9/9/9/9/9/4K4 b P 1", "P*1b", ""),  # the gold takes it
    ("7nk/7g1/6B1G/9/9/9/9/9/4K4 b P 1", "P*1b", "a pawn may not be dropped to mate"),  # the gold is pinned
    ("7nk/9/7G1/8r/9/8L/9/9/4K4 b P 1", "P*1b", ""),  # the rook takes it along the line of its pin
    ("7nk/9/7G1/9/9/9/9/9/4K4 b P 1", "P*1b", "a pawn may not be dropped to mate"),
    ("3nk4/3p5/3B1G3/9/9/9/9/9/4K4 b P 1", "P*5b", ""),  # the pawn shuts off the bishop from 4a
    ("3nk4/3p5/3B1GN2/9/9/9/9/9/4K4 b P 1", "P*5b", "a pawn may not be dropped to mate"),
    ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5b", ""),
    (MATE.format("P"), "P*1e", ""),
    # pieces that could never move again
    (BARE.format("P"), "P*1a", "P could never move again"),
    (BARE.format("L"), "L*1a", "L could never move again"),
    (BARE.format("N"), "N*1a", "N could never move again"),
    (BARE.format("N"), "N*1b", "N could never move again"),
    (BARE.format("PLN"), "P*1b", ""),
    (BARE.format("PLN"), "L*1b", ""),
    (BARE.format("PLN"), "N*1c", ""),
    (BARE.format("SGBR"), "S*1a", ""),
    ("4k4/8P/9/9/9/9/9/9/4K4 b - 1", "1b1a", "P could never move again"),
    ("4k4/8P/9/9/9/9/9/9/4K4 b - 1", "1b1a+", ""),
    ("4k4/9/9/9/8L/9/9/9/4K4 b - 1", "1e1a", "L could never move again"),
    ("4k4/9/9/9/8L/9/9/9/4K4 b - 1", "1e1b", ""),
    ("4k4/9/9/8N/9/9/9/9/4K4 b - 1", "1d2b", "N could never move again"),
    ("4k4/9/9/8N/9/9/9/9/4K4 b - 1", "1d2b+", ""),
    ("4k4/9/9/9/8N/9/9/9/4K4 b - 1", "1e2c", ""),
    # where pieces promote
    ("4k4/9/8R/9/9/9/9/9/4K4 b - 1", "1c1e+", ""),
    ("4k4/9/8R/9/9/9/9/9/4K4 b - 1", "1c2c+", ""),
    ("4k4/9/9/8R/9/9/9/9/4K4 b - 1", "1d1c+", ""),
    ("4k4/9/9/8R/9/9/9/9/4K4 b - 1", "1d1e+", "pieces promote in the last three rows only"),
    ("4k4/9/8G/9/9/9/9/9/4K4 b - 1", "1c1b+", "G does not promote"),
    ("4k4/9/8+S/9/9/9/9/9/4K4 b - 1", "1c1b+", "+S does not promote"),
    ("4k4/9/8K/9/9/9/9/9/9 b - 1", "1c1b+", "K does not promote"),
    # what a piece can do
    ("4k4/9/9/9/8r/9/9/9/4K4 b P 1", "1e1d", "1e holds a piece of the other side"),
    ("4k4/9/9/9/8r/9/9/9/4K4 b P 1", "1d1c", "1d is empty"),
    ("4k4/9/9/9/9/9/9/9/3GK4 b - 1", "5i6i", "6i holds a piece of one's own"),
    ("4k4/9/9/9/9/9/9/9/3GK4 b - 1", "6i7h", ""),
    ("4k4/9/9/9/9/9/9/9/3GK4 b - 1", "6i6g", "G does not move from 6i to 6g"),
    ("4k4/9/9/9/P8/R8/9/9/4K4 b - 1", "9f9d", "R does not move from 9f to 9d"),
    ("4k4/9/9/9/P8/R8/9/9/4K4 b - 1", "9f1f", ""),
    ("4k4/9/9/9/9/9/9/9/1N2K4 b - 1", "8i9h", "N does not move from 8i to 9h"),
    ("4k4/9/9/9/9/9/9/9/1N2K4 b - 1", "8i7g", ""),
    (BARE.format("-"), "B*1e", "there is no B in hand"),
    (BARE.format("b"), "B*1e", "there is no B in hand"),
    (BARE.format("B"), "B*5i", "5i is not empty"),
    # checks
    ("4k4/9/9/9/4r4/9/9/9/4K3G b P 1", "1i1h", "it leaves the king in check"),
    ("4k4/9/9/9/4r4/9/9/9/4K3G b P 1", "P*1e", "it leaves the king in check"),
    ("4k4/9/9/9/4r4/9/9/9/4K3G b P 1", "P*5f", ""),
    ("4k4/9/9/9/4r4/9/9/9/4K3G b P 1", "5i6h", ""),
    ("4k4/9/9/9/9/9/3nG4/9/4K4 b P 1", "P*5h", "it leaves the king in check"),  # nothing stands before a knight
    ("4k4/9/9/9/4r4/9/4G4/9/4K4 b - 1", "5g4g", "it puts one's own king in check"),
    ("4k4/9/9/9/4r4/9/4G4/9/4K4 b - 1", "5g5f", ""),
    ("4k4/9/9/9/3r5/9/4G4/9/4K4 b - 1", "5i6i", "it puts one's own king in check"),
    ("4k4/9/9/9/9/9/9/9/4K4 b - 1", "win", "the king has not entered with enough pieces and points, or is in check"),
]


@pytest.mark.parametrize("side", ["b", "w"])
@pytest.mark.parametrize(("sfen", "text", "why"), CASES)
def test_what_the_rules_allow_and_forbid(sfen: str, text: str, why: str, side: str) -> None:
    """Both for side 1, and on the board turned for side 2."""
    if side == "w":
        sfen, text = plain_shogi.turned(sfen), plain_shogi.turned_move(text)
        why = re.sub("file ([1-9])", lambda found: f"file {10 - int(found[1])}", plain_shogi.turned_move(why))
    state = read_sfen(sfen)
    assert (text in texts(state)) == (not why)
    if why:
        found = SHOGI.why_illegal(state, move(text))
        assert found.upper() == why.upper()  # the letters of side 2 may be small
    check_against_twin(state)


@pytest.mark.parametrize(("sfen", "text", "why"), CASES)
def test_cshogi_allows_and_forbids_the_same(sfen: str, text: str, why: str) -> None:
    cshogi = pytest.importorskip("cshogi")
    board = cshogi.Board(sfen)
    assert (text in stripped({cshogi.move_to_usi(one) for one in board.legal_moves}, board)) == (not why)


def test_a_position_after_a_pawn_that_mates_by_a_move_is_lost() -> None:
    state = after(read_sfen("7nk/9/7GP/9/9/9/9/9/4K4 b - 1"), "1c1b")
    assert SHOGI.outcome(state) == -1.0 and texts(state) == []


@pytest.mark.parametrize(
    ("sfen", "expected"),
    [
        ("4k4/9/9/9/4r4/9/2b6/9/4K4 b G 1", {"5i4i", "5i4h", "5i6i"}),  # two checks: the king alone moves
        ("4k4/9/9/9/4r4/9/3n5/9/3GK4 b - 1", {"5i4i", "5i4h", "5i6h"}),
        ("4k4/9/9/9/9/9/5n3/9/3GKG3 b P 1", {"5i4h", "5i5h", "5i6h"}),  # a knight's check: no drop helps
        ("3rkr3/9/9/9/9/9/9/4p4/4K4 b - 1", {"5i5h"}),  # a pawn that nobody guards
    ],
)
def test_answers_to_checks(sfen: str, expected: set[str]) -> None:
    assert set(texts(read_sfen(sfen))) == expected


@pytest.mark.parametrize("direction", [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)])
def test_a_pinned_piece_stays_on_its_line(direction: tuple[int, int]) -> None:
    def at(steps: int) -> tuple[int, int]:
        return 5 + steps * direction[0], 5 + steps * direction[1]

    straight = 0 in direction
    own, pinner = ("+R", "r") if straight else ("+B", "b")
    origin, targets = plain_shogi.name(at(2)), {plain_shogi.name(at(steps)) for steps in (1, 3, 4)}
    pinned = placed({at(0): "K", at(2): own, at(4): pinner})
    assert {text[2:] for text in texts(read_sfen(pinned)) if text[:2] == origin} == targets
    screened = placed({at(0): "K", at(1): "G", at(2): own, at(4): pinner})  # two pieces: neither is pinned
    assert len([text for text in texts(read_sfen(screened)) if text[:2] == origin]) > 4
    harmless = placed({at(0): "K", at(2): own, at(4): "b" if straight else "r"})  # it does not attack along the line
    assert len([text for text in texts(read_sfen(harmless)) if text[:2] == origin]) > 4


def test_a_lance_pins_before_it_alone() -> None:
    for own, lance, files in ((3, 1, {"5"}), (7, 8, {"4", "5", "6"})):
        state = read_sfen(placed({(5, 5): "K", (5, own): "G", (5, lance): "l"}))
        assert {text[2] for text in texts(state) if text[:2] == plain_shogi.name((5, own))} == files


def test_positions_without_a_king() -> None:
    """As in problems: the side without a king is never in check, and moves as it likes."""
    state = read_sfen("9/9/9/9/4r4/9/4G4/9/9 b P 1")
    check_against_twin(state)
    assert not attacks.in_check(state) and not k.can_declare(state) and "5g4g" in texts(state)
    assert SHOGI.outcome(read_sfen("9/9/9/9/9/9/9/9/9 b - 1")) == -1.0  # who has nothing cannot move
    assert k.count_leaves(read_sfen(MOST_MOVES), 1) + 1 <= p.LONGEST


# the end --------------------------------------------------------------------------------------------------------------


def test_who_cannot_move_has_lost_without_a_check_too() -> None:
    """The pawn is pinned, and the squares around the king are attacked."""
    state = read_sfen("4k4/9/9/9/4b4/9/ng7/1P7/K8 b - 1")
    check_against_twin(state)
    assert not attacks.in_check(state) and texts(state) == [] and SHOGI.outcome(state) == -1.0


@pytest.mark.parametrize("beyond", [p.KNIGHT, p.OTHER + p.KNIGHT])
@pytest.mark.parametrize(
    "corner", ["k8/9/9/9/9/9/9/9/4K4", "8k/9/9/9/9/9/9/9/4K4", "4K4/9/9/9/9/9/9/9/k8", "4K4/9/9/9/9/9/9/9/8k"]
)
def test_what_lies_beside_a_position_in_memory_gives_no_check(corner: str, beyond: int) -> None:
    memory = np.full(p.STATE + 200, beyond, np.int32)
    for sfen in (f"{corner} w - 1", f"{corner.swapcase()} b - 1"):
        state = memory[100:-100]
        state[:] = read_sfen(sfen)
        assert not attacks.in_check(state) and len(texts(state)) == 3


def test_a_game_is_a_draw_at_its_limit_unless_the_last_move_mates() -> None:
    game = find_game("shogi:moves=3")
    assert (game.plies, SHOGI.plies) == (3, p.LONGEST_GAME)
    state = game.position()
    for _ in range(3):
        assert game.outcome(state) == ONGOING
        state = game.play(state, game.moves_of(state)[0])
    assert game.outcome(state) == 0.0 and game.moves_of(state) == [] == game.worthy_moves_of(state)
    for text, value in (("G*1b", -1.0), ("G*5e", 0.0)):
        once = find_game(f"shogi:{MATE.format('G')},moves=1")
        assert once.outcome(once.play(once.position(), move(text))) == value


def test_the_limit_counts_from_the_start_position() -> None:
    game = find_game(f"shogi:{BARE.format('-').replace(' 1', ' 101')},moves=2")
    state = game.position()
    assert state[p.PLIES] == 100
    for _ in range(2):
        assert game.outcome(state) == ONGOING
        state = game.play(state, game.moves_of(state)[0])
    assert game.outcome(state) == 0.0


ENTERED = "RBGGKGGSS/SS7/9/9"
"""Ten pieces of 18 points beside the king."""


@pytest.mark.parametrize("side", [1, 2])
@pytest.mark.parametrize(
    ("rows", "hand", "points"),
    [
        (ENTERED, "RB", 28),
        (ENTERED, "B5P", 28),
        (ENTERED, "B4P", 27),
        (ENTERED, "B3P", 26),
        (ENTERED, "10P", 28),
        (ENTERED, "4N4L", 26),
        ("+R+BGGKGGSS/SS7/9/9", "B5P", 28),
        ("RBGGKGGSS/S8/+P8/9", "RB", 28),
        ("RBGGKGGSS/SS7/9/+P8", "9P", 27),  # what is outside counts nothing
        ("RBGGKGGSS/S8/9/+P8", "RB9P", 0),  # nine in the zone
        ("RBGG1GGSS/SS7/9/4K4", "RB9P", 0),  # the king outside
        ("RBGGKGGSS/SS7/4r4/9", "B13P", 0),  # in check
        ("RBGGKGGSS/SS7/3r5/9", "B13P", 36),
    ],
)
def test_a_declaration_needs_its_points(rows: str, hand: str, points: int, side: int) -> None:
    """28 for side 1, 27 for side 2, which moves second."""
    sfen = f"{rows}/9/9/9/9/4k4 b {hand} 1"
    state = read_sfen(sfen if side == 1 else plain_shogi.turned(sfen))
    assert ("win" in texts(state)) == (points >= 29 - side) == bool(k.can_declare(state))
    check_against_twin(state)
    if points < 29 - side:
        assert SHOGI.why_illegal(state, p.DECLARE).startswith("the king has not entered")
        return
    ended = SHOGI.play(state, p.DECLARE)
    assert SHOGI.outcome(ended) == -1.0 and texts(ended) == []
    assert SHOGI.key(ended) != SHOGI.key(state)


def repetition(sfen: str, cycle: str, times: int = 3, before: str = "") -> list[float | None]:
    """Return the value by repetition in each position of a game."""
    states = [read_sfen(sfen)]
    for text in [*before.split(), *cycle.split() * times]:
        states.append(after(states[-1], text))
    return [repetition_value(SHOGI, states[: i + 1]) for i in range(len(states))]


CHECKED = "4k4/9/9/9/9/9/9/5R3/K8 b - 1"
CHASE = "4h5h 5a4a 5h4h 4a5a"
"""Every move of the rook checks."""


@pytest.mark.parametrize(
    ("sfen", "cycle", "before", "value"),
    [
        (USUAL, "2h3h 8b7b 3h2h 7b8b", "", 0.0),
        (CHECKED, CHASE, "", -1.0),  # to play is who checked
        (plain_shogi.turned(CHECKED), " ".join(map(plain_shogi.turned_move, CHASE.split())), "", -1.0),
        (CHECKED.replace("5R3/K8 b", "4R4/K8 w"), "5a4a 5h4h 4a5a 4h5h", "", 1.0),  # to play is who was checked
        (CHECKED, "4h5h 5a4a 5h3h 4a5a 3h2h 5a6a 2h4h 6a5a", "", 0.0),  # most moves do not check
        (CHECKED.replace("5R3", "6R2"), CHASE, "3h2h 5a6a 2h4h 6a5a", -1.0),  # what was before does not matter
    ],
)
def test_a_position_for_the_fourth_time(sfen: str, cycle: str, before: str, value: float) -> None:
    """A draw, or lost for who checked with every move since the first time."""
    found = repetition(sfen, cycle, 3, before)
    assert found == [None] * (len(found) - 1) + [value]


def test_the_same_board_with_other_pieces_in_hand_is_no_repetition() -> None:
    first, other, second = (read_sfen(BARE.format("P").replace(" b P", hands)) for hands in (" b P", " w P", " b 2P"))
    twice = find_game("shogi:repetition=2")
    assert repetition_value(twice, [first, other, second]) is None
    assert repetition_value(twice, [first, other, second, other]) == 0.0
    assert repetition_value(twice, [first, other, first]) == 0.0
