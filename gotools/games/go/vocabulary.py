"""The predicates that rules may use: names, argument types, meanings.

Their meaning in Prolog is in background.pl, the fast implementation in facts.py and conditions.py of
rules/clauses/kernels; a test compares the two. An argument is `+type` (bound before), `-type`
(bound here) or `#type` (a constant), as in the mode declarations of Progol and Aleph.
"""

from functools import partial

from gotools.game.vocabulary import Measure, Predicate, Pruning, Vocabulary

RADIUS = 3
"""Reach of block_on_pos: offsets of up to three points each way (the thesis' 7x7 window)."""

INTERVALS = ((1, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 8), (5, 99))
"""The fixed intervals of range/3: our choice, for the thesis names none."""

STAGE_WORDS = {"open": "in the opening", "middle": "in the middle game", "end": "in the endgame"}
STAGES = tuple(STAGE_WORDS)
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


def _chain_relation(name: str, meaning: str, topic: str) -> Predicate:
    return Predicate(name, ("+board", "-block", "+coord_x", "+coord_y", "+color"), meaning, topic, 1)


def _at_offset(name: str, meaning: str, topic: str) -> Predicate:
    return Predicate(name, ("+board", "+coord_x", "+coord_y", "#disp", "#disp", "+pos"), meaning, topic, 2)


_measure = partial(Measure, at=("+board", "+coord_x", "+coord_y"), level=2)

_DISTANCES = range(2, 13)
"""No two points are at distance 1."""

MEASURES = (
    _measure(
        "last_distance", "dx + dy + max(dx, dy) to the last move",
        topic="distance to last move",
        row="LAST_DISTANCE", coloured=False, last="nat",
        phrases={"": ("plays {distance} the last move",)}, tried=_DISTANCES,
    ),
    _measure(
        "last2_distance", "the same to the last move but one",
        topic="distance to own last move",
        row="LAST2_DISTANCE", coloured=False, last="nat",
        phrases={"": ("plays {distance} its own previous move",)}, tried=_DISTANCES,
    ),
    _measure(
        "line", "line of the point, counted from the nearest edge",
        topic="line from the edge",
        row="LINE", coloured=False, last="nat",
        phrases={"": ("plays {line}",)}, least=1, tried=range(1, 6),
    ),
    _measure(
        "liberties_after", "liberties of the chain that a stone there would be in",
        topic="liberties after the move",
        row="LIBERTIES_AFTER", coloured=True, last="nat",
        phrases={
            "own": ("leaves itself {liberty|liberties}",),
            "opponent": ("plays where the opponent would have {liberty|liberties}",),
            "either": ("plays where that colour would have {liberty|liberties}",),
        },
        tried=range(2, 6),
    ),
    _measure(
        "self_atari", "that chain would have one liberty",
        topic="self-atari",
        row="LIBERTIES_AFTER", coloured=True, last="",
        phrases={
            "own": ("puts itself in atari",),
            "opponent": ("plays where the opponent would be in atari",),
            "either": ("plays where that colour would be in atari",),
        },
    ),
    _measure(
        "adjacent_chains", "number of chains of a colour that touch the point",
        topic="chains touched",
        row="ADJACENT", coloured=True, last="nat",
        phrases={
            "own": ("touches {own chain|own chains}",),
            "opponent": ("touches {chain of the opponent|chains of the opponent}",),
            "either": ("touches {chain of that colour|chains of that colour}",),
        },
        tried=range(4),
    ),
    _measure(
        "escapes", "a stone there takes a chain out of atari; a ladder may catch it",
        topic="escape from atari",
        row="ESCAPES", coloured=True, last="outcome", words=OUTCOMES,
        phrases={
            "own": ("escapes from atari", "flees from atari in vain"),
            "opponent": (
                "stops an opponent's chain from escaping from atari",
                "plays where an opponent's chain in atari would flee in vain",
            ),
            "either": (
                "plays where that colour would escape from atari",
                "plays where that colour would flee from atari in vain",
            ),
        },
    ),
    _measure(
        "rescues", "a stone there captures what holds a chain in atari",
        topic="rescue by a capture",
        row="RESCUES", coloured=True, last="",
        phrases={
            "own": ("captures stones that hold an own chain in atari",),
            "opponent": ("forestalls a capture that would free an opponent's chain from atari",),
            "either": ("plays where that colour would free a chain from atari by a capture",),
        },
    ),
    _measure(
        "ladder", "a stone there gives atari; a ladder may catch the chain",
        topic="ladders",
        row="LADDER", coloured=True, last="outcome", words=OUTCOMES,
        phrases={
            "own": ("gives an atari that catches a chain", "gives an atari that catches nothing"),
            "opponent": (
                "forestalls an atari that would catch an own chain",
                "forestalls an atari that would catch nothing",
            ),
            "either": (
                "plays where that colour would give an atari that catches a chain",
                "plays where that colour would give an atari that catches nothing",
            ),
        },
    ),
    _measure(
        "fills_eye", "stones of the colour stand on all sides of the point",
        topic="filling of eyes",
        row="EYE", coloured=True, last="eye", words=EYES,
        phrases={
            "own": ("fills a real eye of its own", "fills a false eye of its own"),
            "opponent": ("plays into a real eye of the opponent", "plays into a false eye of the opponent"),
            "either": ("plays into a real eye of that colour", "plays into a false eye of that colour"),
        },
    ),
    _measure(
        "joins", "the point touches two chains of the colour, one with two liberties or fewer",
        topic="joining and cutting",
        row="JOINS", coloured=True, last="",
        phrases={
            "own": ("joins own chains, one with at most 2 liberties",),
            "opponent": ("cuts apart chains of the opponent, one with at most 2 liberties",),
            "either": ("plays where that colour would join chains, one with at most 2 liberties",),
        },
    ),
    _measure(
        "linked_sets", "number of sets of linked chains of a colour that touch the point",
        topic="linked chains touched",
        row="LINKED_SETS", coloured=True, last="nat",
        phrases={
            "own": ("touches {set of linked own chains|sets of linked own chains}",),
            "opponent": ("touches {set of linked chains|sets of linked chains} of the opponent",),
            "either": ("touches {set of linked chains|sets of linked chains} of that colour",),
        },
        tried=range(4), level=3,
    ),
    _measure(
        "linked_liberties", "liberties of the weakest set of linked chains of a colour that touches the point",
        topic="liberties of linked chains",
        row="LINKED_LIBERTIES", coloured=True, last="nat",
        phrases={
            "own": ("touches a set of linked own chains with {liberty|liberties}",),
            "opponent": ("touches a set of the opponent's linked chains with {liberty|liberties}",),
            "either": ("touches a set of linked chains of that colour with {liberty|liberties}",),
        },
        least=1, tried=range(1, 9), level=3,
    ),
    _measure(
        "near_groups", "number of groups of a colour that a stone there would reach",
        topic="groups nearby",
        row="NEAR_GROUPS", coloured=True, last="nat",
        phrases={
            "own": ("plays near {own group|own groups}",),
            "opponent": ("plays near {group|groups} of the opponent",),
            "either": ("plays near {group|groups} of that colour",),
        },
        tried=range(4), level=3,
    ),
    _measure(
        "group_liberties", "liberties of the weakest group of a colour that a stone there would reach",
        topic="liberties of groups nearby",
        row="GROUP_LIBERTIES", coloured=True, last="nat",
        phrases={
            "own": ("plays near an own group with {liberty|liberties}",),
            "opponent": ("plays near a group of the opponent with {liberty|liberties}",),
            "either": ("plays near a group of that colour with {liberty|liberties}",),
        },
        least=1, tried=range(1, 13), level=3,
    ),
)  # fmt: skip
"""The measures of the point. Kernels, explanations and both inductions find them here."""

