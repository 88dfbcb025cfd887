"""Paths, streams and headers: what is opened, what appears, what is said when it cannot be."""

from __future__ import annotations

import gzip
import os
import signal
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from gotools.base.errors import EngineError, FileFormatError, GotoolsError, MissingTool
from gotools.files.opening import expand_paths, open_output, read_bytes
from gotools.files.tables import header, read_header
from gotools.files.writing import output_folder


def test_paths_are_files_folders_globs_and_stdin(tmp_path: Path) -> None:
    for name in ("b.sgf", "a.SGF", "c.sgf.gz", "d.txt", ".hidden.sgf", "deep/e.sgf", "[x].sgf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    names = ["[x].sgf", "a.SGF", "b.sgf", "c.sgf.gz", "deep/e.sgf"]
    assert expand_paths([tmp_path], [".sgf"]) == [tmp_path / name for name in names]
    assert expand_paths([tmp_path / "*.sgf", tmp_path / "b.sgf", "-"], [".sgf"]) == [
        *(tmp_path / name for name in ("[x].sgf", "b.sgf")), "-",
    ]  # fmt: skip
    assert expand_paths([tmp_path / "[x].sgf"], [".sgf"]) == [tmp_path / "[x].sgf"]
    assert expand_paths([tmp_path / "d.txt"], [".sgf"]) == [tmp_path / "d.txt"]
    assert expand_paths([tmp_path / "**/e.*"], [".sgf"]) == [tmp_path / "deep/e.sgf"]


@pytest.mark.parametrize("name", ["none.sgf", "none*.sgf", "empty"])
def test_a_path_that_names_nothing_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileFormatError, match=r"no such file|no \.sgf file") as caught:
        expand_paths([tmp_path / name], [".sgf"])
    assert caught.value.path == str(tmp_path / name)


def test_gzip_is_undone_and_broken_gzip_named(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"stones"))
    assert read_bytes(path) == b"stones"
    path.write_bytes(gzip.compress(b"stones" * 100)[:-9])
    with pytest.raises(FileFormatError, match="gzip"):
        read_bytes(path)
    with pytest.raises(FileFormatError, match="directory"):
        read_bytes(tmp_path)


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out.tsv"
    path.write_text("before")
    path.chmod(0o640)
    with pytest.raises(KeyboardInterrupt), open_output(path) as out:
        out.write(b"half")
        raise KeyboardInterrupt
    assert path.read_text() == "before" and os.listdir(tmp_path) == ["out.tsv"]
    with open_output(path) as out:
        out.write(b"whole")
        assert path.read_text() == "before"
    assert path.read_text() == "whole" and path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("begin", [open_output, output_folder])
def test_what_a_dead_process_left_goes_with_the_next_and_what_a_living_one_writes_stays(
    begin: Callable[[Path], AbstractContextManager[object]], tmp_path: Path
) -> None:
    others = [".new.original", ".gotools-mine"]
    for name in others:
        (tmp_path / name).touch()
    for _ in range(2):
        if (child := os.fork()) == 0:
            with begin(tmp_path / "new"):
                os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(child, 0)
    assert len(os.listdir(tmp_path)) == len(others) + 1
    with begin(tmp_path / "new"):
        with begin(tmp_path / "new"):
            assert len(os.listdir(tmp_path)) == len(others) + 2
        assert len(os.listdir(tmp_path)) == len(others) + 2
    assert sorted(os.listdir(tmp_path)) == [*sorted(others), "new"]


def test_gz_output_has_no_date(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        with open_output(tmp_path / name) as out:
            out.write(b"same")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()
    assert read_bytes(tmp_path / "a.gz") == b"same"


def test_where_nothing_can_be_written_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none" / "out.tsv"
    with pytest.raises(FileFormatError, match="cannot write: No such file") as caught, open_output(path):
        pass
    assert caught.value.path == str(path)
    with open_output("/dev/null") as out:
        out.write(b"gone")


def test_a_folder_appears_whole_and_spares_what_is_not_its_own(tmp_path: Path) -> None:
    target = tmp_path / "folder"
    with pytest.raises(ValueError, match="stop"), output_folder(target) as folder:
        (folder / "a").write_text("1")
        raise ValueError("stop")
    assert os.listdir(tmp_path) == []
    for text in ("1", "2"):
        with output_folder(target) as folder:
            (folder / "a").write_text(text)
    assert (target / "a").read_text() == "2"
    (target / "mine").touch()
    with pytest.raises(FileFormatError, match="mine"), output_folder(target) as folder:
        (folder / "a").write_text("3")
    assert (target / "a").read_text() == "2" and sorted(os.listdir(tmp_path)) == ["folder"]
    (tmp_path / "file").touch()
    with pytest.raises(FileFormatError, match="a file of this name"), output_folder(tmp_path / "file"):
        pass


def test_headers_are_written_and_read() -> None:
    text = header("ratings", 1, {"game": "go", "anchor": "a=b"}, ["id", "elo"]).decode()
    assert text == "##gotools ratings 1\n##game=go\n##anchor=a=b\nid\telo\n"
    lines = text.splitlines()
    assert read_header([*lines, "x\t1"], "ratings", 1) == ({"game": "go", "anchor": "a=b"}, ["id", "elo"], 4)
    assert read_header(["x\t1"], "ratings", 1) == read_header(["#x\t1"], "ratings", 1) == ({}, ["x", "1"], 1)
    assert read_header(["##a=1"], "ratings", 1) == ({"a": "1"}, [], 1)
    for first, what in (("##gotools ratings 2", "newer"), ("##gotools rules 1", "rules"), ("##gotools x", "should")):
        with pytest.raises(FileFormatError, match=what):
            read_header([first], "ratings", 1)


def test_errors_read_well() -> None:
    assert str(FileFormatError("a.tsv", 3, "what")) == "a.tsv:3: what"
    assert str(FileFormatError("a.tsv", None, "what")) == "a.tsv: what"
    assert str(EngineError("gnugo --mode gtp", "died")) == "engine `gnugo --mode gtp`: died"
    assert str(MissingTool("SWI-Prolog", "get it")) == "SWI-Prolog is not installed; get it"
    assert issubclass(MissingTool, GotoolsError)


def test_a_closed_stdin_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(FileFormatError, match="stdin: is closed"):
        read_bytes("-")
