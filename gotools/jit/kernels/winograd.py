"""Convolutions by filters of 3x3 points in tiles of 3x3 points; the layout is that of convolution.py.

A tile takes 25 products for each input and output, where sums over the filter take 81: of numbers made from the 5x5
points around the tile, and of factors that are made from the filter once.

    y = A ((G g G') * (B d B')) A'    y -- the tile; g -- the filter; d -- the points; * by elements; ' transposed
    factors of a filter:    [product][input][output], then zeros and the biases, one for each output; float32

The matrices are those for the points 0, 1, -1, 2 and infinity. Column 1 of A has ones alone, so that what is added to
product (1, 1) is added to each point of the tile: the bias.

Sources: Winograd 1980, Arithmetic Complexity of Computations; Lavin and Gray 2016, Fast Algorithms for Convolutional
Neural Networks.
"""

import numpy as np
from numba import types
from numba.extending import intrinsic

from gotools.jit import inner, kernel
from gotools.jit.kernels.convolution import BLOCK, sum_points
from gotools.jit.kernels.vectors import INT64, load, place, store

TILE, WINDOW = 3, 5
PRODUCTS = WINDOW * WINDOW
_TOGETHER = 9
"""Tiles that are computed together, as many as `sum_points` takes."""
_WITH_BIAS = WINDOW + 1
"""Product (1, 1)."""


@inner
def size_of_factors(n):
    """Return the number of factors, zeros and biases of a filter of n channels."""
    return PRODUCTS * n * n + 2 * n


def factors_of(weights, biases):
    """Return the factors of a filter, zeros and its biases; weights -- float32[3, 3, n, n], biases -- float32[n]."""
    found = weights.astype(np.float64)
    for _ in range(2):  # the first axis is transformed and becomes the second: rows, then columns
        a, b, c = found
        found = np.stack([a / 2, -(a + b + c) / 2, -(a - b + c) / 6, (a + 2 * b + 4 * c) / 6, c], axis=1)
    return np.concatenate([found.astype(np.float32).ravel(), np.zeros_like(biases), biases])


def _five(builder, numbers):
    """Return B times five vectors."""
    a, b, c, d, e = numbers
    add, less = builder.fadd, builder.fsub
    twice_b, twice_c, c_to_d, b_to_d = add(b, b), add(c, c), less(d, c), less(d, b)
    return [
        add(less(d, twice_c), less(add(a, a), b)),
        less(c_to_d, twice_b),
        add(less(c_to_d, twice_c), twice_b),
        b_to_d,
        less(less(e, c), add(b_to_d, b_to_d)),
    ]


def _three(builder, numbers):
    """Return A times five vectors."""
    a, b, c, d, e = numbers
    add, twice_d = builder.fadd, builder.fadd(d, d)
    both = add(b, c)
    return [add(add(a, both), d), add(builder.fsub(b, c), twice_d), add(add(both, add(twice_d, twice_d)), e)]


def _transform(of_line, size):
    """Make an intrinsic that applies `of_line` to the columns and to the rows of 5x5 vectors, and writes size x size.

    Vector (row, column) of BLOCK numbers lies at x_at + row * x_row + column * x_step.
    """

    def generate(context, builder, signature, arguments):
        x, x_at, x_row, x_step, y, y_at, y_row, y_step = arguments
        first_x = place(context, builder, signature.args[0], x, x_at)
        first_y = place(context, builder, signature.args[4], y, y_at)

        def beside(pointer, *steps):
            """Return a pointer that is moved by steps, each as often as said."""
            for step, times in steps:
                pointer = builder.gep(pointer, [builder.mul(step, INT64(times))])
            return pointer

        columns = []
        for column in range(WINDOW):
            places = (beside(first_x, (x_row, row), (x_step, column)) for row in range(WINDOW))
            columns.append(of_line(builder, [load(builder, at) for at in places]))
        for row in range(size):
            for column, vector in enumerate(of_line(builder, [numbers[row] for numbers in columns])):
                store(builder, vector, beside(first_y, (y_row, row), (y_step, column)))
        return context.get_dummy_value()

    @intrinsic
    def transform(typing_context, x, x_at, x_row, x_step, y, y_at, y_row, y_step):
        return types.void(x, x_at, x_row, x_step, y, y_at, y_row, y_step), generate

    return transform


_window_to_inputs, _products_to_tile = _transform(_five, WINDOW), _transform(_three, TILE)


@inner
def _begin(tile, in_row, rows, columns):
    """Return the row and the column where a tile begins; the last one of a line may overlap the one before."""
    return min(TILE * (tile // in_row), rows - TILE), min(TILE * (tile % in_row), columns - TILE)


@inner
def _copy_points(x, columns, y, columns_of_y, rows, n):
    """Copy the points of a board to those of a board with other columns; those that one of them lacks are left out."""
    for row in range(1, rows + 1):
        at, to = (row * (columns + 2) + 1) * n, (row * (columns_of_y + 2) + 1) * n
        for i in range(min(columns, columns_of_y) * n):
            y[to + i] = x[at + i]


@kernel
def convolve_in_tiles(x, n, factors, at, rows, columns, y):
    """Fill the points of y; its border is left as it is.

    x, y    -- float32[(rows + 2) * (columns + 2) * n]; n -- channels, a multiple of BLOCK
    factors -- float32: those of the filter from `at` on
    """
    tall, wide = max(rows, TILE), max(columns, TILE)
    read, written = x, y
    if tall > rows or wide > columns:  # no tile fits: a larger board
        numbers = (tall + 2) * (wide + 2) * n
        read, written = np.zeros(numbers, np.float32), np.empty(numbers, np.float32)
        _copy_points(x, columns, read, wide, rows, n)
    in_row, line, step = (wide + TILE - 1) // TILE, (wide + 2) * n, _TOGETHER * n
    tiles = in_row * ((tall + TILE - 1) // TILE)
    inputs, products = np.zeros(PRODUCTS * step, np.float32), np.empty(PRODUCTS * step, np.float32)
    zeros = at + PRODUCTS * n * n
    for first in range(0, tiles, _TOGETHER):
        some = min(_TOGETHER, tiles - first)
        for i in range(some):
            row, column = _begin(first + i, in_row, tall, wide)
            for c in range(0, n, BLOCK):
                begin = row * line + column * n + c
                _window_to_inputs(read, begin, line, n, inputs, i * n + c, WINDOW * step, step)
        for p in range(PRODUCTS):
            biases = zeros + n if p == _WITH_BIAS else zeros
            sum_points(_TOGETHER, inputs, p * step, n, 0, 1, factors, at + p * n * n, biases, n, products, p * step)
        for i in range(some):
            row, column = _begin(first + i, in_row, tall, wide)
            for c in range(0, n, BLOCK):
                to = (row + 1) * line + (column + 1) * n + c
                _products_to_tile(products, i * n + c, WINDOW * step, step, written, to, line, n)
    if tall > rows or wide > columns:
        _copy_points(written, wide, y, columns, rows, n)
