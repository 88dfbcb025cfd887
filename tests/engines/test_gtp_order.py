"""`gotools gtp --order`: an order of moves at play, which changes no value, and what it is refused for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sgfmill import boards
from support.asking import ask
from support.gtp_player import Script
from support.searching import learned_clusters, learned_rules
from support.short_match import assert_played_without_fault

from gotools import cli
from gotools.base.errors import FileFormatError, GotoolsError
from gotools.engines.gtp.commands import commands_of
from gotools.engines.gtp.server import GtpServer
from gotools.engines.gtp.session import Session
from gotools.engines.player import Player
from gotools.engines.players import new_player
from gotools.engines.settings import PlayerSettings
from gotools.game.choice import Choice, Limits
from gotools.games.go.board import Board
from gotools.games.go.go import GO
from gotools.games.go.points import parse_vertex
from gotools.values.clusters.clusters_file import load_clusters, write_clusters
from gotools.values.td.shapes import shapes_of
from gotools.values.weights.weights_file import Weights, save_weights

KOMI = 6.5
LETTERS = "ABCDEFGHJKLMNOPQRST"


@pytest.fixture(scope="session")
def clusters() -> str:
    """Clusters of moves on 9x9."""
    return str(learned_clusters())


@pytest.fixture(scope="session")
def library() -> str:
    return str(learned_rules()[1])


@pytest.fixture(scope="session")
def values(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Random weights of the shapes on 5x5."""
    path = tmp_path_factory.mktemp("values") / "eval.npz"
    weights = np.random.default_rng(1).normal(0.0, 0.02, shapes_of(GO, 5).weights)
    save_weights(path, Weights("go", 5, KOMI, "shapes", "linear", 0, weights))
    return str(path)


class Table:
    """A session of a player, without any process around it."""

    def __init__(self, player: Player, size: int, settings: PlayerSettings | None = None) -> None:
        session = Session.begin(player, settings or PlayerSettings(depth=2), size, KOMI)
        self._sent = bytearray()
        self._server = GtpServer(session, commands_of(GO), Script(), self._sent.extend)

    def ask(self, line: str) -> str:
        self._sent.clear()
        self._server.obey(line.encode())
        answer = self._sent.decode()
        assert answer.startswith("="), (line, answer)
        return answer[1:].strip()


def played_boards(size: int, plies: int, seed: int) -> Board:
    """Return the position after some random moves."""
    board, chance = Board(size), np.random.default_rng(seed)
    for ply in range(plies):
        colour = 1 + ply % 2
        board.play_point(int(chance.choice(board.legal_points(colour))), colour)
    return board


def choose(player: Player, board: Board, depth: int) -> Choice:
    player.forget()
    return ask(player, board, board.to_play, KOMI, Limits(depth=depth))


# ---- an order changes no value ----


@pytest.mark.parametrize(("size", "plies", "depth"), [(5, (0, 4, 8), 3), (9, (0, 9, 20, 33), 3), (19, (0, 60), 2)])
def test_the_value_is_that_without_an_order_for_other_work(
    clusters: str, size: int, plies: tuple[int, ...], depth: int
) -> None:
    plain, ordered = new_player(search="alphabeta"), new_player(search="alphabeta", order=clusters)
    nodes = []
    for seed, count in enumerate(plies):
        board = played_boards(size, count, seed)
        without, found = choose(plain, board, depth), choose(ordered, board, depth)
        assert found.depth == without.depth == depth
        assert found.chance == without.chance
        assert board.is_legal(found.move, board.to_play)
        nodes.append((found.nodes, without.nodes))
    assert all(mine != other for mine, other in nodes)


def test_the_value_of_the_move_itself_is_as_good(clusters: str) -> None:
    """Of moves that are worth the same, another one may be found: it is worth what the search says."""
    plain, ordered = new_player(search="alphabeta"), new_player(search="alphabeta", order=clusters)
    for seed in range(3):
        board = played_boards(9, 14, seed)
        found = choose(ordered, board, 2)
        plain.forget()
        only = ask(plain, board, board.to_play, KOMI, Limits(depth=2), allowed=[found.move])
        if only.nodes:
            assert only.chance == found.chance
        after = board.copy()
        after.play_point(found.move, board.to_play)
        assert 1.0 - choose(plain, after, 1).chance == pytest.approx(found.chance, abs=1e-9)


def test_an_order_needs_fewer_positions_on_the_whole(clusters: str) -> None:
    """On positions as they come up in its own games."""
    plain, ordered = new_player(search="alphabeta"), new_player(search="alphabeta", order=clusters)
    board, mine, others = Board(9), 0, 0
    for _ in range(12):
        found, without = choose(ordered, board, 3), choose(plain, board, 3)
        mine, others = mine + found.nodes, others + without.nodes
        board.play_point(found.move, board.to_play)
    assert mine < others


def test_learned_values_keep_theirs_too(clusters: str, values: str) -> None:
    plain, ordered = new_player(evaluation=values), new_player(evaluation=values, order=clusters)
    assert ordered.size == 5
    for seed in range(4):
        board = played_boards(5, 3 * seed, seed)
        assert choose(ordered, board, 3).chance == choose(plain, board, 3).chance


def test_rules_that_prune_keep_their_value_beside_an_order(clusters: str, library: str, values: str) -> None:
    """Rules choose the candidates and set the fees; clusters only say which comes first."""
    for weights, size in ((None, 9), (values, 5)):
        plain = new_player(search="alphabeta", rules=library, evaluation=weights)
        ordered = new_player(search="alphabeta", rules=library, evaluation=weights, order=clusters)
        for seed in range(3):
            board = played_boards(size, 2 + 3 * seed, seed)
            assert choose(ordered, board, 3).chance == choose(plain, board, 3).chance


