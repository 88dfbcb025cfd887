"""Files of clusters: what is written is read, and what is wrong is reported with its line."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.random_clusters import random_clusters, random_moves

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.files.opening import open_output
from gotools.game.game import find_game
from gotools.games.go.go import GO
from gotools.games.go.inputs.move_features import MOVE_FEATURES
from gotools.values.clusters.clusters import METRICS, Clusters, packed, scores
from gotools.values.clusters.clusters_file import load_clusters, write_clusters


def written(path: Path, clusters: Clusters) -> Path:
    with open_output(path) as out:
        write_clusters(out, clusters)
    return path


@given(metric=st.sampled_from(METRICS), seed=st.integers(0, 1000), stages=st.booleans())
def test_what_is_written_is_read_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory, metric: str, seed: int, stages: bool
) -> None:
    clusters = random_clusters(metric, seed, stages)
    path = written(tmp_path_factory.getbasetemp() / "clusters.tsv", clusters)
    found = load_clusters(path, GO)
    assert (packed(found, MOVE_FEATURES) == packed(clusters, MOVE_FEATURES)).all()
    assert [(c.stage, c.kind, c.good, c.bad, c.typical) for c in found.centres] == [
        (c.stage, c.kind, c.good, c.bad, c.typical) for c in clusters.centres
    ]
    assert (found.metric, found.unit, found.made) == (clusters.metric, clusters.unit, clusters.made)
    again = io.BytesIO()
    write_clusters(again, found)
    assert again.getvalue() == path.read_bytes()


def test_a_packed_file_is_read_as_well(tmp_path: Path) -> None:
    clusters = random_clusters("manhattan")
    found = load_clusters(written(tmp_path / "clusters.tsv.gz", clusters), GO)
    assert (packed(found, MOVE_FEATURES) == packed(clusters, MOVE_FEATURES)).all()


@pytest.mark.parametrize("metric", METRICS)
def test_columns_and_rows_stand_in_any_order_and_unknown_columns_do_not_matter(tmp_path: Path, metric: str) -> None:
    clusters, moves = random_clusters(metric, 3), random_moves(50, 4)
    path = written(tmp_path / "clusters.tsv", clusters)
    lines = path.read_text().splitlines()
    head = [line for line in lines if line.startswith("##")]
    rows = [line.lstrip("#").split("\t") for line in lines[len(head) :]]
    order = np.random.default_rng(1).permutation(len(rows[0])).tolist()
    mixed = ["\t".join([row[at] for at in order] + ["note"]) for row in rows]
    path.write_text("\n".join([*head, "#" + mixed[0], *sorted(mixed[1:])]) + "\n")
    assert scores(load_clusters(path, GO), moves) == pytest.approx(scores(clusters, moves))


def test_counts_and_typical_moves_may_be_missing(tmp_path: Path) -> None:
    path = written(tmp_path / "clusters.tsv", random_clusters("manhattan"))
    lines = path.read_text().splitlines()
    head = [line for line in lines if line.startswith("##")]
    cut = ["\t".join(line.split("\t")[:2] + line.split("\t")[5:]) for line in lines[len(head) :]]
    path.write_text("\n".join([*head, *cut]))
    centre = load_clusters(path, GO).centres[0]
    assert (centre.good, centre.bad, centre.typical) == (0, 0, "-")


# ---- what is wrong ----


def line_with(lines: list[str], start: str) -> int:
    return next(at for at, line in enumerate(lines) if line.startswith(start))


def replaced(start: str, old: str, new: str) -> Callable[[list[str]], None]:
    """Return a change that replaces a text in the first line that begins so."""

    def change(lines: list[str]) -> None:
        at = line_with(lines, start)
        assert old in lines[at]
        lines[at] = lines[at].replace(old, new, 1)

    return change


def cell(start: str, name: str, text: str) -> Callable[[list[str]], None]:
    """Return a change of one cell of the first row that begins so."""

    def change(lines: list[str]) -> None:
        columns = lines[line_with(lines, "stage")].split("\t")
        at = line_with(lines, start)
        cells = lines[at].split("\t")
        cells[columns.index(name)] = text
        lines[at] = "\t".join(cells)

    return change


def without(*starts: str) -> Callable[[list[str]], None]:
    def change(lines: list[str]) -> None:
        lines[:] = [line for line in lines if not line.startswith(starts)]

    return change


def doubled(start: str) -> Callable[[list[str]], None]:
    return lambda lines: lines.insert(line_with(lines, start), lines[line_with(lines, start)])


BROKEN = {
    "another kind": (replaced("##gotools", "clusters", "rules"), None, "a file of rules; expected clusters"),
    "a newer version": (replaced("##gotools", "clusters 2", "clusters 3"), 1, "version 3"),
    "no header": (without("#", "stage"), None, "clusters of the game ?"),
    "another game": (replaced("##game", "go", "chess"), 2, "clusters of the game chess; expected go"),
    "no game": (without("##game"), None, "expected go"),
    "an unknown metric": (replaced("##metric", "manhattan", "taxi"), 3, "unknown metric 'taxi'"),
    "no unit": (without("##unit"), None, "unit is '', which is no number"),
    "a unit of 0": (replaced("##unit", "2.5", "0"), 4, "unit is 0, not above 0"),
    "a huge unit": (replaced("##unit", "2.5", "1e308"), None, "the unit of scores, 1e+308, is too large"),
    "another vocabulary": (replaced("stage", "captured", "taken"), 7, "no column `captured`, but one `taken`"),
    "a missing feature": (replaced("stage", "\tcaptured", ""), 7, "no column `captured`"),
    "no kinds": (replaced("stage", "kind", "sort"), 7, "no column `kind`"),
    "a column twice": (replaced("stage", "captured", "line"), 7, "two columns `line`"),
    "a cut line": (replaced("all\tbad", "\tbad", ""), 13, "26 cells, where the header names 27 columns"),
    "no number": (cell("all\tbad", "saved", "many"), 13, "saved is 'many', which is no number"),
    "not finite": (cell("all\tbad", "saved", "inf"), 13, "saved is inf, which is not finite"),
    "out of bounds": (cell("all\tbad", "saved", "6.5"), 13, "saved is 6.5, but goes from 0 to 6"),
    "below 0": (cell("all\tgood", "saved", "-1"), 8, "saved is -1, but goes from 0 to 6"),
    "no count": (cell("all\tgood", "bad", "-3"), 8, "bad is '-3', which counts no moves"),
    "an unknown kind": (cell("all\tgood", "kind", "so-so"), 8, "unknown kind 'so-so'"),
    "an unknown stage": (cell("all\tgood", "stage", "late"), 8, "unknown stage 'late'"),
    "no good centre": (without("all\tgood"), None, "no good centre"),
    "no bad centre": (without("all\tbad"), None, "no bad centre"),
    "stages and all": (cell("all\tgood", "stage", "open"), None, "centres of the stage all and of others"),
    "a deviation of 0": (cell("all\tdev", "saved", "0"), 17, "the deviation of saved is not above 0"),
    "a tiny deviation": (cell("all\tdev", "saved", "1e-9"), None, "too many standard deviations apart"),
    "no mean": (without("all\tmean"), None, "no row of kind mean"),
    "two means": (doubled("all\tmean"), 17, "a second row of kind mean"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_reported_with_its_line(tmp_path: Path, name: str) -> None:
    change, line, message = BROKEN[name]
    path = written(tmp_path / "clusters.tsv", random_clusters("manhattan"))
    lines = path.read_text().splitlines()
    change(lines)
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(FileFormatError) as error:
        load_clusters(path, GO)
    assert message in str(error.value)
    assert error.value.line == line
    assert error.value.path == str(path)


def test_a_stage_without_bad_centres_is_reported(tmp_path: Path) -> None:
    path = written(tmp_path / "clusters.tsv", random_clusters("manhattan", stages=True))
    lines = path.read_text().splitlines()
    path.write_text("\n".join(line for line in lines if not line.startswith("middle\tbad")))
    with pytest.raises(FileFormatError, match="no bad centre in the stage middle"):
        load_clusters(path, GO)


def test_too_many_centres_are_reported(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="1,001 centres, more than 1,000"):
        load_clusters(written(tmp_path / "clusters.tsv", random_clusters("manhattan", good=500, bad=501)), GO)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (cell("all\tcov", "typical", "lines"), "should name the feature of this row of covariance, not 'lines'"),
        (doubled("all\tcovariance"), "should name the feature"),
        (cell("all\tcov", "saved", "9"), "the covariance is not symmetric"),
        (cell("all\tcov", "line", "-9"), "the covariance cannot be inverted"),
        (cell("all\tcov", "kind", "good"), "but goes from 0"),
    ],
)
def test_an_impossible_covariance_is_reported(
    tmp_path: Path, change: Callable[[list[str]], None], message: str
) -> None:
    path = written(tmp_path / "clusters.tsv", random_clusters("mahalanobis"))
    lines = path.read_text().splitlines()
    change(lines)
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(FileFormatError, match=message):
        load_clusters(path, GO)


def test_mahalanobis_wants_a_whole_covariance(tmp_path: Path) -> None:
    plain = replace(random_clusters("mahalanobis"), covariance=None)
    with pytest.raises(FileFormatError, match="no row of kind covariance for line, which mahalanobis needs"):
        load_clusters(written(tmp_path / "clusters.tsv", plain), GO)


def test_a_game_without_features_of_moves_has_no_clusters(tmp_path: Path) -> None:
    path = written(tmp_path / "clusters.tsv", random_clusters("manhattan"))
    with pytest.raises(GotoolsError, match="tictactoe has no features of moves"):
        load_clusters(path, replace(find_game("tictactoe"), traits={}))


def test_a_file_that_is_not_text_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "clusters.tsv"
    path.write_bytes(bytes(range(256)) * 40)
    with pytest.raises(FileFormatError, match="a binary file; expected clusters"):
        load_clusters(path, GO)
    path.write_bytes(b"")
    with pytest.raises(FileFormatError, match="an empty file; expected clusters"):
        load_clusters(path, GO)
    with pytest.raises(FileFormatError, match="No such file"):
        load_clusters(tmp_path / "nothing.tsv", GO)
