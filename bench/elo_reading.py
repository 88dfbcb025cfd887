"""What `gotools elo` reads, in games a second on one core: a million games, roots of SGF, and each other format."""

from __future__ import annotations

import gc
import io
import json
import random
import resource
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path

from _table import cpu_seconds, heading, row
from sgfmill import sgf

from gotools.ratings.reading.results import read_results
from gotools.ratings.reading.sgf_roots import read_roots

GAMES, PLAYERS = 1_000_000, 1000
SECONDS, ROOTS_A_SECOND = 2.0, 100_000
TIMES = 3
BY_JSON = 100_000
SGF_GAMES, MOVES, PARSED = 20_000, 200, 200
OTHER_GAMES = 50_000

Game = tuple[str, str, str]


def games(count: int, players: int, seed: int = 1) -> list[Game]:
    chance = random.Random(seed)
    results = ["B+R", "W+R", "W+T", "0", *(f"{side}+{margin}.5" for side in "BW" for margin in range(30))]
    pairs = (chance.sample(range(players), 2) for _ in range(count))
    return [(f"p{black}", f"p{white}", chance.choice(results)) for black, white in pairs]


def short_line(number: int, game: Game) -> str:
    return '{{"black":"{}","white":"{}","result":"{}"}}\n'.format(*game)


