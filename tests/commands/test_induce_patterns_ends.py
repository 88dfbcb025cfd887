"""What people see of the command: tables, a bar while they wait, what Ctrl-C leaves, what is wrong with the input."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support import forked
from support.induce_runs import COMMAND, GAMES, TEST_GAME, bare, induce, make_table, rules_in
from support.needs import SHARED, needs_shared
from support.written_json import read_json

from gotools.rules import study

ROBUST = SHARED / "sgf-robustness"
COLOUR = re.compile(r"\x1b\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7])(;[0-9;]*)?m")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_table(tmp_path_factory.mktemp("table") / "examples.tsv")


# ---- what people see ----


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_tables_fit_the_terminal(
    table: Path, columns: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert induce(table, "--nodes", "200", "--test", TEST_GAME, "-o", os.devnull) == 0
    lines = capfd.readouterr().err.splitlines()
    tables = lines[3:-1]  # the lines of words before and behind are whole, for grep
    assert max(map(len, tables)) <= max(columns, 76)  # the accuracy table is never cut
    text = " ".join(" ".join(tables).split())
    assert "in words" in text and "near last move" in text and "top-20" in text
    assert ("pos_gen(E)" in text) == (columns == 200)  # clauses only where there is room for them
    assert re.fullmatch(
        r"\d+ rules? from \d+ seeds, [\d,]+ clauses searched in [\d.]+ s(; \d+ moves without a rule)?", lines[-1]
    )


def test_how_many_rules_are_shown(table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shown = {}
    for many in (0, 2, 500):
        assert induce(table, "--nodes", "200", "--noise", "9", "--show", str(many)) == 0
        done = capfd.readouterr()
        shown[many] = len(re.findall(r"^ +r\d+ ", done.err, re.MULTILINE))
        assert ("more rules not shown" in done.err) == (many == 2)
        rules = rules_in(done.out.encode()).rules
    assert shown == {0: 0, 2: 2, 500: len(rules)}
    best = sorted(rules, key=lambda rule: rule.negatives - rule.positives)
    assert f" {best[0].id} " in done.err.partition(f" {best[1].id} ")[0]


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Both ends of a pseudo-terminal: ours, and the one for a program."""
    ours, theirs = pty.openpty()
    yield ours, theirs
    for end in (ours, theirs):
        os.close(end)


def seen(ours: int, until: str, seconds: float = 60) -> str:
    """Read a terminal until a pattern shows up."""
    text, end = "", time.monotonic() + seconds
    while not re.search(until, text) and time.monotonic() < end:
        if select.select([ours], [], [], 0.2)[0]:
            text += os.read(ours, 65536).decode(errors="replace")
    return text


@contextmanager
def on_terminal(theirs: int, *arguments: str | Path, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "150", **variables}
    command = [*COMMAND, *map(str, arguments)]
    with forked.Popen(command, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs, env=environment) as process:
        yield process
        process.kill()


LONG = ("--positives", "all", "--nodes", "20000", "--noise", "5")
"""Minutes of search, with a rule every fraction of a second."""


@pytest.mark.system
@pytest.mark.parametrize("variables", [{}, {"NO_COLOR": "1"}])
def test_ctrl_c_at_a_terminal_keeps_the_rules(
    tmp_path: Path, terminal: tuple[int, int], variables: dict[str, str]
) -> None:
    """The bar shows rules so far, share covered, best clause; then Ctrl-C writes what is found, and says so."""
    out, numbers = tmp_path / "r.pl", tmp_path / "m.json"
    ours, theirs = terminal
    wanted = r"\d+ rules, \d+% covered; best: P \d+ N \d+ [a-z_]+\("
    options = (*LONG, "-o", out, "--metrics", numbers, "--test", TEST_GAME)
    with on_terminal(theirs, *GAMES, *options, **variables) as process:
        shown = seen(ours, wanted)
        process.send_signal(signal.SIGINT)
        end = seen(ours, r"found so far are in")
        assert process.wait(60) == 130
    assert re.search(wanted, shown), shown
    assert "moves" in shown and bool(COLOUR.search(shown)) == (not variables)
    rules = rules_in(out).rules
    said = f"interrupted; the {len(rules)} rules found so far are in {out}"
    assert said.replace(" ", "") in "".join(end.split()), end  # a terminal breaks long lines anywhere
    assert rules and "Traceback" not in end and "top-20" in end
    metrics = read_json(numbers.read_text())
    assert metrics["interrupted"] is True and metrics["rules"] == len(rules) and metrics["test"]["positions"] > 0
    assert sorted(os.listdir(tmp_path)) == ["m.json", "r.pl"]


# ---- Ctrl-C ----