MEASURE_OF = {m.name: m for m in MEASURES}


PREDICATES = (
    Predicate("pos_gen", ("-pos",), "one of the eight symmetries p1..p8"),
    Predicate(
        "block_on_pos",
        ("+board", "+coord_x", "+coord_y", "-block", "#disp", "#disp", "+pos"),
        "the chain at an offset from the point, seen through the symmetry",
        "stones nearby",
    ),
    Predicate("block_color", ("+board", "+block", "-color"), "colour of a chain"),
    Predicate("opposite", ("+color", "-color"), "the other colour"),
    Predicate(
        "edge_ver",
        ("+coord_x", "+coord_y", "#disp", "+pos"),
        "minus the line from the frame's left edge",
        "line from the edge",
    ),
    Predicate(
        "edge_hor",
        ("+coord_x", "+coord_y", "#disp", "+pos"),
        "minus the line from the frame's bottom edge",
        "line from the edge",
    ),
    Predicate("stage", ("+board", "#stage"), "open, middle or end, by the number of stones", "stage of the game"),
    Predicate(
        "liberty_cnt",
        ("+board", "+block", "-nat"),
        "liberties of a chain (a constant or a variable)",
        "liberties of a chain",
    ),
    Predicate(
        "stone_cnt", ("+board", "+block", "-nat"), "stones of a chain (a constant or a variable)", "stones of a chain"
    ),
    Predicate("range", ("+nat", "#nat", "#nat"), "a number lies in a closed interval"),
    Predicate("liberty", ("+board", "+block", "-block"), "a liberty of a chain", "shared liberties"),
    _chain_relation("atari", "a stone there takes the chain's last but one liberty", "giving atari"),
    _chain_relation("captures", "a stone there takes the chain's last liberty", "captures"),
    _chain_relation("connects_direct", "the point touches the chain", "contact with a chain"),
    _chain_relation(
        "connects_indirect", "the point's free neighbours hold two of the chain's liberties", "links in two ways"
    ),
    _at_offset("empty_on_pos", "the point at an offset is empty", "empty points nearby"),
    _at_offset("outside_on_pos", "an offset is off the board", "nearness of the edge"),
    _at_offset("last_on_pos", "the last move is at an offset", "place of the last move"),
    _at_offset("last2_on_pos", "the last move but one is at an offset", "place of own last move"),
    *(m.predicate for m in MEASURES),
    Predicate(
        "shape",
        ("+board", "+coord_x", "+coord_y", "+color", "#shape"),
        "what stands on all points within a distance, in some symmetry; only --objective rank finds shapes",
        "shape around the move",
        2,
    ),
)

LEVELS = ("basic", "advanced", "full", "groups")
VOCABULARY = Vocabulary(
    "background.pl",
    points=True,
    given=PREDICATES,
    head=("board", "color", "coord_x", "coord_y"),
    levels=LEVELS,
    measures=MEASURES,
    stages=STAGE_WORDS,
    pruning=Pruning(widths=(6,), penalty=0.05),
)
VOCABULARIES = {name: VOCABULARY.names(name) for name in LEVELS}
"""Experiments A (basic) and B (advanced) of the thesis, then predicates that predict moves, then sets of chains."""

BEYOND_ADVANCED = frozenset(VOCABULARIES["groups"]) - frozenset(VOCABULARIES["advanced"])
OF_SETS = frozenset(VOCABULARIES["groups"]) - frozenset(VOCABULARIES["full"])
