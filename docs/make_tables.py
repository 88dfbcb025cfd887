#!/usr/bin/env python3
"""Write the tables of options of docs/train-eval.md from the settings of the methods.

usage: python docs/make_tables.py
"""

from __future__ import annotations

import re
from pathlib import Path

import typer

from gotools.base.settings import described
from gotools.cli import app
from gotools.values.methods import FAMILIES, AnyTraining, default_text
from gotools.values.settings import TrainingSettings

PAGE = Path(__file__).with_name("train-eval.md")
BEGIN, END = "<!-- options: docs/make_tables.py -->\n", "<!-- end of options -->\n"


def table(columns: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    return "".join(f"| {' | '.join(cells)} |\n" for cells in (columns, ["---"] * len(columns), *rows))


def option_tables() -> str:
    """Return the options of every training, then those of the methods, with their defaults."""
    command = typer.main.get_command(app).commands["train-eval"]  # type: ignore[attr-defined]
    known = {one.name for one, _, _ in described(TrainingSettings)}
    others = {one.name for one, _, _ in described(AnyTraining)} - known
    shared, own = [], []
    for param in command.params:
        names = ", ".join(f"`{name}`" for name in param.opts)
        if param.name in others:
            own.append([names, *(default_in(family, param.name) for family in FAMILIES), param.help])
        elif param.name in known:
            shared.append([names, default_text(param.name) or "none", param.help])
        else:
            shared.append([names, str(param.default or "none"), param.help])
    first = table(["option", "default", "meaning"], shared)
    return f"{first}\n{table(['option', *FAMILIES, 'meaning'], own)}"


def default_in(family: str, name: str) -> str:
    """Return the default of a setting of a method, "-" if the method does not have it."""
    known = {one.name for one, _, _ in described(FAMILIES[family])}
    return (default_text(name, [family]) or "none") if name in known else "-"


def page(text: str) -> str:
    """Return a page with its tables of options made anew."""
    return re.sub(f"(?s){BEGIN}.*{END}", lambda _: f"{BEGIN}\n{option_tables()}\n{END}", text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
