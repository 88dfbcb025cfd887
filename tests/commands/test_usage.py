"""What is typed wrong, and the help pages, in the words of gotools: what users see of the parser."""

from __future__ import annotations

import re

import pytest
import typer

from gotools.cli import app, run
from gotools.errors import nearest

GROUP = typer.main.get_command(app)
COMMANDS = list(GROUP.list_commands(None))  # type: ignore[attr-defined]
LONG = "9" * 500 + "x"
PAGES = [[], *([name] for name in COMMANDS), *(["tournament", name] for name in ("check", "status", "merge"))]


@pytest.mark.parametrize(
    ("typed", "what"),
    [
        (
            "cluster-moves --metric euclidean",
            " cluster-moves: --metric: there is no 'euclidean'; did you mean 'euclid'?",
        ),
        (
            "induce-patterns --objective ranks",
            " induce-patterns: --objective: there is no 'ranks'; did you mean 'rank'?",
        ),
        ("gtp --search xyz", " gtp: --search: there is no 'xyz'; there are mcts, alphabeta"),
        ("train-eval --games ten", " train-eval: --games: 'ten' is not a whole number from 1 on"),
        ("train-eval --games 0", " train-eval: --games: '0' is not a whole number from 1 on"),
        ("train-eval --seed 3.5", " train-eval: --seed: '3.5' is not a whole number from 0 on"),
        ("train-eval --komi nan", " train-eval: --komi: 'nan' is not a number from -1,000 to 1,000"),
        ("train-eval -j 9999", " train-eval: --jobs: '9999' is not a whole number from 1 to 1,024"),
        ("gtp --resign 2", " gtp: --resign: '2' is not a number from 0 to 1"),
        ("rank-moves --size 9 --size 25", " rank-moves: --size: '25' is not a whole number from 2 to 19"),
        ("rank-moves --size", " rank-moves: --size needs a value"),
        ("elo --compare a", " elo: --compare needs 2 values"),
        ("elo --groups=3", " elo: --groups takes no value"),
        ("compile-patterns a b", " compile-patterns: too many arguments: 'b' has no place"),
        ("rank-moves --explian", " rank-moves: there is no option '--explian'; did you mean '--explain'?"),
        ("train-eval -x", " train-eval: there is no option '-x'; see --help"),
        ("train-evl", ": there is no command 'train-evl'; did you mean 'train-eval'?"),
        ("tournament stats", " tournament: there is no command 'stats'; did you mean 'status'?"),
        ("tournament status", " tournament status: RUN is missing"),
        ("train-eval", " train-eval: -o: name a file for the weights"),
        (
            f"train-eval --games {LONG}",
            f" train-eval: --games: '{LONG[:60]}...' is not a whole number from 1 on",
        ),
    ],
)
def test_what_is_typed_wrong_is_one_line_in_our_words(typed: str, what: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(typed.split()) == 2
    out, err = capfd.readouterr()
    assert (out, err) == ("", f"gotools{what}\n")


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


@pytest.mark.parametrize("columns", ["80", "120"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: " ".join(page) or "gotools")
def test_a_help_page_fits_and_has_no_words_of_the_parser(
    page: list[str], columns: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert run([*page, "--help"]) == 0
    text = capfd.readouterr().out
    assert max(map(len, text.splitlines())) <= int(columns)
    body = text.partition("\n  Example")[0]
    assert not re.search(r"<|>|\brange\b|list\[|x>=|e\+\d|default: \(|INTEGER|FLOAT|TEXT", body), text


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


def test_options_of_train_eval_stand_in_groups(capfd: pytest.CaptureFixture[str]) -> None:
    run(["train-eval", "--help"])
    text = capfd.readouterr().out
    titles = re.findall(r"^(\w.*):$", text, re.MULTILINE)
    assert titles[:2] == ["Options", "What is learned"]
    parts = dict(zip(titles, re.split(r"^\w.*:$", text, flags=re.MULTILINE)[1:], strict=True))
    where = {
        option: title for title, part in parts.items() for option in re.findall(r"^  (?:-\w, )?(--[-\w]+)", part, re.M)
    }
    assert where["--games"] == where["--jobs"] == where["--help"] == "Options"
    assert "--method td" in where["--lambda"] and "--method evolve" in where["--parents"]
    assert "--method climb" in where["--sigma"] and "--method td" in where["--rules"]
    assert "[default: 0.7, shapes 0.5, tuples 0.6; 0 to 1]" in " ".join(text.split())
