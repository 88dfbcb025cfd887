"""Rule and RuleSet: clauses of move(Board, Color, X, Y) in Go, of move(Board, Color, Move) in other games, as Prolog.

The text is data: it is parsed here, over known predicates only, and never handed to a Prolog system by this module.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple, TextIO

from gotools.base.errors import FileFormatError, GotoolsError, quoted, shown
from gotools.files.kinds import wrong_kind
from gotools.files.opening import FIRST_BYTES, read_lines
from gotools.game.game import vocabulary_of
from gotools.game.table import USUAL
from gotools.game.vocabulary import Vocabulary

VERSION = 1
_SIZES = re.compile(r"([1-9][0-9]?)-([1-9][0-9]?)", re.ASCII)
DIRECTIVES = (":- discontiguous rule/4, move/4.", ":- style_check(-singleton).")
"""Keep SWI-Prolog quiet while it loads: facts and clauses alternate, and a body need not use all of A, B, C and D."""
MAX_BODY = 64
"""Most literals of a clause; gotools writes no longer rules."""
MAX_INTEGER = 9999
MAX_LINE = 1 << 16
"""Characters of a line; MAX_BODY literals of the longest names stay below."""
MOST_WEIGHT = 10**6
UNITS = 10**9
"""Weights count as whole multiples of 1 / UNITS: sums do not depend on their order, so ties are ties."""


class Var(NamedTuple):
    """A variable of a clause; A, B, C and D are the head's board, colour to play, column and row, or the move."""

    name: str

    def __str__(self) -> str:
        return self.name


Term = int | str | Var

_WORD = re.compile(r"[a-z]\w{0,39}", re.ASCII)


class Literal(NamedTuple):
    """One condition of a clause; constants are ints or atoms."""

    predicate: str
    args: tuple[Term, ...]

    def __str__(self) -> str:
        return f"{self.predicate}({','.join(map(_text, self.args))})"


def _text(term: Term) -> str:
    """Return a term as Prolog; an atom that is no word stands in quotes."""
    return f"'{term}'" if isinstance(term, str) and not _WORD.fullmatch(term) else str(term)


@dataclass(frozen=True, slots=True)
class Rule:
    """A clause, and the numbers of examples and counter-examples that it covers in the set it was induced from.

    weight -- what the rule adds to a move's score; scores of one position are log-odds (softmax) of its moves
    game -- the name of the game
    line -- of the clause in the file it was read from; 0 for none
    """

    id: str
    body: tuple[Literal, ...]
    positives: int
    negatives: int
    weight: float
    game: str = USUAL
    line: int = field(default=0, compare=False)

    @property
    def clause(self) -> str:
        return f"{vocabulary_of(self.game).head_text} :- {', '.join(map(str, self.body))}."


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules in the order in which they were found, and the header's settings."""

    rules: tuple[Rule, ...]
    header: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"RuleSet(rules={len(self.rules)}, sizes={self.sizes}, digest={self.digest[:12]!r})"

    @property
    def game(self) -> str:
        """The name of the game: Go where the header names none."""
        return self.header.get("game", USUAL)

    @property
    def sizes(self) -> tuple[int, int] | None:
        """The smallest and the largest board that the rules were learned on, if the header says so."""
        found = _SIZES.fullmatch(self.header.get("sizes", ""))
        return (int(found[1]), int(found[2])) if found else None

    def learned_elsewhere(self, sizes: Iterable[int]) -> str:
        """Return a warning if the rules were not learned on some of these board sizes, else ""."""
        if self.sizes is None:
            return ""
        low, high = self.sizes
        others = [f"{size}x{size}" for size in sorted(set(sizes)) if not low <= size <= high]
        where = f"{low}x{low}" + (f" to {high}x{high}" if high > low else "")
        return f"learned on {where}; untested on {' and '.join(others)}" if others else ""

    @property
    def digest(self) -> str:
        """SHA-256 of ids, weights (in UNITS) and clauses, as 64 hex digits: equal for rules that score alike."""
        lines = (f"{rule.id} {round(rule.weight * UNITS)} {rule.clause}\n" for rule in self.rules)
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def write_rules(out: TextIO, rules: RuleSet, comments: Mapping[str, str] | None = None) -> None:
    """Write `rules` as Prolog text that `read_rules` and SWI-Prolog read.

    comments -- a line of plain words for a rule's id, written above its clause

    Line breaks and other unprintable characters become blanks, so that no header or comment can be read as a rule.
    """
    out.write(f"%% gotools rules {VERSION}\n")
    for key, value in rules.header.items():
        out.write(f"%% {_one_line(key)}={_one_line(value)}\n")
    out.write("".join(f"{line}\n" for line in DIRECTIVES))
    for rule in rules.rules:
        comment = _one_line((comments or {}).get(rule.id, ""))
        out.write(f"\n% {comment}\n" if comment else "\n")
        out.write(f"rule({rule.id}, {rule.positives}, {rule.negatives}, {rule.weight:.6g}).\n{rule.clause}\n")


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def read_rules(text: Iterable[str], path: str, extra: Mapping[str, int] | None = None) -> RuleSet:
    """Parse the lines of a rules file.

    path -- the name that errors show
    extra -- predicates beyond the vocabulary, with their arities (those of a --background file)

    Raises FileFormatError with path and line at the first line that is not a rule of gotools.
    """
    header: dict[str, str] = {}
    rules: list[Rule] = []
    fact: tuple[str, int, int, float] | None = None
    number = 0
    for number, raw in enumerate(text, 1):
        if len(raw) > MAX_LINE:
            raise FileFormatError(path, number, f"a line of more than {MAX_LINE:,} characters")
        line = raw.strip()
        if number == 1:
            _check_first_line(line, path)
        elif line.startswith("%%"):
            key, _, value = line[2:].strip().partition("=")
            header[key] = value
            if key == "vocabulary":
                _check_version(header, path, number)
        elif not line or line.startswith("%") or line in DIRECTIVES:
            continue
        elif line.startswith("rule("):
            if fact is not None:
                raise FileFormatError(path, number, f"rule {fact[0]} has no clause")
            fact = _parse_fact(line, path, number)
        elif line.startswith("move("):
            if fact is None:
                raise FileFormatError(path, number, "a clause without a rule(Id, P, N, Weight) line before it")
            body = parse_body(line, path, number, header.get("game", USUAL), extra)
            rules.append(Rule(fact[0], body, *fact[1:], header.get("game", USUAL), number))
            fact = None
        else:
            raise FileFormatError(path, number, f"expected a rule, found {quoted(line, 40)}")
    if number == 0:
        _check_first_line("", path)
    if fact is not None:
        raise FileFormatError(path, None, f"rule {fact[0]} has no clause")
    if len({r.id for r in rules}) < len(rules):
        raise FileFormatError(path, None, "two rules have the same id")
    return RuleSet(tuple(rules), header)


