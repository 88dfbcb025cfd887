"""Inference of a residual network on one core: our kernels beside PyTorch and, where it is installed, ONNX Runtime.

python bench/network.py          positions a second, one at a time, 9x9 and 19x19; ratios to the faster of the others

All compute the same network from the same planes. What the planes cost is a row of its own.
"""

from __future__ import annotations

import io
import statistics
import time
import warnings
from collections.abc import Callable

import numpy as np
from _table import ROOT, heading, row, skipped

from gotools.games.go.inputs.kernels import planes as p
from gotools.jit.kernels.residual import residual_network
from gotools.library.records import read_examples
from gotools.values.network.shape import NetworkShape, numbers_of

SHAPES = ((NetworkShape(4, 32), 9), (NetworkShape(4, 32), 19), (NetworkShape(6, 64), 9))
ASKED_PER_SECOND, ASKED_RATIO = 4000, 1.5
ROUNDS, SECONDS = 5, 0.3


def main() -> None:
    heading("inference of residual networks, positions a second of one core, one at a time")
    try:
        import torch
    except ImportError:
        skipped("inference beside PyTorch", "PyTorch")
        return
    from gotools.values.network.model import ResidualNetwork

    torch.set_num_threads(1)
    torch.manual_seed(0)
    for shape, size in SHAPES:
        network = ResidualNetwork(p.PLANES, shape).eval()
        batch = torch.randn(16, p.PLANES, size, size)
        works = {"ours": ours(network.weights(), shape, size), "PyTorch": traced(network, batch[:1])}
        if (onnx := by_onnx(network, batch[:1])) is not None:
            works["ONNX Runtime"] = onnx
        speeds = per_second(works)
        best = max(speed for name, speed in speeds.items() if name != "ours")
        asked = shape.channels == 32 and size == 9
        met = speeds["ours"] >= ASKED_PER_SECOND and speeds["ours"] >= ASKED_RATIO * best
        others = ", ".join(f"{name} {speed:,.0f}" for name, speed in speeds.items() if name != "ours")
        row(
            f"{shape}, {size}x{size}",
            f"{speeds['ours']:,.0f} a second, {speeds['ours'] / best:.1f} times",
            f">= {ASKED_PER_SECOND:,}, {ASKED_RATIO}" if asked else "",
            met if asked else None,
            others + f"; in batches of 16 PyTorch {16 * per_second({'': traced(network, batch)})['']:,.0f}",
        )
    planes()


def per_second(works: dict[str, Callable[[], None]]) -> dict[str, float]:
    """Call each in turn, several rounds; return the median of the calls a second."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            work()
            began, calls = time.process_time(), 0
            while (spent := time.process_time() - began) < SECONDS:
                work()
                calls += 1
            found[name].append(calls / spent)
    return {name: statistics.median(speeds) for name, speeds in found.items()}


def ours(weights: np.ndarray, shape: NetworkShape, size: int) -> Callable[[], None]:
    numbers = numbers_of(shape, p.PLANES, weights)
    x = np.random.default_rng(0).random((size + 2) ** 2 * p.PLANES, np.float32)
    policy, owned, out = np.empty(size * size + 1, np.float32), np.empty(0, np.float32), np.empty(2)
    return lambda: residual_network(x, numbers, size, size, policy, owned, out)


def traced(network, batch) -> Callable[[], None]:
    """Return a call of the network as PyTorch is quickest with it: traced, frozen, optimised for inference."""
    import torch

    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")
        quick = torch.jit.optimize_for_inference(torch.jit.trace(network, batch))

    def call() -> None:
        with torch.inference_mode():
            quick(batch)

    return call


def by_onnx(network, batch) -> Callable[[], None] | None:
    try:
        import onnxruntime
        import torch

        file = io.BytesIO()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(network, (batch,), file, dynamo=False)
    except ImportError:
        return None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(file.getvalue(), options)
    inputs = {session.get_inputs()[0].name: batch.numpy()}
    return lambda: session.run(None, inputs)


def planes() -> None:
    """Time the planes of positions of games."""
    rows = read_examples(ROOT / "examples/games")
    size, n = int(rows.size[0]), len(rows)
    x = np.empty((n, (size + 2) ** 2 * p.PLANES), np.float32)
    komi2, strength = np.full(n, 15, np.int16), np.zeros(n, np.float32)
    work = {"": lambda: p.planes_of_rows(
        rows.board, size, rows.to_play, rows.ko, rows.last, rows.last2, komi2, strength, x)}  # fmt: skip
    row(f"planes, {size}x{size}, {n:,} positions of games", f"{1e6 / (n * per_second(work)['']):.1f} us each")


if __name__ == "__main__":
    main()
