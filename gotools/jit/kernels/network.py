"""Small networks of tanh or logistic units: value, and gradient by the weights.

    numbers:  | L | kind | n0 n1 .. nL | scales of the n0 inputs | weights, layer after layer |
    a layer:  | unit 0: n_in weights (bias) | unit 1: n_in weights (bias) | ...

L is 1 to 3 and nL is 1. kind is the sum of BIASES and LOGISTIC. Only hidden layers have biases. Without them the value
of tanh units is an odd function of the inputs, to the last bit: every step of the arithmetic is.

Logistic units, 1 / (1 + exp(-x)), have values from 0 to 1. Such an output is meant for the side that has just moved, as
in programs that value positions after their own moves; so the value for the side to play is its negative.
"""

import numpy as np

from gotools.jit import inner, kernel
from gotools.jit.kernels.elementary import tanh

LAYERS, KIND, SIZES = 0, 1, 2
"""Entries of the header; SIZES is the first of L + 1."""
BIASES, LOGISTIC = 1, 2
"""What makes up the kind: biases in hidden units, logistic units."""

_0, _1, _2, _3, _4 = (np.uint64(number) for number in range(5))


@kernel
def first_weight(numbers):
    """Return the index of the first weight."""
    return SIZES + int(numbers[LAYERS]) + 1 + int(numbers[SIZES])


@inner
def _unit(total, logistic):
    """Return the value of a unit from the sum that goes into it."""
    return 0.5 + 0.5 * tanh(0.5 * total) if logistic else tanh(total)


@inner
def _slope(value, logistic):
    """Return the derivative of a unit's value by the sum, from the value."""
    return value * (1.0 - value) if logistic else 1.0 - value * value


@inner
def output(total, logistic):
    """Return the value for the side to play."""
    return -_unit(total, logistic) if logistic else tanh(total)


@inner
def _output_slope(value, logistic):
    """Return the derivative of the output by the sum, from the output."""
    return -_slope(-value, logistic) if logistic else 1.0 - value * value


@inner
def _from_inputs(x, scales, row):
    """Sum the scaled inputs, weighted by the first numbers of a row, and the bias where the row has one more."""
    n = len(scales)
    total = 0.0
    for i in range(n):
        total += x[i] * scales[i] * row[i]
    return total + row[n] if len(row) > n else total


@inner
def _from_units(units, row):
    """Sum the values of the units below, weighted by the first numbers of a row, and the bias where it has one more."""
    n = len(units)
    total = 0.0
    for i in range(n):
        total += units[i] * row[i]
    return total + row[n] if len(row) > n else total


@kernel
def network_value(x, numbers):
    """Return the output of a network.

    x -- float64[n0], the inputs, not scaled
    """
    layers, n0 = int(numbers[LAYERS]), int(numbers[SIZES])
    if layers == 2:
        return _value_of_two(x, numbers)
    if layers == 3:
        return _value_of_three(x, numbers)
    total = 0.0
    for i in range(n0):
        total += x[i] * numbers[SIZES + 2 + i] * numbers[SIZES + 2 + n0 + i]
    return output(total, int(numbers[KIND]) >= LOGISTIC)


@inner
def _sum(x, numbers, scales, row, n):
    """Sum n scaled inputs, weighted by numbers[row:]."""
    total = 0.0
    for i in range(n):
        total += x[i] * numbers[scales + i] * numbers[row + i]
    return total


@inner
def _four_sums(x, numbers, scales, row, n, width):
    """As _sum, for four rows at once, `width` apart: their additions overlap in the processor."""
    row1 = row + width
    row2 = row1 + width
    row3 = row2 + width
    a = b = c = d = 0.0
    for i in range(n):
        scaled = x[i] * numbers[scales + i]
        a += scaled * numbers[row + i]
        b += scaled * numbers[row1 + i]
        c += scaled * numbers[row2 + i]
        d += scaled * numbers[row3 + i]
    return a, b, c, d


@inner
def _value_of_two(x, numbers):
    """As network_value, for one hidden layer.

    Places are unsigned: of others numba asks each time whether they count from the end. There are no slices: counting
    the references to the array would take longer than a small network. Units are added one by one: the sum is that of
    network_gradient, to the last bit.
    """
    kind, n0, n1 = int(numbers[KIND]), np.uint64(int(numbers[SIZES])), np.uint64(int(numbers[SIZES + 1]))
    biased, logistic = np.uint64(kind & BIASES), kind >= LOGISTIC
    scales = np.uint64(SIZES + 3)
    width = n0 + biased
    row = scales + n0
    above = row + n1 * width
    end = above + n1
    total = 0.0
    while above + _4 <= end:
        a, b, c, d = _four_sums(x, numbers, scales, row, n0, width)
        if biased != _0:
            bias = row + n0
            a += numbers[bias]
            b += numbers[bias + width]
            c += numbers[bias + _2 * width]
            d += numbers[bias + _3 * width]
        total += numbers[above] * _unit(a, logistic)
        total += numbers[above + _1] * _unit(b, logistic)
        total += numbers[above + _2] * _unit(c, logistic)
        total += numbers[above + _3] * _unit(d, logistic)
        above += _4
        row += _4 * width
    while above < end:
        a = _sum(x, numbers, scales, row, n0)
        if biased != _0:
            a += numbers[row + n0]
        total += numbers[above] * _unit(a, logistic)
        above += _1
        row += width
    return output(total, logistic)


