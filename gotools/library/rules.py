"""Rules loaded, compiled and measured."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gotools.base.errors import GotoolsError
from gotools.base.phases import UNWATCHED, Watch
from gotools.base.settings import SettingError
from gotools.library.arguments import Paths, Report, log
from gotools.library.records import decisions_of

if TYPE_CHECKING:
    from gotools.game.examples.examples import Examples
    from gotools.rules.clauses.rules import RuleSet
    from gotools.rules.matching import Matcher
    from gotools.rules.study import Study

    Rules = str | Path | Matcher | RuleSet | Study


def load_rules(path: str | Path, *, digest: str | None = None, background: str | Path | None = None) -> Matcher:
    """Return the rules of a file, rules.pl or a compiled library, ready to be matched.

    digest     -- that the rules must have, or that theirs begins with
    background -- a file of predicates of your own that rules.pl uses, in the terms of the game of the rules

    `.rules` of what is returned is the set of rules, `.rules.rules` the rules one by one.

    Raises FileFormatError for a file that holds no rules, or rules of another digest.
    """
    from gotools.rules.matching import find_matcher

    return find_matcher(str(path), digest, None if background is None else str(background))


def compile_rules(
    rules: str | Path | RuleSet | Study,
    output: str | Path,
    *,
    header: str | Path | None = None,
    watch: Watch = UNWATCHED,
) -> RuleSet:
    """Compile rules to a shared library, or to C where the name does not end in .so, .dylib or .dll.

    rules  -- a file (rules.pl), or what `induce_rules` returned
    output -- `-` is stdout, for C
    header -- write the interface here: gotools_rules.h, for other games than Go gotools_move_rules.h

    Returns the rules. Raises FileFormatError for rules that cannot be compiled, MissingTool without a C compiler.
    """
    from gotools.files.opening import open_output
    from gotools.rules.clauses.rules import load_rules
    from gotools.rules.compiled.build import LIBRARIES, build_library
    from gotools.rules.compiled.c_source import c_source, header_text

    found, name = (load_rules(rules), str(rules)) if isinstance(rules, str | Path) else (_set_of(rules), "rules")
    source = c_source(found, name)
    if str(output).endswith(LIBRARIES):
        watch.phase("compiling C")
        build_library(source, Path(output))
    else:
        with open_output(output) as out:
            out.write(source.encode())
    if header is not None:
        with open_output(header) as out:
            out.write(header_text(found.game).encode())
    return found


def _set_of(rules: RuleSet | Study) -> RuleSet:
    from gotools.rules.study import Study

    return rules.rules if isinstance(rules, Study) else rules


def measure_rules(rules: Rules, examples: Examples | Paths, *, report: Report = log) -> dict[str, Any]:
    """Return how well rules predict the moves of examples, and how well orders without knowledge do.

    The entries are those of the metrics file (docs/formats.md): `test` with top1 to top20, log_likelihood and
    no_rule_fired; `baselines`; `rules`; `digest`.

    Raises GotoolsError where there is not one legal move to predict.
    """
    from gotools.rules.clauses.rules import check_game
    from gotools.rules.ranking import RankingTally, stretches
    from gotools.rules.rule_ranking import measured, rank_together

    matcher, tally = matcher_of(rules), RankingTally()
    decisions = decisions_of(examples, report)
    check_game(matcher.rules, decisions.of.name)
    for some in stretches(decisions):
        tally.join(measured(rank_together(some, matcher)))
    if not tally.positions:
        raise GotoolsError("not one move to measure on (a legal one, of label 1)")
    return tally.metrics(matcher.rules)


def matcher_of(rules: Rules | None, digest: str | None = None, background: str | None = None) -> Matcher:
    """Return rules ready to be matched, of a file by `load_rules`; None: an empty set.

    Raises SettingError for a digest or a background without a file of rules.
    """
    from gotools.rules.clauses.rules import RuleSet
    from gotools.rules.matching import Interpreted
    from gotools.rules.study import Study

    if isinstance(rules, str | Path):
        return load_rules(rules, digest=digest, background=background)
    for name, value in (("digest", digest), ("background", background)):
        if value is not None:
            raise SettingError(name, "goes with {rules}, a file")
    if isinstance(rules, RuleSet | Study):
        return Interpreted(_set_of(rules))
    return Interpreted(RuleSet(())) if rules is None else rules
