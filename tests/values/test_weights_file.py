"""Weights files: what is written is read, the same weights are the same bytes, and all else is refused in one line."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gotools.base.errors import FileFormatError, OutputError
from gotools.values.weights import weights_file
from gotools.values.weights.evaluator import load_evaluator
from gotools.values.weights.weights_file import Weights, load_weights, save_weights

RAW = 9
"""Inputs of tic-tac-toe."""


def network(**changes: Any) -> Weights:
    random = np.random.default_rng(1)
    fields: dict[str, Any] = {
        "game": "tictactoe", "size": 3, "komi": 0.0, "features": "raw", "network": "mlp:2", "games": 70,
        "weights": random.normal(size=2 * RAW + 2), "scales": np.linspace(0.5, 1.5, RAW),
        "settings": {"alpha": [0.1, 0.05], "cut": True, "method": "td", "seed": 3, "lambda": 0.7},
        "memory": {"games": np.array([70]), "net": random.normal(size=20), "flags": np.ones((2, 3), np.uint8)},
    }  # fmt: skip
    return Weights(**{**fields, **changes})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "eval.npz"


def arrays_of(path: Path) -> dict[str, Any]:
    with np.load(path) as found:
        return {name: found[name] for name in found.files}


def write(path: Path, arrays: dict[str, Any], **about: Any) -> None:
    """Write arrays as they are, with some other words in `about`; a word of None is taken out."""
    if about:
        found = {**json.loads(str(arrays["about"])), **about}
        found = {key: value for key, value in found.items() if value is not None}
        arrays = {**arrays, "about": np.array(json.dumps(found))}
    with open(path, "wb") as out:
        np.savez_compressed(out, **arrays)


def refused(path: Path) -> str:
    with pytest.raises(FileFormatError) as caught:
        load_weights(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: ") and "\n" not in text
    return text.removeprefix(f"{path}: ")


# ---- what is right ----


def same(one: Weights, other: Weights) -> bool:
    names = ("game", "size", "komi", "features", "network", "games", "settings")
    plain = all(getattr(one, name) == getattr(other, name) for name in names)
    memory = one.memory.keys() == other.memory.keys() and all(
        array.dtype == other.memory[name].dtype and np.array_equal(array, other.memory[name])
        for name, array in one.memory.items()
    )
    return plain and memory and np.array_equal(one.weights, other.weights) and np.array_equal(one.scales, other.scales)


def test_what_is_written_is_read(path: Path) -> None:
    save_weights(path, network())
    assert same(load_weights(path), network())
    assert not same(load_weights(path), network(games=71))


def test_the_same_weights_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        save_weights(tmp_path / name, network())
    save_weights(tmp_path / "c", network(games=71))
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b != c
    save_weights(tmp_path / "d", load_weights(tmp_path / "a"))
    assert (tmp_path / "d").read_bytes() == a


def test_the_extreme_numbers_of_float64_come_back(path: Path) -> None:
    numbers = np.array([0.0, -0.0, 5e-324, -1e9, 1 / 3] * 4)
    save_weights(path, network(weights=numbers))
    assert load_weights(path).weights.tobytes() == numbers.tobytes()


@pytest.mark.parametrize(
    ("about", "what"),
    [
        ("[" * 200_000, "JSON"),
        (
            '{"kind": "gotools eval", "version": 1, "game": "tictactoe", "size": 3, "komi": 1' + "0" * 400 + "}",
            "wrong kind",
        ),
    ],
)
def test_texts_that_no_training_wrote_are_refused(path: Path, about: str, what: str) -> None:
    np.savez(path, about=np.array(about), weights=np.zeros(1))
    with pytest.raises(FileFormatError, match=what):
        load_weights(path)


@pytest.mark.parametrize("shape", ["(1099511627776,)", "(" * 300, "-" * 500 + "1", "(-1,)"])
def test_headers_that_claim_what_is_not_there_are_refused(path: Path, shape: str) -> None:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    array = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(80)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("weights.npy", array)
    with pytest.raises(FileFormatError, match=r"no array|cut off"):
        load_weights(path)


@pytest.mark.parametrize("value", [1e10, -1e308])
def test_weights_that_would_overflow_are_refused(path: Path, value: float) -> None:
    save_weights(path, network(weights=np.full(20, value)))
    with pytest.raises(FileFormatError, match="too large"):
        load_weights(path)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_weights(path, network())
    before = path.read_bytes()
    with pytest.raises(OutputError):
        save_weights(tmp_path / "none" / "eval.npz", network())
    monkeypatch.setattr(weights_file, "open_output", Broken)
    with pytest.raises(OSError, match="disk full"):
        save_weights(path, network(games=80))
    assert path.read_bytes() == before and [file.name for file in tmp_path.iterdir()] == ["eval.npz"]


class Broken:
    """The real `open_output`, on a disk that is full after 100 bytes."""

    def __init__(self, path: Path, *, sync: bool) -> None:
        from gotools.files.opening import open_output

        self._real = open_output(path, sync=sync)

    def __enter__(self) -> Broken:
        self._out = self._real.__enter__()
        return self

    def __exit__(self, *error: Any) -> bool | None:
        return self._real.__exit__(*error)

    def write(self, data: bytes) -> None:
        self._out.write(data[:100])
        raise OSError("disk full")


# ---- what is not ----


def test_a_file_cut_off_anywhere_is_refused(path: Path) -> None:
    save_weights(path, network())
    data = path.read_bytes()
    for twentieth in range(20):
        path.write_bytes(data[: len(data) * twentieth // 20])
        assert refused(path)
    path.write_bytes(data[:-1])
    assert refused(path)


def test_a_file_with_a_flipped_byte_is_refused_or_read_as_it_was(path: Path) -> None:
    """Every byte in turn; some lie in fields of the archive that mean nothing. The arrays have checksums."""
    save_weights(path, network())
    data, sound = path.read_bytes(), 0
    for at in range(0, len(data), 3):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :])
        try:
            found = load_weights(path)
        except FileFormatError as error:
            assert "\n" not in str(error)
        else:
            assert np.array_equal(found.weights, network().weights)
            sound += 1
    assert sound < len(data) / 6


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "an empty file; expected weights (eval.npz of train-eval)"),
        (b"rule(a, 1, 1, 1).\n", "a Prolog program; expected weights"),
        (b"PK, but no archive", "a zip archive; expected weights"),
        (b"\x93NUMPY\x01\x00", "a data file of another program; expected weights"),
        (pickle.dumps([1, 2]), "a binary file; expected weights"),
        (b"\x1f\x8b\x08\x00", "broken gzip data"),
    ],
)
def test_what_is_no_archive_is_refused(path: Path, data: bytes, message: str) -> None:
    path.write_bytes(data)
    assert message in refused(path)


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    assert "Is a directory" in refused(tmp_path)
    assert "No such file" in refused(tmp_path / "none.npz")


def zipped(entries: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({}, "a zip archive; expected weights"),
        ({"readme.txt": b"hello"}, ""),
        ({"about.npy": b"hello"}, ""),
        ({"about.npy": b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (9**9,), }"}, ""),
        ({"about.npy": b"\x93NUMPY\x01\x00\x10\x00__import__('os')"}, ""),
        ({"about.npy": b""}, ""),
    ],
)
def test_strange_archives_are_refused(path: Path, entries: dict[str, bytes], message: str) -> None:
    path.write_bytes(zipped(entries))
    assert message in refused(path)


class Evil:
    """What would leave a file behind if it were unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return open, (str(self.path), "w")


