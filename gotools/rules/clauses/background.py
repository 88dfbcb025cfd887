"""Add a user's predicates (`--background FILE.pl`) to the language of rules: SWI-Prolog evaluates them into arrays.

FILE.pl --read, checked, never run--> clauses in a module of their own      (background_loader.pl)
examples --distinct questions, in batches--> answers --> rows of `given` and `properties` beside the built-in facts

SWI-Prolog runs in a process of its own, behind limits (prolog.py). Its answers are not trusted: they are checked here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.game.game import meaning_of, vocabulary_of
from gotools.game.table import USUAL
from gotools.game.vocabulary import Predicate, Vocabulary
from gotools.rules.clauses.background_text import parse_file
from gotools.rules.clauses.kernels.conditions import Facts
from gotools.rules.clauses.questions import (
    MOST_PREDICATES,
    OUTPUT,
    Answers,
    Asking,
    Constants,
    askings,
    has_block,
    items,
    read_answers,
    row_of_truth,
    strange_block,
)

if TYPE_CHECKING:
    from gotools.rules.clauses.points import Points, StateMoves
    from gotools.rules.clauses.prolog import Prolog

MOST_CONSTANTS = 200
"""Different values that the constants of one predicate may take: each costs a byte an example and a literal a seed."""

MOST_ANSWERS = 1 << 26
"""Answers of all predicates to all questions: 2 GiB."""

MOST_BYTES = 1 << 31
"""Bytes of the rows of all predicates for one table of examples."""

MOST_ARGUMENTS = 16
"""Arguments of a predicate with a mode."""

QUESTIONS = 4096
"""Questions to Prolog in one call: a call costs some 0.1 ms, a question some 20 us."""

_NAME = re.compile(r"[a-z][A-Za-z0-9_]{0,39}")
_CONSTANT = re.compile(r"#[a-z][A-Za-z0-9_]{0,39}")
_numbers = count(1)


class Held(NamedTuple):
    """A literal that is true of an example: colour -- who acts, 1 own, 2 opponent's; block -- from 1, or None."""

    predicate: Predicate
    row: int
    constants: Constants
    colour: int
    block: int | None


