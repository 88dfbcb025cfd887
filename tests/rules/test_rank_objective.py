"""`gotools induce-patterns --objective rank`: rules that predict together, from games to bytes, numbers and errors."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from scipy.optimize import minimize
from support import forked
from support.examples import load_decisions
from support.induce_runs import COMMAND, GAMES, ROOT, TEST_GAME, bare, convert, induce, make_table, rules_in
from support.slow_induction import covers, example_of
from support.written_json import read_json

from gotools.game.records.selection import Selection
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.vocabulary import VOCABULARIES
from gotools.rules import boost_study
from gotools.rules.boost_study import LEAST_WORTH
from gotools.rules.boosting.boost import Boosting, BoostingState, SearchState
from gotools.rules.clauses.rules import RuleSet
from gotools.rules.weigh.accuracy import Choices, choices_of
from gotools.rules.weigh.firing import firing_of
from gotools.rules.weigh.weights import DIGITS, L2S, observations, worth

TESTS = ROOT / "examples/test-games"
RANK = ("--objective", "rank", "--max-rules", "60")
TRAIN = GAMES[:5]


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the rules of five games, r.pl, and their numbers, m.json."""
    folder = tmp_path_factory.mktemp("ranked")
    assert induce(*TRAIN, *RANK, "-q", "--test", TESTS, "-o", folder / "r.pl", "--metrics", folder / "m.json") == 0
    return folder


def decisions(paths: list[Path]) -> GoExamples:
    return load_decisions([*map(str, paths)], Selection(), print, lambda: None, False)


@pytest.fixture(scope="module")
def choices() -> Choices:
    return choices_of(decisions(TRAIN))


# ---- the rules ----


def test_what_the_header_says(ranked: Path, choices: Choices) -> None:
    rules = rules_in(ranked / "r.pl")
    header = rules.header
    assert header["game"] == "go" and header["sizes"] == "9-9" and header["negatives"] == "every other legal move"
    assert int(header["positives"]) == len(choices)
    assert header["predicates"].split() == list(VOCABULARIES["full"])
    assert re.fullmatch(r"objective=rank rules=60 conditions=7 beam=24 .*seed=0", header["search"])
    chosen = r"\(chosen on (\d+) moves of held-out games; log-likelihood there -\d\.\d{3}\)"
    found = re.fullmatch(rf"logistic regression, l2=([\d.]+) {chosen}", header["weights"])
    assert found and float(found[1]) in L2S
    games = [len(choices_of(decisions([path]))) for path in TRAIN]
    assert int(found[2]) in games  # one game of eight, whole
    assert str(ROOT) not in (ranked / "r.pl").read_text()


def test_rules_are_few_and_each_is_of_use(ranked: Path, choices: Choices) -> None:
    rules = rules_in(ranked / "r.pl").rules
    assert 15 < len(rules) <= 60
    assert [rule.id for rule in rules] == [f"r{k}" for k in range(1, len(rules) + 1)]
    assert len({rule.body for rule in rules}) == len(rules)
    weights = np.array([rule.weight for rule in rules])
    assert np.array_equal(np.round(weights, DIGITS), weights) and (weights != 0).all()
    assert (weights > 0).any() and (weights < 0).any()
    with ThreadPoolExecutor(1) as pool:
        values = worth(observations(choices, firing_of(rules, choices.points), len(rules)), weights, pool)
    assert values.min() > LEAST_WORTH / 2  # weighed anew after the others were dropped
    assert values[:5].min() > np.median(values)  # the best come first


def test_counts_are_those_of_the_clauses(ranked: Path, choices: Choices) -> None:
    """Over all legal moves; some of them by the slow twin."""
    rules = rules_in(ranked / "r.pl").rules
    firing = firing_of(rules, choices.points)
    played = np.zeros(len(choices.points), bool)
    played[choices.played] = True
    of_played = np.repeat(played, np.diff(firing.at))
    for number, rule in enumerate(rules):
        mine = firing.rule == number
        assert (rule.positives, rule.negatives) == (int((mine & of_played).sum()), int((mine & ~of_played).sum()))
    for row in np.random.default_rng(0).choice(len(choices.points), 12, replace=False).tolist():
        example = example_of(choices.points, row)
        fired = set(firing.rule[firing.at[row] : firing.at[row + 1]].tolist())
        assert fired == {k for k, rule in enumerate(rules) if covers(rule.body, example)}


