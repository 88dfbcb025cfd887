"""Weights files (eval.npz): what was learned, for which game, and how; arrays without pickling.

about     text: JSON of the fields of `Weights` that are not arrays
weights   float64[n]; float32[n] of a network over planes or pieces
scales    float64[inputs], of a network only
cells     int32[tuples, length], of n-tuples only: the cells of each, numbered row after row
entries   int32[n], of n-tuples only: the place of each weight in their table, ascending; all others are 0
memory_*  arrays of a checkpoint (values/checkpoint.py)
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import tokenize
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError, quoted, shown
from gotools.files.json_text import json_text
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.opening import FIRST_BYTES, open_output, read_bytes
from gotools.game.game import find_game
from gotools.game.known import is_game
from gotools.game.learning import Planes
from gotools.game.table import plain_name
from gotools.values.network.shape import PLANES, parse_shape
from gotools.values.pieces.pieces import PIECES, weights_wanted
from gotools.values.td.perceptrons import parse_architecture
from gotools.values.td.shapes import SHAPES, shapes_of
from gotools.values.td.tuples import TUPLES, find_tuples

KIND: Final = "gotools eval"
VERSION: Final = 1
_MOST_BYTES: Final = 1 << 28
"""Limit of all arrays together; 19x19 shapes with their memory take 9 MB, the largest population 60 MB."""
_LARGEST: Final = 1e9
_LARGEST_KOMI: Final = 1000.0
_LARGEST_STRENGTH: Final = 10.0
"""Three times the strength of the weakest players."""
_LONGEST_HEADER: Final = 1000
_MEMORY: Final = "memory_"

NO_CELLS: Final = np.zeros((0, 0), np.int32)
NO_ENTRIES: Final = np.zeros(0, np.int32)

T = TypeVar("T")
Setting = str | int | float | bool | list[float]


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """A value function as a file holds it.

    features -- "shapes", or a feature set of the game
    network  -- "linear", "mlp:4", ...; "linear" for shapes
    komi, games -- of the games that it learned from, and their number
    cells, entries -- of n-tuples: the cells of each, and the place of each weight in their table
    settings -- all settings of the training that its result depends on
    """

    game: str
    size: int
    komi: float
    features: str
    network: str
    games: int
    weights: NDArray[Any]
    scales: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    cells: NDArray[np.int32] = field(default_factory=lambda: NO_CELLS)
    entries: NDArray[np.int32] = field(default_factory=lambda: NO_ENTRIES)
    settings: dict[str, Setting] = field(default_factory=dict)
    memory: dict[str, NDArray[Any]] = field(default_factory=dict)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what learners restore; empty arrays where the features have none."""
        return {"weights": self.weights, "scales": self.scales, "cells": self.cells, "entries": self.entries}

    @property
    def strength(self) -> float:
        """Return the strength that a network plays with."""
        return float(str(self.settings.get("strength", 0.0)))

    @property
    def about(self) -> str:
        """Return a line that identifies the weights."""
        digest = hashlib.sha256(self.weights.tobytes() + self.scales.tobytes()).hexdigest()[:12]
        of = f"{self.features} {self.network} size={self.size} komi={self.komi:g} games={self.games}"
        return f"{of} digest={digest}"


def save_weights(path: str | Path, weights: Weights) -> None:
    """Write a weights file under its name in one step; the same weights give the same bytes.

    Raises OutputError if it cannot be written.
    """
    packed = weights_bytes(weights)
    with open_output(path, sync=True) as out:
        out.write(packed)


def weights_bytes(weights: Weights) -> bytes:
    """Return the contents of a weights file."""
    names = ("game", "size", "komi", "features", "network", "games", "settings")
    about = {"kind": KIND, "version": VERSION, **{name: getattr(weights, name) for name in names}}
    arrays = {"about": np.array(json_text(about, indent=1)), "weights": weights.weights}
    if len(weights.scales):
        arrays["scales"] = weights.scales
    if weights.features == TUPLES:
        arrays |= {"cells": weights.cells, "entries": weights.entries}
    arrays |= {_MEMORY + name: array for name, array in weights.memory.items()}
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays)  # type: ignore[arg-type]
    return packed.getvalue()


