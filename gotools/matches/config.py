"""The settings of a tournament: engines, rules, clock, pairing. From options and a TOML file, checked key by key.

The settings that determine the games (`identity`) are at the head of the journal: a run can only be
resumed with the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from gotools.base.clock import TimeControl
from gotools.base.errors import ConfigError, GotoolsError, nearest, quoted, shown, wrong_word
from gotools.base.settings import SettingError, Settings, described, setting
from gotools.files.settings_file import SettingsFile, check_keys, read_settings_file
from gotools.game.known import is_game, place_of
from gotools.game.table import GAME_NAMES, GAMES, USUAL, USUAL_KOMI, plain_name
from gotools.matches.game.engine_spec import EngineSpec, engine_of_table, engine_of_text
from gotools.matches.game.time_control import parse_time, time_text

if TYPE_CHECKING:
    from gotools.matches.report.gates import Gates
    from gotools.ratings.sprt import Sprt
else:  # options are made from the types below, and `gotools --help` does not wait for numpy
    Sprt = object

MOST_GAMES: Final = 1_000_000
NEEDS: Final = {"komi": "Scoring", "handicap": "SetUp", "rules": "Scoring", "dead": "Scoring", "referee": "Scoring"}
"""The trait of a game without which a setting has no meaning, by the setting's key."""
_GATES: Final = ("require", "min_elo", "max_crashes", "max_illegal", "max_time_losses")
_NOT_IDENTITY: Final = ("game", "games", "start_timeout", "comments", "jobs", "sprt", *_GATES, "time_budget")
"""Settings that do not determine the games; the game is told apart."""


# readers: each makes the value of a setting from what TOML or an option has, or raises ValueError or GotoolsError -----


def _seconds(value: Any) -> float:
    """Read "90s", "9m", "1h30m" or a number of seconds."""
    try:
        control = parse_time(value if isinstance(value, str) else f"{float(value):f}")
    except (GotoolsError, TypeError, ValueError):
        control = TimeControl()
    if control.kind != "absolute" or isinstance(value, bool):
        raise ValueError(f"{shown(repr(value))} is not a length of time such as 9m")
    return control.main


def _game(value: Any) -> str:
    """Read a name of `find_game`."""
    plain = plain_name(value) if isinstance(value, str) else value
    if not isinstance(plain, str) or not is_game(plain):
        raise ValueError(wrong_word(plain, list(GAMES)))
    if value == plain:
        return str(plain)
    from gotools.game.game import find_game

    return find_game(value).full_name


def _time(value: Any) -> TimeControl:
    if not isinstance(value, str):
        raise ValueError(f"{shown(repr(value))} is not a clock such as 5m+10s")
    return parse_time(value)


def _rules(value: Any) -> str | dict[str, Any]:
    """Return what `Scoring.read` reads; only the game knows its rules."""
    if not isinstance(value, str | dict):
        raise ValueError("rules are a name, or a table with name, scoring, ko, suicide")
    return value


def _engines(value: Any) -> tuple[EngineSpec, ...]:
    if not isinstance(value, list):
        raise ValueError("write each engine as a table [[engine]] with name and command")
    return tuple(map(_engine, value))


def _referee(value: Any) -> EngineSpec:
    return _engine(value, "referee")


def _engine(value: Any, unnamed: str = "") -> EngineSpec:
    if isinstance(value, str):
        return engine_of_text(value, unnamed)
    if not isinstance(value, dict):
        raise ValueError("an engine is a table with name and command")
    check_keys(value, [*(one.name for one in fields(EngineSpec) if one.name != "game"), "options"], "engine: ")
    return engine_of_table(value, unnamed)


def _pairs(value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(one, list | tuple) and len(one) == 2 for one in value):
        raise ValueError('pairs are written [["a", "b"], ["a", "c"]]')
    if not all(isinstance(name, str) for pair in value for name in pair):
        raise ValueError("pairs are of names of engines")
    pairs = tuple((one, other) for one, other in value)
    if any(one == other for one, other in pairs):
        raise ValueError("an engine does not play itself; give it a second name")
    return pairs


