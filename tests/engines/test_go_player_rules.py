"""The player with rules: the same from text and library, moves in the rules' order, and its reasons in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from commands.test_rank_moves import HEADER, RULES
from engines.test_go_player import without_time
from support.asking import ask
from support.position_text import position_text

from gotools.base.errors import FileFormatError
from gotools.cli import run
from gotools.engines.player import Player
from gotools.engines.players import new_player
from gotools.game.choice import Choice, Limits
from gotools.game.sides import BLACK, WHITE, side_letter
from gotools.games.go.board import Board
from gotools.games.go.history import history_of
from gotools.games.go.points import NONE, PASS, parse_vertex, vertex

LIMITS = Limits(nodes=60)
FIGHT = ("C3", "C4", "D4", "E3", "D3", "D5", "E4", "F4", "E5", "D6", "E6")
KO = ("B1", "C1", "A2", "D2", "B3", "C3", "E5", "B2", "C2")
"""Both begin with Black, on 7x7; after the second White may not take back the stone at B2."""


class Ranked(NamedTuple):
    """A row of rank-moves: the place of a point, its probability, the rules that fire there."""

    rank: int
    probability: float
    rules: list[str]


def game_of(names: Sequence[str], size: int = 7) -> Board:
    board = Board(size)
    for i, name in enumerate(names):
        point = parse_vertex(name, size)
        assert board.is_legal(point, 1 + i % 2)
        board.play_point(point, 1 + i % 2)
    return board


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with rules.pl and rules.so."""
    folder = tmp_path_factory.mktemp("rules")
    (folder / "rules.pl").write_text(RULES)
    assert run(["compile-patterns", str(folder / "rules.pl"), "-o", str(folder / "rules.so"), "-q"]) == 0
    return folder


def ranking(rules: Path, names: Sequence[str], capfdbinary: pytest.CaptureFixture[bytes]) -> dict[int, Ranked]:
    """Ask rank-moves about the position after some moves."""
    board = game_of(names)
    place = [vertex(board.ko, 7), *names[:-3:-1]]
    row = ["position:1", side_letter(board.to_play), position_text(board.cells, 7), *place, "G7", "1"]
    table = rules / "position.tsv"
    table.write_text(HEADER + "\t".join(row) + "\n")
    assert run(["rank-moves", "-q", str(table), "--rules", str(rules / "rules.pl")]) == 0
    found = {}
    for line in capfdbinary.readouterr().out.decode().splitlines():
        if not line.startswith(("#", "id\t")):
            _, rank, name, _, probability, _, fired = line.split("\t")
            ids = [] if fired == "-" else fired.split(",")
            found[parse_vertex(name, 7)] = Ranked(int(rank), float(probability), ids)
    return found


def explained_rules(text: str) -> list[str]:
    """Return the rules that an explanation names, in its order."""
    _, found, after = text.partition("rules:\n")
    return re.findall(r"^ +[+-][\d.]+ +(\w+) ", after, re.MULTILINE) if found else []


@pytest.mark.parametrize("names", [FIGHT, KO])
@pytest.mark.parametrize("search", ["mcts", "alphabeta"])
def test_an_explanation_names_the_move_and_the_rules_of_rank_moves(
    rules: Path, names: Sequence[str], search: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    board = game_of(names)
    assert (board.ko != NONE) == (names == KO)
    ranked = ranking(rules, names, capfdbinary)
    player = new_player(search=search, rules=str(rules / "rules.pl"))
    choice = ask(player, board, board.to_play, 0.5, LIMITS)
    named = set()
    for point in ranked:  # whatever had been chosen
        text = player.explain(history_of(board, 0.5), board.to_play, replace(choice, move=point, line=(point,)))
        assert text.startswith(vertex(point, 7) + ":")
        assert sorted(explained_rules(text)) == sorted(ranked[point].rules)
        named.update(explained_rules(text))
    assert len(named) > 3
    check_plain(player.explain(history_of(board, 0.5), board.to_play, choice), choice)


def check_plain(text: str, choice: Choice) -> None:
    """Check that people and GTP can read a text: no empty lines, no signs besides ASCII."""
    lines = text.split("\n")
    assert all(line.strip() and line.isascii() and line.isprintable() for line in lines)
    assert lines[0].startswith(vertex(choice.move, 7)) and choice.reason in lines[0]
    for option in choice.options[:3]:
        assert any(line.split()[0] == vertex(option.move, 7) for line in lines[1:])


def test_the_weightiest_rule_comes_first(rules: Path) -> None:
    board = game_of(FIGHT)
    player = new_player(search="mcts", rules=str(rules / "rules.so"))
    choice = ask(player, board, WHITE, 0.5, LIMITS)
    for point in board.legal_points(WHITE):
        text = player.explain(history_of(board, 0.5), WHITE, replace(choice, move=point))
        weights = [
            abs(float(x)) for x in re.findall(r"^ +([+-][\d.]+) +\w+ ", text.partition("rules:\n")[2], re.MULTILINE)
        ]
        assert weights == sorted(weights, reverse=True)


@pytest.mark.parametrize("search", ["mcts", "alphabeta"])
def test_explanations_without_rules(search: str) -> None:
    player = new_player(search=search)
    board = game_of(FIGHT)
    choice = ask(player, board, WHITE, 0.5, LIMITS)
    text = player.explain(history_of(board, 0.5), WHITE, choice)
    check_plain(text, choice)
    assert "rule" not in text
    board.play_point(PASS, WHITE)
    board.play_point(PASS, BLACK)
    over = ask(player, board, WHITE, 200.5, LIMITS)
    assert player.explain(history_of(board, 0.5), WHITE, over).startswith("pass: the opponent passed")


def test_priors_are_the_rules_probabilities(rules: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """No point is an eye here, so the player looks at all that rank-moves lists; a pass takes next to nothing."""
    board = game_of(FIGHT)
    ranked = ranking(rules, FIGHT, capfdbinary)
    choice = ask(new_player(search="mcts", rules=str(rules / "rules.pl")), board, WHITE, 0.5, Limits(nodes=300))
    by_prior = sorted((option for option in choice.options if option.move != PASS), key=lambda option: -option.prior)
    assert len(by_prior) > 10
    likely = [ranked[option.move].probability for option in by_prior]
    assert likely == sorted(likely, reverse=True)
    assert by_prior[0].prior > 2 * by_prior[-1].prior


@pytest.mark.parametrize("search", ["mcts", "alphabeta"])
def test_text_and_library_make_the_same_player(rules: Path, search: str) -> None:
    players: list[Player] = [new_player(search=search, rules=str(rules / name)) for name in ("rules.pl", "rules.so")]
    for names in ((), FIGHT, KO):
        board = game_of(names)
        text, library = (without_time(ask(one, board, board.to_play, 0.5, LIMITS)) for one in players)
        assert text == library
        bare = without_time(ask(new_player(search=search), board, board.to_play, 0.5, LIMITS))
        assert bare != text  # the rules do make a difference


def test_rules_of_another_digest_are_refused(rules: Path) -> None:
    with pytest.raises(FileFormatError, match=r"rules\.pl"):
        new_player(search="mcts", rules=str(rules / "rules.pl"), digest="0123456789ab")
