"""A user's predicates: as good as built-in ones where they say the same, refused with a line where they are not fit."""

import importlib.util
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from support import forked
from support.needs import needs_swipl
from support.slow_induction import points_of, random_examples

from gotools.base.errors import FileFormatError, MissingTool
from gotools.games.go.board import Board
from gotools.games.go.vocabulary import CHAIN_RELATIONS, VOCABULARIES
from gotools.rules.clauses import prolog
from gotools.rules.clauses.background import Background, load_background
from gotools.rules.clauses.facts import FactTable, Intervals
from gotools.rules.clauses.meaning import facts_of
from gotools.rules.clauses.points import Points
from gotools.rules.clauses.rules import Literal, read_rules
from gotools.rules.cover.induce import CoverSettings, SeedResult, induce

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/near_last.pl"

TWINS = """
% the block is left with one liberty
modeb(*, my_atari(+board, -block, +coord_x, +coord_y, +color)).
my_atari(A, F, X, Y, C) :- opposite(C, O), touching(A, X, Y, O, F), liberty_cnt(A, F, 2).
modeb(*, my_captures(+board, -block, +coord_x, +coord_y, +color)).
my_captures(A, F, X, Y, C) :- opposite(C, O), touching(A, X, Y, O, F), my_liberties(A, F, 1).
modeb(*, my_connects_direct(+board, -block, +coord_x, +coord_y, +color)).
my_connects_direct(A, F, X, Y, C) :- touching(A, X, Y, C, F).
modeb(*, my_connects_indirect(+board, -block, +coord_x, +coord_y, +color)).
my_connects_indirect(A, F, X, Y, C) :-
    block_color(A, F, C),
    \\+ touching(A, X, Y, C, F),
    point_at(A, X, Y, P),
    findall(L, ( liberty(A, F, L), once(neighbour(A, P, L)) ), [_, _|_]).

touching(A, X, Y, C, F) :-
    findall(G, ( point_at(A, X, Y, P), neighbour(A, P, Q), colour_at(A, Q, C), chain_at(A, Q, G) ), Gs),
    sort(Gs, Different),
    member(F, Different).

modeb(*, my_liberties(+board, +block, #n)).
my_liberties(A, F, N) :- aggregate_all(count, liberty(A, F, _), N).

modeb(*, is_own(+board, +block, +color)).
is_own(A, F, C) :- block_color(A, F, C).

modeb(*, my_edge(+coord_x, +coord_y, #d, +pos)).
my_edge(X, Y, D, E) :- turned(E, -1, 0, BX, BY), steps(BX, BY, X, Y, N), D is -N.
steps(_, _, X, Y, 0) :- board_size(S), \\+ ( between(1, S, X), between(1, S, Y) ), !.
steps(BX, BY, X, Y, N) :- X2 is X + BX, Y2 is Y + BY, steps(BX, BY, X2, Y2, M), N is M + 1.

modeb(*, shown(+board, +coord_x, +coord_y, #dx, #dy, +pos, +color)).
shown(A, X, Y, DX, DY, E, C) :- block_on_pos(A, X, Y, F, DX, DY, E), block_color(A, F, C).
"""


def played_points(size: int, games: int, seed: int) -> Points:
    """Two legal points, and the moves before, in a position of each of some games that two random players played."""
    rng = random.Random(seed)
    rows, order, chosen = [], [], []
    for game in range(games):
        board, moves = Board(size), [-1, -1]
        for _ in range(rng.randrange(2, size * size)):
            legal = board.legal_points(board.to_play)
            if len(legal) < 3:
                break
            moves.append(rng.choice(legal))
            board.play_point(moves[-1], board.to_play)
        rows.append((board.cells, size, board.to_play, board.ko, moves[-1], moves[-2]))
        for point in rng.sample(board.legal_points(board.to_play) or [0, 1], 2):
            order.append(game)
            chosen.append(point)
    cells, sizes, sides, kos, lasts, lasts2 = zip(*rows, strict=True)
    return Points(
        board=np.array(cells),
        size=np.array(sizes, np.uint8),
        to_play=np.array(sides, np.uint8),
        ko=np.array(kos, np.int16),
        last=np.array(lasts, np.int16),
        last2=np.array(lasts2, np.int16),
        position=np.array(order, np.int32),
        point=np.array(chosen, np.int16),
    )


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def written(text: str | bytes) -> Path:
        path = tmp_path / "own.pl"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