def load_rules(path: str | Path) -> RuleSet:
    """Read a file of rules (`-` is stdin, `.gz` works).

    Raises FileFormatError as read_rules does, and for a file that is not text.
    """
    return read_rules(rule_lines(path), str(path))


def rule_lines(path: str | Path) -> list[str]:
    """Return the lines of a file of rules. Raises FileFormatError for another kind of file, and one that is no text."""
    lines = read_lines(path)
    if not lines or not lines[0].lstrip().startswith(b"%% gotools "):
        raise wrong_kind(path, b"\n".join(lines[:FIRST_BYTES])[:FIRST_BYTES], "rules")
    try:
        return [line.decode() for line in lines]
    except UnicodeDecodeError as error:
        raise FileFormatError(path, None, "is not text in UTF-8, as rules are") from error


def game_of_lines(text: Iterable[str]) -> str:
    """Return the name of the game of rules: Go where their header names none."""
    header = (line.strip()[2:].strip().partition("=") for line in text if line.lstrip().startswith("%%"))
    return {key: value for key, _, value in header}.get("game", USUAL)


def check_digest(digest: str, wanted: str | None, path: str | Path) -> None:
    """Raise FileFormatError if the digest of the rules does not begin with `wanted` (None: any digest)."""
    if wanted is not None and not digest.startswith(wanted.lower()):
        raise FileFormatError(path, None, f"holds other rules: digest {digest[:12]}, not {shown(wanted[:12])}")


def check_game(rules: RuleSet, game: str, path: str | Path | None = None) -> None:
    """Raise GotoolsError if rules are not of a game; path -- of their file, for the message."""
    if rules.rules and rules.game != game:
        raise GotoolsError(f"{'' if path is None else f'{path}: '}rules of {shown(rules.game)}, not of {game}")


def _check_version(header: Mapping[str, str], path: str, number: int) -> None:
    """Raise FileFormatError for rules of another version of the vocabulary of their game."""
    game, written = header.get("game", USUAL), header["vocabulary"]
    known = _vocabulary(game, path, number)
    if not known.points and written != str(known.version):  # rules of Go say no version
        what = f"rules by version {shown(written, 20)} of the vocabulary of {game}"
        raise FileFormatError(path, number, f"{what}; this program has version {known.version}")


def _check_first_line(line: str, path: str) -> None:
    words = line.split()
    if len(words) != 4 or words[:2] != ["%%", "gotools"] or not re.fullmatch("[0-9]{1,9}", words[3]):
        raise FileFormatError(path, 1, "expected '%% gotools rules 1'")
    if words[2] != "rules":
        raise FileFormatError(path, 1, f"a file of {shown(words[2])}; expected rules")
    if int(words[3]) > VERSION:
        raise FileFormatError(path, 1, f"rules of version {words[3]}; this program reads up to {VERSION}")


