"""Write what the other functions return to files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from gotools.base.errors import GotoolsError

if TYPE_CHECKING:
    from gotools.game.examples.examples import Examples
    from gotools.ratings.table import RatingReport
    from gotools.rules.clauses.rules import RuleSet
    from gotools.rules.study import Study
    from gotools.values.clusters.clusters import Clusters
    from gotools.views.lessons.comparison import Lessons

    Saved = Examples | Study | RuleSet | Clusters | RatingReport | Lessons

USUAL_SIZE = 9
"""Board size for sentences about rules that do not say what they were learned on."""


def save(what: Saved, path: str | Path) -> None:
    """Write examples, rules, clusters, ratings or lessons to a file, in the form that the commands write.

    Examples are written as a table, or as Prolog where the name ends in .pl; ratings and lessons as a table, or as JSON
    where it ends in .json; a table as CSV or Parquet where it ends in .csv or .parquet. `.gz` compresses. The file
    appears when all of it is written; one that is there is replaced.

    Raises OutputError where the file cannot be written, GotoolsError for something of another type.
    """
    from gotools.files.opening import open_output

    write = _writer(what, str(path).lower().removesuffix(".gz"))
    with open_output(path) as out:
        write(out)


def _writer(what: Saved, name: str) -> Callable[[BinaryIO], object]:
    """Return the function that writes `what`."""
    from gotools.files.outputs import form_by_name
    from gotools.game.examples.examples import Examples, write_examples
    from gotools.ratings.table import FORMATS, RatingReport
    from gotools.rules.clauses.rules import RuleSet
    from gotools.rules.study import Study
    from gotools.values.clusters.clusters import Clusters
    from gotools.views.lessons.comparison import Lessons

    if isinstance(what, Examples):
        if not name.endswith(".pl"):
            return lambda out: write_examples(out, what)
        from gotools.games.go.examples.examples import of_go
        from gotools.games.go.examples.export import write_prolog

        rows = of_go(what)
        return lambda out: write_prolog(out, rows)
    if isinstance(what, RatingReport):
        return lambda out: out.write(FORMATS[form_by_name(name, ("json",))](what))
    if isinstance(what, Study):
        from gotools.rules.summary import write_study

        return lambda out: write_study(out, what, what.size)
    if isinstance(what, RuleSet):
        from gotools.rules.summary import write_study

        return lambda out: write_study(out, Study(rules=what), what.sizes[1] if what.sizes else USUAL_SIZE)
    if isinstance(what, Clusters):
        from gotools.values.clusters.clusters_file import write_clusters

        return lambda out: write_clusters(out, what)
    if isinstance(what, Lessons):
        from gotools.views.lessons.table import as_json, as_tsv

        return lambda out: out.write((as_json if name.endswith(".json") else as_tsv)(what))
    raise GotoolsError(f"{type(what).__name__} has no file format; save examples, rules, clusters, ratings or lessons")
