"""SGF files of any game as records, and back. The grammar is sgfmill's; this module alone imports it.

A game may have a quicker form of runs of moves (`Records.fold`); a file with a problem is then read again without it,
so that the problem's line is exact. Other text goes through the tokeniser as it stands.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, TypeVar

from sgfmill import sgf_grammar

from gotools.base.errors import quoted, shown
from gotools.files.kinds import OURS, Kind, kind_of
from gotools.files.opening import FIRST_BYTES
from gotools.game.game import Game
from gotools.game.known import place_of
from gotools.game.records.encoding import to_utf8
from gotools.game.records.mainline import MARK, MOST_MOVES, RUN, Broken, Node, Property, moves_of
from gotools.game.records.record import Problem, Record
from gotools.game.sides import side_letter

T = TypeVar("T")
WANTED: Final = "game records"
_START: Final = re.compile(rb"\(\s*;")
_ROOT: Final = re.compile(rb"\(\s*;\s*(?:FF|GM|SZ|CA|AP|ST|EV|GN|PB|PW|BR|WR|DT|KM|RE|RU|PC|RO|US|SO|HA)\s*\[")
_STRAY_MOVE: Final = re.compile(rb";\s*(?:[BW]\s*\[|" + RUN + rb"\[" + MARK + rb")")
_SIDES: Final = {b"B": 1, b"W": 2}
_SETUP: Final = frozenset((b"AB", b"AW", b"AE", b"PL"))


def read_games(data: bytes, name: str, game: Game) -> Iterator[Record | Problem]:
    """Read all games of an SGF file, main lines only; a game that cannot be read gives a problem and is passed over.

    name -- path shown to users; the first record's id is its stem, later ones get "#2", "#3" (their place in the file)
    game -- of the records; those of others are problems

    Every stop before the end of a main line is a problem, but for texts of moves that name none (`Record.stop`).
    Properties without meaning here are ignored, and so are variations, which must be well-formed.
    Illegal moves are not detected. Time and memory are linear in the file.
    """
    if (kind := kind_of(data[:FIRST_BYTES])) in OURS:  # C may hold "(;"
        yield Problem(f"{kind}; expected {WANTED}", None)
        return
    text = to_utf8(data)
    records = game.records
    stem, head, done = stem_of(name), data[:FIRST_BYTES], 0

    def make(nodes: list[Node], game_id: str) -> Record:
        return _record(nodes, game_id, game) if records.main_line is None else records.main_line(nodes, game_id, name)

    if records.fold is not None:
        for item in _games(records.fold(text), stem, head, make):
            if isinstance(item, Problem):
                break
            yield item
            done += 1
        else:
            return
    yield from islice(_games(text, stem, head, make), done, None)


def read_main_lines(data: bytes, name: str, make: Callable[[list[Node], str], T]) -> Iterator[T | Problem]:
    """Read the main lines of an SGF file of any game, and yield what `make` makes of the nodes and the id.

    `make` raises Broken for a main line that it does not take. Other arguments are those of `read_games`.
    """
    if (kind := kind_of(data[:FIRST_BYTES])) in OURS:
        yield Problem(f"{kind}; expected {WANTED}", None)
        return
    yield from _games(to_utf8(data), stem_of(name), data[:FIRST_BYTES], make)


def stem_of(name: str, suffixes: Sequence[str] = (".sgf", ".jsonl")) -> str:
    """Return the name of a file of records without folder and endings (.gz, then one of the suffixes)."""
    base = os.path.basename(name)
    for suffix in (".gz", *suffixes):
        if base.lower().endswith(suffix) and len(base) > len(suffix):
            base = base[: -len(suffix)]
    return "stdin" if base in ("", "-") else base


# games in a file ------------------------------------------------------------------------------------------------------


def _games(text: bytes, stem: str, head: bytes, make: Callable[[list[Node], str], T]) -> Iterator[T | Problem]:
    """Read the games of a UTF-8 text one after the other.

    head -- what the file begins with, in its own encoding

    After a broken game only the text up to the next root node counts as one game: so a missing bracket cannot swallow
    the rest, and no byte is tokenised more than three times.
    """
    lines = _LineNumbers(text)
    position, number, broken = 0, 0, False
    while found := (_ROOT if broken else _START).search(text, position):
        start = found.start()
        if stray := _STRAY_MOVE.search(text, position, start):
            yield Problem(_stray_text(text), lines.at(stray.start()))
            position, broken = _next_root(text, stray.start()), True
            continue
        number += 1
        stop = _next_root(text, start + 1) if broken else len(text)
        tokens, end = sgf_grammar.tokenise(text[start:stop] if broken else text, 0 if broken else start)
        end += start if broken else 0
        try:
            yield make(_main_line(tokens), stem if number == 1 else f"{stem}#{number}")
            position = end
        except Broken as problem:
            position, broken = _next_root(text, start + 1), True
            if problem.token is None:
                end = start + sgf_grammar.tokenise(text[start:position])[1]
                yield Problem(_cut_text(text[end:position][:200]), lines.at(end))
            else:
                yield Problem(problem.what, lines.at(_token_offset(text, start, tokens, problem.token)))
    if stray := _STRAY_MOVE.search(text, position):
        yield Problem(_stray_text(text), lines.at(stray.start()))
    elif not number:
        yield _no_game(head)


class _LineNumbers:
    """Line numbers of a text; for growing offsets the text is read once."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.newline = b""
        self.offset = 0
        self.line = 1

    def at(self, offset: int) -> int:
        """Return the line of an offset, from 1."""
        if offset < self.offset:
            self.offset, self.line = 0, 1
        if not self.newline:
            self.newline = b"\n" if b"\n" in self.text else b"\r"  # the latter on old Macintosh computers
        self.line += self.text.count(self.newline, self.offset, offset)
        self.offset = offset
        return self.line