def load_weights(path: str | Path) -> Weights:
    """Read a weights file.

    Raises FileFormatError for a file without valid weights: not an archive, cut off, with pickled objects, of a newer
    version, of an unknown game or features, or with arrays that do not fit together or hold no numbers.
    """
    arrays = _read_arrays(path)
    about = _read_about(path, arrays.pop("about", None))
    memory = {name.removeprefix(_MEMORY): arrays.pop(name) for name in list(arrays) if name.startswith(_MEMORY)}
    try:
        weights = Weights(
            game=_field(about, "game", str),
            size=_field(about, "size", int),
            komi=float(about["komi"]),
            features=_field(about, "features", str),
            network=_field(about, "network", str),
            games=_field(about, "games", int),
            weights=_floats(arrays, "weights", np.float32 if about["features"] in (PLANES, PIECES) else np.float64),
            scales=_floats(arrays, "scales", np.float64) if "scales" in arrays else np.zeros(0),
            cells=_integers(arrays, "cells", 2) if "cells" in arrays else NO_CELLS,
            entries=_integers(arrays, "entries", 1) if "entries" in arrays else NO_ENTRIES,
            settings=dict(about["settings"]),
            memory=memory,
        )
        _check(weights)
    except GotoolsError as error:
        raise FileFormatError(path, None, str(error)) from error
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        what = f"not a whole weights file: {shown(error)} is missing or of a wrong kind"
        raise FileFormatError(path, None, what) from error
    return weights


def load_weights_of(path: str | Path, game: str) -> Weights:
    """Read a weights file for a game.

    Raises FileFormatError for weights of another game, and for what `load_weights` refuses.
    """
    weights = load_weights(path)
    if weights.game != (wanted := plain_name(game)):
        what = f"weights for the game {weights.game}, not for {wanted} (--game {weights.game})"
        raise FileFormatError(path, None, what)
    return weights


def _read_arrays(path: str | Path) -> dict[str, NDArray[Any]]:
    data = read_bytes(path)
    if not data.startswith(b"PK") or kind_of(data[:FIRST_BYTES]) is Kind.zip:
        raise wrong_kind(path, data[:FIRST_BYTES], "weights (eval.npz of train-eval)")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if sum(entry.file_size for entry in entries) > _MOST_BYTES:
                raise FileFormatError(path, None, "too large for weights")
            for entry in entries:
                if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or entry.flag_bits & 1:
                    raise FileFormatError(path, None, f"{shown(entry.filename)} is packed as train-eval never does")
                with archive.open(entry) as array:
                    _check_header(path, entry, array)
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as error:  # the last: rare packing
        raise FileFormatError(path, None, f"cut off or damaged: {shown(error)}") from error
    except ValueError as error:  # numpy's word for pickled objects, among others
        what = "holds pickled objects, which are never read" if "pickle" in str(error) else f"damaged: {shown(error)}"
        raise FileFormatError(path, None, what) from error
    for name, array in arrays.items():
        if not isinstance(array, np.ndarray):  # numpy gives the bytes of an entry that is not an array
            raise FileFormatError(path, None, f"{shown(name)} is no array")
    return arrays


def _check_header(path: str | Path, entry: zipfile.ZipInfo, array: IO[bytes]) -> None:
    """Raise FileFormatError for an array that claims more bytes than the file has: numpy allocates what is claimed."""
    try:
        version = np.lib.format.read_magic(array)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, kind = read(array, max_header_size=_LONGEST_HEADER)
        claimed = math.prod(shape) * kind.itemsize
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError, tokenize.TokenError) as error:
        raise FileFormatError(path, None, f"{shown(entry.filename)} is no array: {shown(error)}") from error
    if kind.hasobject:
        raise FileFormatError(path, None, "holds pickled objects, which are never read")
    if min(shape, default=0) < 0 or claimed > entry.file_size:
        raise FileFormatError(path, None, f"{shown(entry.filename)} is cut off")


