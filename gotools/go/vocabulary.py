"""The predicates that rules may use: names, argument types, meanings.

Their meaning in Prolog stands in background.pl, their fast meaning in patterns/_facts.py and patterns/_tests.py; a test
holds the two together. An argument is `+type` (bound before), `-type` (bound here) or `#type` (a constant), as in the
mode declarations of Progol and Aleph.
"""

from typing import NamedTuple

RADIUS = 3
"""Reach of block_on_pos: offsets of up to three points each way (the thesis' 7x7 window)."""

INTERVALS = ((1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 8), (5, 99))
"""The fixed intervals of range/3 (research/prototype_ilp: the thesis names none)."""

STAGES = ("open", "middle", "end")
"""open: up to 10 stones on 9x9, middle: up to 30, end: above; in proportion to the area on other sizes."""

CHAIN_RELATIONS = ("atari", "captures", "connects_direct", "connects_indirect")
"""What a stone of a colour on the point does to a chain; the order is that of the bottom clause."""


class Predicate(NamedTuple):
    """One predicate of the vocabulary: `modes` are its arguments with their direction, `meaning` a line for people."""

    name: str
    modes: tuple[str, ...]
    meaning: str
    advanced: bool = False

    @property
    def arity(self) -> int:
        return len(self.modes)


def _chain_relation(name: str, meaning: str) -> Predicate:
    return Predicate(name, ("+board", "-block", "+coord_x", "+coord_y", "+color"), meaning, advanced=True)


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
)

VOCABULARIES = {
    "basic": tuple(p.name for p in PREDICATES if not p.advanced),
    "advanced": tuple(p.name for p in PREDICATES),
}
"""Experiments A (basic) and B (advanced) of the thesis."""
