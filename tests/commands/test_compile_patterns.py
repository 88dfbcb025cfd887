"""`gotools compile-patterns`: the same C for the same rules, a library by any compiler, or one plain error."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from support import forked
from support.clauses import every_kind
from support.induce_runs import TEST_GAME

from gotools.cli import run
from gotools.games.go.vocabulary import VOCABULARIES
from gotools.rules.clauses.rules import MAX_BODY, RuleSet, write_rules
from gotools.rules.compiled.c_source import MOST_RULES, header_text
from gotools.rules.compiled.native import load_native

ROOT = Path(__file__).parents[2]
COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), "")
STRICT = ["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O0"]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No compiler but the system's."""
    monkeypatch.delenv("CC", raising=False)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A file of some 50 rules."""
    with open(tmp_path / "rules.pl", "w") as out:
        write_rules(out, some_rules())
    return tmp_path / "rules.pl"


@cache
def some_rules() -> RuleSet:
    return RuleSet(every_kind().rules[::6])


def compile_patterns(*arguments: str | Path) -> int:
    return run(["compile-patterns", *map(str, arguments)])


def source_of(path: Path) -> str:
    assert compile_patterns(path, "-q", "-o", path.with_suffix(".c")) == 0
    return path.with_suffix(".c").read_text()


def compiles(text: str, *flags: str, compiler: str = COMPILER) -> None:
    """Assert that a compiler takes some C without a word."""
    command = [compiler, *(flags or (*STRICT, "-fsyntax-only")), "-x", "c", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


# ---- C ----


@pytest.mark.system
def test_the_same_rules_give_the_same_bytes_in_any_process(rules: Path) -> None:
    source = source_of(rules)
    assert source_of(rules) == source
    for seed, arguments in (("1", ["-"]), ("2", [])):
        done = subprocess.run(
            [sys.executable, "-m", "gotools", "compile-patterns", "-q", *arguments],
            input=rules.read_bytes(),
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert (done.returncode, done.stderr, done.stdout.decode()) == (0, b"", source)


def test_without_a_file_the_c_goes_to_stdout(rules: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    source = source_of(rules)
    for more in ([], ["-o", "-"]):
        assert compile_patterns(rules, "-q", *more) == 0
        assert capfdbinary.readouterr() == (source.encode(), b"")


def test_the_c_names_its_digest_and_nothing_of_the_machine(rules: Path) -> None:
    source = source_of(rules)
    assert f"digest {some_rules().digest}" in source[:400] and f"digest={some_rules().digest}" in source
    for path in (rules, rules.parent, ROOT, Path.home(), Path(sys.prefix), Path.cwd()):
        assert len(str(path)) < 3 or str(path) not in source
    assert re.findall('#include "', source) == []
    assert {*re.findall("#include <(.*)>", source)} <= {"math.h", "stdint.h", "stdlib.h", "string.h"}


def test_only_what_scores_alike_has_one_digest(rules: Path) -> None:
    def digest(text: str) -> str:
        rules.write_text(text)
        return source_of(rules).partition("digest ")[2][:64]

    text = rules.read_text()
    assert digest(text.replace("\nrule(", "\n% a comment\n\nrule(")) == some_rules().digest
    assert digest(text.replace("rule(r1, 0, 0,", "rule(r1, 7, 8,")) == some_rules().digest
    assert digest(text.replace("rule(r1, 0, 0,", "rule(q1, 0, 0,")) != some_rules().digest
    assert digest(re.sub(r"rule\(r1, 0, 0, [^)]*\)", "rule(r1, 0, 0, 0.25)", text)) != some_rules().digest


@pytest.mark.system
def test_compilers_have_nothing_to_say_about_the_c(rules: Path) -> None:
    compiles(source_of(rules), *STRICT, "-O2", "-S", "-o", os.devnull)
    for other in filter(None, map(shutil.which, ("gcc", "clang"))):
        compiles(source_of(rules), *STRICT, "-fsyntax-only", compiler=other)


@pytest.mark.parametrize("name", ["no rule", *VOCABULARIES["full"][1:]])
def test_nor_about_the_c_of_a_single_rule(name: str, rules: Path) -> None:
    alone = [rule for rule in every_kind().rules if rule.body[-1].predicate == name]
    with open(rules, "w") as out:
        write_rules(out, RuleSet(tuple(alone[:1])))
    compiles(source_of(rules))


PROGRAM = """
#include <stdio.h>
#include "gotools_rules.h"
int main(void) {
    uint8_t board[81] = {0}, hits[81 * 999];
    double score[81];
    gotools_position position = {board, 9, 1, GOTOOLS_NONE, GOTOOLS_PASS, GOTOOLS_NONE};
    int32_t legal = gotools_rules_hits(&position, score, hits);
    if (gotools_rules_abi() != GOTOOLS_RULES_ABI || gotools_rules_score(&position, score) != legal) return 1;
    printf("%d %d %s %s\\n", (int)legal, (int)gotools_rules_count(), gotools_rules_digest(), gotools_rules_id(0));
    return 0;
}
"""


@pytest.mark.parametrize(("language", "compiler"), [("c", COMPILER), ("c++", shutil.which("g++"))])
@pytest.mark.system
def test_programs_in_c_and_cpp_use_the_header(rules: Path, language: str, compiler: str | None) -> None:
    folder = rules.parent
    if compiler is None:
        pytest.skip("g++ is not installed")
    assert compile_patterns(rules, "-q", "-o", folder / "rules.c", "--header", folder / "gotools_rules.h") == 0
    assert (folder / "gotools_rules.h").read_text() == header_text()
    assert header_text() in (folder / "rules.c").read_text()
    (folder / "main.c").write_text(PROGRAM)
    subprocess.run([COMPILER, "-std=gnu99", "-O0", "-c", "rules.c"], cwd=folder, check=True)
    flags = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-x", language, "main.c", "-x", "none", "rules.o"]
    subprocess.run([compiler, *flags, "-o", "main"], cwd=folder, check=True)
    done = subprocess.run([folder / "main"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["81", str(len(some_rules().rules)), some_rules().digest, some_rules().rules[0].id]


# ---- a library ----


def test_a_library_scores_as_its_rules_do(rules: Path) -> None:
    library = rules.with_suffix(".so")
    assert compile_patterns(rules, "-q", "-o", library) == 0
    assert load_native(library, some_rules().digest).rules.rules == some_rules().rules
    tables = []
    for path in (rules, library):
        out = path.with_suffix(f"{path.suffix}.tsv")
        assert run(["rank-moves", "-q", str(TEST_GAME), "--rules", str(path), "-o", str(out)]) == 0
        tables.append([line for line in out.read_text().splitlines() if not line.startswith("##")])
    assert len(tables[0]) > 500 and tables[0] == tables[1]


def test_a_library_takes_the_place_of_an_older_one_at_once(rules: Path) -> None:
    library = rules.with_suffix(".so")
    library.write_bytes(b"older")
    opened = library.open("rb")  # as a program that has loaded it
    assert compile_patterns(rules, "-q", "-o", library) == 0
    assert opened.read() == b"older"
    assert load_native(library).digest == some_rules().digest
    assert {*os.listdir(rules.parent)} == {"rules.pl", "rules.so"}
    opened.close()


def test_what_is_printed_on_stderr(rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("out.c", "out.so"):
        assert compile_patterns(rules, "-o", rules.parent / name) == 0
        expected = rf"{len(some_rules().rules)} rules, digest {some_rules().digest[:12]}, \d+\.\d s\n"
        done = capfd.readouterr()
        assert done.out == "" and re.fullmatch(expected, done.err)
        assert compile_patterns(rules, "-o", rules.parent / name, "--quiet") == 0
        assert capfd.readouterr() == ("", "")
    rules.write_text(GOOD)
    assert compile_patterns(rules, "-o", os.devnull) == 0
    assert capfd.readouterr().err.startswith("1 rule, ")


# ---- what is no file of rules ----

START = "%% gotools rules 1\n"
CLAUSE = "move(A,B,C,D) :- {}.\n"
FACT = "rule(r1, 12, 3, 0.5).\n"
GOOD = START + FACT + CLAUSE.format("stage(A,open)")
AT = "pos_gen(E), block_on_pos(A,C,D,F,{},{},E)"


def body(text: str) -> str:
    return START + FACT + CLAUSE.format(text)


def fact(text: str) -> str:
    return START + text + "\n" + CLAUSE.format("stage(A,open)")


BAD: dict[str, tuple[str | bytes, str]] = {
    "another file": ("#include <stdio.h>\n", ": C source; expected rules"),
    "an empty file": ("", ": an empty file; expected rules"),
    "binary": (bytes(range(256)), ": a binary file; expected rules"),
    "a newer version": ("%% gotools rules 2\n", ":1: rules of version 2; this program reads up to 1"),
    "unknown predicate": (body("system(A)"), ":3: unknown predicate 'system'"),
    "own predicate": (body("near_last(A,C,D,near)"), ":3: unknown predicate 'near_last'"),
    "arity": (body("stage(A)"), ":3: stage takes 2 plain arguments"),
    "offset": (body(AT.format(4, 0)), ":3: block_on_pos(A,C,D,F,4,0,E): expected a number from -3 to 3, found 4"),
    "the point": (body(AT.format(0, 0)), ":3: block_on_pos(A,C,D,F,0,0,E): the offset 0,0 is the point itself"),
    "unbound": (body("stone_cnt(A,E,1)"), ":3: stone_cnt(A,E,1): E is used before it is bound"),
    "interval": (body("line(A,C,D,E), range(E,1,9)"), ":3: range(E,1,9): an interval is one of 1-2, "),
    "large number": (body("line(A,C,D,99999999999999999999)"), ":3: number 99999999999999999999 is out of range"),
    "number": (body("line(A,C,D,10000)"), ":3: number 10000 is out of range"),
    "count": (body("line(A,C,D,9999)"), ":3: line(A,C,D,9999): expected a number from 0 to 361, found 9999"),
    "P": (fact("rule(r1, 99999999999999999999, 3, 0.5)."), ":2: expected rule(Id, P, N, Weight) with plain numbers"),
    "N": (fact("rule(r1, 1, -3, 0.5)."), ":2: expected rule(Id, P, N, Weight) with plain numbers"),
    "infinite": (fact("rule(r1, 12, 3, 1e999)."), ":2: the weight 1e999 of r1 is out of range"),
    "nan": (fact("rule(r1, 12, 3, nan)."), ":2: expected rule(Id, P, N, Weight) with plain numbers"),
    "heavy": (fact("rule(r1, 12, 3, 1000001)."), ":2: the weight 1000001 of r1 is out of range"),
    "too heavy": (fact("rule(r1, 12, 3, -1e300)."), ":2: the weight -1e300 of r1 is out of range"),
    "quoted": (body("""stage(A,'"; system("x"); //')"""), ":3: cannot read "),
    "C for an id": (fact("""rule('"); system("x"); //', 1, 2, 3)."""), ":2: expected rule(Id, P, N, Weight) "),
    "long id": (fact(f"rule(r{'1' * 100}, 1, 2, 3)."), ":2: expected rule(Id, P, N, Weight) with plain numbers"),
    "long clause": (body(", ".join(["stage(A,open)"] * 4_000)), f":3: more than {MAX_BODY} literals"),
    "no clause": (START + FACT, ": rule r1 has no clause"),
    "two facts": (START + FACT + FACT.replace("r1", "r2"), ":3: rule r1 has no clause"),
    "no fact": (START + CLAUSE.format("stage(A,open)"), ":2: a clause without a rule(Id, P, N, Weight) line before it"),
    "twice": (GOOD + GOOD.removeprefix(START), ": two rules have the same id"),
    "too many": (
        START + "".join(GOOD.removeprefix(START).replace("r1", f"r{k}") for k in range(MOST_RULES + 1)),
        f": {MOST_RULES + 1:,} rules; a library holds up to {MOST_RULES:,}",
    ),
}


def refused(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """Run the command, which must fail with one message; returns it."""
    capfd.readouterr()
    assert compile_patterns(*arguments) == 1
    done = capfd.readouterr()
    assert done.out == "" and "Traceback" not in done.err
    assert done.err.startswith("gotools compile-patterns: ") and done.err.endswith("\n")
    return done.err.removeprefix("gotools compile-patterns: ").removesuffix("\n")


@pytest.mark.parametrize("what", BAD)
def test_bad_rules_are_named_and_nothing_is_written(
    what: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text, message = BAD[what]
    path = tmp_path / "bad.pl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    for name in ("rules.c", "rules.so"):
        (tmp_path / name).write_text("older")
        for target in (tmp_path / name, tmp_path / f"new-{name}"):
            found = refused(capfd, path, "-o", target, "--header", tmp_path / "gotools_rules.h")
            assert found.startswith(f"{path}{message}") and len(found.splitlines()) == 1 and len(found) < 400
        assert (tmp_path / name).read_text() == "older"
    assert refused(capfd, path) == found, "nothing goes to stdout either"
    assert {*os.listdir(tmp_path)} == {"bad.pl", "rules.c", "rules.so"}


def test_files_that_cannot_be_read_are_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing.pl"
    assert refused(capfd, missing, "-o", tmp_path / "x.c") == f"{missing}: No such file or directory"
    assert refused(capfd, tmp_path, "-o", tmp_path / "x.c") == f"{tmp_path}: Is a directory"
    assert os.listdir(tmp_path) == []


@pytest.mark.system
def test_errors_on_stdin_name_it() -> None:
    command = [sys.executable, "-m", "gotools", "compile-patterns", "-"]
    done = forked.run(command, input=body("stage(A)"), capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "gotools compile-patterns: stdin:3: stage takes 2 plain arguments\n"


@pytest.mark.parametrize("name", ["rules.c", "rules.so"])
def test_places_that_cannot_be_written_are_named(name: str, rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    target = rules.parent / "missing" / name
    message = refused(capfd, rules, "-o", target)
    assert message.startswith(f"{target}: ") and message.endswith("No such file or directory")
    assert os.listdir(rules.parent) == ["rules.pl"]


def test_a_folder_does_not_give_way_to_a_library(rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (rules.parent / "rules.so").mkdir()
    assert (
        refused(capfd, rules, "-o", rules.parent / "rules.so")
        == f"{rules.parent / 'rules.so'}: cannot write: Is a directory"
    )
    assert {*os.listdir(rules.parent)} == {"rules.pl", "rules.so"}


# ---- rules that would like to be C ----


def test_nothing_but_rules_reaches_the_c(tmp_path: Path) -> None:
    plain, hostile = tmp_path / "plain.pl", tmp_path / '*" #error "@RULES@.pl'
    plain.write_text(GOOD)
    hostile.write_text(
        "%% gotools rules 1\n%% search=*/ #error\n%% */\n% */ #error \\\n"
        + GOOD.removeprefix(START).replace("\nmove", '\n% "; #error @RULES@ ??/\n   \nmove')
        + "%% */=*/ #error\n"
    )
    assert source_of(hostile) == source_of(plain)
    compiles(source_of(hostile))


@pytest.mark.parametrize("name", ["int", "main", "w", "nAME", "r" + "_" * 39])
def test_words_of_c_may_be_ids_and_variables(name: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.pl"
    variable = name.upper()
    clause = CLAUSE.format(f"connects_direct(A,{variable},C,D,B), stone_cnt(A,{variable},RULES), range(RULES,1,2)")
    path.write_text(START + FACT.replace("r1", name) + clause)
    compiles(source_of(path))
    assert f'"{name}",' in source_of(path)


def test_a_mark_of_the_runtime_in_a_clause_is_no_mark(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rules.pl"
    for atom in ("@RULES@", "/*", "open\\", "open\x00", "open\u2028", "open??/"):
        path.write_text(body(f"stage(A,{atom})"))
        assert refused(capfd, path).startswith(f"{path}:3: cannot read ")


# ---- compilers ----


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(importlib.util.find_spec("ziglang") is not None, reason="the compiler of ziglang is installed")
def test_without_a_compiler_it_says_where_to_get_one(
    rules: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    message = refused(capfd, rules, "-o", rules.with_suffix(".so"))
    assert all(word in message for word in ("no C compiler", "gcc", "clang", "pip install ziglang", "$CC"))
    assert os.listdir(rules.parent) == ["rules.pl"]
    assert compile_patterns(rules, "-q", "-o", rules.with_suffix(".c")) == 0, "C needs no compiler"


@pytest.mark.parametrize("name", ["no-such-cc", "/no/such/cc -O0", "."])
def test_a_compiler_that_is_not_there(
    name: str, rules: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", name)
    assert refused(capfd, rules, "-o", rules.with_suffix(".so")) == f"$CC: no such program: {name.split()[0]}"
    assert os.listdir(rules.parent) == ["rules.pl"]


@pytest.mark.parametrize("variable", ["CC", "CFLAGS"])
def test_an_odd_quote_in_the_environment_is_an_error(
    variable: str, rules: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(variable, "cc 'O0")
    assert f"${variable}" in refused(capfd, rules, "-o", rules.with_suffix(".so"))
    assert os.listdir(rules.parent) == ["rules.pl"]


BROKEN = {
    "fails": ("echo 'cc1: out of cheese' >&2; exit 1", "cc1: out of cheese"),
    "fails on stdout": ("echo 'out of cheese'; exit 3", "out of cheese"),
    "names its files": ('for word; do echo "$word" >&2; done; exit 1', "rules.c\n-o\nrules.so"),
    "writes nothing": ("exit 0", ""),
    "writes half": ('while [ "$1" != -o ]; do shift; done; echo half >"$2"; echo full >&2; exit 1', "full"),
    "is killed": ("kill -9 $$", ""),
    "writes no text": (r"printf '\377\376\n' >&2; exit 1", "\ufffd\ufffd"),
}


@pytest.mark.parametrize("how", BROKEN)
@pytest.mark.parametrize("older", [None, b"older"])
def test_a_compiler_that_fails_leaves_things_as_they_were(
    how: str, older: bytes | None, rules: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    text, said = BROKEN[how]
    broken, library = program(rules.parent / "broken cc", text), rules.with_suffix(".so")
    if older is not None:
        library.write_bytes(older)
    before = {*os.listdir(rules.parent)}
    monkeypatch.setenv("CC", f"'{broken}'")
    first, *lines = refused(capfd, rules, "-o", library).splitlines()
    assert first == f"the compiler failed ('{broken}'):"
    assert "\n".join(lines).endswith(said) and ".rules.so." not in "\n".join(lines)
    assert {*os.listdir(rules.parent)} == before
    assert older is None or library.read_bytes() == older


def test_of_what_a_compiler_says_the_beginning_is_shown(
    rules: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", str(program(rules.parent / "cc", "seq 1000 >&2; exit 1")))
    assert refused(capfd, rules, "-o", rules.with_suffix(".so")).splitlines()[1:] == [str(k) for k in range(1, 13)]


@pytest.mark.parametrize("name", ["rules.so", "rules.dylib", "rules.dll"])
@pytest.mark.system
def test_the_compilers_own_arguments_and_cflags_are_handed_on(
    name: str, rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules.write_text(GOOD)
    said = rules.parent / "arguments"
    recorder = program(rules.parent / "cc", f"""for word; do echo "$word" >>'{said}'; done; exec {COMPILER} "$@" """)
    monkeypatch.setenv("CC", f"{recorder} -O0 -DFIRST='a b'")
    monkeypatch.setenv("CFLAGS", "-g0 '-DSECOND=c d'")
    assert compile_patterns(rules, "-q", "-o", rules.parent / name) == 0
    words = said.read_text().splitlines()
    assert words[:2] == ["-O0", "-DFIRST=a b"]
    assert {"-std=gnu99", "-fPIC", "-shared"} < {*words}
    assert words.index("-shared") < words.index("-g0") < words.index("-DSECOND=c d")
    assert [rule.clause for rule in load_native(rules.parent / name).rules.rules] == [GOOD.splitlines()[-1]]


def test_cflags_that_the_compiler_does_not_take(
    rules: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CFLAGS", "-include no_such_header.h")
    assert "no_such_header.h" in refused(capfd, rules, "-o", rules.with_suffix(".so"))
    assert os.listdir(rules.parent) == ["rules.pl"]
