"""Good and bad moves of games and tables, held against a count by sgfmill."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from sgfmill import boards, sgf
from support.examples import good_and_bad_of_go, read_examples

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.cli import run
from gotools.game.examples.examples import write_examples
from gotools.game.examples.good_and_bad import GoodBadSelection
from gotools.game.records.ranks import RANK, Strength, rank_strength
from gotools.game.records.selection import Strengths
from gotools.game.records.sources import PLAYED, UNPLAYED, WEAK
from gotools.games.go.examples.examples import GoExamples

STRENGTHS = {"3d": 3, "12k": -12, "1500?": -6, "9p": 59, "2050": 0, "5k": -5, "": None, "Honinbo": None}
RESULTS = ("B+R", "W+3.5", "b+12", "W+T", "0", "", "Void")
OF_GO = Strengths(rank_strength)
ALL = GoodBadSelection(None, None, 1.0, frozenset(), 0, OF_GO)


def limit(value: float | None) -> Strength | None:
    return None if value is None else Strength(RANK, value)


THIRDS = 2 / 3

Row = tuple[str, int, str, int]  # game, ply, colour, point


def sgf_game(size: int, moves: list[tuple[int, int] | None], **properties: str) -> str:
    """Write a game in which black and white take turns, from the rows and columns of the moves."""
    header = "".join(f"{key}[{value}]" for key, value in properties.items() if value)
    texts = ["" if move is None else chr(97 + move[1]) + chr(97 + size - 1 - move[0]) for move in moves]
    return f"(;SZ[{size}]{header}" + "".join(f";{'BW'[i % 2]}[{text}]" for i, text in enumerate(texts)) + ")"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Sixty games with passes, of stones that never touch each other, of players of all strengths."""
    folder = tmp_path / "games"
    folder.mkdir()
    rng = random.Random(7)
    for number in range(60):
        size = rng.choice((5, 7, 9))
        moves: list[tuple[int, int] | None] = [
            (row, column) for row in range(size) for column in range(size) if (row + column) % 2 == 0
        ]
        rng.shuffle(moves)
        moves = moves[: rng.randint(1, len(moves))]
        for _ in range(rng.randint(0, 3)):
            moves.insert(rng.randint(0, len(moves)), None)
        black, white = rng.choice(list(STRENGTHS)), rng.choice(list(STRENGTHS))
        text = sgf_game(size, moves, RE=rng.choice(RESULTS), BR=black, WR=white)
        (folder / f"g{number:02}.sgf").write_text(text)
    return folder


def moves_of_sgfmill(folder: Path, choice: GoodBadSelection) -> Iterator[tuple[Row, bool]]:
    """Yield the good and the bad moves of players, by sgfmill's reading and exact fractions."""
    share = Fraction(choice.last).limit_denominator(1000)
    for path in sorted(folder.glob("*.sgf")):
        game = sgf.Sgf_game.from_bytes(path.read_bytes())
        size, root = game.get_size(), game.get_root()
        result = root.get("RE").lower() if root.has_property("RE") else ""
        moves = [node.get_move() for node in game.get_main_sequence()[1:]]
        if choice.sizes and size not in choice.sizes:
            continue
        for ply, (colour, move) in enumerate(moves, 1):
            rank = root.get(f"{colour.upper()}R") if root.has_property(f"{colour.upper()}R") else ""
            if move is None or ply <= (1 - share) * len(moves) or result[:2] not in ("b+", "w+"):
                continue
            row = path.stem, ply, colour, move[0] * size + move[1]
            strength = STRENGTHS[rank]
            if result[0] == colour:
                if choice.good_above is None or (strength is not None and strength > choice.good_above.value):
                    yield row, True
            elif choice.bad_below is not None and strength is not None and strength < choice.bad_below.value:
                yield row, False


def found(paths: list[Path] | Path, choice: GoodBadSelection, strict: bool = True) -> GoExamples:
    given = paths if isinstance(paths, list) else [paths]
    return good_and_bad_of_go([str(path) for path in given], choice, print, lambda: None, strict)


def rows_of(rows: GoExamples) -> list[tuple[Row, bool]]:
    columns = zip(rows.games(), rows.ply, rows.to_play, rows.move, rows.label, strict=True)
    return [((game, int(ply), ".bw"[side], int(move)), bool(label)) for game, ply, side, move, label in columns]


