"""Cold starts: `gotools warm-up`, what commands say while they compile, and what GTP answers before."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from support import forked
from support.gtp_player import QuickPlayer, Script, session_of
from support.two_rules import TWO_RULES

from gotools.cli import app, run
from gotools.commands import warm_up
from gotools.engines.gtp.commands import commands_of
from gotools.engines.gtp.server import GtpServer
from gotools.jit import compiling

ROOT = Path(__file__).parents[2]


@pytest.fixture
def cold(monkeypatch, tmp_path):
    """An empty folder of kernels, which processes of their own can fill."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # the jobs themselves are tried in `warmed`
    monkeypatch.setattr(compiling, "notified", False)
    monkeypatch.setattr(compiling, "quiet", False)
    return tmp_path


def test_warm_up_does_all_once_and_names_the_folder(cold, capsys, monkeypatch):
    lanes = Mock(return_value=[])
    monkeypatch.setattr(warm_up, "_run_lanes", lanes)
    assert run(["warm-up"]) == 0
    first = capsys.readouterr()
    assert first.out.strip() == str(next((cold / "kernels").iterdir()))
    assert first.err.startswith("compiled in ")
    assert run(["warm-up"]) == 0
    second = capsys.readouterr()
    assert (second.out, second.err) == (first.out, "all is compiled already\n")
    assert run(["warm-up", "-q"]) == 0
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("numba.config.CPU_NAME", "generic")
    assert run(["warm-up", "-q"]) == 0
    assert lanes.call_count == 2, "once for a processor"


def test_a_job_that_fails_is_named_and_tried_again(cold, capsys, monkeypatch):
    """In processes of their own, whose jobs are missing here."""
    monkeypatch.setenv(warm_up.LANE, "0")
    monkeypatch.setattr(warm_up, "LANES", ({"elo": ("elo none.jsonl",), "show": ("show rules.pl",)},))
    monkeypatch.chdir(cold)
    assert run(["warm-up", "-q"]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("gotools warm-up: not compiled for elo: none.jsonl")
    assert "r1" in said.out, "the others are done"
    monkeypatch.delenv(warm_up.LANE)
    monkeypatch.setattr(sys, "executable", "false")
    for _ in range(2):
        assert run(["warm-up", "-q"]) == 1
        assert capsys.readouterr().err == "gotools warm-up: ended with code 1\n"


def test_every_job_is_of_a_command():
    commands = {command.name for command in app.registered_commands}
    for name, lines in {**warm_up.LANES[0], **warm_up.LANES[1]}.items():
        assert {name.split()[0], *(line.split()[0] for line in lines)} <= commands


MOVES = "genmove b\ngenmove w\n"
GO = f"""showboard
boardsize 5
{MOVES * 20}final_score
final_status_list dead
kgs-rules japanese
final_score
kata-set-rules tromp-taylor
genmove b
final_score
boardsize 9
fixed_handicap 2
genmove w
clear_board
place_free_handicap 2
play w B1
play w A2
play b A1
play b C2
kata-genmove_analyze w 1 ownership true
kata-analyze b 1 ownership true
kgs-genmove_cleanup b
gotools-explain
gotools-ownership
gotools-priors
undo
quit
"""
OTHER = f"""showboard
play b {{}}
{MOVES * 400}final_score
clear_board
genmove b
kata-analyze w 1
reg_genmove w
gotools-explain
gotools-chance
gogui-rules_legal_moves
undo
showboard
quit
"""
USI = """isready
position startpos moves 7g7f 7g7f
position startpos moves 7g7f 3c3d
go nodes 20
quit
"""
TYPED = "C3\nhint\nwhy\npass\nscore\n"
GO_PLAYERS = (
    "",
    "--keep-tree --resign 0.9",
    "--capture-all-dead",
    "--rules none --eval none",
    "--search alphabeta --rules none --eval none",
    "--search alphabeta --eval default",
    "--rules rules.pl",
    "--search alphabeta --rules rules.pl",
)
PLAYERS = "--engine a=gotools:search=mcts,nodes=9 --engine b=gotools:search=alphabeta,eval=none,nodes=9"
ILLEGAL = {"tictactoe": "D1", "connect4": "8", "abalone": "E5E6", "shogi": "5e5d"}
BOTH_PASS, RESULT = "= pass\n\n= pass\n", "\n= (B[+]|W[+]|0)\n"


def played(tmp_path: Path, runs: list[tuple[str, str]], env: Mapping[str, str] = os.environ) -> list[dict[str, Any]]:
    """Run (lines, command) each in a process without kernels; see support/whole_game.py."""
    words = []
    for number, (lines, command) in enumerate(runs):
        (tmp_path / f"{number}.txt").write_text(lines)
        words += [str(tmp_path / f"{number}.txt"), command]
    done = subprocess.run(
        [sys.executable, "-m", "support.whole_game", *words],
        stdout=subprocess.PIPE, text=True, check=True, cwd=tmp_path,
        env={**env, "PYTHONPATH": f"{ROOT / 'tests'}{os.pathsep}{ROOT}"},
    )  # fmt: skip
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["code"] for one in found] == [0] * len(runs)
    return found


