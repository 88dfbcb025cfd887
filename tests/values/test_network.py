"""Networks against plain formulas, finite differences, and what they promise: size, oddness, names that read back."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotools.base.errors import GotoolsError
from gotools.jit.kernels.network import first_weight, network_gradient, network_value
from gotools.values.td.perceptrons import (
    Architecture,
    check_numbers,
    layer_of,
    new_numbers,
    parse_architecture,
    scales_of,
    weights_of,
)

CASES = [
    ("linear", 1),
    ("linear", 8),
    ("mlp:1", 1),
    ("mlp:4", 8),
    ("mlp:4+bias", 8),
    ("mlp:42", 42),
    ("mlp:42+bias", 42),
    ("mlp:42,10", 42),
    ("mlp:3,1", 5),
    ("mlp:1,7+bias", 3),
    ("mlp:6,5+bias", 4),
    ("mlp:300,212", 2),
    ("linear+sigmoid", 4),
    ("mlp:10+sigmoid", 9),
    ("mlp:3+bias+sigmoid", 8),
    ("mlp:6,5+bias+sigmoid", 4),
]
each_network = pytest.mark.parametrize(("text", "inputs"), CASES)


def network(text, inputs, seed=3, spread=0.5):
    scales = np.random.default_rng(seed).uniform(0.02, 1.5, inputs)
    return new_numbers(parse_architecture(text), scales, seed, spread)


def some_inputs(inputs, seed=5):
    return np.random.default_rng(seed).normal(0.0, 1.0, inputs)


def gradient_of(x, numbers):
    gradient = np.full(len(weights_of(numbers)), np.nan)
    return network_gradient(x, numbers, gradient), gradient


def slow_value(text, x, scales, weights):
    """Value a network with matrices, from its description alone."""
    shape, *more = text.split("+")
    biased, logistic = "bias" in more, "sigmoid" in more
    hidden = [] if shape == "linear" else [int(h) for h in shape.removeprefix("mlp:").split(",")]
    units, weights = np.asarray(x) * scales, list(weights)
    for width in [*hidden, None]:
        bias = int(biased and width is not None)
        count = (len(units) + bias) * (width or 1)
        rows = np.array(weights[:count]).reshape(width or 1, -1)
        del weights[:count]
        sums = [math.fsum([*(row[: len(units)] * units), *row[len(units) :]]) for row in rows]
        units = np.array([1 / (1 + math.exp(-total)) if logistic else math.tanh(total) for total in sums])
    assert not weights
    return -units[0] if logistic else units[0]


@each_network
def test_the_value_is_that_of_the_plain_formula(text, inputs):
    numbers = network(text, inputs)
    for seed in range(5):
        x = some_inputs(inputs, seed)
        wanted = slow_value(text, x, scales_of(numbers), weights_of(numbers))
        assert network_value(x, numbers) == pytest.approx(wanted, rel=1e-12, abs=1e-14)
        assert gradient_of(x, numbers)[0] == network_value(x, numbers)


@each_network
def test_the_gradient_is_that_of_finite_differences(text, inputs):
    numbers = network(text, inputs)
    x = some_inputs(inputs)
    _, gradient = gradient_of(x, numbers)
    begin, step = first_weight(numbers), 1e-5
    for i in range(0, len(gradient), 1 + len(gradient) // 500):
        sides = []
        for sign in (1.0, -1.0):
            moved = numbers.copy()
            moved[begin + i] += sign * step
            sides.append(network_value(x, moved))
        assert gradient[i] == pytest.approx((sides[0] - sides[1]) / (2 * step), rel=1e-6, abs=1e-10), i
    assert np.isfinite(gradient).all()


@given(st.integers(0, 10**6), st.sampled_from([case for case in CASES if "+" not in case[0]]))
def test_without_biases_the_value_is_odd_to_the_last_bit(seed, case):
    text, inputs = case
    numbers = network(text, inputs, seed=seed, spread=1.0)
    x = some_inputs(inputs, seed)
    value, gradient = gradient_of(x, numbers)
    other, even = gradient_of(-x, numbers)
    assert network_value(-x, numbers) == -network_value(x, numbers)
    assert other == -value
    assert (even == -gradient).all()
    assert network_value(np.zeros(case[1]), numbers) == 0.0


def test_biases_distinguish_the_sides():
    numbers = network("mlp:4+bias", 8)
    assert network_value(np.zeros(8), numbers) != 0.0


def test_sizes_of_the_seeds():
    def count(text, inputs):
        return len(weights_of(network(text, inputs)))

    assert count("linear", 8) == 8  # the thesis' nets A and B
    assert count("mlp:4", 8) == 36
    assert count("mlp:42+bias", 42) == 1848  # Connect-4: 43 * 42 into the hidden units, 42 out of them


@each_network
def test_layers_of_weights_follow_each_other(text, inputs):
    numbers = network(text, inputs)
    layers = layer_of(numbers)
    assert len(layers) == len(weights_of(numbers))
    assert (np.diff(layers) >= 0).all() and set(np.diff(layers)) <= {0, 1}
    architecture = parse_architecture(text)
    assert layers[0] == 0 and layers[-1] == len(architecture.hidden)
    last = architecture.hidden[-1] if architecture.hidden else inputs
    assert (layers == layers[-1]).sum() == last


@each_network
def test_numbers_hold_their_architecture(text, inputs):
    assert check_numbers(network(text, inputs)) == parse_architecture(text)
    assert str(parse_architecture(text)) == text


def test_new_weights_are_small_and_repeat_by_seed():
    scales = np.full(42, 0.1)
    numbers = new_numbers(Architecture((42,), True), scales, 7)
    weights = weights_of(numbers)
    assert np.abs(weights).max() <= 0.01 and np.abs(weights).max() > 0.0099
    assert abs(weights.mean()) < 0.0005
    assert (numbers == new_numbers(Architecture((42,), True), scales, 7)).all()
    assert (numbers != new_numbers(Architecture((42,), True), scales, 8)).any()
    assert (scales_of(numbers) == scales).all()
    weights[3] = 0.5  # a view
    assert weights_of(numbers)[3] == 0.5


@pytest.mark.parametrize(
    "text",
    [
        "", "Linear", "linear+bias", "linear:4", "mlp", "mlp:", "mlp:0", "mlp:4,", "mlp:4,,4", "mlp:-4", "mlp:4.5",
        "mlp:4,4,4", "mlp:513", "mlp:400,200", "mlp:4 ,4", "mlp:4+", "mlp:4+bias+bias", "mlp:99999999999", "mlp:٤",
    ],
)  # fmt: skip
def test_what_is_no_network_is_refused(text):
    with pytest.raises(GotoolsError):
        parse_architecture(text)


@pytest.mark.parametrize("text", ["linear", "mlp:4", "mlp:6,5+bias"])
def test_numbers_that_are_no_network_are_refused(text):
    numbers = network(text, 3)
    for spoilt in (numbers[:-1], np.append(numbers, 0.0), numbers[:0], numbers[:2]):
        with pytest.raises(GotoolsError):
            check_numbers(spoilt)
    sizes = int(numbers[0]) + 1
    for place in range(2 + sizes):
        for value in (-1.0, 0.5, 4.0 + numbers[place], math.nan, math.inf, 1e18):
            spoilt = numbers.copy()
            spoilt[place] = value
            with pytest.raises(GotoolsError):
                check_numbers(spoilt)
