"""The predicates that rules may use: names, argument types, meanings.

Their meaning in Prolog is in background.pl, the fast implementation in facts.py and conditions.py of
patterns/clauses/kernels; a test compares the two. An argument is `+type` (bound before), `-type`
(bound here) or `#type` (a constant), as in the mode declarations of Progol and Aleph.
"""

from typing import NamedTuple

RADIUS = 3
"""Reach of block_on_pos: offsets of up to three points each way (the thesis' 7x7 window)."""

INTERVALS = ((1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 8), (5, 99))
"""The fixed intervals of range/3: our choice, for the thesis names none."""

STAGES = ("open", "middle", "end")
"""open: up to 10 stones on 9x9, middle: up to 30, end: above; in proportion to the area on other sizes."""

CHAIN_RELATIONS = ("atari", "captures", "connects_direct", "connects_indirect")
"""The effects of a stone of a colour at the point on a chain, in the order of the bottom clause."""


OUTCOMES = ("works", "fails")
"""The results of reading a ladder: of an atari, or of the escape from one."""

EYES = ("real", "false")
"""A false eye: the other colour holds two of its diagonal points, or one where some are off the board."""


def window_offsets(radius: int = RADIUS) -> tuple[tuple[int, int], ...]:
    """Return the offsets (dx, dy) of the window around a point, the point itself left out."""
    steps = range(-radius, radius + 1)
    return tuple((dx, dy) for dx in steps for dy in steps if (dx, dy) != (0, 0))


class Predicate(NamedTuple):
    """One predicate of the vocabulary: `modes` are its arguments with their direction, `meaning` a line for people.

    level -- the smallest vocabulary that has it: 0 basic, 1 advanced, 2 full
    """

    name: str
    modes: tuple[str, ...]
    meaning: str
    level: int = 0

    @property
    def arity(self) -> int:
        return len(self.modes)


def _chain_relation(name: str, meaning: str) -> Predicate:
    return Predicate(name, ("+board", "-block", "+coord_x", "+coord_y", "+color"), meaning, 1)


def _at_offset(name: str, meaning: str) -> Predicate:
    return Predicate(name, ("+board", "+coord_x", "+coord_y", "#disp", "#disp", "+pos"), meaning, 2)


def _of_point(name: str, meaning: str, *more: str) -> Predicate:
    return Predicate(name, ("+board", "+coord_x", "+coord_y", *more), meaning, 2)


PREDICATES = (
    Predicate("pos_gen", ("-pos",), "one of the eight symmetries p1..p8"),
    Predicate(
        "block_on_pos",
        ("+board", "+coord_x", "+coord_y", "-block", "#disp", "#disp", "+pos"),
        "the chain at an offset from the point, seen through the symmetry",
    ),
    Predicate("block_color", ("+board", "+block", "-color"), "colour of a chain"),
    Predicate("opposite", ("+color", "-color"), "the other colour"),
    Predicate("edge_ver", ("+coord_x", "+coord_y", "#disp", "+pos"), "minus the line from the frame's left edge"),
    Predicate("edge_hor", ("+coord_x", "+coord_y", "#disp", "+pos"), "minus the line from the frame's bottom edge"),
    Predicate("stage", ("+board", "#stage"), "open, middle or end, by the number of stones"),
    Predicate("liberty_cnt", ("+board", "+block", "-nat"), "liberties of a chain (a constant or a variable)"),
    Predicate("stone_cnt", ("+board", "+block", "-nat"), "stones of a chain (a constant or a variable)"),
    Predicate("range", ("+nat", "#nat", "#nat"), "a number lies in a closed interval"),
    Predicate("liberty", ("+board", "+block", "-block"), "a liberty of a chain"),
    _chain_relation("atari", "a stone there takes the chain's last but one liberty"),
    _chain_relation("captures", "a stone there takes the chain's last liberty"),
    _chain_relation("connects_direct", "the point touches the chain"),
    _chain_relation("connects_indirect", "the point's free neighbours hold two of the chain's liberties"),
    _at_offset("empty_on_pos", "the point at an offset is empty"),
    _at_offset("outside_on_pos", "an offset is off the board"),
    _at_offset("last_on_pos", "the last move is at an offset"),
    _at_offset("last2_on_pos", "the last move but one is at an offset"),
    _of_point("last_distance", "dx + dy + max(dx, dy) to the last move", "-nat"),
    _of_point("last2_distance", "the same to the last move but one", "-nat"),
    _of_point("line", "line of the point, counted from the nearest edge", "-nat"),
    _of_point("liberties_after", "liberties of the chain that a stone there would be in", "+color", "-nat"),
    _of_point("self_atari", "that chain would have one liberty", "+color"),
    _of_point("adjacent_chains", "number of chains of a colour that touch the point", "+color", "-nat"),
    _of_point("escapes", "a stone there takes a chain out of atari; a ladder may catch it", "+color", "#outcome"),
    _of_point("rescues", "a stone there captures what holds a chain in atari", "+color"),
    _of_point("ladder", "a stone there gives atari; a ladder may catch the chain", "+color", "#outcome"),
    _of_point("fills_eye", "stones of the colour stand on all sides of the point", "+color", "#eye"),
    _of_point("joins", "the point touches two chains of the colour, one with two liberties or fewer", "+color"),
)

LEVELS = ("basic", "advanced", "full")
VOCABULARIES = {name: tuple(p.name for p in PREDICATES if p.level <= level) for level, name in enumerate(LEVELS)}
"""Experiments A (basic) and B (advanced) of the thesis, and further predicates that predict moves (full)."""

FULL_ONLY = frozenset(VOCABULARIES["full"]) - frozenset(VOCABULARIES["advanced"])

NUMBERS_OF_POINT = frozenset(p.name for p in PREDICATES if p.name in FULL_ONLY and p.modes[-1] == "-nat")
"""Predicates whose last argument is a number, which `range` may narrow."""

ANSWERS = {p.name: {"#outcome": OUTCOMES, "#eye": EYES}.get(p.modes[-1], ()) for p in PREDICATES}
"""What the last argument of a predicate may say, where that is one of some words."""
