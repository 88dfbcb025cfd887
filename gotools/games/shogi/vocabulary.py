"""What rules may say about a move of shogi: how it is said, and the facts for its meaning in vocabulary.pl."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.vocabulary import FROM_HERE, Measure, Pruning, Vocabulary, Window, Words
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels import shogi as rules
from gotools.games.shogi.kernels import vocabulary as k
from gotools.jit.kernels.seams import TO_PLAY

PIECES: Final = (
    "pawn", "lance", "knight", "silver", "gold", "bishop", "rook", "tokin", "promoted_lance", "promoted_knight",
    "promoted_silver", "horse", "dragon", "king",
)  # fmt: skip
"""The words for the kinds of pieces, by their numbers in columns (WORDS of kernels/vocabulary.py)."""
_TAKEN: Final = PIECES[:-1]
_CHEAPEST: Final = {word: word for word in ("pawn", "lance", "knight", "silver")} | {
    "gold": "gold or its like", "tokin": "tokin", "bishop": "bishop", "rook": "rook or horse", "dragon": "dragon",
    "king": "king",
}  # fmt: skip
_BEFORE_KING: Final = tuple(_CHEAPEST.values())[:-1]
_WAYS: Final = ("comes nearer to", "keeps its distance to", "goes away from")
_LINES: Final = ("lance", "bishop", "rook")
_CASTLES: Final = {"mino": "a Mino castle", "yagura": "a Yagura castle", "anaguma": "an Anaguma castle"}
_FEW: Final[dict[str, Any]] = {"tried": range(4), "intervals": ((1, FROM_HERE), (2, FROM_HERE))}
_POINTS: Final[dict[str, Any]] = {"intervals": ((1, 2), *((low, FROM_HERE) for low in (1, 3, 5, 8)))}


def _each(words: tuple[str, ...], pattern: str) -> tuple[str, ...]:
    """Return a phrase for each word, which {} in the pattern stands for, and {a} for its article."""
    return tuple(pattern.format(word.replace("_", " "), a="the" if word == "king" else "a") for word in words)


def _one(*phrases: str) -> Words:
    return {"": phrases}


def _for(own: str | tuple[str, ...], other: str | tuple[str, ...]) -> Words:
    """Return the phrases of a measure that has a side."""
    return {side: (said,) if isinstance(said, str) else said for side, said in (("own", own), ("opponent", other))}


_number = partial(Measure, last="nat")
_by_side = partial(Measure, coloured=True)

_WITHOUT_NUMBERS: Final = (
    Measure("declares", "declares victory by the 27-point rule", "declaration", _one("declares victory")),
    Measure("piece", "what moves or is dropped", "piece that moves", _one(*_each(PIECES, "plays {a} {}")),
        last="piece", words=PIECES),
    Measure("drop", "comes from the hand", "drops", _one("comes from the hand")),
    Measure("promotes", "promotes", "promotion", _one("promotes")),
    Measure("declines", "could promote and does not", "promotion", _one("stays unpromoted where it could promote")),
    Measure("captured", "what it takes", "captures", _one(*_each(_TAKEN, "takes {a} {}")), last="taken", words=_TAKEN),
    Measure("trades", "takes, and the exchange there is even", "exchanges", _one("trades evenly")),
    Measure("check", "gives check", "checks", _one("gives check")),
    Measure("double_check", "gives check by two pieces", "checks", _one("gives double check")),
    Measure("discovers", "gives check by a line that it opens", "checks", _one("discovers a check")),
    Measure("answers_check", "how it meets a check", "answers to checks",
        _one("takes the checking piece", "blocks the check", "flees from check"),
        last="answer", words=("take", "block", "flee")),
    Measure("direction", "where it goes, as the mover sees it", "direction",
        _one("goes ahead", "goes aside", "goes back"), last="direction", words=("ahead", "aside", "back")),
    Measure("defends", "reaches another piece by which the other side would have won", "threats met",
        _one("supports a piece that was at stake")),
    Measure("pins", "pins a piece to the other king", "pins", _one("pins a piece to the king")),
    _by_side("approach", "whether the piece comes nearer to a side's king", "distance to kings",
        _for(_each(_WAYS, "{} its own king"), _each(_WAYS, "{} the opponent's king")),
        last="approach", words=("nearer", "same", "farther")),
    _by_side("least_attacker", "the cheapest piece of a side that reaches the square come to",
        "attackers and defenders",
        _for((*_each(_BEFORE_KING, "is supported by {a} {} at the cheapest"), "is supported by the king alone"),
             (*_each(_BEFORE_KING, "goes where {a} {} is the cheapest piece to take it"),
              "goes where the king alone can take it")),
        last="cheapest", words=tuple(_CHEAPEST), level=1),
    _by_side("opens_line", "the ranging piece of a side whose line grows by two squares as it leaves it", "lines",
        _for(_each(_LINES, "opens the line of its own {}"), _each(_LINES, "opens the line of the opponent's {}")),
        last="ranging", words=_LINES),
    _by_side("pawn_on_file", "another pawn of a side is on the file come to, before the move", "pawns",
        _for("comes to a file with an own pawn", "comes to a file with a pawn of the opponent")),
    _by_side("castle", "the castle of a side's king, or its mirror image, before the move", "castles",
        _for(tuple(f"is made from {name}" for name in _CASTLES.values()),
             tuple(f"is made against {name}" for name in _CASTLES.values())),
        last="castle", words=tuple(_CASTLES)),
)  # fmt: skip

_NUMBERS: Final = (
    _number("captured_worth", "worth of what it takes", "captures", _one("takes a piece worth {point|points}"),
        least=1, intervals=((1, 4), *((low, FROM_HERE) for low in (3, 5, 8)))),
    _number("wins", "what it wins by the exchange on the square come to", "exchanges",
        _one("wins {point|points} by the exchange on the square"), least=1, **_POINTS),
    _number("loses", "what it loses by that exchange", "exchanges",
        _one("loses {point|points} by the exchange on the square"), least=1, **_POINTS),
    _number("row", "row of the square come to, from the mover's own last one", "row and file", _one("comes to row {n}"),
        least=1, tried=range(1, 10), intervals=((1, 3), (4, 6), (7, 9))),
    _number("file", "file of the square come to, from the mover's right", "row and file",
        _one("comes to file {n} from the right"), least=1, tried=range(1, 10), intervals=((1, 4), (4, 6), (6, 9))),
    _number("flees", "what the other side would have won on the square left", "threats met",
        _one("moves a piece away that would have lost {point|points}"), least=1, **_POINTS),
    _number("threats", "pieces that it then reaches and by which it wins, the king counted", "threats made",
        _one("threatens {piece|pieces}", "threatens nothing"), **_FEW),
    _number("threatens", "the most that it wins by one of these but the king", "threats made",
        _one("threatens to win {point|points}"), least=1, **_POINTS),
    _number("flights", "squares to which the other king could then go", "squares beside kings",
        _one("leaves the opponent's king {square|squares} to go to", "leaves the opponent's king nowhere to go"),
        level=1, **_FEW),
    _number("leaves", "the most that the other side then wins on another square", "threats met",
        _one("lets the opponent win {point|points} elsewhere", "lets the opponent win nothing elsewhere"),
        tried=(0,), level=1, **_POINTS),
    _number("risk", "the most that the other side would win if it were to move instead", "threats met",
        _one("is made under a threat of {point|points}", "is made under no threat"), tried=(0,), level=1, **_POINTS),
    _number("king_distance", "a king's steps from the square come to to a side's king", "distance to kings",
        _for("is {square|squares} from its own king", "is {square|squares} from the opponent's king"),
        coloured=True, least=1, tried=range(1, 5), intervals=((1, 2), (1, 3), (4, FROM_HERE), (6, FROM_HERE))),
    _number("covers", "squares beside a side's king that the piece reaches", "squares beside kings",
        _for(("covers {square|squares} beside its own king", "covers no square beside its own king"),
             ("covers {square|squares} beside the opponent's king", "covers no square beside the opponent's king")),
        coloured=True, **_FEW),
    _number("attackers_to", "pieces of a side that reach the square come to", "attackers and defenders",
        _for(("is supported by {piece|pieces}", "has no support"),
             ("goes where {piece|pieces} of the opponent can take it", "goes where nothing can take it")),
        coloured=True, **_FEW),
    _number("attackers_from", "pieces of a side that reach the square left, before the move", "attackers and defenders",
        _for(("leaves a square that {own piece|own pieces} can reach", "leaves a square that no own piece can reach"),
             ("leaves a square that {piece|pieces} of the opponent can reach",
              "leaves a square that no piece of the opponent can reach")), coloured=True, **_FEW),
    _number("hand", "pieces that a side has in hand, before the move", "pieces in hand",
        _for(("is made with {piece|pieces} in hand", "is made with nothing in hand"),
             ("is made against {piece|pieces} in hand", "is made against an empty hand")),
        coloured=True, tried=(0,), intervals=((1, 2), (3, FROM_HERE))),
)  # fmt: skip


def _words(dx: int, dy: int) -> str:
    """Return the place of a square around the one come to; left and right are alike."""
    numbers = ("", "one square", "two squares", "three squares", "four squares")
    along = f"{numbers[abs(dy)]} {'ahead' if dy > 0 else 'behind'}" if dy else ""
    aside = f"{numbers[abs(dx)]} aside" if dx else ""
    return f"{along} and {aside}" if along and aside else along or aside


_NAMED: Final = {
    "pawn": ("pawn", "p"), "knight": ("knight", "n"), "silver": ("silver", "s"), "gold": ("gold or its like", "g"),
    "ranging": ("ranging piece", "r"), "king": ("king", "k"),
}  # fmt: skip
_CLASSES: Final = {
    "empty": ("an empty square", "_"), "outside": ("the edge", "#"), "own": ("an own piece", "X"),
    "other": ("an opponent's piece", "O"),
    **{
        f"{side}_{name}": (f"an {whose} {_NAMED[name][0]}", sign(_NAMED[name][1]))
        for name in k.NAMED
        for side, whose, sign in (("own", "own", str.upper), ("other", "opponent's", str.lower))
    },
}  # fmt: skip
"""In the order of their bits: words, and a sign."""


def _facts(state: NDArray[np.int32], board: str) -> list[str]:
    """Return a position as Prolog: pieces, hands, the side to play, legal moves; ranks as numbers, 1 for a."""
    name = dict(zip(k.WORDS.tolist(), range(p.OTHER), strict=True))
    kinds = {name[number]: word for number, word in enumerate(PIECES, 1)}

    def at(square: int) -> str:
        return f"{9 - square % 9}, {1 + square // 9}"

    moves = np.empty(p.LONGEST, np.int32)
    found = [f"to_play({board}, {' bw'[state[TO_PLAY]]})."]
    for square, piece in enumerate(state[p.BOARD + p.CELL_OF].tolist()):
        if piece:
            found.append(f"piece({board}, {at(square)}, {'bw'[piece // p.OTHER]}, {kinds[piece % p.OTHER]}).")
    for i, count in enumerate(state[p.HANDS : p.HANDS + 2 * p.HAND].tolist()):
        found.append(f"holds({board}, {'bw'[i // p.HAND]}, {kinds[1 + i % p.HAND]}, {count}).")
    for move in moves[: rules.legal(state.copy(), moves)].tolist():
        origin, to = divmod(move >> 1, p.SQUARES)
        if move == p.DECLARE:
            found.append(f"declaration({board}, {move}).")
        elif origin < p.SQUARES:
            found.append(f"move({board}, {move}, {at(origin)}, {at(to)}, {move & 1}).")
        else:
            found.append(f"drop({board}, {move}, {kinds[1 + origin - p.SQUARES]}, {at(to)}).")
    return sorted(found)


VOCABULARY: Final = Vocabulary(
    "vocabulary.pl",
    levels=("basic", "full"),
    measures=_WITHOUT_NUMBERS + _NUMBERS,
    stages={
        "opening": "in the opening", "attack": "when attacking", "defence": "when defending",
        "even": "when neither side attacks",
    },
    window=Window(
        offsets=k.OFFSETS,
        frames=2,
        classes={name: words for name, (words, _) in _CLASSES.items()},
        tried=("empty", "outside", "own", "other", "own_pawn", "other_pawn", "own_gold", "other_gold", "other_king"),
        words=_words,
        signs={name: sign for name, (_, sign) in _CLASSES.items()},
    ),
    measure=k.measure,
    look=k.look,
    order=k.order_by_rules,
    pruning=Pruning(widths=(0, 0, 16, 12), penalty=0.0, order_from=3),
    facts=_facts,
)  # fmt: skip
"""Worth and points are those of kernels/values.py: a pawn 1, a rook 10."""
