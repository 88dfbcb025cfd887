"""The state of a sequential test: its verdict and estimate."""

from __future__ import annotations

from dataclasses import dataclass

from gotools.ratings.sprt import PairCounts, Sprt
from gotools.tournament.report.standings_elo import LEVEL, EngineElo


@dataclass(frozen=True, slots=True)
class SprtState:
    """A test and the pairs it has counted."""

    sprt: Sprt
    counts: PairCounts

    @property
    def verdict(self) -> str | None:
        """The hypothesis accepted, "h0" or "h1"; None: not decided."""
        return self.sprt.verdict(self.counts)

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio of H1 to H0."""
        return self.sprt.llr(self.counts)

    @property
    def pairs(self) -> int:
        """Pairs of games counted."""
        return sum(self.counts)

    @property
    def estimate(self) -> EngineElo | None:
        """The first engine's Elo against its opponents; corrected for the stop once the test has its verdict.

        None without pairs.
        """
        from gotools.ratings.sprt import elo_after_stop, elo_of_pairs

        if not self.pairs:
            return None
        stopped = self.verdict is not None
        found = elo_after_stop(self.sprt, self.counts, LEVEL) if stopped else elo_of_pairs(self.counts, LEVEL)
        return EngineElo(found.elo, found.low, found.high)

    @property
    def text(self) -> str:
        """The verdict in words, with its figures."""
        low, high = self.sprt.bounds
        where = f"LLR {self.llr:.2f} [{low:.2f}, {high:.2f}], {self.pairs} pair{'s' * (self.pairs != 1)}"
        h0, h1 = f"H0 (Elo {self.sprt.elo0:g})", f"H1 (Elo {self.sprt.elo1:g})"
        if self.verdict is None:
            return f"undecided between {h0} and {h1}: {where}"
        accepted, other = (h1, h0) if self.verdict == "h1" else (h0, h1)
        return f"accepts {accepted} over {other}: {where}"
