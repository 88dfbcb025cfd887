"""Nothing is lost by naming outputs: an input is never one, whatever it is called; links are written through."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import forked
from support.tournament_results import game as result
from support.two_rules import TWO_RULES
from support.written_runs import write_run

from gotools.base.errors import OutputError, WrongUsage
from gotools.cli import run
from gotools.files.opening import check_writable, open_output
from gotools.files.outputs import JSON, RULES, TABLE, Output, check_outputs
from gotools.files.parquet import parquet_of_text

ROOT = Path(__file__).parents[2]
GAME = "(;GM[1]SZ[5]RE[B+R]PB[a]PW[b];B[cc];W[bb];B[dd];W[bd])"
EXAMPLES = "##gotools examples 2\nid\tto_play\tposition\tmove\nx:1\tb\t.../.../...\tB2\n"
RESULTS = "black,white,result\na,b,B+R\nb,a,B+R\n"
FILES = {"mine.sgf": GAME, "mine.txt": GAME, "e.tsv": EXAMPLES, "e.txt": EXAMPLES, "r.csv": RESULTS, "r.txt": RESULTS}
FILES |= {
    "match.toml": "games = 2\n",
    "w.npz": "PK",
    "r.pl": "%% gotools rules 1\n",
    "r.so": "\x7fELF",
    "c.tsv": "##gotools clusters 2\n",
}
PARQUET = io.BytesIO()
with parquet_of_text(PARQUET) as rows:
    rows.write(EXAMPLES.encode())
FILES["e.parquet"] = PARQUET.getvalue().decode("latin-1")
COPIES = {
    "mine-train.txt": "mine.sgf",
    "r.pl.txt": "r.pl",
    "so.txt": "r.so",
    "w.txt": "w.npz",
    "toml.txt": "match.toml",
}
ENGINES = ("--engine", "a=x", "--engine", "b=y")
CLASHES = {
    "a game": ("sgf-to-examples", "mine.txt", "-o", "mine.txt"),
    "a part of --split": ("sgf-to-examples", "mine-train.txt", "--split", "0.5", "-o", "mine.txt"),
    "examples": ("induce-patterns", "e.txt", "-o", "e.txt"),
    "test games": ("induce-patterns", "mine.sgf", "--test", "e.txt", "-o", "e.txt"),
    "metrics over games": ("induce-patterns", "e.txt", "-o", "new.pl", "--metrics", "e.txt"),
    "a background file": ("induce-patterns", "e.tsv", "--background", "r.pl", "-o", "r.pl"),
    "a file of modes": ("induce-patterns", "e.tsv", "--modes", "r.pl", "-o", "r.pl"),
    "rules": ("compile-patterns", "r.pl.txt", "-o", "r.pl.txt"),
    "rules by the header": ("compile-patterns", "r.pl.txt", "-o", "new.c", "--header", "r.pl.txt"),
    "compiled rules": ("rank-moves", "e.tsv", "--rules", "so.txt", "-o", "so.txt"),
    "weights": ("rank-moves", "e.tsv", "--eval", "w.txt", "-o", "w.txt"),
    "ranked games": ("rank-moves", "e.tsv", "--rules", "r.pl", "-o", "e.tsv"),
    "metrics over rules": ("rank-moves", "e.tsv", "--rules", "so.txt", "-o", "new.tsv", "--metrics", "so.txt"),
    "ranked Parquet": ("rank-moves", "e.parquet", "--rules", "r.pl", "-o", "e.parquet"),
    "clustered games": ("cluster-moves", "e.tsv", "-o", "e.tsv"),
    "an order": ("order-bench", "e.tsv", "--order", "r.pl+c.tsv", "-o", "c.tsv"),
    "the weights of a bench": ("order-bench", "e.tsv", "--eval", "w.txt", "-o", "w.txt"),
    "compared games": ("lessons", "mine.txt", "--rules", "r.pl", "-o", "mine.txt"),
    "rules of lessons": ("lessons", "mine.sgf", "--rules", "r.pl.txt", "-o", "r.pl.txt"),
    "results": ("elo", "r.csv", "-o", "r.csv"),
    "results by the matrix": ("elo", "r.txt", "-o", "new.tsv", "--matrix", "r.txt"),
    "weights to begin with": ("train-eval", "--start", "w.npz", "-o", "w.npz", "--games", "1"),
    "rules of a training": ("train-eval", "--rules", "so.txt", "-o", "new.npz", "--log", "so.txt", "--games", "1"),
    "settings": ("tournament", *ENGINES, "--config", "toml.txt", "-o", "run", "--summary", "toml.txt"),
    "two outputs": ("rank-moves", "e.tsv", "--rules", "r.pl", "-o", "new.txt", "--metrics", "./new.txt"),
    "weights and log": ("train-eval", "-o", "new", "--log", "new", "--games", "1"),
    "JUnit and summary": ("tournament", *ENGINES, "-o", "run", "--junit", "v", "--summary", "v"),
    "what is shown": ("show", "e.txt", "-o", "e.txt"),
    "what a page is made of": ("report", "e.txt", "-o", "e.txt"),
    "ratings and matrix on stdout": ("elo", "r.csv", "--matrix", "-"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text.encode("latin-1"))
    for name, of in COPIES.items():
        (tmp_path / name).write_bytes((tmp_path / of).read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("name", CLASHES)
def test_an_output_that_is_an_input_is_refused_by_every_command(
    folder: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    before = contents(folder)
    command, *arguments = CLASHES[name]
    assert run([command, *arguments]) == 2
    done = capfd.readouterr()
    assert done.out == "" and done.err.count("\n") == 1 and "Traceback" not in done.err
    assert done.err.startswith(f"gotools {command}: ") and "name another file for -" in done.err
    assert contents(folder) == before


@pytest.mark.system
@pytest.mark.parametrize("how", ["itself", "another way", "symbolic link", "hard link", "link to a link", "stdin"])
def test_no_second_name_helps(folder: Path, how: str) -> None:
    given, output = "e.txt", "out"
    if how == "itself":
        output = given
    elif how == "another way":
        (folder / "sub").mkdir()
        output = "sub/../e.txt"
    elif how == "hard link":
        os.link("e.txt", "out")
    else:
        os.symlink("e.txt", "link")
        os.symlink("link" if how == "link to a link" else "e.txt", "out")
    command = [sys.executable, "-m", "gotools", "induce-patterns", "-" if how == "stdin" else given, "-o", output]
    with open("e.txt", "rb") as stdin:
        done = forked.run(command, stdin=stdin, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "") and "an input too" in done.stderr
    assert (folder / "e.txt").read_text() == EXAMPLES


def test_a_folder_and_a_glob_are_looked_into(folder: Path) -> None:
    for given in (".", "*.tsv"):
        with pytest.raises(WrongUsage, match="an input too"):
            check_outputs([Output("-o", "e.tsv", TABLE)], [given], (".tsv",))
    check_outputs([Output("-o", "e.txt", TABLE)], ["."], (".tsv",))


def test_a_result_in_the_folder_that_is_read_may_be_written_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "run").mkdir()
    shutil.move("r.csv", "run/r.csv")
    for _ in range(2):
        assert run(["elo", "run", "-q", "-o", "run/ratings.tsv"]) == 0
    assert (folder / "run/ratings.tsv").read_text().startswith("##gotools ratings")
    assert run(["elo", "run", "-q", "-o", "run/r.csv"]) == 2
    assert (folder / "run/r.csv").read_text() == RESULTS


ENDINGS = [
    (("sgf-to-examples", "mine.sgf"), "a.sgf a.exe a.xlsx a.pl a.so a.c a.npz a.json a.sgf.gz a.PDF a.zip"),
    (("induce-patterns", "e.tsv"), "out.sgf out.tsv out.parquet out.so out.c out.json out.txt.exe"),
    (("compile-patterns", "r.pl"), "out.pl out.sgf out.tsv out.h out.so.gz"),
    (("rank-moves", "e.tsv", "--rules", "r.pl"), "out.pl out.so out.sgf out.json"),
    (("rank-moves", "e.tsv", "--rules", "r.pl", "--explain"), "out.tsv out.html"),
    (("cluster-moves", "e.tsv"), "out.npz out.sgf"),
    (("order-bench", "e.tsv"), "out.sgf out.pl"),
    (("lessons", "mine.sgf", "--rules", "r.pl"), "out.sgf out.pl"),
    (("elo", "r.csv"), "out.sgf out.xlsx out.npz"),
    (("elo", "r.csv", "--format", "csv"), "out.tsv out.parquet"),
    (("show", "e.tsv"), "out.npz out.tsv out.pl out.sgf out.json out.so"),
    (("show", "e.tsv", "--json"), "out.md out.tsv"),
    (("report", "e.tsv"), "out.npz out.tsv out.sgf out.md out.svg"),
    (("train-eval", "--games", "1"), "out.tsv out.pl out.json"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "names"), ENDINGS, ids=lambda value: value[0] if isinstance(value, tuple) else "")
def test_a_name_of_another_kind_is_refused(
    folder: Path, command: tuple[str, ...], names: str, capfd: pytest.CaptureFixture[str]
) -> None:
    before = contents(folder)
    for name in names.split():
        assert run([*command, "-o", name]) == 2, name
        error = capfd.readouterr().err
        assert error.startswith(f"gotools {command[0]}: {name}: .") and error.count("\n") == 1
    assert contents(folder) == before


FINE = (
    "out.txt",
    "out.parquet",
    "out.PARQUET",
    "out.tsv",
    "out.TSV",
    "out.tsv.gz",
    "out",
    "out.new",
    "out.gz",
    ".hidden",
    "a.b/out",
)


@pytest.mark.parametrize("name", FINE)
def test_other_names_are_fine(folder: Path, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "a.b").mkdir()
    assert run(["sgf-to-examples", "-q", "mine.sgf", "-o", name]) == 0, capfd.readouterr().err
    assert (folder / name).stat().st_size > 50


@pytest.mark.system
def test_stdout_by_its_name_and_pipes(folder: Path) -> None:
    convert = "sgf-to-examples -q mine.sgf"
    own, forks = f"{sys.executable} -m gotools {convert}", f"{forked.on_path()}/gotools {convert}"
    lines = f"{forks} > a; {forks} -o /dev/stdout > b; {forks} -o /dev/stdout | cat > c; {own} -o /dev/fd/3 3> d;"
    lines += f"echo before > e; {forks} -o /dev/stdout >> e; {own} -o >(cat > f); sleep 0.5"
    done = subprocess.run(["bash", "-c", lines], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    assert len({(folder / name).read_text() for name in "abcdf"}) == 1
    assert (folder / "e").read_text() == "before\n" + (folder / "a").read_text()


@pytest.mark.parametrize("length", [246, 255, 256])
def test_an_output_has_any_name_that_the_disk_takes(
    length: int, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ends = {
        ".tsv": ["sgf-to-examples", "mine.sgf"],
        ".pl": ["induce-patterns", "mine.sgf", "--objective", "rank", "--max-rules", "1"],
        ".html": ["report", "mine.sgf"],
    }
    for ending, command in ends.items():
        name = "n" * (length - len(ending)) + ending
        assert run([*command, "-q", "-o", name]) == (1 if length > 255 else 0)
        assert capfd.readouterr().err.count("\n") == (length > 255)
        assert (length > 255) or os.path.getsize(name)
    assert not [name for name in os.listdir() if name.startswith(".")]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
def test_names_that_are_no_text_are_printed(
    encoding: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    name = os.fsdecode(b"g\xff\xe9.sgf")
    Path(name).write_text(GAME)
    Path("two.pl").write_text(TWO_RULES)
    write_run(Path(os.fsdecode(b"run\xff")), [result(1, "a", "b"), result(2, "b", os.fsdecode(b"\xe9\xb6\xb4"))])
    screen = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(screen, encoding))
    assert run(["rank-moves", name, "--rules", "two.pl", "--explain"]) == 0
    assert run(["tournament", "status", os.fsdecode(b"run\xff")]) == 0
    sys.stdout.flush()
    said = screen.getvalue() + capfdbinary.readouterr().err
    assert b"to play, played" in said and b"2 of 6 games have been played" in said and b"Traceback" not in said


# ---- links ----


def test_a_link_is_written_through_in_one_step(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target = tmp_path / "there/target"
    target.write_text("old")
    target.chmod(0o640)
    (tmp_path / "link").symlink_to("there/target")
    with pytest.raises(ValueError, match="stop"), open_output(tmp_path / "link") as out:
        out.write(b"half")
        raise ValueError("stop")
    assert target.read_text() == "old"
    with open_output(tmp_path / "link") as out:
        out.write(b"new")
        assert target.read_text() == "old"
    assert (tmp_path / "link").is_symlink() and target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640 and os.listdir(tmp_path / "there") == ["target"]


def test_a_link_to_nothing_makes_the_file_and_a_circle_is_named(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("later")
    check_writable(tmp_path / "link")
    with open_output(tmp_path / "link") as out:
        out.write(b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "later").read_text() == "new"
    (tmp_path / "nowhere").symlink_to("no/folder")
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for name in ("nowhere", "a"):
        with pytest.raises(OutputError, match=f"{name}: cannot write"):
            check_writable(tmp_path / name)
        with pytest.raises(OutputError, match="cannot write"), open_output(tmp_path / name):
            pass
    assert (tmp_path / "a").is_symlink()


def test_a_library_goes_through_a_link_too(tmp_path: Path) -> None:
    (tmp_path / "r.pl").write_text("%% gotools rules 1\nrule(r1, 1, 0, 1.0).\nmove(A,B,C,D) :- stage(A,open).\n")
    (tmp_path / "there").mkdir()
    (tmp_path / "rules.so").symlink_to("there/real.so")
    assert run(["compile-patterns", "-q", str(tmp_path / "r.pl"), "-o", str(tmp_path / "rules.so")]) == 0
    assert (tmp_path / "rules.so").is_symlink() and (tmp_path / "there/real.so").read_bytes()[:4] == b"\x7fELF"


def test_devices_may_be_named_twice() -> None:
    check_outputs([Output("-o", os.devnull, RULES), Output("--metrics", os.devnull, JSON)], [os.devnull])
