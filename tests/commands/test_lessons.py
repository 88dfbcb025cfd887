"""`gotools lessons`: every count against a slow twin, one table from every way in, and what goes wrong in one line."""

from __future__ import annotations

import csv
import html
import random
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from scipy.stats import binomtest
from support.declared import declared
from support.slow import SlowGo
from support.slow_induction import Example, covers
from support.written_json import read_json

import gotools
from gotools.cli import run
from gotools.rules.clauses.rules import Rule, load_rules

RULES = """%% gotools rules 1
%% vocabulary=full

rule(near, 40, 3, 1.25).
move(A,B,C,D) :- last_distance(A,C,D,N), range(N,1,3).
rule(takes, 9, 1, 2.5).
move(A,B,C,D) :- opposite(B,E), captures(A,F,C,D,E).
rule(low, 9, 1, -0.5).
move(A,B,C,D) :- line(A,C,D,1).
rule(grows, 1, 1, 0.3).
move(A,B,C,D) :- connects_direct(A,F,C,D,B), stone_cnt(A,F,N), range(N,2,4).
"""
CLAUSE = "##gotools lessons 1\n##bands=a,b\nrule\ta\tb\tdifference\tlow\thigh\twords\tclause\n"
BANDS = ("--bands", "20k-10k,9k-1k,1d-5d")
PLAYERS = (("weak", "15k"), ("also weak", "12k"), ("middle", "5k"), ("strong", "2d"), ("<b>bold", "4d"), ("nobody", ""))
SIZE = 5
EXAMPLES = Path(__file__).parents[2] / "examples/games"
Counts = Counter[tuple[str, str, str]]
Move = tuple[int, int]
Moves = tuple[Move | None, Move | None]


def of_band(rank: str) -> str:
    return {"": "-", "15k": "20k-10k", "12k": "20k-10k", "5k": "9k-1k", "2d": "1d-5d", "4d": "1d-5d"}[rank]


def write_games(folder: Path, count: int) -> Counts:
    """Write games on boards of 5x5, and count by hand: (band or player, rule, what)."""
    chance, counts = random.Random(1), Counts()
    rules = load_rules(folder / "rules.pl").rules
    for number in range(count):
        pair = chance.sample(PLAYERS, 2)
        go, text = SlowGo(SIZE, {}), ""
        last: Moves = (None, None)
        text += "".join(f"P{c}[{name}]{c}R[{rank}]" for c, (name, rank) in zip("BW", pair, strict=True))
        for ply in range(14):
            colour, player = 1 + ply % 2, pair[ply % 2]
            free = [(x, y) for x in range(SIZE) for y in range(SIZE) if go.is_legal((x, y), colour)]
            if not free:
                break
            move = chance.choice(free)
            count_decision(counts, rules, go, free, move, colour, last, player)
            go.play(move, colour)
            last = (move, last[0])
            text += f";{'BW'[colour - 1]}[{chr(97 + move[0])}{chr(96 + SIZE - move[1])}]"
        (folder / f"g{number}.sgf").write_text(f"(;GM[1]SZ[{SIZE}]{text})")
    return counts


def count_decision(
    counts: Counts,
    rules: tuple[Rule, ...],
    go: SlowGo,
    free: list[Move],
    move: Move,
    colour: int,
    last: Moves,
    player: tuple[str, str],
) -> None:
    """Add what a decision says of each rule to the counts of the player and of the band."""
    name, rank = player
    examples = {at: Example(SIZE, go.stones, colour, at, last) for at in free}
    for rule in rules:
        fires = {at: covers(rule.body, example) for at, example in examples.items()}
        for group in (of_band(rank), name):
            counts[group, rule.id, "opportunities"] += any(fires.values())
            counts[group, rule.id, "taken"] += fires[move]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Counts]:
    """A folder with rules.pl, rules.so and games, and the counts by the slow twin."""
    folder = tmp_path_factory.mktemp("lessons")
    (folder / "rules.pl").write_text(RULES)
    assert run(["compile-patterns", "-q", str(folder / "rules.pl"), "-o", str(folder / "rules.so")]) == 0
    (folder / "games").mkdir()
    (folder / "games/rules.pl").write_text(RULES)
    counts = write_games(folder / "games", 10)
    (folder / "games/rules.pl").unlink()
    return folder, counts


def lessons(*arguments: str | Path) -> int:
    return run(["lessons", "-q", *map(str, arguments)])


def rows_of(path: Path) -> dict[str, dict[str, str]]:
    lines = [line for line in path.read_text().splitlines() if not line.startswith("##")]
    return {row["rule"]: row for row in csv.DictReader(lines, delimiter="\t")}