def _sprt(value: Any) -> Sprt:
    from gotools.ratings.sprt import Sprt, parse_sprt

    if isinstance(value, str):
        return parse_sprt(value)
    if not isinstance(value, dict):
        raise ValueError("a table with elo0, elo1, and alpha and beta if they are not 0.05")
    check_keys(value, [one.name for one in fields(Sprt)], "sprt: ")
    if not {"elo0", "elo1"} <= value.keys():
        raise ValueError("elo0 and elo1 must be given")
    for key, one in value.items():
        if isinstance(one, bool) or not isinstance(one, int | float):
            raise ValueError(f"{key}: {shown(repr(one))} is not a number")
    return Sprt(**value)


def _check_openings(value: str) -> None:
    if not value:
        raise GotoolsError("an empty name")


def _gate(help: str, metavar: str, least: float | None = 0, most: float | None = MOST_GAMES) -> Any:
    return setting(None, f"Gate: {help}", metavar, least=least, most=most)


@dataclass(frozen=True, kw_only=True)
class TournamentConfig(Settings):
    """The settings of a tournament.

    Those that the game gives no meaning (NEEDS) keep their defaults, but for komi 0 and rules None. Of `games` two and
    two form a pair: one opening, colours exchanged. `max_moves` 0: see Referee.longest.
    """

    engines: tuple[EngineSpec, ...] = setting(
        (),
        "An engine; the option stands twice or more. gotools:rules=FILE,... is our own, usi:COMMAND speaks USI.",
        "NAME=COMMAND",
        "--engine",
        typed=list[str] | None,
        read=_engines,
    )
    game: str = setting(
        USUAL,
        "The game. Komi, handicap, rules, dead, referee are Go's.",
        GAME_NAMES,
        typed=str | None,
        read=_game,
        shown=USUAL,
    )
    games: int = setting(100, "Games of each pairing.", "N", least=1, most=MOST_GAMES)
    size: int = setting(9, "Board size; of other games their usual one.", "N", least=2, most=19)
    komi: float = setting(USUAL_KOMI, "Komi.", "K", least=-1000, most=1000)
    handicap: int = setting(0, "Fixed handicap stones.", "N", least=0, most=9)
    rules: Any = setting(
        "chinese", "chinese, japanese, tromp-taylor, aga, ...", "NAME", typed=str | None, read=_rules, shown="chinese"
    )
    time: TimeControl = setting(
        TimeControl(),
        "Clock: 1s/move, 5m, 5m+10s, 5m+5x30s, 5m+25/10m.",
        "CLOCK",
        typed=str | None,
        read=_time,
        shown="none",
    )
    margin: float = setting(0.25, "Seconds over the clock forgiven a move.", "S", least=0, most=3600)
    timeout: float = setting(60.0, "Seconds for answers that no clock limits.", "S", least=0.01, most=1_000_000)
    start_timeout: float = setting(120.0, "Seconds for an engine's first answer.", "S", least=0.01, most=1_000_000)
    pairing: Literal["roundrobin", "gauntlet", "playoff"] = setting(
        "roundrobin", "All against all; the first engine against each other one; the pairs of a file."
    )
    pairs: tuple[tuple[str, str], ...] = setting((), "The pairs of a playoff.", read=_pairs)
    openings: str = setting(
        "generated", "generated, none, or records: files, archive, folder.", "WHAT", check=_check_openings
    )
    opening_moves: int = setting(
        4, "Moves of an opening from records, or of another game than Go.", "N", least=1, most=100
    )
    dead: Literal["agreed", "none"] = setting("agreed", "Dead stones: as the engines agree, or all stones live.")
    referee: EngineSpec | None = setting(
        None, "An engine asked where the players' counts differ.", "COMMAND", typed=str | None, read=_referee
    )
    on_crash: Literal["loss", "void"] = setting("loss", "The result of a game in which an engine crashes.")
    max_moves: int = setting(
        0, "Longest game; 0: three moves for each point, or the limit of the rules.", "N", least=0, most=100_000
    )
    comments: bool = setting(True, "Write what the engines say of their moves into the game records.")
    jobs: int = setting(1, "Games at once.", "N", "-j", "--jobs", least=1, most=1000)
    seed: int = setting(0, "Seed of openings and engines.", "N", least=0, most=2**31 - 1)
    sprt: Sprt | None = setting(
        None,
        "Stop when decided: elo0=0,elo1=20[,alpha=0.05,beta=0.05].",
        "TEST",
        typed=str | None,
        read=_sprt,
    )
    require: Literal["h1", "h0"] | None = setting(None, "Gate: the test must accept this.")
    min_elo: float | None = _gate("least Elo of the first engine over the others.", "X", -10_000, 10_000)
    max_crashes: int | None = _gate("most crashes, of all engines.", "N")
    max_illegal: int | None = _gate("most illegal moves and refusals.", "N")
    max_time_losses: int | None = _gate("most games lost on time.", "N")
    time_budget: float | None = setting(
        None, "Begin no game that would end after this: 9m, 90s.", "TIME", typed=str | None, read=_seconds
    )

    @property
    def gates(self) -> Gates:
        """Return the conditions on the result."""
        from gotools.matches.report.gates import Gates

        return self.part(Gates)

    @property
    def names(self) -> list[str]:
        """The names of the engines, in their order."""
        return [engine.name for engine in self.engines]

    def engine(self, name: str) -> EngineSpec:
        """Return an engine by its name."""
        return next(engine for engine in self.engines if engine.name == name)

    def identity(self) -> dict[str, Any]:
        """Return the settings that determine the games, as values of JSON. The number of games may grow later.

        Without the name of the game it is the usual one; keys without a meaning in the game are left out.
        """
        game = {} if self.game == USUAL else {"game": self.game}
        names = [one.name for one in fields(self) if one.name not in (*_NOT_IDENTITY, *_without_meaning(self.game))]
        return {**game, **{name: _json(getattr(self, name)) for name in names}}

    def wishes(self) -> dict[str, Any]:
        """Return the settings that may change from one run to the next: how much is played, and when to stop."""
        gates = {key: value for key, value in asdict(self.gates).items() if value is not None}
        return {"games": self.games, "sprt": None if self.sprt is None else asdict(self.sprt), "gates": gates}


