"""`import gotools`: each function does what its command does, to the byte, and fails with a GotoolsError."""

from __future__ import annotations

import csv
import inspect
import logging
import pydoc
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas
import pytest
from numpy.typing import NDArray
from support import forked
from support.needs import ROOT
from support.written_json import read_json

import gotools
from gotools import cli
from gotools.game.game import find_game
from gotools.game.records.record import Record
from gotools.library.ranking import RankedMoves

GAMES = ROOT / "examples/games"
TESTS = ROOT / "examples/test-games"
FEW = sorted(GAMES.glob("*.sgf"))[:12]
GAME = TESTS / "gnugo-1001.sgf"


def command(*words: object) -> None:
    """Run a command, which has to succeed."""
    assert cli.run([str(words[0]), "-q", *map(str, words[1:])]) == 0


def beginning() -> tuple[Record, gotools.Board]:
    """Return the record of GAME and the board before its first move."""
    (record,) = gotools.read_games(GAME)
    board = gotools.Board(record.size)
    black, white = ([divmod(point, 9) for _, colour, point in record.setup if colour == side] for side in (1, 2))
    board.apply_setup(black, white, [])
    return record, board


def same(one: Path, other: Path) -> bool:
    """Say whether two files hold the same bytes, and any at all."""
    return one.read_bytes() == other.read_bytes() != b""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with rules.pl, rules.so and eval.npz, made by functions of the library."""
    folder = tmp_path_factory.mktemp("made")
    study = gotools.induce_rules(FEW, objective="rank", max_rules=12, seed=2)
    gotools.save(study, folder / "rules.pl")
    gotools.compile_rules(study, folder / "rules.so")
    gotools.train(folder / "eval.npz", games=64, referee_games=2, seed=3, log=folder / "log.tsv")
    return folder


# ---- the package ----


def test_all_names_can_be_imported_and_explain_themselves() -> None:
    assert 15 <= len(gotools.__all__) <= 23
    for name in gotools.__all__:
        assert getattr(gotools, name).__doc__, name
    assert set(gotools.__all__) <= set(dir(gotools))


FUNCTIONS = {name: getattr(gotools, name) for name in gotools.__all__ if name not in ("Board", "GotoolsError")}
PARAMETERS = [(name, one) for name in FUNCTIONS for one in inspect.signature(FUNCTIONS[name]).parameters.values()]
WORDED = [(name, one) for name, one in PARAMETERS if "Literal[" in str(one.annotation)]
"""Parameters that are one of some words; the first letter of the last word is left out below."""
CHECKED_BY_READER = {
    *("game", "heuristic", "level", "negatives", "without", "by"),
    *("features", "network", "opponent", "tuples"),
}
"""Texts with words in them, of which there is another list for each game or a grammar; tested below and elsewhere."""
FREE = {
    *("memory", "engine", "noise", "modes", "background", "cluster", "digest", "title", "bands", "player", "shard"),
    *("openings", "order", "referee", "sprt", "time", "time_budget"),
    *("good_above", "bad_below", "start", "teacher", "program", "rules", "ratings", "evaluation"),
}
"""Texts that are names of files and others, commands, amounts or ranks."""


def test_every_parameter_of_text_is_words_or_checked_by_its_reader() -> None:
    kinds = ("str", "str | None", "Sequence[str] | None", str, str | None)
    texts = {one.name for _, one in PARAMETERS if one.annotation in kinds}
    assert texts == CHECKED_BY_READER | FREE
    assert len(WORDED) >= 14


@pytest.mark.parametrize(("name", "parameter"), WORDED, ids=lambda value: getattr(value, "name", value))
def test_a_wrong_word_is_refused_with_the_nearest(name: str, parameter: inspect.Parameter) -> None:
    word = re.findall(r"'([^']+)'", str(parameter.annotation))[-1]
    wrong = word[:-2] + word[-1] if len(word) > 2 else word + "x"
    needed = [one.name for found, one in PARAMETERS if found == name and one.default is one.empty]
    nothing = {key: None for key in needed if key != "settings"}
    with pytest.raises(gotools.GotoolsError, match=f"^{parameter.name}: there is no '{wrong}'; did you mean '{word}'"):
        FUNCTIONS[name](**nothing | {parameter.name: wrong})
    if type(None) not in get_args(parameter.annotation):
        with pytest.raises(gotools.GotoolsError, match=f"^{parameter.name}: there is no 'None'"):
            FUNCTIONS[name](**nothing | {parameter.name: None})


@pytest.mark.parametrize("game", ["cluster_moves", "compare_orders", "convert_records", "rate", "rank_moves", "train"])
def test_a_wrong_game_is_refused_with_the_nearest(game: str, made: Path, tmp_path: Path) -> None:
    more: dict[str, list[Any]] = {"compare_orders": [["perfect"]], "convert_records": [tmp_path / "x"]}
    more["rank_moves"] = [None, made / "eval.npz"]
    first = tmp_path / "x.npz" if game == "train" else GAME
    with pytest.raises(gotools.GotoolsError, match="did you mean 'connect4'"):
        list(FUNCTIONS[game](first, *more.get(game, []), game="conect4"))


def test_a_parameter_that_another_choice_uses_is_refused() -> None:
    with pytest.raises(gotools.GotoolsError, match=r"^background: goes with objective cover$"):
        gotools.induce_rules(GAME, objective="rank", background="own.pl")
    with pytest.raises(gotools.GotoolsError, match=r"^anchors: goes with method bradley-terry$"):
        gotools.rate([("a", "b", 1.0)], method="elo", anchors={"a": 1500.0})


def test_a_wrong_word_beside_the_settings_is_refused_too() -> None:
    with pytest.raises(gotools.GotoolsError, match=r"^format: there is no 'prolg'; did you mean 'prolog'"):
        gotools.convert_records(GAME, None, format="prolg")
    with pytest.raises(gotools.GotoolsError, match=r"^result: there is no 'decidd'; did you mean 'decided'"):
        gotools.read_games(GAME, result="decidd")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_shows_no_address(name: str) -> None:
    text = pydoc.render_doc(FUNCTIONS[name], renderer=pydoc.plaintext)  # type: ignore[attr-defined]
    assert " at 0x" not in text and f"{name}(" in text


def test_what_the_library_returns_prints_itself_in_one_line(made: Path) -> None:
    examples = gotools.read_examples(GAME)
    record, board = beginning()
    player = gotools.Player(rules=made / "rules.pl")
    study = gotools.induce_rules(examples, nodes=20, positives=5)
    found = [examples, record, board, player, player.choose(board, nodes=4), study, study.rules]
    found += [gotools.load_rules(made / "rules.pl"), gotools.load_rules(made / "rules.so")]
    found += [next(gotools.rank_moves(board, made / "rules.pl")), gotools.load_evaluation(made / "eval.npz")]
    found += [gotools.rate([("a", "b", 1), ("b", "a", 1)])]
    for one in found:
        shown = repr(one)
        assert type(one).__name__ in shown and "\n" not in shown and " at 0x" not in shown
        assert len(shown.replace(str(made), "")) < 180
    assert repr(examples) == f"GoExamples(rows={len(examples)}, games=1, size=9)"


def test_examples_become_a_data_frame_with_the_columns_of_their_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "NA.sgf").write_text("(;SZ[5];B[cc];W[bb];B[])")
    examples = gotools.read_examples(tmp_path / "NA.sgf")
    frame = examples.to_pandas()
    gotools.save(examples, tmp_path / "x.parquet")
    pandas.testing.assert_frame_equal(frame, pandas.read_parquet(tmp_path / "x.parquet"), check_dtype=False)
    assert frame["id"].tolist() == ["NA:1", "NA:2"] and frame["last"].isna().tolist() == [True, False]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(gotools.GotoolsError, match="pandas is not installed; `pip install pandas`"):
        examples.to_pandas()


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'gotools' has no attribute 'induce'"):
        _ = gotools.induce


def test_importing_the_package_and_all_modules_of_the_library_loads_nothing_heavy() -> None:
    modules = ", ".join(f"gotools.library.{path.stem}" for path in (ROOT / "gotools/library").glob("[a-z]*.py"))
    code = (
        f"import sys, gotools, {modules}; print([n for n in ('numpy', 'numba', 'scipy', 'rich') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_package_says_that_it_has_types() -> None:
    assert (ROOT / "gotools/py.typed").is_file()
    assert '"py.typed"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


# ---- records and examples ----


def test_games_are_read_one_by_one_and_chosen_by_size_and_result(tmp_path: Path) -> None:
    games = list(gotools.read_games(GAMES))
    assert len(games) == len(list(GAMES.glob("*.sgf"))) and {game.size for game in games} == {9}
    assert len({game.id for game in games}) == len(games)
    won = [game for game in games if game.result.startswith("B+")]
    assert [game.id for game in gotools.read_games(str(GAMES), result="B")] == [game.id for game in won] != []
    (tmp_path / "x.sgf").write_text("(;RE[黑中盘胜];B[cc])(;RE[白超时负];B[cc])(;RE[白2目半勝ち];B[cc])")
    taken = {words: [*gotools.read_games(str(tmp_path), result=words)] for words in ("B", "resign", "time", "score")}
    assert [len(games) for games in taken.values()] == [2, 1, 1, 1]
    assert list(gotools.read_games(GAMES, size=19)) == []


@pytest.mark.parametrize(
    ("game", "lacks"),
    [
        ("HA[2];W[ee]", True), ("HA[2];AB[cc][gg];W[ee]", False), ("HA[2]AW[cc];W[ee]", True), ("HA[0];W[ee]", False),
        ("AB[cc][gg]HA[2];W[ee]", False), ("HA[2];B[cc];B[gg];W[ee]", False), ("HA[2]B[cc];B[gg];W[ee]", False),
        ("HA[2] ; B[cc]C[AB\\];W\\[] ; W[gg]", True), ("HA[二子];B[cc]BL[9]\n;W[gg]", True),
        ("HA[1];B[cc];W[gg]", False),
    ],
)  # fmt: skip
def test_a_handicap_without_stones_is_reported(game: str, lacks: bool, tmp_path: Path) -> None:
    """By readers of games, and by ratings, whose classes have handicaps."""
    path, said, rated = tmp_path / "x.sgf", list[str](), list[str]()
    path.write_text(f"(;SZ[9]PB[a]PW[b]RE[B+1]KM[0.5]{game})", encoding="utf-8")
    assert len(list(gotools.read_games(path, report=said.append))) == 1
    gotools.rate(path, report=rated.append)
    assert [line for line in rated if "HA[" in line] == said == [f"{path}: HA[2], but no stones are set"] * lacks


def test_examples_are_those_of_the_command(tmp_path: Path) -> None:
    wanted = "unplayed=50,random=20,suicide"
    examples = gotools.read_examples(FEW, negatives=wanted, seed=5, max_moves=30)
    gotools.save(examples, tmp_path / "own.tsv")
    gotools.save(examples, tmp_path / "own.pl")
    options = ["--negatives", wanted, "--seed", "5", "--max-moves", "30"]
    command("sgf-to-examples", *FEW, *options, "-o", tmp_path / "examples.tsv")
    command("sgf-to-examples", *FEW, *options, "--format", "prolog", "-o", tmp_path / "examples.pl")
    assert same(tmp_path / "own.tsv", tmp_path / "examples.tsv")
    assert same(tmp_path / "own.pl", tmp_path / "examples.pl")
    again = gotools.read_examples(tmp_path / "examples.tsv")
    assert again.id == examples.id and (again.label == examples.label).all() and set(again.label.tolist()) == {0, 1}


def test_broken_games_are_reported_or_logged_or_raised(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.sgf").write_bytes(GAME.read_bytes())
    (tmp_path / "b.sgf").write_text("(;GM[1]SZ[9];B[aa];W[aa];B[bb])")
    lines: list[str] = []
    examples = gotools.read_examples(tmp_path, report=lines.append)
    assert len(lines) == 1 and "b.sgf: move 2 (W A9): occupied" in lines[0]
    with caplog.at_level(logging.WARNING, "gotools"):
        assert gotools.read_examples(tmp_path).id == examples.id
    assert caplog.messages == lines
    with pytest.raises(gotools.GotoolsError, match="occupied"):
        gotools.read_examples(tmp_path, strict=True)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"negatives": "unplaid"}, "did you mean 'unplayed'"),
        ({"rank_above": "strong"}, "strong"),
        ({"size": 19}, "no game of the size"),
    ],
)
def test_wrong_values_are_errors_of_gotools(options: dict[str, Any], what: str) -> None:
    with pytest.raises(gotools.GotoolsError, match=what):
        gotools.read_examples(GAME, **options)


def test_a_path_that_names_nothing_is_an_error() -> None:
    with pytest.raises(gotools.GotoolsError, match=r"none\.sgf: no such file"):
        gotools.read_games("none.sgf")


# ---- rules ----


def test_rules_that_cover_are_those_of_the_command_and_so_are_their_figures(tmp_path: Path) -> None:
    study = gotools.induce_rules(FEW, positives=40, test=GAME, seed=4, noise="20%")
    gotools.save(study, tmp_path / "own.pl")
    words = [*FEW, "--positives", "40", "--test", GAME, "--seed", "4", "--noise", "20%"]
    command("induce-patterns", *words, "-o", tmp_path / "rules.pl", "--metrics", tmp_path / "metrics.json")
    assert same(tmp_path / "own.pl", tmp_path / "rules.pl")
    metrics = read_json((tmp_path / "metrics.json").read_bytes())
    assert study.metrics["test"] == metrics["test"] and study.metrics["baselines"] == metrics["baselines"]


def test_rules_that_rank_are_those_of_the_command(made: Path, tmp_path: Path) -> None:
    words = [*FEW, "--objective", "rank", "--max-rules", "12", "--seed", "2"]
    command("induce-patterns", *words, "-o", tmp_path / "rules.pl")
    assert same(made / "rules.pl", tmp_path / "rules.pl")


def test_compiled_rules_are_those_of_the_command_whether_from_a_file_or_not(made: Path, tmp_path: Path) -> None:
    rules = gotools.load_rules(made / "rules.pl").rules
    assert gotools.compile_rules(rules, tmp_path / "a.c").digest == rules.digest
    gotools.compile_rules(made / "rules.pl", tmp_path / "b.c", header=tmp_path / "own.h")
    command("compile-patterns", made / "rules.pl", "-o", tmp_path / "rules.c", "--header", tmp_path / "rules.h")
    assert same(tmp_path / "b.c", tmp_path / "rules.c") and same(tmp_path / "own.h", tmp_path / "rules.h")
    assert (tmp_path / "a.c").read_text() == (tmp_path / "b.c").read_text()
    assert gotools.load_rules(made / "rules.so", digest=rules.digest[:12]).rules.digest == rules.digest


def test_a_set_of_rules_is_saved_and_loaded_again(made: Path, tmp_path: Path) -> None:
    rules = gotools.load_rules(made / "rules.pl").rules
    gotools.save(rules, tmp_path / "again.pl")
    assert same(tmp_path / "again.pl", made / "rules.pl")


def values_of(moves: RankedMoves) -> NDArray[np.float64]:
    assert moves.values is not None
    return moves.values


def test_moves_are_ranked_as_by_the_command(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "ranking.tsv"
    command("rank-moves", GAME, "--rules", made / "rules.so", "--eval", made / "eval.npz", "--top", "4", "-o", path)
    rows = list(csv.reader((line for line in path.read_text().splitlines() if line[:2] != "##"), delimiter="\t"))[1:]
    found = [
        (moves.id, vertex, f"{score:.4f}", f"{share:.4f}", ",".join(fired) or "-", f"{value:.4f}")
        for moves in gotools.rank_moves(GAME, made / "rules.so", made / "eval.npz", top=4)
        for vertex, score, share, fired, value in zip(
            moves.vertices, moves.scores, moves.probability, moves.fired, values_of(moves), strict=True
        )
    ]
    assert [tuple(row[k] for k in (0, 2, 3, 4, 6, 7)) for row in rows] == found != []
    played = [moves.played for moves in gotools.rank_moves(GAME, made / "rules.pl", top=4)]
    of_command = {row[0]: int(row[1]) - 1 for row in rows if row[5] == "1"}
    ids = [moves.id for moves in gotools.rank_moves(GAME, made / "rules.pl", top=4)]
    assert {name: place for name, place in zip(ids, played, strict=True) if place is not None} == of_command != {}


def test_a_board_is_ranked_like_the_same_position_of_a_game(made: Path) -> None:
    record, board = beginning()
    of_game = list(gotools.rank_moves(GAME, made / "rules.pl"))
    for (colour, point), moves in zip(record.moves.tolist()[:20], of_game[:20], strict=True):
        (here,) = gotools.rank_moves(board, made / "rules.pl")
        assert (here.to_play, here.vertices) == (moves.to_play, moves.vertices)
        assert np.array_equal(here.scores, moves.scores) and here.fired == moves.fired
        assert moves.points[moves.played] == point and here.played is None
        board.play_point(point, colour)


def test_figures_of_rules_are_those_of_rank_moves(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "metrics.json"
    command("rank-moves", GAME, "--rules", made / "rules.pl", "--metrics", path, "-o", tmp_path / "ranking.tsv")
    assert gotools.measure_rules(made / "rules.so", gotools.read_examples(GAME)) == read_json(path.read_bytes())


def test_ranking_by_nothing_is_an_error() -> None:
    with pytest.raises(gotools.GotoolsError, match=r"^rules: name the rules: rules\.pl or rules\.so, or evaluation$"):
        next(gotools.rank_moves(GAME))


# ---- values ----


def test_an_evaluation_is_that_of_the_command(made: Path, tmp_path: Path) -> None:
    words = ["--games", "64", "--referee-games", "2", "--seed", "3"]
    command("train-eval", *words, "-o", tmp_path / "eval.npz", "--log", tmp_path / "log.tsv")
    assert same(made / "eval.npz", tmp_path / "eval.npz") and same(made / "log.tsv", tmp_path / "log.tsv")


def test_a_training_goes_on_and_takes_settings_by_name(tmp_path: Path) -> None:
    settings = {"game": "tictactoe", "features": "raw", "network": "mlp:4", "alpha": (0.1, 0.05), "lam": 0.5}
    whole = gotools.train(tmp_path / "whole.npz", games=320, referee_games=0, **settings)
    gotools.train(tmp_path / "parts.npz", games=160, referee_games=0, **settings)
    parts = gotools.train(tmp_path / "parts.npz", games=320, referee_games=0, resume=True, **settings)
    state = find_game("tictactoe").play(find_game("tictactoe").position(3), 4)
    assert whole.games == parts.games == 320 and whole.value(state) == parts.value(state) != 0.0
    with pytest.raises(gotools.GotoolsError, match="exists; --resume goes on"):
        gotools.train(tmp_path / "parts.npz", games=320, **settings)
    with pytest.raises(gotools.GotoolsError, match="--sigma means nothing to"):
        gotools.train(tmp_path / "other.npz", sigma=0.2)


def test_values_of_positions_are_those_of_their_boards(made: Path) -> None:
    evaluation = gotools.load_evaluation(made / "eval.npz")
    assert (evaluation.game, evaluation.size, evaluation.komi, evaluation.games) == ("go", 9, 7.5, 64)
    record, board = beginning()
    values, found = evaluation.values(GAME), []
    for colour, point in record.moves.tolist():
        if point >= 0:
            found.append(evaluation.value(board))
        board.play_point(point, colour)
    assert values.tolist() == found and -1 <= values.min() < values.max() <= 1
    assert all(reason.what for reason in evaluation.why(board))
    with pytest.raises(gotools.GotoolsError, match="weights for go 9x9, not for go 5x5"):
        evaluation.value(gotools.Board(5))


# ---- players, tournaments, ratings ----


@pytest.mark.system
def test_a_player_chooses_what_gtp_answers(made: Path) -> None:
    board = gotools.Board(9)
    board.play_point(20, board.to_play)
    for options, words in (
        ({"rules": made / "rules.so", "seed": 6}, ["--rules", made / "rules.so", "--seed", "6"]),
        ({"evaluation": made / "eval.npz"}, ["--eval", made / "eval.npz"]),
    ):
        player = gotools.Player(**options)
        move = player.choose(board, nodes=200)
        line = [sys.executable, "-m", "gotools", "gtp", "-q", "--nodes", "200", *map(str, words)]
        session = "boardsize 9\nplay b C3\ngenmove w\nquit\n"
        done = forked.run(line, input=session, cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.split("\n\n")[2] == f"= {move.vertex}"
        assert move.line[0] == move.vertex and 0 <= move.winrate <= 1 and move.reason
        assert player.explain(board, move).startswith(f"{move.vertex}: ")
        assert board.is_legal(move.point, 2) and int((board.cells > 0).sum()) == 1


def test_a_player_refuses_what_it_cannot_use(made: Path) -> None:
    with pytest.raises(gotools.GotoolsError, match="alphabeta"):
        gotools.Player(search="mcts", evaluation=made / "eval.npz")
    with pytest.raises(gotools.GotoolsError, match="weights for 9x9, not for 13x13"):
        gotools.Player(evaluation=made / "eval.npz").choose(gotools.Board(13), nodes=10)


def test_a_tournament_is_played_gone_on_with_and_rated(tmp_path: Path) -> None:
    engines = {"more": "gotools:nodes=12", "less": "gotools:nodes=2"}
    options: dict[str, Any] = {"size": 4, "openings": "none", "max_moves": 12}
    first = gotools.run_tournament(engines, tmp_path / "run", games=2, **options)
    whole = gotools.run_tournament(engines, tmp_path / "run", games=4, **options)
    assert (len(first.results), len(whole.results), whole.exit_code) == (2, 4, 0)
    assert list(whole.results[:2]) == list(first.results)
    ratings = gotools.rate(tmp_path / "run")
    assert {row.name for row in ratings.rows} == {"more", "less"} and ratings.settings["games"] == 4
    command("elo", tmp_path / "run", "-o", tmp_path / "ratings.tsv")
    gotools.save(ratings, tmp_path / "own.tsv")
    assert same(tmp_path / "own.tsv", tmp_path / "ratings.tsv")


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"sise": 9}, "there is no setting 'sise'; did you mean 'size'"),
        ({"size": 99}, "size: 99 is not a whole number"),
        ({"sprt": "elo0=0"}, "elo1"),
    ],
)
def test_wrong_settings_of_a_tournament_are_refused(settings: dict[str, Any], what: str, tmp_path: Path) -> None:
    with pytest.raises(gotools.GotoolsError, match=what):
        gotools.run_tournament({"a": "true", "b": "true"}, tmp_path / "run", **settings)
    assert not (tmp_path / "run").exists()


RESULTS = [("a", "b", 1.0), ("b", "a", 0.5), ("b", "c", 1.0), ("c", "a", 0.0), ("c", "b", 1.0), ("a", "c", 0.0)]


@pytest.mark.parametrize("method", ["bradley-terry", "elo", "abalone"])
def test_games_given_as_tuples_are_rated_as_those_of_a_file(method: str, tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    table.write_text("black,white,result\n" + "".join(f"{b},{w},{score}\n" for b, w, score in RESULTS))
    gotools.save(gotools.rate(RESULTS, method=method), tmp_path / "own.json")
    command("elo", table, "--method", method, "-o", tmp_path / "ratings.json")
    own, other = (read_json((tmp_path / name).read_bytes()) for name in ("own.json", "ratings.json"))
    assert own["ratings"] == other["ratings"] and len(own["ratings"]) == 3


def test_a_rating_holds_all_that_was_found() -> None:
    report = gotools.rate(RESULTS, compare=("a", "c"), anchors={"b": 1000.0}, level=0.9)
    (ratings,) = report.ratings
    assert {row.name: row.elo for row in report.rows} == dict(zip(ratings.players, ratings.elo.tolist(), strict=True))
    assert report.comparison is not None and report.comparison.first == "a"
    assert next(row.elo for row in report.rows if row.name == "b") == pytest.approx(1000.0)


@pytest.mark.parametrize(
    ("results", "what"),
    [
        ([("a", "b", 2)], "is not a game"),
        ([("a", "b")], "is not a game"),
        ([("a", "b", 1), "games.csv"], "not both"),
        ([], "game"),
    ],
)
def test_what_cannot_be_rated_is_an_error(results: list[object], what: str) -> None:
    with pytest.raises(gotools.GotoolsError, match=what):
        gotools.rate(results)


# ---- orders of moves ----


def test_clusters_are_those_of_the_command_and_orders_compare_alike(tmp_path: Path) -> None:
    gotools.save(gotools.cluster_moves(FEW, k=3, starts=2, seed=1), tmp_path / "own.tsv")
    command("cluster-moves", *FEW, "--k", "3", "--starts", "2", "--seed", "1", "-o", tmp_path / "clusters.tsv")
    assert same(tmp_path / "own.tsv", tmp_path / "clusters.tsv")
    found = gotools.compare_orders(GAME, [tmp_path / "clusters.tsv"], depth=2, positions=3)
    command(
        "order-bench", GAME, "--order", tmp_path / "clusters.tsv", "--depth", "2", "--positions", "3",
        "-o", tmp_path / "orders.json",
    )  # fmt: skip
    totals = read_json((tmp_path / "orders.json").read_bytes())["totals"]
    assert [(one.order, one.nodes) for one in found.totals] == [(one["order"], one["nodes"]) for one in totals]
    assert len(found.searches) == 3 and len(totals) == 2


def test_what_has_no_file_format_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(gotools.GotoolsError, match="dict has no file format"):
        gotools.save({}, tmp_path / "x.tsv")  # type: ignore[arg-type]
    assert not (tmp_path / "x.tsv").exists()