@pytest.fixture(scope="module")
def table(made: tuple[Path, Counts]) -> Path:
    """Lessons with a player."""
    folder, _ = made
    out = folder / "lessons.tsv"
    assert lessons(folder / "games", "--rules", folder / "rules.so", *BANDS, "--player", "middle2", "-o", out) == 1
    assert not out.exists()
    assert lessons(folder / "games", "--rules", folder / "rules.so", *BANDS, "-o", out) == 0
    return out


def test_every_count_is_that_of_the_slow_twin(made: tuple[Path, Counts], table: Path) -> None:
    _, counts = made
    rows = rows_of(table)
    assert set(rows) == {"near", "takes", "low", "grows"}
    for rule, row in rows.items():
        for band in ("20k-10k", "9k-1k", "1d-5d"):
            could, did = counts[band, rule, "opportunities"], counts[band, rule, "taken"]
            assert int(row[f"{band}_opportunities"]) == could > 0
            assert float(row[band]) == pytest.approx(did / could, abs=5.1e-5)
            naive = binomtest(did, could).proportion_ci(method="wilson")
            low, high = float(row[f"{band}_low"]), float(row[f"{band}_high"])
            assert low <= naive.low + 1e-4 and high >= naive.high - 1e-4  # never narrower
        assert float(row["difference"]) == pytest.approx(float(row["1d-5d"]) - float(row["20k-10k"]), abs=2e-4)
    least = [max(0.0, float(row["low"]), -float(row["high"])) for row in rows.values()]
    assert least == sorted(least, reverse=True)


def test_ratings_in_the_place_of_ranks_give_the_same_bands(
    made: tuple[Path, Counts], table: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, _ = made
    ratings = {"15k": "1010", "12k": "1499?", "5k": "1600", "2d": "2100", "4d": "2999", "": ""}
    for path in (folder / "games").iterdir():
        text = re.sub(r"R\[(\w*)\]", lambda rank: f"R[{ratings[rank[1]]}]", path.read_text())
        (tmp_path / path.name).write_text(text)
    bands, rules = ("--bands", "1000-1499,1500-1999,2000-2999"), folder / "rules.so"
    out = tmp_path / "rated.tsv"
    assert lessons(tmp_path, "--rules", rules, *bands, "-o", out) == 0
    assert [list(row.values()) for row in rows_of(out).values()] == [
        list(row.values()) for row in rows_of(table).values()
    ]
    assert lessons(folder / "games", "--rules", rules, *bands) == 1
    assert "no player has a rating" in capfd.readouterr().err


RATED = {"weak": 690, "also weak": 909.5, "middle": 1010, "strong": 1020.25, "<b>bold": 1170}


def write_ratings(path: Path, rated: dict[str, float]) -> Path:
    """Write a table as elo does."""
    columns = "rank\tname\telo\tlow\thigh\tgames\twins\tdraws\tlosses\tscore\tsuperiority"
    rows = (f"1\t{name}\t{elo}\t\t\t1\t1\t0\t0\t1\t" for name, elo in rated.items())
    path.write_text("\n".join(["##gotools ratings 1", columns, *rows, ""]))
    return path


def test_players_are_compared_by_the_ratings_of_elo(
    made: tuple[Path, Counts], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder, counts), out = made, tmp_path / "rated.tsv"
    ratings = write_ratings(tmp_path / "ratings.tsv", RATED)
    given = ("--rules", folder / "rules.so", "--ratings", ratings)
    assert lessons(folder / "games", *given, "-o", out) == 0
    for rule, row in rows_of(out).items():
        for half, bands in (("weaker", ["20k-10k"]), ("stronger", ["9k-1k", "1d-5d"])):
            could, did = (sum(counts[band, rule, what] for band in bands) for what in ("opportunities", "taken"))
            assert int(row[f"{half}_opportunities"]) == could
            assert float(row[half]) == pytest.approx(did / could, abs=1e-4)
    assert lessons(folder / "games", *given, "--bands", "1000-1015,1016-1200", "-o", tmp_path / "bands.tsv") == 0
    assert "1000-1015_opportunities" in next(iter(rows_of(tmp_path / "bands.tsv").values()))
    capfd.readouterr()
    assert lessons(folder / "games", *given, *BANDS) == 2
    assert capfd.readouterr().err.endswith("--bands: with --ratings they are of ratings: 1000-1499,1500-1999\n")
    for rated, what in (({"middle": 1}, "two ratings are compared at least"), ({"x": 1}, "no player has a rating")):
        write_ratings(ratings, dict(rated))
        assert lessons(folder / "games", *given) == 2
        assert capfd.readouterr().err.endswith(f"--ratings: {what}\n")


def test_a_game_without_vocabulary_is_refused_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "g.jsonl").write_text('{"game": "nim", "moves": ["1"]}')
    with declared(tmp_path, nim="nim_game:NIM"):
        assert lessons(tmp_path / "g.jsonl", "--game", "nim") == 1
    assert capfd.readouterr().err == "gotools lessons: nim has no vocabulary of rules\n"


