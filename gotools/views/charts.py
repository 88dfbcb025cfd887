"""Draw charts as SVG: lines with bands, intervals by name, bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from gotools.base.errors import shown
from gotools.views.svg import element, number, picture, text

WIDTH: Final = 480.0
HEIGHT: Final = 250.0
LEFT, RIGHT, TOP, BOTTOM = 48.0, 12.0, 20.0, 36.0
COLOURS: Final = 6
"""Lines that differ in colour; further ones begin again with another dash."""
LONGEST_NAME: Final = 28
_ROW: Final = 24.0
_NAMES: Final = 192.0
"""Units for the names of intervals and bars."""
_LONGEST_LABEL: Final = 25
_LETTER: Final = 7.4


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a chart. points -- x and y, in the order of x; band -- x and the ends of an interval."""

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()
    steps: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A named value with its interval; None: an end that is not known."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Axes:
    """What the axes of a chart show.

    guides -- levels that a line is drawn at, with their names; least, most -- that y shows in any case
    """

    x: str
    y: str
    guides: Sequence[tuple[float, str]] = field(default=())
    least: float | None = None
    most: float | None = None


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Return round numbers that lie in an interval, about `wanted` of them."""
    if not high > low:
        return [low]
    rough = (high - low) / max(wanted, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(i * step, 12) + 0.0 for i in range(first, math.floor(high / step + 1e-9) + 1)]


def tick_text(value: float) -> str:
    """Return a number of an axis."""
    if abs(value) >= 1000 and value == int(value):
        return f"{int(value):,}"
    return f"{value:.6g}"


@dataclass(frozen=True, slots=True)
class _Scale:
    """From values to units of the drawing."""

    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return self.begin + min(max(share, 0.0), 1.0) * (self.end - self.begin)


def line_chart(lines: Sequence[Curve], axes: Axes, title: str) -> str:
    """Return a chart of lines, with a legend where there are several. Raises ValueError without a point."""
    xs = [x for line in lines for x, _ in line.points]
    if not xs:
        raise ValueError("a chart without points")
    x, y = _Scale(min(xs), max(xs), LEFT, WIDTH - RIGHT), _vertical(lines, axes)
    drawn = [_grid(x, y, axes)]
    for at, line in enumerate(lines):
        if line.band:
            drawn.append(_band(line, x, y, at))
    drawn += [_path(line, x, y, at) for at, line in enumerate(lines)]
    height = HEIGHT
    if len(lines) > 1:
        legend, rows = _legend([line.name for line in lines])
        drawn.append(legend)
        height += 16 * rows
    return picture(WIDTH, height, title, "chart", *drawn)


def _vertical(lines: Sequence[Curve], axes: Axes) -> _Scale:
    ys = [y for line in lines for _, y in line.points] + [level for level, _ in axes.guides]
    ys += [end for line in lines for _, low, high in line.band for end in (low, high)]
    low = min([*ys, *([] if axes.least is None else [axes.least])])
    high = max([*ys, *([] if axes.most is None else [axes.most])])
    if low == high:
        low, high = low - 1, high + 1
    if axes.least is None or axes.most is None:
        room = 0.04 * (high - low)
        low, high = low - room * (low != axes.least), high + room * (high != axes.most)
    return _Scale(low, high, HEIGHT - BOTTOM, TOP)


def _grid(x: _Scale, y: _Scale, axes: Axes) -> str:
    """Return frame, ticks, names of the axes and guides."""
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    drawn = []
    for value in ticks(y.low, y.high):
        drawn.append(element("path", d=f"M{number(LEFT)} {number(y(value))}H{number(right)}", class_="grid"))
        drawn.append(text(tick_text(value), LEFT - 5, y(value) + 4, anchor="end"))
    for value in ticks(x.low, x.high, 6):
        anchor = "end" if x(value) > right - 12 else "middle"
        drawn.append(text(tick_text(value), x(value), bottom + 15, anchor=anchor))
    drawn.append(element("path", d=f"M{number(LEFT)} {number(bottom)}H{number(right)}", class_="axis"))
    for level, name in axes.guides:
        drawn.append(element("path", d=f"M{number(LEFT)} {number(y(level))}H{number(right)}", class_="guide"))
        drawn.append(text(name, right - 2, y(level) - 4, "note", "end"))
    drawn.append(text(axes.x, (LEFT + right) / 2, HEIGHT - 6, "name", "middle"))
    drawn.append(text(axes.y, LEFT, TOP - 8, "name"))
    return "".join(drawn)


def _path(line: Curve, x: _Scale, y: _Scale, at: int) -> str:
    if len(line.points) == 1:
        ((one, level),) = line.points
        return element("circle", cx=x(one), cy=y(level), r=3.0, class_=f"point c{at % COLOURS}")
    words: list[str] = []
    for one, level in line.points:
        across, up = number(x(one)), number(y(level))
        words.append(f"M{across} {up}" if not words else f"H{across}V{up}" if line.steps else f"L{across} {up}")
    dash = f" d{at // COLOURS}" if at >= COLOURS else ""
    return element("path", d="".join(words), class_=f"curve c{at % COLOURS}{dash}")


def _band(line: Curve, x: _Scale, y: _Scale, at: int) -> str:
    there = [f"{number(x(one))} {number(y(high))}" for one, _, high in line.band]
    back = [f"{number(x(one))} {number(y(low))}" for one, low, _ in reversed(line.band)]
    return element("path", d=f"M{'L'.join([*there, *back])}Z", class_=f"band c{at % COLOURS}")


def _legend(names: Sequence[str]) -> tuple[str, int]:
    """Return the names of lines below a chart, and the number of rows they take."""
    drawn, across, row = [], LEFT, 0
    for at, name in enumerate(names):
        words = shown(name, LONGEST_NAME)
        width = 30 + _LETTER * len(words)
        if across > LEFT and across + width > WIDTH:
            across, row = LEFT, row + 1
        up = HEIGHT + 8 + 16 * row
        dash = f" d{at // COLOURS}" if at >= COLOURS else ""
        drawn.append(element("path", d=f"M{number(across)} {number(up)}h16", class_=f"curve c{at % COLOURS}{dash}"))
        drawn.append(text(words, across + 20, up + 4))
        across += width
    return "".join(drawn), row + 1


def span_chart(spans: Sequence[Span], unit: str, title: str, guide: float | None = None) -> str:
    """Return values with their intervals below each other; an end that is not known runs to the edge."""
    ends = [end for span in spans for end in (span.low, span.high, span.value) if end is not None]
    ends += [] if guide is None else [guide]
    low, high = min(ends), max(ends)
    room = 0.06 * (high - low) or 1.0
    x = _Scale(low - room, high + room, _NAMES, WIDTH - RIGHT)
    height = TOP + _ROW * len(spans) + BOTTOM
    bottom = height - BOTTOM
    drawn = _scale_below(x, bottom, unit)
    if guide is not None:
        drawn.append(element("path", d=f"M{number(x(guide))} {number(TOP)}V{number(bottom)}", class_="guide"))
    for row, span in enumerate(spans):
        up = TOP + _ROW * (row + 0.5)
        ends_of = [x.low if span.low is None else span.low, x.high if span.high is None else span.high]
        drawn.append(text(shown(span.name, _LONGEST_LABEL), _NAMES - 8, up + 4, anchor="end"))
        line = f"M{number(x(ends_of[0]))} {number(up)}H{number(x(ends_of[1]))}"
        drawn.append(element("path", d=line, class_="span c0"))
        drawn.append(element("circle", cx=x(span.value), cy=up, r=4.0, class_="point c0"))
    return picture(WIDTH, height, title, "chart", *drawn)


def bar_chart(bars: Sequence[tuple[str, float]], unit: str, title: str) -> str:
    """Return a bar for each name, from 0."""
    values = [value for _, value in bars]
    x = _Scale(min(0.0, *values), max(0.0, *values) or 1.0, _NAMES, WIDTH - RIGHT)
    height = TOP + _ROW * len(bars) + BOTTOM
    bottom = height - BOTTOM
    drawn = _scale_below(x, bottom, unit)
    for row, (name, value) in enumerate(bars):
        up = TOP + _ROW * row + 4
        begin, end = sorted((x(0.0), x(value)))
        drawn.append(text(shown(name, _LONGEST_LABEL), _NAMES - 8, up + 12, anchor="end"))
        drawn.append(element("rect", x=begin, y=up, width=max(end - begin, 0.5), height=_ROW - 8, class_="bar c0"))
    return picture(WIDTH, height, title, "chart", *drawn)


def _scale_below(x: _Scale, bottom: float, unit: str) -> list[str]:
    """Return a horizontal scale with its grid."""
    drawn = []
    for value in ticks(x.low, x.high):
        drawn.append(element("path", d=f"M{number(x(value))} {number(TOP)}V{number(bottom)}", class_="grid"))
        drawn.append(text(tick_text(value), x(value), bottom + 15, anchor="middle"))
    drawn.append(text(unit, (x.begin + x.end) / 2, bottom + 30, "name", "middle"))
    return drawn