@dataclass(slots=True)
class Background:
    """A user's predicates, and the rows that they have in the facts of every table of this run.

    lines -- where the first clause of each predicate stands
    prolog -- the process, and module -- the Prolog module in it, that hold the clauses
    """

    path: str
    predicates: tuple[Predicate, ...]
    lines: dict[str, int]
    prolog: Prolog
    module: str
    _rows: list[dict[tuple[int, Constants], int]] = field(default_factory=list)  # a predicate's, by who acts
    _evaluated: bool = False

    @property
    def arities(self) -> dict[str, int]:
        return {p.name: p.arity for p in self.predicates}

    @property
    def names_blocks(self) -> bool:
        """Return whether facts must hold all chains: -block may name one outside the window, +block does not."""
        return any(OUTPUT in p.modes for p in self.predicates)

    def row_of(self, name: str, colour: int, constants: Constants) -> int | None:
        """Return the row of a literal: of `properties` if its predicate has a block argument, else of `given`.

        colour -- who acts, 1 own, 2 opponent's; ignored where the predicate has no +color
        None: it holds nowhere in the tables evaluated so far. A row beyond the arrays of a table holds nowhere there.
        """
        for predicate, rows in zip(self.predicates, self._rows, strict=True):
            if predicate.name == name:
                return rows.get((colour if "+color" in predicate.modes else 0, constants))
        return None

    def evaluate(self, points: Points | StateMoves, facts: Facts) -> Facts:
        """Return the facts with `given` and `properties` filled; new rows come after those already known.

        Tables after the first get no new constants beyond MOST_CONSTANTS: no rule of the run can name them.
        Costs about 20 us for each distinct question, and the chains of each position.

        Raises FileFormatError, with predicate and line, for an error in Prolog, an endless predicate, one for which the
        process had to be killed, a block that does not exist, and too many constants.
        """
        asked = [a for k, p in enumerate(self.predicates) for a in askings(p, k, points, facts)]
        questions, inverse = np.unique(np.concatenate([a.questions for a in asked]), return_inverse=True)
        parts = np.split(inverse, np.cumsum([len(a.questions) for a in asked])[:-1])
        asked = [a._replace(questions=part) for a, part in zip(asked, parts, strict=True)]
        answers = self._ask(points, questions)
        by_predicate = [answers.of(k, questions) for k in range(len(self.predicates))]
        self._register(by_predicate)
        return self._filled(facts, asked, by_predicate)

    def holding(
        self, facts: Facts, seed: int, step: int, fresh: Sequence[int], blocks: Iterable[int]
    ) -> Iterator[Held]:
        """Yield the literals, true of the seed in frame p1, whose inputs are all bound since the step before.

        fresh -- blocks that the step before brought in; blocks -- all blocks of the seed, for -block arguments
        Step 1 binds board, own colour and point, step 2 the opponent's colour and the frame. A +block literal comes one
        step after its block, so never before step 2. Order: predicates as in the file, colours, constants, blocks.
        """
        first = int(facts.start[seed]) - 1
        everywhere = list(blocks)
        for predicate, rows in zip(self.predicates, self._rows, strict=True):
            for (acting, constants), row in sorted(rows.items(), key=_in_order):
                held = Held(predicate, row, constants, max(acting, 1), None)
                due = 2 if acting == 2 or "+pos" in predicate.modes else 1
                if "+block" in predicate.modes:
                    candidates = fresh
                else:
                    candidates = everywhere if step == due else ()
                if has_block(predicate):
                    if row < len(facts.properties):
                        yield from (held._replace(block=b) for b in candidates if facts.properties[row, first + b])
                elif step == due and row < len(facts.given) and facts.given[row, seed] & 1:
                    yield held

    def _ask(self, points: Points | StateMoves, questions: NDArray[np.int64]) -> Answers:
        """Ask Prolog all distinct questions, position by position."""
        found = [np.zeros((0, 4), np.int64)]
        constants: dict[Constants, int] = {}
        at = total = 0
        while at < len(questions):
            terms = ",".join(items(points, questions[at : at + QUESTIONS]))
            match self._reply(f"gotools_background:run({self.module},[{terms}],Answer)"):
                case {"answers": [[], *answers], "done": int(done)} if 0 < done <= QUESTIONS:
                    total += len(answers)
                case {"failed": [int(number), str(what)]} if 0 < number <= len(self.predicates):
                    raise self._error(self.predicates[number - 1], what)
                case _:
                    raise _strange(self.path)
            if total > MOST_ANSWERS:
                raise FileFormatError(
                    self.path, None, f"gives more than {MOST_ANSWERS:,} answers; learn from fewer moves"
                )
            try:
                found.append(read_answers(answers, at, len(questions), constants))
            except (ValueError, OverflowError) as error:
                raise _strange(self.path) from error
            at += done
        question, frame, block, constant = np.concatenate(found).T
        return Answers(question, frame.astype(np.uint8), block, constant, list(constants))

    def _reply(self, goal: str) -> Any:
        """Ask; if the process dies, name the predicate that killed it."""
        from gotools.rules.clauses.prolog import PrologStopped

        try:
            return self.prolog.ask(goal)
        except PrologStopped as error:
            if error.at is not None and 0 < error.at <= len(self.predicates):
                raise self._error(self.predicates[error.at - 1], error.what) from error
            raise FileFormatError(self.path, None, _plain(error.what)) from error

    def _error(self, predicate: Predicate, what: str) -> FileFormatError:
        return _refusal(self.path, self.lines[predicate.name], f"{predicate.name}: {what}", self.module)

    def _register(self, by_predicate: list[Answers]) -> None:
        """Give rows to the constants that occur for the first time, in their order."""
        for predicate, rows, answers in zip(self.predicates, self._rows, by_predicate, strict=True):
            known = {constants for _, constants in rows}
            occurring = {answers.values[c] for c in np.unique(answers.constants).tolist()}
            fresh = sorted(occurring - known, key=_constants_in_order)
            room = MOST_CONSTANTS - len(known)
            if len(fresh) > room and not self._evaluated:
                raise self._error(predicate, f"gives more than {MOST_CONSTANTS} distinct constants")
            row = self._row_count(has_block(predicate))
            for constants in fresh[:room]:
                for acting in (1, 2) if "+color" in predicate.modes else (0,):
                    rows[acting, constants] = row
                    row += 1
        self._evaluated = True

    def _row_count(self, with_block: bool) -> int:
        pairs = zip(self.predicates, self._rows, strict=True)
        return sum(len(rows) for predicate, rows in pairs if has_block(predicate) == with_block)

    def _filled(self, facts: Facts, asked: list[Asking], by_predicate: list[Answers]) -> Facts:
        """Write the answers into arrays of the shape of `facts`."""
        shapes = (self._row_count(False), facts.window.shape[1]), (self._row_count(True), len(facts.relation))
        if sum(rows * width for rows, width in shapes) > MOST_BYTES:
            what = f"{sum(rows for rows, _ in shapes):,} distinct literals over all examples take too much memory"
            raise FileFormatError(self.path, None, f"{what}; give fewer constants, or learn from fewer moves")
        given, properties = (np.zeros(shape, np.uint8) for shape in shapes)
        for asking in asked:
            predicate, answers = self.predicates[asking.predicate], by_predicate[asking.predicate]
            strange = strange_block(facts, asking, answers) if OUTPUT in predicate.modes else None
            if strange is not None:
                raise self._error(predicate, f"gives the block {strange}, but no chain of that position is named so")
            target = properties if has_block(predicate) else given
            for constants in np.unique(answers.constants).tolist():
                row = self._rows[asking.predicate].get((asking.acting, answers.values[constants]))
                if row is not None:
                    target[row] = row_of_truth(predicate, facts, asking, answers, constants)
        return facts._replace(given=given, properties=properties)