def journal_line(number: int, game: Game) -> str:
    """A line as our journal has it; all games have the same moves."""
    values = {"game": number, "pair": number // 2, **dict(zip(("black", "white", "result"), game, strict=True))}
    values |= {"end": "score", "fault": "", "what": "area, both say so", "size": 9, "komi": 7.5, "handicap": 0}
    values |= {"opening": 2, "moves": " ".join(["E5", "C3"] * 30), "seconds": [31.25, 30.5], "slowest": [1.5, 1.25]}
    return json.dumps(values | {"notes": []}, separators=(",", ":")) + "\n"


def csv_line(number: int, game: Game) -> str:
    return ",".join(game) + "\n"


def pgn_game(number: int, game: Game) -> str:
    result = {"B": "1-0", "W": "0-1"}.get(game[2][0], "1/2-1/2")
    return f'[White "{game[0]}"]\n[Black "{game[1]}"]\n[Result "{result}"]\n\n1. e4 e5 {result}\n\n'


def twogtp_line(number: int, game: Game) -> str:
    return f"{number}\t{game[2]}\t{game[2]}\t?\t{number % 2}\t-\t60\t1\t1\t1\t1\t0\t\n"


def sgf_game(number: int, game: Game) -> str:
    """A game of 200 moves, 1.5 KB."""
    root = f"(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[7.5]PB[{game[0]}]PW[{game[1]}]DT[2020-01-{number % 28 + 1:02}]RE[{game[2]}]"
    return root + "RU[Chinese]" + moves(number % 100) + ")\n"


@cache
def moves(seed: int) -> str:
    chance = random.Random(seed)
    points = (chance.choices("abcdefghi", k=2) for _ in range(MOVES))
    return "".join(f";{'BW'[ply % 2]}[{x}{y}]" for ply, (x, y) in enumerate(points))


def seconds_of(path: Path, expected: int) -> float:
    """Return the shortest of some readings, which the machine's other work disturbed least."""

    def read() -> None:
        tally = read_results([str(path)], print)
        assert tally.games == expected and not tally.excluded

    gc.collect()
    return min(cpu_seconds(read) for _ in range(TIMES))


def write(path: Path, header: str, line: Callable[[int, Game], str], some: list[Game]) -> Path:
    with open(path, "w") as out:
        out.write(header)
        out.writelines(line(number, game) for number, game in enumerate(some))
    return path


def a_million(folder: Path) -> None:
    heading(f"{GAMES:,} games of {PLAYERS:,} players, read and counted (CPU seconds, least of {TIMES})")
    some = games(GAMES, PLAYERS)
    paths = {
        "JSON lines of black, white, result": write(folder / "short.jsonl", "", short_line, some),
        "lines of our journal": write(folder / "full.jsonl", '{"gotools":"journal","version":1}\n', journal_line, some),
        "CSV": write(folder / "x.csv", "black,white,result\n", csv_line, some),
    }
    del some
    for what, path in paths.items():
        seconds = seconds_of(path, GAMES)
        size = path.stat().st_size / 1e6
        figure = f"{seconds:.2f} s, {GAMES / seconds:,.0f} games/s"
        row(f"{what}, {size:.0f} MB", figure, f"< {SECONDS} s", seconds < SECONDS)
        if path.suffix == ".jsonl":
            with open(path, "rb") as lines:
                some_lines = list(islice(lines, 1, BY_JSON + 1))
            plain = cpu_seconds(lambda lines=some_lines: [json.loads(line) for line in lines]) / BY_JSON * GAMES
            row("  json.loads of the same lines, nothing counted", f"{plain / seconds:.1f} times as long")
        path.unlink()


def roots() -> None:
    heading(f"roots of {SGF_GAMES:,} SGF games of {MOVES} moves, a collection in memory")
    texts = [sgf_game(number, game).encode() for number, game in enumerate(games(SGF_GAMES, PLAYERS))]
    data = b"".join(texts)

    def read() -> None:
        assert sum(len(some) for some in read_roots([data], print)) == SGF_GAMES

    rate = SGF_GAMES / min(cpu_seconds(read) for _ in range(TIMES))
    figure = f"{rate:,.0f} games/s, {rate * len(data) / SGF_GAMES / 1e6:,.0f} MB/s"
    row("first nodes alone", figure, f"{ROOTS_A_SECOND:,} games/s", rate >= ROOTS_A_SECOND)
    whole = PARSED / cpu_seconds(
        lambda: [sgf.Sgf_game.from_bytes(text).get_root().get("PB") for text in texts[:PARSED]]
    )
    row("sgfmill, the whole tree", f"{whole:,.0f} games/s, {rate / whole:,.0f} times slower")


def other_formats(folder: Path) -> None:
    heading(f"each format, {OTHER_GAMES:,} games")
    some = games(OTHER_GAMES, PLAYERS)
    header = "# Black: a\n# White: b\n# Komi: 6.5\n# Size: 9\n#\n#GAME\tRES_B\tRES_W\tRES_R\tALT\tDUP\tLEN\tTIME_B\t"
    header += "TIME_W\tCPU_B\tCPU_W\tERR\tERR_MSG\n"
    paths = [
        ("collection of SGF", write(folder / "x.sgfs", "", sgf_game, some)),
        ("the same, .gz", packed(folder / "x.sgfs")),
        ("PGN", write(folder / "x.pgn", "", pgn_game, some)),
        (".dat of gogui-twogtp", write(folder / "x.dat", header, twogtp_line, some)),
        (
            "CSV with quotes",
            write(folder / "q.csv", "black,white,result\n", lambda n, g: '"{}",{},{}\n'.format(*g), some),
        ),
        ("JSON lines with escapes", write(folder / "e.jsonl", "", escaped_line, some)),
        ("tar of SGF files", in_tar(folder / "x.tar", some)),
        ("zip of SGF files", in_zip(folder / "x.zip", some)),
        ("folder of SGF files", in_folder(folder / "games", some)),
    ]
    for what, path in paths:
        seconds = seconds_of(path, OTHER_GAMES)
        row(what, f"{OTHER_GAMES / seconds:,.0f} games/s")


def escaped_line(number: int, game: Game) -> str:
    return json.dumps({"black": game[0], "white": game[1] + "é", "result": game[2]}) + "\n"


def packed(path: Path) -> Path:
    import gzip

    target = path.with_name(path.name + ".gz")
    target.write_bytes(gzip.compress(path.read_bytes(), 1))
    return target


def in_tar(path: Path, some: list[Game]) -> Path:
    with tarfile.open(path, "w") as archive:
        for number, game in enumerate(some):
            data = sgf_game(number, game).encode()
            member = tarfile.TarInfo(f"games/{number}.sgf")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def in_zip(path: Path, some: list[Game]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number, game in enumerate(some):
            archive.writestr(f"games/{number}.sgf", sgf_game(number, game))
    return path


def in_folder(path: Path, some: list[Game]) -> Path:
    path.mkdir()
    for number, game in enumerate(some):
        (path / f"{number}.sgf").write_text(sgf_game(number, game))
    return path


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        a_million(Path(name))
        roots()
        other_formats(Path(name))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    row("largest memory of all this, the list of a million games included", f"{peak:,.0f} MB")


if __name__ == "__main__":
    main()
