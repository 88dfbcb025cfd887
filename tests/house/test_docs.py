"""What README, docs and help texts say is true: commands are named, examples can be read, links lead somewhere."""

import json
import re
import sys
import tomllib
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import typer
from support.examples import decisions, read_examples
from support.needs import ROOT
from support.pages import FENCE, PAGES, blocks, run
from support.records import texts_of
from support.tournament_results import fault, game
from support.written_json import read_json

import gotools
from gotools import cli
from gotools.engines.orders import benchmark_output
from gotools.engines.solving import answers
from gotools.files.kinds import Kind
from gotools.files.tables import read_header, read_table
from gotools.game.examples.states import LABELS
from gotools.game.game import find_game
from gotools.game.outcome import End
from gotools.game.records.record import Record
from gotools.game.records.sgf import read_games
from gotools.game.records.table import COLUMNS as EXAMPLE_COLUMNS
from gotools.game.table import GAMES
from gotools.games.go.go import GO
from gotools.library.records import convert_records
from gotools.matches.config import load_config, names_of_keys
from gotools.matches.game.referee import Referee
from gotools.matches.journal import read_journal, result_line
from gotools.matches.report.gates import Gates
from gotools.matches.report.report import TournamentReport
from gotools.matches.report.summary import COLUMNS as GAME_COLUMNS
from gotools.matches.report.summary import summary
from gotools.ratings.reading.results import read_results
from gotools.ratings.sprt import Sprt
from gotools.ratings.table import COLUMNS
from gotools.ratings.table import KIND as RATINGS
from gotools.ratings.table import VERSION as RATINGS_VERSION
from gotools.rules.clauses.rules import read_rules
from gotools.values.clusters.clusters_file import COLUMNS as CLUSTER_COLUMNS
from gotools.values.clusters.clusters_file import load_clusters
from gotools.views.lessons import table as lessons_table

COMMANDS = sorted(typer.main.get_command(cli.app).commands)  # type: ignore[attr-defined]
WRAPPED = (
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    *(
        path.relative_to(ROOT).as_posix()
        for folder in ("docs", "bench")
        for path in sorted((ROOT / folder).glob("*.md"))
    ),
)
HEAVY = ("numba", "numpy", "pyarrow", "pyswip", "rich", "scipy", "sgfmill", "sklearn")


def only_block(kind: str, page: str = "formats") -> str:
    """Return the one block of a kind in a page of docs/."""
    (text,) = [text for found, text, _ in blocks(ROOT / f"docs/{page}.md") if found == kind]
    return text


def keys_named(heading: str, page: str = "formats") -> set[tuple[str, str]]:
    """Return object and key of each row of the tables of a section of a page; the object is "" in two columns."""
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found: set[tuple[str, str]] = set()
    for line in re.findall(r"^\|.*`.*\|$", text, re.MULTILINE):
        *owners, keys = (re.findall(r"`([^`]+)`", cell) for cell in line.split(" | ")[: 1 + (line.count(" | ") == 2)])
        found |= set(product(owners[0] if owners and owners[0] else [""], keys))
    return found


