"""The vocabulary of shogi has one meaning: vocabulary.pl in SWI-Prolog says what the kernels say, at random."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.meanings import check_meaning, measured, values_of
from support.needs import needs_swipl

from gotools.game.game import find_game
from gotools.games.shogi import board as b
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels import vocabulary as k
from gotools.games.shogi.vocabulary import VOCABULARY
from gotools.jit.kernels.seams import TO_PLAY

SHOGI = find_game("shogi")
WINDOW = VOCABULARY.window
State = NDArray[np.int32]

EXAMPLES = [
    (b.USUAL, "7g7f", "piece pawn, row 4, file 7, direction ahead, opens_line b bishop, attackers_from b 2, leaves 0"),
    (b.USUAL, "2g2f", "king_distance b 3, king_distance w 5, approach b same, approach w nearer, flights 3"),
    ("4k4/9/2r1r4/9/9/9/9/9/K8 b S 1", "S*6d", "drop, threats 2, threatens 5, hand b 1, hand w 0, attackers_to w 0"),
    (
        "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b",
        "check, flights 0, covers w 4, least_attacker b pawn, least_attacker w king, pawn_on_file b",
    ),
    ("4k4/9/4S4/9/9/9/9/4R4/4K4 b - 1", "5c4b", "check, double_check, discovers, declines, loses 5"),
    ("4k4/4s4/9/9/9/9/9/9/4K4 b L 1", "L*5e", "pins, threatens 2"),
    ("9/6gk1/5gs2/9/9/9/9/6SK1/5G3 b P 1", "P*5e", "castle b mino, castle w yagura"),
    ("k8/9/9/9/9/9/9/7SL/8K b P 1", "P*5e", "castle b anaguma"),
    ("4k4/9/9/4p4/3Gs4/3P5/9/9/4K4 b - 1", "6e5e", "captured silver, captured_worth 5, loses 1, attackers_to w 1"),
    ("4k4/9/9/3ps4/3Gs4/3P5/9/9/4K4 b - 1", "6e5e", "loses 1, least_attacker w silver, direction aside"),
    ("4k4/9/9/4p4/3Sn4/9/9/9/4K4 b G 1", "6e5d", "captured pawn, wins 1, flights 5"),
    ("4k4/9/9/3pr4/4P4/9/9/9/3K5 b - 1", "5e5d", "captured rook, wins 10, flees 1, risk 1"),
    ("4k4/9/9/9/9/9/9/4r4/4K4 b G 1", "5i5h", "answers_check take"),
    ("4k4/9/9/9/9/9/9/4r4/4K4 b G 1", "5i4i", "answers_check flee"),
    ("4k4/9/9/9/9/4r4/9/9/4K4 b G 1", "G*5h", "answers_check block, covers b 2, least_attacker w rook"),
    ("4k4/9/9/9/3p5/4p4/3SG4/9/4K4 b P 1", "P*6f", "leaves 6, risk 6, attackers_to b 2"),
    ("4k4/9/9/9/9/4p4/4G4/9/4K4 b S 1", "S*5h", "defends, leaves 5"),
    ("4k4/9/9/9/4p4/3S+R4/4P4/4r4/K8 b - 1", "6f5e", "leaves 0"),  # the rook is shut out by the pawn
    ("4k4/9/4p4/4s4/4S4/4P4/9/9/4K4 b - 1", "5e5d", "trades, captured silver"),
    ("4k4/9/1P7/9/9/9/9/9/4K4 b - 1", "8c8b+", "promotes"),
    ("RBGGKGGSS/SS7/9/9/9/9/9/9/4k4 b B13P 1", "win", "declares, hand b 14"),
]  # fmt: skip
"""A position, a move, and what the measures say of it among other things."""


def states_of(seed: int, games: int) -> list[State]:
    """Positions of random games, half of the moves of which are captures and promotions; a check from each."""
    chance, found = random.Random(seed), []
    for _ in range(games):
        state = SHOGI.position()
        for _ in range(chance.randrange(4, 140)):
            moves = SHOGI.moves_of(state)
            if not moves:
                break
            sharp = [m for m in moves if m & 1 or b.piece_at(state, (m >> 1) % 81)]
            state = SHOGI.play(state, chance.choice(sharp if sharp and chance.random() < 0.5 else moves))
        checks = [after for m in SHOGI.moves_of(state) if SHOGI.threatened(after := SHOGI.play(state, m))]
        found += [s for s in (state, *checks[:1]) if SHOGI.moves_of(s)]
    return found


def asked_of(state: State, chance: random.Random) -> list[int]:
    """Return all captures, promotions and moves of the king, and some of the others."""
    moves = SHOGI.moves_of(state)
    kept = {m for m in moves if m & 1 or b.piece_at(state, (m >> 1) % 81) or m == p.DECLARE}
    return [m for m in moves if m in kept or chance.random() * len(moves) < 12]


@needs_swipl
@pytest.mark.system
def test_prolog_and_the_kernels_mean_the_same(tmp_path: Path) -> None:
    chance = random.Random(1)
    states = [*states_of(1, 90), *(b.read_sfen(sfen) for sfen, _, _ in EXAMPLES)]
    asked = {f"b{n}": (state, asked_of(state, chance)) for n, state in enumerate(states)}
    looked = {(board, chance.choice(moves)) for board, (_, moves) in list(asked.items())[:60]}
    check_meaning(SHOGI, asked, looked, tmp_path)


@pytest.mark.parametrize(("sfen", "move", "said"), EXAMPLES)
def test_a_move_is_what_people_would_say_of_it(sfen: str, move: str, said: str) -> None:
    """Of each measure there is an example; what is said of a move without being expected is left out there."""
    state = b.read_sfen(sfen)
    number = SHOGI.parse_move(move, 9)
    assert number in SHOGI.moves_of(state)
    columns, _, _ = measured(SHOGI, state, [number])
    values = values_of(SHOGI, columns[0].tolist(), " bw"[state[TO_PLAY]])
    found = {" ".join(map(str, (name, *value))) for name, answers in values.items() for value in answers}
    assert set(said.split(", ")) <= found


def test_examples_show_each_measure() -> None:
    shown = {fact.split()[0] for _, _, said in EXAMPLES for fact in said.split(", ")}
    assert shown == {measure.name for measure in VOCABULARY.measures}


def test_the_window_shows_what_the_mover_sees() -> None:
    """White's pawn comes to 2d; ahead of it is a rook, a tokin beyond at its right, the edge at its left."""
    state = b.read_sfen("4k4/9/7p1/9/7R1/6+P2/9/9/K8 w - 1")
    assert WINDOW is not None
    _, seen, _ = measured(SHOGI, state, [SHOGI.parse_move("2c2d", 9)])
    names = tuple(WINDOW.classes)

    def shown(frame: int, dx: int, dy: int) -> set[str]:
        bits = int(seen[0, frame, WINDOW.offsets.index((dx, dy))])
        return {name for bit, name in enumerate(names) if bits >> bit & 1}

    assert shown(0, 0, -1) == {"own", "own_pawn"}
    assert shown(0, 0, 1) == {"other", "other_ranging"}
    assert shown(0, 1, 2) == shown(1, -1, 2) == {"other", "other_gold"}
    assert shown(0, -1, 2) == shown(1, 1, 2) == {"empty"}
    assert shown(0, -2, 0) == shown(1, 2, 0) == {"outside"} and shown(0, 2, 0) == {"empty"}


def test_phrases_and_columns_fit() -> None:
    for measure in VOCABULARY.measures:
        assert set(measure.phrases) == ({"own", "opponent"} if measure.coloured else {""})
        counts = {len(measure.words)} if measure.words else {1, 2} if measure.is_number else {1}
        assert {len(texts) for texts in measure.phrases.values()} <= counts
        assert VOCABULARY.column_of[measure.name] == getattr(k, measure.name.upper())
    assert VOCABULARY.columns == k.COLUMNS
