#!/usr/bin/env python3
"""Build the site of the documentation with mkdocs-material; a broken link ends it with an error.

usage: python docs/make_site.py FOLDER [PAGE.html ...]

The pages are those that git tracks, under their paths, with the pictures and files that they link to. Sections are the
tables of docs/index.md, and the help of each command. PAGE.html are reports to add.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
import yaml
from make_man import commands, name_of

from gotools.cli import app

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)#\s]+)(#[^)\s]*)?\)")
CODE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)
HOME = "README.md"


def pages() -> list[Path]:
    """Return the tracked pages and pictures, relative to the project."""
    listed = subprocess.run(["git", "ls-files", "*.md", "*.svg", "*.png"], cwd=ROOT, capture_output=True, check=True)
    return [Path(line) for line in listed.stdout.decode().splitlines() if not line.startswith(("tests/", "gotools/"))]


def with_links_inside(text: str, page: Path, staged: Path) -> str:
    """Return a page whose links lead to pages or to files that are copied beside them; folders lose their link."""

    def link(found: re.Match[str]) -> str:
        words, target, anchor = found[1], found[2], found[3] or ""
        if ":" in target:
            return found[0]
        path = Path(os.path.normpath(page.parent / target))
        if (ROOT / path / HOME).is_file():
            return f"[{words}]({target.rstrip('/')}/{HOME}{anchor})"
        if (ROOT / path).is_dir():
            return words
        if (ROOT / path).is_file() and path.suffix != ".md":
            (staged / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, staged / path)
        return found[0]

    parts = CODE.split(text)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)


def sections() -> Iterator[dict[str, list[str]]]:
    """Yield the tables of docs/index.md as sections: the pages that their rows link to, each once."""
    known, pages = set[str](), list[str]()
    for line in (ROOT / "docs/index.md").read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"\| (I .*?)(?:,? and want)? \| page \|", line):
            pages = []
            yield {heading[1]: pages}
        for target in re.findall(r"\]\(([^)#]+\.md)", line) if line.startswith("| ") else ():
            path = os.path.normpath(f"docs/{target}")
            if path not in known:
                known.add(path)
                pages.append(path)


def stage(folder: Path, reports: Sequence[Path]) -> None:
    """Fill a folder with the pages, and with its list of reports."""
    for path in pages():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            text = (ROOT / path).read_text(encoding="utf-8")
            (folder / path).write_text(with_links_inside(text, path, folder), encoding="utf-8")
        else:
            shutil.copy(ROOT / path, folder / path)
    (folder / "commands").mkdir()
    for command, ctx in commands(typer.main.get_command(app)):
        text = f"# {ctx.command_path}\n\n```text\n{command.get_help(ctx)}\n```\n"
        (folder / f"commands/{name_of(ctx)}.md").write_text(text, encoding="utf-8")
    if reports:
        (folder / "reports").mkdir()
        for report in reports:
            add_report(report, folder / "reports")
        listed = "".join(f"- [{report.stem}]({report.name})\n" for report in reports)
        (folder / "reports/index.md").write_text(f"# Reports\n\nPages that `gotools report` has made.\n\n{listed}")


def add_report(report: Path, folder: Path) -> None:
    """Copy a report, and the game records beside it that it links to."""
    shutil.copy(report, folder)
    for target in re.findall(r'href="?([^":#> ]+\.sgf)', report.read_text(encoding="utf-8")):
        record = Path(os.path.normpath(report.parent / target))
        if record.is_file() and record.is_relative_to(report.parent):
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(record, folder / target)


def main(folder: str, *reports: str) -> None:
    """Build the site."""
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        stage(work / "pages", [Path(report) for report in reports])
        more: list[object] = [{"Reports": "reports/index.md"}] if reports else []
        options = sorted(f"commands/{path.name}" for path in (work / "pages/commands").iterdir())
        settings = {
            "INHERIT": str(ROOT / "docs/mkdocs.yml"),
            "docs_dir": str(work / "pages"),
            "site_dir": str(Path(folder).resolve()),
            "nav": [{"gotools": HOME}, {"By task": "docs/index.md"}, *sections(), {"Commands": options}, *more],
        }
        (work / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False))
        done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-f", work / "mkdocs.yml"])
    sys.exit(done.returncode)


if __name__ == "__main__":
    main(*sys.argv[1:])
