"""The same bytes on every processor: functions of our own, and a chain of commands under other processors' libraries.

The C library, numpy and OpenBLAS choose routines by the processor; variables of the environment make them choose as on
an older one. What numba compiles is made for a processor without extensions in the slow test, which compiles all anew.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from gotools.jit.kernels import elementary as _math
from gotools.jit.kernels import exact

ROOT = Path(__file__).parents[2]
X86 = platform.machine() in ("x86_64", "AMD64")
OLD_LIBM = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"}
OLD_NUMPY = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V3,X86_V4,AVX512_ICL,AVX512_SPR" if np.__version__ >= "2.4" else "AVX2,FMA3"
}
OTHER_BLAS = {"OPENBLAS_CORETYPE": "Haswell"}
PLAIN = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
MOST_STEPS = (
    "induce-patterns {games} --objective rank --max-rules 12 --test {games} --metrics rank.json -o rank.pl",
    "induce-patterns {games} --positives 60 --weights regression --test {games} -o cover.pl",
    "rank-moves {games} --rules rank.pl --top 3 -o ranking.tsv",
    "cluster-moves {games} --k 4 --starts 2 -o clusters.tsv",
    "cluster-moves {games} --k 4 --starts 2 --metric mahalanobis -o mahalanobis.tsv",
    "train-eval --games 200 --referee-games 2 --seed 3 -o shapes.npz --log shapes.tsv",
    "train-eval --game tictactoe --method evolve --games 900 --referee-games 2 -o evolved.npz",
    "train-eval --game tictactoe --network mlp:4 --games 300 --temperature 0.2 --referee-games 2 -o raw.npz",
    "rank-moves {games}/gnugo-0001.sgf --eval shapes.npz --top 3 -o values.tsv",
)
PLAY = ("loadsgf {games}/gnugo-0001.sgf 20", "genmove b", "genmove w", "gotools-explain")


def chain(folder: Path, **env: str) -> dict[str, str]:
    """Run the steps; returns a digest of each file."""
    folder.mkdir()
    games = ROOT / "examples/games"
    some = folder.parent / "games"
    if not some.exists():
        some.mkdir()
        for path in sorted(games.glob("*.sgf"))[:8]:
            (some / path.name).write_bytes(path.read_bytes())

    def gotools(line: str, stdin: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "gotools", *line.format(games=some).split(), "-q"],
            input=stdin, capture_output=True, text=True, cwd=folder, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        )  # fmt: skip
        assert done.returncode == 0, (line, done.stderr)
        return done.stdout

    for line in MOST_STEPS:
        gotools(line)
    moves = "\n".join(PLAY).format(games=some)
    for name, options in (
        ("mcts", "--nodes 300"),
        ("alphabeta", "--search alphabeta --nodes 200 --order clusters.tsv"),
    ):
        found = gotools(f"gtp --rules rank.pl {options}", moves)
        (folder / f"{name}.txt").write_text("\n".join(line.split(" in ")[0] for line in found.splitlines()))
    (folder / "rank.json").write_text("\n".join(
        line for line in (folder / "rank.json").read_text().splitlines() if "seconds" not in line
    ))  # fmt: skip
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


@pytest.mark.slow
@pytest.mark.skipif(not X86, reason="variables of x86-64 processors")
def test_a_chain_of_commands_gives_the_same_bytes_on_other_processors(tmp_path):
    here = chain(tmp_path / "here")
    assert len(here) == 13
    assert chain(tmp_path / "libraries", **OLD_LIBM, **OLD_NUMPY, **OTHER_BLAS) == here
    assert chain(tmp_path / "plain", **PLAIN, **OLD_LIBM, NUMBA_CACHE_DIR=str(tmp_path / "kernels")) == here


SMALL = """
import sys, math
from gotools.base.blas import use_common_blas
use_common_blas()
import numpy as np
from hashlib import sha256
from gotools.jit.kernels import exact
x = np.random.default_rng(1).uniform(-20, 20, 20000)
print("libm", sha256(np.array([math.exp(v) for v in x])).hexdigest())  # these two may differ
print("numpy", sha256(np.exp(x)).hexdigest())
a = x.reshape(100, 200)
import scipy.linalg
for name, values in {
    "exp": exact.exp(x), "log": exact.log(np.abs(x)), "normal": exact.normal(np.random.default_rng(2), 5000),
    "matmul": a @ a.T, "cholesky": scipy.linalg.cholesky(a @ a.T), "sums": np.add.reduceat(x, [0, 7, 900]),
    "sum": np.array([x.sum(), x.std(), x[:999].mean()]), "root": np.sqrt(np.abs(x)),
}.items():
    print("ours", name, sha256(np.ascontiguousarray(values)).hexdigest())
