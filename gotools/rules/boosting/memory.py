"""How much memory an induction of ranking rules may take, and what it is spent on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gotools.base.errors import GotoolsError
from gotools.rules.boosting.boost import BoostSettings

MIB = 1 << 20
DEFAULT_MEMORY = 2 << 30

PROGRAM = 340 * MIB
"""Python, the libraries, and the compiled kernels (measured: 300 MiB after reading games)."""

OF_DECISIONS = 0.3
"""Share of the memory beside the program that the packed decisions may take."""

BYTES_A_CONDITION = 1.1
"""Bytes of a sampled move for each candidate condition: its mask."""
BYTES_A_SET = 6.0
"""Bytes of a sampled move for each set of the beam, in each of the threads that search: rows and their sums."""
BYTES_A_SHAPED_MOVE = 500.0
"""Bytes of a move of the sample that chooses shapes: where rules and shapes hold, twice while they are put together."""
BYTES_AN_ENTRY = 3.0
"""Bytes of an entry of the table that the last weights are fitted on, with what is being added to it."""

FEWEST_POSITIONS = 500
"""Positions of the smallest sample that is worth a search."""


def memory_text(size: int) -> str:
    """Return an amount of memory for people, as 1.5 GiB."""
    return f"{size / (1 << 30):.3g} GiB" if size >= 1 << 30 else f"{size / MIB:.0f} MiB"


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """What the memory allowed is spent on; `total` bytes."""

    total: int

    def of_decisions(self) -> int:
        """Return the bytes that packed decisions may take.

        Raises GotoolsError if there is hardly more than the program takes.
        """
        left = self.total - PROGRAM
        if left < 32 * MIB:
            self._refuse(PROGRAM + 32 * MIB)
        return int(OF_DECISIONS * left)

    def settings(
        self, settings: BoostSettings, decisions: int, conditions: int, jobs: int
    ) -> tuple[BoostSettings, int]:
        """Return the settings with a sample that fits beside `decisions` bytes, and the number of threads.

        The sample depends on the memory alone, so that the number of threads changes no result.

        Raises GotoolsError if not even a small sample fits.
        """
        a_move = BYTES_A_CONDITION * conditions + BYTES_A_SET * settings.beam
        a_position = (1 + settings.moves) * a_move
        left = self.total - PROGRAM - decisions
        positions = int(left // a_position)
        if positions < min(FEWEST_POSITIONS, settings.positions):
            self._refuse(PROGRAM + decisions + int(FEWEST_POSITIONS * a_position) + MIB)
        chosen = min(positions, settings.positions)
        most = min(positions, max(chosen, settings.most_positions))
        spare = left - most * a_position
        more = int(spare // (most * (1 + settings.moves) * BYTES_A_SET * settings.beam))
        of_shapes = min(settings.shape_positions, int(left // ((1 + settings.moves) * BYTES_A_SHAPED_MOVE)))
        fitting = replace(settings, positions=chosen, most_positions=most, shape_positions=of_shapes)
        return fitting, min(jobs, 1 + more)

    def entries(self, decisions: int) -> int:
        """Return the number of entries that the table of the last fit may have beside `decisions` bytes."""
        return int((self.total - PROGRAM - decisions) / BYTES_AN_ENTRY)

    def _refuse(self, least: int) -> None:
        raise GotoolsError(f"--memory {memory_text(self.total)} is too little; this needs {memory_text(least)} or more")
