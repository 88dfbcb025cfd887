"""From the settings of a training to its parts: the task, the trainer, and what names the run in its files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn

import numpy as np

from gotools.base.errors import ConfigError, FileFormatError, GotoolsError, nearest, quoted, shown
from gotools.base.phases import UNWATCHED, Watch
from gotools.base.settings import SettingError, check_value, described, unused
from gotools.files.settings_file import SettingsFile
from gotools.game.game import Game, find_game
from gotools.game.learning import Grid, Pieces, Planes, TupleBoard
from gotools.game.table import USUAL, USUAL_KOMI
from gotools.values.games.partner_games import Partner
from gotools.values.games.selfplay import Guide, Policy
from gotools.values.methods import (
    FAMILIES,
    AnyTraining,
    ClimbingSettings,
    DifferenceSettings,
    EvolutionSettings,
    LeafSettings,
    OnePlySettings,
    PieceSettings,
    PlanesSettings,
    ShapeSettings,
)
from gotools.values.network.shape import PLANES, parse_shape
from gotools.values.network.teaching import Teacher
from gotools.values.pieces.pieces import PIECES, USUAL_NETWORK
from gotools.values.settings import TrainingSettings
from gotools.values.td.shapes import SHAPES
from gotools.values.td.tuples import TUPLES
from gotools.values.training.network_trainer import NetworkTrainer, RecordsTrainer, SelfPlayTrainer, check_torch
from gotools.values.training.piece_trainer import PieceTrainer
from gotools.values.training.referees import parse_heuristic
from gotools.values.training.trainers import Generations, TemporalDifferences, Trainer
from gotools.values.training.trainers import TrainingTask as Task
from gotools.values.weights.weights_file import Setting, Weights, load_weights

OPPONENTS: Final = ("self", "random", "heuristic", "gtp")
GTP: Final = "gtp:"
EXPERT: Final = "expert"
_OTHER_FEATURES: Final = "raw"
_NO_FILE: Final = SettingsFile({})


def settings_of(given: Mapping[str, Any], file: SettingsFile = _NO_FILE) -> TrainingSettings:
    """Return the settings of a training: those given (by name; None: not given), else those of a file, else defaults.

    The game, size, komi, features, network and method are then known: none of them is None. Raises SettingError for
    a value that is wrong by itself, GotoolsError for settings that do not fit together or mean nothing to the method,
    ConfigError, which names the line, for those of a file.
    """
    readers = {one.name: about.read for one, about, _ in described(AnyTraining)}
    given = {
        name: value if (read := readers.get(name)) is None else check_value(name, read, value)
        for name, value in given.items()
        if value is not None
    }
    values = {name: value for name, value in vars(file.settings(AnyTraining, given)).items() if value is not None}
    kind, task = _task_of(values)
    names = {one.name: about for one, about, _ in described(kind)}
    what = f"--method {task['method']} with --features {task['features']}"
    for name in values:
        if name not in names:
            raise _refused(name, f"means nothing to {what}", file, name in given)
    if kind is ShapeSettings and values.get("schedule", "coherence") != "coherence":
        values = ShapeSettings.WITHOUT_COHERENCE | values
    if kind is PlanesSettings:
        values.setdefault("self_play", 0.0 if values.get("records") else 1.0)
    if kind in (PlanesSettings, PieceSettings):
        values.setdefault("anneal", TrainingSettings(games=values.get("games"), time=values.get("time")).wanted or 0)
    try:
        settings = kind(**(values | task))
    except SettingError as error:
        raise _refused(error.name, error.what, file, error.name in given or error.name not in values) from error
    for name in given:  # even with its default
        if fault := unused(names[name], vars(settings)):
            raise _refused(name, fault, file, True)
    return settings


def _refused(name: str, what: str, file: SettingsFile, typed: bool) -> GotoolsError:
    """Return the error of a setting, with its place if it is a file's."""
    (key,) = (about.key(name) for one, about, _ in described(AnyTraining) if one.name == name)
    error = SettingError(name, what)
    if typed:
        return GotoolsError(f"{_option(key)} {error.worded(_option)}")
    return ConfigError(f"{file.place(key)}{key}: {error.worded(str)}")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _task_of(values: Mapping[str, Any]) -> tuple[type[TrainingSettings], dict[str, Any]]:
    """Return the class of the settings of a training, and what it learns by name, all of it known."""
    game = find_game(str(values.get("game") or USUAL))
    size = values.get("size") or game.sizes[0]
    for one in (size, *values.get("sizes", ())):
        if one not in game.sizes:
            raise GotoolsError(f"{game.name} has no board of size {one}")
    method = values.get("method")
    features = values.get("features") or (PLANES if method == EXPERT else SHAPES if game.has(Grid) else _OTHER_FEATURES)
    of_search = {PLANES: "conv:4x32", PIECES: USUAL_NETWORK}
    of_board = {SHAPES: Grid, TUPLES: TupleBoard, PLANES: Planes, PIECES: Pieces}
    known = [*game.learning.features, *(name for name, trait in of_board.items() if game.has(trait))]
    if features not in known and (features not in of_board or features in of_search):
        features = _mixed(game, str(features), known)
    if features in of_search and method is None:
        method = EXPERT
    if (features in of_search) != (method == EXPERT):
        raise GotoolsError(f"--method {EXPERT} is that of --features {PLANES} and {PIECES}, and of no others")
    if values.get("tuples") and features != TUPLES:
        raise GotoolsError(f"--tuples are of --features {TUPLES}")
    method = method or "td"
    own = method == EXPERT or (method == "td" and features in (SHAPES, TUPLES))
    family = features if own else method
    return FAMILIES[family], {
        "game": game.full_name,
        "size": size,
        "komi": float(values.get("komi", USUAL_KOMI if game.komi >= 0 else 0.0)),
        "features": features,
        "network": values.get("network") or of_search.get(features, "linear"),
        "method": method,
    }


