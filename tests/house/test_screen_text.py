"""Plain text of a width: 80 columns in files and pipes, those of a terminal there."""

from __future__ import annotations

import io

import pytest

from gotools.base.screen_text import text_width, wrapped


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("columns", "width"), [("132", 132), ("60", 60), ("7", 40)])
def test_a_terminal_has_its_own_width_and_a_file_has_80(
    columns: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert text_width(Terminal()) == width
    assert text_width(io.StringIO()) == text_width(None) == 80


def test_lines_are_broken_at_words_and_nothing_is_lost() -> None:
    text = "    +0.1  r1  Plays a one-point jump; chance to win 51.6 % of 100 %"
    for width in range(24, 90):
        lines = wrapped(text, width, 14).split("\n")
        assert lines[0].startswith("    +0.1") and all(line.startswith(" " * 14) for line in lines[1:])
        assert all(len(line) <= width for line in lines)
        assert not any(line.strip().startswith("%") for line in lines)
        assert " ".join(" ".join(lines).split()) == " ".join(text.split())