@inner
def _value_of_three(x, numbers):
    """As network_value, for two hidden layers."""
    kind, n0, n1, n2 = int(numbers[KIND]), int(numbers[SIZES]), int(numbers[SIZES + 1]), int(numbers[SIZES + 2])
    biased, logistic = kind & BIASES, kind >= LOGISTIC
    at = SIZES + 4
    scales, weights = numbers[at : at + n0], numbers[at + n0 :]
    width, width2 = n0 + biased, n1 + biased
    middle = weights[n1 * width :]
    units = np.empty(n1)
    for j in range(n1):
        units[j] = _unit(_from_inputs(x, scales, weights[j * width : (j + 1) * width]), logistic)
    total = 0.0
    for j in range(n2):
        above = _from_units(units, middle[j * width2 : (j + 1) * width2])
        total += middle[n2 * width2 + j] * _unit(above, logistic)
    return output(total, logistic)


@inner
def _input_gradient(x, scales, slope, row):
    """Write the gradient by the weights of one unit above the inputs.

    slope -- the derivative of the network's output by the sum that goes into the unit
    """
    n = len(scales)
    for i in range(n):
        row[i] = slope * (x[i] * scales[i])
    if len(row) > n:
        row[n] = slope


@kernel
def network_gradient(x, numbers, gradient):
    """Write the derivative of the output by each weight; return the output.

    gradient -- float64[weights], in the order of the weights; until they are written, places of derivatives hold the
                values of the units below them
    """
    layers, kind = int(numbers[LAYERS]), int(numbers[KIND])
    biased, logistic = kind & BIASES, kind >= LOGISTIC
    n0, n1 = int(numbers[SIZES]), int(numbers[SIZES + 1])
    at = SIZES + layers + 1
    scales, weights = numbers[at : at + n0], numbers[at + n0 :]
    if layers == 1:
        value = output(_from_inputs(x, scales, weights[:n0]), logistic)
        _input_gradient(x, scales, _output_slope(value, logistic), gradient[:n0])
        return value
    if layers == 2:
        return _gradient_of_two(x, scales, weights, n1, biased, logistic, gradient)
    return _gradient_of_three(x, scales, weights, n1, int(numbers[SIZES + 2]), biased, logistic, gradient)


@inner
def _gradient_of_two(x, scales, weights, n1, biased, logistic, gradient):
    """As network_gradient, for one hidden layer."""
    width = len(scales) + biased
    above, units = weights[n1 * width :], gradient[n1 * width :]
    total = 0.0
    for j in range(n1):
        units[j] = _unit(_from_inputs(x, scales, weights[j * width : (j + 1) * width]), logistic)
        total += above[j] * units[j]
    value = output(total, logistic)
    slope = _output_slope(value, logistic)
    for j in range(n1):
        inner = slope * above[j] * _slope(units[j], logistic)
        _input_gradient(x, scales, inner, gradient[j * width : (j + 1) * width])
        units[j] *= slope
    return value


@inner
def _gradient_of_three(x, scales, weights, n1, n2, biased, logistic, gradient):
    """As network_gradient, for two hidden layers."""
    width, width2 = len(scales) + biased, n1 + biased
    middle, below = weights[n1 * width :], gradient[n1 * width :]
    above, units = middle[n2 * width2 :], below[n2 * width2 :]
    for i in range(n1):
        below[i] = _unit(_from_inputs(x, scales, weights[i * width : (i + 1) * width]), logistic)
    total = 0.0
    for j in range(n2):
        units[j] = _unit(_from_units(below[:n1], middle[j * width2 : (j + 1) * width2]), logistic)
        total += above[j] * units[j]
    value = output(total, logistic)
    slope = _output_slope(value, logistic)
    for i in range(n1):
        inner = 0.0
        for j in range(n2):
            inner += above[j] * _slope(units[j], logistic) * middle[j * width2 + i]
        inner *= slope * _slope(below[i], logistic)
        _input_gradient(x, scales, inner, gradient[i * width : (i + 1) * width])
    for j in range(n2 - 1, -1, -1):  # the first row last: it holds the units of the first layer
        inner = slope * above[j] * _slope(units[j], logistic)
        for i in range(n1):
            below[j * width2 + i] = inner * below[i]
        if biased != 0:
            below[j * width2 + n1] = inner
        units[j] *= slope
    return value