def _next_root(text: bytes, position: int) -> int:
    found = _ROOT.search(text, position)
    return found.start() if found else len(text)


def _stray_text(text: bytes) -> str:
    if re.match(rb"\s*;", text):
        return "no game begins here: the '(' before the first ';' is missing"
    return "moves stand outside of any game; a ')' too early or a missing '(;'"


def _no_game(head: bytes) -> Problem:
    """Describe a file without any "(;", which begins with `head`."""
    kind = kind_of(head)
    if kind in (Kind.text, Kind.games):
        return Problem("holds no game: '(;' is not in it", 1)
    return Problem(f"{kind}; expected {WANTED}", None)


def _token_offset(text: bytes, start: int, tokens: Sequence[tuple[str, bytes]], number: int) -> int:
    """Find a token in the text: sgfmill does not report its place, but only blanks and names lie between tokens."""
    offset = start
    for kind, content in tokens[:number]:
        if kind == "V":
            offset = text.index(b"[", offset) + len(content) + 2
        elif kind == "D":
            offset = text.index(content, offset) + 1
    blanks = re.compile(rb"\s*").match(text, offset)
    return blanks.end() if blanks else offset


# one game -------------------------------------------------------------------------------------------------------------


def _main_line(tokens: Sequence[tuple[str, bytes]]) -> list[Node]:
    """Check the brackets of a whole game and return the nodes up to the first ")": its main line.

    Raises Broken, without a token if the game is not closed.
    """
    nodes: list[Node] = []
    main = True
    depth, length = 0, -1  # length: nodes in the open sequence, -1 when none is open
    node: Node | None = None
    values: list[bytes] | None = None
    for number, (kind, content) in enumerate(tokens):
        if kind == "V":
            if values is None:
                raise Broken("a value stands where none can be", number)
            values.append(content)
            continue
        if values is not None and not values:
            raise Broken("a property has no value", number)
        values = None
        if kind == "I":
            if node is None:
                raise Broken("a property stands outside of a node", number)
            values = []
            node.append((content, values, number))
        elif content == b";":
            if length < 0:
                raise Broken("a node stands after a variation", number)
            length += 1
            node = []
            if main:
                nodes.append(node)
        else:
            if length == 0:
                raise Broken("a variation is empty", number)
            node = None
            main = main and content == b"("
            length = 0 if content == b"(" else -1
            depth += 1 if content == b"(" else -1
    if depth:
        raise Broken("", None)
    return nodes


def _cut_text(rest: bytes) -> str:
    """Describe the end of a game that is not closed, from the text after its last token."""
    if not rest.strip():
        return "the game is cut short: the text ends before its last ')'"
    if rest.lstrip().startswith(b"["):
        return "the game is cut short: the text ends inside a value"
    return f"the game cannot be read from {quoted(rest.split()[0], 20)} on"


