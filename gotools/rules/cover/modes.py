"""Read mode declarations (`--modes FILE`): which literals a rule may be made of, and which constraints hold.

The form is Aleph's, parsed here and never run:

    :- modeb(1, edge_hor(+coord_x, +coord_y, #[-4..-1], +pos)).
    :- constraint(opposite_once, off).

Source: Muggleton 1995 (modes, recall); the Aleph manual.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gotools.base.errors import FileFormatError, nearest, shown
from gotools.game.game import vocabulary_of
from gotools.game.table import USUAL
from gotools.game.vocabulary import Vocabulary
from gotools.games.go.vocabulary import RADIUS
from gotools.rules.clauses.background_text import parse_file
from gotools.rules.clauses.rules import MAX_INTEGER

if TYPE_CHECKING:
    from gotools.rules.clauses.background import Background

CONSTRAINTS = ("variables_twice", "coloured_blocks", "opposite_once", "counts_once")
"""Constraints of rules that a file may switch off; see docs/vocabulary.md."""

EXPECTED = "modes in Prolog"
MOST_RECALL = 1000
MOST_NUMBER = 361
FARTHEST_LINE = 19
"""Limits of numbers in Go."""

Constant = int | str


class Mode(NamedTuple):
    """A declaration: recall -- most answers to one call, None for all; values -- of each `#`, None for all."""

    recall: int | None
    values: tuple[frozenset[Constant] | None, ...]

    def fits(self, constants: Sequence[Constant]) -> bool:
        """Return whether a literal with these constants is one of this mode."""
        return len(constants) == len(self.values) and all(
            allowed is None or one in allowed for one, allowed in zip(constants, self.values, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Modes:
    """What a file declares: modes by predicate, in the order of the vocabulary, and the constraints switched off.

    digest -- of the text, for the header of rules
    """

    of: dict[str, tuple[Mode, ...]]
    off: frozenset[str]
    digest: str

    @property
    def predicates(self) -> tuple[str, ...]:
        """The predicates that have a mode."""
        return tuple(self.of)


class _Token(NamedTuple):
    text: str
    line: int


_TOKEN = re.compile(r"[ \t\r]+|%[^\n]*|(?P<token>\n|:-|\.\.|[-+*#()\[\],/]|\.(?=\s|%|\Z)|\d+|[a-z]\w*)|(?P<other>.)")
_END = "."


def load_modes(path: str | Path, background: Background | None = None, game: str = USUAL) -> Modes:
    """Read a file of modes for a game; those of `background` are in its own file.

    Raises FileFormatError for another kind of file, and with the line for what is not allowed.
    """
    vocabulary = vocabulary_of(game)
    return parse_file(path, EXPECTED, lambda text: _parsed(path, text, background, vocabulary))


def _parsed(path: str | Path, text: str, background: Background | None, vocabulary: Vocabulary) -> Modes:
    found: dict[str, list[Mode]] = {}
    needs: list[tuple[int, str, str]] = []
    bound = set(vocabulary.head)
    if background is not None:
        bound |= {mode[1:] for own in background.predicates for mode in own.modes if mode[0] == "-"}
    off: dict[str, bool] = {}
    for tokens in _clauses(path, text):
        parser = _Parser(path, tokens, vocabulary)
        kind = parser.directive()
        if kind == "constraint":
            name, value = parser.constraint()
            off[name] = value == "off"
        elif kind == "modeh":
            parser.head()
        else:
            name, mode, written = parser.mode()
            found.setdefault(name, []).append(mode)
            bound |= {one[1:] for one in written if one[0] == "-"}
            needs.extend((tokens[0].line, name, one[1:]) for one in written if one[0] == "+")
        parser.finish()
    if not found:
        raise FileFormatError(path, None, "no mode; a predicate is allowed by `:- modeb(*, name(+board, ...)).`")
    for line, name, kind in needs:
        if kind not in bound:
            raise FileFormatError(path, line, f"{name} needs +{kind}, and no mode here has -{kind}")
    ordered = {p.name: tuple(found[p.name]) for p in vocabulary.predicates if p.name in found}
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return Modes(ordered, frozenset(name for name, is_off in off.items() if is_off), digest)


def _clauses(path: str | Path, text: str) -> Iterator[list[_Token]]:
    """Yield the tokens of each clause, without the full stop."""
    clause: list[_Token] = []
    line = 1
    for match in _TOKEN.finditer(text):
        if match["other"]:
            raise FileFormatError(path, line, f"unexpected {shown(match[0])!r}")
        if match["token"] == "\n":
            line += 1
        elif match["token"] == _END:
            if not clause:
                raise FileFormatError(path, line, "a full stop without a declaration")
            yield clause
            clause = []
        elif match["token"]:
            clause.append(_Token(match["token"], line))
    if clause:
        raise FileFormatError(path, clause[0].line, "this declaration has no full stop at its end")


class _Parser:
    """Reads one declaration from its tokens."""

    def __init__(self, path: str | Path, tokens: list[_Token], vocabulary: Vocabulary) -> None:
        self.path, self.tokens, self.at = path, tokens, 0
        self.vocabulary = vocabulary
        self.expected_head = [f"+{kind}" for kind in vocabulary.head]

    def error(self, what: str) -> FileFormatError:
        line = self.tokens[min(self.at, len(self.tokens) - 1)].line
        return FileFormatError(self.path, line, what)

    def next(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else _END

    def take(self, *expected: str) -> str:
        """Return the next token, which must be one of these; without any, a name."""
        text = self.next()
        if not (text in expected if expected else text[0].islower()):
            wanted = " or ".join(f"`{e}`" for e in expected) or "a name"
            raise self.error(f"expected {wanted}, not `{shown(text)}`")
        self.at += 1
        return text

    def finish(self) -> None:
        self.take(")")
        if self.at < len(self.tokens):
            raise self.error(f"expected a full stop, not `{shown(self.next())}`")

    def directive(self) -> str:
        """Read up to the first argument; returns what is declared."""
        self.take(":-")
        kinds = ("modeb", "modeh", "constraint")
        if self.next() not in kinds:
            raise self.error(f"`{shown(self.next())}` declares nothing here{nearest(self.next(), kinds)}")
        kind = self.take(*kinds)
        self.take("(")
        return kind

    def constraint(self) -> tuple[str, str]:
        name = self.next()
        if name not in CONSTRAINTS:
            raise self.error(f"`{shown(name)}` is no constraint{nearest(name, CONSTRAINTS)}")
        self.at += 1
        self.take(",")
        return name, self.take("on", "off")

    def recall(self) -> int | None:
        text = self.next()
        if text == "*" or (text.isdigit() and len(text) < 9 and 0 < int(text) <= MOST_RECALL):
            self.at += 1
            self.take(",")
            return None if text == "*" else int(text)
        raise self.error(f"recall is `*` or a number from 1 to {MOST_RECALL}, not `{shown(text)}`")

    def head(self) -> None:
        """Read the mode of the head, which is always the same."""
        self.recall()
        if (
            self.take() != "move"
            or [mode for mode, _ in self.arguments(self.expected_head, "move")] != self.expected_head
        ):
            raise self.error(f"the head of rules is move({', '.join(self.expected_head)})")

    def mode(self) -> tuple[str, Mode, tuple[str, ...]]:
        """Read the mode of a condition; returns its name, the mode, and its arguments as the vocabulary has them."""
        recall = self.recall()
        names = [p.name for p in self.vocabulary.predicates if p.name != "shape"]
        name = self.next()
        if name not in names:
            note = "; --objective rank alone finds it" if name == "shape" else nearest(name, names)
            raise self.error(f"`{shown(name)}` is no predicate of rules that cover{note}")
        self.at += 1
        (predicate,) = (p for p in self.vocabulary.predicates if p.name == name)
        if name == "pos_gen" and recall not in (None, 1):
            raise self.error("pos_gen has recall 1: a rule holds in whatever symmetry it fits")
        first = self.at
        arguments = self.arguments(predicate.modes, name)
        written = tuple(mode for mode, _ in arguments)
        if written not in predicate.variants:
            self.at = first
            wanted = " or ".join(f"{name}({', '.join(modes)})" for modes in predicate.variants)
            raise self.error(f"expected {wanted}")
        values = tuple(allowed for mode, allowed in arguments if mode[0] == "#")
        return name, Mode(recall, values), written

    def arguments(self, usual: Sequence[str], name: str) -> list[tuple[str, frozenset[Constant] | None]]:
        """Read (+type, #[...], ...); a list of values counts as the type that the predicate has there."""
        self.take("(")
        found: list[tuple[str, frozenset[Constant] | None]] = []
        while True:
            sign = self.take("+", "-", "#")
            if sign == "#" and self.next() == "[":
                kind = usual[len(found)][1:] if len(found) < len(usual) else ""
                found.append((f"#{kind}", self.values(kind, name)))
            else:
                found.append((sign + self.take(), None))
            if self.take(",", ")") == ")":
                return found

    def values(self, kind: str, name: str) -> frozenset[Constant]:
        """Read a list of numbers, of ranges such as -3..-1, or of words."""
        self.take("[")
        found: set[Constant] = set()
        while True:
            first = self.constant(kind, name)
            last = first
            if self.next() == "..":
                self.at += 1
                last = self.constant(kind, name)
            if isinstance(first, int) and isinstance(last, int):
                if first > last:
                    raise self.error(f"{first}..{last} holds no number")
                found.update(range(first, last + 1))
            elif first == last:
                found.add(first)
            else:
                raise self.error("a range is between two numbers")
            if self.take(",", "]") == "]":
                return frozenset(found)

    def constant(self, kind: str, name: str) -> Constant:
        """Read a value of a type, within its limits."""
        words = self.vocabulary.words.get(kind)
        text = self.next()
        if words is not None:
            if text not in words:
                raise self.error(f"`{shown(text)}` is no {kind}{nearest(text, words)}")
            self.at += 1
            return text
        low, high = self.limits(kind, name)
        sign = -1 if text == "-" else 1
        self.at += text == "-"
        digits = self.next()
        value = sign * int(digits) if digits.isdigit() and len(digits) < 9 else None
        if value is None or not low <= value <= high:
            raise self.error(f"expected a number from {low} to {high}, not `{'-' * (sign < 0)}{shown(digits)}`")
        self.at += 1
        return value

    def limits(self, kind: str, name: str) -> tuple[int, int]:
        """Return the least and the greatest number of a type."""
        if not self.vocabulary.points:
            return -MAX_INTEGER, MAX_INTEGER
        if kind == "disp":
            return (-FARTHEST_LINE, -1) if name.startswith("edge") else (-RADIUS, RADIUS)
        return 0, MOST_NUMBER
