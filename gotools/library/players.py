"""A player of Go that chooses moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gotools.errors import GotoolsError
from gotools.library.arguments import checked

if TYPE_CHECKING:
    from gotools.go.board import Board
    from gotools.player.go_choice import GoChoice

Search = Literal["mcts", "alphabeta"]
"""Ways to choose a move."""
SECONDS = 1.0
"""For a move, where no limit is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A player's choice.

    vertex  -- as players write it: "D4", or "pass"; point -- its number for `Board.play_point`
    winrate -- chance to win, 0 to 1, for the side that moves
    line    -- the moves expected, beginning with this one
    nodes   -- positions or playouts searched
    reason  -- in words: what the search compared, or why the player passes
    choice  -- all that the search says, the other candidates among it
    """

    vertex: str
    point: int
    winrate: float
    line: tuple[str, ...]
    nodes: int
    reason: str
    choice: GoChoice

    def __repr__(self) -> str:
        return f"Move({self.vertex!r}, winrate={self.winrate:.3f}, nodes={self.nodes}, reason={self.reason!r})"


class Player:
    """A player of Go, as `gotools gtp` offers it to programs.

    search     -- mcts (Monte-Carlo tree search) or alphabeta; by default alphabeta with an order, a heuristic, or an
        evaluation that has no policy
    rules      -- rules.pl, or rules.so of `compile_rules`
    evaluation -- eval.npz of `train`; for mcts a network with a policy
    order      -- clusters.tsv of `cluster_moves`, for alphabeta
    heuristic  -- area or explicit, in the place of an evaluation, for alphabeta
    digest     -- that the rules must have
    threads    -- of mcts with a policy
    keep_tree  -- mcts goes on with the tree of the last move; by default where time alone limits it
    widths, penalty, reductions, extensions -- of alphabeta, see `--width`, `--penalty`, `--reductions` and
        `--extensions` of gtp

    With `nodes` or `depth`, no time and one thread, the same seed gives the same moves.

    Raises GotoolsError for files that hold something else, and for what the search has no use for.
    """

    @checked
    def __init__(
        self,
        *,
        search: Search | None = None,
        rules: str | Path | None = None,
        evaluation: str | Path | None = None,
        order: str | Path | None = None,
        seed: int = 0,
        digest: str | None = None,
        threads: int = 1,
        keep_tree: bool | None = None,
        widths: Sequence[int] | None = None,
        penalty: float | None = None,
        reductions: bool | None = None,
        extensions: int | None = None,
        heuristic: str | None = None,
    ) -> None:
        from gotools.player.players import Selectivity, new_player

        self._player = new_player(
            search=search,
            rules=None if rules is None else str(rules),
            seed=seed,
            digest=digest,
            weights=None if evaluation is None else str(evaluation),
            order=None if order is None else str(order),
            threads=threads,
            keep_tree=keep_tree,
            selectivity=Selectivity(None if widths is None else tuple(widths), penalty, reductions, extensions),
            heuristic=heuristic,
        )

    def __repr__(self) -> str:
        return f"<Player {self.name}>"

    @property
    def name(self) -> str:
        """Return the player's name and version."""
        return self._player.name

    def choose(
        self,
        board: Board,
        *,
        colour: int | None = None,
        komi: float = 7.5,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
    ) -> Move:
        """Choose a move, or a pass. The board is not changed; no position of its history is repeated.

        colour -- 1 black, 2 white; the side to play, where it is not given
        seconds, nodes, depth -- the first limit reached ends the search; without any it is one second

        Raises GotoolsError for a board size that the evaluation does not know.
        """
        from gotools.go.points import vertex
        from gotools.search.choice import Limits

        only = self._player.only_size
        if only not in (None, board.side):
            raise GotoolsError(f"weights for {only}x{only}, not for {board.side}x{board.side}")
        if seconds is None and nodes is None and depth is None:
            seconds = SECONDS
        limits = Limits(seconds=seconds, nodes=nodes, depth=depth)
        choice = self._player.choose(board, board.to_play if colour is None else colour, komi, limits)
        return Move(
            vertex=vertex(choice.point, board.side),
            point=choice.point,
            winrate=choice.winrate,
            line=tuple(vertex(point, board.side) for point in choice.line),
            nodes=choice.nodes,
            reason=choice.reason,
            choice=choice,
        )

    def explain(self, board: Board, move: Move, *, colour: int | None = None) -> str:
        """Say in some lines why a move was chosen on a board: candidates, rules, what the evaluation sees."""
        return self._player.explain(board, board.to_play if colour is None else colour, move.choice)
