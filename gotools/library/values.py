"""Values of positions: learned from play, and looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gotools.base.errors import GotoolsError
from gotools.base.phases import UNWATCHED, Watch
from gotools.base.settings import Settings, with_settings
from gotools.library.arguments import Paths, Report, no_news
from gotools.library.arguments import log as log_to
from gotools.library.records import decisions_of
from gotools.values.methods import AnyTraining

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gotools.game.examples.examples import Examples
    from gotools.games.go.board import Board
    from gotools.values.games.partner_games import Partner
    from gotools.values.network.teaching import Teacher
    from gotools.values.training.training import News, Training
    from gotools.values.weights.evaluator import Reason


class ValueFunction:
    """The learned value of positions of one game on one board size.

    path            -- of the weights (eval.npz)
    game, size      -- for which it is; komi -- of the games that it learned from
    features, network, games -- what it sees, its form, and how many games it learned from
    """

    def __init__(self, path: str | Path) -> None:
        from gotools.values.weights.evaluator import Evaluator
        from gotools.values.weights.weights_file import load_weights

        weights = load_weights(path)
        self.path = str(path)
        self.game, self.size, self.komi = weights.game, weights.size, weights.komi
        self.features, self.network, self.games = weights.features, weights.network, weights.games
        self._evaluator = Evaluator(weights)

    def __repr__(self) -> str:
        about = f"{self.game} {self.size}x{self.size} {self.features} {self.network}"
        return f"<ValueFunction {self.path!r}: {about}, {self.games:,} games>"

    def value(self, position: Board | NDArray[np.int32]) -> float:
        """Return the value of a position for the side to play, from -1 (lost) to 1 (won).

        position -- a board of Go, with the komi of the training; of other games the array of `Game.position`

        Raises GotoolsError for another board size. The game must go on: of two passes nothing is known.
        """
        return self._evaluator.value(self._state(position))

    def values(self, examples: Examples | Paths) -> NDArray[np.float64]:
        """Return float64[n], the value of the position of each example, before the move.

        Raises GotoolsError where one is of another game or board size.
        """
        import numpy as np

        rows = decisions_of(examples, game=self.game)
        for size in np.unique(rows.size).tolist():
            self._check(rows.of.name, size)
        komi = self.komi if rows.of.komi >= 0 else 0.0
        return np.array([self._evaluator.value(rows.state(row, komi)) for row in range(len(rows))], np.float64)

    def why(self, position: Board | NDArray[np.int32], most: int = 8) -> list[Reason]:
        """List what speaks most for the side to play, or against it: `what` in words, `share` of the sum."""
        return self._evaluator.why(self._state(position), most)

    def _state(self, position: Board | NDArray[np.int32]) -> NDArray[np.int32]:
        from gotools.games.go.board import Board
        from gotools.games.go.go import GO

        if not isinstance(position, Board):
            return position
        self._check(GO.name, position.side)
        state = position.state.copy()
        state[GO.komi] = round(2 * self.komi)
        return state

    def _check(self, game: str, size: int) -> None:
        """Raise GotoolsError for positions of another game or board size."""
        if (self.game, self.size) != (game, size):
            what = f"{self.game} {self.size}x{self.size}, not for {game} {size}x{size}"
            raise GotoolsError(f"{self.path}: weights for {what}")


def load_evaluation(path: str | Path) -> ValueFunction:
    """Return the learned value of positions that a file holds (eval.npz).

    Raises FileFormatError for a file that holds no weights.
    """
    return ValueFunction(path)


@with_settings(AnyTraining)
def train(
    output: str | Path,
    *,
    settings: Settings,
    settings_file: str | Path | None = None,
    log: str | Path | None = None,
    resume: bool = False,
    jobs: int = 1,
    cluster: str | None = None,
    on_news: Callable[[News], None] = no_news,
    watch: Watch = UNWATCHED,
) -> ValueFunction:
    """Learn a value for positions from play, and return it; `output` is written at every checkpoint.

    settings_file -- settings in TOML; those that are given override them
    log           -- a table with a row for each checkpoint
    resume        -- go on with the run of `output` and `log`, with the same result as if it had never stopped;
                     without settings they are those of the run
    jobs          -- threads; they never change a result, of planes but for rounding
    cluster       -- plays the games of features planes against itself (docs/cluster.md)
    on_news       -- called with the figures of each batch and checkpoint

    A setting that is None has the default of the method and the features (docs/train-eval.md). Raises GotoolsError for
    settings that are wrong or mean nothing to the method, where `output` exists and is not to be resumed, and where
    weights diverge.
    """
    with open_training(
        vars(settings),
        output=str(output),
        settings_file=None if settings_file is None else str(settings_file),
        log=None if log is None else str(log),
        resume=resume,
        jobs=jobs,
        cluster=cluster,
        watch=watch,
    ) as training:
        training.train(on_news, watch)
    return ValueFunction(output)


@contextmanager
def open_training(
    given: Mapping[str, Any],
    *,
    output: str,
    settings_file: str | None = None,
    log: str | None = None,
    resume: bool = False,
    jobs: int = 1,
    cluster: str | None = None,
    report: Report = log_to,
    watch: Watch = UNWATCHED,
) -> Iterator[Training]:
    """Yield a training that can begin; GTP programs that it plays against run until the block ends.

    given -- settings by name; None: those of the file, else the default. Other parameters are those of `train`
    """
    from gotools.engines.knowledge import default_weights, rules_guide
    from gotools.engines.settings import DEFAULT
    from gotools.matches.game.engine_spec import engine_of_text
    from gotools.values.network.shape import PLANES
    from gotools.values.training.gtp_programs import GtpPartner, gtp_teacher
    from gotools.values.training.network_trainer import SelfPlayTrainer
    from gotools.values.training.recipe import find_recipe, settings_of
    from gotools.values.training.settings_text import read_training_settings
    from gotools.values.training.training import Training
    from gotools.work.cluster import workers_for

    file = read_training_settings(given, output, settings_file, resume)
    settings = settings_of(given, file)
    if getattr(settings, "start", None) == DEFAULT:
        settings = replace(settings, start=str(default_weights(settings.game)))  # type: ignore[call-arg]
    size = given.get("size") or (file.table.get("size") if settings_file else None)

    def words_of(command: str) -> list[str]:
        return replace(engine_of_text(command), game=settings.game).words

    with ExitStack() as programs:

        def open_partner(command: str) -> Partner:
            return programs.enter_context(closing(GtpPartner(words_of(command), settings.game)))

        def open_teacher(command: str) -> Teacher:
            return programs.enter_context(gtp_teacher(words_of(command), game=settings.game))

        recipe = find_recipe(settings, open_partner, rules_guide, open_teacher, report, watch, size)
        if cluster is not None:
            if not isinstance(recipe.trainer, SelfPlayTrainer):
                raise GotoolsError(f"--cluster plays the games of --features {PLANES} against itself")
            recipe.trainer.workers = programs.enter_context(workers_for(1, cluster, report))
        training = Training(recipe, settings, output, log, jobs)
        training.begin(resume)
        yield training


def settings_text(path: str | Path) -> str:
    """Return the settings of weights as TOML that `train-eval --settings` reads. Raises FileFormatError."""
    from gotools.values.training.settings_text import toml_of
    from gotools.values.weights.weights_file import load_weights

    return toml_of(load_weights(path).settings)
