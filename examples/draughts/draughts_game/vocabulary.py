"""What rules may say of a move; its meaning in Prolog is in vocabulary.pl."""

from functools import partial
from typing import Any

from draughts_game.draughts import DRAUGHTS
from draughts_game.kernels import rules as r
from draughts_game.kernels import vocabulary as k
from gotools.game.vocabulary import FROM_HERE, Measure, Vocabulary, Window
from gotools.jit.kernels.seams import TO_PLAY

SOME: dict[str, Any] = {"tried": range(1, 4), "intervals": ((1, FROM_HERE), (2, FROM_HERE))}
FEW: dict[str, Any] = {**SOME, "tried": range(4)}
CLASSES = {
    "own": ("an own piece", "X"), "other": ("an opponent's piece", "O"), "empty": ("an empty square", "_"),
    "outside": ("no square", "#"), "own_king": ("an own king", "K"), "other_king": ("an opponent's king", "k"),
}  # fmt: skip
"""What may stand on a square, in the order of their bits: words, and a sign."""
_number = partial(Measure, last="nat")


def _words(name, meaning, topic, **said):
    """Return a measure that says one of some words, each given with its phrase."""
    return Measure(name, meaning, topic, {"": tuple(said.values())}, last=name, words=tuple(said))


def _after(name, meaning, topic, own, opponent, **tried):
    """Return what each side has of something after the move."""
    return _number(name, meaning, topic, {"own": (own,), "opponent": (opponent,)}, coloured=True, **(tried or FEW))


MEASURES = (
    _words("piece", "what moves", "piece that moves", man="moves a man", king="moves a king"),
    _number("captures", "pieces that it captures", "captures", {"": ("captures {piece|pieces}",)}, **SOME),
    _number("captured_kings", "kings among them", "captures", {"": ("captures {king|kings}",)}, **SOME),
    Measure("crowned", "a man becomes a king", "kings", {"": ("becomes a king",)}),
    _number(
        "to_go", "rows that a man has to go to become a king; none of a king", "way to the far side",
        {"": ("comes within {row|rows} of the far side",)}, least=1, tried=range(1, 7), intervals=((1, 2), (1, 3)),
    ),
    _words(
        "place", "where it comes to", "place on the board", centre="comes to the centre", edge="comes to the edge",
        between="comes to a square between centre and edge",
    ),
    Measure("leaves_back", "it leaves the own back row", "back row", {"": ("leaves its back row",)}),
    Measure(
        "breaks_bridge", "not both of the first and third square of the back row are held any more", "back row",
        {"": ("gives up the bridge on its back row",)},
    ),
    _number(
        "loses", "the most pieces that the next move can capture", "exchanges",
        {"": ("lets the opponent capture {piece|pieces} at once", "lets the opponent capture nothing")}, **FEW,
    ),
    _number(
        "regains", "the fewest of them that the move after that captures, whichever the next captures; none without",
        "exchanges", {"": ("is sure of {piece|pieces} in return", "may get nothing in return")}, **FEW,
    ),
    _words(
        "lead", "which side has more pieces before the move", "pieces ahead", ahead="is made by the side that is ahead",
        even="is made with pieces even", behind="is made by the side that is behind",
    ),
    _after(
        "back_row", "pieces of a side on its own back row", "back row",
        "keeps {piece|pieces} on its back row", "leaves the opponent {piece|pieces} on the back row",
        tried=range(5), intervals=((1, 2), (2, FROM_HERE), (3, FROM_HERE)),
    ),
    _after(
        "exposed", "pieces of a side that the other could jump over, were it to play", "pieces in danger",
        "leaves {own piece|own pieces} open to capture", "attacks {piece|pieces} of the opponent",
    ),
    _after(
        "steps", "free steps of a side, captures apart", "mobility",
        "leaves itself {free step|free steps}", "leaves the opponent {free step|free steps}",
        tried=range(4), intervals=((0, 4), (5, 8), (5, FROM_HERE), (9, FROM_HERE)),
    ),
    _after(
        "touches", "pieces of a side next to where it comes to", "contact",
        "comes next to {own piece|own pieces}", "comes next to {piece|pieces} of the opponent",
    ),
)  # fmt: skip


def _place_words(dx, dy):
    """Say where a square is, without left and right."""
    way = "ahead" if dy > 0 else "behind"
    if dx == 0 or dy == 0:
        return f"two rows {way} in the same column" if dx == 0 else "two columns away in the same row"
    return f"{'two squares ' if abs(dx) == 2 else ''}diagonally {way}"


def _facts(state, board):
    """Say what stands where, whose turn it is, and the squares of each legal move: columns and rows from 0."""

    def at(square):
        return "{1}-{0}".format(*r.PLACES[square])

    kinds = [f"{side}, {kind}" for kind in ("man", "king") for side in "bw"]
    facts = [f"to_play({board}, {'bw'[state[TO_PLAY] - 1]})."]
    for square, piece in enumerate(state[r.SQUARES :].tolist()):
        facts += [f"piece({board}, {at(square)}, {kinds[piece - 1]})."] if piece else []
    for move in DRAUGHTS.moves_of(state):
        facts.append(f"move({board}, {move}, [{', '.join(map(at, r.PATHS[move]))}]).")
    return facts


VOCABULARY = Vocabulary(
    "vocabulary.pl", measures=MEASURES, measure=k.measure, look=k.look, order=k.order_by_rules, facts=_facts,
    stages={"opening": "in the opening", "middle": "in the middle game", "end": "in the endgame"},
    window=Window(
        offsets=k.OFFSETS, frames=k.FRAMES, classes={name: words for name, (words, _) in CLASSES.items()},
        tried=tuple(CLASSES), words=_place_words, signs={name: sign for name, (_, sign) in CLASSES.items()},
    ),
)  # fmt: skip
