"""The vocabulary of Abalone: what rules may say about a move. vocabulary.pl has its meaning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.sides import side_letter
from gotools.game.vocabulary import Measure, Pruning, Vocabulary, Window
from gotools.games.abalone.board import marbles
from gotools.games.abalone.kernels import rules as k
from gotools.games.abalone.kernels import vocabulary as v
from gotools.jit.kernels.seams import TO_PLAY

_MOST: Final = 99
"""The end of a range without one."""
_LEADS: Final = ("ahead", "even", "behind")
Phrases = tuple[str, str]
_number = partial(Measure, last="nat")


def _change(name: str, topic: str, meaning: str, own: Phrases, opponent: Phrases, most: int) -> Measure:
    """Return how much more or less a side has of something after the move; own, opponent -- some, and none."""
    ranges = tuple((low, _MOST) for low in range(1, min(most, 4)))
    return _number(
        name, meaning, topic, {"own": own, "opponent": opponent}, coloured=True, tried=range(1, most + 1),
        intervals=ranges,
    )  # fmt: skip


def _after(
    name: str, topic: str, meaning: str, own: str, opponent: str, tried: Sequence[int], level: int = 0, least: int = 0
) -> Measure:
    """Return what a side has of something after the move."""
    ranges = tuple((tried[0], high) for high in tried[1:-1:2]) + tuple((low, _MOST) for low in tried[1::2])
    return _number(
        name, meaning, topic, {"own": (own,), "opponent": (opponent,)}, coloured=True, tried=tried, least=least,
        intervals=ranges, level=level,
    )  # fmt: skip


_OF_THE_MOVE: Final = (
    _number(
        "marbles", "marbles that move, without those pushed", "marbles moved",
        {"": ("moves {marble|marbles}",)}, least=1, tried=range(1, 4), intervals=((2, 3),),
    ),
    Measure("broadside", "two or three marbles move side by side", "broadside moves", {"": ("moves broadside",)}),
    _number(
        "pushes", "marbles of the opponent that it pushes", "pushes",
        {"": ("pushes {marble|marbles} of the opponent",)}, tried=range(3), intervals=((1, 2),),
    ),
    Measure("ejects", "it pushes a marble off the board", "ejections", {"": ("pushes a marble off the board",)}),
    Measure(
        "wedge", "an own marble comes between two of the opponent's in one line", "wedges",
        {"": ("drives a wedge between two marbles of the opponent",)},
    ),
    _number(
        "centre_distance", "steps from the centre to where the leading marble comes to", "distance to the centre",
        {"": ("comes to a cell {step|steps} from the centre",)}, tried=range(5), intervals=((0, 1), (0, 2), (3, 4)),
    ),
    Measure(
        "lead", "which side has more marbles before the move", "marbles ahead",
        {"": (
            "is made by the side that is ahead", "is made with marbles even", "is made by the side that is behind",
        )},
        last="lead", words=_LEADS,
    ),
    _number(
        "lost", "marbles that a side has lost before the move", "marbles lost",
        {
            "own": ("is made with {own marble|own marbles} lost",),
            "opponent": ("is made with {marble|marbles} of the opponent lost",),
        },
        coloured=True, tried=range(6), intervals=tuple((low, _MOST) for low in range(1, 5)),
    ),
    _number(
        "touches", "marbles of a side, none that it moves there, next to the cells that the move enters", "contact",
        {
            "own": ("comes next to {own marble|own marbles}",),
            "opponent": ("comes next to {marble|marbles} of the opponent",),
        },
        coloured=True, tried=range(6), intervals=tuple((low, _MOST) for low in range(1, 5)),
    ),
)  # fmt: skip

_CHANGES: Final = (
    _change(
        "farther", "distance to the centre", "by how many steps a side's marbles are farther off; a lost one is five",
        ("goes {step|steps} away from the centre", "does not go away from the centre"),
        ("pushes the opponent {step|steps} away from the centre", "does not push the opponent away from the centre"), 3,
    ),
    _change(
        "nearer", "distance to the centre", "by how many steps a side's marbles are nearer to the centre",
        ("comes {step|steps} nearer to the centre", "comes no nearer to the centre"),
        ("pushes the opponent {step|steps} nearer to the centre", "does not push the opponent nearer to the centre"), 3,
    ),
    _change(
        "edge_more", "the edge", "by how many a side's marbles on the edge increase",
        ("brings {own marble|own marbles} to the edge", "brings no own marble to the edge"),
        ("pushes {marble|marbles} of the opponent to the edge", "pushes no marble of the opponent to the edge"), 2,
    ),
    _change(
        "edge_fewer", "the edge", "by how many a side's marbles on the edge decrease",
        ("takes {own marble|own marbles} off the edge", "takes no own marble off the edge"),
        (
            "leaves the opponent {marble less|marbles less} on the edge",
            "leaves the opponent no fewer marbles on the edge",
        ), 2,
    ),
    _change(
        "contacts_more", "contact between marbles", "by how many a side's pairs of neighbours increase",
        ("gains {contact|contacts} between its marbles", "gains no contact between its marbles"),
        ("gives the opponent's marbles {new contact|new contacts}", "gives the opponent's marbles no new contact"), 4,
    ),
    _change(
        "contacts_fewer", "contact between marbles", "by how many a side's pairs of neighbours decrease",
        ("gives up {contact|contacts} between its marbles", "gives up no contact between its marbles"),
        ("takes {contact|contacts} from the opponent's marbles", "takes no contact from the opponent's marbles"), 4,
    ),
    _change(
        "lines_more", "lines of three", "by how many a side's lines of three increase",
        ("gains {line|lines} of three", "gains no line of three"),
        ("gives the opponent {line|lines} of three", "gives the opponent no line of three"), 3,
    ),
    _change(
        "lines_fewer", "lines of three", "by how many a side's lines of three decrease",
        ("breaks {own line|own lines} of three", "breaks no own line of three"),
        ("breaks {line|lines} of three of the opponent", "breaks no line of three of the opponent"), 3,
    ),
    _change(
        "threatened_more", "marbles in danger", "by how many a side's marbles increase that can be pushed off next",
        ("exposes {own marble|own marbles} to being pushed off", "exposes no own marble to being pushed off"),
        ("puts {marble|marbles} of the opponent in danger", "puts no marble of the opponent in danger"), 2,
    ),
    _change(
        "threatened_fewer", "marbles in danger", "by how many a side's marbles decrease that can be pushed off next",
        ("saves {own marble|own marbles} from being pushed off", "saves no own marble from being pushed off"),
        ("takes {marble|marbles} of the opponent out of danger", "takes no marble of the opponent out of danger"), 2,
    ),
    _change(
        "pushes_more", "pushes to come", "by how many a side's pushing moves increase",
        ("gains {push|pushes} for later", "gains no push for later"),
        ("gives the opponent {push|pushes}", "gives the opponent no push"), 4,
    ),
    _change(
        "pushes_fewer", "pushes to come", "by how many a side's pushing moves decrease",
        ("gives up {push|pushes}", "gives up no push"),
        ("takes {push|pushes} from the opponent", "takes no push from the opponent"), 4,
    ),
    _change(
        "groups_more", "groups", "by how many a side's connected groups increase",
        ("splits off {group|groups} of its marbles", "splits off no group of its marbles"),
        ("splits off {group|groups} of the opponent's marbles", "splits off no group of the opponent's marbles"), 2,
    ),
    _change(
        "groups_fewer", "groups", "by how many a side's connected groups decrease",
        ("joins {group|groups} of its marbles to others", "joins no groups of its marbles"),
        ("leaves the opponent {group|groups} less", "leaves the opponent no fewer groups"), 2,
    ),
)  # fmt: skip

_AFTERWARDS: Final = (
    _after(
        "threatened", "marbles in danger", "marbles of a side that can be pushed off with the next move",
        "leaves {own marble that can be pushed off|own marbles that can be pushed off}",
        "threatens to push off {marble|marbles} of the opponent", range(4),
    ),
    _after(
        "pushes_next", "pushes to come", "pushing moves of a side after the move",
        "leaves itself {push|pushes}", "leaves the opponent {push|pushes}", range(8),
    ),
    _after(
        "groups", "groups", "connected groups of a side",
        "leaves its marbles in {group|groups}", "leaves the opponent's marbles in {group|groups}", range(1, 6), 1, 1,
    ),
    _after(
        "largest_group", "groups", "marbles in the largest group of a side",
        "leaves {marble|marbles} in its largest group", "leaves {marble|marbles} in the opponent's largest group",
        range(4, 15, 2), 1, 1,
    ),
    _after(
        "protected", "marbles in formation", "marbles of a side with own neighbours on all six sides",
        "leaves {own marble|own marbles} with own marbles all around",
        "leaves {marble|marbles} of the opponent with its own marbles all around", range(4), 1,
    ),
    _after(
        "alone", "marbles in formation", "marbles of a side without a neighbour of their own side",
        "leaves {own marble|own marbles} alone", "leaves {marble|marbles} of the opponent alone", range(6), 1,
    ),
)  # fmt: skip


def _place_words(dx: int, dy: int) -> str:
    """Say where an offset is, in cells of the board; left and right are one."""
    steps = (abs(dx) + abs(dy)) // 2
    way = "ahead" if dy > 0 else "behind"
    if dy == 0:
        return "two cells to the side"
    if dx == 0:
        return f"{('one cell', 'two cells')[steps - 1]} {way}"
    if abs(dx) == abs(dy):
        return f"{('one cell', 'two cells')[steps - 1]} {way} to the side"
    return f"two cells {way}, one of them to the side"


WINDOW: Final = Window(
    offsets=v.OFFSETS,
    frames=2,
    classes={
        "own": "an own marble",
        "other": "a marble of the opponent",
        "empty": "an empty cell",
        "outside": "the edge of the board",
    },
    tried=("own", "other", "empty", "outside"),
    words=_place_words,
    signs={"own": "X", "other": "O", "empty": "_", "outside": "#"},
    hexagonal=True,
)
"""The 18 cells within two steps of where the leading marble comes to, as they are before the move. Offsets count half
steps: 0, 2 is the next cell in the direction of the move, 1, 1 the one to its right."""


def _facts(state: NDArray[np.int32], board: str) -> list[str]:
    """Return a position as the facts of vocabulary.pl, with all legal moves."""

    def cell(number: int) -> str:
        return "{}-{}".format(*_PLACES[number])

    lines = [f"to_play({board},{side_letter(int(state[TO_PLAY]))})."]
    for side in (1, 2):
        at = [_PLACES[one] for one in marbles(state, side)]
        lines += [f"marble({board},{x},{y},{side_letter(side)})." for x, y in at]
    moves = np.empty(k.LONGEST, np.int32)
    for move in moves[: k.legal(state, moves)].tolist():
        last, kind = divmod(move, k.KINDS)
        found = k.cells_of(move) if kind >= k.IN_LINE else None
        leaves = [last] if found is None else found[0]
        u, w = k.WAYS[kind if found is None else (kind - k.IN_LINE) // 4]
        lines.append(f"move({board},{move},[{','.join(map(cell, leaves))}],{u},{w}).")
    return lines


_PLACES: Final = {cell: (x + 1, y + 1) for cell, x, y in k.PLACES}

VOCABULARY: Final = Vocabulary(
    "vocabulary.pl",
    levels=("basic", "full"),
    measures=(*_OF_THE_MOVE, *_CHANGES, *_AFTERWARDS),
    stages={"opening": "in the opening", "middle": "in the middle game", "end": "in the endgame"},
    window=WINDOW,
    measure=v.measure,
    look=v.look,
    order=v.order_by_rules,
    pruning=Pruning(widths=(0, 0, 16, 12), penalty=0.0, order_from=3),
    facts=_facts,
)
