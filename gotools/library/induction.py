"""From examples to rules: what to learn from, by which search, measured on what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gotools.base.errors import GotoolsError
from gotools.base.phases import UNWATCHED, Watch
from gotools.base.settings import SettingError, check_value, with_settings
from gotools.game.examples.settings import selection_of, wanted_negatives
from gotools.game.table import USUAL
from gotools.library.arguments import Paths, Report, listed, log, no_news
from gotools.rules.task.settings import (
    LARGE_BOARDS,
    MOST_RULES,
    MOST_RULES_OF_LARGE_BOARDS,
    POSITIVES,
    InductionSettings,
)
from gotools.work.cluster import workers_for
from gotools.work.workers import Workers

if TYPE_CHECKING:
    from gotools.game.examples.examples import Examples
    from gotools.game.examples.packed import PackedExamples
    from gotools.game.vocabulary import Vocabulary
    from gotools.rules.boost_study import SavedSearch
    from gotools.rules.boosting.boost import BoostSettings
    from gotools.rules.boosting.candidates import Condition
    from gotools.rules.cover.induce import CoverSettings
    from gotools.rules.study import Study

    Decisions = Examples | PackedExamples[Any]


@with_settings(InductionSettings)
def induce_rules(
    examples: Examples | Paths,
    *,
    settings: InductionSettings,
    game: str = USUAL,
    test: Examples | Paths | None = None,
    output: str | Path | None = None,
    metrics: str | Path | None = None,
    resume: bool = False,
    jobs: int = 1,
    cluster: str | None = None,
    report: Report = log,
    on_news: Callable[[str], None] = no_news,
    watch: Watch = UNWATCHED,
) -> Study:
    """Induce rules of where good players move, and measure them on the moves of `test`, if given.

    examples -- what `read_examples` returns, or paths for it, from which size, rank_above and weak_below select
    game     -- of the files, by its name; examples are of their own
    test     -- decisions of other games: the study's `metrics` say how well the rules predict them
    output   -- a file for the rules, rules.pl, which is opened before the work begins; `-`: stdout
    metrics  -- a file for the numbers, JSON
    resume   -- go on with a search for ranking rules whose state was kept beside `output`
    jobs     -- threads; they never change a result; cluster -- of dask, for rules that rank: see docs/cluster.md
    on_news  -- called with a line on what is learned from, and with the first rule in words

    After Ctrl-C the study has the rules so far, its `whole` False. Without any rule KeyboardInterrupt goes on, and
    `output` is not written. Raises GotoolsError where there is nothing to learn from.
    """
    from gotools.files.opening import open_if_named
    from gotools.game.examples.examples import Examples
    from gotools.rules.study import measure_study
    from gotools.rules.summary import write_numbers, write_study

    induction = Induction(settings, examples.of.name if isinstance(examples, Examples) else game)
    saved = _saved_search(settings, output, resume)
    with ExitStack() as files:
        numbers = files.enter_context(open_if_named(metrics))
        with open_if_named(output) as out:
            watch.phase("reading files")
            decisions = induction.gather(induction.batches(examples, report, watch))
            apart = None if test is None else _to_measure(induction, test, decisions, report, watch)
            train = induction.draw(decisions, report, watch)
            on_news(induction.about(train, decisions))
            with workers_for(1, cluster, report) as workers:
                study = induction.study(train, jobs, watch, saved, workers, on_news)
            if out is not None:
                if not study.whole and not study.rules.rules:
                    raise KeyboardInterrupt("no rule was found yet; nothing is written")
                write_study(out, study, study.size)
        if saved is not None and study.whole:  # the rules are in their file
            saved.remove()
        if apart is not None and (study.whole or out is not None):
            measure_study(study, train, apart, induction.background, jobs, watch)
        if numbers is not None:
            write_numbers(numbers, study)
    return study


def _saved_search(settings: InductionSettings, output: str | Path | None, resume: bool) -> SavedSearch | None:
    """Return where the state of a search for ranking rules is kept. Raises SettingError where it is kept nowhere."""
    from gotools.rules.boost_study import SavedSearch, state_path

    if output is None or str(output) == "-":
        if resume:
            raise SettingError("resume", "needs {output}, the rules of the search to go on with")
        return None
    return SavedSearch(state_path(output), resume) if settings.ranks else None


def _to_measure(
    induction: Induction,
    test: Examples | Paths,
    decisions: Decisions,
    report: Report,
    watch: Watch,
) -> Examples:
    """Return the moves to measure on; report where some of their games are learned from as well."""
    from gotools.rules.study import check_test
    from gotools.rules.task.shared_games import shared_games

    watch.phase("reading test files")
    rows = joined(list(induction.batches(test, report, watch)))
    check_test(rows)
    if warning := shared_games(rows, decisions):
        report(f"--test: {warning}")
    return rows


class Induction:
    """An induction of rules: its settings, and what they name, read.

    background, modes -- a user's predicates and mode declarations; predicates -- that rules may use
    wanted -- counter-examples by source, for rules that cover

    Raises SettingError for a name in `without` that is not a predicate.
    """

    def __init__(self, settings: InductionSettings, game: str = USUAL) -> None:
        from gotools.game.game import find_game, vocabulary_of
        from gotools.rules.clauses.background import load_background
        from gotools.rules.cover.induce import language
        from gotools.rules.cover.modes import load_modes

        self.settings = how = settings
        self.game = find_game(game)
        name = self.game.name
        known = vocabulary_of(name)
        vocabulary = how.vocabulary or ("advanced" if known.points and not how.ranks else "full")
        _check_game(how, vocabulary, known, name)
        self.background = background = None if how.background is None else load_background(how.background, name)
        self.modes = modes = None if how.modes is None else load_modes(how.modes, background, name)
        found = check_value("without", lambda names: language(vocabulary, names, background, modes, name), how.without)
        # shapes are harvested for rules that rank only
        self.predicates: tuple[str, ...] = tuple(name for name in found if how.ranks or name != "shape")
        self.wanted = wanted_negatives(how.negatives)

    @property
    def positives(self) -> int | None:
        """Return the number of moves to learn from; None: all."""
        how = self.settings
        if how.positives is None:
            return None if how.ranks else POSITIVES
        return None if how.positives == "all" else how.positives

    def batches(self, examples: Examples | Paths, report: Report, watch: Watch) -> Iterable[Examples]:
        """Return decisions: examples as they are, or what files hold, while they are read."""
        from gotools.game.examples.examples import Examples
        from gotools.game.examples.loading import stream_decisions

        if isinstance(examples, Examples):
            if examples.of.name != self.game.name:
                raise GotoolsError(f"examples are of {examples.of.name}, not of {self.game.name}")
            return [examples]
        how = self.settings
        selection = selection_of(self.game, how.size, how.rank_above, how.weak_below, how.negatives)
        return stream_decisions(listed(examples), self.game, selection, report, watch.advance, how.strict)

    def gather(self, batches: Iterable[Examples]) -> Decisions:
        """Return decisions to learn from as `draw` takes them: packed for rules that rank.

        Raises GotoolsError for a memory that is too small.
        """
        from gotools.game.examples.packed import pack
        from gotools.rules.boosting.memory import MemoryPlan

        if self.settings.ranks:
            return pack(batches, MemoryPlan(self._memory).of_decisions(), self.settings.seed)
        return joined(list(batches))

    def draw(self, decisions: Decisions, report: Report = log, watch: Watch = UNWATCHED) -> Decisions:
        """Return the rows to learn from."""
        from gotools.engines.random_games import random_moves
        from gotools.game.examples.packed import PackedExamples
        from gotools.rules.task.sampling import drawn_rows, training_rows

        seed, engine = self.settings.seed, self.settings.engine
        if isinstance(decisions, PackedExamples):
            rows = drawn_rows(len(decisions), self.positives, seed)
            return decisions if rows is None else decisions.only(rows)
        watch.phase("drawing counter-examples", self.wanted.get("random"))
        return training_rows(
            decisions,
            self.positives,
            self.wanted,
            seed,
            lambda number, size: random_moves(number, size, seed, engine, game=self.game, advance=watch.advance),
            report,
        )

    def about(self, train: Decisions, decisions: Decisions) -> str:
        """Return a line on how many of the examples are learned from."""
        from gotools.game.examples.packed import PackedExamples
        from gotools.rules.summary import learning_line, ranking_line

        if isinstance(train, PackedExamples) or isinstance(decisions, PackedExamples):
            return ranking_line(len(train), getattr(decisions, "seen", len(decisions)), len(decisions))
        return learning_line(train, int((decisions.label == 1).sum()), self._cover_settings(train).noise)

    def study(
        self,
        train: Decisions,
        jobs: int = 1,
        watch: Watch = UNWATCHED,
        saved: SavedSearch | None = None,
        workers: Workers | None = None,
        on_first: Callable[[str], None] = no_news,
    ) -> Study:
        """Search for rules and weigh them. Ctrl-C: see run_study.

        watch -- its `note` receives the state of the search
        saved -- where the search for ranking rules keeps its state; workers -- of a cluster, for these rules
        on_first -- called with a line on the first rule, as soon as it is found
        """
        from gotools.game.examples.packed import PackedExamples
        from gotools.rules.boost_study import run_boost_study
        from gotools.rules.study import run_study
        from gotools.rules.summary import SearchProgress, usual_size
        from gotools.rules.task.sampling import parse_classes

        how, size = self.settings, usual_size(train.size)
        follow = _follower(size, self.game.name, watch, on_first)
        if isinstance(train, PackedExamples):
            study = run_boost_study(
                train,
                self._boost_settings(size),
                lambda found: follow(found.new, str(found), found.body),
                seed=how.seed,
                jobs=jobs,
                memory=self._memory,
                watch=watch,
                saved=saved,
                workers=workers,
            )
        else:
            course = SearchProgress(int((train.label == 1).sum()))
            study = run_study(
                train,
                self._cover_settings(train),
                lambda found: follow(course.after(found), str(course), found.body),
                background=self.background,
                seed=how.seed,
                regression=how.weights == "regression",
                by=parse_classes(how.by, self.game.name),
                explain=how.explain_none,
                jobs=jobs,
                watch=watch,
            )
        study.size = size
        return study

    @property
    def _memory(self) -> int:
        """Return the bytes that the process may take while it learns to rank."""
        from gotools.base.memory import parse_memory

        return parse_memory(self.settings.memory)

    def _cover_settings(self, train: Examples) -> CoverSettings:
        from gotools.rules.cover.induce import CoverSettings
        from gotools.rules.task.sampling import allowed_noise

        noise = allowed_noise(self.settings.noise, int((train.label == 0).sum()))
        own = {"predicates": self.predicates, "modes": self.modes, "noise": noise, "game": self.game.name}
        return self.settings.part(CoverSettings, **own)

    def _boost_settings(self, size: int) -> BoostSettings:
        from gotools.rules.boosting.boost import BoostSettings

        usual = MOST_RULES_OF_LARGE_BOARDS if size >= LARGE_BOARDS else MOST_RULES
        return BoostSettings(predicates=self.predicates, rules=self.settings.max_rules or usual, game=self.game.name)


def joined(batches: Sequence[Examples]) -> Examples:
    """Return the rows of batches of one game, at least one."""
    return type(batches[0]).concat(batches)


def _check_game(how: InductionSettings, level: str, vocabulary: Vocabulary, game: str) -> None:
    """Raise SettingError for settings that the vocabulary of a game does not know."""
    from gotools.rules.task.sampling import parse_classes

    check_value("by", lambda text: parse_classes(text, game), how.by)
    if level not in vocabulary.levels:
        raise SettingError("vocabulary", f"{game} has {' and '.join(vocabulary.levels)}")


def _follower(
    size: int, game: str, watch: Watch, on_first: Callable[[str], None]
) -> Callable[[int, str, Condition], None]:
    """Return a function of how far a search has come since the last call, its state, and a rule's body or ()."""
    from gotools.rules.clauses.rules import Rule
    from gotools.rules.explain.sentences import sentence

    said = False

    def follow(done: int, state: str, body: Condition) -> None:
        nonlocal said
        watch.advance(done)
        if body and not said:
            said = True
            on_first(f"the first rule: {sentence(Rule('r1', body, 0, 0, 0.0, game), size)}")
        watch.note(state)

    return follow