@pytest.mark.smoke
@pytest.mark.system
def test_ctrl_c_while_loading_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "r.pl").write_text("as it was")
    os.mkfifo(tmp_path / "more.sgf")
    command = [*COMMAND, str(GAMES[0]), str(tmp_path / "more.sgf"), "-o", str(tmp_path / "r.pl"), "--metrics",
               str(tmp_path / "m.json")]  # fmt: skip
    with (
        forked.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process,
        open(tmp_path / "more.sgf", "wb"),  # waits until the command has come to the second file
    ):
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and out == b"" and errors == b"gotools induce-patterns: interrupted\n"
    assert sorted(os.listdir(tmp_path)) == ["more.sgf", "r.pl"] and (tmp_path / "r.pl").read_text() == "as it was"


def stop_after(monkeypatch: pytest.MonkeyPatch, seeds: int) -> None:
    """Make Ctrl-C come after so many seeds."""
    whole = getattr(study, "induce")  # noqa: B009

    def cut_short(*given: Any) -> Iterator[Any]:
        if seeds == 0:
            raise KeyboardInterrupt
        for number, found in enumerate(whole(*given), 1):
            if number == seeds:  # the seed at hand is finished first
                signal.raise_signal(signal.SIGINT)
            yield found

    monkeypatch.setattr(study, "induce", cut_short)


