"""Files of strangers: lines without end, gzip that unpacks to gigabytes, cells of thousands of digits."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.examples import read_examples

from gotools.base.errors import LONGEST_QUOTE, FileFormatError, quoted, shown
from gotools.cli import run
from gotools.files.lines import LONGEST_LINE, LongLine, unix_ends, whole_lines
from gotools.files.opening import LARGEST_FILE, LARGEST_TEXT, read_bytes, read_lines

EXAMPLES = "##gotools examples 2\nid\tto_play\tposition\tko\tlast\tlast2\tmove\tlabel\n"
ROW = "g:1\tb\t.../.X./..O\t-\tpass\tC1\tA3\t1\n"
RULES = "%% gotools rules 1\nrule(r1, 1, 0, 1.0).\nmove(A,B,C,D) :- stage(A,open).\n"
GAME = "(;GM[1]SZ[3];B[aa];W[bb])"
TOO_LONG = "a line longer than 1,048,576 bytes"

# ---- lines ----


def test_a_long_line_ends_the_reading_at_once_and_lines_before_it_are_given() -> None:
    """Two parts beyond the limit are read, not the rest: time and memory do not depend on how long the line is."""
    taken = 0

    def parts() -> Iterator[bytes]:
        nonlocal taken
        yield b"a\nb"
        for _ in range(1000):
            taken += 1
            yield b"x" * (LONGEST_LINE // 2)

    lines = whole_lines(parts())
    assert next(lines) == b"a\n"
    with pytest.raises(LongLine):
        next(lines)
    assert taken <= 3


@pytest.mark.parametrize("part", [1000, LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 7, 5 * LONGEST_LINE])
def test_the_limit_does_not_depend_on_how_text_is_cut(part: int) -> None:
    def cut(text: bytes) -> list[bytes]:
        return [text[at : at + part] for at in range(0, len(text), part)]

    text = b"short\n" + b"x" * LONGEST_LINE + b"\n\nend"
    assert b"".join(whole_lines(cut(text))) == text + b"\n"
    for end in (b"", b"\n", b"\nmore\n"):
        with pytest.raises(LongLine):
            list(whole_lines(cut(b"short\n" + b"x" * (LONGEST_LINE + 1) + end)))


def test_line_ends_of_other_systems_however_they_are_cut() -> None:
    text = b"a\r\nb\rc\n\r\nd\r"
    for part in range(1, len(text) + 1):
        assert b"".join(unix_ends(text[at : at + part] for at in range(0, len(text), part))) == b"a\nb\nc\n\nd\n"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("name", "begin", "command"),
    [
        ("e.tsv", EXAMPLES + ROW, ("induce-patterns", "FILE")),
        ("e.tsv", EXAMPLES + ROW, ("rank-moves", "FILE", "--rules", "r.pl")),
        ("r2.pl", RULES + "% ", ("compile-patterns", "FILE")),
        ("c.tsv", "##gotools clusters 2\n##game=go\n", ("gtp", "--order", "FILE")),
        ("r.jsonl", '{"black":"a","white":"b","result":"B+R"}\n{"', ("elo", "FILE")),
        ("r.csv", "black,white,result\na,b,B+R\n", ("elo", "FILE")),
        ("r.pgn", '[White "a"]\n[Black "b"]\n[Result "1-0"]\n\n1-0\n\n', ("elo", "FILE")),
        ("r.dat", "# Black: a\n# White: b\n#GAME\tRES_B\tRES_W\tRES_R\n0\tB+1\tB+1\t?\n", ("elo", "FILE")),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_long_line_is_named_with_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    name: str, begin: str, command: tuple[str, ...], packed: bool,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("r.pl").write_text(RULES)
    name += ".gz" * packed
    data = begin.encode() + b"x" * (3 * LONGEST_LINE)
    Path(name).write_bytes(gzip.compress(data) if packed else data)
    assert run([word.replace("FILE", name) for word in command]) == 1
    line = begin.count("\n") + 1
    assert capfd.readouterr().err.splitlines()[-1].startswith(f"gotools {command[0]}: {name}:{line}: {TOO_LONG}")


# ---- sizes ----


def write_bomb(path: Path, head: bytes, filling: bytes, members: int) -> None:
    """Write a small gzip file that unpacks to as many times 16 MiB."""
    member = gzip.compress(filling * ((1 << 24) // len(filling)))
    path.write_bytes(gzip.compress(head) + member * members)
    assert path.stat().st_size < 1 << 23


@pytest.mark.system
@pytest.mark.parametrize(
    ("command", "head", "filling", "what"),
    [
        pytest.param(("induce-patterns", "BOMB.tsv.gz"), EXAMPLES.encode(), b"x", TOO_LONG, marks=pytest.mark.smoke),
        (("induce-patterns", "BOMB.tsv.gz"), b"", b"##\n", "a header of more than 1,000 lines"),
        (("induce-patterns", "BOMB.tsv.gz"), EXAMPLES.encode(), b"\n", "no rows"),
        (("sgf-to-examples", "BOMB.sgf.gz"), GAME.encode(), b" ", "more than 256 MiB"),
        (("sgf-to-examples", "BOMB.sgf.gz"), b"(;GM[1]C[", b"x", "more than 256 MiB"),
        (("compile-patterns", "BOMB.pl.gz"), RULES.encode(), b"%\n", "more than 32 MiB"),
        (("gtp", "--order", "BOMB.tsv.gz"), b"##gotools clusters 2\n", b"\n", "more than 32 MiB"),
        (("rank-moves", "g.sgf", "--eval", "BOMB.npz.gz"), b"PK", b"\0", "more than 256 MiB"),
        (("elo", "BOMB.jsonl.gz"), b'{"black":"', b"x", TOO_LONG),
    ],
)
def test_what_unpacks_to_gigabytes_is_refused_in_bounded_memory(
    tmp_path: Path, command: tuple[str, ...], head: bytes, filling: bytes, what: str
) -> None:
    (tmp_path / "g.sgf").write_text(GAME)
    name = next(word for word in command if word.startswith("BOMB"))
    write_bomb(tmp_path / name, head, filling, 16 if what == "no rows" else 128)
    line = f"ulimit -v 3000000; exec {sys.executable} -m gotools {' '.join(command)}"
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and done.stdout == "" and "Traceback" not in done.stderr
    assert what in done.stderr and name in done.stderr


def test_sizes_are_bounded_packed_and_plain(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for data, fits in ((b"x" * 2000, True), (b"x" * 2001, False), (gzip.compress(b"x" * 2000) * 1, True)):
        path.write_bytes(data)
        if fits:
            assert read_bytes(path, 2000) == b"x" * 2000
        else:
            with pytest.raises(FileFormatError, match="the most that such a file may hold"):
                read_bytes(path, 2000)
    path.write_bytes(gzip.compress(b"x" * 1000) + gzip.compress(b"y" * 1000))
    assert read_bytes(path, 2000) == b"x" * 1000 + b"y" * 1000
    path.write_bytes(gzip.compress(b"x" * 1000) + gzip.compress(b"y" * 1001))
    with pytest.raises(FileFormatError, match="the most"):
        read_bytes(path, 2000)
    path.write_bytes(b"a\n" * (LARGEST_TEXT // 2 + 1))
    with pytest.raises(FileFormatError, match="more than 32 MiB"):
        read_lines(path)
    assert LARGEST_TEXT < LARGEST_FILE


# ---- quotations ----


def test_what_is_quoted_is_cut_and_cannot_move_the_cursor() -> None:
    assert shown("plain") == "plain" and quoted(b"\xff") == "'\ufffd'"
    assert shown("x" * 5000) == "x" * LONGEST_QUOTE + "..."
    assert shown("a\x1b[2J\r\n\tb\u202e\x00") == "a\\x1b[2J\\r\\n\\tb\\u202e\\x00"
    assert str(FileFormatError("a\nb\x1b.tsv", 3, "what")) == "a\\nb\\x1b.tsv:3: what"


LONG = "5" * 5000
CONTROLS = "\x1b[2J\x07" * 50
CLAUSE = "%% gotools rules 1\nrule(r1, 1, 0, 1.0).\nmove(A,B,C,D) :- "
ENGINES = "[[engine]]\nname='a'\ncommand='x'\n[[engine]]\nname='b'\ncommand='y'\n"
COMPILE, MATCH = ("compile-patterns", "FILE"), ("tournament", "--config", "FILE", "-o", "run")
OPTIONS = {
    "sgf-to-examples g.sgf": ("--negatives {}", "--rank-above {}", "--size {}"),
    "induce-patterns g.sgf": ("--without {}", "--positives {}", "--noise {}"),
    "elo r.csv": ("--anchor {}", "--compare {} a", "--method {}"),
    "order-bench g.sgf": ("--order {}+{}+{}",),
    "rank-moves g.sgf --rules r.pl": ("--digest {}",),
    "train-eval -o w.npz": ("--network {}", "--alpha {}", "--opponent {}", "--features {}", "--program {}"),
    "tournament -o run --engine a=x --engine b=y": ("--time {}", "--sprt {}", "--shard {}/2", "--openings {}"),
}
BROKEN = {
    "another game": (EXAMPLES.replace("\n", "\n##game={}\n", 1), "e.tsv", ("induce-patterns", "FILE")),
    "another kind": ("##gotools {} 1\n", "e.tsv", ("induce-patterns", "FILE")),
    "a predicate": (CLAUSE + "p{}(A).\n", "r.pl", COMPILE),
    "a number": (CLAUSE + "line(A,C,D,{}).\n", "r.pl", COMPILE),
    "a variable": (CLAUSE + "stage(V{},open).\n", "r.pl", COMPILE),
    "a fact": ("%% gotools rules 1\n{}\n", "r.pl", ("compile-patterns", "FILE")),
    "a kind of rules": ("%% gotools {} 1\n", "r.pl", ("compile-patterns", "FILE")),
    "a metric": ("##gotools clusters 2\n##game=go\n##metric={}\nstage\tkind\n", "c.tsv", ("gtp", "--order", "FILE")),
    "a game of clusters": ("##gotools clusters 2\n##game={}\nstage\tkind\n", "c.tsv", ("gtp", "--order", "FILE")),
    "a point": ("(;GM[1]SZ[9];B[{}])", "g.sgf", ("sgf-to-examples", "FILE")),
    "a size": ("(;GM[1]SZ[{}];B[aa])", "g.sgf", ("sgf-to-examples", "FILE")),
    "a setting": ("{} = 1\n", "m.toml", MATCH),
    "a value": ("games = '{}'\n" + ENGINES, "m.toml", MATCH),
    "a large number": ("games = {}\n" + ENGINES, "m.toml", MATCH),
    "a result": ('{{"black":"a","white":"b","result":"{}"}}\n', "r.jsonl", ("elo", "FILE")),
}  # fmt: skip


@pytest.mark.parametrize("text", [LONG, CONTROLS], ids=["long", "controls"])
def test_an_error_does_not_echo_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, (content, file, command) in BROKEN.items():
        Path(file).write_text(content.format(text))
        assert run([word.replace("FILE", file) for word in command]) in (1, 2), name
        assert_short(capfd.readouterr().err, name)
        Path(file).unlink()


@pytest.mark.parametrize("text", [LONG, CONTROLS], ids=["long", "controls"])
def test_an_error_does_not_echo_an_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in {"g.sgf": GAME, "r.csv": "black,white,result\na,b,B+R\n", "r.pl": RULES}.items():
        Path(name).write_text(content)
    for command in (f"{name} {option}" for name, options in OPTIONS.items() for option in options):
        assert run(command.format(*[text] * 3).split(" ")) in (1, 2), command
        assert_short(capfd.readouterr().err, command)


def assert_short(error: str, name: str) -> None:
    """An error is some lines, none of them long, without a character that a terminal obeys."""
    assert error and "Traceback" not in error and len(error) < 1500, name
    assert all(line.isprintable() and line.count("5") < 600 for line in error.splitlines()), name
    assert "5" * 501 not in error, name


# ---- records that one side writes and the other reads ----


def test_names_cannot_forge_rows_of_examples(tmp_path: Path) -> None:
    name = "x\tb\t...\n##gotools examples 2\nid\u2028y\x85z\x1c#\"'.sgf"
    (tmp_path / name).write_text(GAME)
    assert run(["sgf-to-examples", "-q", str(tmp_path), "-o", str(tmp_path / "e.tsv")]) == 0
    assert len(read_examples([tmp_path / "e.tsv"])) == 2
    rows = (tmp_path / "e.tsv").read_bytes().split(b"\n")[3:-1]
    assert [len(row.split(b"\t")) for row in rows] == [9, 9]
    assert not any(mark in row for row in rows for mark in (b"#", b'"', b"\x1c"))


def test_ids_and_names_cannot_forge_other_tables(tmp_path: Path) -> None:
    """An id of a table, the names of files, and of players, stand in tables that are read back or by others."""
    from gotools.games.go.go import GO
    from gotools.values.clusters.clusters_file import load_clusters

    strange = 'a\u2028b\x85c\x1cd"e#f'
    board = "........./........./........./........./....X..../........./........./........./........."
    rows = "".join(
        f"{strange}:{n}\tb\t{board}\t-\tE5\t-\t{'ABCDFGHJ'[n % 8]}{1 + n // 8}\t{n % 2}\n" for n in range(16)
    )
    (tmp_path / "e.tsv").write_text(EXAMPLES + rows)
    assert run(["cluster-moves", "-q", "--k", "2", str(tmp_path / "e.tsv"), "-o", str(tmp_path / "c#1.tsv")]) == 0
    clusters = load_clusters(tmp_path / "c#1.tsv", GO)
    assert len(clusters.centres) == 4 and '"e#f' in clusters.centres[0].typical
    command = ["order-bench", "-q", "--positions", "1", "--depth", "1", str(tmp_path / "e.tsv")]
    assert run([*command, "--order", str(tmp_path / "c#1.tsv"), "-o", str(tmp_path / "o.tsv")]) == 0
    lines = (tmp_path / "o.tsv").read_text().split("\n")
    assert [len(line.split("\t")) for line in lines if line and not line.startswith("##")] == [7] * 5
    (tmp_path / "r.jsonl").write_text(json.dumps({"black": "p\t1\t2\n##x=y", "white": "q\rz", "result": "B+R"}) + "\n")
    assert run(["elo", "-q", str(tmp_path / "r.jsonl"), "-o", str(tmp_path / "r.tsv")]) == 0
    lines = (tmp_path / "r.tsv").read_bytes().replace(b"\r", b"\n").decode().split("\n")
    assert [len(line.split("\t")) for line in lines if line and not line.startswith("##")] == [11] * 3


def test_options_cannot_forge_header_lines(tmp_path: Path) -> None:
    from gotools.files.tables import header, read_header

    text = header("training-log", 2, {"opponent": "x\n##gotools rules 1\ngames\t1"}, ["games"]).decode()
    assert text.count("\n") == 3
    assert read_header(text.split("\n"), "training-log", 2)[0]["opponent"] == "x\\n##gotools rules 1\\ngames\\t1"