@pytest.mark.parametrize("where", ["about", "weights", "memory_net", "extra"])
def test_pickled_objects_are_never_read(tmp_path: Path, path: Path, where: str) -> None:
    save_weights(path, network())
    write(path, {**arrays_of(path), where: np.array([Evil(tmp_path / "opened")], object)})
    assert "pickled objects" in refused(path)
    assert not (tmp_path / "opened").exists()


@pytest.mark.parametrize("liar", [False, True])
def test_a_bomb_does_not_go_off(path: Path, liar: bool) -> None:
    """An entry of 320 MB of zeros in less than 1 MB; and one that says it were small."""
    import zlib

    head = (
        b"\x93NUMPY\x01\x00v\x00"
        + b"{'descr': '<f8', 'fortran_order': False, 'shape': (41943040,), }".ljust(117)
        + b"\n"
    )
    save_weights(path, network())
    kept = {f"{name}.npy": array for name, array in arrays_of(path).items() if name != "weights"}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, array in kept.items():
            with archive.open(name, "w") as out:
                np.save(out, array)
        with archive.open("weights.npy", "w", force_zip64=True) as out:
            out.write(head)
            for _ in range(320):
                out.write(bytes(1 << 20))
    data = packed.getvalue()
    assert len(data) < 10_000_000 and zlib.crc32(data)
    if liar:
        true = (len(head) + (320 << 20)).to_bytes(4, "little")
        assert data.count(true) >= 1
        data = data.replace(true, (1000).to_bytes(4, "little"))
    path.write_bytes(data)
    message = refused(path)
    assert liar or "too large" in message