def dense_optimum(rules: RuleSet, choices: Choices, l2: float) -> np.ndarray[Any, Any]:
    """The weights that make the moves likeliest, less the ridge: by sums over a dense table."""
    firing = firing_of(rules.rules, choices.points)
    table = np.zeros((len(choices.points), len(rules.rules)))
    table[np.repeat(np.arange(len(firing)), np.diff(firing.at)), firing.rule] = 1
    starts, lengths = choices.first[:-1], np.diff(choices.first)

    def loss(w: np.ndarray[Any, Any]) -> tuple[float, np.ndarray[Any, Any]]:
        scores = table @ w
        e = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), lengths))
        p = e / np.repeat(np.add.reduceat(e, starts), lengths)
        slope = table.T @ p - table[choices.played].sum(axis=0) + l2 * w
        return l2 / 2 * float(w @ w) - float(np.log(p[choices.played]).sum()), slope

    return np.asarray(minimize(loss, np.zeros(table.shape[1]), jac=True, method="BFGS").x)


def l2_of(rules: RuleSet) -> float:
    found = re.search(r"l2=([\d.]+)", rules.header["weights"])
    assert found
    return float(found[1])


def test_weights_are_fitted_on_all_games(ranked: Path, choices: Choices) -> None:
    rules = rules_in(ranked / "r.pl")
    weights = [rule.weight for rule in rules.rules]
    assert weights == pytest.approx(dense_optimum(rules, choices, l2_of(rules)), abs=0.006)


# ---- numbers ----


def test_rules_predict_better_than_the_baselines(ranked: Path) -> None:
    numbers = read_json((ranked / "m.json").read_text())
    test, baselines = numbers["test"], numbers["baselines"]
    assert test["top1"] > 1.3 * baselines["near_last_move"]["top1"]
    assert test["top10"] > baselines["near_last_move"]["top10"] + 0.1
    for name in ("chance", "centre_first", "near_last_move"):
        assert test["log_likelihood"] > baselines[name]["log_likelihood"] + 0.3


def test_the_numbers_have_the_keys_of_the_format(ranked: Path, choices: Choices) -> None:
    numbers = read_json((ranked / "m.json").read_text())
    assert set(numbers) == {
        "test", "baselines", "rules", "clauses_searched", "seconds", "positives", "negatives", "seeds",
        "seeds_without_rule", "seed", "interrupted",
    }  # fmt: skip
    assert numbers["rules"] == len(rules_in(ranked / "r.pl").rules)
    assert numbers["positives"] == len(choices) == 184
    assert numbers["negatives"] == len(choices.points) - len(choices)
    assert numbers["clauses_searched"] > 100 * numbers["seeds"] > 100 and numbers["seconds"] > 0
    assert numbers["seed"] == 0 and numbers["interrupted"] is False


# ---- the same again ----

SOON = ("--objective", "rank", "--max-rules", "12", "--vocabulary", "advanced")


