"""The log of a training (log.tsv): a row for each checkpoint, and its rendering for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan, nan
from typing import Final

from gotools.base.errors import FileFormatError, printable
from gotools.files.kinds import Kind
from gotools.files.opening import open_output
from gotools.files.tables import header, read_table

KIND, VERSION = Kind.log.word, Kind.log.version
RESULTS: Final = ("won", "drawn", "lost")
"""Suffixes of a referee's name in the columns of counted games."""
_BARS: Final = "▁▂▃▄▅▆▇█"
_CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Share:
    """Share of games won, a draw counting half, with its 95 % interval (Wilson)."""

    share: float
    low: float
    high: float

    @staticmethod
    def of(won: int, drawn: int, lost: int) -> Share:
        """Return the share of games won, drawn and lost."""
        from scipy.stats import norm

        n = won + drawn + lost
        share = (won + drawn / 2) / n
        z = float(norm.ppf(0.5 + _CONFIDENCE / 2))
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5
        return Share(share, max(0.0, middle - half), min(1.0, middle + half))

    def __str__(self) -> str:
        return f"{100 * self.share:.0f} % ({100 * self.low:.0f}-{100 * self.high:.0f})"


@dataclass(frozen=True, slots=True)
class LogRow:
    """A checkpoint: games so far, means since the one before, shares against the referees.

    counts -- games won, drawn and lost against each referee in turn; nan in logs without them
    """

    games: int
    figures: dict[str, float]
    shares: tuple[Share, ...]
    counts: tuple[float, ...] = ()


class Log:
    """The rows of a training.

    columns  -- "games", then the names of the figures
    referees -- the names of the shares; counted -- those for which games are counted
    """

    def __init__(self, columns: tuple[str, ...], referees: tuple[str, ...], counted: tuple[str, ...] = ()) -> None:
        self._columns, self.referees = columns, referees
        self._counts = [f"{name}_{end}" for name in counted for end in RESULTS]
        self._names = [*columns, *(name + end for name in referees for end in ("", "_low", "_high")), *self._counts]
        self.rows: list[LogRow] = []

    def write(self, path: str, settings: Mapping[str, object]) -> None:
        """Write all rows under the name in one step."""
        values = {name: _value(value) for name, value in settings.items()}
        with open_output(path, sync=True) as out:
            out.write(header(KIND, VERSION, values, self._names))
            for row in self.rows:
                cells = [str(row.games), *(f"{row.figures[name]:.6g}" for name in self._columns[1:])]
                cells += [f"{part:.4f}" for share in row.shares for part in (share.share, share.low, share.high)]
                cells += ["" if isnan(count) else f"{count:.0f}" for count in row.counts]
                out.write(("\t".join(cells) + "\n").encode("utf-8", "replace"))

    def read(self, path: str, most: int, settings: Mapping[str, object]) -> None:
        """Read the rows of up to `most` games; later ones belong to an interrupted run and are dropped.

        settings -- of this run, which the log must have

        Raises FileFormatError if the file is not the log of such a training.
        """
        values, names, _, rows = read_table(path, KIND, VERSION)
        if values != {name: printable(_value(value)).strip() for name, value in settings.items()}:
            raise FileFormatError(path, None, "the log of a training with other settings; name another file")
        if names not in (self._names, self._names[: len(self._names) - len(self._counts)]):
            raise FileFormatError(
                path,
                None,
                "other columns than this training has (--referee-games 0 leaves some out); name another file",
            )
        self.rows = []
        for number, cells in rows:
            try:
                row = self._parse(cells)
            except ValueError as error:
                raise FileFormatError(path, number, "no row of a training log: a cell is not a number") from error
            if row.games <= most:
                self.rows.append(row)

    def _parse(self, cells: list[str]) -> LogRow:
        figures = dict(zip(self._columns[1:], map(float, cells[1 : len(self._columns)]), strict=True))
        rest = [float(cell or "nan") for cell in cells[len(self._columns) :]]
        last = 3 * len(self.referees)
        counts = rest[last:] or [nan] * len(self._counts)
        return LogRow(int(cells[0]), figures, tuple(Share(*rest[i : i + 3]) for i in range(0, last, 3)), tuple(counts))


def sparkline(values: list[float], low: float = 0.0, high: float = 1.0) -> str:
    """Draw values as a line of blocks, from low to high."""
    steps = len(_BARS) - 1
    return "".join(_BARS[round(steps * min(max((v - low) / (high - low), 0.0), 1.0))] for v in values)


def _value(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
