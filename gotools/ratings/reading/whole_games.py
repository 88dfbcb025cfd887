"""What the first nodes of SGF files do not say of results: a game decided on the board, colours of gogui-twogtp."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from gotools.go.records.gogui import Seats, right_seats
from gotools.ratings.reading.sgf_roots import Problem, Root, read_roots

_OTHER_GAME: Final = re.compile(rb"GM\s*\[\s*(?!1\s*\])[0-9]")
_MOST: Final = 1 << 26
"""Bytes of a file of other games than Go up to which games without a result are replayed."""


def all_roots(parts: Iterable[bytes], problem: Problem, remarked: Problem, name: str) -> Iterator[list[Root]]:
    """Yield what `read_roots` does; games other than Go without a result have the one of the board at their end.

    name -- of the file
    """
    rest = iter(parts)
    first = next(rest, b"")
    if not _OTHER_GAME.search(first):
        yield from read_roots(chain([first], rest), problem, remarked)
        return
    data = [first]
    while sum(map(len, data)) < _MOST and (part := next(rest, b"")):
        data.append(part)
    roots = list(chain.from_iterable(read_roots(chain(data, rest), problem, remarked)))
    ends: dict[bytes, list[bytes]] = {}
    for number in {root[6].strip() for root in roots if not root[2].strip()} - {b"1", b""}:
        ends[number] = _ends(b"".join(data), name, number)
    for place, root in enumerate(roots):
        found = ends.get(root[6].strip(), []) if not root[2].strip() else []
        if place < len(found):
            roots[place] = (*root[:2], found[place], *root[3:])
    yield roots


def _ends(data: bytes, name: str, number: bytes) -> list[bytes]:
    """Return the result on the board of each game of a file, b"" where there is none, or the game is another one."""
    from gotools.game import find_game, game_of_sgf_number
    from gotools.games.replay import end_on_board
    from gotools.games.text_games import TextGame, read_text_games

    game = game_of_sgf_number(int(number)) if number.isdigit() and len(number) < 8 else ""
    if game in ("", "go"):
        return []
    ends = []
    for found in read_text_games(data, name, int(number), game):
        end = end_on_board(found, find_game(game)) if isinstance(found, TextGame) else None
        ends.append(b"" if end is None else (b"0", b"B+", b"W+")[end])
    return ends


def seated(root: Root, name: str) -> Root | None:
    """Return a game with colours and result as it was played, None where gogui-twogtp leaves that open.

    name -- of the file
    """
    texts = (root[0], root[1], root[2], root[7])
    black, white, result, program = (text.decode("utf-8", "surrogateescape") for text in texts)
    found = right_seats(Seats(black, white, result), program, name)
    return (_bytes(found.black), _bytes(found.white), _bytes(found.result), *root[3:]) if found.known else None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