def _json(value: Any) -> Any:
    """Return the value of a setting as JSON has it."""
    if isinstance(value, tuple):
        return [_json(one) for one in value]
    if isinstance(value, TimeControl):
        return time_text(value)
    return value.identity() if hasattr(value, "identity") else value


def _without_meaning(game: str) -> list[str]:
    """List the keys of settings without a meaning in a game."""
    traits = place_of(game).traits
    return [key for key, trait in NEEDS.items() if trait not in traits]


def config_of_journal(plays: Mapping[str, Any], wishes: Mapping[str, Any]) -> TournamentConfig:
    """Return the settings in a journal. Raises ConfigError for invalid ones."""
    table = {**plays, **wishes, "engine": plays.get("engines", [])}
    known = {key: value for key, value in table.items() if key in names_of_keys() and value is not None}
    return _config(SettingsFile(known, "journal"), {})


def load_config(path: str | None, given: Mapping[str, Any]) -> TournamentConfig:
    """Return the tournament of a TOML file (None: no file), overridden by the options `given`.

    Options have the values of the file's keys, sprt may be a text such as elo0=0,elo1=20, and gates stand beside the
    others; engines of options come after those of the file.
    Raises ConfigError, which names the file and the key; FileFormatError if the file cannot be read.
    """
    file = SettingsFile({}) if path is None else read_settings_file(path)
    keys = {one.name: about.key(one.name) for one, about, _ in described(TournamentConfig)}
    return _config(file, {keys.get(name, name): value for name, value in given.items() if value is not None})