def test_a_player_is_compared_with_the_bands_of_the_others(made: tuple[Path, Counts], tmp_path: Path) -> None:
    folder, counts = made
    out = tmp_path / "l.tsv"
    assert lessons(folder / "games", "--rules", folder / "rules.pl", *BANDS, "--player", "weak", "-o", out) == 0
    for rule, row in rows_of(out).items():
        could, did = counts["weak", rule, "opportunities"], counts["weak", rule, "taken"]
        assert int(row["player_opportunities"]) == could
        assert float(row["player"]) == pytest.approx(did / could, abs=5.1e-5)
        others = counts["20k-10k", rule, "opportunities"] - could
        assert int(row["20k-10k_opportunities"]) == others == counts["also weak", rule, "opportunities"]
        distance = {band: abs(float(row[band]) - float(row["player"])) for band in ("20k-10k", "9k-1k", "1d-5d")}
        assert row["like"] in distance and float(row["evidence"]) >= 0
        assert distance[row["like"]] < max(distance.values())
    assert "##player=weak\n" in out.read_text() and "##player_rank=15k\n" in out.read_text()
    assert "##estimate" not in out.read_text()  # five players are too few to learn ranks from


def test_one_table_from_every_way_in(made: tuple[Path, Counts], table: Path, tmp_path: Path) -> None:
    folder, _ = made
    whole = table.read_bytes()
    for name, more in (("a.tsv", ("rules.pl",)), ("b.tsv", ("rules.so", "--jobs", "2"))):
        out = tmp_path / name
        assert lessons(folder / "games", "--rules", folder / more[0], *more[1:], *BANDS, "-o", out) == 0
        assert out.read_bytes() == whole
    found = gotools.compare_players(folder / "games", folder / "rules.so", bands=BANDS[1])
    gotools.save(found, tmp_path / "c.tsv")
    assert (tmp_path / "c.tsv").read_bytes() == whole
    gotools.save(found, tmp_path / "c.json")
    value = read_json((tmp_path / "c.json").read_bytes())
    assert value["gotools"] == "lessons" and value["settings"]["bands"] == ["20k-10k", "9k-1k", "1d-5d"]
    as_text = [{key: "" if cell is None else str(cell) for key, cell in row.items()} for row in value["habits"]]
    assert as_text == list(rows_of(table).values())
    assert run(["show", str(table)]) == run(["show", str(tmp_path / "c.json")]) == 0


def test_the_table_for_people(made: tuple[Path, Counts], table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder, _ = made
    more = ("--player", "strong", "--format", "table", "--top", "2")
    assert lessons(folder / "games", "--rules", folder / "rules.so", *BANDS, *more) == 0
    out = capfd.readouterr().out
    text = " ".join(out.split())
    assert "2 of 4 rules, those that separate 1d-5d from 20k-10k best first." in text
    why = "because too few other players have ranks. The rank in the records is 2d."
    assert re.search(rf"The rank of strong cannot be estimated from \d+ games, {why}", text)
    for rule, row in list(rows_of(table).items())[:2]:  # a rule is its sentence and board
        assert row["words"] in text and rule not in text.split()
    assert out.count("*") >= 4
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("more", "what"),
    [
        (("--player", "midle"), r"games: no game of a player 'midle'; did you mean 'middle'\?"),
        (("--bands", "30k-20k,19k-1k,1d-9d"), "games: no player of the band 30k-20k; ranks there are 15k to 4d"),
        (("--size", "9"), "games: no examples: no game of the size and result wanted"),
    ],
)
def test_what_cannot_be_compared(
    made: tuple[Path, Counts], capfd: pytest.CaptureFixture[str], more: tuple[str, ...], what: str
) -> None:
    folder, _ = made
    assert lessons(folder / "games", "--rules", folder / "rules.so", *BANDS, *more) == 1
    out, err = capfd.readouterr()
    assert not out and err.count("\n") == 1 and re.match(rf"gotools lessons: \S*{what}", err)