def of_game(game: str, search: str) -> tuple[str, str]:
    """Return the lines and the command of a game other than Go."""
    return OTHER.format(ILLEGAL[game]), f"gtp --game {game} --search {search} --nodes 9"


@pytest.mark.system
@pytest.mark.parametrize(
    ("run", "end"),
    [
        ((GO, "gtp --nodes 20"), BOTH_PASS),
        ((GO, "gtp --search alphabeta --nodes 20 --rules none --eval none"), BOTH_PASS),
        (of_game("connect4", "mcts"), RESULT),
        (of_game("abalone", "alphabeta"), RESULT),
        (of_game("shogi", "mcts"), RESULT),
    ],
)
def test_an_engine_rehearses_all_that_a_game_needs(tmp_path: Path, run: tuple[str, str], end: str) -> None:
    """The jobs of `warm-up` run these rehearsals: what is loaded later is not compiled there."""
    (game,) = played(tmp_path, [run])
    assert re.search(end, game["answers"])
    assert game["late"] == []


@pytest.fixture(scope="module")
def warmed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Fill an empty folder of kernels by `warm-up`; returns the environment of processes that use it."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path_factory.mktemp("kernels")), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "gotools", "warm-up", "-q"], env=env, check=True, stdout=subprocess.DEVNULL)
    return env


@pytest.mark.slow
def test_after_warm_up_no_usual_command_compiles(tmp_path, warmed):
    """The whole chain, in its usual forms."""
    kernels = Path(warmed["NUMBA_CACHE_DIR"])

    def gotools(line: str, stdin: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "gotools", *line.split()],
            input=stdin, capture_output=True, text=True, env=warmed, cwd=tmp_path, check=True,
        )  # fmt: skip
        return done.stderr

    before = {path.name for path in kernels.rglob("*.nbc")}
    games = ROOT / "examples/games"
    for line in (
        f"sgf-to-examples {games} --negatives unplayed=100 -o rows.tsv",
        "induce-patterns rows.tsv --positives 100 -o cover.pl",
        f"induce-patterns {games} --objective rank --max-rules 20 --test {games} -o rules.pl",
        "compile-patterns rules.pl -o rules.so",
        f"rank-moves {games} --rules rules.so -o ranking.tsv",
        "rank-moves rows.tsv --rules rules.pl --explain --top 1 -o explained.txt",
        "train-eval --games 100 --referee-games 2 -o eval.npz",
        f"cluster-moves {games} --k 5 -o clusters.tsv",
        "order-bench rows.tsv --positions 3 --order clusters.tsv --order rules.so -o orders.tsv",
        "gtp --nodes 20 --rules rules.so",
        "gtp --search alphabeta --nodes 100 --order clusters.tsv --rules rules.pl",
        "play --nodes 20 --size 5 -o played.sgf",
        "play --game shogi --nodes 20 -o shogi.sgf",
        f"tournament {PLAYERS} --size 5 --games 4 --rules tromp-taylor --dead none -o area",
        f"tournament {PLAYERS} --size 5 --games 4 --rules japanese -o territory",
        f"tournament {PLAYERS.replace('eval=none,', '')} --game connect4 --games 2 -o four",
    ):
        assert "compiling" not in gotools(line, MOVES if line.startswith("gtp") else TYPED), line
    new = {path.name for path in kernels.rglob("*.nbc")} - before
    assert not new, new