@pytest.mark.system
def test_ctrl_c_keeps_the_rules_found_until_then(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert induce(table, "-q", "--nodes", "200", "--noise", "9") == 0
    whole = rules_in(capfdbinary.readouterr().out)
    stop_after(monkeypatch, 4)
    assert induce(table, "-q", "--nodes", "200", "--noise", "9", "--metrics", tmp_path / "m.json") == 130
    done = capfdbinary.readouterr()
    part = rules_in(done.out)
    assert 0 < len(part.rules) <= 4 and bare(part) == bare(whole)[: len(part.rules)]
    assert done.err.decode() == (
        f"gotools induce-patterns: interrupted; the {len(part.rules)} rules found so far are in stdout\n"
    )
    numbers = read_json((tmp_path / "m.json").read_text())
    assert numbers["interrupted"] is True and numbers["seeds"] == 4


@pytest.mark.system
def test_ctrl_c_before_the_first_rule_leaves_the_old_rules(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.pl").write_text("as it was")
    stop_after(monkeypatch, 0)
    assert induce(table, "-q", "--nodes", "200", "-o", tmp_path / "r.pl", "--metrics", tmp_path / "m.json") == 130
    assert capfd.readouterr().err == "gotools induce-patterns: interrupted; no rule was found yet; nothing is written\n"
    assert os.listdir(tmp_path) == ["r.pl"] and (tmp_path / "r.pl").read_text() == "as it was"


@pytest.mark.system
@pytest.mark.parametrize("where", ["_counted", "_weigh", "scale_choices"])
def test_a_late_ctrl_c_loses_no_rule(
    where: str, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    options = ("-q", "--nodes", "100", "--test", TEST_GAME, "--metrics", tmp_path / "m.json", "-o", tmp_path / "r.pl")
    assert induce(table, *options) == 0
    whole = (tmp_path / "r.pl").read_bytes()
    (tmp_path / "r.pl").unlink()
    meant = getattr(study, where)

    def interrupted(*given: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return meant(*given)

    monkeypatch.setattr(study, where, interrupted)
    assert induce(table, *options) == 130
    assert (tmp_path / "r.pl").read_bytes() == whole
    assert f"rules found so far are in {tmp_path / 'r.pl'}" in capfd.readouterr().err
    numbers = read_json((tmp_path / "m.json").read_text())
    assert numbers["interrupted"] is True and ("test" in numbers) == (where != "scale_choices")


# ---- what is wrong ----

TEXTS = {
    "a.sgf": "(;SZ[5];B[cc];W[bb];B[cb];W[bc];B[bd];W[ab])",
    "illegal.sgf": "(;SZ[5];B[bd];W[cc];B[bd])",
    "empty.sgf": "",
    "empty.tsv": "",
    "hello.sgf": "Hello, this is no game.",
    "hello.txt": "Hello, this is no game.",
    "negatives.tsv": "##gotools examples 1\n#to_play\tposition\tmove\tlabel\nb\t.../.../...\tA1\t0\n",
    "positives.tsv": "##gotools examples 1\n#to_play\tposition\tmove\nb\t.../.../...\tA1\nw\t.../X../...\tB2\n",
    "broken.tsv": "##gotools examples 1\n#to_play\tposition\tmove\nb\t.../.../...\tA1\nb\t.../...\tA1\n",
    "other.tsv": "##gotools clusters 1\n#id\n",
    "newer.tsv": "##gotools examples 9\n#to_play\tposition\tmove\n",
    "none.tsv": "##gotools examples 1\n#to_play\tposition\tmove\n",
    "passed.tsv": "##gotools examples 1\n#to_play\tposition\tmove\nb\t.../.../...\tpass\n",
    "folder/readme.txt": "no games",
    "modes.pl": ":- modeb(1, stage(+board, #stage)).\n:- halt.\n",
}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["none.sgf"], 1, "gotools induce-patterns: none.sgf: no such file or folder"),
        (["none*.sgf"], 1, "none*.sgf: no such file"),
        (["folder"], 1, "folder: no .sgf or .tsv file in this folder"),
        (["empty.sgf"], 1, "empty.sgf: no examples: no game could be read"),
        (["empty.tsv"], 1, "empty.tsv: an empty file; expected examples or game records"),
        (["hello.sgf"], 1, "hello.sgf: no examples: no game could be read"),
        (["hello.txt"], 1, "hello.txt: no examples: no game could be read"),
        (["a.sgf", "--size", "9"], 1, "no game of the size and result wanted (games read: 1 of 5x5)"),
        (["positives.tsv", "--size", "9"], 1, "positives.tsv: no row of size 9; there is 3"),
        (["a.sgf", "--rank-above", "1d"], 1, "no move of the players wanted"),
        (["negatives.tsv"], 1, "no examples: every row is a counter-example (label 0)"),
        (["negatives.tsv", "--negatives", "unplayed=3,suicide=3"], 1, "no examples: every row is a counter-example"),
        (["a.sgf", "--negatives", "unplayed=0"], 1, "no counter-examples; make some with --negatives"),
        (["a.sgf", "--negatives", "weak=5"], 1, "no counter-examples; make some with --negatives"),
        (["broken.tsv"], 1, "broken.tsv:4: position is not rows of"),
        (["other.tsv"], 1, "other.tsv: a file of clusters; expected examples or game records"),
        (["newer.tsv"], 1, "newer.tsv:1: examples of version 9"),
        (["none.tsv"], 1, "none.tsv"),
        (["passed.tsv"], 1, "passed.tsv:3: move is not a point"),
        (["a.sgf", "illegal.sgf", "--strict"], 1, "illegal.sgf: move 3 (B B2): occupied"),
        (["a.sgf", "--test", "folder"], 1, "folder: no .sgf or .tsv file in this folder"),
        (["a.sgf", "--test", "negatives.tsv"], 1, "--test: no move to measure on"),
        (["a.sgf", "--test", "hello.sgf"], 1, "hello.sgf: no examples: no game"),
        (["a.sgf", "-o", "none/r.pl"], 1, "none/r.pl: cannot write: No such file or directory"),
        (["a.sgf", "-o", "folder"], 1, "folder: cannot write: Is a directory"),
        (["a.sgf", "-o", "r.pl", "--metrics", "none/m.json"], 1, "none/m.json: cannot write: No such file"),
        (["a.sgf", "-o", "a.sgf/r.pl"], 1, "a.sgf/r.pl: cannot write: Not a directory"),
        (["a.sgf", "--background", "none.pl"], 1, "none.pl: No such file"),
        (["a.sgf", "--negatives", "random=3", "--engine", "no-such-engine"], 1, "no-such-engine` is not installed"),
        (["a.sgf", "--size", "1"], 2, "--size"),
        (["a.sgf", "--positives", "0"], 2, "neither a number from 1 nor `all`"),
        (["a.sgf", "--positives", "many"], 2, "neither a number from 1 nor `all`"),
        (["a.sgf", "--noise", "some"], 2, "neither a number nor a share such as 15%"),
        (["a.sgf", "--noise", "99999999999999999999"], 2, "neither a number nor a share"),
        (["a.sgf", "--noise", "-1"], 2, "--noise"),
        (["a.sgf", "--nodes", "0"], 2, "--nodes"),
        (["a.sgf", "--min-body", "0"], 2, "--min-body"),
        (["a.sgf", "--min-body", "6", "--max-body", "5"], 2, "--min-body: is more than --max-body"),
        (["a.sgf", "--max-body", "17"], 2, "--max-body"),
        (["a.sgf", "--depth", "0"], 2, "--depth"),
        (["a.sgf", "--score", "guess"], 2, "--score"),
        (["a.sgf", "--search", "deep"], 2, "--search"),
        (["a.sgf", "--modes", "none.pl"], 1, "none.pl: No such file"),
        (["a.sgf", "--modes", "broken.tsv"], 1, "broken.tsv: a file of examples; expected modes in Prolog"),
        (["a.sgf", "--modes", "modes.pl", "--vocabulary", "full"], 2, "--vocabulary"),
        (["a.sgf", "--modes", "modes.pl"], 1, "modes.pl:2: `halt` declares nothing here; there are modeb, modeh"),
        (["a.sgf", "--modes", "modes.pl", "--objective", "rank"], 2, "--modes"),
        (["a.sgf", "--beam-width", "0"], 2, "--beam-width"),
        (["a.sgf", "--vocabulary", "huge"], 2, "--vocabulary"),
        (["a.sgf", "--without", "libertys"], 2, "`libertys` is not a predicate of the vocabulary"),
        (["a.sgf", "--without", "atari", "--vocabulary", "basic"], 2, "`atari` is not a predicate"),
        (["a.sgf", "--negatives", "guess=3"], 2, "not a source of counter-examples"),
        (["a.sgf", "--negatives", "random=x"], 2, "random=100"),
        (["a.sgf", "--negatives", "weak=1,weak=2"], 2, "twice"),
        (["a.sgf", "--rank-above", "high"], 2, "not a rank"),
        (["a.sgf", "--negatives", "weak", "--weak-below", "low"], 2, "not a rank"),
        (["a.sgf", "--engine", "x"], 2, "--engine"),
        (["a.sgf", "--seed", "-1"], 2, "--seed"),
        (["a.sgf", "--show", "-1"], 2, "--show"),
        (["-", "--test", "-"], 2, "stdin is read for PATH already"),
        (["a.sgf", "-o", "r.pl", "--metrics", "r.pl"], 2, "--metrics"),
        (["a.sgf", "-o", "r.pl", "--metrics", "./r.pl"], 2, "--metrics"),
        (["a.sgf", "--metrics", "-"], 2, "--metrics"),
        (["a.sgf", "--nonsense"], 2, "--nonsense"),
    ],
)
def test_wrong_input_is_one_line_and_nothing_is_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    (tmp_path / "folder").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    output = [] if "-o" in arguments or "--metrics" in arguments else ["-o", "r.pl"]
    assert induce(*arguments, *output, "--nodes", *(["9"] if "--nodes" not in arguments else ["0"])) == code
    done = capfd.readouterr()
    assert message in done.err and "Traceback" not in done.err and done.out == ""
    assert done.err.splitlines()[-1].startswith("gotools induce-patterns: ")
    assert sorted(os.listdir(tmp_path)) == sorted({name.partition("/")[0] for name in TEXTS})


def test_empty_stdin_and_a_terminal_for_stdin(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], terminal: tuple[int, int]
) -> None:
    for arguments in ((), ("-",)):
        done = forked.run([*COMMAND, *arguments], input=b"", capture_output=True, timeout=60)
        assert done.returncode == 1 and done.stdout == b"" and b"stdin: an empty file" in done.stderr
    with os.fdopen(os.dup(terminal[1])) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert induce() == 2
    assert "stdin" in capfd.readouterr().err
    monkeypatch.setattr("sys.stdin", None)
    assert induce("-") == 1
    assert capfd.readouterr().err == "gotools induce-patterns: stdin: is closed\n"


