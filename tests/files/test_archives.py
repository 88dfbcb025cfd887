"""Archives of game records: read as the folder that was packed; what was made to do harm is refused in one line."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import shutil
import struct
import subprocess
import sys
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from support import forked

import gotools
from gotools.base.errors import FileFormatError, RefusedArchive
from gotools.cli import run
from gotools.files import archives
from gotools.files.members import read_each

GAMES = Path(__file__).parents[2] / "examples/games"
ENDINGS = ("zip", "tar", "tar.gz", "tgz", "tar.bz2", "tbz2", "tar.xz", "txz")
RULES = "%% gotools rules 1\nrule(r1, 1, 0, 1.0).\nmove(A,B,C,D) :- line(A,C,D,3).\n"
GAME = "(;GM[1]SZ[9]PB[a]PW[b]RE[B+R]KM[7];B[ee];W[cc];B[gg];W[gc];B[cg];W[ce])"


def packed(names: dict[str, bytes], ending: str) -> bytes:
    """Return an archive of some files."""
    out = io.BytesIO()
    if ending == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in names.items():
                archive.writestr(name, data)
        return out.getvalue()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, data in names.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    pack: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
    last = {"tgz": "gz", "tbz2": "bz2", "txz": "xz"}.get(ending, ending.rpartition(".")[2])
    return pack[last](out.getvalue()) if last in pack else out.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some games as a folder, a collection, one packed by gzip; and an archive of them of each kind."""
    folder = tmp_path_factory.mktemp("archives")
    (folder / "games/more").mkdir(parents=True)
    names = sorted(GAMES.iterdir())[:6]
    for path in names[:3]:
        shutil.copy(path, folder / "games")
    (folder / "games/collection.sgf").write_bytes(names[3].read_bytes() + names[4].read_bytes())
    (folder / "games/more/a.sgf.gz").write_bytes(gzip.compress(names[5].read_bytes()))
    (folder / "games/more" / names[0].name).write_bytes(names[1].read_bytes())  # a name that stands twice
    (folder / "rules.pl").write_text(RULES)
    files = sorted(path for path in (folder / "games").rglob("*") if path.is_file())
    content = {str(path.relative_to(folder)): path.read_bytes() for path in files}
    for ending in ENDINGS:
        (folder / f"all.{ending}").write_bytes(packed(content, ending))
    return folder