def _in_order(entry: tuple[tuple[int, Constants], int]) -> tuple[int, tuple[tuple[bool, int, str], ...]]:
    (acting, constants), _ = entry
    return acting, _constants_in_order(constants)


def _constants_in_order(constants: Constants) -> tuple[tuple[bool, int, str], ...]:
    return tuple((isinstance(c, str), c if isinstance(c, int) else 0, str(c)) for c in constants)


# ---- reading the file ----


def load_background(path: str | Path, game: str = USUAL) -> Background:
    """Read a background file for a game: clauses, and modes as facts `modeb(*, name(+board, ..., #constant)).`.

    Nothing in it is run. Raises FileFormatError with the line for another kind of file or an unsafe one, MissingTool if
    SWI-Prolog is not installed, and GotoolsError for a game without a vocabulary, or without facts of its positions.
    """
    vocabulary = vocabulary_of(game)
    if not vocabulary.points and vocabulary.facts is None:
        raise GotoolsError(f"{game} cannot tell its positions in Prolog, as --background needs")
    return parse_file(path, "predicates in Prolog", lambda text: _load(path, text, game))


def _load(path: str | Path, text: str, game: str) -> Background:
    prolog, vocabulary = _running(game), vocabulary_of(game)
    module = f"gotools_user_{next(_numbers)}"
    clauses, modes = _loaded(prolog, module, path, text)
    lines = text.split("\n")
    predicates: dict[str, Predicate] = {}
    for line, name, types in modes:
        what = _wrong_mode(name, types, clauses, predicates, vocabulary)
        if what:
            raise FileFormatError(path, line, _plain(what))
        above = lines[line - 2].strip() if line > 1 else ""
        meaning = _plain(above.lstrip("%! \t")) if above.startswith("%") else ""
        predicates[name] = Predicate(name, tuple(types), meaning, level=1)
    if not predicates:
        raise FileFormatError(path, None, "no mode; each predicate needs a fact `modeb(*, name(+board, ...)).`")
    firsts = {p.name: clauses[p.name, p.arity] for p in predicates.values()}
    own = Background(str(path), tuple(predicates.values()), firsts, prolog, module, [{} for _ in predicates])
    templates = ",".join(map(_template, own.predicates))
    own._reply(f'gotools_background:prepare({module},[{templates}]),Answer="1"')
    return own


def _running(game: str) -> Prolog:
    try:
        from gotools.rules.clauses.prolog import running_prolog
    except ImportError as error:
        raise GotoolsError(
            "--background needs Linux or macOS: this system cannot limit the resources of a process"
        ) from error
    return running_prolog(str(meaning_of(game)))


Clauses = dict[tuple[str, int], int]
"""Line of the first clause of each predicate, by name and arity."""