def test_an_unreadable_file_is_reported_and_skipped(capfd: pytest.CaptureFixture[str]) -> None:
    assert induce(GAMES[0], "/proc/self/mem", "-q", "--nodes", "20") == 0
    assert capfd.readouterr().err.startswith("/proc/self/mem: ")
    assert induce("/proc/self/mem") == 1
    assert "/proc/self/mem: no examples" in capfd.readouterr().err


def test_a_full_disk_is_reported() -> None:
    command = [*COMMAND, "-q", "--nodes", "20", str(GAMES[0])]
    with open("/dev/full", "wb") as full:
        done = forked.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1
    assert done.stderr == b"gotools induce-patterns: cannot write: No space left on device\n"


def test_broken_games_do_not_stop_the_others(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("a.sgf", "illegal.sgf", "empty.sgf", "hello.sgf"):
        (tmp_path / name).write_text(TEXTS[name])
    assert induce(tmp_path, "-q", "--nodes", "20") == 0
    done = capfd.readouterr()
    assert [line.partition(".sgf")[0] for line in done.err.splitlines()] == [
        str(tmp_path / name) for name in ("empty", "hello", "illegal")
    ]
    assert rules_in(done.out.encode()).header["positives"] == "8"


@needs_shared
@pytest.mark.parametrize("folder", sorted(p.name for p in ROBUST.iterdir()) if ROBUST.exists() else [])
def test_bad_files_beside_a_good_game(folder: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert induce(*GAMES[:2], ROBUST / folder, "--positives", "60", "--nodes", "30", "--show", "0") == 0
    done = capfd.readouterr()
    assert "Traceback" not in done.err and "60 of " in done.err
    assert rules_in(done.out.encode()).header["positives"] == "60"
    problems = [line for line in done.err.splitlines() if line.startswith(str(ROBUST))]
    assert all(": " in line for line in problems)
