"""What commands share: defaults that stand in one place, and checks of what was typed."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import fields
from enum import Enum
from typing import Any

import pytest
import typer

import gotools
from gotools.cli import app, run
from gotools.commands.options import defaults_of, paths_or_stdin, written_as
from gotools.library.players import SECONDS
from gotools.orders.order_bench import Bench
from gotools.search.alphabeta import AlphaBetaSettings

GROUP: Any = typer.main.get_command(app)
FUNCTIONS: dict[str, Callable[..., object]] = {
    "sgf-to-examples": gotools.read_examples,
    "compile-patterns": gotools.compile_rules,
    "rank-moves": gotools.rank_moves,
    "train-eval": gotools.train,
    "cluster-moves": gotools.cluster_moves,
    "order-bench": gotools.compare_orders,
    "lessons": gotools.compare_players,
    "report": gotools.write_report,
}
DIFFERENT = {
    "size": "a list on the command line",
}


def plain(value: object) -> object:
    """Return an option's default as a function takes it."""
    return value.value if isinstance(value, Enum) else value


@pytest.mark.parametrize("command", FUNCTIONS)
def test_options_have_the_defaults_of_the_function_that_does_the_work(command: str) -> None:
    of_command = {param.name: plain(param.default) for param in GROUP.commands[command].params}
    of_function = defaults_of(FUNCTIONS[command]).__dict__
    shared = (of_command.keys() & of_function.keys()) - DIFFERENT.keys()
    assert {name: of_command[name] for name in shared} == {name: of_function[name] for name in shared}
    wrong = (of_function.keys() - of_command.keys()) - {
        "report",
        "watch",
        "on_news",
        "on_state",
        "evaluation",
        "anchors",
        "widths",  # --width
    }
    assert not wrong, "a parameter that no option has"


@pytest.mark.parametrize(
    ("function", "inner", "names"),
    [
        (gotools.compare_orders, AlphaBetaSettings, {"order_from": "order_from", "deepening": "deepening"}),
    ],
)
def test_settings_below_the_library_have_the_same_defaults(
    function: Callable[..., object], inner: Any, names: dict[str, str]
) -> None:
    own, below = defaults_of(function), {field.name: field.default for field in fields(inner)}
    assert {name: getattr(own, name) for name in names} == {name: below[other] for name, other in names.items()}


def test_a_comparison_of_orders_has_the_defaults_of_its_command() -> None:
    own, below = defaults_of(gotools.compare_orders), inspect.signature(Bench.of).parameters
    names = ("deepening", "quiescence", "order_from", "komi")
    assert [getattr(own, name) for name in names] == [below[name].default for name in names]


def test_the_help_of_gtp_says_how_long_it_thinks() -> None:
    (time,) = (param for param in GROUP.commands["gtp"].params if param.name == "time")
    assert f"; {SECONDS:g} without" in time.help


@pytest.mark.parametrize("name", ["seed", "strict", "quiet", "size"])
def test_a_shared_option_reads_the_same_in_every_command(name: str) -> None:
    pages = {
        command: param.help
        for command in FUNCTIONS
        for param in GROUP.commands[command].params
        if param.name == name and (name != "size" or command != "train-eval")
    }
    assert len(pages) >= 3 and len(set(pages.values())) == 1


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
