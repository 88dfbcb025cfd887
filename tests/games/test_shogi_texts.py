"""Shogi as text: moves, reasons, SFEN, handicaps and other settings."""

from __future__ import annotations

import random
import re

import pytest
from games.test_shogi import after, check_against_twin, mixed, move, texts
from hypothesis import given, settings
from hypothesis import strategies as st
from support import plain_shogi
from support.shogi_by_cshogi import SHOGI, random_pieces

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.game.history import History
from gotools.games.shogi.board import HANDICAPS, USUAL, held, read_sfen, write_sfen
from gotools.games.shogi.kernels import attacks
from gotools.games.shogi.kernels import pieces as p
from gotools.jit.kernels.seams import TO_PLAY

# texts ----------------------------------------------------------------------------------------------------------------


def repetition_value(game, positions):
    return History(game, 9, tuple(positions)).repetition_value()


@pytest.mark.parametrize("text", ["", "7g", "7g7", "0g7f", "7j7f", "K*5e", "P*5e+", "pass", "7g7f++", "7g7f=", "x*5e"])
def test_what_is_not_a_move_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a move of shogi; write 7g7f, 8h2b.+ to promote") as error:
        move(text)
    assert repr(text) in str(error.value)


def test_every_text_of_a_move_is_its_own() -> None:
    found = {SHOGI.move_text(one, 9): one for one in range(p.MOVES) if one < 2 * 81 * 81 or one % 2 == 0}
    assert len(found) == 2 * 81 * 81 + 7 * 81 + 1
    assert all(move(text) == one == move(text.upper()) for text, one in found.items())
    assert {"9a1i", "1i9a+", "P*9a", "R*1i", "win"} <= set(found)


def test_reasons_are_those_of_plain_rules() -> None:
    """For moves of all kinds that are not legal: checks are named exactly where the piece could move."""
    rng, named = random.Random(3), set()
    for state in list(mixed(6))[::2]:
        twin = plain_shogi.read(write_sfen(state))
        pseudo, legal, check = set(plain_shogi.pseudo_legal(twin)), set(texts(state)), attacks.in_check(state)
        drops = [2 * one for one in rng.sample(range(81 * 81, 81 * 88), 60)]
        own = [one for one in range(2 * 81 * 81) if SHOGI.move_text(one, 9) in pseudo]
        for one in [*drops, *own, *rng.sample(range(2 * 81 * 81), 100)]:
            text = SHOGI.move_text(one, 9)
            if text in legal:
                continue
            why = SHOGI.why_illegal(state, one)
            by_check = "it leaves the king in check" if check else "it puts one's own king in check"
            assert (why in (by_check, "a pawn may not be dropped to mate")) == (text in pseudo), (text, why)
            assert "king in check" not in why or why == by_check
            named.add(re.sub(r"\+?[A-Z]\b|[1-9][a-i]", "_", why))
    assert len(named) > 8


sfens = st.integers(0, 10**6).map(lambda seed: random_pieces(random.Random(seed)))


