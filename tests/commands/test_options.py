"""What commands share: defaults that stand in one place, and checks of what was typed."""

from __future__ import annotations

import os
from typing import Any

import pytest
import typer

from gotools.cli import app, run
from gotools.commands.options import paths_or_stdin, written_as
from gotools.engines.orders.settings import ComparisonSettings
from gotools.search.alphabeta import AlphaBetaSettings

GROUP: Any = typer.main.get_command(app)


def test_a_comparison_of_orders_searches_as_a_player_does() -> None:
    usual, names = AlphaBetaSettings(), ("deepening", "quiescence", "order_from")
    assert [getattr(ComparisonSettings(), name) for name in names] == [getattr(usual, name) for name in names]


@pytest.mark.parametrize(
    ("typed", "what"),
    [
        ("elo", "PATH: name results, or send them to stdin"),
        ("sgf-to-examples", "PATH: name a file, a folder or a glob, or send a game record to stdin"),
        ("induce-patterns", "PATH: name games or examples, or send them to stdin"),
        ("rank-moves --rules rules.pl", "PATH: name examples or games, or send them to stdin"),
        ("cluster-moves", "PATH: name game records or a table, or send them to stdin"),
        ("order-bench", "PATH: name game records or tables, or send them to stdin"),
        ("lessons --rules rules.pl", "PATH: name game records, or send them to stdin"),
        ("compile-patterns", "RULES: name a file of rules, or send one to stdin"),
    ],
)
def test_a_command_on_a_terminal_asks_for_its_input(
    typed: str, what: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    keyboard, terminal = os.openpty()
    try:
        with open(terminal, closefd=False) as stdin:
            monkeypatch.setattr("sys.stdin", stdin)
            assert run(typed.split()) == 2
    finally:
        os.close(keyboard)
        os.close(terminal)
    assert capfd.readouterr().err == f"gotools {typed.split()[0]}: {what}\n"


def test_without_a_terminal_nothing_named_is_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    with open(os.devnull) as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert paths_or_stdin(None, "name some") == paths_or_stdin([], "name some") == ["-"]
        assert paths_or_stdin(["a", "b"], "name some") == ["a", "b"]
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(typer.BadParameter, match="name some"):
        paths_or_stdin(None, "name some")


@pytest.mark.parametrize(
    ("path", "form"),
    [("a.json", "json"), ("a.CSV.gz", "csv"), ("a.txt", "tsv"), ("json", "json"), ("a.tsv", "tsv"), ("-", "tsv")],
)
def test_the_form_of_a_result_follows_the_name_of_the_file(path: str, form: str) -> None:
    assert written_as(None, path, ("tsv", "csv", "json")) == form


@pytest.mark.parametrize(
    ("typed", "what"),
    [
        ("elo --method elo --no-advantage x.csv", "--advantage/--no-advantage: goes with --method bradley-terry"),
        ("elo --start 1500 x.csv", "--start: goes with --method elo or abalone"),
        ("elo --method abalone --k 20 x.csv", "--k: goes with --method elo"),
        ("induce-patterns --objective rank --beam-width 200 .", "--beam-width: goes with --objective cover"),
        ("induce-patterns --max-rules 1000 .", "--max-rules: goes with --objective rank"),
    ],
)
def test_an_option_of_another_method_is_refused_even_with_its_default(
    typed: str, what: str, capfd: pytest.CaptureFixture[str], tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))
    assert run(typed.split()) == 2
    assert capfd.readouterr().err == f"gotools {typed.split()[0]}: {what}\n"
