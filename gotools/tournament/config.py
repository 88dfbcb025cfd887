"""The settings of a tournament: engines, rules, clock, pairing. From options and a TOML file, checked key by key.

The settings that determine the games (`identity`) are at the head of the journal: a run can only be
resumed with the same.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from gotools.clock import TimeControl
from gotools.errors import ConfigError, GotoolsError, nearest, quoted, shown
from gotools.files.kinds import Kind, kind_of, wrong_kind
from gotools.files.opening import FIRST_BYTES, read_bytes
from gotools.game import find_game
from gotools.game_names import GAMES, plain_name
from gotools.go.points import most_fixed
from gotools.go.rule_sets import KOS, RULE_SETS, SCORINGS, GameRules, rule_set
from gotools.ratings.sprt import Sprt, parse_sprt
from gotools.tournament.game.engine_spec import EngineSpec, engine_of_table, engine_of_text
from gotools.tournament.game.time_control import parse_time, time_text
from gotools.tournament.report.gates import Gates
from gotools.tournament.setting_values import check_keys, flag, named, number, one_of, text, whole

PAIRINGS: Final = ("roundrobin", "gauntlet", "playoff")
DEAD: Final = ("agreed", "none")
ON_CRASH: Final = ("loss", "void")
MOST_GAMES: Final = 1_000_000
GO: Final = "go"
ONLY_GO: Final = ("komi", "handicap", "rules", "dead", "referee")
"""Keys of settings without a meaning in other games."""


@dataclass(frozen=True, slots=True)
class TournamentConfig:
    """The settings of a tournament.

    game     -- by its name in GAMES; in games other than Go the keys of ONLY_GO keep values without a meaning
    games    -- of each pairing; two and two form a pair: one opening, colours exchanged
    time     -- the clock of each side; margin -- seconds beyond it that a move may take
    timeout  -- seconds for an answer that no clock limits; start_timeout -- for an engine's first answer
    pairing  -- roundrobin: all against all; gauntlet: the first engine against each other one; playoff: `pairs` only
    openings -- "generated", "none", or a path to SGF files, whose first `opening_moves` moves are used
    opening_moves -- of those games, and of generated openings of games other than Go
    dead     -- how a finished game is counted: "agreed": with the dead stones of the engines; "none": as it stands
    referee  -- the engine that decides when they disagree
    on_crash -- the result of a game in which an engine stops working: its loss, or void
    max_moves -- a longer game is counted as it stands, in games other than Go a draw; 0: see Referee.longest
    budget   -- seconds after which no further game begins
    """

    engines: tuple[EngineSpec, ...]
    game: str = GO
    games: int = 100
    size: int = 9
    komi: float = 7.5
    handicap: int = 0
    rules: GameRules = field(default_factory=lambda: rule_set("chinese"))
    time: TimeControl = field(default_factory=TimeControl)
    margin: float = 0.25
    timeout: float = 60.0
    start_timeout: float = 120.0
    pairing: str = "roundrobin"
    pairs: tuple[tuple[str, str], ...] = ()
    openings: str = "generated"
    opening_moves: int = 4
    dead: str = "agreed"
    referee: EngineSpec | None = None
    on_crash: str = "loss"
    max_moves: int = 0
    comments: bool = True
    seed: int = 0
    jobs: int = 1
    sprt: Sprt | None = None
    gates: Gates = field(default_factory=Gates)
    budget: float | None = None

    @property
    def names(self) -> list[str]:
        """The names of the engines, in their order."""
        return [engine.name for engine in self.engines]

    def engine(self, name: str) -> EngineSpec:
        """Return an engine by its name."""
        return next(engine for engine in self.engines if engine.name == name)

    def identity(self) -> dict[str, Any]:
        """Return the settings that determine the games, as values of JSON. The number of games may grow later.

        Without the name of the game it is Go; of other games the keys of ONLY_GO are left out.
        """
        settings = self._identity_of_go()
        if self.game == GO:
            return settings
        return {"game": self.game, **{key: value for key, value in settings.items() if key not in ONLY_GO}}

    def _identity_of_go(self) -> dict[str, Any]:
        return {
            "engines": [engine.identity() for engine in self.engines],
            "size": self.size,
            "komi": self.komi,
            "handicap": self.handicap,
            "rules": self.rules.identity(),
            "time": time_text(self.time),
            "margin": self.margin,
            "timeout": self.timeout,
            "pairing": self.pairing,
            "pairs": [list(pair) for pair in self.pairs],
            "openings": self.openings,
            "opening_moves": self.opening_moves,
            "dead": self.dead,
            "referee": None if self.referee is None else self.referee.identity(),
            "on_crash": self.on_crash,
            "max_moves": self.max_moves,
            "seed": self.seed,
        }

    def wishes(self) -> dict[str, Any]:
        """Return the settings that may change from one run to the next: how much is played, and when to stop."""
        gates = {key: getattr(self.gates, key) for key in _GATES}
        sprt = None if self.sprt is None else _sprt_table(self.sprt)
        return {"games": self.games, "sprt": sprt, "gates": {k: v for k, v in gates.items() if v is not None}}


def config_of_journal(plays: Mapping[str, Any], wishes: Mapping[str, Any]) -> TournamentConfig:
    """Return the settings in a journal. Raises ConfigError for invalid ones."""
    table = {**plays, **wishes, "engine": plays.get("engines", [])}
    known = {key: value for key, value in table.items() if key in _KEYS and value is not None}
    return _config(known, "journal: ")


def load_config(path: str | None, given: Mapping[str, Any]) -> TournamentConfig:
    """Return the tournament of a TOML file (None: no file), overridden by the options `given`.

    Options have the names and values of the file's keys; engines of options come after those of the file.
    Raises ConfigError, which names the file and the key; FileFormatError if the file cannot be read.
    """
    table = {} if path is None else _read(path)
    place = "" if path is None else f"{path}: "
    merged = {**table, **{key: value for key, value in given.items() if key != "engine"}}
    for key in ("sprt", "gates"):
        if isinstance(table.get(key), dict) and isinstance(given.get(key), dict):
            merged[key] = {**table[key], **given[key]}
    engines = [*_listed(table.get("engine", []), place), *given.get("engine", [])]
    return _config({**merged, "engine": engines}, place)


def _read(path: str) -> dict[str, Any]:
    data = read_bytes(path)
    try:
        return tomllib.loads(data.decode("utf-8"))
    except ValueError as error:  # of TOML, of UTF-8, of numbers with thousands of digits
        if kind_of(head := data[:FIRST_BYTES]) not in (Kind.settings, Kind.text, Kind.script):
            raise wrong_kind(path, head, "settings in TOML") from error
        raise ConfigError(f"{path}: not TOML: {shown(error, 200)}") from error


def _listed(value: object, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise ConfigError(f"{place}engine: write each engine as a table [[engine]] with name and command")
    return value


def _config(table: Mapping[str, Any], place: str) -> TournamentConfig:
    check_keys(table, _KEYS, place)
    values: dict[str, Any] = {}
    for key, value in table.items():
        name, read = _KEYS[key]
        try:
            values[name] = read(value)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{place}{key}: {error}") from error
        except ConfigError as error:  # names its key
            raise ConfigError(f"{place}{error}") from error
        except GotoolsError as error:
            raise ConfigError(f"{place}{key}: {error}") from error
    config = _of_game(TournamentConfig(**values), table, place)
    _check(config, place)
    return config


def _of_game(config: TournamentConfig, given: Mapping[str, Any], place: str) -> TournamentConfig:
    """Check the settings that depend on the game, and complete them. Raises ConfigError."""
    if config.game == GO:
        return config
    for key in ONLY_GO:
        if key in given:
            raise ConfigError(f"{place}{key}: has no meaning in {config.game}; leave it out")
    size = config.size if "size" in given else None
    engines = tuple(replace(engine, game=config.game) for engine in config.engines)
    return replace(config, size=board_size(config.game, size, place), komi=0.0, engines=engines)


def board_size(game: str, size: int | None, place: str = "") -> int:
    """Return the board size of a game, its usual one for None. Raises ConfigError for one that it does not have."""
    sizes = find_game(game).sizes
    if size is not None and size not in sizes:
        raise ConfigError(f"{place}size: {game} has size {', '.join(map(str, sizes))}, not {size}")
    return size or sizes[0]


def _check(config: TournamentConfig, place: str) -> None:
    """Raise ConfigError for values that contradict each other."""
    names = config.names
    if len(names) < 2:
        raise ConfigError(f"{place}a tournament needs two engines: --engine NAME='COMMAND', twice, or in a file")
    everyone = names + ([config.referee.name] if config.referee else [])
    for name in everyone:
        if everyone.count(name) > 1:
            raise ConfigError(
                f"{place}two engines have the name {quoted(name)}; give each its own with --engine NAME=..."
            )
    for name in {name for pair in config.pairs for name in pair} - set(names):
        raise ConfigError(f"{place}pairs: there is no engine {quoted(name)}{nearest(name, names)}")
    if config.handicap == 1 or config.handicap > most_fixed(config.size):
        most = most_fixed(config.size) or "no"
        raise ConfigError(f"{place}handicap: 0, or from 2 on; {config.size} lines have places for {most} stones")
    if (config.pairing == "playoff") != bool(config.pairs):
        raise ConfigError(f"{place}pairing: a playoff needs `pairs`, the others take none")
    if config.sprt is not None and len(names) > 2 and config.pairing != "gauntlet":
        raise ConfigError(f"{place}sprt: tests the first engine against one other, or against all others in a gauntlet")
    if config.gates.require and config.sprt is None:
        raise ConfigError(f"{place}gates: require = {quoted(config.gates.require)} needs a test: --sprt elo0=0,elo1=20")


# one reader per key: each returns the value or raises ValueError with a message for the user --------------------------


def _seconds(value: Any) -> float:
    """Read "90s", "9m", "1h30m" or a number of seconds."""
    try:
        control = parse_time(value if isinstance(value, str) else f"{number(0, 1e9)(value):f}")
    except GotoolsError:
        control = TimeControl()
    if control.kind != "absolute":
        raise ValueError(f"{shown(repr(value))} is not a length of time such as 9m")
    return control.main


def _game(value: Any) -> str:
    """Read a name of `find_game`."""
    plain = one_of(list(GAMES))(plain_name(value) if isinstance(value, str) else value)
    return plain if value == plain else find_game(value).full_name


def _time(value: Any) -> TimeControl:
    return parse_time(text(value))


def _rules(value: Any) -> GameRules:
    if not isinstance(value, str | dict):
        raise ValueError("rules are a name, or a table with name, scoring, ko, suicide")
    table = {"name": value} if isinstance(value, str) else value
    check_keys(table, _RULES, "rules: ")
    return rule_set(**{key: named(key, _RULES[key], one) for key, one in table.items()})


def _engines(value: Any) -> tuple[EngineSpec, ...]:
    return tuple(_engine(one) for one in value)


def _referee(value: Any) -> EngineSpec:
    return _engine(value, "referee")


def _engine(value: Any, unnamed: str = "") -> EngineSpec:
    if isinstance(value, str):
        return engine_of_text(value, unnamed)
    if not isinstance(value, dict):
        raise ValueError("an engine is a table with name and command")
    names = [entry.name for entry in fields(EngineSpec) if entry.name != "game"]
    check_keys(value, dict.fromkeys([*names, "options"]), "engine: ")
    return engine_of_table(value, unnamed)


def _pairs(value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
        raise ValueError('pairs are written [["a", "b"], ["a", "c"]]')
    pairs = tuple((text(one), text(other)) for one, other in value)
    if any(one == other for one, other in pairs):
        raise ValueError("an engine does not play itself; give it a second name")
    return pairs


def _sprt(value: Any) -> Sprt:
    if not isinstance(value, dict):
        raise ValueError("a table with elo0, elo1, and alpha and beta if they are not 0.05")
    check_keys(value, {"elo0": 0, "elo1": 0, "alpha": 0, "beta": 0}, "sprt: ")
    if not {"elo0", "elo1"} <= value.keys():
        raise ValueError("elo0 and elo1 must be given")
    return Sprt(**{key: named(key, number(-5000, 5000), one) for key, one in value.items()})


def _gates(value: Any) -> Gates:
    if not isinstance(value, dict):
        raise ValueError("a table with require, min_elo, max_crashes, max_illegal, max_time_losses")
    check_keys(value, _GATES, "gates: ")
    return Gates(**{key: named(key, _GATES[key], one) for key, one in value.items() if one is not None})


_RULES: Final[dict[str, Callable[[Any], Any]]] = {
    "name": one_of(RULE_SETS),
    "scoring": one_of(SCORINGS),
    "ko": one_of(KOS),
    "suicide": flag,
}
_GATES: Final[dict[str, Callable[[Any], Any]]] = {
    "require": one_of(("h1", "h0")),
    "min_elo": number(-10_000, 10_000),
    "max_crashes": whole(0, MOST_GAMES),
    "max_illegal": whole(0, MOST_GAMES),
    "max_time_losses": whole(0, MOST_GAMES),
}
_KEYS: Final[dict[str, tuple[str, Callable[[Any], Any]]]] = {
    "engine": ("engines", _engines),
    "game": ("game", _game),
    "games": ("games", whole(1, MOST_GAMES)),
    "size": ("size", whole(2, 19)),
    "komi": ("komi", number(-1000, 1000)),
    "handicap": ("handicap", whole(0, 9)),
    "rules": ("rules", _rules),
    "time": ("time", _time),
    "margin": ("margin", number(0, 3600)),
    "timeout": ("timeout", number(0.01, 1e6)),
    "start_timeout": ("start_timeout", number(0.01, 1e6)),
    "pairing": ("pairing", one_of(PAIRINGS)),
    "pairs": ("pairs", _pairs),
    "openings": ("openings", text),
    "opening_moves": ("opening_moves", whole(1, 100)),
    "dead": ("dead", one_of(DEAD)),
    "referee": ("referee", _referee),
    "on_crash": ("on_crash", one_of(ON_CRASH)),
    "max_moves": ("max_moves", whole(0, 100_000)),
    "comments": ("comments", flag),
    "seed": ("seed", whole(0, 2**31 - 1)),
    "jobs": ("jobs", whole(1, 1000)),
    "sprt": ("sprt", _sprt),
    "gates": ("gates", _gates),
    "time_budget": ("budget", _seconds),
}
"""Name of each key in a file: the attribute it sets, and what reads it."""


def settings_of_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of a command's options that were given (not None) and are settings, in the form of a file.

    Options are named like the keys of a file; gates are among them, and sprt is a text such as elo0=0,elo1=20.
    Raises GotoolsError for an invalid text.
    """
    given = {key: value for key, value in options.items() if value is not None}
    settings = {key: given[key] for key in given.keys() & _KEYS.keys()}
    if "sprt" in settings:
        settings["sprt"] = _sprt_table(parse_sprt(settings["sprt"]))
    return {**settings, "gates": {key: given[key] for key in given.keys() & _GATES.keys()}}


def _sprt_table(sprt: Sprt) -> dict[str, float]:
    return {"elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta}


def names_of_keys() -> list[str]:
    """List the keys of a file, for documents and their tests."""
    return list(_KEYS)