# ---- at play ----


def test_the_search_is_alpha_beta_where_there_is_an_order(clusters: str) -> None:
    assert new_player().name.partition(":")[0].endswith("mcts")
    player = new_player(order=clusters)
    assert player.name.partition(":")[0].endswith("alphabeta") and player.size is None
    table = Table(player, 9)
    table.ask("genmove b")
    assert "searched 2 plies" in table.ask("gotools-explain")


def test_the_explanation_gives_the_same_chance_with_and_without(clusters: str) -> None:
    reported = []
    for order in (None, clusters):
        table = Table(new_player(search="alphabeta", order=order), 9, PlayerSettings(depth=3))
        for line in ("play b E5", "play w G4", "play b C4", "genmove w"):
            table.ask(line)
        text = table.ask("gotools-explain")
        assert "searched 3 plies" in text
        reported.append(text.split("chance to win ")[1].splitlines()[0])
    assert reported[0] == reported[1]


@pytest.mark.parametrize(
    "make",
    [
        lambda clusters, library, values: new_player(order=clusters),
        lambda clusters, library, values: new_player(rules=library, seed=3, evaluation=values, order=clusters),
    ],
    ids=["alone", "with rules and values"],
)
def test_a_game_against_itself_is_legal_to_its_end(
    clusters: str, library: str, values: str, make: Callable[[str, str, str], Player]
) -> None:
    table = Table(make(clusters, library, values), 5)
    board, passes, moves, ko = boards.Board(5), 0, 0, None
    while passes < 2 and moves < 200:
        colour = "bw"[moves % 2]
        point = table.ask(f"genmove {colour}").upper()
        moves += 1
        if point == "PASS":
            passes, ko = passes + 1, None
            continue
        passes = 0
        row, column = int(point[1:]) - 1, LETTERS.index(point[0])
        assert board.get(row, column) is None and (row, column) != ko
        ko = board.play(row, column, colour)
        assert board.get(row, column) == colour  # no suicide
    assert passes == 2 and 10 < moves < 200


@pytest.mark.parametrize("size", [2, 5, 13, 19])
def test_clusters_of_one_size_order_on_all(clusters: str, size: int) -> None:
    table = Table(new_player(order=clusters), size)
    board = Board(size)
    for ply in range(6):
        point = parse_vertex(table.ask(f"genmove {'bw'[ply % 2]}"), size)
        if point < 0:
            break
        assert board.is_legal(point, 1 + ply % 2, ko="positional")
        board.play_point(point, 1 + ply % 2)
    assert ply == 5 or size == 2


# ---- what it is refused for ----


@pytest.fixture
def wrong(tmp_path: Path, clusters: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of files that are no clusters of Go's moves; it is the working folder."""
    text = Path(clusters).read_text()
    lines = text.splitlines(keepends=True)
    first = next(at for at, line in enumerate(lines) if not line.startswith("##")) + 1
    (tmp_path / "c.tsv").write_text(text)
    (tmp_path / "game.tsv").write_text(text.replace("##game=go", "##game=hex"))
    (tmp_path / "cut.tsv").write_text("".join(lines[: first + 1]) + lines[first + 1][:40] + "\n")
    (tmp_path / "newer.tsv").write_text(text.replace("clusters 2\n", "clusters 3\n", 1))
    (tmp_path / "columns.tsv").write_text(text.replace("\tsaved\t", "\tlost\t", 1))
    (tmp_path / "rules.pl").write_text("%% gotools rules 1\n")
    (tmp_path / "where.txt").write_text(f"{first + 2}")
    loaded = load_clusters(clusters, GO)
    with open(tmp_path / "good.tsv", "wb") as out:
        write_clusters(out, replace(loaded, centres=tuple(c for c in loaded.centres if c.kind == "good")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--order", "c.tsv", "--search", "mcts"], "an order of moves is for --search alphabeta: Monte-Carlo"),
        (["--order", "none.tsv"], "none.tsv: No such file or directory"),
        (["--order", "game.tsv"], "game.tsv:2: clusters of the game hex; expected go"),
        (["--order", "cut.tsv"], "cut.tsv:{line}: "),
        (["--order", "newer.tsv"], "newer.tsv:1: "),
        (["--order", "columns.tsv"], "no column `saved`, but one `lost`"),
        (["--order", "good.tsv"], "good.tsv: no bad centre"),
        (["--order", "rules.pl"], "rules.pl: a file of rules; expected clusters"),
        (["--order", "c.tsv", "--rules", "none.pl"], "none.pl: No such file or directory"),
        (["--order", "c.tsv", "--eval", "c.tsv"], "c.tsv: a file of clusters; expected weights"),
    ],
)
def test_what_cannot_be_played_with_is_reported_in_a_line(
    wrong: Path, capfd: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert cli.run(["gtp", "-q", "--depth", "1", *options]) == 1
    done = capfd.readouterr()
    assert done.out == "" and done.err.startswith("gotools gtp: ") and done.err.count("\n") == 1
    assert message.format(line=(wrong / "where.txt").read_text()) in done.err


def test_the_engine_says_the_same(wrong: Path) -> None:
    with pytest.raises(GotoolsError, match="alphabeta"):
        new_player(search="mcts", order="c.tsv")
    with pytest.raises(FileFormatError, match=r"game\.tsv:2: "):
        new_player(order="game.tsv")


# ---- in tournaments ----


def test_a_tournament_with_an_order_is_played_without_a_fault(clusters: str, tmp_path: Path) -> None:
    assert_played_without_fault(f"gotools:order={clusters},depth=1", tmp_path)
