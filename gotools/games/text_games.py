"""SGF records of games other than Go: B and W hold moves as the game writes them, as `4` or `b2`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gotools.errors import shown
from gotools.go.points import BLACK, WHITE
from gotools.go.records.mainline import MOST_MOVES, Broken, Node, Property
from gotools.go.records.results import read_result
from gotools.go.records.sgf import SgfProblem, read_main_lines, sgf_texts, text_of, write_nodes

_COLOURS = {b"B": BLACK, b"W": WHITE}
_SETUP = (b"AB", b"AW", b"AE", b"PL")


@dataclass(frozen=True, slots=True)
class TextGame:
    """The main line of a record: its id, the board's size (None if the record names none), (colour, text) of moves.

    setting -- of the game's start, "" for the usual one
    winner  -- the side that has won, 0 without a winner or if the record does not say
    ranks   -- the ratings or ranks of sides 1 and 2 as the record has them, "" where it has none
    players -- their names, likewise
    first   -- the number of the first move: more than 1 where a table has only the later moves of a game
    """

    id: str
    size: int | None
    moves: tuple[tuple[int, str], ...]
    setting: str = ""
    winner: int = 0
    ranks: tuple[str, str] = ("", "")
    players: tuple[str, str] = ("", "")
    first: int = 1


def read_text_games(data: bytes, name: str, number: int, game: str) -> Iterator[TextGame | SgfProblem]:
    """Read the games of an SGF file with this GM; others, and those with set-up stones, are problems.

    name -- path shown to users; game -- for messages

    The texts of moves are not checked.
    """

    def make(nodes: list[Node], game_id: str) -> TextGame:
        return _text_game(nodes, game_id, number, game)

    return read_main_lines(data, name, make)


def _text_game(nodes: list[Node], game_id: str, number: int, game: str) -> TextGame:
    """Raises Broken."""
    header: dict[bytes, Property] = {}
    moves: list[tuple[int, str]] = []
    for node in nodes:
        for entry in node:
            header.setdefault(entry[0], entry)
            if entry[0] in _SETUP:
                raise Broken("set-up stones, which only records of Go may have", entry[2])
            if entry[0] in _COLOURS:
                moves.append((_COLOURS[entry[0]], text_of(entry)))
        if len(moves) > MOST_MOVES:
            raise Broken(f"a main line of more than {MOST_MOVES} moves", node[0][2])
    _, (kind, *_), token = header.get(b"GM", (b"GM", [b"1"], 0))
    if _whole(kind) != number:
        raise Broken(f"GM[{shown(kind, 20)}] is not the game of {game}, GM[{number}]", token)
    texts = {name: text_of(header[name]) for name in (b"SU", b"RE", b"BR", b"WR", b"PB", b"PW") if name in header}
    size = None
    if b"SZ" in header:
        _, (raw, *_), token = header[b"SZ"]
        if (size := _whole(raw)) is None:
            raise Broken(f"SZ[{shown(raw, 20)}] is not a board size", token)
    winner = read_result(texts.get(b"RE", "")).winner
    ranks = texts.get(b"BR", ""), texts.get(b"WR", "")
    players = texts.get(b"PB", ""), texts.get(b"PW", "")
    return TextGame(game_id, size, tuple(moves), texts.get(b"SU", ""), winner, ranks, players)


def _whole(raw: bytes) -> int | None:
    text = raw.strip()
    return int(text) if text.isdigit() and len(text) < 8 else None


def write_text_game(
    number: int,
    size: int,
    header: Mapping[str, str],
    moves: Sequence[tuple[int, str]],
    words: Sequence[Mapping[str, str]],
) -> bytes:
    """Return one SGF game in UTF-8, ending with a newline.

    number -- GM; header -- further properties of the game; words -- further properties of each move
    """
    root = {"FF": "4", "CA": "UTF-8", "GM": str(number), "SZ": str(size), **header}
    nodes = ({"B" if colour == BLACK else "W": text, **more} for (colour, text), more in zip(moves, words, strict=True))
    return write_nodes([sgf_texts(root), *map(sgf_texts, nodes)])
