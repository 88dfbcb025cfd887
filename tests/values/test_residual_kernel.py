"""Convolutions against scipy and exact fractions, residual networks against PyTorch, and the text of their shapes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import correlate

from gotools.base.errors import GotoolsError
from gotools.jit.kernels.convolution import convolve
from gotools.jit.kernels.residual import BLOCKS, CHANNELS, HEADER, PLANES, SCORE, STRENGTH, residual_network
from gotools.jit.kernels.winograd import convolve_in_tiles, factors_of
from gotools.values.network.shape import NetworkShape, numbers_of, parse_shape

Floats = NDArray[np.float32]
UNTOUCHED = np.float32(77.0)
BOARDS = [(2, 2), (3, 1), (2, 3), (4, 4), (3, 5), (5, 6), (7, 7), (6, 8), (9, 9), (10, 10), (2, 11), (13, 13), (5, 14),
          (3, 17), (18, 18), (19, 19), (19, 2), (2, 19), (6, 7)]  # fmt: skip
"""Rows and columns, for each way to divide a row into groups of points."""


def bordered(inner: NDArray[Any], border: float = 0.0) -> Floats:
    """Return float32 numbers [rows, columns, n] with a border, as one row."""
    return np.pad(inner, ((1, 1), (1, 1), (0, 0)), constant_values=border).astype(np.float32).ravel()


def without_border(y: Floats, rows: int, columns: int) -> Floats:
    """Return numbers [rows, columns, n], whose border has to be untouched."""
    whole = y.reshape(rows + 2, columns + 2, -1)
    inner = whole[1:-1, 1:-1].copy()
    whole[1:-1, 1:-1] = UNTOUCHED
    assert (whole == UNTOUCHED).all()
    return inner


def convolved(x: Floats, weights: Floats, biases: Floats, before: int = 0, between: int = 0) -> Floats:
    """Convolve numbers [rows, columns, inputs] by weights [taps, taps, inputs, outputs].

    before, between -- numbers that lie before the filter, and between it and the biases
    """
    rows, columns, n_in = x.shape
    taps, n_out = weights.shape[0], weights.shape[3]
    y = np.full((rows + 2) * (columns + 2) * n_out, UNTOUCHED, np.float32)
    gaps = np.full(before, np.nan, np.float32), np.full(between, np.nan, np.float32)
    numbers = np.concatenate([gaps[0], weights.ravel(), gaps[1], biases, gaps[0]])
    begin = before + weights.size + between
    convolve(bordered(x), n_in, numbers, before, begin, taps, n_out, rows, columns, y)
    return without_border(y, rows, columns)


def convolved_in_tiles(x: Floats, weights: Floats, biases: Floats, before: int = 0) -> Floats:
    """Convolve numbers [rows, columns, n] by weights [3, 3, n, n]; before -- numbers before the factors, and after."""
    rows, columns, n = x.shape
    y = np.full((rows + 2) * (columns + 2) * n, UNTOUCHED, np.float32)
    gap = np.full(before, np.nan, np.float32)
    factors = np.concatenate([gap, factors_of(weights, biases), gap])
    convolve_in_tiles(bordered(x), n, factors, before, rows, columns, y)
    return without_border(y, rows, columns)


def some_layer(rows: int, columns: int, n_in: int, n_out: int, taps: int) -> tuple[Floats, Floats, Floats]:
    chance = np.random.default_rng([rows, columns, n_in, n_out, taps])
    shapes = ((rows, columns, n_in), (taps, taps, n_in, n_out), (n_out,))
    x, weights, biases = (chance.normal(size=shape).astype(np.float32) for shape in shapes)
    return x, weights, biases


def slow_convolution(x: NDArray[Any], weights: NDArray[Any], biases: NDArray[Any]) -> NDArray[np.float64]:
    """Sum what scipy finds for each input and output in float64."""
    x, weights = x.astype(np.float64), weights.astype(np.float64)
    found = np.zeros((*x.shape[:2], len(biases))) + biases
    for i in range(x.shape[2]):
        for j in range(len(biases)):
            found[:, :, j] += correlate(x[:, :, i], weights[:, :, i, j], mode="same", method="direct")
    return found


def assert_near(found: Floats, x: Floats, weights: Floats, biases: Floats) -> None:
    """Each of n roundings is wrong by half a unit of the sum of all magnitudes at most."""
    largest = slow_convolution(np.abs(x), np.abs(weights), np.abs(biases))
    roundings = weights.shape[0] * weights.shape[1] * weights.shape[2] + 1
    wrong = np.abs(found - slow_convolution(x, weights, biases))
    assert (wrong <= roundings * largest * 2.0**-24).all()


@pytest.mark.parametrize("taps", [1, 3])
@pytest.mark.parametrize(("rows", "columns"), BOARDS)
def test_a_convolution_is_that_of_scipy(rows: int, columns: int, taps: int) -> None:
    for n_in, n_out in ((16, 16), (5, 32), (3, 48)):
        layer = some_layer(rows, columns, n_in, n_out, taps)
        assert_near(convolved(*layer), *layer)


@pytest.mark.parametrize(("rows", "columns"), [*BOARDS, (1, 1), (3, 3), (4, 5)])
def test_a_convolution_in_tiles_is_that_of_scipy(rows: int, columns: int) -> None:
    """As near as sums over the filter have to be."""
    for n in (16, 48):
        layer = some_layer(rows, columns, n, n, 3)
        assert_near(convolved_in_tiles(*layer), *layer)


def test_every_number_of_columns_and_of_outputs() -> None:
    for columns in range(2, 20):
        layer = some_layer(2, columns, 2, 48, 3)
        assert_near(convolved(*layer), *layer)
    for n_out in (16, 32, 48, 64, 80):
        layer = some_layer(5, 5, 48, n_out, 3)
        assert_near(convolved(*layer), *layer)


def test_weights_lie_where_they_are_said_to_lie() -> None:
    """Anything else that was read is nan."""
    layer = some_layer(4, 9, 3, 48, 3)
    assert (convolved(*layer, before=37, between=5) == convolved(*layer)).all()
    layer = some_layer(4, 9, 16, 16, 3)
    assert (convolved_in_tiles(*layer, before=37) == convolved_in_tiles(*layer)).all()


def rounded(exact: Fraction) -> Any:
    """Return the nearest float32, of two the even one."""
    exponent = max(exact.numerator.bit_length() - exact.denominator.bit_length() - 24, -149)
    while abs(exact) >= Fraction(2) ** (exponent + 24):
        exponent += 1
    return np.float32(float(round(exact / Fraction(2) ** exponent) * Fraction(2) ** exponent))


def exact_convolution(x: Floats, weights: Floats, biases: Floats, fused: bool = True) -> Floats:
    """Add products to the bias over rows, columns and inputs of the filter, each rounded once; not `fused`: twice."""
    rows, columns, n_in = x.shape
    taps = len(weights)
    edge = taps // 2
    padded = np.pad(x, ((edge, edge), (edge, edge), (0, 0)))
    found = np.empty((rows, columns, len(biases)), np.float32)
    for row, column, output in np.ndindex(found.shape):
        total = biases[output]
        for down, across, i in np.ndindex(taps, taps, n_in):
            factors = padded[row + down, column + across, i], weights[down, across, i, output]
            product = Fraction(float(factors[0])) * Fraction(float(factors[1]))
            if not fused:
                product = Fraction(float(rounded(product)))
            total = rounded(product + Fraction(float(total)))
        found[row, column, output] = total
    return found


@pytest.mark.parametrize(("text", "wanted"), [("1", 1.0), ("1/3", np.float32(1 / 3)), ("-7/5", np.float32(-1.4))])
def test_fractions_are_rounded_as_numpy_rounds(text: str, wanted: float) -> None:
    assert rounded(Fraction(text)) == wanted
    assert rounded(1 + Fraction(1, 1 << 24)) == 1.0  # halfway: to the even one
    assert rounded(1 + Fraction(3, 1 << 24)) == 1.0 + 2.0**-22
    assert rounded(1 + Fraction(1, 1 << 24) + Fraction(1, 1 << 90)) == 1.0 + 2.0**-23  # float64 would halve it
    assert rounded(Fraction(1, 1 << 149)) == 2.0**-149


@pytest.mark.parametrize(("columns", "n_out"), [(2, 16), (3, 32), (5, 48), (6, 16), (9, 32), (10, 16)])
@pytest.mark.parametrize("taps", [1, 3])
def test_the_bits_are_those_of_exact_fused_sums_in_order(columns: int, n_out: int, taps: int) -> None:
    x, weights, biases = some_layer(1, columns, 2, n_out, taps)
    x *= np.float32(2.0) ** np.arange(columns, dtype=np.float32)[:, None]
    some = np.arange(n_out // 16) * 17 % n_out  # an output of each vector
    found = convolved(x, weights, biases)[:, :, some]
    assert (found == exact_convolution(x, weights[..., some], biases[some])).all()


def test_sums_that_are_not_fused_have_other_bits() -> None:
    """Or the test above would not tell them apart."""
    x, weights, biases = some_layer(1, 3, 2, 16, 3)
    assert (convolved(x, weights, biases) == exact_convolution(x, weights, biases)).all()
    assert (convolved(x, weights, biases) != exact_convolution(x, weights, biases, fused=False)).any()


# whole networks -------------------------------------------------------------------------------------------------------


def random_network(text: str, planes: int) -> Any:
    """Return a network of PyTorch in which nothing is as it was at the start."""
    torch = pytest.importorskip("torch")
    from gotools.values.network.model import ResidualNetwork

    torch.manual_seed(len(text) + planes)
    network = ResidualNetwork(planes, parse_shape(text))
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(module.weight, -1.5, 1.5)
            torch.nn.init.normal_(module.bias, std=0.3)
            torch.nn.init.normal_(module.running_mean, std=0.5)
            torch.nn.init.uniform_(module.running_var, 0.3, 3.0)
        elif isinstance(module, torch.nn.Linear):
            torch.nn.init.normal_(module.weight, std=module.in_features**-0.5)
    return network.double().eval()


def evaluated(numbers: NDArray[np.float64], x: NDArray[Any]) -> tuple[Floats, float, float, Floats]:
    """Return policy, value, score and ownership for planes [rows, columns, planes]."""
    rows, columns, _ = x.shape
    policy, owned = np.full(rows * columns + 4, UNTOUCHED), np.full(rows * columns + 3, UNTOUCHED)
    out = np.empty(2)
    residual_network(bordered(x), numbers, rows, columns, policy, owned, out)
    assert (policy[rows * columns + 1 :] == UNTOUCHED).all() and (owned[rows * columns :] == UNTOUCHED).all()
    return policy[: rows * columns + 1], float(out[0]), float(out[1]), owned[: rows * columns]


@pytest.mark.parametrize(("text", "planes"), [("conv:1x16", 19), ("conv:2x32", 19), ("conv:3x48", 7), ("conv:1x80", 1)])
def test_a_network_is_that_of_pytorch(text: str, planes: int) -> None:
    torch, network = pytest.importorskip("torch"), random_network(text, planes)
    numbers = numbers_of(parse_shape(text), planes, network.weights(), 1.5)
    for rows, columns in ((2, 2), (5, 5), (6, 7), (9, 9), (19, 19)):
        x = np.random.default_rng(rows).normal(size=(rows, columns, planes)).astype(np.float32)
        with torch.no_grad():
            wanted = [part.numpy() for part in network(torch.from_numpy(x.transpose(2, 0, 1)[None]).double())]
        policy, value, score, owned = evaluated(numbers, x)
        np.testing.assert_allclose(policy, wanted[0][0], rtol=1e-4, atol=1e-4)
        assert value == pytest.approx(np.tanh(wanted[1][0, 0]), rel=1e-4, abs=1e-5)
        assert score == pytest.approx(SCORE * wanted[1][0, 1], rel=1e-4, abs=1e-3)
        np.testing.assert_allclose(owned, np.tanh(wanted[2][0]), rtol=1e-4, atol=1e-4)
    assert np.abs(wanted[0]).max() > 0.1 and np.abs(wanted[1]).max() > 0.1  # there is something to compare


def random_numbers(text: str, planes: int, spread: float = 0.1) -> NDArray[np.float64]:
    shape = parse_shape(text)
    weights = np.random.default_rng(5).normal(0.0, spread, shape.weights(planes)).astype(np.float32)
    return numbers_of(shape, planes, weights)


def test_who_wants_no_ownership_gets_the_same_rest() -> None:
    x = np.random.default_rng(1).normal(size=(9, 9, 4)).astype(np.float32)
    numbers = random_numbers("conv:2x16", 4)
    policy, out = np.empty(82, np.float32), np.empty(2)
    residual_network(bordered(x), numbers, 9, 9, policy, np.empty(0, np.float32), out)
    wanted = evaluated(numbers, x)
    assert (policy == wanted[0]).all() and (out == wanted[1:3]).all()


def test_values_stay_between_minus_one_and_one() -> None:
    x = np.random.default_rng(1).normal(size=(5, 5, 4)).astype(np.float32)
    _, value, score, owned = evaluated(random_numbers("conv:1x16", 4, spread=3.0), x)
    assert abs(value) <= 1.0 and (np.abs(owned) <= 1.0).all()
    assert abs(score) > 1.0


# shapes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["conv:1x16", "conv:4x32", "conv:10x128", "conv:40x256"])
def test_a_shape_is_read_as_it_was_written(text: str) -> None:
    assert str(parse_shape(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "", "conv", "conv:", "conv:4", "conv:4x", "conv:x32", "conv:0x32", "conv:41x32", "conv:4x0", "conv:4x8",
        "conv:4x33", "conv:4x272", "conv:-4x32", "conv:4x-32", "conv:4.0x32", "conv:4x32x3", "conv:4x32 ", " conv:4x32",
        "conv:4X32", "Conv:4x32", "conv:4×32", "conv:٤x32", "conv:99999x32", "linear", "mlp:4", "conv:4x32+bias",
        "conv:4x32\n",
    ],
)  # fmt: skip
def test_what_is_no_network_is_refused(text: str) -> None:
    with pytest.raises(GotoolsError):
        parse_shape(text)


@pytest.mark.parametrize("text", ["conv:1x16", "conv:2x32", "conv:3x48"])
def test_a_shape_has_as_many_weights_as_pytorch_needs(text: str) -> None:
    for planes in (1, 7, 19):
        assert parse_shape(text).weights(planes) == len(random_network(text, planes).weights())


@pytest.mark.parametrize("planes", [18, 19])
def test_numbers_hold_their_weights(planes: int) -> None:
    shape = NetworkShape(1, 16)
    weights = np.random.default_rng(0).normal(size=shape.weights(planes)).astype(np.float32)
    numbers = numbers_of(shape, planes, weights, 1.25)
    assert numbers[[PLANES, CHANNELS, BLOCKS, STRENGTH]].tolist() == [planes, 16, 1, 1.25]
    held, stem, filter_, factors = numbers[HEADER:].view(np.float32), 9 * planes * 16 + 16, 9 * 256, 25 * 256
    at, to = stem, stem
    for _ in range(2):  # factors of a filter have its corners: a quarter of the first, and the last as it is
        first, last = weights[at : at + filter_].reshape(9, 256)[[0, 8]]
        found = held[to : to + factors].reshape(25, 256)
        assert (found[0] == first / 4).all() and (found[24] == last).all()
        at, to = at + filter_ + 16, to + factors + 32
        assert (held[to - 32 : to] == [*[0.0] * 16, *weights[at - 16 : at]]).all()
    rest = len(weights) - at
    assert (held[:stem] == weights[:stem]).all() and (held[to : to + rest] == weights[at:]).all()
    assert len(held) - to - rest in (0, 1)


def test_a_wrong_number_of_weights_is_refused() -> None:
    shape = NetworkShape(1, 16)
    right = shape.weights(19)
    for count in (right - 1, right + 1, shape.weights(18), shape.weights(20), NetworkShape(2, 16).weights(19), 0):
        with pytest.raises(GotoolsError, match=f"has {right:,} weights, not {count:,}"):
            numbers_of(shape, 19, np.zeros(count, np.float32))