@pytest.mark.slow
def test_after_warm_up_no_game_compiles(tmp_path: Path, warmed: dict[str, str]) -> None:
    """Whole games of each game by each search, through passes and scores."""
    (tmp_path / "rules.pl").write_text(TWO_RULES)
    runs = [
        *[(GO, f"gtp --nodes 20 {options}") for options in GO_PLAYERS],
        *[of_game(game, search) for game in ILLEGAL for search in ("alphabeta", "mcts")],
        (USI, "usi --nodes 20"),
    ]
    for game in played(tmp_path, runs, warmed):
        assert (game["compiled"], game["late"]) == ([], []), game["command"]


@pytest.mark.slow
def test_make_demo_compiles_only_what_it_needs(tmp_path):
    """Its commands on an empty folder of kernels: no search is compiled, and nothing twice."""
    plan = subprocess.run(["make", "-n", "demo"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    lines = [line.partition("gotools ")[2] for line in plan.replace("\\\n", "").splitlines() if "/gotools " in line]
    assert [line.split()[0] for line in lines] == ["induce-patterns", "compile-patterns", "rank-moves"]
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "out").mkdir()
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "PYTHONPATH": str(ROOT)}
    said = [
        subprocess.run(
            [sys.executable, "-m", "gotools", *line.split()], capture_output=True, text=True, env=env, cwd=tmp_path
        ).stderr
        for line in lines
    ]
    assert "compiling" in said[0]
    assert "the first rule: Extends an own stone" in said[0]
    assert not any(path.name.startswith(("mcts", "alphabeta")) for path in (tmp_path / "kernels").rglob("*.nbc"))


# GTP before kernels are compiled --------------------------------------------------------------------------------------


def served(script: Script) -> tuple[str, list[str]]:
    """Return what was answered, and at each preparation what had been answered before it."""
    sent, prepared, session = bytearray(), [], session_of(QuickPlayer())
    server = GtpServer(session, commands_of(session.game), script, sent.extend, lambda: prepared.append(sent.decode()))
    server.serve()
    return sent.decode(), prepared


def test_a_player_gets_ready_before_the_first_command_that_needs_it_and_once():
    first = ["1 name", "protocol_version", "known_command genmove", "no"]
    answers, prepared = served(Script([line.encode() for line in [*first, "boardsize 7", "genmove b"]]))
    assert prepared == ["=1 quick\n\n= 2\n\n= true\n\n? unknown command\n\n"]
    assert answers.startswith(prepared[0] + "=\n\n= ")


def test_a_player_that_is_only_asked_its_name_does_not_get_ready():
    assert served(Script([b"name", b"quit"])) == ("= quick\n\n=\n\n", [])


def test_a_player_that_nobody_asks_gets_ready():
    script = Script([b"name"])
    script.silent = True
    script.wait = Mock()  # type: ignore[method-assign]
    assert served(script) == ("= quick\n\n", [""])


@pytest.mark.system
def test_a_cold_start_answers_its_name_before_it_compiles_a_search(tmp_path):
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command, pipe = [sys.executable, "-m", "gotools", "gtp", "--nodes", "5"], subprocess.PIPE
    with forked.Fresh(command, stdin=pipe, stdout=pipe, stderr=pipe, env=env, bufsize=0) as process:
        assert process.stdin and process.stdout
        process.stdin.write(b"name\nlist_commands\nquit\n")
        out, error = process.communicate()
    assert out.startswith(b"= gotools ") and b"genmove" in out and out.endswith(b"=\n\n")
    assert error in (b"", f"{compiling.NOTICE}\n".encode())
    assert process.returncode == 0
    assert not any("mcts" in path.name for path in tmp_path.rglob("*.nbc")), "it has compiled a search"
