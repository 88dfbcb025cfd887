"""Values of positions: learned from play, and looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from gotools.errors import GotoolsError
from gotools.learn.training.defaults import GAMES, REFEREE_GAMES
from gotools.library.arguments import Paths, Report, check_words, listed
from gotools.library.arguments import log as log_to
from gotools.library.records import decisions_of
from gotools.phases import UNWATCHED, Watch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gotools.go.board import Board
    from gotools.go.examples.table import Examples
    from gotools.learn.games.partner_games import Partner
    from gotools.learn.network.teaching import Teacher
    from gotools.learn.training.training import News, Training
    from gotools.learn.weights.evaluator import Reason

Method = Literal["td", "tdleaf", "evolve", "climb", "expert"]
"""Ways to learn."""
ChildrenOf = Literal["mean", "one"]
"""Whom the children of evolution come from."""
Credit = Literal["both", "own"]
"""Whose points a game of evolution brings."""
Schedule = Literal["fixed", "decay", "coherence"]
"""Courses of the learning rate."""
Chi = Literal["linear", "logcosh"]
"""Ways to weigh differences by kappa."""
RewardAt = Literal["move", "end"]
"""When events are rewarded."""
Explore = Literal["random", "counter"]
"""Ways to choose the moves that are explored."""
WORDS: Final = {
    "children_of": ChildrenOf,
    "credit": Credit,
    "schedule": Schedule,
    "chi": Chi,
    "reward_at": RewardAt,
    "explore": Explore,
}
"""Settings of a training that are words."""


class Evaluation:
    """The learned value of positions of one game on one board size.

    path            -- of the weights (eval.npz)
    game, size      -- for which it is; komi -- of the games that it learned from
    features, network, games -- what it sees, its form, and how many games it learned from
    """

    def __init__(self, path: str | Path) -> None:
        from gotools.learn.weights.evaluator import Evaluator
        from gotools.learn.weights.weights_file import load_weights

        weights = load_weights(path)
        self.path = str(path)
        self.game, self.size, self.komi = weights.game, weights.size, weights.komi
        self.features, self.network, self.games = weights.features, weights.network, weights.games
        self._evaluator = Evaluator(weights)

    def __repr__(self) -> str:
        about = f"{self.game} {self.size}x{self.size} {self.features} {self.network}"
        return f"<Evaluation {self.path!r}: {about}, {self.games:,} games>"

    def value(self, position: Board | NDArray[np.int32]) -> float:
        """Return the value of a position for the side to play, from -1 (lost) to 1 (won).

        position -- a board of Go, with the komi of the training; of other games the array of `Game.position`

        Raises GotoolsError for another board size. The game must go on: of two passes nothing is known.
        """
        return self._evaluator.value(self._state(position))

    def values(self, examples: Examples | Paths) -> NDArray[np.float64]:
        """Return float64[n], the value of the position of each example of Go, before the move.

        Raises GotoolsError where one is of another board size.
        """
        import numpy as np

        from gotools.go.board import Board

        rows = decisions_of(examples)
        found = np.empty(len(rows))
        for k in range(len(rows)):
            size = int(rows.size[k])
            board = Board.from_cells(rows.board[k], size, int(rows.to_play[k]), int(rows.ko[k]))
            found[k] = self.value(board)
        return found

    def why(self, position: Board | NDArray[np.int32], most: int = 8) -> list[Reason]:
        """List what speaks most for the side to play, or against it: `what` in words, `share` of the sum."""
        return self._evaluator.why(self._state(position), most)

    def _state(self, position: Board | NDArray[np.int32]) -> NDArray[np.int32]:
        from gotools.go.board import Board
        from gotools.go.kernels import game as g

        if not isinstance(position, Board):
            return position
        if (self.game, self.size) != ("go", position.side):
            what = f"{self.game} {self.size}x{self.size}, not for go {position.side}x{position.side}"
            raise GotoolsError(f"{self.path}: weights for {what}")
        state = position.state.copy()
        state[g.KOMI2] = round(2 * self.komi)
        return state


def load_evaluation(path: str | Path) -> Evaluation:
    """Return the learned value of positions that a file holds (eval.npz).

    Raises FileFormatError for a file that holds no weights.
    """
    return Evaluation(path)


def no_news(news: News) -> None:
    """Ignore the figures of a training."""


def train(
    output: str | Path,
    *,
    games: int | None = None,
    time: float | None = None,
    log: str | Path | None = None,
    resume: bool = False,
    checkpoint: int = 0,
    referee_games: int | None = None,
    referee: Sequence[str] | None = None,
    keep: int = 0,
    jobs: int = 1,
    cluster: str | None = None,
    seed: int = 0,
    game: str = "go",
    method: Method | None = None,
    on_news: Callable[[News], None] = no_news,
    watch: Watch = UNWATCHED,
    **settings: Any,
) -> Evaluation:
    """Learn a value for positions from play, and return it; `output` is written at every checkpoint.

    games, time -- end after so many games, or seconds; without both after 10,000 games
    log         -- a table with a row for each checkpoint
    resume      -- go on with the run of `output` and `log`, with the same result as if it had never stopped
    referee_games -- against each referee at a checkpoint; None: 100, of planes 0
    referee     -- random, heuristic, heuristic:3, plies:6; by default random and heuristic
    keep        -- games after which a copy of the weights is kept beside `output`, again and again; 0: none
    jobs        -- threads; they never change a result, of planes but for rounding
    cluster     -- plays the games of features planes against itself (docs/cluster.md)
    method      -- None: td; expert for features planes
    on_news     -- called with the figures of each batch and checkpoint
    settings    -- the other options of `gotools train-eval`, with `_` for `-`: size, komi, features, network, opponent,
        alpha (a number, or one for each layer), lam (lambda), depth, rules, ... (docs/train-eval.md)

    Raises GotoolsError for settings that are wrong or mean nothing to the method, where `output` exists and is not to
    be resumed, and where weights diverge.
    """
    check_words(WORDS, settings)
    known = {**settings, "game": game, "method": method, "seed": seed}
    with open_training(
        known,
        output=str(output),
        log=None if log is None else str(log),
        games=games,
        seconds=time,
        checkpoint=checkpoint,
        referee_games=referee_games,
        referee=referee,
        keep=keep,
        jobs=jobs,
        cluster=cluster,
        watch=watch,
    ) as training:
        training.begin(resume)
        training.train(on_news, watch)
    return Evaluation(output)


@contextmanager
def open_training(
    settings: Mapping[str, Any],
    *,
    output: str,
    log: str | None,
    games: int | None,
    seconds: float | None,
    checkpoint: int,
    referee_games: int | None,
    keep: int,
    jobs: int,
    cluster: str | None = None,
    referee: Sequence[str] | None = None,
    report: Report = log_to,
    watch: Watch = UNWATCHED,
) -> Iterator[Training]:
    """Yield a training that has not begun; GTP programs that it plays against run until the block ends.

    settings -- by the names of the options; None: the default of the method and features. Other parameters are those of
        `train`
    """
    from gotools.cluster import workers_for
    from gotools.learn.network.shape import PLANES
    from gotools.learn.training.gtp_partner import GtpPartner
    from gotools.learn.training.gtp_teacher import gtp_teacher
    from gotools.learn.training.network_trainer import SelfPlayTrainer
    from gotools.learn.training.recipe import find_recipe
    from gotools.learn.training.training import Run, Training
    from gotools.player.knowledge import rules_guide
    from gotools.tournament.game.engine_spec import engine_of_text

    options = named_settings(settings)
    of_planes = options.get("features") == PLANES
    wanted = GAMES if games is None and seconds is None else games
    if of_planes and options.get("anneal") is None and wanted is not None:
        options["anneal"] = wanted
    with ExitStack() as programs:

        def open_partner(command: str) -> Partner:
            if options["game"] != "go":
                raise GotoolsError(f"a GTP program plays go, not {options['game']}")
            return programs.enter_context(closing(GtpPartner(engine_of_text(command).words)))

        def open_teacher(command: str) -> Teacher:
            return programs.enter_context(gtp_teacher(engine_of_text(command).words))

        recipe = find_recipe(options, open_partner, rules_guide, open_teacher, report, watch)
        if cluster is not None:
            if not isinstance(recipe.trainer, SelfPlayTrainer):
                raise GotoolsError(f"--cluster plays the games of --features {PLANES} against itself")
            recipe.trainer.workers = programs.enter_context(workers_for(1, cluster, report))
        run = Run(
            output=output,
            log=log,
            games=wanted,
            seconds=seconds,
            checkpoint=checkpoint,
            referee_games=(0 if of_planes else REFEREE_GAMES) if referee_games is None else referee_games,
            jobs=jobs,
            settings=recipe.settings,
            referees=tuple(referee or ()),
            keep=keep,
        )
        yield Training(recipe.task, recipe.trainer, run)


def named_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings by the names that files use: `lam` is lambda, and alpha a list of numbers."""
    named = dict(settings)
    if "lam" in named:
        named["lambda"] = named.pop("lam")
    alpha = named.get("alpha")
    if alpha is not None:
        named["alpha"] = [float(alpha)] if isinstance(alpha, int | float) else [float(rate) for rate in alpha]
    named["records"] = listed(named["records"]) if named.get("records") else None
    for name in ("rules", "start"):
        if named.get(name) is not None:
            named[name] = str(named[name])
    return named
