"""The journal of a run: one line of JSON per game, appended and on the disk before the next is counted.

A folder holds results.jsonl and games/NUMBER.sgf. The first line of results.jsonl holds the settings; a run is only
resumed with the same. A line that cannot be read is reported and kept, and its game played again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from gotools.base.errors import ConfigError, FileFormatError, quoted, shown
from gotools.files.json_text import json_text
from gotools.files.opening import open_output, read_bytes
from gotools.files.temporary import remove_left
from gotools.files.writing import AppendedFile
from gotools.game.game import find_trait
from gotools.game.outcome import End
from gotools.game.table import USUAL
from gotools.game.traits import Texts
from gotools.matches.game.game_result import GAMES_FOLDER, GameResult, sgf_name

NAME: Final = "results.jsonl"
VERSION: Final = 1
LARGEST_JOURNAL: Final = 1 << 30
"""Bytes of a journal, of a million games."""


class Journal:
    """An open journal; use it in a `with` block. No second process can open it meanwhile.

    results -- by the number of the game; of two lines of one game the later is reported and ignored
    """

    def __init__(
        self, folder: str | Path, plays: dict[str, Any], wishes: dict[str, Any], say: Callable[[str], None]
    ) -> None:
        """Make the folder, or resume the run in it.

        plays -- the settings that determine the games: those of the run in the folder must be the same
        wishes -- the other settings, kept for `status`
        Raises ConfigError if the folder holds another run; FileFormatError.
        """
        self.folder = Path(folder)
        self._say = say
        self.results: dict[int, GameResult] = {}
        _make(self.folder / GAMES_FOLDER)
        self._head: dict[str, Any] = {}
        self._written: dict[str, Any] = {}
        self._file = AppendedFile(_regular(self.folder / NAME))
        try:
            self._begin(plays, wishes)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, plays: dict[str, Any], wishes: dict[str, Any]) -> None:
        """Read the folder's files before changing any."""
        path = self.folder / NAME
        data = read_bytes(path, LARGEST_JOURNAL)
        torn = b"" if _is_json(data[data.rfind(b"\n") + 1 :]) else data[data.rfind(b"\n") + 1 :]
        run = parse_journal(data[: len(data) - len(torn)], path, self._say)
        self.results, self._written = run.results, run.head
        if run.plays is None and data.strip():
            raise FileFormatError(path, 1, "not a journal of a tournament: the first line does not hold the settings")
        if self.results and run.plays is not None and (changes := _differences(run.plays, plays)):
            raise ConfigError(f"{path}: begun with other settings: {'; '.join(changes)}. Name a new folder")
        if torn:
            self._move_aside(path, torn, data.count(b"\n") + 1)
        elif data and not data.endswith(b"\n"):
            self._file.append(b"")  # a complete line without its line end
        self._head = {"plays": plays, "wishes": wishes, "programs": run.head.get("programs", {})}
        remove_left(self.folder / GAMES_FOLDER)
        if self.results:
            self._write_head()

    def _move_aside(self, path: Path, torn: bytes, line: int) -> None:
        """Keep a partial line beside the journal."""
        with closing(AppendedFile(path.with_name(NAME + ".torn"))) as kept:
            kept.append(torn)
        self._file.cut(len(torn))
        self._say(f"{path}:{line}: a partial line of an interrupted run; moved to {NAME}.torn")

    def _write_head(self) -> None:
        """Write the settings, if the journal does not hold them yet."""
        if any(self._written.get(key) != value for key, value in self._head.items()):
            self._file.append(_dump({"gotools": "journal", "version": VERSION, **self._head}))
            self._written = self._head

    @property
    def programs(self) -> dict[str, str]:
        """What the engines say they are, by their names in the run."""
        return programs_of(self._head)

    def expect(self, programs: dict[str, str]) -> None:
        """Note the names and versions of the engines, before the first game.

        Raises ConfigError if they differ from those of the games played so far.

        A rebuilt engine with the same name and version counts as the same.
        """
        known = self.programs
        for name, program in programs.items():
            if self.results and name in known and known[name] != program:
                raise ConfigError(
                    f"{self.folder / NAME}: engine {name} was {quoted(known[name])}, is {quoted(program)}. "
                    "Name a new folder"
                )
        self._head["programs"] = programs
        self._write_head()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def append(self, result: GameResult, sgf: bytes | None = None) -> None:
        """Write a game's SGF, then its line; both are on the disk when this returns."""
        if sgf is not None:
            with open_output(self.folder / sgf_name(result.game), sync=True) as out:
                out.write(sgf)
        self._file.append(result_line(result))
        self.results[result.game] = result