def rows_of(own: Background, name: str, colour: int, values: range) -> Iterator[tuple[int, int | None]]:
    for value in values:
        yield value, own.row_of(name, colour, (value,))


# ---- the same as what is built in ----


@needs_swipl
@pytest.mark.parametrize(("size", "games"), [(5, 30), (9, 40), (19, 3)])
def test_predicates_written_like_built_in_ones_have_the_same_truth(
    size: int, games: int, write: Callable[[str], Path]
) -> None:
    own = load_background(write(TWINS))
    assert own.names_blocks
    facts = facts_of(played_points(size, games, size), Intervals.start(), own).facts
    zeros = np.zeros(len(facts.relation), np.uint8)
    for bit, name in enumerate(CHAIN_RELATIONS):
        for colour, shift in ((1, 0), (2, 4)):
            row = own.row_of(f"my_{name}", colour, ())
            held = zeros if row is None else facts.properties[row]
            assert (held == facts.relation >> (bit + shift) & 1).all(), (name, colour)
    for n, row in rows_of(own, "my_liberties", 1, range(1, 40)):
        held = zeros if row is None else facts.properties[row]
        assert (held == (facts.number[0] == n)).all()
    for colour in (1, 2):
        row = own.row_of("is_own", colour, ())
        assert row is not None
        assert (facts.properties[row] == (facts.number[2] == colour)).all()


@needs_swipl
def test_predicates_of_the_point_have_the_same_truth_in_all_symmetries(write: Callable[[str], Path]) -> None:
    own = load_background(write(TWINS))
    table = facts_of(played_points(7, 25, 1), Intervals.start(), own)
    facts, bits = table.facts, 1 << np.arange(8)
    for d, row in rows_of(own, "my_edge", 1, range(-9, 1)):
        held = np.zeros(len(table)) if row is None else facts.given[row]
        assert (held == ((facts.edge[0] == d) * bits).sum(1)).all()
    for offset, at in enumerate(table.offsets):
        for colour in (1, 2):
            block = facts.window[offset].astype(np.int64)
            first = facts.start[:-1, None] - 1
            is_it = (block > 0) & (facts.number[2][np.where(block > 0, first + block, 0)] == colour)
            row = own.row_of("shown", colour, at)
            held = np.zeros(len(table)) if row is None else facts.given[row]
            assert (held == (is_it * bits).sum(1)).all()