_WEIGHT = r"-?\d{1,9}(?:\.\d{1,9})?(?:e[+-]?\d{1,3})?"
_FACT = re.compile(rf"rule\(([a-z][A-Za-z0-9_]{{0,39}}), *(\d{{1,9}}), *(\d{{1,9}}), *({_WEIGHT})\)\.", re.ASCII)


def _parse_fact(line: str, path: str, number: int) -> tuple[str, int, int, float]:
    match = _FACT.fullmatch(line)
    if not match:
        raise FileFormatError(path, number, "expected rule(Id, P, N, Weight) with plain numbers")
    if not abs(float(match[4])) <= MOST_WEIGHT:
        raise FileFormatError(path, number, f"the weight {match[4]} of {match[1]} is out of range")
    return match[1], int(match[2]), int(match[3]), float(match[4])


_TOKEN = re.compile(
    r"\s*(?:(?:(?P<name>[a-z]\w{0,39})|(?P<var>[A-Z]\w{0,39}))(?!\w)|(?P<int>-?\d+)|'(?P<shape>[.xo#*/]{1,199})'"
    r"|(?P<mark>:-|[(),.]))",
    re.ASCII,
)


def _tokens(line: str, path: str, number: int) -> Iterator[tuple[str, str]]:
    at, end = 0, len(line)
    while at < end:
        match = _TOKEN.match(line, at)
        if not match:
            raise FileFormatError(path, number, f"cannot read {quoted(line[at:], 20)}")
        kind = match.lastgroup or ""
        yield kind, match[kind]
        at = match.end()


def parse_body(
    line: str, path: str, number: int, game: str = USUAL, extra: Mapping[str, int] | None = None
) -> tuple[Literal, ...]:
    """Parse a clause such as `move(A,B,C,D) :- literal, ... .` and return its body.

    extra -- predicates that a body may use beside the vocabulary of the game, with their arities

    Raises FileFormatError for a game without rules, another head, an unknown predicate, a wrong number of arguments, a
    number out of range, more than MAX_BODY literals, and anything but a plain atom, integer or variable.
    """
    head, arities = _language(game, path, number)
    arities = {**arities, **(extra or {})}
    tokens = list(_tokens(line, path, number))
    end = head.count(",") * 2 + 4  # tokens of the head
    if (
        "".join(text for _, text in tokens[:end]) != head
        or len(tokens) < end + 2
        or tokens[end][1] != ":-"
        or tokens[-1] != ("mark", ".")
    ):
        raise FileFormatError(path, number, f"expected one clause '{head} :- ... .'")
    at = end + 1
    body: list[Literal] = []
    while True:
        literal, at = _parse_literal(tokens, at, arities, path, number)
        body.append(literal)
        if len(body) > MAX_BODY:
            raise FileFormatError(path, number, f"more than {MAX_BODY} literals")
        if at == len(tokens) - 1:
            return tuple(body)
        if tokens[at][1] != ",":
            raise FileFormatError(path, number, f"expected ',' before {quoted(tokens[at][1])}")
        at += 1


def _language(game: str, path: str, number: int) -> tuple[str, Mapping[str, int]]:
    """Return the head of the rules of a game, and the arities of its predicates."""
    return _head_and_arities(_vocabulary(game, path, number))


def _vocabulary(game: str, path: str, number: int) -> Vocabulary:
    try:
        return vocabulary_of(game)
    except GotoolsError as error:
        raise FileFormatError(path, number, str(error)) from error


@cache
def _head_and_arities(vocabulary: Vocabulary) -> tuple[str, Mapping[str, int]]:
    return vocabulary.head_text, {p.name: p.arity for p in vocabulary.predicates}


def _parse_literal(
    tokens: list[tuple[str, str]], at: int, arities: Mapping[str, int], path: str, number: int
) -> tuple[Literal, int]:
    """Parse the literal that begins at token `at`; returns it and the place behind it."""
    kind, name = tokens[at]
    if kind != "name" or name not in arities:
        raise FileFormatError(path, number, f"unknown predicate {quoted(name)}")
    args: list[Term] = []
    at += 1
    expected = "("
    while tokens[at][1] == expected and at + 2 < len(tokens):
        args.append(_term(*tokens[at + 1], path=path, number=number))
        at += 2
        expected = ","
    if tokens[at][1] != ")" or len(args) != arities[name]:
        raise FileFormatError(path, number, f"{name} takes {arities[name]} plain arguments")
    return Literal(name, tuple(args)), at + 1


def _term(kind: str, text: str, path: str, number: int) -> Term:
    if kind == "var":
        return Var(text)
    if kind == "int":
        if len(text) > 5 or abs(int(text)) > MAX_INTEGER:
            raise FileFormatError(path, number, f"number {shown(text, 20)} is out of range")
        return int(text)
    if kind in ("name", "shape"):
        return text
    raise FileFormatError(path, number, f"expected an argument, found {quoted(text)}")
