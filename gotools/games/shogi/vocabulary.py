"""What rules may say about a move of shogi: how it is said, and the facts for its meaning in vocabulary.pl."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.vocabulary import Measure, Vocabulary, Window, Words
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels import shogi as rules
from gotools.games.shogi.kernels import vocabulary as k
from gotools.jit.kernels.seams import TO_PLAY

KINDS: Final = {
    "pawn": p.PAWN, "lance": p.LANCE, "knight": p.KNIGHT, "silver": p.SILVER, "gold": p.GOLD, "bishop": p.BISHOP,
    "rook": p.ROOK, "tokin": p.PROMOTED + p.PAWN, "promoted_lance": p.PROMOTED + p.LANCE,
    "promoted_knight": p.PROMOTED + p.KNIGHT, "promoted_silver": p.PROMOTED + p.SILVER, "horse": p.PROMOTED + p.BISHOP,
    "dragon": p.PROMOTED + p.ROOK, "king": p.KING,
}  # fmt: skip
"""The words for the kinds of pieces, in the order of their numbers in columns (kernels/vocabulary.py, WORD)."""
_NAMES: Final = {word: kind for kind, word in KINDS.items()}
_FEW, _POINTS = ((1, 8), (2, 8)), ((1, 3), (1, 15), (4, 15), (6, 15), (8, 15))


def _each(pattern: str, words: tuple[str, ...] = tuple(KINDS)) -> tuple[str, ...]:
    """Return a phrase for each word of some; {a} in the pattern stands for its article, {} for the word."""
    return tuple(pattern.format(w.replace("_", " "), a="the" if w == "king" else "a") for w in words)


def _for(own: str | tuple[str, ...], other: str | tuple[str, ...]) -> Words:
    """Return the phrases of a measure that has a side."""
    texts = {"own": own, "opponent": other}
    return {side: (text,) if isinstance(text, str) else text for side, text in texts.items()}


def _one(*texts: str) -> Words:
    return {"": texts}


_number = partial(Measure, last="nat")
_PIECES: Final = tuple(KINDS)
_TARGETS: Final = _PIECES[:-1]
_piece, _target = partial(Measure, last="piece", words=_PIECES), partial(Measure, last="target", words=_TARGETS)
_BY: Final = " and no cheaper piece"
_LINES, _CASTLES = ("lance", "bishop", "rook"), ("mino", "yagura", "anaguma", "boat")
_CASTLE_NAMES: Final = ("a Mino castle", "a Yagura castle", "an Anaguma castle", "a boat castle")

MEASURES: Final = (
    Measure("declares", "declares victory by the 27-point rule", "declaration", _one("declares victory")),
    _piece("piece", "what moves or is dropped", "piece that moves", _one(*_each("plays {a} {}"))),
    Measure("drop", "comes from the hand", "drops", _one("is a drop")),
    Measure("promotes", "promotes", "promotion", _one("promotes")),
    Measure("declines", "could promote and does not", "promotion", _one("stays unpromoted where it could promote")),
    _target("captured", "what it takes", "captures", _one(*_each("takes {a} {}", _TARGETS))),
    _number(
        "captured_worth", "worth of what it takes", "captures", _one("takes a piece worth {point|points}"),
        intervals=((1, 4), (4, 12), (6, 12), (8, 12)),
    ),
    _number(
        "wins", "what it wins by the exchange on the square come to", "exchanges",
        _one("wins {point|points} by the exchange on the square"), least=1, intervals=_POINTS,
    ),
    _number(
        "loses", "what it loses by that exchange", "exchanges",
        _one("loses {point|points} by the exchange on the square"), least=1, intervals=_POINTS,
    ),
    Measure("trades", "takes, and the exchange is even", "exchanges", _one("trades evenly")),
    Measure("check", "gives check", "checks", _one("gives check")),
    Measure("double_check", "gives check by two pieces", "checks", _one("gives double check")),
    Measure("discovers", "gives check by a line that it opens", "checks", _one("discovers a check")),
    Measure(
        "answers_check", "how it meets a check", "answers to checks",
        _one("takes the checking piece", "blocks the check", "flees from check"),
        last="answer", words=("take", "block", "flee"),
    ),
    _number(
        "row", "row of the square come to, from the mover's own last one", "row and file", _one("comes to row {n}"),
        least=1, tried=range(1, 10), intervals=((1, 3), (4, 6), (7, 9)),
    ),
    _number(
        "file", "file of the square come to, from the mover's right", "row and file",
        _one("comes to file {n} from the right"), least=1, tried=range(1, 10), intervals=((1, 4), (4, 6), (6, 9)),
    ),
    Measure(
        "direction", "where it goes, as the mover sees it", "direction", _one("goes ahead", "goes aside", "goes back"),
        last="direction", words=("ahead", "aside", "back"),
    ),
    _number(
        "king_distance", "a king's steps from the square come to to a side's king", "distance to kings",
        _for("plays {square|squares} from its own king", "plays {square|squares} from the opponent's king"),
        coloured=True, least=1, tried=range(1, 5), intervals=((1, 2), (1, 3), (4, 8), (6, 8)),
    ),
    Measure(
        "approach", "whether the piece comes nearer to a side's king", "distance to kings",
        _for(
            ("comes nearer to its own king", "keeps the distance to its own king", "goes away from its own king"),
            ("comes nearer to the opponent's king", "keeps the distance to the opponent's king",
             "goes away from the opponent's king"),
        ),
        coloured=True, last="approach", words=("nearer", "same", "farther"),
    ),
    _number(
        "covers", "squares beside a side's king that it reaches from its new square", "squares beside kings",
        _for("covers {square|squares} beside its own king", "covers {square|squares} beside the opponent's king"),
        coloured=True, tried=range(4), intervals=_FEW,
    ),
    _number(
        "attackers_to", "pieces of a side that reach the square come to", "attackers and defenders",
        _for("is supported by {piece|pieces}", "goes where {piece|pieces} of the opponent can take it"),
        coloured=True, tried=range(4), intervals=_FEW,
    ),
    _piece(
        "least_attacker", "the cheapest of these", "attackers and defenders",
        _for((_each("is supported by {a} {}")[0], *_each(f"is supported by {{a}} {{}}{_BY}")[1:]),
             (_each("goes where {a} {} can take it")[0], *_each(f"goes where {{a}} {{}}{_BY} can take it")[1:])),
        coloured=True, level=1,
    ),
    _number(
        "attackers_from", "pieces of a side that reach the square left, before the move", "attackers and defenders",
        _for("leaves a square that {own piece|own pieces} defended",
             "leaves a square that {piece|pieces} of the opponent attacked"),
        coloured=True, tried=range(4), intervals=_FEW,
    ),
    _number(
        "flees", "what the other side would have won on the square left", "threats met",
        _one("takes a piece away that would have lost {point|points}"), least=1, intervals=_POINTS,
    ),
    _number(
        "threats", "pieces on which it then wins by an exchange, the king counted", "threats made",
        _one("threatens {piece|pieces}"), tried=range(4), intervals=((1, 8), (2, 8)),
    ),
    _target(
        "threatens", "the dearest of these but the king", "threats made", _one(*_each("threatens {a} {}", _TARGETS))
    ),
    _number(
        "threat_worth", "the most that it wins by one of these", "threats made",
        _one("threatens to win {point|points}"), least=1, intervals=_POINTS,
    ),
    Measure(
        "defends", "reaches an own piece by which the other side would have won", "threats met",
        _one("supports a piece that was to be lost"),
    ),
    Measure("pinned", "moves a piece that was pinned to its king", "pins", _one("moves a pinned piece")),
    Measure("pins", "pins a piece to its king", "pins", _one("pins a piece to the king")),
    Measure(
        "opens_line", "the line piece of a side whose line grows by two squares as it leaves it", "lines",
        _for(_each("opens the line of its own {}", _LINES), _each("opens the line of the opponent's {}", _LINES)),
        coloured=True, last="line_piece", words=_LINES,
    ),
    Measure(
        "shuts_line", "the line piece of a side whose line loses two squares as it comes onto it", "lines",
        _for(_each("shuts the line of its own {}", _LINES), _each("shuts the line of the opponent's {}", _LINES)),
        coloured=True, last="line_piece", words=_LINES,
    ),
    Measure(
        "pawn_on_file", "another pawn of a side is on the file come to, before the move", "pawns",
        _for("comes to a file with an own pawn", "comes to a file with a pawn of the opponent"), coloured=True,
    ),
    _number(
        "hand", "pieces that a side has in hand, before the move", "pieces in hand",
        _for("is made with {piece|pieces} in hand", "is made against {piece|pieces} in hand"),
        coloured=True, tried=(0,), intervals=((1, 2), (3, 99)),
    ),
    Measure(
        "castle", "the castle of a side's king, or its mirror image, before the move", "castles",
        _for(tuple(f"is made from {name}" for name in _CASTLE_NAMES),
             tuple(f"is made against {name}" for name in _CASTLE_NAMES)),
        coloured=True, last="castle", words=_CASTLES,
    ),
    _number(
        "flights", "squares to which the other king could then go", "squares beside kings",
        _one("leaves the opponent's king {square|squares} to go to"), tried=range(4), intervals=_FEW, level=1,
    ),
    _number(
        "leaves", "the most that the other side then wins on another square", "threats met",
        _one("leaves {point|points} to be won elsewhere"), tried=(0,), intervals=_POINTS, level=1,
    ),
    _number(
        "risk", "the most that the other side would win if it were to move instead", "threats met",
        _one("is made with {point|points} at stake"), tried=(0,), intervals=_POINTS, level=1,
    ),
)  # fmt: skip
"""The measures in the order of the columns; worth and points are those of kernels/values.py: a pawn 1, a rook 10."""


def _words(dx: int, dy: int) -> str:
    """Return the place of a square around the one come to; left and right are alike."""
    numbers = ("", "one", "two", "three", "four")

    def squares(n: int) -> str:
        return f"{numbers[n]} {'square' if n == 1 else 'squares'}"

    along = f"{squares(abs(dy))} {'ahead' if dy > 0 else 'behind'}" if dy else ""
    aside = (f"{numbers[abs(dx)]} aside" if dy else f"{squares(abs(dx))} aside") if dx else ""
    return f"{along} and {aside}" if along and aside else along or aside


_SIGNS: Final = {"pawn": "p", "knight": "n", "silver": "s", "gold": "g", "line_piece": "l", "king": "k"}
_AROUND: Final = {"empty": "an empty square", "outside": "the edge", "own": "an own piece", "other": "an opponent's piece"}
WINDOW: Final = Window(
    offsets=k.OFFSETS,
    frames=2,
    classes=_AROUND | {
        f"{side}_{name}": f"an {whose} {name.replace('_', ' ')}"
        for name in k.NAMED
        for side, whose in (("own", "own"), ("other", "opponent's"))
    },
    tried=("empty", "outside", "own", "other", "own_pawn", "other_pawn", "own_gold", "other_gold", "other_king"),
    words=_words,
    signs={"empty": ".", "outside": "#", "own": "x", "other": "o"}
    | {f"own_{name}": sign.upper() for name, sign in _SIGNS.items()}
    | {f"other_{name}": sign for name, sign in _SIGNS.items()},
)  # fmt: skip


def _facts(state: NDArray[np.int32], board: str) -> list[str]:
    """Return a position as Prolog: pieces, hands, the side to play, its legal moves. Files from 1 to 9, ranks a as 1."""

    def at(square: int) -> str:
        return f"{9 - square % 9}, {1 + square // 9}"

    moves = np.empty(p.LONGEST, np.int32)
    found, legal = [f"to_play({board}, {'_bw'[state[TO_PLAY]]})."], moves[: rules.legal(state.copy(), moves)].tolist()
    for square, piece in enumerate(state[p.BOARD + p.CELL_OF].tolist()):
        if piece:
            found.append(f"piece({board}, {at(square)}, {'bw'[piece // p.OTHER]}, {_NAMES[piece % p.OTHER]}).")
    for i, count in enumerate(state[p.HANDS : p.HANDS + 2 * p.HAND].tolist()):
        found.append(f"holds({board}, {'bw'[i // p.HAND]}, {_NAMES[1 + i % p.HAND]}, {count}).")
    for move in legal:
        origin, to = divmod(move >> 1, p.SQUARES)
        if move == p.DECLARE:
            found.append(f"declaration({board}, {move}).")
        elif origin < p.SQUARES:
            found.append(f"move({board}, {move}, {at(origin)}, {at(to)}, {move & 1}).")
        else:
            found.append(f"drop({board}, {move}, {_NAMES[1 + origin - p.SQUARES]}, {at(to)}).")
    return sorted(found)


VOCABULARY: Final = Vocabulary(
    "vocabulary.pl",
    measures=MEASURES,
    stages={
        "opening": "in the opening", "attack": "when attacking", "defence": "when defending",
        "even": "when neither side attacks",
    },
    window=WINDOW,
    measure=k.measure,
    look=k.look,
    facts=_facts,
)  # fmt: skip