@needs_swipl
def test_the_example_file_says_how_far_the_last_move_is() -> None:
    own = load_background(EXAMPLE)
    assert [p.name for p in own.predicates] == ["near_last", "last_block"]
    assert own.predicates[0].meaning == "the last move is this many lines away (the longer way of the two)"
    assert own.arities == {"near_last": 4, "last_block": 2}
    points = played_points(9, 30, 2)
    facts = facts_of(points, Intervals.start(), own).facts
    last = points.last[points.position]
    far = np.maximum(abs(points.point % 9 - last % 9), abs(points.point // 9 - last // 9))
    for d in range(6):
        row = own.row_of("near_last", 1, (d,))
        assert (row is None) == (d in (0, 5))
        assert row is None or (facts.given[row] == 255 * ((far == d) & (last >= 0))).all()
    row = own.row_of("last_block", 1, ())
    assert row is not None
    counts = np.add.reduceat(facts.properties[row], facts.start[:-1])
    assert (counts == (last >= 0)).all()


@needs_swipl
def test_the_example_of_links_says_what_chains_touch() -> None:
    own = load_background(ROOT / "examples/link.pl")
    examples = random_examples(random.Random(8), 7, 30, 60)
    facts = facts_of(points_of(examples), Intervals.start(), own).facts
    seen = 0
    for row, example in enumerate(examples):
        for at in range(facts.start[row], facts.start[row + 1]):
            chain = example.chains[int(facts.number[3][at]) + 1]
            others = [o for o in example.chains.values() if o.colour != chain.colour]
            touched = [o for o in others if any(q in o.stones for p in chain.stones for q in example.go.beside(p))]
            counts = {len(other.liberties) for other in touched}
            held = {
                n for n in range(5) if (k := own.row_of("linked_to", 0, (n,))) is not None and facts.properties[k, at]
            }
            assert held == {n for n in counts if n <= 4}
            seen += len(held)
    assert seen > 50


# ---- rows ----


@needs_swipl
def test_rows_are_one_registry_for_all_tables(write: Callable[[str], Path]) -> None:
    text = "modeb(*, column(+board, +coord_x, #x)).\ncolumn(A, X, X) :- atom(A).\n"
    first, second = played_points(5, 1, 3), played_points(9, 40, 4)
    own = load_background(write(text))
    early = facts_of(first, Intervals.start(), own).facts
    known = {x: own.row_of("column", 2, (x,)) for x in range(1, 10)}
    late = facts_of(second, Intervals.start(), own).facts
    assert len(early.given) == sum(row is not None for row in known.values()) < len(late.given)
    for x in range(1, 10):
        row = own.row_of("column", 0, (x,))
        assert known[x] in (None, row)
        assert row is not None
        assert (late.given[row] == 255 * (second.point % 9 == x - 1)).all()
    again = load_background(write(text))
    facts_of(first, Intervals.start(), again)
    assert {x: again.row_of("column", 1, (x,)) for x in range(1, 10)} == known
    assert (facts_of(second, Intervals.start(), again).facts.given == late.given).all()
    assert own.row_of("unknown", 1, ()) is None


@needs_swipl
def test_facts_of_the_position_can_be_queried(write: Callable[[str], Path]) -> None:
    text = """
    modeb(*, is(+board, #what, #x, #y)).
    is(B, ko, X, Y) :- ko(B, X, Y).
    is(B, last, X, Y) :- last_move(B, X, Y).
    is(B, second, X, Y) :- last_but_one(B, X, Y).
    is(B, size, N, C) :- board_size(N), to_play(B, C).
    is(B, stones, N, 0) :- position(B, _, Cells), aggregate_all(count, ( arg(_, Cells, C), C \\== e ), N).
    """
    board = np.zeros((2, 9), np.uint8)
    board[1, [0, 4]] = 1, 2
    ko, last, last2 = (np.array(c, np.int16) for c in ((-1, 8), (-2, 4), (5, -1)))
    points = Points(
        board=board,
        size=np.array([3, 3], np.uint8),
        to_play=np.array([1, 2], np.uint8),
        ko=ko,
        last=last,
        last2=last2,
        position=np.array([0, 1], np.int32),
        point=np.array([2, 3], np.int16),
    )
    own = load_background(write(text.replace("is(", "says(")))
    given = facts_of(points, Intervals.start(), own).facts.given
    wanted: dict[tuple[int | str, ...], tuple[int, int]] = {
        ("ko", 3, 3): (0, 255), ("last", 2, 2): (0, 255), ("second", 3, 2): (255, 0), ("size", 3, "b"): (255, 0),
        ("size", 3, "w"): (0, 255), ("stones", 0, 0): (255, 0), ("stones", 2, 0): (0, 255),
    }  # fmt: skip
    assert {c: tuple(given[own.row_of("says", 1, c)].tolist()) for c in wanted} == wanted
    assert len(given) == len(wanted)


@needs_swipl
def test_a_predicate_without_board_sees_an_empty_one(write: Callable[[str], Path]) -> None:
    text = "modeb(*, stones(+coord_x, #n)).\nstones(_, N) :- aggregate_all(count, block_color(_, _, _), N).\n"
    own = load_background(write(text))
    given = facts_of(played_points(9, 5, 6), Intervals.start(), own).facts.given
    assert own.row_of("stones", 1, (0,)) == 0
    assert (given == 255).all()
    assert len(given) == 1


# ---- induction ----


def induced(table: FactTable, settings: CoverSettings) -> list[SeedResult]:
    split = np.arange(len(table), dtype=np.int32)
    return list(induce(table, split[::2].copy(), split[1::2].copy(), settings))


@needs_swipl
def test_rules_over_twins_of_the_vocabulary_are_the_same(write: Callable[[str], Path]) -> None:
    """Without block_color, by which a built-in predicate may also get its colour, the whole search is the same."""
    own = load_background(write(TWINS))
    points = played_points(7, 60, 7)
    kept = tuple(
        name for name in VOCABULARIES["advanced"] if name not in (*CHAIN_RELATIONS, "block_on_pos", "block_color")
    )
    settings = CoverSettings((*kept, *CHAIN_RELATIONS), nodes=2000, noise=5, max_body=5)
    twins = CoverSettings((*kept, *(f"my_{name}" for name in CHAIN_RELATIONS)), nodes=2000, noise=5, max_body=5)
    plain = induced(facts_of(points, Intervals.start()), settings)
    found = induced(facts_of(points, Intervals.start(), own), twins)
    counts = [[(f.seed, f.positives, f.negatives, f.searched) for f in run] for run in (plain, found)]
    assert counts[0] == counts[1]
    texts = [[", ".join(map(str, f.body)) for f in run] for run in (plain, found)]
    assert texts[0] == [text.replace("my_", "") for text in texts[1]]
    assert sum("my_" in text for text in texts[1]) > 3


def counted_by_prolog(own: Background, points: Points, body: tuple[Literal, ...]) -> list[bool]:
    """Ask SWI-Prolog for each example whether the clause holds."""
    ask = own.prolog.ask
    held = []
    for position, point in zip(points.position.tolist(), points.point.tolist(), strict=True):
        size, colour = int(points.size[position]), "_bw"[points.to_play[position]]
        x, y = point % size + 1, point // size + 1
        last = int(points.last[position])
        facts = f",last_move(here,{last % size + 1},{last // size + 1})" if last >= 0 else ""
        cells = ",".join("ebw"[c] for c in points.board[position, : size * size])
        place = f"p([position(here,{size},cells({cells})),to_play(here,{colour}){facts}])"
        ask(f"with_output_to(string(_),gotools_background:ask([{place}],0,0,none)),Answer=[]")
        head, goal = f"A=here,B={colour},C={x},D={y}", ",".join(map(str, body))
        held.append(ask(f"({head},{own.module}:({goal})->Answer=1;Answer=0)") == 1)
    return held


@needs_swipl
def test_counts_of_rules_over_own_predicates_are_those_of_prolog(write: Callable[[str], Path]) -> None:
    text = TWINS + EXAMPLE.read_text(encoding="utf-8")
    own = load_background(write(text))
    points = played_points(7, 40, 8)
    names = ("pos_gen", "block_on_pos", "block_color", "opposite", "connects_direct", "liberty_cnt", *own.arities)
    settings = CoverSettings(names, nodes=1500, noise=4, max_body=5)
    left = np.ones(len(points), bool)
    used = set()
    for found in induced(facts_of(points, Intervals.start(), own), settings):
        if found.body:
            held = np.array(counted_by_prolog(own, points, found.body))
            assert (held & left)[::2].sum() == found.positives, found.body
            assert held[1::2].sum() == found.negatives, found.body
            left &= ~held
            used |= {literal.predicate for literal in found.body}
        left[2 * (found.seed // 2)] = False
    assert used & own.arities.keys()


# ---- refusals ----

MODE = "modeb(*, p(+board, +coord_x, #n)).\n"
GOOD = MODE + "p(_, X, X).\n"

REFUSED: dict[str, tuple[str | bytes, int | None, str]] = {
    "directive": (GOOD + ":- shell(ls).\n", 3, "directive"),
    "syntax": (GOOD + "q(X) :- r(X.\n", 3, "Syntax error"),
    "no full stop": (GOOD + "q(1)\nq(2).\n", 3, "Syntax error"),
    "open quote": (GOOD + "q('a).\n", 3, "Syntax error"),
    "open comment": (GOOD + "/* q\n", 2, "Syntax error"),
    "unknown": (GOOD + "q(X) :- r(X).\n", 3, "calls r/1, which is defined nowhere"),
    "shell": (GOOD + "q :-\n  shell(ls).\n", 3, "calls shell/1, which a background file may not"),
    "assert in findall": (GOOD + "q(L) :- findall(X, ( member(X, [1]), assertz(r(X)) ), L).\n", 3, "assertz/1"),
    "open in closure": (GOOD + "q(L) :- maplist(open(f, read), L).\n", 3, "open/3"),
    "shell behind ^": (GOOD + "q(L) :- setof(X, Y^shell(Y, X), L).\n", 3, "shell/2"),
    "goal from a variable": (GOOD + "q(X) :- X =.. [shell, ls], call(X).\n", 3, "not known before it runs"),
    "goal in an argument": (GOOD + "q :- r(halt).\nr(X) :- X.\n", 4, "not known before it runs"),
    "goal of a module": (GOOD + "q :- system:halt.\n", 3, "module"),
    "vocabulary anew": (GOOD + "liberty(_, _, 1).\n", 3, "liberty/3 is of the vocabulary"),
    "position anew": (GOOD + "position(_, 9, cells).\n", 3, "position/3 is of the vocabulary"),
    "system anew": (GOOD + "atom_length(_, 1).\n", 3, "atom_length/2 is SWI-Prolog's own"),
    "control anew": (GOOD + "(a , b).\n", 3, "SWI-Prolog's own"),
    "term expansion": (GOOD + "term_expansion(X, X).\n", 3, "term_expansion/2"),
    "number": (GOOD + "17.\n", 3, "no clause"),
    "variable": (GOOD + "X.\n", 3, "variable"),
    "long": (GOOD + "q :- " + "true, " * 50000 + "true.\n", 3, "split it"),
    "not UTF-8": (GOOD.encode() + b"% \xff\n", 3, "UTF-8"),
    "binary": (b"\x7fELF\0\0", None, "a shared library or program; expected predicates in Prolog"),
    "empty": ("", None, "an empty file; expected predicates in Prolog"),
    "no mode": ("p(1).\n", None, "no mode"),
    "mode without clauses": (MODE + "p(1, 2).\n", 1, "p/3 has a mode but no clause"),
    "two modes": (MODE + GOOD, 2, "second mode"),
    "unknown type": ("modeb(*, p(+board, +liberty)).\np(_, _).\n", 1, "unknown type +liberty"),
    "no sign": ("modeb(*, p(+board, n)).\np(_, _).\n", 1, "unknown type n"),
    "unbound type": ("modeb(*, p(+board, X)).\np(_, _).\n", 1, "unknown type _"),
    "nothing bound": ("modeb(*, p(#n)).\np(1).\n", 1, "no + argument"),
    "two blocks": ("modeb(*, p(+board, +block, -block)).\np(_, X, X).\n", 1, "two arguments of one type"),
    "block and frame": ("modeb(*, p(+board, -block, +pos)).\np(_, 1, _).\n", 1, "leave +pos out"),
    "name of the vocabulary": ("modeb(*, atari(+board)).\natari(_).\n", 1, "name of the vocabulary"),
    "strange name": ("modeb(*, 'P'(+board)).\n'P'(_).\n", 1, "not a name"),
    "recall": ("modeb(many, p(+board)).\np(_).\n", 1, "recall"),
}


@needs_swipl
def test_an_unfit_file_is_refused_with_its_line(write: Callable[[str | bytes], Path]) -> None:
    for case, (text, line, what) in REFUSED.items():
        path = write(text)
        with pytest.raises(FileFormatError) as caught:
            load_background(path)
            pytest.fail(f"not refused: {case}")
        assert (caught.value.path, caught.value.line) == (str(path), line), case
        said = caught.value.what
        assert what in said and len(said) < 400 and "\n" not in said, case


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none\.pl: No such file"):
        load_background(tmp_path / "none.pl")


@needs_swipl
def test_what_is_in_a_file_is_not_run_as_it_is_loaded(write: Callable[[str], Path], tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    writes = f"open('{mark}', write, _)"
    for goal in (f":- {writes}.", f":- initialization({writes}).", f"?- {writes}."):
        with pytest.raises(FileFormatError):
            load_background(write(f"{goal}\n{GOOD}"))
    assert not mark.exists()


FAILING = {
    "endless": ("p(_, _, 1) :- q.\nq :- q.\n", "needs more than 1,000,000 steps"),
    "endless and deep": ("p(_, _, 1) :- q(0).\nq(N) :- q(f(N)), r.\nr.\n", ""),
    "endless choices": ("p(_, X, 1) :- between(1, inf, Y), Y < X, Y > X.\n", "needs more than"),
    "endless answers": ("p(_, _, 1) :- between(1, inf, _).\n", "needs more than"),
    "much memory": ("p(_, _, 1) :- length(L, 100000000), L = [].\n", "not enough memory"),
    "large numbers": ("p(_, _, N) :- N is 7 ** (7 ** 11).\n", "not enough memory"),
    "many constants": ("p(_, _, N) :- between(1, 201, N).\n", "more than 200 distinct constants"),
    "type error": ("p(B, _, N) :- N is B + 1.\n", "here/0' is not a function"),
    "instantiation": ("p(_, _, N) :- N is _ + 1.\n", "not sufficiently instantiated"),
    "division": ("p(_, _, N) :- N is 1 / 0.\n", "zero_divisor"),
    "deep term in an error": (
        "p(_, _, N) :- q(300000, z, T), atom_length(T, N).\n"
        "q(0, T, T).\nq(N, T, U) :- N > 0, M is N - 1, q(M, f(T), U).\n",
        "Type error",
    ),
    "unbound constant": ("p(_, _, _).\n", "no value"),
    "compound constant": ("p(_, X, f(X, _)).\n", "gives f("),
    "quoted constant": ("p(_, _, 'A b').\n", "gives 'A b'"),
    "large constant": ("p(_, _, 10000).\n", "gives 10000"),
}


@needs_swipl
def test_a_failing_predicate_is_named_with_its_line(write: Callable[[str], Path]) -> None:
    points = played_points(5, 3, 9)
    for case, (text, what) in FAILING.items():
        own = load_background(write("\n" + MODE + text))
        with pytest.raises(FileFormatError) as caught:
            facts_of(points, Intervals.start(), own)
            pytest.fail(f"does not fail: {case}")
        assert caught.value.line == 3, case
        said = caught.value.what
        assert said.startswith("p: ") and what in said and len(said) < 400 and "\n" not in said, case
        good = load_background(write(GOOD))
        assert facts_of(points, Intervals.start(), good).facts.given.any(), f"Prolog works on after {case}"


@needs_swipl
def test_an_answer_that_is_no_block_is_named(write: Callable[[str], Path]) -> None:
    empty = played_points(5, 1, 9)
    empty.board[:] = 0
    for answer in ("25", "foo", "_", "0"):
        own = load_background(write(f"modeb(*, p(+board, -block)).\np(_, {answer}).\n"))
        with pytest.raises(FileFormatError, match=r"own.pl:2: p: gives .* block"):
            facts_of(empty, Intervals.start(), own)


@needs_swipl
def test_time_is_limited_where_steps_are_not(write: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prolog, "SECONDS", 1)
    slow = " ".join(f"N{k} is 3 ** (30000000 + N{k - 1}) mod 2," for k in range(1, 60))
    own = load_background(write(MODE + f"p(_, _, N) :- N0 = 0, {slow} N = N59.\n"))
    with pytest.raises(FileFormatError, match=r"own\.pl:2: p: took more than 1 seconds"):
        facts_of(played_points(5, 1, 9), Intervals.start(), own)
    assert not own.prolog.alive


def test_without_pyswip_the_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "own.pl"
    path.write_text(GOOD)
    monkeypatch.setattr(prolog, "_running", {})
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingTool, match="pip install pyswip"):
        load_background(path)


def test_without_prolog_the_packages_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "own.pl"
    path.write_text(GOOD)
    monkeypatch.setattr(prolog, "_running", {})
    for name in ("LIBSWIPL_PATH", "SWI_HOME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    with pytest.raises(MissingTool, match="swi-prolog-nox"):
        load_background(path)


# ---- the command and the page ----


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gotools", "induce-patterns", str(ROOT / "examples/games"), *arguments]
    return forked.run(command, capture_output=True, text=True, timeout=300)


@needs_swipl
def test_the_command_learns_rules_over_the_example_file(tmp_path: Path) -> None:
    out = tmp_path / "rules.pl"
    limits = ("--positives", "80", "--negatives", "unplayed=80", "--nodes", "500", "--noise", "8")
    done = run("--background", str(EXAMPLE), *limits, "-o", str(out), "-q")
    assert (done.returncode, done.stderr) == (0, "")
    own = load_background(EXAMPLE)
    rules = read_rules(out.read_text(encoding="utf-8").splitlines(), "rules.pl", own.arities)
    used = {literal.predicate for rule in rules.rules for literal in rule.body}
    assert own.arities.keys() & used


@needs_swipl
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MODE + "p(_, _, 1) :- q.\nq :- q.\n", "own.pl:2: p: needs more than 1,000,000 steps"),
        (MODE + "p(_, X, X\n", "own.pl:2: Syntax error"),
    ],
    ids=["endless", "syntax"],
)
def test_the_command_ends_in_one_line_for_an_unfit_file(text: str, said: str, write: Callable[[str], Path]) -> None:
    done = run("--background", str(write(text)), "--positives", "50", "-q")
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("gotools induce-patterns: ")
    assert said in line


def test_the_page_shows_the_example_file() -> None:
    page = (ROOT / "docs/background.md").read_text(encoding="utf-8")
    block, other, modes = re.findall(r"^```prolog\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert "modeb" in modes  # read by test_modes.py
    assert block in EXAMPLE.read_text(encoding="utf-8")
    assert other in (ROOT / "examples/connect4/four_above.pl").read_text(encoding="utf-8")