@given(sfens, st.integers(1, 99_999))
@settings(max_examples=60)
def test_sfen_is_read_back(sfen: str, number: int) -> None:
    text = f"{sfen.rpartition(' ')[0]} {number}"
    state = read_sfen(text)
    assert write_sfen(state) == text and state[p.PLIES] == number - 1
    assert (read_sfen(sfen.rpartition(" ")[0])[p.LIMIT :] == state[p.LIMIT :]).all()  # without a number it is 1
    twin = plain_shogi.read(text)
    for side in (1, 2):
        assert held(state, side) == twin.hands[side - 1]
    assert twin == plain_shogi.read(plain_shogi.turned(plain_shogi.turned(text)))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "'' is no SFEN: board, side to play (b or w), hands, number of the move"),
        (USUAL.replace(" b ", " x "), "is no SFEN"),
        (USUAL.replace(" - 1", ""), "is no SFEN"),
        (USUAL.replace(" - 1", " - 0"), "is no SFEN"),
        (USUAL.replace(" - 1", " - x"), "is no SFEN"),
        (USUAL.replace(" - 1", " - 100000"), "is no SFEN"),
        (f"{USUAL} 1", "is no SFEN"),
        (USUAL.replace("/9/9/9/", "/9/9/"), "8 rows, not 9"),
        (USUAL.replace("/9/9/9/", "/9/9/9/9/"), "10 rows, not 9"),
        (USUAL.replace("/9/9/9/", "/9/8/9/"), "row '8' has 8 squares, not 9"),
        (USUAL.replace("/9/9/9/", "/9/9p/9/"), "row '9p' has 10 squares, not 9"),
        (USUAL.replace("/9/9/9/", "/9/8x/9/"), "there is no piece 'x'"),
        (USUAL.replace("/9/9/9/", "/9/8+G/9/"), "there is no piece '+G'"),
        (USUAL.replace("/9/9/9/", "/9/8+k/9/"), "there is no piece '+k'"),
        (USUAL.replace("/9/9/9/", "/9/08/9/"), "there is no piece '0'"),
        (USUAL.replace("/9/9/9/", "/9/8+/9/"), "there is no piece '+'"),
        (USUAL.replace("/9/9/9/", "/9/8K/9/"), "two kings of a side"),
        (USUAL.replace(" - ", " K "), "'K' are no pieces in hand, such as 2P or Rb3p; - for none"),
        (USUAL.replace(" - ", " 2 "), "'2' are no pieces in hand"),
        (USUAL.replace(" - ", " 0P "), "'0P' are no pieces in hand"),
        (USUAL.replace(" - ", " P- "), "'P-' are no pieces in hand"),
        (USUAL.replace(" - ", " +P "), "'+P' are no pieces in hand"),
        (USUAL.replace(" - ", " p "), "19 pieces of kind P, at most 18"),
        (USUAL.replace(" - ", " R "), "3 pieces of kind R, at most 2"),
        (USUAL.replace("/9/9/9/", "/9/8+b/9/"), "3 pieces of kind B, at most 2"),
        ("4k3P/9/9/9/9/9/9/9/4K4 b - 1", "the P on 1a could never move"),
        ("4k3L/9/9/9/9/9/9/9/4K4 b - 1", "the L on 1a could never move"),
        ("4k4/8N/9/9/9/9/9/9/4K4 b - 1", "the N on 1b could never move"),
        ("4k4/9/9/9/9/9/9/n8/4K4 b - 1", "the N on 9h could never move"),
        ("4k4/9/9/9/9/9/9/9/p3K4 b - 1", "the P on 9i could never move"),
        ("4k4/9/P8/9/P8/9/9/9/4K4 b - 1", "two pawns of a side on file 9"),
        ("4k4/9/9/9/p8/9/9/p8/4K4 w - 1", "two pawns of a side on file 9"),
        ("4k4/9/9/9/9/4R4/9/9/4K4 b - 1", "the king of the side that has moved is in check"),
        ("4k4/9/9/9/9/4r4/9/9/4K4 w - 1", "the king of the side that has moved is in check"),
    ],
)
def test_what_is_no_sfen_is_refused(text: str, what: str) -> None:
    with pytest.raises(GotoolsError) as error:
        read_sfen(text)
    assert what in str(error.value)


@given(st.text("PLNSGBRKplnsgbrk+123456789/bw- ", max_size=60) | st.text(max_size=20))
@settings(max_examples=60)
def test_any_text_is_sfen_or_refused(text: str) -> None:
    try:
        state = read_sfen(text)
    except GotoolsError as error:
        assert "SFEN" in str(error)
    else:
        assert (read_sfen(write_sfen(state)) == state).all()


# settings -------------------------------------------------------------------------------------------------------------

