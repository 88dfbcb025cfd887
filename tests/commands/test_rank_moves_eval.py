"""`gotools rank-moves --eval`: every value against sgfmill's boards, what is said about it, and what is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from sgfmill import boards, sgf, sgf_moves
from support.induce_runs import TEST_GAME
from support.two_rules import TWO_RULES
from support.written_json import read_json

from gotools.cli import run
from gotools.engines.knowledge import default_weights
from gotools.games.go.board import Board
from gotools.games.go.kernels import game as g
from gotools.values.td.perceptrons import parse_architecture
from gotools.values.td.shapes import shapes_of
from gotools.values.weights.evaluator import Evaluator, load_evaluator
from gotools.values.weights.weights_file import Weights, save_weights

LETTERS = "ABCDEFGHJ"
KOMI = 5.5
SMALL = "(;SZ[5];B[cc];W[bb];B[cb];W[bc])"
KO = "(;SZ[9];B[cc];W[dc];B[db];W[eb];B[dd];W[ed];B[ii];W[fc];B[ec];W[ai];B[ia];W[dc];B[ha])"
"""Both take in a ko; at the 13th move black may not."""

Ranking = Callable[..., str]


def weights_for(features: str, size: int = 9, seed: int = 1) -> Weights:
    from gotools.game.game import find_game

    game, random = find_game("go"), np.random.default_rng(seed)
    if features == "shapes":
        many = shapes_of(game, size).weights
        return Weights("go", size, KOMI, features, "linear", 7, random.normal(0.0, 0.01, many))
    scales = game.find_features(features).scales(size)
    many = sum(parse_architecture("mlp:3").layers(len(scales)))
    return Weights("go", size, KOMI, features, "mlp:3", 7, random.normal(0.0, 0.3, many), scales)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    for features in ("shapes", "raw"):
        save_weights(folder / f"{features}.npz", weights_for(features))
    save_weights(folder / "five.npz", weights_for("shapes", 5))
    (folder / "rules.pl").write_text(TWO_RULES)
    (folder / "ko.sgf").write_text(KO)
    (folder / "small.sgf").write_text(SMALL)
    return folder


def rank(*arguments: str | Path) -> int:
    return run(["rank-moves", "-q", *map(str, arguments)])


@pytest.fixture
def ranking(capfd: pytest.CaptureFixture[str]) -> Ranking:
    def written(*arguments: str | Path) -> str:
        code, done = rank(*arguments), capfd.readouterr()
        assert (code, done.err) == (0, "")
        return done.out

    return written


def rows_of(table: str) -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = {}
    for line in table.splitlines():
        if not line.startswith(("#", "id\t")):
            name, *fields = line.split("\t")
            found.setdefault(name, []).append(fields)
    return found


# ---- the slow twin: boards of sgfmill ----


def successors(record: Path) -> Iterator[tuple[int, dict[str, np.ndarray]]]:
    """Give, for each ply that is no pass, the side to play and the cells after each of its legal moves."""
    game = sgf.Sgf_game.from_bytes(record.read_bytes())
    board, plays = sgf_moves.get_setup_and_moves(game)
    ko = None
    for colour, move in plays:
        found = {}
        for y in range(board.side):
            for x in range(board.side):
                if board.get(y, x) is None and (y, x) != ko:
                    after = board.copy()
                    after.play(y, x, colour)
                    if after.get(y, x) is not None:  # else it was suicide
                        found[f"{LETTERS[x]}{y + 1}"] = cells_of(after)
        if move is None:
            ko = None
            continue
        yield 1 if colour == "b" else 2, found
        ko = board.play(*move, colour)


def cells_of(board: boards.Board) -> np.ndarray:
    code = {None: 0, "b": 1, "w": 2}
    return np.array([code[board.get(y, x)] for y in range(board.side) for x in range(board.side)], np.uint8)


def value(evaluator: Evaluator, cells: np.ndarray, mover: int) -> float:
    state = Board.from_cells(cells, evaluator.weights.size, 3 - mover).state
    state[g.KOMI2] = round(2 * evaluator.weights.komi)
    return -evaluator.value(state)


@pytest.mark.parametrize("features", ["shapes", "raw"])
@pytest.mark.parametrize("record", ["ko.sgf", TEST_GAME])
def test_every_row_is_the_value_of_the_position_after_the_move(
    made: Path, features: str, record: str | Path, ranking: Ranking
) -> None:
    path = made / record
    found = list(rows_of(ranking(path, "--eval", made / f"{features}.npz")).values())
    evaluator = load_evaluator(made / f"{features}.npz", "go")
    plies = list(successors(path))
    assert len(found) == len(plies) > 10
    for rows, (mover, after) in zip(found, plies, strict=True):
        assert [int(fields[0]) for fields in rows] == list(range(1, len(rows) + 1))
        expected = {point: value(evaluator, cells, mover) for point, cells in after.items()}
        assert {fields[1]: float(fields[6]) for fields in rows} == pytest.approx(expected, abs=5.1e-5)
        scores = {point: math.atanh(worth) for point, worth in expected.items()}
        total = sum(math.exp(score) for score in scores.values())
        for (_, point, score, probability, _, fired, _), (_, below, *_) in zip(
            rows, [*rows[1:], rows[-1]], strict=True
        ):
            assert float(score) == pytest.approx(scores[point], abs=5.1e-5)
            assert float(probability) == pytest.approx(math.exp(scores[point]) / total, abs=5.1e-5)
            assert scores[point] >= scores[below] - 1e-9 and fired == "-"
        assert sum(int(fields[4]) for fields in rows) == 1


def test_captures_are_made_before_the_value_is_taken(made: Path, ranking: Ranking) -> None:
    """The ko of KO: the 12th move takes a stone, the 13th may not take it back."""
    evaluator = load_evaluator(made / "shapes.npz", "go")
    found = rows_of(ranking(made / "ko.sgf", "--eval", made / "shapes.npz"))
    mover, after = list(successors(made / "ko.sgf"))[11]
    taken = after["D7"]
    assert (taken == 1).sum() == 5 and mover == 2
    mine = {fields[1]: float(fields[6]) for fields in found["ko:12"]}["D7"]
    assert mine == pytest.approx(value(evaluator, taken, 2), abs=5.1e-5)
    assert "E7" not in {fields[1] for fields in found["ko:13"]}


def test_equal_moves_stand_in_the_order_of_their_points(made: Path, tmp_path: Path, ranking: Ranking) -> None:
    """On the empty board, where eight moves are worth the same."""
    (tmp_path / "empty.sgf").write_text("(;SZ[9];B[cd])")
    rows = rows_of(ranking(tmp_path / "empty.sgf", "--eval", made / "shapes.npz"))["empty:1"]
    points = [9 * (int(fields[1][1:]) - 1) + LETTERS.index(fields[1][0]) for fields in rows]
    scores = [float(fields[2]) for fields in rows]
    assert len(set(scores)) <= 15
    assert sorted(range(81), key=lambda i: (-scores[i], points[i])) == list(range(81))


def test_moves_that_a_mirror_makes_alike_are_equal_though_sums_are_not(tmp_path: Path, ranking: Ranking) -> None:
    """With a network, whose sums go through the board in one order: the left one of two comes first, always."""
    from gotools.game.game import find_game

    random, scales = np.random.default_rng(5), find_game("go").find_features("raw").scales(9)
    (tmp_path / "m.sgf").write_text(
        "(;SZ[9]AB[ba][ha][cc][gc][dg][fg][ee][ci][gi][ca][ga]AW[ab][ib][cd][gd][bh][hh][bf][hf][df][ff];B[ea])"
    )
    for _ in range(8):
        linear = random.normal(0.0, 0.03, (9, 9))
        linear = linear + linear[:, ::-1]
        save_weights(tmp_path / "m.npz", Weights("go", 9, 0.0, "raw", "linear", 0, linear.reshape(-1), scales))
        rows = rows_of(ranking(tmp_path / "m.sgf", "--eval", tmp_path / "m.npz"))["m:1"]
        order = [fields[1] for fields in rows if fields[1][0] != "E"]
        assert len(order) > 40
        for left, right in zip(order[::2], order[1::2], strict=True):
            assert left[1] == right[1] and LETTERS.index(left[0]) + LETTERS.index(right[0]) == 8 and left < right


# ---- with rules ----


def test_with_rules_the_rules_order_and_the_value_is_one_more_column(made: Path, ranking: Ranking) -> None:
    plain = ranking(TEST_GAME, "--rules", made / "rules.pl")
    both = ranking(TEST_GAME, "--rules", made / "rules.pl", "--eval", made / "shapes.npz")
    alone = ranking(TEST_GAME, "--eval", made / "shapes.npz")
    values = {(name, fields[1]): fields[6] for name, rows in rows_of(alone).items() for fields in rows}
    expected = [[*fields, values[name, fields[1]]] for name, rows in rows_of(plain).items() for fields in rows]
    assert [fields for rows in rows_of(both).values() for fields in rows] == expected
    assert re.search(r"^##eval=shapes linear size=9 komi=5.5 games=7 digest=[0-9a-f]{12}$", both, re.MULTILINE)
    assert "##rules=2\n" in both and "##rules=0\n" in alone and "##eval" not in plain
    assert both.splitlines()[5] == plain.splitlines()[4] + "\tvalue"


def test_top_and_metrics_are_those_of_the_values(made: Path, tmp_path: Path, ranking: Ranking) -> None:
    whole = rows_of(ranking(TEST_GAME, "--eval", made / "raw.npz"))
    first = rows_of(ranking(TEST_GAME, "--eval", made / "raw.npz", "--top", "2", "--metrics", tmp_path / "m.json"))
    assert first == {name: rows[:2] for name, rows in whole.items()}
    found = read_json((tmp_path / "m.json").read_text())
    right = sum(rows[0][4] == "1" for rows in whole.values())
    assert found["test"]["top1"] == pytest.approx(right / len(whole))
    likelihood = [math.log(float(fields[3])) for rows in whole.values() for fields in rows if fields[4] == "1"]
    assert found["test"]["log_likelihood"] == pytest.approx(sum(likelihood) / len(whole), abs=1e-2)
    assert found["eval"].startswith("raw mlp:3 size=9")


# ---- for people ----


@pytest.mark.parametrize("features", ["shapes", "raw"])
def test_explain_says_what_speaks_for_a_move_in_the_eyes_of_its_player(
    made: Path, features: str, ranking: Ranking
) -> None:
    evaluator = load_evaluator(made / f"{features}.npz", "go")
    text = ranking(made / "ko.sgf", "--eval", made / f"{features}.npz", "--explain", "--top", "2")
    blocks = dict(re.findall(r"^(ko:\d+) (.*?)\n\n(?=ko:|\Z)", text, re.MULTILINE | re.DOTALL))
    assert len(blocks) == 13
    for ply, (mover, after) in enumerate(successors(made / "ko.sgf"), 1):
        shown = re.findall(
            r"^ *\d+\. (\w\d) .*\n +(\S+)  value\n((?: +[+-][\d.]+    .*\n?)*)", blocks[f"ko:{ply}"], re.M
        )
        assert len(shown) in (2, 3)
        for point, worth, lines in shown:
            state = Board.from_cells(after[point], 9, 3 - mover).state
            state[g.KOMI2] = round(2 * KOMI)
            shares = [float(line.split()[0]) for line in lines.splitlines()]
            expected = [-reason.share for reason in evaluator.why(state)]
            assert float(worth) == pytest.approx(-evaluator.value(state), abs=5.1e-4)
            assert shares == pytest.approx(expected, abs=5.1e-4) and shares


def test_a_feature_is_described_as_the_player_sees_it(made: Path, tmp_path: Path, ranking: Ranking) -> None:
    """Black has five stones more than white: `stones +` for black's moves, with the share of black's view."""
    weights = weights_for("thesis8")
    labels = __import__("gotools.games.go.inputs.positions", fromlist=["THESIS8"]).THESIS8.labels(9)
    linear = np.zeros(len(labels))
    linear[0] = 1.0
    one = Weights("go", 9, KOMI, "thesis8", "linear", 0, linear, weights.scales)
    save_weights(tmp_path / "one.npz", one)
    (tmp_path / "many.sgf").write_text("(;SZ[9]AB[cc][gg][cg][gc][ee];B[ec])")
    text = ranking(tmp_path / "many.sgf", "--eval", tmp_path / "one.npz", "--explain", "--top", "1")
    worth = re.search(r" (\S+)  value\n +(\S+)    (.*) ([+-][\d.]+)\n", text)
    assert worth and worth[3] == labels[0]
    assert (float(worth[1]) > 0) == (float(worth[2]) > 0) == (float(worth[4]) > 0)
    assert float(worth[1]) == pytest.approx(math.tanh(float(worth[2])), abs=2e-3)


def test_with_rules_both_are_explained(made: Path, ranking: Ranking) -> None:
    text = ranking(made / "ko.sgf", "--rules", made / "rules.pl", "--eval", made / "shapes.npz", "--explain")
    assert " near " in text and "  value\n" in text and " at " in text


def test_json_has_the_rows_of_the_table_and_the_sentences_of_the_text(made: Path, ranking: Ranking) -> None:
    files = made / "ko.sgf", "--rules", made / "rules.pl", "--eval", made / "shapes.npz", "--top", 3
    found = [read_json(line) for line in ranking(*files, "--explain", "--format", "json").splitlines()]
    table = rows_of(ranking(*files))
    assert [one["id"] for one in found] == list(table)
    for one in found:
        moves = [[m["rank"], m["move"], m["score"], m["probability"], m["played"], m["value"]] for m in one["moves"]]
        assert moves == [
            [int(at), move, float(score), float(share), played == "1", float(value)]
            for at, move, score, share, played, _, value in table[one["id"]]
        ]
    text = " ".join(ranking(*files, "--explain").split())
    rules = [rule for one in found for move in one["moves"] for rule in move["rules"]]
    assert rules and all(f"{rule['id']} {rule['sentence']}" in text for rule in rules)


# ---- what is wrong ----


def test_other_sizes_are_left_out_and_counted(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    files = made / "ko.sgf", made / "small.sgf"
    assert rank(*files, "--eval", made / "shapes.npz") == 0
    done = capfd.readouterr()
    assert done.err == f"{made / 'shapes.npz'}: weights for 9x9; left out 4 positions of 5x5\n"
    assert {name.partition(":")[0] for name in rows_of(done.out)} == {"ko"}
    assert rank(*files, "--eval", made / "five.npz") == 0
    assert list(rows_of(capfd.readouterr().out)) == [f"small:{ply}" for ply in range(1, 5)]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["ko.sgf", "small.sgf", "--eval", "shapes.npz", "--strict"], 1, "weights for 9x9, not for 5x5 (small:1)"),
        (["small.sgf", "--eval", "shapes.npz"], 1, "shapes.npz: weights for 9x9; all positions are 5x5"),
        (["ko.sgf", "--eval", "none.npz"], 1, "none.npz: No such file"),
        (["ko.sgf", "--eval", "rules.pl"], 1, "rules.pl: a file of rules; expected weights"),
        (["ko.sgf", "--eval", "ttt.npz"], 1, "ttt.npz: weights for the game tictactoe, not for go"),
        (["ko.sgf"], 2, "name the rules"),
        (["ko.sgf", "--rules", "rules.pl", "--format", "json"], 2, "--format: json goes with --explain"),
        (["-", "--eval", "-"], 2, "stdin is read for PATH already"),
        (["ko.sgf", "--eval", "-", "--rules", "-"], 2, "stdin is read for --rules already"),
        (["ko.sgf", "--eval", "shapes.npz", "--digest", "ab"], 2, "--digest"),
        (["ko.sgf", "--eval", "shapes.npz", "--background", "rules.pl"], 2, "--background"),
    ],
)
def test_what_is_refused(
    made: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    arguments: list[str], code: int, message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(made)
    scales = np.ones(9)
    save_weights("ttt.npz", Weights("tictactoe", 3, 0.0, "raw", "linear", 0, np.zeros(9), scales))
    assert rank(*arguments, "-o", made / "never.tsv") == code
    done = capfd.readouterr()
    assert message in done.err and "Traceback" not in done.err and not (made / "never.tsv").exists()


# ---- the mean over the symmetries of the board ----

TURNED_GAMES = ("(;SZ[9];B[cd];W[gf];B[fc];W[cg])", "(;SZ[9];B[fc];W[dg];B[gf];W[cc])")
"""The same game, the second one turned by 90 degrees."""


def test_with_symmetries_games_that_are_turned_have_the_same_scores(tmp_path: Path, ranking: Ranking) -> None:
    found = []
    for k, game in enumerate(TURNED_GAMES):
        path = tmp_path / f"{k}.sgf"
        path.write_text(game)
        table = ranking(path, "--eval", default_weights("go"), "--symmetries")
        assert "symmetries=all" in table
        found.append([sorted(float(fields[2]) for fields in rows) for rows in rows_of(table).values()])
        plain = ranking(path, "--eval", default_weights("go"))
        found.append([sorted(float(fields[2]) for fields in rows) for rows in rows_of(plain).values()])
    assert len(found[0]) == 4
    for first, second in zip(found[0], found[2], strict=True):
        assert first == pytest.approx(second, abs=2e-4)
    assert any(first != pytest.approx(second, abs=2e-2) for first, second in zip(found[1], found[3], strict=True))


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["--eval", "raw.npz"], 1, "raw.npz: weights without a policy, which --symmetries needs"),
        (["--rules", "rules.pl"], 2, "goes with --eval, a network"),
        (["--eval", "raw.npz", "--game", "connect4"], 1, "raw.npz: weights for the game go, not for connect4"),
    ],
)
def test_symmetries_without_a_policy_are_refused(
    made: Path, words: list[str], code: int, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    files = [str(made / word) if "." in word else word for word in words]
    assert rank(made / "ko.sgf", *files, "--symmetries") == code
    assert line in capfd.readouterr().err
