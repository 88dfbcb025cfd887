"""`gotools report` of rules, games and tables: what the page says, against the library and the records."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from commands.test_report import Page, page_of
from matplotlib.image import imread
from support.needs import ROOT

import gotools
from gotools.cli import run
from gotools.files.tables import read_table
from gotools.game.game import find_game
from gotools.games.go.points import vertex
from gotools.library.ranking import RankedMoves
from gotools.rules.compiled.build import build_library
from gotools.values.td.shapes import shapes_of
from gotools.values.weights.weights_file import Weights, save_weights
from gotools.views.pictures import ZOOM

GAMES = [str(ROOT / f"examples/test-games/gnugo-100{number}.sgf") for number in (1, 2, 3)]
RULES = """%% gotools rules 1
%% sizes=9-9
rule(r1, 10, 20, 0.5).
move(A,B,C,D) :- stage(A,open).
rule(r2, 30, 40, 1.25).
move(A,B,C,D) :- last_distance(A,C,D,E), range(E,1,3).
rule(r3, 5, 0, -0.75).
move(A,B,C,D) :- line(A,C,D,1).
"""
FIVE = "(;GM[1]SZ[5]PB[<b>me</b>]PW[you]RE[B+R];B[cc];W[bb];B[dd];W[bd];B[cd])"


@pytest.fixture
def rules(tmp_path: Path) -> str:
    (tmp_path / "rules.pl").write_text(RULES)
    return str(tmp_path / "rules.pl")


def cards(page: Page) -> dict[str, dict[str, str]]:
    """Return the facts of each card by its rule."""
    parts = page.text.split('<article class="card">')[1:]
    facts = [dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", part.split("</article>")[0])) for part in parts]
    return {one["rule"]: one for one in facts}


def fires(ranked: list[RankedMoves], rule: str) -> tuple[int, int]:
    """Return at how many legal moves a rule fires, and at how many of those played."""
    at_all = sum(rule in some for one in ranked for some in one.fired)
    return at_all, sum(one.played is not None and rule in one.fired[one.played] for one in ranked)


def test_coverage_and_lift_are_those_counted_move_by_move(rules: str, tmp_path: Path) -> None:
    found = cards(page_of(rules, *GAMES, tmp_path))
    ranked = list(gotools.rank_moves(GAMES, rules))
    positions, moves = len(ranked), sum(len(one.vertices) for one in ranked)
    assert list(found) == ["r2", "r3", "r1"], "the weightiest first"
    for rule, facts in found.items():
        at_all, at_played = fires(ranked, rule)
        assert facts["coverage"] == f"{100 * at_played / positions:.1f} %"
        assert facts["lift"] == f"{at_played / at_all / (positions / moves):.2f}"
    assert found["r2"]["weight"] == "+1.25" and found["r2"]["P"] == "30"


def test_what_rules_speak_of_is_said_in_words(rules: str, tmp_path: Path) -> None:
    page = page_of(rules, tmp_path)
    chart = page.text.split('aria-label="what the rules speak of"')[1].split("</svg>")[0]
    labels = re.findall(r"<text[^>]*>([a-z][a-z ]*)</text>", chart)
    assert labels[1:] == ["distance to last move", "line from the edge", "stage of the game"]  # by 1.25, 0.75, 0.5
    head, foot = page.text.split("<footer>")
    assert "<title>3 rules about where to move</title>" in head and "9-9" not in head and "<dd>9-9</dd>" in foot


def test_a_rule_fires_in_its_examples_at_the_move_played_each_from_another_game(rules: str, tmp_path: Path) -> None:
    page = page_of(rules, *GAMES, tmp_path)
    ranked = {one.id: one for one in gotools.rank_moves(GAMES, rules)}
    for part in page.text.split('<article class="card">')[1:]:
        rule = str(re.findall(r"<dt>rule</dt><dd>(.*?)</dd>", part)[0])
        shown = re.findall(r"<figcaption>(gnugo-\d+), move (\d+): (black|white), (\d+)\xa0%</figcaption>", part)
        assert len(shown) == len({name for name, *_ in shown}) == (0 if rule == "r3" else 3), "r3 speaks against moves"
        shares = []
        for name, place, side, share in shown:
            one = ranked[f"{name}:{place}"]
            assert one.played is not None and rule in one.fired[one.played]
            assert (side, share) == (("", "black", "white")[one.to_play], f"{100 * one.probability[one.played]:.0f}")
            shares.append(float(one.probability[one.played]))
        mine = [one for one in ranked.values() if one.played is not None and rule in one.fired[one.played]]
        assert shares == sorted(shares, reverse=True)
        assert not shares or shares[0] == max(float(one.probability[one.played or 0]) for one in mine)


def test_the_table_of_moves_found_is_that_of_the_metrics(rules: str, tmp_path: Path) -> None:
    page = page_of(rules, *GAMES, tmp_path)
    metrics = gotools.measure_rules(rules, GAMES)
    rows = {row[0]: row[1:] for row in next(table for title, table in page.tables.items() if title == "Moves found")}
    for label, row in (("rules", metrics["test"]), ("near last move", metrics["baselines"]["near_last_move"])):
        assert rows[label] == [f"{100 * row[f'top{k}']:.1f} %" for k in (1, 3, 5, 10, 20)]


def test_a_game_shows_the_likely_moves_of_each_position_and_its_surprises(rules: str, tmp_path: Path) -> None:
    page = page_of(rules, *GAMES, tmp_path)
    ranked = {one.id: one for one in gotools.rank_moves(GAMES, rules)}
    first = page.data["games"][0]
    for place, text in enumerate(first["h"]):
        one = ranked.get(f"gnugo-1001:{place + 1}")
        if one is None:  # a pass
            assert text == ""
            continue
        shown = re.findall(r"(..)(\d\d)", text)
        expected = [
            (vertex(int(point), 9), round(100 * float(share)))
            for point, share in list(zip(one.points, one.probability, strict=True))[:5]
            if share >= 0.01
        ]
        assert [(vertex((8 - ord(at[1]) + 97) * 9 + ord(at[0]) - 97, 9), int(share)) for at, share in shown] == expected
    least = min((float(one.probability[one.played or 0]), one.id) for one in ranked.values() if one.played is not None)
    head, worst, *_ = page.tables["Moves that were expected least"]
    assert head == ["game", "move", "played", "expected", "probability"]
    assert f"{worst[0]}:{worst[1]}" == least[1]
    link = next(dict(values) for tag, values in page.elements if ":" in (values.get("data-game") or ""))
    assert link["data-game"] == f"{int(worst[0][-1]) - 1}:{int(worst[1]) - 1}"


def test_learned_values_give_a_curve_and_the_moves_that_lost_most(tmp_path: Path) -> None:
    count = shapes_of(find_game("go"), 5).weights
    weights = str(tmp_path / "eval.npz")
    numbers = np.random.default_rng(1).normal(size=count) / 9
    numbers[0] = 0.0  # as in every file of shapes
    save_weights(weights, Weights("go", 5, 7.5, "shapes", "linear", 9, numbers))
    (tmp_path / "five.sgf").write_text(FIVE)
    page = page_of(str(tmp_path / "five.sgf"), weights, tmp_path)
    ranked = list(gotools.rank_moves(str(tmp_path / "five.sgf"), evaluation=weights))
    chances, lost = [], []
    for one in ranked:
        assert one.values is not None and one.played is not None
        value = float(one.values[one.played])
        chances.append(round(50 * (1 + (value if one.to_play == 1 else -value))))
        lost.append(50 * (max(0.0, float(one.values[:5].max()) - value)))
    assert page.data["games"][0]["v"] == chances
    rows = page.tables["Moves that lost most"][1:]
    assert [row[-1] for row in rows] == [f"{loss:.0f} %" for loss in sorted(filter(None, lost), reverse=True)]
    assert "&lt;b&gt;me&lt;/b&gt;" in page.text and "<b>" not in page.text


def test_records_of_another_game_are_judged_by_learned_values_as_its_moves_are_ranked(tmp_path: Path) -> None:
    labels = find_game("tictactoe").find_features("raw").labels(3)
    numbers = np.random.default_rng(2).normal(size=len(labels))
    weights, games = str(tmp_path / "w.npz"), tmp_path / "games.jsonl"
    save_weights(weights, Weights("tictactoe", 3, 0.0, "raw", "linear", 9, numbers, np.ones(len(labels))))
    games.write_text('{"game": "tictactoe", "moves": ["b2", "a1", "c3", "b1", "c1"]}\n')
    page = page_of(str(games), weights, "--game", "tictactoe", tmp_path)
    ranking = str(tmp_path / "ranking.tsv")
    assert run(["rank-moves", str(games), "--game", "tictactoe", "--eval", weights, "-q", "-o", ranking]) == 0
    _, columns, _, rows = read_table(ranking, "ranking", 2)
    ranked = [dict(zip(columns, row, strict=True)) for _, row in rows]
    (found,) = page.data["games"]
    shares = [float(row["probability"]) for row in ranked if row["played"] == "1"]
    assert len(shares) == 5 and found["p"] == [pytest.approx(100 * share, abs=0.51) for share in shares]
    assert found["w"] == ["b2", "a1", "c3", "b1", "c1"] and len(found["b"]) == 6
    best = [row["point"] for row in ranked if row["rank"] == "1"]
    assert [text.split()[1] for text in found["c"]] == best, "the likeliest move is named below each position"
    worst = page.tables["Moves that were expected least"][1]
    assert (worst[0], worst[1]) == ("games", str(1 + int(np.argmin(shares))))


def test_where_white_begins_the_sides_are_named_beside_the_board(tmp_path: Path) -> None:
    (tmp_path / "g.jsonl").write_text('{"game": "shogi:rook", "moves": ["3c3d", "7g7f"]}\n')
    (found,) = page_of(str(tmp_path / "g.jsonl"), "--game", "shogi", tmp_path).data["games"]
    assert found["c"] == ["white 3c3d", "black 7g7f"] and not found["w"]


def test_games_of_several_sizes_and_a_broken_one_make_one_section(
    rules: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mixed.sgf").write_text(f"{FIVE}(;GM[1]SZ[9];B[ee];W[gg](;GM[1]SZ[7]AB[bb][cc];W[dd];B[dd])")
    page = page_of(rules, str(tmp_path / "mixed.sgf"), tmp_path)
    assert [one["s"] for one in page.data["games"]] == [5, 7]
    assert sorted(page.data["games"][1]["x"]) == [[0, 1, "bb"], [0, 1, "cc"]]
    error = capfd.readouterr().err
    assert "mixed.sgf" in error and "Traceback" not in error
    assert "untested on 5x5 and 7x7" in page.text


def test_rules_with_predicates_of_a_user_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "own.pl"
    path.write_text(RULES + "rule(r4, 5, 0, 2).\nmove(A,B,C,D) :- mine(A,C,D,2), stage(A,middle).\n")
    page = page_of(str(path), GAMES[0], tmp_path)
    assert "not matched with games" in page.text and next(iter(cards(page))) == "r4"
    assert "coverage" not in cards(page)["r2"]


def test_compiled_rules_make_the_same_page(rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, built = page_of(rules, *GAMES, tmp_path), []

    def build(source: str, target: Path) -> None:
        built.append(target)
        build_library(source, target)

    monkeypatch.setattr("gotools.views.inputs.MANY_GAMES", 0)
    monkeypatch.setattr("gotools.rules.matching.build_library", build)
    assert page_of(rules, *GAMES, tmp_path).text == page.text and len(built) == 1


def test_games_alone_are_there_to_replay(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games/five.sgf").write_text(FIVE)
    page = page_of(str(tmp_path / "games"), tmp_path)
    assert page.data["games"][0]["m"] == "ccBBddBDcd" and "h" not in page.data["games"][0]


@pytest.mark.parametrize("name", ["none", "other.sgf"])
def test_games_that_cannot_be_read_are_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "other.sgf").write_text("(;GM[1002]SZ[3];B[b2])")
    assert run(["report", str(tmp_path / name), "-q", "-o", str(tmp_path / "page.html")]) == 1
    assert capfd.readouterr().err.splitlines()[-1].startswith(f"gotools report: {tmp_path / name}: no ")
    assert not (tmp_path / "page.html").exists()


def test_tables_are_shown_with_their_figures(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("black,white,result\na,b,B+R\nb,a,B+R\na,c,W+R\nc,b,W+R\n")
    ratings = tmp_path / "ratings.tsv"
    assert run(["elo", str(tmp_path / "r.csv"), "-q", "-o", str(ratings)]) == 0
    log = tmp_path / "log.tsv"
    log.write_text(
        "##gotools training-log 2\n##game=go\ngames\tsquared_error\trandom\trandom_low\trandom_high\n"
        "100\t0.5\t0.6\t0.5\t0.7\n200\t0.4\t0.7\t0.6\t0.8\n300\t0.3\t0.8\t0.7\t0.9\n"
    )
    page = page_of(str(ratings), str(log), tmp_path)
    assert page.text.count('class="span c0"') == 3, "an interval for each player"
    assert page.text.count('class="band c0"') == 1, "of the share against the random player"
    assert [row[0] for row in page.tables["Rows"][1:]] == ["100", "200", "300"]
    assert '<a href="#section-2">Log of a training</a> <span>log.tsv</span>' in page.text
    assert "<title>Ratings; Log of a training</title>" in page.text


def test_each_drawing_is_a_file_that_is_well_formed(rules: str, tmp_path: Path) -> None:
    folder = tmp_path / "drawings"
    target = tmp_path / "page.html"
    assert run(["report", rules, GAMES[0], "-q", "-o", str(target), "--svg", str(folder)]) == 0
    files = sorted(folder.iterdir())
    assert len(files) == target.read_text().count("<svg ") > 10
    for file in files:
        root = ElementTree.parse(file).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg" and root.get("aria-label")
    names = [file.name for file in files]
    assert {"rules.pl-accuracy.svg", "rules.pl-rule-r2.svg", "gnugo-1001.sgf-end-of-first-game.svg"} <= set(names)
    before = [file.read_bytes() for file in files]
    assert run(["report", rules, GAMES[0], "-q", "-o", str(target), "--svg", str(folder)]) == 0
    assert [file.read_bytes() for file in files] == before


def test_png_shows_what_the_svg_says(rules: str, tmp_path: Path) -> None:
    """Black stones are black where the drawing has them, and the move's ring is red."""
    target = tmp_path / "page.html"
    folders = ["--svg", str(tmp_path / "svg"), "--png", str(tmp_path / "png")]
    assert run(["report", rules, GAMES[0], "-q", "-o", str(target), *folders]) == 0
    names = sorted(file.stem for file in (tmp_path / "svg").iterdir())
    assert sorted(file.stem for file in (tmp_path / "png").iterdir()) == names
    stones = 0
    for name in names:
        root = ElementTree.parse(tmp_path / "svg" / f"{name}.svg").getroot()
        pixels = imread(tmp_path / "png" / f"{name}.png")[..., :3]
        width, height = (float(word) for word in root.get("viewBox", "").split()[2:])
        assert pixels.shape[:2] == (pytest.approx(height * ZOOM, abs=1), pytest.approx(width * ZOOM, abs=1))
        for group in root.iter("{http://www.w3.org/2000/svg}g"):
            for circle in group if group.get("class") == "black" else []:
                x, y = (float(circle.get(word, "nan")) * ZOOM for word in ("cx", "cy"))
                near = pixels[round(y + 16), round(x + 16)]  # beside the mark of the last move
                stones += 1
                assert np.abs(near * 255 - (0x17, 0x18, 0x1A)).max() < 3
    assert stones > 20