def _mixed(game: Game, text: str, known: list[str]) -> str:
    """Return the name of the feature set of a text that is not in `known`. Raises GotoolsError for an unknown name."""
    try:
        return game.find_features(text).name
    except GotoolsError:
        if game.learning.mixed and "," in text:  # it says which part is wrong
            raise
        raise GotoolsError(f"{game.name} has no features {quoted(text)}{nearest(text, known)}") from None


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is to be learned, how, and the settings that the result depends on, by the names of files."""

    task: Task
    trainer: Trainer
    settings: dict[str, Setting]


def not_here(*_: object) -> NoReturn:
    """Raise GotoolsError: the caller opens neither programs nor rules."""
    raise GotoolsError("programs cannot be started here, nor rules be read")


def find_recipe(
    settings: TrainingSettings,
    open_partner: Callable[[str], Partner] = not_here,
    open_guide: Callable[[str, int, float], Guide] = not_here,
    open_teacher: Callable[[str], Teacher] = not_here,
    report: Callable[[str], None] = lambda _: None,
    watch: Watch = UNWATCHED,
    size: int | None = None,
) -> Recipe:
    """Return the parts of a training.

    settings     -- see settings_of
    open_partner -- starts a program to play against, by its command
    open_guide   -- makes a guide of rules, a width and a penalty
    open_teacher -- starts a program that analyses positions
    report       -- gets a line for each record that is left out, and for each game that is repeated
    watch        -- shows the progress of reading records; size -- of the records to learn from; None: all

    Raises GotoolsError for settings that do not fit together.
    """
    s = settings
    assert s.size is not None and s.komi is not None and s.features is not None and s.network is not None
    task = Task(find_game(s.game), s.size, s.komi, s.features, s.network, s.seed, s.tuples)
    header = s.header()
    trainer: Trainer
    if isinstance(s, PlanesSettings):
        trainer = _network_trainer(task, s, size, open_teacher, report, watch)
        header |= {"records": trainer.origin} if trainer.origin else {}
    elif isinstance(s, PieceSettings):
        trainer = PieceTrainer(task, s)
    elif isinstance(s, EvolutionSettings | ClimbingSettings):
        trainer = Generations(task, s)
    else:
        assert isinstance(s, DifferenceSettings)
        guide = None
        if isinstance(s, ShapeSettings) and s.rules is not None:
            guide = open_guide(s.rules, s.width, s.penalty)
            header["rules"] = guide.name
        trainer = _of_differences(task, s, guide, open_partner, report)
    if start := header.get("start"):
        header["start"] = _begin(trainer, task, start)
    if isinstance(trainer, NetworkTrainer):
        header["strength"] = trainer.strength
    return Recipe(task, trainer, header)


def _begin(trainer: Trainer, task: Task, path: str) -> str:
    """Let a trainer begin with what a file has learned; returns what identifies it."""
    weights = _refined(load_weights(path), task)
    found = (weights.game, weights.features, weights.network)
    wanted = (task.game.name, task.features, task.network)
    fits = weights.size == task.size or weights.features == PLANES  # these networks play on boards of all sizes
    if found != wanted or not fits:
        both = (weights.size, *found), (task.size, *wanted)
        found_text, wanted_text = (" ".join((game, f"{size}x{size}", *rest)) for size, game, *rest in both)
        raise FileFormatError(path, None, f"weights for {shown(found_text)}, not for {shown(wanted_text)}")
    assert isinstance(trainer, TemporalDifferences | NetworkTrainer | PieceTrainer)
    try:
        trainer.begin_with(weights)
    except GotoolsError as error:
        raise FileFormatError(path, None, str(error)) from error
    digest = hashlib.sha256(weights.weights.tobytes())
    if isinstance(trainer, SelfPlayTrainer):
        for name in sorted(weights.memory):  # the games that it has kept are taken, too
            digest.update(np.ascontiguousarray(weights.memory[name]).tobytes())
    return digest.hexdigest()[:12]


def _refined(weights: Weights, task: Task) -> Weights:
    """Return weights over coarser inputs as those over the task's, which value every position alike; others unchanged.

    See `FeatureSet.coarser`.
    """
    known = task.game.learning.features.get(task.features)
    if weights.game != task.game.name or weights.network != "linear" or known is None:
        return weights
    features = task.game.find_features(task.features)
    if features.counted is None or weights.features != features.coarser:
        return weights
    counted = features.counted(task.size)
    worth = np.append(weights.weights * weights.scales, 0.0)  # the last is for -1
    scales = features.scales(task.size)
    return replace(weights, features=task.features, weights=worth[counted] / scales, scales=scales)


def _of_differences(
    task: Task,
    s: DifferenceSettings,
    guide: Guide | None,
    open_partner: Callable[[str], Partner],
    report: Callable[[str], None],
) -> TemporalDifferences:
    opponents = parse_opponent(s.opponent, s.program or "")
    policy = Policy(
        epsilon=s.epsilon,
        temperature=s.temperature,
        shares=opponents.shares,
        dilution=s.dilution,
        depth=s.depth if isinstance(s, LeafSettings) else 1,
        opening=s.opening,
        other_depth=opponents.depth,
        quiescence=s.quiescence if isinstance(s, LeafSettings) else 0,
    )
    trainer = TemporalDifferences(task, s, policy, guide, opponents.heuristic)
    if opponents.program:
        if policy.plies > 1:
            raise GotoolsError("games against a GTP program are for --method td")
        if isinstance(s, OnePlySettings) and s.explore != "random":
            raise GotoolsError("--explore counter is not for games against a GTP program")
        trainer.play_against(open_partner(opponents.program), opponents.share, report)
    return trainer


def _network_trainer(
    task: Task,
    s: PlanesSettings,
    size: int | None,
    open_teacher: Callable[[str], Teacher],
    report: Callable[[str], None],
    watch: Watch,
) -> RecordsTrainer | SelfPlayTrainer:
    """Raises GotoolsError where there is nothing to learn from."""
    if not s.records and s.self_play != 1.0:
        raise GotoolsError("name the games to learn from: --records PATH")
    parse_shape(task.network)
    check_torch()
    samples = None
    if s.records:
        from gotools.values.network.samples import read_samples

        samples = read_samples(list(s.records), task.game, frozenset(() if size is None else (size,)), report, watch)
    if not s.self_play:
        assert samples is not None
        return RecordsTrainer(task, s, samples)
    teacher = None
    if s.teacher:
        teacher = open_teacher(s.teacher)
    return SelfPlayTrainer(task, s, samples, teacher)


@dataclass(frozen=True, slots=True)
class Opponents:
    """Whom one learns against.

    shares  -- of the games that are not against a program: against itself, a random player, the heuristic
    program -- the command of a GTP program, "" for none; share -- of all games that are against it
    depth   -- plies that the heuristic looks ahead; heuristic -- its name, "" for the usual one
    """

    shares: tuple[float, float, float]
    program: str = ""
    share: float = 0.0
    depth: int = 1
    heuristic: str = ""


def parse_opponent(text: str, program: str = "") -> Opponents:
    """Read "self", "random", "heuristic:NAME:3" (plies; both may be left out), "gtp:COMMAND", or "mix:self=3,random=1".

    program -- the command that "gtp" in a mixture stands for

    Raises GotoolsError for what names no opponents.
    """
    if text.startswith(GTP) and text.removeprefix(GTP).strip() and not program:
        text, program = "gtp", text.removeprefix(GTP).strip()
    name, depth = "", 1
    if found := parse_heuristic(text):
        text, name, depth = "heuristic", found[0], found[1] or 1
    weights = _weights(text)
    total, of_program = sum(weights), weights[-1]
    if bool(of_program) != bool(program):
        raise GotoolsError("--opponent mix: with gtp=N, and --program COMMAND, go together; or --opponent gtp:COMMAND")
    others = total - of_program
    if not others:
        return Opponents((1.0, 0.0, 0.0), program, 1.0)
    to_self, at_random, heuristic = (weight / others for weight in weights[:-1])
    return Opponents((to_self, at_random, heuristic), program, of_program / total, depth, name)


def _weights(text: str) -> list[float]:
    """Return how often each of OPPONENTS is played, in parts of any size."""
    weights = dict.fromkeys(OPPONENTS, 0.0)
    try:
        if text in OPPONENTS:
            weights[text] = 1.0
        elif not text.startswith("mix:"):
            raise ValueError
        else:
            for part in text.removeprefix("mix:").split(","):
                name, number = part.split("=")
                weights[name] = weights[name] + float(number)
        if not 0 < sum(weights.values()) < 1e9 or min(weights.values()) < 0:
            raise ValueError
    except (ValueError, KeyError):
        known = "self, random, heuristic, heuristic:NAME:DEPTH (1 to 8), gtp:COMMAND, mix:self=2,random=1"
        raise GotoolsError(f"{quoted(text)} is no opponent: {known}, or mix:self=2,gtp=1 with --program") from None
    return list(weights.values())