"""


@pytest.mark.system
@pytest.mark.skipif(not X86, reason="variables of x86-64 processors")
def test_functions_and_linear_algebra_do_not_depend_on_the_processor():
    reported = []
    for env in ({}, {**OLD_LIBM, **OLD_NUMPY, **OTHER_BLAS}):
        done = subprocess.run(
            [sys.executable, "-c", SMALL], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        )  # fmt: skip
        reported.append([line for line in done.stdout.splitlines() if line.startswith("ours")])
    assert reported[0] == reported[1]


WIDE = """
import numpy as np
from hashlib import sha256
from gotools.jit.kernels.residual import residual_network
from gotools.jit.target import WIDE, level_of
from gotools.rules.boosting.kernels.boost import single_sums
from gotools.values.network.shape import NetworkShape, numbers_of
chance, shape = np.random.default_rng(3), NetworkShape(2, 48)
weights = chance.normal(0.0, 0.1, shape.weights(16)).astype(np.float32)
x, policy, owned, out = np.zeros((11, 11, 16), np.float32), *np.zeros((2, 82), np.float32), np.zeros(2)
x[1:-1, 1:-1] = chance.normal(size=(9, 9, 16))
residual_network(x.ravel(), numbers_of(shape, 16, weights), 9, 9, policy, owned, out)
masks = chance.integers(0, 2, (40, 999)).astype(np.uint8)
gradient, curvature = (chance.normal(size=999).astype(np.float32) for _ in range(2))
sums, count = np.zeros((40, 2)), np.zeros(40, np.int64)
single_sums(masks, gradient, curvature, sums, count)
print(level_of(WIDE), *(sha256(found).hexdigest() for found in (policy, owned, out, sums, count)))
"""


@pytest.mark.system
@pytest.mark.skipif(not X86, reason="levels of x86-64 processors")
def test_kernels_of_wider_vectors_give_the_bytes_of_avx2() -> None:
    """Those of x86-64-v4 are the only ones that are not compiled for x86-64-v3 on every processor."""
    said = []
    for env in ({}, {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}):
        done = subprocess.run(
            [sys.executable, "-c", WIDE], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), **env},
        )  # fmt: skip
        said.append(done.stdout.rstrip("\n").split(" "))
    wide, narrow = said
    assert wide[0] in ("x86-64-v4", "") and narrow[0] == ""
    assert wide[1:] == narrow[1:]


@pytest.mark.parametrize(
    ("ours", "theirs", "low", "high", "ulps"),
    [
        (_math.exp_all, np.exp, -745.0, 709.7, 1.0),
        (_math.exp_all, np.exp, -2.0, 2.0, 1.0),
        (_math.log_all, np.log, 1e-300, 1e-290, 1.0),
        (_math.log_all, np.log, 1e-9, 4.0, 1.0),
        (_math.tanh_all, np.tanh, -1.0, 1.0, 2.0),
        (_math.tanh_all, np.tanh, -30.0, 30.0, 2.0),
    ],
)
def test_exp_log_and_tanh_are_right_to_the_last_place(ours, theirs, low, high, ulps):
    values = np.random.default_rng(5).uniform(low, high, 50_000)
    found = np.empty_like(values)
    ours(values, found)
    true = theirs(values.astype(np.longdouble))
    places = np.abs(found - true) / np.spacing(np.abs(true.astype(np.float64)))
    assert float(places.max()) < ulps


def test_the_ends_of_exp_log_and_tanh():
    ends = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 710.0, 709.78, -745.0, -746.0, 1e-310, 5e-324, 1e308, -3.0])
    with np.errstate(all="ignore"):
        for ours, theirs in ((exact.exp, np.exp), (exact.log, np.log)):
            np.testing.assert_allclose(ours(ends), theirs(ends), rtol=3e-16)
        found = np.empty_like(ends)
        _math.tanh_all(ends, found)
        np.testing.assert_allclose(found, np.tanh(ends), rtol=3e-16)
    values = np.random.default_rng(1).uniform(-9, 9, 10_000)
    there, back = np.empty_like(values), np.empty_like(values)
    _math.tanh_all(values, there)
    _math.tanh_all(-values, back)
    assert np.array_equal(there, -back), "odd to the last bit"
    assert isinstance(float(exact.exp(exact.log(values[values > 0]).mean())), float)


def test_normal_deviates_are_normal():
    drawn = exact.normal(np.random.default_rng(1), (400, 500))
    assert drawn.shape == (400, 500)
    assert abs(float(drawn.mean())) < 0.01 and abs(float(drawn.std()) - 1.0) < 0.01
    assert abs(float((np.abs(drawn) > 1.959964).mean()) - 0.05) < 0.002
    assert abs(float((drawn**4).mean()) - 3.0) < 0.05
