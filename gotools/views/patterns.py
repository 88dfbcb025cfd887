"""Draw a rule as a small board: what it asks of the points around the move."""

from __future__ import annotations

from typing import Final

from gotools.rules.clauses.rules import Rule
from gotools.rules.explain.diagrams import EMPTY, LAST, MARKS, OUTSIDE, Drawing, drawing_of
from gotools.rules.explain.telling import MoveDrawing
from gotools.views.svg import element, number, picture, text

STEP: Final = 24.0
RADIUS: Final = 10.5
_PLAIN: Final = {"own": MARKS["own"][0], "opponent": MARKS["opponent"][0], "either": MARKS["either"][0]}
_COLOURS: Final = {"own": "black", "opponent": "white", "either": "either"}


def pattern_svg(rule: Rule, size: int) -> tuple[str, list[str]]:
    """Return the drawing of a rule, own stones black, and the lines of its legend.

    size -- of the board that edge distances are drawn for
    """
    drawing = drawing_of(rule, size)
    columns, rows = drawing.extent()
    wide, high = STEP * len(columns), STEP * len(rows)
    drawn = [element("rect", width=wide, height=high, rx=3.0, class_="wood")]
    drawn.append(_lines(drawing, columns, rows))
    for (x, y), sign in sorted(drawing.signs.items()):
        if x in columns and y in rows:
            drawn.append(_sign(sign, STEP * (x - columns[0] + 0.5), STEP * (rows[-1] - y + 0.5)))
    title = f"rule {rule.id}: own stones black, the move a ring"
    return picture(wide, high, title, "board pattern", *drawn), [_as_drawn(line) for line in drawing.legend()]


def _as_drawn(line: str) -> str:
    """Return a line of the legend in the words of the drawing: the move is a ring there."""
    return line.replace("beside *", "beside the move").rstrip()


def _lines(drawing: Drawing | MoveDrawing, columns: range, rows: range) -> str:
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
        return element("rect", x=x - STEP / 2, y=y - STEP / 2, width=STEP, height=STEP, class_="outside")
    if sign in LAST.values():
        stone = element("circle", cx=x, cy=y, r=RADIUS, class_="white" if sign == "L" else "black")
        return stone + text(sign, x, y + 3.6, "on-white" if sign == "L" else "on-black", "middle")
    side = next((side for side, marks in MARKS.items() if sign.upper() in marks), "either")
    colour, is_open = _COLOURS[side], sign.islower()
    stone = element("circle", cx=x, cy=y, r=RADIUS, class_=f"{colour} open" if is_open else colour)
    plain = sign == _PLAIN[side]
    return stone if plain else stone + text(sign, x, y + 3.6, f"on-{colour}", "middle")