@pytest.mark.parametrize("sizes", [(), (9,), (5, 7)])
@pytest.mark.parametrize("last", [1.0, THIRDS, 0.9, 0.5, 0.1])
@pytest.mark.parametrize(("above", "below"), [(None, -5), (-6, 0), (-5.5, 60), (3, -11)])
def test_players_moves_are_those_that_sgfmill_finds(
    games: Path, above: float | None, below: float, last: float, sizes: tuple[int, ...]
) -> None:
    choice = GoodBadSelection(limit(above), limit(below), last, frozenset(sizes), 0, OF_GO)
    expected = list(moves_of_sgfmill(games, choice))
    assert {good for _, good in expected} == {True, False}
    rows = found(games, choice)
    assert rows_of(rows) == expected
    assert (rows.source == [PLAYED if good else WEAK for _, good in expected]).all()


@pytest.mark.parametrize("last", [1.0, THIRDS])
@pytest.mark.parametrize("above", [None, -6])
def test_without_a_limit_for_losers_bad_moves_are_those_not_played(
    games: Path, above: float | None, last: float
) -> None:
    choice = GoodBadSelection(limit(above), None, last, frozenset(), 3, OF_GO)
    rows = found(games, choice)
    good, bad = rows.take(rows.label == 1), rows.take(rows.label == 0)
    assert rows_of(good) == [row for row in moves_of_sgfmill(games, choice) if row[1]]
    assert rows.label.tolist() == sorted(rows.label.tolist(), reverse=True)
    assert len(bad) == len(good) > 90 and (bad.source == UNPLAYED).all()
    played = Counter(good.id)
    assert Counter(bad.id) == played, "one at each position"
    for (game, ply, colour, point), _ in rows_of(bad)[::7]:
        record = sgf.Sgf_game.from_bytes((games / f"{game}.sgf").read_bytes())
        board = boards.Board(record.get_size())
        for node in record.get_main_sequence()[1:ply]:
            side, move = node.get_move()
            if move is not None:
                board.play(*move, side)
        next_colour, move = record.get_main_sequence()[ply].get_move()
        place = divmod(point, board.side)
        assert next_colour == colour and move != place and board.get(*place) is None


def test_the_seed_alone_chooses_among_moves_not_played(games: Path) -> None:
    def drawn(seed: int) -> list[tuple[Row, bool]]:
        return rows_of(found(games, replace(ALL, seed=seed)))

    assert drawn(1) == drawn(1) != drawn(2)


def test_the_last_share_counts_passes_and_what_an_illegal_move_cuts_off(tmp_path: Path) -> None:
    moves: list[tuple[int, int] | None] = [(0, 0), None, (0, 2), None, (0, 4), None, (2, 0), None, (2, 2), None]
    (tmp_path / "a.sgf").write_text(sgf_game(5, moves, RE="B+1"))
    assert {row[1] for row, _ in rows_of(found(tmp_path, replace(ALL, last=0.5)))} == {7, 9}
    assert {row[1] for row, _ in rows_of(found(tmp_path, replace(ALL, last=0.9)))} == {3, 5, 7, 9}
    moves[8] = (0, 0)  # occupied
    (tmp_path / "a.sgf").write_text(sgf_game(5, moves, RE="B+1"))
    said: list[str] = []
    rows = good_and_bad_of_go([str(tmp_path)], replace(ALL, last=0.5), said.append, lambda: said.append("file"), False)
    assert {row[1] for row, _ in rows_of(rows)} == {7}
    assert len(said) == 2 and any("move 9" in line for line in said) and "file" in said
    with pytest.raises(FileFormatError, match="move 9"):
        found(tmp_path, replace(ALL, last=0.5))


# ---- tables ----