MISSING = {
    "lance": "1a", "right-lance": "9a", "bishop": "2b", "rook": "8b", "rook-lance": "8b 1a", "two-piece": "8b 2b",
    "three-piece": "8b 2b 1a", "four-piece": "8b 2b 9a 1a", "five-piece": "8b 2b 9a 1a 8a",
    "five-piece-left": "8b 2b 9a 1a 2a", "six-piece": "8b 2b 9a 1a 8a 2a", "seven-piece": "8b 2b 9a 1a 8a 2a 3a",
    "seven-piece-left": "8b 2b 9a 1a 8a 2a 7a", "eight-piece": "8b 2b 9a 1a 8a 2a 7a 3a",
    "ten-piece": "8b 2b 9a 1a 8a 2a 7a 3a 6a 4a",
}  # fmt: skip
"""Squares of the pieces that white plays without."""


@pytest.mark.parametrize("name", HANDICAPS)
def test_handicaps_take_pieces_of_white_who_moves_first(name: str) -> None:
    game = find_game(f"shogi:{name}")
    state, usual = game.position(), plain_shogi.read(USUAL)
    for square in MISSING[name].split():
        del usual.board[plain_shogi.square_of(square)]
    usual.side = 2
    assert plain_shogi.read(write_sfen(state)) == usual
    assert game.full_name == f"shogi:{name}" and game.name == "shogi" and state[TO_PLAY] == 2
    assert set(MISSING) == set(HANDICAPS)
    check_against_twin(state)


def test_settings_of_start_moves_and_repetition() -> None:
    sfen = "4k4/9/9/9/9/9/9/9/4K4 w R2P 7"
    game = find_game(f"shogi:{sfen},moves=40,repetition=2")
    assert write_sfen(game.position()) == sfen and (game.plies, game.traits["Repetition"].count) == (40, 2)
    assert game.position()[p.LIMIT] == 46
    usual = find_game("shogi:moves=40")
    assert write_sfen(usual.position()) == USUAL and (usual.plies, usual.traits["Repetition"].count) == (40, 4)
    handicap = find_game("shogi:two-piece").started_from("repetition=0")
    assert handicap.full_name == "shogi:two-piece,repetition=0" and handicap.position()[TO_PLAY] == 2
    again = handicap.started_from("bishop")
    assert again.traits["Repetition"].count == 0 and write_sfen(again.position()) == HANDICAPS["bishop"]


@pytest.mark.parametrize(("count", "ends"), [(0, []), (2, [4]), (3, [8]), (4, [])])
def test_repetition_as_often_as_the_setting_says(count: int, ends: list[int]) -> None:
    game = find_game(f"shogi:repetition={count}")
    states = [game.position()]
    for text in 2 * ["2h3h", "8b7b", "3h2h", "7b8b"]:
        states.append(after(states[-1], text))
    found = [repetition_value(game, states[: i + 1]) for i in range(len(states))]
    assert [i for i, value in enumerate(found) if value == 0.0][:1] == ends
    assert set(found) <= {None, 0.0}


@pytest.mark.parametrize(
    ("setting", "what"),
    [
        ("", "shogi has no handicap ''"),
        ("two-pieces", "no handicap 'two-pieces'; did you mean 'two-piece'"),
        ("4k4/9 b -", "2 rows, not 9"),
        ("moves=0", "'moves=0' is not a number of 1 to 10000"),
        ("moves=10001", "is not a number of 1 to 10000"),
        ("rook,moves=", "'moves=' is not a number"),
        ("repetition=-1", "'repetition=-1' is not a number of 0 to 10000"),
        ("depth=3", "shogi has no setting 'depth'"),
        ("move=3", "no setting 'move'; did you mean 'moves'"),
    ],
)
def test_a_setting_that_cannot_be(setting: str, what: str) -> None:
    with pytest.raises(GotoolsError, match=what):
        find_game(f"shogi:{setting}")