COMMANDS = [
    "sgf-to-examples PATH",
    "rank-moves PATH --rules rules.pl --top 1",
    "induce-patterns PATH --nodes 5",
    "cluster-moves PATH --k 2 --starts 1",
    "elo PATH --format tsv",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_reads_an_archive_as_the_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    """Also the ids are the same: two games of one name have different ones."""
    monkeypatch.chdir(folder)
    found = {}
    for path in ("games", *(f"all.{ending}" for ending in (ENDINGS if "sgf-to" in command else ("zip", "tar.xz")))):
        assert run([*command.replace("PATH", path).split(), "-q"]) == 0, capfd.readouterr().err
        found[path] = capfd.readouterr().out
    assert set(found.values()) == {found["games"]} and found["games"]


def test_order_bench_and_openings_read_archives(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    played = []
    for path in ("games", "all.tgz"):
        command = f"order-bench {path} --depth 1 --positions 3 --format tsv -q"
        assert run(command.split()) == 0
        rows = [line.split("\t") for line in capfd.readouterr().out.splitlines() if not line.startswith("##")]
        played.append([row[:4] for row in rows])  # without seconds
    assert played[0] == played[1]
    Path("opening").mkdir(exist_ok=True)
    Path("opening/a.sgf").write_text(GAME)
    Path("opening.zip").write_bytes(packed({"opening/a.sgf": GAME.encode()}, "zip"))
    plans = []
    for path in ("opening", "opening.zip"):
        engines = ["--engine", "a=x", "--engine", "b=y"]
        assert run(["tournament", *engines, "--openings", path, "--games", "4", "--dry-run", "-q"]) == 0
        plans.append(capfd.readouterr().out.splitlines())
    assert plans[0] == plans[1] and "E5 C7" in plans[0][1]


def test_records_of_other_games_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    line = b'{"game": "tictactoe", "moves": ["b2", "a2", "a1", "c3", "c1"]}\n'
    (tmp_path / "x.jsonl").write_bytes(line * 2)
    (tmp_path / "x.zip").write_bytes(
        packed({"y/x.jsonl": line * 2, "y/results.jsonl": b'{"gotools":"journal"}\n'}, "zip")
    )
    found = []
    for name in ("x.jsonl", "x.zip"):
        command = ["order-bench", str(tmp_path / name), "--game", "tictactoe", "--depth", "2", "--format", "tsv", "-q"]
        assert run(command) == 0
        found.append([line.split("\t")[:4] for line in capfd.readouterr().out.splitlines()])
    assert found[0] == found[1]


@pytest.mark.system
def test_archives_by_content_in_folders_and_from_stdin(folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gotools", "sgf-to-examples", "-q"]
    expected = forked.run([*command, str(folder / "games")], capture_output=True, check=True).stdout
    for ending in ENDINGS:
        with open(folder / f"all.{ending}", "rb") as stdin:
            assert forked.run([*command, "-"], stdin=stdin, capture_output=True).stdout == expected, ending
    for number, ending in enumerate(("zip", "tar", "tar.gz")):
        shutil.copy(folder / f"all.{ending}", tmp_path / "x")
        assert forked.run([*command, str(tmp_path / "x")], capture_output=True).stdout == expected
        (tmp_path / f"in{number}/deep").mkdir(parents=True)
        shutil.copy(folder / f"all.{ending}", tmp_path / f"in{number}/deep")
        assert forked.run([*command, str(tmp_path / f"in{number}")], capture_output=True).stdout == expected


def test_the_library_reads_them_too(folder: Path) -> None:
    names = [[game.id for game in gotools.read_games(folder / name)] for name in ("games", "all.zip")]
    assert names[0] == names[1] and len(names[0]) == 7 == len(set(names[0]))


def test_a_game_that_is_broken_is_named_with_its_member(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.zip").write_bytes(
        packed({"a/good.sgf": GAME.encode(), "a/bad.sgf": b"(;SZ[9]B[", "b.txt": b""}, "zip")
    )
    assert run(["sgf-to-examples", str(tmp_path / "x.zip"), "-q"]) == 0
    done = capfd.readouterr()
    assert done.err.startswith(f"{tmp_path}/x.zip/a/bad.sgf:1: ") and done.err.count("\n") == 1
    assert run(["sgf-to-examples", str(tmp_path / "x.zip"), "-q", "--strict"]) == 1


def test_what_is_not_the_users_is_passed_over_and_archives_inside_are_reported(tmp_path: Path) -> None:
    inner = packed({"x.sgf": GAME.encode()}, "zip")
    data = {"x.sgf": GAME.encode(), "._x.sgf": b"\0", "__MACOSX/x.sgf": b"\0", "inner.zip": inner, "read.me": b"x"}
    (tmp_path / "x.zip").write_bytes(packed(data, "zip"))
    (tmp_path / "no.zip").write_bytes(packed({"read.me": b"x"}, "zip"))
    problems: list[str] = []
    for name in ("x.zip", "no.zip"):
        found = list(read_each(tmp_path / name, (".sgf",), lambda error: problems.append(str(error))))
        assert [member for member, _ in found] == ([f"{tmp_path}/x.zip/x.sgf"] if name == "x.zip" else [])
    assert problems == [
        f"{tmp_path}/x.zip/inner.zip: an archive inside of an archive; unpack it yourself first",
        f"{tmp_path}/no.zip: no .sgf file in this archive",
    ]


# damage ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"])
def test_a_cut_archive_is_reported_at_every_cut(tmp_path: Path, ending: str) -> None:
    """Games before the cut may be read; that there are none after it is never silent."""
    data = packed({f"{number}.sgf": GAME.replace("KM[7]", f"KM[{number}]").encode() for number in range(20)}, ending)
    whole = len(data) - (20 * 512 if ending == "tar" else 0)  # tar fills up with zeros
    path = tmp_path / f"x.{ending}"
    for size in range(300, whole, max(1, whole // 40)):
        path.write_bytes(data[:size])
        problems: list[FileFormatError] = []
        found = list(read_each(path, (".sgf",), problems.append))
        assert len(problems) == 1 or (not problems and len(found) == 20), size
        assert all(str(problem).startswith(str(path)) and "\n" not in str(problem) for problem in problems)


@pytest.mark.parametrize("ending", ["zip", "tar", "tar.gz", "tar.xz"])
def test_damaged_archives_are_errors_of_ours(tmp_path: Path, ending: str) -> None:
    data = packed({"a.sgf": GAME.encode(), "b.sgf": GAME.encode()}, ending)
    path = tmp_path / f"x.{ending}"
    for place in range(0, min(len(data), 1600), 3):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        try:
            list(read_each(path, (".sgf",), lambda error: None))
        except RefusedArchive as error:
            assert str(error).startswith(str(path))


def test_a_zip_with_a_password_is_one_line(tmp_path: Path) -> None:
    data = bytearray(packed({"a.sgf": GAME.encode()}, "zip"))
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(mark) + at] |= 1
    (tmp_path / "x.zip").write_bytes(bytes(data))
    problems: list[str] = []
    assert not list(read_each(tmp_path / "x.zip", (".sgf",), lambda error: problems.append(str(error))))
    assert problems == [f"{tmp_path}/x.zip/a.sgf: an archive that cannot be read (it has a password)"]


# harm -----------------------------------------------------------------------------------------------------------------


def refused(path: Path, what: str, capfd: pytest.CaptureFixture[str], *commands: str) -> None:
    """Every command ends with one line and exit code 1, and writes nothing."""
    for command in commands or ("sgf-to-examples", "elo", "induce-patterns"):
        out = path.with_name("out")
        assert run([command, str(path), "-q", "-o", str(out)]) == 1
        error = capfd.readouterr().err
        assert error.count("\n") == 1 and error.startswith(f"gotools {command}: {path}") and what in error, error
        assert not out.exists()


OUTSIDE = ("/etc/x.sgf", "../x.sgf", "a/../../x.sgf", "..\\x.sgf", "C:\\x.sgf", "a/..", "\\x.sgf")


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("ending", ["zip", "tar.gz"])
def test_paths_that_lead_out_are_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, ending: str
) -> None:
    (tmp_path / f"x.{ending}").write_bytes(packed({"good.sgf": GAME.encode(), name: GAME.encode()}, ending))
    refused(tmp_path / f"x.{ending}", "leads out of the archive", capfd)
    (tmp_path / "in").mkdir()
    (tmp_path / "in/good.sgf").write_text(GAME)
    (tmp_path / f"x.{ending}").rename(tmp_path / f"in/x.{ending}")
    assert run(["sgf-to-examples", str(tmp_path / "in"), "-q", "-o", str(tmp_path / "out")]) == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["..x.sgf", "a/...sgf", "a..b/x.sgf", "./x.sgf", "x:y.sgf"])
def test_names_with_points_are_fine(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.tar").write_bytes(packed({name: GAME.encode(), "x.sgf": GAME.encode()}, "tar"))
    assert list(read_each(tmp_path / "x.tar", (".sgf",), lambda error: None))


@pytest.mark.parametrize("ending", ["zip", "tar.gz", "tar.bz2", "tar.xz"])
def test_bombs_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], ending: str
) -> None:
    """Blanks in one member or in many, wanted or not."""
    monkeypatch.setattr(archives, "FREE", 1 << 20)
    blank = b" " * (4 << 20)
    for names in ({"a.sgf": blank * 2 + b"(;GM[1])"}, {f"{i}.bin": blank for i in range(2)} | {"a.sgf": GAME.encode()}):
        (tmp_path / f"x.{ending}").write_bytes(packed(names, ending))
        assert (tmp_path / f"x.{ending}").stat().st_size < 100_000
        refused(tmp_path / f"x.{ending}", "unpacks to more than 200 times its size", capfd)


def test_a_bomb_takes_no_memory(tmp_path: Path) -> None:
    info = tarfile.TarInfo("a.sgf")
    info.size = 1 << 40
    (tmp_path / "x.tar").write_bytes(info.tobuf() + GAME.encode().ljust(512, b"\0"))
    tracemalloc.start()
    with pytest.raises(RefusedArchive):
        list(read_each(tmp_path / "x.tar", (".sgf",), lambda error: None))
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()


def test_gzip_inside_that_unpacks_to_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gotools.files.members.LARGEST_FILE", 1 << 20)
    (tmp_path / "x.zip").write_bytes(packed({"a.sgf.gz": gzip.compress(b" " * (5 << 20))}, "zip"))
    with pytest.raises(RefusedArchive, match=r"a\.sgf\.gz: more than 1 MiB unpacked"):
        list(read_each(tmp_path / "x.zip", (".sgf",), lambda error: None))


def test_too_many_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(archives, "MOST_MEMBERS", 5)
    for ending in ("zip", "tar.gz"):
        (tmp_path / f"x.{ending}").write_bytes(packed({f"{i}.sgf": GAME.encode() for i in range(6)}, ending))
        refused(tmp_path / f"x.{ending}", "more than 5 files in an archive", capfd)


def test_a_table_of_contents_that_is_too_large_is_not_loaded(tmp_path: Path) -> None:
    data = bytearray(packed({"a.sgf": GAME.encode()}, "zip"))
    at = data.rindex(b"PK\5\6")
    data[at + 12 : at + 16] = struct.pack("<L", 1 << 30)
    (tmp_path / "x.zip").write_bytes(bytes(data))
    with pytest.raises(RefusedArchive, match="more than 1,000,000 files"):
        list(read_each(tmp_path / "x.zip", (".sgf",), lambda error: None))


def test_a_header_of_tar_that_holds_megabytes(tmp_path: Path) -> None:
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 50 << 20
    (tmp_path / "x.tar.gz").write_bytes(gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + b"a" * (50 << 20)))
    problems: list[str] = []
    assert not list(read_each(tmp_path / "x.tar.gz", (".sgf",), lambda error: problems.append(str(error))))
    assert "a header of too many bytes" in problems[0]


def test_links_and_devices_in_an_archive_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.sgf").write_text(GAME)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, kind in (("a.sgf", tarfile.SYMTYPE), ("b.sgf", tarfile.LNKTYPE), ("c.sgf", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, str(tmp_path / "secret.sgf")
            tar.addfile(info)
    (tmp_path / "x.tar").write_bytes(out.getvalue())
    assert not list(read_each(tmp_path / "x.tar", (".sgf",), lambda error: None))


def test_plain_files_load_nothing_of_archives(tmp_path: Path) -> None:
    (tmp_path / "x.sgf").write_text(GAME)
    code = "import sys; from gotools.files.members import read_each; list(read_each('x.sgf', ('.sgf',), print)); "
    code += "print([name for name in ('tarfile', 'gotools.files.archives', 'pyarrow') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