def table(path: Path, *rows: str, columns: str = "id to_play position move label") -> Path:
    lines = ["##gotools examples 1", "#" + "\t".join(columns.split()), *("\t".join(row.split()) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_rows_of_tables_are_taken_by_label_and_ply(tmp_path: Path) -> None:
    lines = [f"g:{ply} b .../.X./... A{ply % 3 + 1} {ply % 2}" for ply in range(1, 11) if ply != 9]
    lines += [f"h:{ply} w .../.X./... B1 0" for ply in (1, 2, 3)]
    path = table(tmp_path / "t.tsv", *lines, "bare b .../.../... C3 1", "bare:0 b .../.../... C2 0")
    rows = found(path, replace(ALL, last=0.5))
    expected = ["g:6", "g:7", "g:8", "g:10", "h:2", "h:3", "bare", "bare:0"]
    assert rows.id == expected
    assert rows.label.tolist() == [0, 1, 0, 0, 0, 0, 1, 0]
    assert len(found(path, ALL)) == len(lines) + 2


def test_rows_without_ids_are_all_taken(tmp_path: Path) -> None:
    path = table(
        tmp_path / "t.tsv", *(f"b .../.../... A1 {i % 2}" for i in range(6)), columns="to_play position move label"
    )
    assert len(found(path, replace(ALL, last=0.1))) == 6


def test_a_game_may_stand_in_two_tables(tmp_path: Path) -> None:
    first = table(tmp_path / "1.tsv", "g:2 b .../.../... A1 1", "g:10 b .../.../... A1 1")
    second = table(tmp_path / "2.tsv", "g:3 b .../.../... A2 0", "g:9 b .../.../... A2 0")
    assert found([first, second], replace(ALL, last=0.5)).id == ["g:10", "g:9"]
    with pytest.raises(GotoolsError, match=r"^no bad moves: no row of label 0: give counter-examples, as `sgf-to-ex"):
        found(first, ALL)
    with pytest.raises(GotoolsError, match=r"^no good moves: no row of label 1 in the share --last of the games; "):
        found(second, replace(ALL, last=0.01))
    one = table(tmp_path / "3.tsv", "g:1 b .../.../... A2 0", "g:9 b .../.../... A2 1")
    with pytest.raises(GotoolsError, match=r"^no bad moves: no row of label 0 in the share --last .* larger one, or"):
        found(one, replace(ALL, last=0.5))


def test_a_table_of_games_gives_what_the_games_give(games: Path, tmp_path: Path) -> None:
    choice = replace(ALL, bad_below=limit(-5.0))
    rows = found(games, choice)
    with open(tmp_path / "t.tsv", "wb") as out:
        write_examples(out, rows)
    assert rows_of(found(tmp_path / "t.tsv", ALL)) == rows_of(rows)
    both = found([games, tmp_path / "t.tsv"], choice)
    assert rows_of(both) == rows_of(rows) * 2


def test_a_table_may_bring_the_bad_moves_of_games(games: Path, tmp_path: Path) -> None:
    path = table(tmp_path / "t.tsv", "g:3 b .../.../... A2 0")
    rows = found([games, path], replace(ALL, bad_below=limit(-30.0)))
    assert rows.label.sum() == len(rows) - 1


@pytest.mark.parametrize("option", ["good_above", "bad_below"])
def test_ranks_do_not_choose_among_rows_of_tables(tmp_path: Path, option: str) -> None:
    path = table(tmp_path / "t.tsv", "g:3 b .../.../... A2 0", "g:3 b .../.../... A1 1")
    with pytest.raises(GotoolsError, match=r"t\.tsv: a table says by its labels which moves are good"):
        found(
            path,
            replace(ALL, **{option: limit(1.0)}),  # type: ignore[arg-type]
        )


def test_sizes_choose_among_the_rows_of_tables(tmp_path: Path) -> None:
    path = table(
        tmp_path / "t.tsv", "g:1 b .../.../... A1 1", "g:2 b .../.../... A1 0", "h:1 b ../.. A1 1", "h:2 b ../.. A1 0"
    )
    assert found(path, replace(ALL, sizes=frozenset([2]))).id == ["h:1", "h:2"]
    with pytest.raises(FileFormatError, match=r"t\.tsv: no row of size 9; there is 2, 3"):
        found(path, replace(ALL, sizes=frozenset([9])))


# ---- what cannot be used ----


@pytest.mark.parametrize(
    ("headers", "choice", "what"),
    [
        (
            [{"RE": "B+R"}] * 2,
            replace(ALL, good_above=limit(1)),
            "no ranks in any of 2 games: leave out --good-above, or give",
        ),
        (
            [{"RE": "B+R", "BR": "?"}],
            replace(ALL, bad_below=limit(1)),
            "no ranks in any of 1 game: leave out --bad-below, or",
        ),
        (
            [{"RE": "B+R"}],
            replace(ALL, good_above=limit(1), bad_below=limit(1)),
            "leave out --good-above and --bad-below, or give",
        ),
        ([{}, {"RE": "0"}], ALL, "no good moves: none of 2 games names a winner; in SGF,"),
        (
            [{"RE": "B+R", "BR": "2d"}, {"RE": "W+R", "BR": "5d"}, {"RE": "?", "BR": "9p"}],
            replace(ALL, good_above=limit(2)),
            "no good moves: of 3 games 2 were won, none by a player above --good-above; choose a lower rank",
        ),
        ([{"RE": "W+R"}], replace(ALL, last=0.3), "no good moves: of 1 game 1 was won, but without a move of the win"),
        (
            [{"RE": "W+R", "WR": "1500?"}],
            replace(ALL, last=0.3, good_above=limit(-7)),
            "no good moves: of 1 game 1 was won, 1 by a player above --good-above, but without a move of the winner in",
        ),
        (
            [{"RE": "B+R", "WR": "5k"}],
            replace(ALL, bad_below=limit(-5)),
            "no bad moves: of 1 game 1 was won, none against a player below --bad-below; choose a higher rank, or",
        ),
        (
            [{"RE": "B+R", "WR": "6k"}],
            replace(ALL, bad_below=limit(-5), last=0.3),
            "no bad moves: of 1 game 1 was won, 1 against a player below --bad-below, but without a move of the loser",
        ),
    ],
)
def test_what_gives_no_good_or_no_bad_moves_is_reported(
    tmp_path: Path, headers: list[dict[str, str]], choice: GoodBadSelection, what: str
) -> None:
    for number, header in enumerate(headers):
        (tmp_path / f"{number}.sgf").write_text(sgf_game(5, [(0, 0), (2, 2), (4, 4)], **header))
    with pytest.raises(GotoolsError) as raised:
        found(tmp_path, choice)
    assert what in str(raised.value) and "\n" not in str(raised.value)


def test_a_position_with_one_legal_move_has_no_bad_one(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;SZ[2]RE[W+R]AB[aa][ab];W[bb])")
    assert len(found(tmp_path, ALL)) == 2
    (tmp_path / "a.sgf").write_text("(;SZ[2]RE[W+R]AB[aa][ab]AW[ba];W[bb])")
    with pytest.raises(GotoolsError, match="no bad moves: nothing but the good moves was legal"):
        found(tmp_path, ALL)


def test_what_is_missing_or_cannot_be_read_is_reported(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no such file"):
        found(tmp_path / "none.sgf", ALL)
    with pytest.raises(FileFormatError, match="in this folder"):
        found(tmp_path, ALL)
    (tmp_path / "a.sgf").write_text("(;SZ[5]RE[B+R];B[aa])")
    with pytest.raises(GotoolsError, match=r"a\.sgf: no examples: no game of the size .*1 of 5x5"):
        found(tmp_path, replace(ALL, sizes=frozenset([9])))
    (tmp_path / "a.sgf").write_text("nothing")
    with pytest.raises(FileFormatError):
        found(tmp_path, ALL)
    with pytest.raises(GotoolsError, match="no game could be read"):
        found(tmp_path, ALL, strict=False)


def test_sgf_to_examples_takes_all_players_of_a_rating(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.tsv"
    assert run(["sgf-to-examples", "-q", str(games), "--rank-above", "1400", "-o", str(out)]) == 0
    taken = rows_of(read_examples([out]))
    strong = {name for name, value in STRENGTHS.items() if value is not None and value > -7}
    expected = 0
    for path in games.glob("*.sgf"):
        game = sgf.Sgf_game.from_bytes(path.read_bytes())
        root = game.get_root()
        for node in game.get_main_sequence()[1:]:
            colour, move = node.get_move()
            key = f"{colour.upper()}R"
            expected += move is not None and root.has_property(key) and root.get(key) in strong
    assert len(taken) == expected > 0
