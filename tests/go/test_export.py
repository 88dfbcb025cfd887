"""Exports load in SWI-Prolog without a word, and say the same as background.pl, a slow twin, and Aleph's own counts."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.examples import random_moves, read_examples
from support.needs import REFERENCE, needs_shared, needs_swipl
from support.slow import SlowGo

from gotools.base.errors import GotoolsError
from gotools.files.opening import open_output
from gotools.files.writing import output_folder
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.examples.export import write_aleph, write_popper, write_prolog
from gotools.games.go.points import SYMMETRIES, transform_offset
from gotools.games.go.vocabulary import VOCABULARIES

BACKGROUND = Path(__file__).parents[2] / "gotools/games/go/background.pl"
pytestmark = needs_swipl

# What Aleph brings, as far as a folder's text uses it.
ALEPH = """
:- module(aleph, [set/2, aleph_set/2, modeh/2, modeb/2, determination/2, aleph/0, begin_bg/0, end_bg/0, begin_in_pos/0,
    end_in_pos/0, begin_in_neg/0, end_in_neg/0, hypothesis/3, given/1, op(500, fy, #), op(500, fy, *)]).
:- dynamic given/1.
set(N, V) :- assertz(given(set(N, V))).
aleph_set(N, V) :- set(N, V).
modeh(_, M) :- assertz(given(head(M))).
modeb(R, M) :- assertz(given(mode(R, M))).
determination(_, P) :- assertz(given(determination(P))).
aleph.  begin_bg.  end_bg.  begin_in_pos.  end_in_pos.  begin_in_neg.  end_in_neg.
hypothesis(H, B, _) :- nb_getval(hypothesis, (H :- B)).
"""


def prolog(folder: Path, goals: str, *files: Path | str) -> str:
    """Load files, run the goals once, return what they print; a warning or an error fails the test."""
    (folder / "aleph.pl").write_text(ALEPH)
    (folder / "goals.pl").write_text(goals)
    loads = "".join(f"load_files('{file}', []), " for file in files)
    goal = f"asserta(user:file_search_path(library, '{folder}')), {loads}load_files('{folder}/goals.pl', []), run"
    done = subprocess.run(
        ["swipl", "--no-debug", "--on-error=status", "-g", goal, "-t", "halt(1)", "-g", "halt"],
        capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(scope="module")
def rows() -> GoExamples:
    """Moves of random players on 7x7, every third one a counter-example, some positions twice."""
    moves = random_moves(60, 7, 11)
    moves = GoExamples.concat([moves, moves.take(np.arange(20))])
    moves.label[:] = np.arange(len(moves)) % 3 > 0
    moves.source[:] = 1 - moves.label
    return moves


@pytest.fixture(scope="module")
def aleph(rows: GoExamples, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("aleph") / "a"
    with output_folder(folder) as made:
        write_aleph(made, rows)
    return folder


def test_an_aleph_folder_loads_and_declares_everything(aleph: Path, rows: GoExamples, tmp_path: Path) -> None:
    goals = """
    run :- forall(given(determination(N/A)), (functor(T, N, A), (catch(predicate_property(T, defined), _, fail) -> true ; writeln(no(N/A))))),
           forall(given(mode(_, M)), (functor(M, N, A), (given(determination(N/A)) -> true ; writeln(undetermined(N/A))))),
           forall(given(determination(N/A)), (functor(M, N, A), (given(mode(_, M)) -> true ; writeln(modeless(N/A))))),
           aggregate_all(count, given(determination(_)), D), aggregate_all(count, given(mode(_, _)), M), writeln(D-M),
           aggregate_all(count, move(_, _, _, _), E), writeln(E).
    """  # noqa: E501
    (tmp_path / "b.pl").write_text(f":- use_module(library(aleph)).\n:- include('{aleph}/go.b').\n")
    exported = len(VOCABULARIES["advanced"])
    counts = f"{exported}-{exported + 2}\n"
    assert prolog(tmp_path, goals, tmp_path / "b.pl", f"{aleph}/go.f") == f"{counts}{rows.label.sum()}\n"
    assert prolog(tmp_path, goals, f"{aleph}/go.pl") == f"{counts}{len(rows)}\n"
    assert (aleph / "go.n").read_text().count("move(") == len(rows) - rows.label.sum()


def test_the_tables_of_aleph_mean_what_background_means(aleph: Path, rows: GoExamples, tmp_path: Path) -> None:
    with open_output(tmp_path / "facts.pl") as out:
        write_prolog(out, rows)
    assert (tmp_path / "facts.pl").read_text().count("\ndecision(") == len(rows)
    text = (aleph / "go.b").read_text()
    (tmp_path / "tables.pl").write_text(
        f":- module(tables, []).\n:- use_module(library(aleph)).\n{text}"
        + "".join((aleph / f"go.{end}").read_text() for end in "fn")
    )
    (tmp_path / "slow.pl").write_text(
        f":- module(slow, []).\n:- include('{BACKGROUND}').\n:- include('{tmp_path}/facts.pl').\n"
    )
    goals = """
    question(M, B, _, X, Y, block_on_pos(G, DX, DY, P)) :- M:pos_gen(P), M:block_on_pos(B, X, Y, G, DX, DY, P).
    question(M, B, _, _, _, block_color(G, C)) :- M:block_color(B, G, C).
    question(M, B, _, _, _, liberty_cnt(G, N)) :- M:liberty_cnt(B, G, N).
    question(M, B, _, _, _, stone_cnt(G, N)) :- M:stone_cnt(B, G, N).
    question(M, B, _, _, _, liberty(G, L)) :- M:liberty(B, G, L).
    question(M, B, _, _, _, stage(S)) :- M:stage(B, S).
    question(M, _, C, _, _, opposite(O)) :- M:opposite(C, O).
    question(M, _, _, X, _, range(L, H)) :- M:range(X, L, H).
    question(M, _, _, X, Y, edge(V, H, P)) :- M:pos_gen(P), M:edge_ver(X, Y, V, P), M:edge_hor(X, Y, H, P).
    question(M, B, _, X, Y, T) :- member(C, [b, w]), member(F, [atari, captures, connects_direct, connects_indirect]),
        G =.. [F, B, K, X, Y, C], call(M:G), T =.. [F, K, C].
    answers(M, B, C, X, Y, Sorted) :- findall(Q, question(M, B, C, X, Y, Q), All), msort(All, Sorted).
    run :- forall(tables:move(B, C, X, Y), (answers(tables, B, C, X, Y, One), answers(slow, B, C, X, Y, Two),
               ( One == Two -> true ; writeln(differ(B, C, X, Y)), print(One), nl, print(Two), nl ))),
           aggregate_all(count, (tables:move(B, C, X, Y), question(tables, B, C, X, Y, _)), N), writeln(N).
    """
    answers = prolog(tmp_path, goals, tmp_path / "tables.pl", tmp_path / "slow.pl")
    assert int(answers) > 100 * len(rows)


def slow_board(rows: GoExamples, row: int) -> SlowGo:
    size = int(rows.size[row])
    cells = rows.board[row, : size * size].tolist()
    return SlowGo(size, {(at % size, at // size): colour for at, colour in enumerate(cells) if colour})


def slow_blocks(rows: GoExamples, row: int) -> Iterator[tuple[str, int, int, tuple[int, int]]]:
    """Give (frame, dx, dy, a stone's chain by its smallest point) around the move."""
    game = slow_board(rows, row)
    y, x = divmod(int(rows.move[row]), game.size)
    for number, frame in enumerate(SYMMETRIES):
        for dx in range(-3, 4):
            for dy in range(-3, 4):
                bx, by = transform_offset(dx, dy, number)
                at = (x + bx, y + by)
                if (dx or dy) and at in game.stones:
                    head = min(game.chain(at), key=lambda p: (p[1], p[0]))
                    yield frame, dx, dy, head


def test_every_block_around_every_example_is_found(aleph: Path, rows: GoExamples, tmp_path: Path) -> None:
    goals = """
    blocks(B, X, Y, N) :- aggregate_all(count, (pos_gen(P), block_on_pos(B, X, Y, _, _, _, P)), N).
    run :- forall(move(B, _, X, Y), (blocks(B, X, Y, N), writeln(N))).
    """
    positives = rows.take(rows.label == 1)
    (tmp_path / "b.pl").write_text(f":- use_module(library(aleph)).\n:- include('{aleph}/go.b').\n")
    found = prolog(tmp_path, goals, tmp_path / "b.pl", f"{aleph}/go.f").split()
    assert [int(count) for count in found] == [len(list(slow_blocks(positives, row))) for row in range(len(positives))]


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ("pos_gen(E), edge_hor(C, D, -4, E), stage(A, open)", "fine"),
        ("pos_gen(E), edge_hor(C, D, -4, E), stage(A, middle)", "false"),
        ("pos_gen(E), edge_hor(C, D, -4, E)", "false"),
        ("true", "false"),
        ("pos_gen(E), block_on_pos(A, C, D, F, 1, 0, E), block_color(A, F, B)", "fine"),
        ("pos_gen(E), block_on_pos(A, C, D, F, 1, 0, E), liberty_cnt(A, F, 2)", "false"),
        ("pos_gen(E), block_on_pos(A, C, D, F, 1, 0, E), block_color(A, F, G)", "false"),
        ("opposite(B, E), atari(A, F, C, D, E), liberty_cnt(A, F, G), range(G, 1, 2)", "fine"),
        ("opposite(B, E), atari(A, F, C, D, E), liberty_cnt(A, F, 3), liberty_cnt(A, F, G), range(G, 3, 5)", "prune"),
        ("opposite(B, E), atari(A, F, C, D, E), liberty_cnt(A, F, 3), captures(A, G, C, D, E), liberty_cnt(A, G, 3)",
         "fine"),
        ("opposite(B, E), opposite(E, B), connects_direct(A, F, C, D, E), stone_cnt(A, F, 1)", "prune"),
        ("stone_cnt(A, F, 1), stone_cnt(A, F, 1), connects_direct(A, F, C, D, B)", "prune"),
    ],
)  # fmt: skip
def test_the_constraints(aleph: Path, tmp_path: Path, body: str, answer: str) -> None:
    goals = f"""
    run :- Clause = (move(A, B, C, D) :- {body}), nb_setval(hypothesis, Clause),
        ( prune(Clause) -> writeln(prune) ; aleph_false -> writeln(false) ; writeln(fine) ).
    """
    goals = ":- style_check(-singleton).\n" + goals
    (tmp_path / "b.pl").write_text(f":- use_module(library(aleph)).\n:- include('{aleph}/go.b').\n")
    assert prolog(tmp_path, goals, tmp_path / "b.pl") == f"{answer}\n"


def test_a_popper_folder_loads_and_agrees(rows: GoExamples, tmp_path: Path) -> None:
    folder = tmp_path / "p"
    with output_folder(folder) as made:
        write_popper(made, rows)
    bias = (folder / "bias.pl").read_text()
    bodies = dict(re.findall(r"body_pred\((\w+),(\d)\)", bias))
    for name, arity in {**bodies, "move": "1"}.items():
        for what in ("type", "direction"):
            (arguments,) = re.findall(rf"{what}\({name},\(([\w,]+)\)\)\.", bias)
            assert len(arguments.strip(",").split(",")) == int(arity) and arguments.endswith(",") == (arity == "1")
    goals = "".join(f"check :- \\+ predicate_property({name}({', '.join('_' * int(n))}), defined), writeln({name}).\n"
                    for name, n in bodies.items())  # fmt: skip
    goals += "run :- forall(check, true), aggregate_all(count, pos(move(_)), P), aggregate_all(count, neg(move(_)), N),"
    goals += " writeln(P-N).\n"
    counts = prolog(tmp_path, goals, folder / "bk.pl", folder / "exs.pl")
    assert counts == f"{rows.label.sum()}-{len(rows) - rows.label.sum()}\n"

    ordered = rows.take(np.argsort(1 - rows.label, kind="stable"))
    expected: Counter[tuple[str, str]] = Counter()
    for row in range(len(ordered)):
        for frame, dx, dy, _ in slow_blocks(ordered, row):
            expected[f"e{row + 1}_{frame}", f"block_{dx}_{dy}".replace("-", "m")] += 1
    found = re.findall(r"^(block_\w+)\((\w+),\w+\)\.$", (folder / "bk.pl").read_text(), re.MULTILINE)
    assert Counter((view, name) for name, view in found) == expected


def test_boards_of_two_sizes_are_refused_by_aleph_alone(rows: GoExamples, tmp_path: Path) -> None:
    mixed = GoExamples.concat([rows.take(np.arange(5)), random_moves(5, 5, 1)])
    with pytest.raises(GotoolsError, match="--size"):
        write_aleph(tmp_path, mixed)
    write_popper(tmp_path, mixed)
    with open_output(tmp_path / "facts.pl") as out:
        write_prolog(out, mixed)
    loaded = "run :- aggregate_all(count, decision(_, _, _, _, _, _, _, _, _, _), N), writeln(N)."
    assert prolog(tmp_path, loaded, BACKGROUND, tmp_path / "facts.pl") == "10\n"


@needs_shared
@pytest.mark.parametrize(("row", "positives", "negatives"), [("A_150_70_10", 150, 70), ("B_150_70_10", 150, 70)])
def test_a_theory_of_aleph_covers_what_aleph_said(row: str, positives: int, negatives: int, tmp_path: Path) -> None:
    rows = read_examples([REFERENCE / "examples.tsv"])
    first, then = (np.flatnonzero(rows.label == label)[:n] for label, n in ((1, positives), (0, negatives)))
    write_aleph(tmp_path, rows.take(np.concatenate([first, then])))
    theory = (REFERENCE / f"{row}.pl").read_text().replace("move(", "rule(")
    (tmp_path / "b.pl").write_text(f":- use_module(library(aleph)).\n:- include('{tmp_path}/go.b').\n")
    negative = (tmp_path / "go.n").read_text().replace("move(", "bad(")
    goals = f"""
    {theory}
    {negative}
    run :- aggregate_all(count, (move(B, C, X, Y), once(rule(B, C, X, Y))), P),
           aggregate_all(count, (bad(B, C, X, Y), once(rule(B, C, X, Y))), N), writeln(P-N).
    """
    covered = prolog(tmp_path, ":- style_check(-singleton).\n" + goals, tmp_path / "b.pl", tmp_path / "go.f")
    header, *table = (line.split("\t") for line in (REFERENCE / "rows.tsv").read_text().splitlines())
    summary = next(line[header.index("training_summary")] for line in table if line[0] == row).split(",")
    assert covered == f"{summary[0]}-{summary[1]}\n"