def _read_about(path: str | Path, text: NDArray[Any] | None) -> dict[str, Any]:
    if text is None or text.dtype.kind != "U" or text.shape != ():
        raise FileFormatError(path, None, "not a weights file of gotools: it does not say what it holds (about)")
    try:
        about = json.loads(str(text))
    except (ValueError, RecursionError) as error:
        raise FileFormatError(path, None, f"`about` is no JSON: {shown(error)}") from error
    if not isinstance(about, dict) or about.get("kind") != KIND:
        raise FileFormatError(path, None, f"not a weights file: `about` does not say {KIND!r}")
    if about.get("version") != VERSION:
        what = f"version {shown(about.get('version'))}; this gotools reads version {VERSION}"
        raise FileFormatError(path, None, what)
    return about


def _field(about: dict[str, Any], name: str, kind: type[T]) -> T:
    value = about[name]
    if type(value) is not kind:  # isinstance would take True for an int
        raise TypeError(name)
    return value


def _floats(arrays: dict[str, NDArray[Any]], name: str, kind: type[np.floating]) -> NDArray[Any]:
    array = arrays[name]
    if array.dtype != kind or array.ndim != 1:
        raise GotoolsError(f"{name} are not one row of {kind.__name__} but {array.dtype} of shape {array.shape}")
    if not np.isfinite(array).all():
        raise GotoolsError(f"{name} hold something that is not a number (nan, inf)")
    if len(array) and np.abs(array).max() > _LARGEST:
        raise GotoolsError(f"{name} are too large: {np.abs(array).max():.3g}")
    return np.ascontiguousarray(array)


def _integers(arrays: dict[str, NDArray[Any]], name: str, dimensions: int) -> NDArray[np.int32]:
    array = arrays[name]
    if array.dtype != np.int32 or array.ndim != dimensions:
        raise GotoolsError(f"{name} are not int32 in {dimensions} dimensions but {array.dtype} of shape {array.shape}")
    return np.ascontiguousarray(array)


def _check(weights: Weights) -> None:
    """Raise GotoolsError if the parts do not fit together."""
    if not is_game(weights.game):
        raise GotoolsError(f"weights of the game {quoted(weights.game)}, which no installed package supplies")
    game = find_game(weights.game)
    if not abs(weights.komi) <= _LARGEST_KOMI or weights.games < 0:
        raise GotoolsError(f"komi {weights.komi:g} after {weights.games} games cannot be")
    game.check_komi(weights.komi)
    if weights.size not in game.sizes:
        raise GotoolsError(f"{weights.game} has no board of size {weights.size}")
    if weights.features == SHAPES:
        expected = shapes_of(game, weights.size).weights
    elif weights.features == TUPLES:
        tuples, entries = find_tuples(game, weights.size, weights.cells), weights.entries
        expected = len(entries)
        if expected and not (entries[0] >= 0 and entries[-1] < 2 * tuples.entries and (np.diff(entries) > 0).all()):
            raise GotoolsError("entries are not places in the table of the tuples, in ascending order")
    elif weights.features == PIECES:
        expected = weights_wanted(game, weights.size, weights.network)
    elif weights.features == PLANES:
        expected = parse_shape(weights.network).weights(len(game.need(Planes).names))
        strength = weights.settings.get("strength", 0.0)
        if isinstance(strength, bool | str | list) or strength is None or not abs(strength) <= _LARGEST_STRENGTH:
            raise GotoolsError(f"a strength of {shown(strength)} cannot be")
    else:
        features = game.find_features(weights.features)
        inputs = len(features.labels(weights.size))
        if len(weights.scales) != inputs:
            raise GotoolsError(f"{len(weights.scales)} scales for the {inputs} inputs of {weights.features}")
        expected = sum(parse_architecture(weights.network).layers(inputs))
    if len(weights.weights) != expected:
        raise GotoolsError(
            f"{len(weights.weights):,} weights; {weights.features} with {weights.network} on size {weights.size} "
            f"have {expected:,}"
        )
