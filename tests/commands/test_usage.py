"""What is typed wrong, and the help pages: what users see of the parser."""

from __future__ import annotations

import re

import pytest
import typer

from gotools.base.errors import nearest
from gotools.cli import app, run

GROUP = typer.main.get_command(app)
COMMANDS = list(GROUP.list_commands(None))  # type: ignore[attr-defined]
LONG = "9" * 500 + "x"
PAGES = [[], *([name] for name in COMMANDS), *(["tournament", name] for name in ("check", "status", "merge"))]


TYPED_WRONG = {
    "cluster-moves --metric euclidean": ("cluster-moves", "--metric", "'euclid'"),
    "gtp --search xyz": ("gtp", "--search", "'mcts', 'alphabeta'"),
    "train-eval --games ten": ("train-eval", "--games", "integer"),
    "train-eval --games 0": ("train-eval", "--games", "1"),
    "elo --prior nan": ("elo", "--prior", ""),
    "elo --method elo --k inf": ("elo", "--k", ""),
    "train-eval -j 9999": ("train-eval", "--jobs", "1024"),
    "rank-moves --size 9 --size 25": ("rank-moves", "--size", "19"),
    "rank-moves --size": ("rank-moves", "--size", "argument"),
    "elo --compare a": ("elo", "--compare", "2"),
    "elo --groups=3": ("elo", "--groups", "value"),
    "compile-patterns a b": ("compile-patterns", "", "b"),
    "rank-moves --explian": ("rank-moves", "--explian", "--explain"),
    "train-evl": ("", "'train-evl'", "'train-eval'"),
    "tournament stats": ("tournament", "'stats'", "'status'"),
    "tournament status": ("tournament status", "RUN", ""),
    "train-eval": ("train-eval", "-o: name a file for the weights", ""),
    f"train-eval --metric={LONG}": ("train-eval", "--metric", ""),
    "train-eval --a\nb\x1b[2J": ("train-eval", "--a", "b"),
}
"""What is typed, and for the error: the command, the option or argument it names, what is wrong or meant."""


@pytest.mark.parametrize("typed", TYPED_WRONG)
def test_what_is_typed_wrong_is_one_line(typed: str, capfd: pytest.CaptureFixture[str]) -> None:
    command, named, what = TYPED_WRONG[typed]
    assert run(typed.split(" ")) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.startswith(f"gotools {command}".rstrip() + ": ")
    assert named in err and what in err
    assert err.endswith("\n") and err[:-1].isprintable() and len(err) < 500


@pytest.mark.parametrize(
    ("typed", "what"),
    [
        ("train-eval -o e.npz --features shaps", "go has no features 'shaps'; did you mean 'shapes'?"),
        (
            "sgf-to-examples . --negatives unplaid",
            "is not a source of counter-examples; did you mean 'unplayed'?",
        ),
        (
            "induce-patterns . --without libert",
            "`libert` is not a predicate of the vocabulary; did you mean 'liberty'?",
        ),
    ],
)
def test_names_inside_of_values_have_their_nearest_too(
    typed: str, what: str, capfd: pytest.CaptureFixture[str], tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    assert run(typed.split()) in (1, 2)
    err = capfd.readouterr().err
    assert what in err and len(err.splitlines()) == 1


def test_the_nearest_name_or_all_of_them() -> None:
    assert nearest("euclidean", ["manhattan", "euclid"]) == "; did you mean 'euclid'?"
    assert nearest("xyz", ["manhattan", "euclid"]) == "; there are manhattan, euclid"
    assert nearest("xyz", ["manhattan"], "; see --help") == "; see --help"


@pytest.mark.parametrize("page", PAGES[1:], ids=" ".join)
def test_help_begins_with_whom_a_command_is_for(page: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    run([*page, "--help"])
    usage, first, second, *_ = capfd.readouterr().out.split("\n\n")
    assert usage.startswith("Usage: gotools")
    assert re.fullmatch(r"  For [^.]*\.", first), "one sentence"
    assert not second.startswith("  For ")


def test_the_list_of_commands_is_whole_and_in_the_order_of_the_pipeline(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    run(["--help"])
    rows = capfd.readouterr().out.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert all(row.endswith(".") and not row.endswith("...") for row in rows)
    names = [row.split()[0] for row in rows]
    assert names[0] == "sgf-to-examples" and names.index("tournament") == names.index("elo") - 1


@pytest.mark.parametrize(
    ("typed", "shown", "hidden"),
    [
        ("--help", {"--method": "What is learned", "--alpha": "Temporal differences"}, {"--lambda", "--parents"}),
        ("--help-method shapes", {"--lambda": "Temporal differences", "--rules": "Rules"}, {"--parents", "--chi"}),
        ("--help-method evolve", {"--parents": "Evolution", "--keep": "Options"}, {"--lambda", "--sigma"}),
    ],
)
def test_options_of_train_eval_stand_in_groups(
    typed: str, shown: dict[str, str], hidden: set[str], capfd: pytest.CaptureFixture[str]
) -> None:
    run(["train-eval", *typed.split()])
    text = capfd.readouterr().out
    titles = re.findall(r"^(\w.*):$", text, re.MULTILINE)
    assert titles[:2] == ["Options", "What is learned"]
    parts = dict(zip(titles, re.split(r"^\w.*:$", text, flags=re.MULTILINE)[1:], strict=True))
    where = {
        option: title for title, part in parts.items() for option in re.findall(r"^  (?:-\w, )?(--[-\w]+)", part, re.M)
    }
    assert where["--games"] == where["--jobs"] == where["--help"] == "Options"
    assert all(where[option].startswith(title) for option, title in shown.items()) and not hidden & where.keys()
    assert len(where) <= 20 or typed != "--help"


def test_a_method_shows_its_own_defaults(capfd: pytest.CaptureFixture[str]) -> None:
    run(["train-eval", "--help-method", "planes"])
    assert "[default: (0.004)]" in " ".join(capfd.readouterr().out.split())
    assert run(["train-eval", "--help-method", "shape"]) == 2
    assert "did you mean" in capfd.readouterr().err
