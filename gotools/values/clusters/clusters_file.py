"""Files of clusters (clusters.tsv): a row for each centre, and rows that say how features are standardised.

kind        the columns of the features hold
good, bad   a centre, in the features' own units
mean        of all moves learned from
deviation   of all moves learned from
covariance  of the standardised feature that `typical` names, with each; for mahalanobis
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

import numpy as np

from gotools.base.errors import FileFormatError, GotoolsError, quoted, shown
from gotools.files.kinds import Kind
from gotools.files.tables import header, read_table, row
from gotools.game.game import Game
from gotools.game.learning import MoveFeatures
from gotools.values.clusters.clusters import ALL, KINDS, METRICS, MOST_CENTRES, Centre, Clusters, Floats, packed

KIND, VERSION = Kind.clusters.word, Kind.clusters.version
COLUMNS: Final = ("stage", "kind", "good", "bad", "typical")
_MEAN, _DEVIATION, _COVARIANCE = "mean", "deviation", "covariance"
_OWN: Final = ("game", "metric", "unit")
"""Header values that do not describe how the clusters were made."""


def write_clusters(out: BinaryIO, clusters: Clusters) -> None:
    """Write a whole file; the same clusters give the same bytes."""
    values = {"game": clusters.game, "metric": clusters.metric, "unit": _number(clusters.unit), **clusters.made}
    out.write(header(KIND, VERSION, values, (*COLUMNS, *clusters.names)))
    rows: list[tuple[Any, ...]] = [(c.stage, c.kind, c.good, c.bad, c.typical, c.point) for c in clusters.centres]
    rows += [(ALL, _MEAN, "", "", "-", clusters.mean), (ALL, _DEVIATION, "", "", "-", clusters.deviation)]
    if clusters.covariance is not None:
        of_names = zip(clusters.names, clusters.covariance, strict=True)
        rows += [(ALL, _COVARIANCE, "", "", name, numbers) for name, numbers in of_names]
    for *cells, point in rows:
        out.write(row([*cells, *map(_number, point.tolist())]).encode("utf-8", "replace"))


def load_clusters(path: str | Path, game: Game) -> Clusters:
    """Read a file of clusters for the moves of a game.

    Raises FileFormatError, with the line, for a file without clusters, of another game or of other features, without a
    kind of centres in a stage, or with unusable numbers; GotoolsError for a game without features of moves.
    """
    return _ClusterReader(path, game.name, game.need(MoveFeatures)).read()


def _number(value: float) -> str:
    return repr(float(value)).removesuffix(".0")


class _ClusterReader:
    """Read one file; keep its rows by their kind."""

    def __init__(self, path: str | Path, game: str, vocabulary: MoveFeatures) -> None:
        self._path, self._game, self._vocabulary = path, game, vocabulary
        self._values, self._columns, self._head, self._rows = read_table(path, KIND, VERSION)
        self._centres: list[Centre] = []
        self._scale: dict[str, Floats] = {}
        self._covariance: dict[str, Floats] = {}

    def read(self) -> Clusters:
        self._check_header()
        for number, cells in self._rows:
            self._take(number, dict(zip(self._columns, cells, strict=True)))
        stages = self._stages()
        for kind in (_MEAN, _DEVIATION):
            if kind not in self._scale:
                self._fail(None, f"no row of kind {kind}")
        covariance = self._whole_covariance() if self._values["metric"] == "mahalanobis" else None
        line = self._line_of("##unit")
        unit = self._float(line, "unit", self._values.get("unit", ""))
        if unit <= 0:
            self._fail(line, f"unit is {unit:g}, not above 0")
        clusters = Clusters(
            game=self._game,
            names=self._vocabulary.names,
            metric=self._values["metric"],
            mean=self._scale[_MEAN],
            deviation=self._scale[_DEVIATION],
            covariance=covariance,
            unit=unit,
            centres=tuple(sorted(self._centres, key=lambda c: (stages.index(c.stage), KINDS.index(c.kind)))),
            made={key: value for key, value in self._values.items() if key not in _OWN},
        )
        try:
            packed(clusters, self._vocabulary)
        except GotoolsError as error:
            raise FileFormatError(self._path, None, str(error)) from error
        return clusters

    def _fail(self, line: int | None, what: str) -> NoReturn:
        raise FileFormatError(self._path, line, what)

    def _line_of(self, start: str) -> int | None:
        """Return the number of the header line with the given start."""
        return next((n for n, line in enumerate(self._head, 1) if line.startswith(start)), None)

    def _check_header(self) -> None:
        if self._values.get("game") != self._game:
            what = f"clusters of the game {shown(self._values.get('game', '?'))}; expected {self._game}"
            self._fail(self._line_of("##game"), what)
        if self._values.get("metric") not in METRICS:
            what = f"unknown metric {quoted(self._values.get('metric', ''))}; there are {', '.join(METRICS)}"
            self._fail(self._line_of("##metric"), what)
        columns, names = self._columns, self._vocabulary.names
        if twice := [name for at, name in enumerate(columns) if name in columns[:at]]:
            self._fail(len(self._head), f"two columns `{shown(twice[0])}`")
        for name in COLUMNS[:2]:
            if name not in columns:
                self._fail(len(self._head), f"no column `{name}`")
        if missing := [name for name in names if name not in columns]:
            strange = [name for name in columns if name not in (*COLUMNS, *names)]
            has = f", but one `{shown(strange[0])}`" if strange else ""
            what = f"centres of other features than {self._game}'s moves have here: no column `{missing[0]}`{has}"
            self._fail(len(self._head), what)

    def _take(self, line: int, row: Mapping[str, str]) -> None:
        """Read a row; its cells by the names of their columns."""
        kind, stage, typical = row["kind"], row["stage"], row.get("typical", "-")
        names, stages = self._vocabulary.names, (ALL, *self._vocabulary.stages)
        point = np.array([self._float(line, name, row[name]) for name in names])
        if kind in KINDS:
            if stage not in stages:
                self._fail(line, f"unknown stage {quoted(stage)}; there are {', '.join(stages)}")
            for name, value, most in zip(names, point, self._vocabulary.most, strict=True):
                if not 0 <= value <= most:
                    self._fail(line, f"{name} is {value:g}, but goes from 0 to {most}")
            good, bad = (self._count(line, name, row.get(name, "0")) for name in KINDS)
            self._centres.append(Centre(stage, kind, point, good, bad, typical))
        elif kind in (_MEAN, _DEVIATION):
            if kind in self._scale:
                self._fail(line, f"a second row of kind {kind}")
            if kind == _DEVIATION and not (point > 0).all():
                self._fail(line, f"the deviation of {names[int(np.argmin(point > 0))]} is not above 0")
            self._scale[kind] = point
        elif kind == _COVARIANCE:
            if typical not in names or typical in self._covariance:
                self._fail(line, f"`typical` should name the feature of this row of covariance, not {quoted(typical)}")
            self._covariance[typical] = point
        else:
            self._fail(line, f"unknown kind {quoted(kind)}; there are good, bad, {_MEAN}, {_DEVIATION}, {_COVARIANCE}")

    def _float(self, line: int | None, name: str, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            self._fail(line, f"{name} is {quoted(text)}, which is no number")
        if not math.isfinite(value):
            self._fail(line, f"{name} is {shown(text)}, which is not finite")
        return value

    def _count(self, line: int, name: str, text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            self._fail(line, f"{name} is {quoted(text)}, which counts no moves")
        return int(text)

    def _stages(self) -> tuple[str, ...]:
        """Return the stages of the centres, ALL or each; all of them have centres of both kinds."""
        there = {centre.stage for centre in self._centres}
        stages = (ALL,) if there <= {ALL} else self._vocabulary.stages
        if ALL in there and len(there) > 1:
            self._fail(None, f"centres of the stage {ALL} and of others")
        for stage in stages:
            where = "" if stage == ALL else f" in the stage {stage}"
            kinds = [centre.kind for centre in self._centres if centre.stage == stage]
            for kind in KINDS:
                if kind not in kinds:
                    self._fail(None, f"no {kind} centre{where}")
            if len(kinds) > MOST_CENTRES:
                self._fail(None, f"{len(kinds):,} centres{where}, more than {MOST_CENTRES:,}")
        return stages

    def _whole_covariance(self) -> Floats:
        """Return the covariance; it is symmetric and positive definite."""
        missing = [name for name in self._vocabulary.names if name not in self._covariance]
        if missing:
            self._fail(None, f"no row of kind {_COVARIANCE} for {missing[0]}, which mahalanobis needs")
        whole = np.array([self._covariance[name] for name in self._vocabulary.names])
        if not np.allclose(whole, whole.T):
            self._fail(None, "the covariance is not symmetric")
        try:
            np.linalg.cholesky(whole)
            np.linalg.cholesky(np.linalg.inv(whole))
        except np.linalg.LinAlgError:
            self._fail(None, "the covariance cannot be inverted: it is not positive definite")
        return whole