def result_line(result: GameResult) -> bytes:
    """Return a game's line of the journal, without its line end, the usual game's name, and an empty setting."""
    line = asdict(result)
    if not line["setting"]:
        del line["setting"]
    if line["contested_moves"] is None:
        del line["contested_moves"], line["contested_seconds"]
    if line["game_name"] == USUAL:
        del line["game_name"]
    return _dump(line)


def _dump(value: dict[str, Any]) -> bytes:
    return json_text(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


@dataclass(slots=True)
class RunRecord:
    """The content of a journal: the settings, and the games by number."""

    head: dict[str, Any] = field(default_factory=dict)
    results: dict[int, GameResult] = field(default_factory=dict)

    @property
    def plays(self) -> dict[str, Any] | None:
        """The settings that determine the games; None without a line that holds them."""
        return self.head.get("plays")

    @property
    def wishes(self) -> dict[str, Any]:
        """The other settings of the last run."""
        found = self.head.get("wishes")
        return found if isinstance(found, dict) else {}

    @property
    def programs(self) -> dict[str, str]:
        """What the engines say they are, by their names in the run; empty for a run that did not begin."""
        return programs_of(self.head)

    @property
    def game(self) -> str:
        """The name of the game; the usual one where the settings name none."""
        return str((self.plays or {}).get("game", USUAL))

    def players(self) -> set[str]:
        """The names of the engines."""
        return {engine["name"] for engine in (self.plays or {}).get("engines", [])}


def programs_of(head: dict[str, Any]) -> dict[str, str]:
    """Return the names and versions of the engines, as they gave them, of a line of settings; without any, nothing."""
    found = head.get("programs")
    return {str(name): str(program) for name, program in found.items()} if isinstance(found, dict) else {}


def read_journal(path: str | Path, say: Callable[[str], None]) -> RunRecord:
    """Read a journal; broken lines are reported with their number and skipped.

    Raises FileFormatError for a file that cannot be read, or is not a journal of a known version.
    """
    return parse_journal(read_bytes(_regular(path), LARGEST_JOURNAL), path, say)


def _regular(path: str | Path) -> str | Path:
    """Return the name of a journal. Raises FileFormatError for a pipe or a device, which might be read for ever."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise FileFormatError(path, None, "not a regular file")
    return path


def parse_journal(data: bytes, path: str | Path, say: Callable[[str], None]) -> RunRecord:
    """Read the bytes of a journal; see `read_journal`."""
    run = RunRecord()
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode("utf-8"))
            if isinstance(value, dict) and value.get("gotools") == "journal":
                _head(run, value, path, number)
                continue
            result = _result(value, run.players(), run.game)
        except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
            say(f"{path}:{number}: not a line of JSON ({type(error).__name__}); skipped")
        except (LookupError, TypeError, ValueError, ArithmeticError) as error:
            say(f"{path}:{number}: not a game ({shown(error, 200)}); skipped")
        else:
            if result.game in run.results:
                say(f"{path}:{number}: game {result.game} for the second time; the first one counts")
            run.results.setdefault(result.game, result)
    return run


def _head(run: RunRecord, value: dict[str, Any], path: str | Path, number: int) -> None:
    """Add a line of settings; the first of a run with games is binding, later ones change the wishes."""
    if value.get("version") != VERSION:
        raise FileFormatError(path, number, f"a journal of version {quoted(value.get('version'))}, not {VERSION}")
    plays = value.get("plays")
    engines = plays.get("engines") if isinstance(plays, dict) else None
    if not isinstance(engines, list) or not all(isinstance(one, dict) and "name" in one for one in engines):
        raise FileFormatError(path, number, "this line should hold the settings, and does not")
    kept = {"plays": run.plays} if run.results and run.plays else {}  # without a game nothing is binding yet
    run.head = {**value, **kept}


_TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    "game": int, "pair": int, "black": str, "white": str, "result": str, "fault": str, "what": str, "size": int,
    "komi": (int, float), "handicap": int, "opening": int, "moves": str,
}  # fmt: skip


_RANGES: Final[tuple[tuple[str, float, float], ...]] = (
    ("game", 1, 1e15), ("pair", 1, 1e15), ("size", 2, 19), ("komi", -1e6, 1e6), ("handicap", 0, 9), ("opening", 0, 1e6),
)  # fmt: skip
_RESULT: Final = re.compile(r"[BW]\+[0-9A-Za-z.]{0,20}|0|Void|\?")
_FAULT: Final = re.compile("[bw]?")
LONGEST_SETTING: Final = 500


_MOVES: Final = re.compile(r"(?:[!-~]{1,20}(?: [!-~]{1,20})*)?")
"""Moves of a game whose functions would have to be compiled to check more."""


def _printable(setting: Any) -> str:
    if not isinstance(setting, str) or not setting.isprintable() or len(setting) > LONGEST_SETTING:
        raise ValueError(f"setting is {quoted(setting)}")
    return setting


def _times(key: str, value: Any) -> tuple[float, float]:
    black, white = float(value[0]), float(value[1])
    if not (0 <= black < 1e12 and 0 <= white < 1e12):
        raise ValueError(f"{key} is {quoted(value)}")
    return black, white


def _contested(value: dict[str, Any]) -> dict[str, Any]:
    """Return the moves and seconds of the contested part, nothing of a line without them. Raises as `_result`."""
    if "contested_moves" not in value:
        return {}
    black, white = _times("contested_moves", value["contested_moves"])
    seconds = _times("contested_seconds", value["contested_seconds"])
    return {"contested_moves": (int(black), int(white)), "contested_seconds": seconds}


def _result(value: Any, players: set[str], game: str) -> GameResult:
    """Make a result of a line's value, of a run of this game.

    Raises LookupError, TypeError, ValueError, ArithmeticError.
    """
    if not isinstance(value, dict):
        raise TypeError("not an object with black, white, result")
    for key, kind in _TYPES.items():
        if not isinstance(value[key], kind) or isinstance(value[key], bool):
            raise TypeError(f"{key} is {shown(json.dumps(value[key]))}")
    for key, low, high in _RANGES:
        if not low <= value[key] <= high:
            raise ValueError(f"{key} is {shown(json.dumps(value[key]))}")
    if value.get("game_name", USUAL) != game:
        raise ValueError(f"a game of {quoted(value.get('game_name', USUAL))} in a run of {game}")
    texts = find_trait(game, Texts)
    moves = _MOVES if texts is None else texts.pattern(value["size"])
    for key, pattern in (("result", _RESULT), ("fault", _FAULT), ("moves", moves)):
        if not pattern.fullmatch(value[key]):
            raise ValueError(f"{key} is {quoted(value[key])}")
    if not {value["black"], value["white"]} <= players:
        raise ValueError("a player missing in the first line")
    if value["black"] == value["white"]:
        raise ValueError("an engine against itself")
    seconds, slowest = (_times(key, value[key]) for key in ("seconds", "slowest"))
    return GameResult(
        **{key: value[key] for key in _TYPES},
        end=End(value["end"]),
        seconds=seconds,
        slowest=slowest,
        **_contested(value),
        notes=tuple(map(str, value.get("notes", ()))),
        game_name=game,
        setting=_printable(value.get("setting", "")),
    )


def _differences(found: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """List the settings in which two runs differ; only the game if that differs."""
    games = found.get("game", USUAL), wanted.get("game", USUAL)
    if games[0] != games[1]:
        return [f"game was {_in_json(games[0])}, is {_in_json(games[1])}"]
    if found.get("engines") and wanted.get("engines"):
        same = [engine.get("name") for engine in found["engines"]] == [e.get("name") for e in wanted["engines"]]
        found, wanted = (_flat(plays, same) for plays in (found, wanted))
    keys = dict.fromkeys([*found, *wanted])
    return [
        f"{quoted(key)[1:-1]} was {_in_json(found.get(key))}, is {_in_json(wanted.get(key))}"
        for key in keys
        if found.get(key) != wanted.get(key)
    ]


def _in_json(value: Any) -> str:
    """Return a setting as it is quoted, in JSON."""
    text = json.dumps(value)
    return text if len(text) <= 300 else text[:297] + "..."


def _flat(plays: dict[str, Any], with_settings: bool) -> dict[str, Any]:
    """Return the settings with engines by name, and optionally each setting of an engine under a key of its own."""
    flat = {key: value for key, value in plays.items() if key != "engines"}
    flat["engines"] = [engine.get("name") for engine in plays["engines"]]
    if not with_settings:
        return flat
    for engine in plays["engines"]:
        flat |= {f"engine {engine.get('name')}: {key}": value for key, value in engine.items() if key != "name"}
    return flat


def _is_json(text: bytes) -> bool:
    try:
        return not text.strip() or isinstance(json.loads(text.decode("utf-8")), dict)
    except (ValueError, RecursionError):
        return False


def _make(folder: Path) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise FileFormatError(folder, None, f"cannot be made: {error.strerror or error}") from error


# merging --------------------------------------------------------------------------------------------------------------


def merge_journals(folders: Sequence[str | Path], target: str | Path, say: Callable[[str], None]) -> int:
    """Put the games of several runs of one tournament (its shards) into one folder; returns how many there are now.

    Games in `target` are kept; a game that two runs hold is taken from the first.
    Raises ConfigError if the runs are not of one tournament.
    """
    runs = [(Path(folder), read_journal(Path(folder) / NAME, say)) for folder in folders]
    plays = runs[0][1].plays
    wishes = {key: value for key, value in runs[0][1].wishes.items() if key != "shard"}
    for folder, run in runs:
        if run.plays is None or plays is None:
            raise FileFormatError(folder / NAME, 1, "the first line, with the settings, is missing")
        if changes := _differences(plays, run.plays):
            raise ConfigError(f"{folder}: another tournament than {runs[0][0]}: {'; '.join(changes)}")
    assert plays is not None
    with Journal(target, plays, wishes, say) as journal:
        journal.expect(runs[0][1].head.get("programs", {}))
        for number, (folder, result) in sorted(_first_of_each(runs, say).items()):
            if number not in journal.results:
                sgf = folder / sgf_name(number)
                journal.append(result, read_bytes(sgf) if sgf.is_file() else None)
        return len(journal.results)


def _first_of_each(
    runs: Sequence[tuple[Path, RunRecord]], say: Callable[[str], None]
) -> dict[int, tuple[Path, GameResult]]:
    found: dict[int, tuple[Path, GameResult]] = {}
    for folder, run in runs:
        for number, result in run.results.items():
            if number in found and found[number][1] != result:
                say(f"{folder}: game {number} is in {found[number][0]} too, and differs; the first one counts")
            found.setdefault(number, (folder, result))
    return found
