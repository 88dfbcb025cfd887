"""Draw a rule as a small board: what it asks of the places around the move."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

from gotools.game.game import find_game, vocabulary_of
from gotools.game.table import USUAL
from gotools.game.traits import Picture
from gotools.rules.clauses.rules import Rule
from gotools.rules.explain.diagrams import EMPTY, LAST, MARKS, OUTSIDE, Drawing, drawing_of
from gotools.rules.explain.telling import MoveDrawing, drawn
from gotools.views.boards import sign_svg
from gotools.views.svg import element, number, picture, text

STEP: Final = 24.0
RADIUS: Final = 10.5
_PLAIN: Final = {"own": MARKS["own"][0], "opponent": MARKS["opponent"][0], "either": MARKS["either"][0]}
_COLOURS: Final = {"own": "black", "opponent": "white", "either": "either"}
_IN_WORDS: Final = {
    _PLAIN["own"]: "a black stone",
    _PLAIN["opponent"]: "a white stone",
    EMPTY: "a dot",
    OUTSIDE: "a dark patch",
}
"""What stands for these signs in a drawing."""
_KEY_OF_GO: Final = (
    "In the drawing of a rule own stones are black, the opponent's white, those of either colour grey; the ring is the "
    "move, a dot an empty point, a dark patch off the board. A dashed stone lies beside the move or is linked to it, "
    "at a place that the rule leaves open."
)


def key_in_words(rules: Sequence[Rule]) -> str:
    """Return what explains the drawings of some rules, of one game."""
    vocabulary = vocabulary_of(rules[0].game if rules else USUAL)
    if vocabulary.points:
        return _KEY_OF_GO
    said, window = ["the ring is the move"], vocabulary.window
    if window is not None:
        signs = ((window.signs[name], window.classes[name]) for name in drawn(window, rules))
        said += [f"{_IN_WORDS.get(sign, sign)} is {words}" for sign, words in signs]
    return f"In the drawing of a rule {', '.join(said)}."


def pattern_svg(rule: Rule, size: int) -> tuple[str, list[str]]:
    """Return the drawing of a rule, own stones black, and the lines of its legend.

    size -- of the board that edge distances are drawn for
    """
    drawing = drawing_of(rule, size)
    title = f"rule {rule.id}: own stones black, the move a ring"
    if isinstance(drawing, MoveDrawing):
        return _around_the_move(drawing, title), drawing.legend()
    columns, rows = drawing.extent()
    wide, high = STEP * len(columns), STEP * len(rows)
    shown = [element("rect", width=wide, height=high, rx=3.0, class_="wood")]
    shown.append(_lines(drawing, columns, rows))
    for (x, y), sign in sorted(drawing.signs.items()):
        if x in columns and y in rows:
            shown.append(_sign(sign, STEP * (x - columns[0] + 0.5), STEP * (rows[-1] - y + 0.5)))
    return picture(wide, high, title, "board pattern", *shown), [_as_drawn(line) for line in drawing.legend()]


def _as_drawn(line: str) -> str:
    """Return a line of the legend in the words of the drawing: the move is a ring there."""
    return line.replace("beside *", "beside the move").rstrip()


def _lines(drawing: Drawing, columns: range, rows: range) -> str:
    """Return the lines of the board, which end where the rule places the edge, and run on elsewhere."""
    left, right, bottom, top = drawing.edges()
    low = STEP / 2 if left is not None else 0.0
    end = STEP * len(columns) - (STEP / 2 if right is not None else 0.0)
    up = STEP / 2 if top is not None else 0.0
    down = STEP * len(rows) - (STEP / 2 if bottom is not None else 0.0)
    across = [f"M{number(low)} {number(STEP * (i + 0.5))}H{number(end)}" for i in range(len(rows))]
    along = [f"M{number(STEP * (i + 0.5))} {number(up)}V{number(down)}" for i in range(len(columns))]
    edges = [f"M{number(low)} {number(up)}V{number(down)}"] * (left is not None)
    edges += [f"M{number(end)} {number(up)}V{number(down)}"] * (right is not None)
    edges += [f"M{number(low)} {number(up)}H{number(end)}"] * (top is not None)
    edges += [f"M{number(low)} {number(down)}H{number(end)}"] * (bottom is not None)
    border = element("path", d="".join(edges), class_="border") if edges else ""
    return element("path", d="".join([*across, *along]), class_="line") + border


def _sign(sign: str, x: float, y: float) -> str:
    if sign == "*":
        return element("circle", cx=x, cy=y, r=RADIUS - 1.5, class_="move")
    if sign == EMPTY:
        return element("circle", cx=x, cy=y, r=3.2, class_="cross")
    if sign == OUTSIDE:
        return _patch(x, y, STEP)
    if sign in LAST.values():
        stone = element("circle", cx=x, cy=y, r=RADIUS, class_="white" if sign == "L" else "black")
        return stone + text(sign, x, y + 3.6, "on-white" if sign == "L" else "on-black", "middle")
    side = next((side for side, marks in MARKS.items() if sign.upper() in marks), "either")
    colour, is_open = _COLOURS[side], sign.islower()
    stone = element("circle", cx=x, cy=y, r=RADIUS, class_=f"{colour} open" if is_open else colour)
    plain = sign == _PLAIN[side]
    return stone if plain else stone + text(sign, x, y + 3.6, f"on-{colour}", "middle")


def _patch(x: float, y: float, side: float) -> str:
    return element("rect", x=x - side / 2, y=y - side / 2, width=side, height=side, class_="outside")


# what stands around a move, in any other game -------------------------------------------------------------------------


def _around_the_move(drawing: MoveDrawing, title: str) -> str:
    """Return the places around the move on the ground of the game's board, with what the rule says of them."""
    telling, places = drawing.telling, drawing.places()
    across, along = (STEP * sqrt(0.75), STEP / 2) if drawing.hexagonal else (STEP, STEP)
    left, top = min(x for x, _ in places), max(y for _, y in places)
    centres = {(x, y): (across * (x - left) + STEP / 2, along * (top - y) + STEP / 2) for x, y in places}
    wide, high = (max(centre[axis] for centre in centres.values()) + STEP / 2 for axis in (0, 1))
    board = find_game(telling.rule.game).find(Picture)
    ground = "lines" if board is None else board.ground
    shown = [element("rect", width=wide, height=high, rx=3.0, class_="wood")]
    if ground == "holes":
        free = [at for place, at in centres.items() if telling.cells.get(place) != "outside"]
        shown.append(element("g", *(element("circle", cx=x, cy=y, r=RADIUS) for x, y in free), class_="outside"))
    else:
        first = 0.0 if ground == "squares" else STEP / 2
        rows = [f"M0 {number(first + STEP * i)}H{number(wide)}" for i in range(round(high / STEP) + (first == 0))]
        columns = [f"M{number(first + STEP * i)} 0V{number(high)}" for i in range(round(wide / STEP) + (first == 0))]
        shown.append(element("path", d="".join(rows + columns), class_="line"))
    patch = RADIUS if ground == "holes" else STEP
    shown += [_held(drawing, held, *centres[place], patch) for place, held in sorted(telling.cells.items())]
    shown.append(_sign("*", *centres[0, 0]))
    return picture(wide, high, title, "board pattern", *shown)


def _held(drawing: MoveDrawing, held: str, x: float, y: float, patch: float) -> str:
    """Return what stands for a class at a place: a stone, a dot, a patch of a size, a piece or sign with its letter."""
    window = drawing.telling.vocabulary.window
    assert window is not None
    sign, side = window.signs[held], window.side_of(held)
    if sign == OUTSIDE:
        return _patch(x, y, patch)
    if sign in _IN_WORDS:
        return _sign(sign, x, y)
    if not side:
        return text(sign, x, y + 3.6, "sign", "middle")
    piece = sign_svg(sign.upper() if side == "own" else sign.lower())
    return element("g", piece, transform=f"translate({number(x)} {number(y)})")