@pytest.mark.system
def test_the_same_seed_gives_the_same_bytes_in_any_process(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert induce(*TRAIN, *SOON, "-q", "--seed", "7") == 0
    here = capfdbinary.readouterr().out
    environment = os.environ | {"PYTHONHASHSEED": "3", "NUMBA_NUM_THREADS": "1", "LC_ALL": "C", "COLUMNS": "40"}
    command = [*COMMAND, *map(str, TRAIN), *SOON, "--seed", "7"]
    there = subprocess.run(command, capture_output=True, timeout=120, env=environment)
    assert there.returncode == 0, there.stderr
    assert there.stdout == here and rules_in(here).rules
    assert induce(*TRAIN, *SOON, "-q", "--seed", "8") == 0
    assert bare(rules_in(capfdbinary.readouterr().out)) != bare(rules_in(here))


@pytest.fixture(scope="module")
def soon(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a few rules, found on one core."""
    out = tmp_path_factory.mktemp("soon") / "r.pl"
    with mock.patch("os.cpu_count", lambda: 1):
        assert induce(*TRAIN, *SOON, "-q", "-o", out) == 0
    return out.read_bytes()


def test_the_number_of_cores_changes_no_byte(
    soon: bytes, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert induce(*TRAIN, *SOON, "-q") == 0
    assert capfdbinary.readouterr().out == soon


def test_a_table_gives_the_rules_of_its_games(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """Its counter-examples are not given: every other legal move is one."""
    assert induce(*TRAIN[:4], *SOON, "-q") == 0
    games = capfdbinary.readouterr().out
    convert(*TRAIN[:4], "-o", tmp_path / "plain.tsv")
    convert(*TRAIN[:4], "--negatives", "unplayed=30,random=20", "-o", tmp_path / "both.tsv")
    for name in ("plain.tsv", "both.tsv"):
        assert induce(tmp_path / name, *SOON, "-q") == 0
        assert capfdbinary.readouterr().out == games
    assert rules_in(games).rules


def test_a_draw_of_the_moves_can_be_learned_from(capfd: pytest.CaptureFixture[str]) -> None:
    assert induce(*TRAIN, *SOON, "--positives", "100", "--show", "3") == 0
    done = capfd.readouterr()
    rules = rules_in(done.out.encode())
    assert rules.header["positives"] == "100" and rules.rules
    assert done.err.startswith("100 of 184 moves to learn from, against all other legal moves\n")
    assert f"{len(rules.rules):,} rules from " in done.err and "noise" not in done.err
    shown = re.findall(r"^ +(r\d+) ", done.err, re.MULTILINE)
    assert shown == ["r1", "r2", "r3"]  # by worth, as in the file


def test_words_that_are_left_out_do_not_come_up(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert induce(*TRAIN, *RANK[:2], "--max-rules", "20", "--without", "last_distance,line,empty_on_pos", "-q") == 0
    rules = rules_in(capfdbinary.readouterr().out)
    said = {literal.predicate for rule in rules.rules for literal in rule.body}
    assert said and said <= set(VOCABULARIES["full"]) - {"last_distance", "line", "empty_on_pos"}


def test_few_moves_are_no_trouble(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """One game, or next to nothing: it ends, and says that no ridge could be chosen."""
    (tmp_path / "tiny.sgf").write_text("(;SZ[3];B[bb];W[ba];B[ab])")
    for path in (tmp_path / "tiny.sgf", GAMES[0]):
        assert induce(path, *RANK[:2], "--max-rules", "12", "-q") == 0
        rules = rules_in(capfdbinary.readouterr().out)
        assert len(rules.rules) <= 12
        assert rules.header["weights"].endswith("(not chosen, for want of games to keep apart)")


@pytest.mark.parametrize("most", [1, 5])
def test_there_are_no_more_rules_than_wanted(most: int, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert induce(*TRAIN, "--objective", "rank", "--max-rules", str(most), "-q") == 0
    assert 0 < len(rules_in(capfdbinary.readouterr().out).rules) <= most


# ---- weights of rules that cover ----


def test_weights_of_either_kind_are_of_the_same_clauses(tmp_path: Path) -> None:
    table, found = make_table(tmp_path / "t.tsv"), {}
    for kind in ("coverage", "regression"):
        out = tmp_path / f"{kind}.pl"
        assert induce(table, "--weights", kind, "--nodes", "200", "--positives", "all", "-q", "-o", out) == 0
        found[kind] = rules_in(out)
    assert bare(found["coverage"]) == bare(found["regression"]) and len(found["coverage"].rules) > 3
    weights = {kind: [rule.weight for rule in rules.rules] for kind, rules in found.items()}
    assert weights["coverage"] != weights["regression"]
    assert "weights" not in found["coverage"].header
    assert found["regression"].header["weights"].startswith("logistic regression, l2=")
    expected = dense_optimum(found["regression"], choices_of(decisions(GAMES[:3])), l2_of(found["regression"]))
    assert weights["regression"] == pytest.approx(expected, abs=0.006)


# ---- Ctrl-C ----


def stop_after(monkeypatch: pytest.MonkeyPatch, rounds: int) -> None:
    """Make Ctrl-C come in the middle of so many batches of seeds."""

    class CutShort(Boosting):
        def rounds(self, keep: Callable[[SearchState], None] = lambda _: None) -> Iterator[BoostingState]:
            for number, found in enumerate(super().rounds(keep), 1):
                if number == rounds:  # the batch at hand is finished first
                    signal.raise_signal(signal.SIGINT)
                yield found

    monkeypatch.setattr(boost_study, "Boosting", CutShort)


def test_ctrl_c_keeps_the_rules_found_until_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """They are weighed and measured like those of a search that ended by itself."""
    stop_after(monkeypatch, 2)
    out, numbers = tmp_path / "r.pl", tmp_path / "m.json"
    assert induce(*TRAIN, *RANK, "-q", "-o", out, "--metrics", numbers, "--test", TEST_GAME) == 130
    rules = rules_in(out)
    assert 3 < len(rules.rules) <= 16
    assert capfd.readouterr().err == (
        f"gotools induce-patterns: interrupted; the {len(rules.rules)} rules found so far are in {out}\n"
    )
    shown = read_json(numbers.read_text())
    assert shown["interrupted"] is True and shown["seeds"] == 16 and shown["rules"] == len(rules.rules)
    assert shown["test"]["log_likelihood"] > shown["baselines"]["chance"]["log_likelihood"]
    weights = [rule.weight for rule in rules.rules]
    assert weights == pytest.approx(dense_optimum(rules, choices_of(decisions(TRAIN)), l2_of(rules)), abs=0.006)


@pytest.mark.parametrize("where", ["regress", "worth", "fit"])
def test_a_late_ctrl_c_loses_no_rule(
    where: str, soon: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r.pl"
    meant = getattr(boost_study, where)

    def interrupted(*given: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        return meant(*given)

    monkeypatch.setattr(boost_study, where, interrupted)
    assert induce(*TRAIN, *SOON, "-q", "-o", out) == 130
    assert out.read_bytes() == soon and "rules found so far are in" in capfd.readouterr().err


@pytest.mark.system
def test_ctrl_c_from_outside(tmp_path: Path) -> None:
    """A search that would take minutes; the first batches take less than a second."""
    out = tmp_path / "r.pl"
    command = [*COMMAND, *map(str, GAMES), "--objective", "rank", "--max-rules", "9000", "-o", str(out)]
    with forked.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        while line and "moves to learn from" not in line:  # a notice of compilation may come first
            line = process.stderr.readline()
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    rules = rules_in(out).rules
    assert process.returncode == 130 and rules and "Traceback" not in errors
    assert f"interrupted; the {len(rules)} rules found so far are in {out}" in errors
    assert {"r.pl"} <= set(os.listdir(tmp_path)) <= {"r.pl", "r.pl.search"}


@pytest.mark.system
def test_a_search_that_was_killed_goes_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """With other games it does not; at its end the state is gone."""
    whole, out, state = tmp_path / "whole.pl", tmp_path / "r.pl", tmp_path / "r.pl.search"
    search = [*map(str, TRAIN), "--objective", "rank", "--max-rules", "240", "-q"]
    assert induce(*search, "-o", whole) == 0
    words = [*COMMAND, *search, "-o", str(out)]
    with forked.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        for _ in range(1200):
            if state.exists():
                break
            time.sleep(0.1)
        process.kill()
    assert not out.exists()
    assert induce(*search[1:], "-o", out, "--resume") == 1
    assert capfd.readouterr().err == (
        f"gotools induce-patterns: {state}: is the state of a search on other games or with other options\n"
    )
    assert induce(*search, "-o", out, "--resume") == 0
    assert out.read_bytes() == whole.read_bytes()
    left = [name for name in os.listdir(tmp_path) if not name.startswith(".")]  # what was being written when it died
    assert sorted(left) == ["r.pl", "whole.pl"]


@pytest.mark.parametrize("text", ["", "rules", "[]", "{}", '{"gotools": ["search", 9], "state": {}}', '{"gotools": 5}'])
def test_a_state_that_is_none_is_refused(text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.pl.search").write_text(text)
    assert induce(*TRAIN, *SOON, "-q", "-o", tmp_path / "r.pl", "--resume") == 1
    assert "r.pl.search: is not the state of a search" in capfd.readouterr().err
    assert os.listdir(tmp_path) == ["r.pl.search"]


def test_without_a_state_a_search_begins_anew(tmp_path: Path) -> None:
    for name, more in (("a.pl", ()), ("b.pl", ("--resume",))):
        assert induce(*TRAIN, *SOON, "-q", "-o", tmp_path / name, *more) == 0
    assert (tmp_path / "a.pl").read_bytes() == (tmp_path / "b.pl").read_bytes()


def test_resume_needs_a_file_of_rules(capfd: pytest.CaptureFixture[str]) -> None:
    assert induce(*TRAIN, *SOON, "-q", "--resume") == 2
    assert "--resume: needs --output" in " ".join(capfd.readouterr().err.split())


# ---- what is wrong ----


@pytest.mark.parametrize(
    "arguments",
    [
        "--noise 5",
        "--noise 15%",  # the default, but said
        "--nodes 99",
        "--negatives unplayed=5",
        "--min-body 2",
        "--max-body 9",
        "--depth 3",
        "--score laplace",
        "--search beam",
        "--beam-width 20",
        "--weak-below 5k",
    ],
)
def test_options_of_rules_that_cover_are_refused(
    arguments: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert induce(GAMES[0], "--objective", "rank", *arguments.split(), "-o", tmp_path / "r.pl") == 2
    assert f"{arguments.split()[0]}: goes with --objective cover" in " ".join(capfd.readouterr().err.split())
    assert not os.listdir(tmp_path)


def test_options_of_rules_that_rank_are_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for given, option in (((), "--max-rules"), (("--objective", "cover"), "--max-rules")):
        assert induce(GAMES[0], *given, option, "20", "-o", tmp_path / "r.pl") == 2
        assert f"{option}: goes with --objective rank" in capfd.readouterr().err
    assert induce(GAMES[0], "--objective", "rank", "--weights", "coverage", "-o", tmp_path / "r.pl") == 2
    assert "--weights: coverage goes with --objective cover" in capfd.readouterr().err
    (tmp_path / "own.pl").write_text("")
    assert induce(GAMES[0], "--objective", "rank", "--engine", "x", "-o", tmp_path / "r.pl") == 2
    assert "--engine" in capfd.readouterr().err
    for wrong in ("0", "9001", "many"):
        assert induce(GAMES[0], "--objective", "rank", "--max-rules", wrong, "-o", tmp_path / "r.pl") == 2
        assert "--max-rules" in capfd.readouterr().err
    assert os.listdir(tmp_path) == ["own.pl"]


def test_what_is_no_objective_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert induce(GAMES[0], "--objective", "best") == 2
    assert "--objective" in capfd.readouterr().err
    assert induce(GAMES[0], "--weights", "none") == 2
    assert "--weights" in capfd.readouterr().err


def test_counter_examples_alone_are_nothing_to_learn_from(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "negatives.tsv").write_text(
        "##gotools examples 1\n#to_play\tposition\tmove\tlabel\nb\t.../.../...\tA1\t0\n"
    )
    assert induce(tmp_path / "negatives.tsv", "--objective", "rank", "-o", tmp_path / "r.pl") == 1
    assert "no examples: no legal move of label 1" in capfd.readouterr().err
    assert os.listdir(tmp_path) == ["negatives.tsv"]