def _loaded(
    prolog: Prolog, module: str, path: str | Path, text: str
) -> tuple[Clauses, list[tuple[int, str, list[str]]]]:
    """Have Prolog read and check the file; returns its clauses and its modes, as line, name, types.

    Raises FileFormatError for what Prolog refuses, and for a file on which the process had to be killed.
    """
    from gotools.rules.clauses.prolog import PrologStopped

    try:
        reply = prolog.ask(f'gotools_background:load_text({module},"{_escaped(text)}",Answer)')
    except PrologStopped as error:
        raise _refusal(path, error.at or 0, error.what, module) from error
    clauses: Clauses = {}
    modes: list[tuple[int, str, list[str]]] = []
    last = text.count("\n") + 1
    match reply:
        case {"refused": [int(line), str(what)]} if 0 <= line <= last:
            raise _refusal(path, line, what, module)
        case {"clauses": [[], *heads], "modes": [[], *declared]}:
            pass
        case _:
            raise _strange(path)
    for head in heads:
        match head:
            case [int(line), str(name), int(arity)] if 0 < line <= last:
                clauses[name, arity] = line
            case _:
                raise _strange(path)
    for mode in declared:
        match mode:
            case [int(line), str(name), [*types]] if 0 < line <= last and all(isinstance(t, str) for t in types):
                modes.append((line, name, types))
            case _:
                raise _strange(path)
    return clauses, modes


def _inputs(vocabulary: Vocabulary) -> list[str]:
    """Return the types of input arguments of a game's predicates."""
    more = ["pos", "block"] if vocabulary.points else ["pos"] if vocabulary.window else []
    return [f"+{kind}" for kind in (*vocabulary.head, *more)]


def _wrong_mode(
    name: str, modes: list[str], clauses: Clauses, predicates: dict[str, Predicate], vocabulary: Vocabulary
) -> str:
    """Describe the fault of a mode declaration, "" if it is right."""
    inputs, outputs = _inputs(vocabulary), [OUTPUT] if vocabulary.points else []
    if not _NAME.fullmatch(name):
        return f"{name[:40]!r} is not a name for a predicate of rules (small letters, digits and _)"
    if name in ("move", "rule", *(p.name for p in vocabulary.predicates)):
        return f"{name} is a name of the vocabulary; take another one"
    if name in predicates:
        return f"a second mode for {name}"
    for mode in modes:
        if mode not in (*inputs, *outputs) and not _CONSTANT.fullmatch(mode):
            return f"unknown type {mode[:40]}; types are {' '.join(inputs + outputs)} and #anything for a constant"
    if len(predicates) >= MOST_PREDICATES:
        return f"more than {MOST_PREDICATES:,} modes"
    if len(modes) > MOST_ARGUMENTS:
        return f"{name} has more than {MOST_ARGUMENTS} arguments"
    bound = [mode for mode in modes if mode[0] != "#"]
    if len(set(bound)) < len(bound) or {"+block", OUTPUT} <= set(bound):
        return f"{name} has two arguments of one type; a rule has one board, point, color, pos and block for it"
    if not any(mode[0] == "+" for mode in modes):
        return f"{name} has no + argument, so it says nothing about the move"
    if not vocabulary.points and "+board" not in modes:
        return f"{name} has no +board, which a predicate of this game needs"
    if "+pos" in modes and ("+block" in modes or OUTPUT in modes):
        return f"{name} has a block and +pos; a block is the same in all symmetries: leave +pos out"
    if (name, len(modes)) not in clauses:
        return f"{name}/{len(modes)} has a mode but no clause"
    return ""


def _template(predicate: Predicate) -> str:
    """Return how Prolog calls the predicate: its arguments, and the goal in which they stand."""
    variables = {"board": "A", "color": "C", "coord_x": "X", "coord_y": "Y", "move": "X", "block": "B", "pos": "F"}
    constants = [f"K{n}" for n, mode in enumerate(predicate.modes) if mode[0] == "#"]
    rest = iter(constants)
    args = [next(rest) if mode[0] == "#" else variables[mode[1:]] for mode in predicate.modes]
    block = "B" if has_block(predicate) else "0"
    frame = "F" if "+pos" in predicate.modes else "none"
    return f"t(A,C,X,Y,{block},{frame},[{','.join(constants)}],{predicate.name}({','.join(args)}))"


def _refusal(path: str | Path, line: int, what: str, module: str) -> FileFormatError:
    return FileFormatError(path, line or None, _plain(what.replace(f"{module}:", "").strip()))


def _strange(path: str | Path) -> FileFormatError:
    return FileFormatError(path, None, "SWI-Prolog gave an impossible answer; does the file try to deceive?")


def _plain(what: str) -> str:
    """Return one line that may hold names from the file, without terminal control characters."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):x}\\" for c in what[:400])


def _escaped(text: str) -> str:
    """Return text that Prolog reads back between double quotes."""
    return re.sub(r"[^A-Za-z0-9 .,()_+*/=<>:;#%-]", lambda match: f"\\x{ord(match[0]):x}\\", text)