# ---- parts that do not fit ----

Change = Callable[[dict[str, Any]], dict[str, Any]]


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"kind": "gotools rules"}, "does not say 'gotools eval'"),
        ({"kind": None}, "does not say 'gotools eval'"),
        ({"version": 2}, "version 2; this gotools reads version 1"),
        ({"version": None}, "version None"),
        ({"game": "chess"}, "the game 'chess', which no installed package supplies"),
        ({"game": None}, "'game' is missing"),
        ({"game": 7}, "game is missing or of a wrong kind"),
        ({"game": "connect4"}, "has no board of size 3"),
        ({"game": "go", "features": "thesis8"}, "9 scales for the 8 inputs of thesis8"),
        ({"game": "tictactoe", "features": "shapes"}, "tictactoe has no shapes"),
        ({"size": 4}, "tictactoe has no board of size 4"),
        ({"size": "3"}, "size is missing or of a wrong kind"),
        ({"size": True}, "size is missing or of a wrong kind"),
        ({"size": 3.0}, "size is missing or of a wrong kind"),
        ({"features": "thesis8"}, "tictactoe has no features 'thesis8'"),
        ({"network": "mlp:3"}, "20 weights; raw with mlp:3 on size 3 have 30"),
        ({"network": "linear"}, "20 weights"),
        ({"network": "cnn"}, "cnn"),
        ({"network": "mlp:999999999"}, ""),
        ({"komi": "much"}, "missing or of a wrong kind"),
        ({"komi": None}, "missing or of a wrong kind"),
        ({"settings": 5}, "missing or of a wrong kind"),
        ({"games": None}, "missing or of a wrong kind"),
    ],
)
def test_words_that_do_not_fit_are_refused(path: Path, about: dict[str, Any], message: str) -> None:
    save_weights(path, network())
    write(path, arrays_of(path), **about)
    assert message in refused(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weights": np.zeros(19)}, "19 weights"),
        ({"weights": np.zeros(0)}, "0 weights"),
        ({"weights": np.zeros((20, 1))}, "not one row of float64"),
        ({"weights": np.zeros(20, np.float32)}, "not one row of float64 but float32"),
        ({"weights": np.zeros(20, ">f8")}, "not one row of float64"),
        ({"weights": np.zeros(20, np.int64)}, "not one row of float64 but int64"),
        ({"weights": np.array("text")}, "not one row of float64"),
        ({"weights": np.append(np.zeros(19), np.nan)}, "not a number"),
        ({"weights": np.append(np.zeros(19), -np.inf)}, "not a number"),
        ({"scales": np.zeros(8)}, "8 scales for the 9 inputs"),
        ({"scales": np.append(np.zeros(8), np.inf)}, "not a number"),
        ({"weights": None}, "'weights' is missing"),
        ({"scales": None}, "0 scales for the 9 inputs"),
        ({"about": None}, "does not say what it holds"),
        ({"about": np.array("{")}, "no JSON"),
        ({"about": np.array("[1]")}, "does not say 'gotools eval'"),
        ({"about": np.array(["{}"])}, "does not say what it holds"),
        ({"about": np.array(b"{}")}, "does not say what it holds"),
        ({"about": np.zeros(3)}, "does not say what it holds"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(path: Path, changes: dict[str, Any], message: str) -> None:
    save_weights(path, network())
    arrays = {**arrays_of(path), **changes}
    write(path, {name: array for name, array in arrays.items() if array is not None})
    assert message in refused(path)


def test_shapes_have_as_many_weights_as_the_board_says(path: Path) -> None:
    save_weights(path, Weights("go", 5, 7.5, "shapes", "linear", 5, np.zeros(19)))
    assert "19 weights; shapes with linear on size 5 have " in refused(path)


def test_weights_of_another_game_are_not_taken(path: Path) -> None:
    save_weights(path, network())
    assert load_evaluator(path, "tictactoe").weights.games == 70
    with pytest.raises(FileFormatError, match="weights for the game tictactoe, not for go"):
        load_evaluator(path, "go")