def _config(file: SettingsFile, given: Mapping[str, Any]) -> TournamentConfig:
    place = f"{file.path}: " if file.path else ""
    own, options = _flat(file), _flat(SettingsFile(given))
    first = own.values(TournamentConfig).get("engines", ())
    try:
        over = options.values(TournamentConfig)
        over["engines"] = (*first, *over.get("engines", ()))
        config = own.settings(TournamentConfig, over)
    except SettingError as error:
        raise ConfigError(str(error)) from error
    config = _of_game(config, {**own.table, **options.table}, place)
    _check(config, place)
    return _with_rules(config, (options if "rules" in options.table else own).place("rules"))


def _flat(file: SettingsFile) -> SettingsFile:
    """Return a file with the settings of its table [gates] beside the others."""
    gates = file.table.get("gates", {})
    if not isinstance(gates, dict):
        raise ConfigError(f"{file.place('gates')}gates: a table with {', '.join(_GATES)}")
    for key in gates:
        check_keys([key], _GATES, file.place(key))
    return replace(file, table={**{key: value for key, value in file.table.items() if key != "gates"}, **gates})


def _of_game(config: TournamentConfig, given: Mapping[str, Any], place: str) -> TournamentConfig:
    """Check the settings that depend on the game, and complete them. Raises ConfigError."""
    if config.game == USUAL:  # whose sizes are those of the setting
        return config
    without = _without_meaning(config.game)
    for key in without:
        if key in given:
            raise ConfigError(f"{place}{key}: has no meaning in {config.game}; leave it out")
    size = config.size if "size" in given else None
    engines = tuple(replace(engine, game=config.game) for engine in config.engines)
    komi = 0.0 if "komi" in without else config.komi
    return replace(config, size=board_size(config.game, size, place), komi=komi, engines=engines)


def _with_rules(config: TournamentConfig, place: str) -> TournamentConfig:
    """Return settings with the rule set of the game that they name, None for a game without. Raises ConfigError."""
    from gotools.game.game import find_trait  # and with it numpy
    from gotools.game.traits import Scoring

    scoring = find_trait(config.game, Scoring)
    try:
        return replace(config, rules=scoring.read(config.rules) if scoring else None)
    except ConfigError as error:  # names its key
        raise ConfigError(f"{place}{error}") from error
    except (GotoolsError, ValueError) as error:
        raise ConfigError(f"{place}rules: {error}") from error


def board_size(game: str, size: int | None, place: str = "") -> int:
    """Return the board size of a game, its usual one for None. Raises ConfigError for one that it does not have."""
    from gotools.game.game import find_game

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
    if config.handicap:
        from gotools.game.game import find_trait  # and with it numpy
        from gotools.game.traits import SetUp

        set_up = find_trait(config.game, SetUp)
        most = set_up.most(config.size) if set_up else 0
        if not 2 <= config.handicap <= most:
            some = f"{config.size} lines have places for {most or 'no'} stones"
            raise ConfigError(f"{place}handicap: 0, or from 2 on; {some}")
    if (config.pairing == "playoff") != bool(config.pairs):
        raise ConfigError(f"{place}pairing: a playoff needs `pairs`, the others take none")
    if config.sprt is not None and len(names) > 2 and config.pairing != "gauntlet":
        raise ConfigError(f"{place}sprt: tests the first engine against one other, or against all others in a gauntlet")
    if config.gates.require and config.sprt is None:
        raise ConfigError(f"{place}gates: require = {quoted(config.gates.require)} needs a test: --sprt elo0=0,elo1=20")


def names_of_keys() -> list[str]:
    """List the keys of a file, for documents and their tests."""
    return [about.key(one.name) for one, about, _ in described(TournamentConfig) if one.name not in _GATES] + ["gates"]
