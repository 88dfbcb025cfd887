"""SGF files as game records, and back. The grammar is sgfmill's; this module alone imports it.

Tokenising a move costs sgfmill 2.4 us, so runs of plain moves (";B[dd];W[cc]") are folded into one private property by
a regular expression before, and decoded by numpy after. A run may only begin right after a "]" without a backslash
before it: no value can be open there, so folding cannot change what the grammar sees. Other text goes through
the tokeniser, and a file with a problem does so again, unfolded, so that the problem's line is exact.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from sgfmill import sgf_grammar

from gotools.errors import quoted, shown
from gotools.files.kinds import OURS, Kind, kind_of
from gotools.files.opening import FIRST_BYTES
from gotools.go.points import BLACK, MAX_SIZE, MIN_SIZE, PASS
from gotools.go.record import GameRecord
from gotools.go.records.encoding import to_utf8
from gotools.go.records.gogui import Seats, right_seats
from gotools.go.records.mainline import MARK, RUN, STONE_PROPERTIES, Broken, Node, Property, Stones, coordinates
from gotools.go.records.numbers import komi_text, read_handicap, read_komi, remark, unset_remark

T = TypeVar("T")
WANTED: Final = "game records"
_FOLDABLE: Final = re.compile(rb"\](?<=[^\\]\])(?:\s*+;[BW]\[(?:[a-z][a-z])?\])+(?=\s*+[;()])")
"""A run, with the "]" before it; its literal beginning and possessive blanks make it three times as fast."""
_START: Final = re.compile(rb"\(\s*;")
_ROOT: Final = re.compile(rb"\(\s*;\s*(?:FF|GM|SZ|CA|AP|ST|EV|GN|PB|PW|BR|WR|DT|KM|RE|RU|PC|RO|US|SO|HA)\s*\[")
_STRAY_MOVE: Final = re.compile(rb";\s*(?:[BW]\s*\[|" + RUN + rb"\[" + MARK + rb")")


@dataclass(frozen=True, slots=True)
class SgfProblem:
    """Why a game, or a whole file, could not be read: a text for the user, and a line counted from 1 where known.

    harmless -- the game before it is read all the same
    """

    what: str
    line: int | None
    harmless: bool = False


def read_games(data: bytes, name: str) -> Iterator[GameRecord | SgfProblem]:
    """Read all games of an SGF file, main lines only; a game that cannot be read gives a problem and is passed over.

    name -- path shown to users; the first record's id is its stem, later ones get "#2", "#3" (their place in the file)

    Every stop before the end of a main line is a problem: no game is shortened. Boards of 2 to 19 squared are read.
    Properties without meaning here are ignored, and so are variations, which must be well-formed.
    Illegal moves are not detected: see `gotools.go.board.replay`. Time and memory are linear in the file.
    """
    kind = kind_of(data[:FIRST_BYTES])
    if kind in OURS:  # C may hold "(;"
        yield SgfProblem(f"{kind}; expected {WANTED}", None)
        return
    text = to_utf8(data)
    stem = stem_of(name)
    done = 0

    def make(nodes: list[Node], game_id: str) -> GameRecord:
        return _record(nodes, game_id, name)

    for item in _games(_FOLDABLE.sub(_fold, text), stem, data[:FIRST_BYTES], make):
        if isinstance(item, SgfProblem):
            break
        yield item
        done += 1
    else:
        return
    yield from islice(_games(text, stem, data[:FIRST_BYTES], make), done, None)


def read_main_lines(data: bytes, name: str, make: Callable[[list[Node], str], T]) -> Iterator[T | SgfProblem]:
    """Read the main lines of an SGF file as `read_games` does, and yield what `make` makes of the nodes and the id.

    `make` raises Broken for a main line that it does not take.
    """
    if (kind := kind_of(data[:FIRST_BYTES])) in OURS:
        yield SgfProblem(f"{kind}; expected {WANTED}", None)
        return
    yield from _games(to_utf8(data), stem_of(name), data[:FIRST_BYTES], make)


def stem_of(name: str, suffixes: Sequence[str] = (".sgf", ".jsonl")) -> str:
    """Return the name of a file of records without folder and endings (.gz, then one of the suffixes)."""
    base = os.path.basename(name)
    for suffix in (".gz", *suffixes):
        if base.lower().endswith(suffix) and len(base) > len(suffix):
            base = base[: -len(suffix)]
    return "stdin" if base in ("", "-") else base


def _fold(run: re.Match[bytes]) -> bytes:
    """Write a run of moves as one property, three bytes a move, after its "]". The lines stay countable."""
    text = run[0]
    moves = text.replace(b"[]", b"{{") if b"[]" in text else text
    return b"];" + RUN + b"[" + MARK + moves.translate(None, b";[] \t\n\r\f\v") + b"]" + b"\n" * text.count(b"\n")


# games in a file ------------------------------------------------------------------------------------------------------


def _games(text: bytes, stem: str, head: bytes, make: Callable[[list[Node], str], T]) -> Iterator[T | SgfProblem]:
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
            yield SgfProblem(_stray_text(text), lines.at(stray.start()))
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
                yield SgfProblem(_cut_text(text[end:position][:200]), lines.at(end))
            else:
                yield SgfProblem(problem.what, lines.at(_token_offset(text, start, tokens, problem.token)))
    if stray := _STRAY_MOVE.search(text, position):
        yield SgfProblem(_stray_text(text), lines.at(stray.start()))
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


def _no_game(head: bytes) -> SgfProblem:
    """Describe a file without any "(;", which begins with `head`."""
    kind = kind_of(head)
    if kind in (Kind.text, Kind.games):
        return SgfProblem("holds no game: '(;' is not in it", 1)
    return SgfProblem(f"{kind}; expected {WANTED}", None)


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


def _record(nodes: list[Node], game_id: str, name: str) -> GameRecord:
    """Make the record of a main line; name -- of its file. Raises Broken."""
    header: dict[bytes, Property] = {}
    leading = 0
    for leading, node in enumerate(nodes, 1):  # noqa: B007 - used after the loop
        for entry in node:
            header.setdefault(entry[0], entry)
        if not STONE_PROPERTIES.isdisjoint(header):
            break
    size = _size(header)
    moves, setup = Stones(size).read(nodes, leading)
    text = {key: text_of(entry) for key, entry in header.items() if key in _HEADER}
    program = [text_of(entry) for node in nodes[:leading] for entry in node if entry[0] == b"AP"][-1:]
    seats = Seats(text.get(b"PB", ""), text.get(b"PW", ""), text.get(b"RE", ""))
    seats = right_seats(seats, "".join(program), name)
    komi_as_written, stones_as_written = text.get(b"KM", ""), text.get(b"HA", "")
    komi = read_komi(komi_as_written, text.get(b"RU", ""), "".join(program))
    handicap = read_handicap(stones_as_written)
    odd = [remark("KM", komi_as_written, komi), remark("HA", stones_as_written, handicap)]
    placed = any(stone.after == 0 and stone.colour == BLACK for stone in setup)
    if (handicap or 0) > 1 and not placed and moves[:2, 0].tolist() != [BLACK, BLACK]:
        odd.append(unset_remark(handicap or 0))
    return GameRecord(
        id=game_id,
        size=size,
        moves=moves,
        setup=setup,
        players=(seats.black, seats.white),
        ranks=(text.get(b"BR", ""), text.get(b"WR", "")),
        result=seats.result,
        komi=komi,
        rules=text.get(b"RU", ""),
        handicap=handicap or 0,
        remarks=tuple(filter(None, odd)),
    )


_HEADER: Final = frozenset((b"PB", b"PW", b"BR", b"WR", b"RE", b"KM", b"RU", b"HA"))


def text_of(entry: Property) -> str:
    """Return a header value as sgfmill reads SimpleText, in one line."""
    raw = entry[1][0]
    if b"\\" in raw:
        raw = sgf_grammar.simpletext_value(raw)
    return " ".join(raw.decode("utf-8", "replace").split())


def _size(header: dict[bytes, Property]) -> int:
    """Return the board size. Raises Broken for boards that cannot be, and for other games than Go."""
    _, (game, *_), token = header.get(b"GM", (b"GM", [b"1"], 0))
    if game.strip() not in (b"1", b""):
        raise Broken(f"GM[{shown(game, 20)}] is not the game of Go", token)
    _, (raw, *_), token = header.get(b"SZ", (b"SZ", [b"19"], 0))
    text = raw.strip()
    size = int(text) if text.isdigit() and len(text) < 5 else 0
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise Broken(f"SZ[{shown(raw, 20)}] is not a board size from {MIN_SIZE} to {MAX_SIZE}", token)
    return size


# writing --------------------------------------------------------------------------------------------------------------


def write_game(
    record: GameRecord, header: Mapping[str, str] | None = None, words: Sequence[Mapping[str, str]] = ()
) -> bytes:
    """Return a record as one SGF game in UTF-8, ending with a newline.

    header -- further properties of the game; words -- further properties of each move, as many as there are

    `read_games` reads it back equal, if texts are free of line breaks and double blanks and the setup is sorted by
    `after`, then point, each point once, and for komi that KM cannot hold (`komi_text`). The id is not written.
    Raises ValueError for a size outside 2..19.
    """
    if not MIN_SIZE <= record.size <= MAX_SIZE:
        raise ValueError(f"board sizes are {MIN_SIZE} to {MAX_SIZE}, not {record.size}")
    root = {"FF": [b"4"], "CA": [b"UTF-8"], "GM": [b"1"], "SZ": [b"%d" % record.size]}
    root.update(sgf_texts(_header_values(record)))
    root.update(sgf_texts(header or {}))
    return write_nodes([root, *_later_nodes(record, root, words)])


def write_nodes(nodes: Iterable[Mapping[str, list[bytes]]]) -> bytes:
    """Return one SGF game of nodes of raw values, in lines, ending with a newline."""
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = list(nodes)
    data: bytes = sgf_grammar.serialise_game_tree(tree)
    return data.rstrip() + b"\n"  # sgfmill may wrap the last line break to a line of its own


def _later_nodes(
    record: GameRecord, root: dict[str, list[bytes]], words: Sequence[Mapping[str, str]]
) -> Iterator[dict[str, list[bytes]]]:
    """Put the first setup into the root node; yield nodes of later setup and of the moves."""
    names = {point: text for text, point in reversed(coordinates(record.size)[0].items())}
    names[PASS] = b""
    later = 0
    for ply in range(len(record.moves) + 1):
        if later < len(record.setup) and record.setup[later].after == ply:
            stones = [stone for stone in record.setup if stone.after == ply]
            later += len(stones)
            node = root if ply == 0 else {}
            for stone in stones:
                node.setdefault(("AE", "AB", "AW")[stone.colour], []).append(names[stone.point])
            if ply:
                yield node
        if ply < len(record.moves):
            colour, point = record.moves[ply].tolist()
            yield {"B" if colour == BLACK else "W": [names[point]], **sgf_texts(words[ply] if ply < len(words) else {})}


def sgf_texts(values: Mapping[str, str]) -> dict[str, list[bytes]]:
    """Return texts as raw values of properties; empty ones are left out."""
    given = {key: value.encode("utf-8", "replace") for key, value in values.items() if value}
    return {key: [sgf_grammar.escape_text(value)] for key, value in given.items()}


def _header_values(record: GameRecord) -> dict[str, str]:
    return {
        "PB": record.players[0],
        "PW": record.players[1],
        "BR": record.ranks[0],
        "WR": record.ranks[1],
        "RE": record.result,
        "KM": "" if record.komi is None else komi_text(record.komi),
        "RU": record.rules,
        "HA": str(record.handicap) if record.handicap else "",
    }