def test_games_without_ranks(made: tuple[Path, Counts], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder, _ = made
    (tmp_path / "g.sgf").write_text("(;GM[1]SZ[5]PB[a]PW[b];B[cc];W[bb])")
    assert lessons(tmp_path / "g.sgf", "--rules", folder / "rules.so") == 1
    assert "g.sgf: no player has a rank (BR, WR)" in capfd.readouterr().err
    (tmp_path / "h.sgf").write_text("(;GM[1]SZ[5]PB[a]BR[3d]WR[9k];B[cc];W[cc])")
    assert lessons(tmp_path / "h.sgf", "--strict", "--rules", folder / "rules.so", "--bands", "9k,3d") == 1
    assert "h.sgf: move 2 (W C3): occupied" in capfd.readouterr().err


def test_wrong_usage(made: tuple[Path, Counts], capfd: pytest.CaptureFixture[str]) -> None:
    folder, _ = made
    assert lessons(folder / "games", "--rules", folder / "rules.so", "--bands", "9k-1k") == 2
    assert "--bands: `9k-1k` is one band" in capfd.readouterr().err


def test_an_unknown_player_is_named_before_any_work(
    made: tuple[Path, Counts], capfd: pytest.CaptureFixture[str]
) -> None:
    games = made[0] / "games"
    assert run(["lessons", str(games), *BANDS, "--player", "WEAK"]) == 1  # without --rules, which would be learned
    near = "no game of a player 'WEAK'; did you mean 'weak' or 'also weak'?"
    assert capfd.readouterr().err == f"gotools lessons: {games}: {near}\n"


def test_without_rules_some_are_learned_that_can_be_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for number, path in enumerate(sorted(EXAMPLES.glob("*.sgf"))[:6]):
        ranks = f"SZ[9]PB[p{number}]BR[{number + 1}d]PW[q{number}]WR[{number + 1}k]"
        (tmp_path / path.name).write_text(path.read_text().replace("SZ[9]", ranks))
    assert run(["lessons", str(tmp_path), "--bands", "9k-1k,1d-9d", "-o", str(tmp_path / "a.tsv")]) == 0
    assert "no --rules: learning up to 60 rules from about 6 of 6 games" in capfd.readouterr().err
    rows = rows_of(tmp_path / "a.tsv")
    assert len(rows) > 5 and not any("known shape" in row["words"] for row in rows.values())


class Cells(HTMLParser):
    """The texts of all cells, and the names of all elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.names: set[str] = set()
        self._open = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.names.add(tag)
        self._open = tag in ("td", "th")
        if self._open:
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = self._open and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._open:
            self.cells[-1] += data


def test_a_page_of_lessons(made: tuple[Path, Counts], tmp_path: Path) -> None:
    folder, _ = made
    out = tmp_path / "l.tsv"
    more = ("--player", "<b>bold")
    assert lessons(folder / "games", "--rules", folder / "rules.so", *BANDS, *more, "-o", out) == 0
    assert run(["report", "-q", str(out), "-o", str(tmp_path / "l.html")]) == 0
    page = (tmp_path / "l.html").read_text()
    found = Cells(page)
    assert "b" not in found.names
    title = "The habits of &lt;b&gt;bold, compared with players from 20k to 5d"
    assert f"<title>{title}</title>" in page and f"<h1>{title}</h1>" in page
    for rule, row in rows_of(out).items():
        assert f"<h4>{html.escape(row['words'])}</h4>" in page and f"rule {rule}: own stones black" in page
        assert row["words"] in found.cells and rule not in found.cells
        assert f"{100 * float(row['difference']):+.1f}" in found.cells
    digest = load_rules(folder / "rules.pl").digest
    head, foot = page.split("<footer>")
    assert digest not in head and digest in foot and "<details>" in foot


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("##gotools lessons 2\n", "lessons of version 2"),
        ("##gotools lessons 1\nrule\twords\nr1\tx\n", "lessons without two bands"),
        ("##gotools lessons 1\n##bands=a,b\nrule\ta\tb\tdifference\tlow\thigh\twords\nr\n", "1 cells, where"),
    ],
)
def test_a_damaged_table_of_lessons(tmp_path: Path, text: str, what: str, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "l.tsv").write_text(text)
    assert run(["report", "-q", str(tmp_path / "l.tsv"), "-o", str(tmp_path / "l.html")]) == 1
    assert what in capfd.readouterr().err
    (tmp_path / "l.tsv").write_text(CLAUSE + "r1\t0\t0\t0\t0\t0\tx\tmove(A) :- no.\n")
    assert run(["report", "-q", str(tmp_path / "l.tsv"), "-o", str(tmp_path / "l.html")]) == 1
    assert "l.tsv:4: expected one clause" in capfd.readouterr().err
    hostile = "##gotools lessons 1\n##bands=a,b\n##groups_99=nan\nrule\ta\tb\tdifference\tlow\thigh\twords\n"
    (tmp_path / "l.tsv").write_text(hostile + "r\tnan\tx\tinf\t-\t\t<script>alert(1)</script>\n")
    assert run(["report", "-q", str(tmp_path / "l.tsv"), "-o", str(tmp_path / "l.html")]) == 0
    assert "<script>alert" not in (tmp_path / "l.html").read_text()