def keys_of(value: Any, owner: str = "") -> set[tuple[str, str]]:
    """Return object and key of everything inside of a value of JSON, but for settings and what is listed by kinds."""
    if isinstance(value, list):
        return {key for part in value for key in keys_of(part, owner)}
    if not isinstance(value, dict) or owner in ("config", "void"):
        return set()
    inside = {pair for key, part in value.items() for pair in keys_of(part, key)}
    return inside | {(owner, key) for key in value}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_stands_in_the_readme_and_its_help_ends_in_an_example(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"`gotools {command}`" in (ROOT / "README.md").read_text(encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "100")
    assert cli.run([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"\bstreams?\b|\breads all\b", shown, re.IGNORECASE), "say whether it streams or reads all"
    last = shown.strip().splitlines()[-4:]
    assert any(f"gotools {command}" in line for line in last), "end the help with an example"


def test_the_readme_names_only_commands_that_exist() -> None:
    named = set(re.findall(r"`gotools ([a-z]+(?:-[a-z]+)*)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert named == set(COMMANDS)


def test_the_page_of_the_library_names_exactly_what_there_is() -> None:
    page = (ROOT / "docs/library.md").read_text(encoding="utf-8")
    table = page.split("\n## The names\n")[1].split("\n## ")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == gotools.__all__
    named = {words.split()[0] for words in re.findall(r"\| `([a-z -]+)` \|$", table, re.MULTILINE)}
    assert named == set(COMMANDS) - {"play", "usi", "warm-up", "doctor"}  # dialogues, and nothing to return


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, gotools.cli; code = gotools.cli.run(['--help']); "
        f"print(code, [name for name in {HEAVY} if name in sys.modules])"
    )
    shown = run(sys.executable, "-c", code)
    assert shown.stdout.splitlines()[-1] == "0 []", shown.stdout + shown.stderr


def test_the_example_of_a_table_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "examples.tsv"
    path.write_text(only_block("tsv"), encoding="utf-8")
    examples = read_examples([path])
    assert len(examples) >= 3
    assert set(examples.label.tolist()) == {0, 1}


def test_the_example_of_a_table_of_another_game_is_written_again(tmp_path: Path) -> None:
    path, again = tmp_path / "examples.tsv", tmp_path / "again.tsv"
    path.write_text(only_block("rows"), encoding="utf-8")
    convert_records(path, again, game="shogi")
    assert again.read_bytes() == path.read_bytes()
    section = (ROOT / "docs/formats.md").read_text(encoding="utf-8").split("### Examples of other games")[1]
    cells = re.findall(r"^\| (`.*?) \|", section.split("##gotools")[0], re.MULTILINE)
    named = re.findall(r"\w+", " ".join(cells))
    assert named == [*EXAMPLE_COLUMNS, *LABELS]


def test_the_example_of_rules_can_be_read() -> None:
    rules = read_rules(only_block("prolog").splitlines(), "formats.md")
    assert len(rules.rules) >= 2
    assert rules.header


def test_the_example_of_metrics_can_be_read() -> None:
    metrics = read_json(only_block("json"))
    wanted = {"positions", "top1", "top3", "top5", "top10", "top20", "log_likelihood", "no_rule_fired"}
    assert metrics["test"].keys() >= wanted
    assert metrics["baselines"].keys() == {"chance", "centre_first", "near_last_move"}
    assert metrics.keys() >= {"rules", "clauses_searched", "seconds"}


def test_the_example_of_a_journal_can_be_read_and_all_keys_of_a_game_are_documented(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(only_block("jsonl"), encoding="utf-8")
    problems: list[str] = []
    found = read_journal(path, problems.append)
    assert sorted(found.results) == [1, 2] and found.plays and not problems
    tally = read_results([str(path)], problems.append, strict=True)
    assert tally.games == 2 and not problems
    shown = {key for _, key in keys_named("results.jsonl")}
    head, first, _ = (read_json(line) for line in only_block("jsonl").splitlines())
    assert first == read_json(result_line(found.results[1]))
    assert shown == head.keys() | first.keys()


def test_the_example_of_a_record_of_another_game_can_be_read() -> None:
    record = only_block("sgf", "records").encode()
    (found,) = read_games(record, "x.sgf", find_game("tictactoe"))
    assert isinstance(found, Record) and found.size == 3
    referee = Referee(find_game("tictactoe"), 3)
    for colour, text in texts_of(found, find_game("tictactoe")):
        move, why = referee.why_illegal(colour, text)
        assert not why
        referee.play(colour, move)
    assert referee.verdict and referee.verdict.result == "B+"
    section = (ROOT / "docs/records.md").read_text(encoding="utf-8").split("## Games other than Go")[1]
    assert all(str(GAMES[name].sgf) in section for name in GAMES)


def test_the_example_of_records_in_json_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(only_block("records", "records"), encoding="utf-8")
    found = decisions([path], find_game("tictactoe"), pytest.fail).id
    assert found == [*(f"final:{ply}" for ply in range(1, 8)), *(f"games@2:{ply}" for ply in range(1, 4))]
    keys = {key for line in only_block("records", "records").splitlines() for key in json.loads(line)}
    assert {key for _, key in keys_named("Games other than Go", "records")} >= keys == {"game", "moves", "id", "size"}


def test_the_example_of_ratings_can_be_read() -> None:
    lines = only_block("ratings").splitlines()
    values, columns, taken = read_header(lines, RATINGS, RATINGS_VERSION)
    assert values["method"] == "bradley-terry" and tuple(columns) == COLUMNS
    assert [len(line.split("\t")) for line in lines[taken:]] == [len(COLUMNS)] * int(values["players"])
    assert {key for _, key in keys_named("ratings.tsv")} == {*COLUMNS, "group"}


def test_the_example_of_clusters_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "clusters.tsv"
    path.write_text(only_block("clusters"), encoding="utf-8")
    clusters = load_clusters(path, GO)
    assert [centre.kind for centre in clusters.centres] == ["good", "good", "bad", "bad"]
    found = {key for _, key in keys_named("clusters.tsv")}
    assert found >= {*CLUSTER_COLUMNS, "game", "metric", "unit"}


def test_the_example_of_orders_can_be_read() -> None:
    lines = only_block("orders").splitlines()
    values, columns, taken = read_header(lines, benchmark_output.KIND, benchmark_output.VERSION)
    assert tuple(columns) == benchmark_output.COLUMNS
    assert {key for _, key in keys_named("orders.tsv")} == {*columns}
    assert [len(line.split("\t")) for line in lines[taken:]] == [len(columns)] * 4
    text = (ROOT / "docs/formats.md").read_text(encoding="utf-8").split("## orders.tsv")[1]
    assert all(f"`{key}`" in text for key in values)


def test_the_example_of_solved_positions_is_what_is_written(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["solve", "-q", str(ROOT / "examples/problems.sgf")]) == 0
    lines = only_block("solved").splitlines()
    assert capfd.readouterr().out.splitlines()[: len(lines)] == lines
    assert {key for _, key in keys_named("solved.tsv")} == {*answers.COLUMNS}


def test_the_example_of_lessons_can_be_read() -> None:
    lines = only_block("lessons").splitlines()
    values, columns, taken = read_header(lines, lessons_table.KIND, lessons_table.VERSION)
    bands = values["bands"].split(",")
    assert columns == lessons_table.columns_of(bands, player=True)
    assert {len(line.split("\t")) for line in lines[taken:]} == {len(columns)}
    named = {key for _, key in keys_named("lessons.tsv")}
    of_bands = {f"BAND{part}" for part in lessons_table.PARTS} | {f"player{part}" for part in lessons_table.PARTS}
    assert named == of_bands | {name for name in columns if not name.startswith((*bands, "player"))}
    text = (ROOT / "docs/formats.md").read_text(encoding="utf-8").split("## lessons.tsv")[1]
    assert all(f"`{key}`" in text for key in values if not key.endswith(("_1", "_10")))


def test_the_example_of_results_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "results.tsv"
    path.write_text(only_block("results"), encoding="utf-8")
    values, columns, _, rows = read_table(path, Kind.results_table.word, Kind.results_table.version)
    assert tuple(columns) == GAME_COLUMNS and {key for _, key in keys_named("results.tsv")} == {*columns}
    assert len(list(rows)) == int(values["games"]) == read_results([str(path)], pytest.fail, strict=True).games == 1


def test_the_keys_of_a_summary_are_all_documented() -> None:
    results = [game(1, "a", "b"), fault(2, "b", "a", "b", End.crash, "died"), game(3, "a", "b", "Void", end=End.cycle)]
    results += [game(5, "a", "b"), game(6, "b", "a")]
    report = TournamentReport(("a", "b"), results, 6, False, Sprt(0, 20), (0, 0, 0, 0, 1), Gates(max_crashes=0))
    assert keys_named("summary.json") == keys_of(summary(report))


def test_the_settings_of_a_tournament_are_all_there_with_their_defaults(tmp_path: Path) -> None:
    (text,) = [text for kind, text, _ in blocks(ROOT / "docs/tournament.md") if kind == "toml"]
    path = tmp_path / "match.toml"
    path.write_text(text, encoding="utf-8")
    found, plain = load_config(str(path), {}), load_config(None, {"engine": ["new=x", "old=y"]})
    named = tomllib.loads(text).keys() | {"pairs"}  # only a playoff may have pairs
    assert named == set(names_of_keys())
    chosen = {
        "engines",
        "referee",
        "sprt",
        *(one.name for one in fields(Gates)),
        "time_budget",
    }  # examples, for they have no default
    for entry in fields(found):
        assert entry.name in chosen or getattr(found, entry.name) == getattr(plain, entry.name), entry.name


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 200


@pytest.mark.parametrize("name", WRAPPED)
def test_prose_is_wrapped_at_100_columns(name: str) -> None:
    text = FENCE.sub("", (ROOT / name).read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if not line.startswith(("|", "    "))]
    long = [line for line in lines if len(line) > 100 and not re.search("`[^`]{80,}`", line)]  # a command stays whole
    assert not long


def anchors(page: Path) -> set[str]:
    """Return the names by which links reach the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_to_files_and_headings_that_exist() -> None:
    others = [path for folder in ("bench", "examples", "gotools") for path in sorted((ROOT / folder).rglob("*.md"))]
    broken = []
    for page in [*PAGES, *others]:
        for link in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", page.read_text(encoding="utf-8"))):
            path, _, heading = link.partition("#")
            target = page.parent / path if path else page
            if "://" not in link and not (target.exists() and (not heading or heading in anchors(target))):
                broken.append((page.relative_to(ROOT).as_posix(), link))
    assert not broken


def test_the_pipeline_and_the_make_rules_of_the_examples_name_the_same_steps() -> None:
    texts = [(ROOT / "examples" / name).read_text(encoding="utf-8") for name in ("pipeline.sh", "Makefile")]
    for command in set(COMMANDS) - {"play", "usi", "warm-up", "doctor"}:  # dialogues, and no file
        assert all(f" {command} " in text for text in texts), f"{command} is missing in examples/"