def _record(nodes: list[Node], game_id: str, game: Game) -> Record:
    """Make the record of a main line whose moves are texts of the game. Raises Broken."""
    header: dict[bytes, Property] = {}
    texts: list[tuple[int, str]] = []
    for node in nodes:
        for entry in node:
            header.setdefault(entry[0], entry)
            if entry[0] in _SETUP:
                raise Broken("set-up stones, which only records of Go may have", entry[2])
            if entry[0] in _SIDES:
                texts.append((_SIDES[entry[0]], text_of(entry)))
        if len(texts) > MOST_MOVES:
            raise Broken(f"a main line of more than {MOST_MOVES} moves", node[0][2])
    _, (kind, *_), token = header.get(b"GM", (b"GM", [b"1"], 0))
    number = place_of(game.name).sgf
    if _whole(kind) != number:
        raise Broken(f"GM[{shown(kind, 20)}] is not the game of {game.name}, GM[{number}]", token)
    _, (raw, *_), token = header.get(b"SZ", (b"SZ", [b"%d" % game.sizes[0]], 0))
    if (size := _whole(raw)) is None:
        raise Broken(f"SZ[{shown(raw, 20)}] is not a board size", token)
    text = {name: text_of(header[name]) for name in (b"SU", b"RE", b"BR", b"WR", b"PB", b"PW") if name in header}
    moves, stop = moves_of(texts, game, size)
    return Record(
        id=game_id,
        size=size,
        moves=moves,
        players=(text.get(b"PB", ""), text.get(b"PW", "")),
        ranks=(text.get(b"BR", ""), text.get(b"WR", "")),
        result=text.get(b"RE", ""),
        stop=stop,
        setting=text.get(b"SU", ""),
    )


def _whole(raw: bytes) -> int | None:
    text = raw.strip()
    return int(text) if text.isdigit() and len(text) < 8 else None


def text_of(entry: Property) -> str:
    """Return a header value as sgfmill reads SimpleText, in one line."""
    raw = entry[1][0]
    if b"\\" in raw:
        raw = sgf_grammar.simpletext_value(raw)
    return " ".join(raw.decode("utf-8", "replace").split())


# writing --------------------------------------------------------------------------------------------------------------


def write_game(
    record: Record, game: Game, header: Mapping[str, str] | None = None, words: Sequence[Mapping[str, str]] = ()
) -> bytes:
    """Return a record as one SGF game in UTF-8, ending with a newline.

    header -- further properties of the game; words -- further properties of each move, as many as there are

    `read_games` reads it back equal, if texts are free of line breaks and double blanks and the setup is sorted by
    `after`, then point, each point once, and for komi that KM cannot hold. The id is not written.
    Raises ValueError for a board that the game does not have.
    """
    if record.size not in game.sizes:
        raise ValueError(f"board sizes of {game.name} are {min(game.sizes)} to {max(game.sizes)}, not {record.size}")
    (black, white), (black_rank, white_rank) = record.players, record.ranks
    root = {"FF": "4", "CA": "UTF-8", "GM": str(place_of(game.name).sgf), "SZ": str(record.size)}
    root |= {"PB": black, "PW": white, "BR": black_rank, "WR": white_rank, "RE": record.result}
    root |= {**game.records.values(record), **(header or {}), "SU": record.setting}
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = list(_nodes(record, game, _raw(root), words))
    data: bytes = sgf_grammar.serialise_game_tree(tree)
    return data.rstrip() + b"\n"  # sgfmill may wrap the last line break to a line of its own


def _nodes(
    record: Record, game: Game, root: dict[str, list[bytes]], words: Sequence[Mapping[str, str]]
) -> Iterator[dict[str, list[bytes]]]:
    """Yield the root, which takes the first setup, and nodes of later setup and of the moves."""
    place_text = game.records.place_text

    def text(place: int) -> bytes:
        if place_text is not None:
            return place_text(place, record.size)
        return _raw_text(game.move_text(game.move_at(place, record.size), record.size))

    later = 0
    for ply in range(len(record.moves) + 1):
        node: dict[str, list[bytes]] = {} if ply else root
        while later < len(record.setup) and record.setup[later].after == ply:
            _, colour, point = record.setup[later]
            node.setdefault(("AE", "AB", "AW")[colour], []).append(text(point))
            later += 1
        if node:
            yield node
        if ply < len(record.moves):
            side, place = record.moves[ply].tolist()
            yield {side_letter(side).upper(): [text(place)], **_raw(words[ply] if ply < len(words) else {})}


def _raw(values: Mapping[str, str]) -> dict[str, list[bytes]]:
    """Return texts as raw values of properties; empty ones are left out."""
    return {key: [_raw_text(value)] for key, value in values.items() if value}


def _raw_text(text: str) -> bytes:
    escaped: bytes = sgf_grammar.escape_text(text.encode("utf-8", "replace"))
    return escaped
