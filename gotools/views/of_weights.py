"""What weights say: of a network input by input, of local patterns and n-tuples the patterns that count most."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.files.kinds import Kind
from gotools.game.game import find_game
from gotools.game.learning import Planes, TupleBoard
from gotools.jit.kernels import windows as w
from gotools.values.network.shape import PLANES, parse_shape
from gotools.values.pieces.pieces import PIECES, PieceWeights
from gotools.values.td.perceptrons import parse_architecture
from gotools.values.td.shapes import SHAPES, shapes_of
from gotools.values.td.tuples import TUPLES, find_tuples
from gotools.values.weights.evaluator import drawn_cells
from gotools.values.weights.weights_file import Weights, load_weights
from gotools.views.charts import bar_chart
from gotools.views.contents import Contents
from gotools.views.of_tables import BARS, number_in
from gotools.views.parts import Figure, Table

_SAID: Final = ("game", "size", "komi", "features", "network")
_TURNED: Final = "Patterns that are turned or mirrored share a weight; with colours swapped its sign changes."
_FOR_X: Final = "Weights are for X, the side that moves first; rows of a pattern are separated by /, the upper first."


def show_weights(path: str, limit: int) -> Contents:
    """Read eval.npz. Raises FileFormatError."""
    weights = load_weights(path)
    facts: dict[str, object] = {"game": weights.game, "size": weights.size}
    if find_game(weights.game).komi >= 0:
        facts["komi"] = weights.komi
    settings = {name: value for name, value in weights.settings.items() if name not in _SAID}
    facts |= {
        "features": weights.features,
        "network": weights.network,
        "games": weights.games,
        "weights": len(weights.weights),
        "resumable": bool(weights.memory),
        "settings": settings,
    }
    find = {SHAPES: _patterns, TUPLES: _tuples, PLANES: _planes, PIECES: _pieces}.get(weights.features, _inputs)
    return Contents(path, Kind.weights, facts, [find(weights, limit)])


def _largest(values: NDArray[np.float64], limit: int) -> NDArray[np.int64]:
    """Return the places of the values other than 0 that are farthest from it, ties in order."""
    order = np.argsort(-np.abs(values), kind="stable")[:limit].astype(np.int64)
    found: NDArray[np.int64] = order[values[order] != 0]
    return found


def _planes(weights: Weights, limit: int) -> Table:
    """List planes by the weights that their numbers meet first."""
    planes = find_game(weights.game).need(Planes)
    n, channels = len(planes.names), parse_shape(weights.network).channels
    stem = weights.weights[: 9 * n * channels].astype(np.float64).reshape(9, n, channels)
    strength = np.sqrt((stem**2).sum(axis=(0, 2)))
    rows = [(planes.names[i], float(strength[i])) for i in _largest(strength, limit)]
    notes = [f"strength: root of the sum of squares of the weights to {channels} channels, 3x3 points each"]
    return Table("planes", ("plane", "strength"), rows, notes, total=n)


def _pieces(weights: Weights, limit: int) -> Table:
    """List the weights of pieces that count most for the side that sees them, before the units."""
    found = PieceWeights(find_game(weights.game), weights.size, weights.network)
    found.unpack(weights.weights)
    own, labels = found.table[:, 0].astype(np.float64), found.pieces.labels(weights.size)
    rows = [(labels[i], float(own[i])) for i in _largest(own, limit)]
    notes = ["for the side that sees the piece so; the value is the tanh of one side's sum less the other's"]
    if found.table.shape[1] > 1:
        notes.append(f"beside {found.table.shape[1] - 1} units for each side, which add to it")
    return Table("pieces", ("input", "weight"), rows, notes, total=len(labels))


def _inputs(weights: Weights, limit: int) -> Table:
    labels = find_game(weights.game).find_features(weights.features).labels(weights.size)
    architecture = parse_architecture(weights.network)
    if architecture.hidden:
        units = architecture.hidden[0]
        first = weights.weights[: architecture.layers(len(labels))[0]].reshape(units, -1)[:, : len(labels)]
        own = np.sqrt((first**2).sum(axis=0))
        name, note = "strength", f"strength: root of the sum of squares of the weights to {units} units"
    else:
        own, name, note = weights.weights, "weight", "for the side to play; the value is the tanh of the sum"
    product = own * weights.scales
    rows = [(labels[i], float(own[i]), float(weights.scales[i]), float(product[i])) for i in _largest(product, limit)]
    notes = [note, "product: with the scale of the input, which all values of it are multiplied by"]
    return Table("inputs", ("input", name, "scale", "product"), rows, notes, total=len(labels))


def inputs_chart(listing: Table) -> list[Figure]:
    """Return the strongest inputs of a network, or planes."""
    column = next((name for name in ("product", "strength") if name in listing.columns), None)
    label = next((name for name in ("input", "plane") if name in listing.columns), None)
    if column is None or label is None:
        return []
    bars = [
        (str(listing.cell(row, label)), value)
        for row in listing.rows[:BARS]
        if (value := number_in(listing.cell(row, column))) is not None
    ]
    if not bars:
        return []
    return [
        Figure("inputs", bar_chart(bars, column, f"the strongest {listing.title}"), f"The strongest {listing.title}.")
    ]


def _patterns(weights: Weights, limit: int) -> Table:
    """List local patterns; each is drawn where it is first met on the board."""
    shapes = shapes_of(find_game(weights.game), weights.size)
    layout = shapes.layout
    top = _largest(weights.weights, limit)
    names = {int(layout.turn): "to play", int(layout.tilt): "komi"}
    cells = np.arange(shapes.rows * shapes.columns).reshape(shapes.rows, shapes.columns)
    codes = np.concatenate([np.arange(count) for count in w.CODES])
    sizes = np.repeat(w.SIZES, w.CODES)
    for number, at in _first_places(layout.free, top):
        size, code = int(sizes[at]), int(codes[at])
        picture = _drawn(cells[:size, :size].ravel(), code, 3, shapes.rows, shapes.columns)
        names[number] = f"{size}x{size} anywhere: {picture.partition(': ')[2]}"
    windows = [
        cells[y : y + size, x : x + size].ravel()
        for size in w.SIZES
        for y in range(shapes.rows - size + 1)
        for x in range(shapes.columns - size + 1)
    ]
    for number, at in _first_places(layout.placed, top):
        window = int(np.searchsorted(layout.begins, at, side="right")) - 1
        code, size = at - int(layout.begins[window]), round(len(windows[window]) ** 0.5)
        names[number] = f"{size}x{size} at {_drawn(windows[window], code, 3, shapes.rows, shapes.columns)}"
    rows = [(names[int(i)], float(weights.weights[i])) for i in top]
    used = int(np.count_nonzero(weights.weights))
    return Table("patterns", ("pattern", "weight"), rows, [_FOR_X, _TURNED], total=used)


def _first_places(entries: NDArray[np.int32], numbers: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return weights that stand behind entries with their own sign, and the first of these entries."""
    at = np.flatnonzero(np.isin(entries, 2 * numbers) & (entries > 0))
    found, first = np.unique(entries[at], return_index=True)
    return [(int(number) // 2, int(at[i])) for number, i in zip(found, first, strict=True)]


def _tuples(weights: Weights, limit: int) -> Table:
    """List patterns of n-tuples, each with the side to play."""
    game = find_game(weights.game)
    board, tuples = game.need(TupleBoard), find_tuples(game, weights.size, weights.cells)
    rows, columns = board.shape(weights.size)
    listed, cells = [], np.zeros(rows * columns, np.uint8)
    for i in _largest(weights.weights, limit):
        side, place = divmod(int(weights.entries[i]), tuples.entries)
        number, states = tuples.pattern(place, board)
        cells[weights.cells[number]] = states
        picture = drawn_cells(weights.cells[number], cells, rows, columns)
        listed.append((picture, "XO"[side], float(weights.weights[i])))
    used = int(np.count_nonzero(weights.weights))
    notes = [_FOR_X, "Patterns that are turned or mirrored share a weight."]
    if board.patterns.max() >= len(".XO"):
        notes.append("_ is an empty cell that can be filled now.")
    return Table("patterns", ("pattern", "to play", "weight"), listed, notes, total=used)


def _drawn(window: NDArray[np.integer], code: int, states: int, rows: int, columns: int) -> str:
    """Draw the pattern of a code on the cells of a window, as the evaluator's reasons do."""
    cells = np.zeros(rows * columns, np.uint8)
    for cell in window:
        code, cells[cell] = divmod(code, states)
    return drawn_cells(window.astype(np.int32), cells, rows, columns)
