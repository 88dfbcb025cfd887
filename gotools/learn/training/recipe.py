"""From the options of a training to its parts: the task, the trainer, and what names the run in its files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from gotools.errors import FileFormatError, GotoolsError, nearest, quoted, shown
from gotools.game import Game, find_game
from gotools.game_names import GAMES
from gotools.learn.games.partner_games import Partner
from gotools.learn.games.selfplay import Guide, Policy
from gotools.learn.network.search_games import SHORTER, SearchGameSettings
from gotools.learn.network.shape import PLANES, parse_shape
from gotools.learn.network.teaching import Teacher
from gotools.learn.population.climbing import ClimbingSettings
from gotools.learn.population.evolution import EvolutionSettings
from gotools.learn.td.shapes import SHAPES
from gotools.learn.td.td import Rates
from gotools.learn.td.tuples import TUPLES
from gotools.learn.training import defaults as d
from gotools.learn.training.network_trainer import NetworkTrainer, RecordsTrainer, SelfPlayTrainer, check_torch
from gotools.learn.training.referees import parse_heuristic
from gotools.learn.training.trainers import METHODS, Exploration, Generations, TemporalDifferences, Trainer
from gotools.learn.training.trainers import TrainingTask as Task
from gotools.learn.weights.weights_file import Setting, Weights, load_weights
from gotools.phases import UNWATCHED, Watch

OPPONENTS: Final = ("self", "random", "heuristic", "gtp")
GTP: Final = "gtp:"
EXPERT: Final = "expert"
_OTHER_FEATURES: Final = "raw"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is to be learned, how, and the settings that the result depends on."""

    task: Task
    trainer: Trainer
    settings: dict[str, Setting]


def find_recipe(
    options: dict[str, Any],
    open_partner: Callable[[str], Partner] | None = None,
    open_guide: Callable[[str, int, float], Guide] | None = None,
    open_teacher: Callable[[str], Teacher] | None = None,
    report: Callable[[str], None] = lambda _: None,
    watch: Watch = UNWATCHED,
) -> Recipe:
    """Return the parts of a training; options that are None or missing get the default of their method and features.

    open_partner -- starts a program to play against, by its command; without it there can be none
    open_guide   -- makes a guide of rules, a width and a penalty; without it there can be none
    open_teacher -- starts a program that analyses positions; without it there can be none
    report       -- gets a line for each record that is left out, and for each game that is repeated
    watch        -- shows the progress of reading records

    Raises GotoolsError for settings that are wrong, do not fit together, or mean nothing to the method.
    """
    game = find_game(str(options.get("game") or next(iter(GAMES))))
    method = str(options.get("method") or d.METHOD)
    if method not in METHODS:
        raise GotoolsError(f"there is no method {quoted(method)}{nearest(method, list(METHODS))}")
    task = _task(game, options)
    if task.features == PLANES and not options.get("method"):
        method = EXPERT
    if (task.features == PLANES) != (method == EXPERT):
        raise GotoolsError(f"--method {EXPERT} and --features {PLANES} go together")
    known = _defaults(method, task)
    if method == EXPERT:
        known = _of_experts(known, options)
    given = {name: value for name, value in options.items() if value is not None and name not in _OF_TASK}
    for name in given:
        if name not in known:
            what = f"--method {method} with --features {task.features}"
            raise GotoolsError(f"--{name.replace('_', '-')} means nothing to {what}")
    if known is d.SHAPES_TD and given.get("schedule", "coherence") != "coherence":
        known = known | d.SHAPES_WITHOUT_COHERENCE
    if "t0" in given and given.get("schedule") != "decay":
        raise GotoolsError("--t0 is of --schedule decay")
    if "kappa_end" in given and not given.get("kappa_games"):
        raise GotoolsError("--kappa-end goes with --kappa-games, the number of games to reach it")
    chosen = known | given
    guide = _guide(given, chosen, open_guide)
    trainer: Trainer
    settings: dict[str, Setting] = {
        "game": game.full_name,
        "size": task.size,
        "komi": task.komi,
        "features": task.features,
        "network": task.network,
        "method": method,
        "seed": task.seed,
        "tuples": task.tuples,
        **chosen,
    }
    if method == EXPERT:
        sizes = frozenset({task.size} if options.get("size") else ())
        trainer = _network_trainer(task, chosen, sizes, open_teacher, report, watch)
    else:
        trainer = _trainer(method, task, chosen, open_partner, guide, report)
    if isinstance(trainer, NetworkTrainer):
        settings["records"] = trainer.origin
    for name in ("program", "rules", "start", "tuples", "records", "teacher"):
        if not settings.get(name):
            settings.pop(name, None)
    _leave_out_unused(settings)
    if guide is None:
        settings = {name: value for name, value in settings.items() if name not in d.GUIDE}
    else:
        settings["rules"] = guide.name
    if chosen.get("start"):
        settings["start"] = _begin(trainer, task, str(chosen["start"]))
    if isinstance(trainer, NetworkTrainer):
        settings["strength"] = trainer.strength
    return Recipe(task, trainer, settings)


def _leave_out_unused(settings: dict[str, Setting]) -> None:
    """Remove settings that came later and change nothing: files are then those of the versions before them."""
    for name in ("chi", "explore", "reward_at", "quiescence"):
        if settings.get(name) == {**d.RISK, **d.EXPLORE, **d.TDLEAF}[name]:
            del settings[name]
    if not settings.get("kappa_games"):
        settings.pop("kappa_games", None)
        settings.pop("kappa_end", None)


def _guide(
    given: dict[str, Any], chosen: dict[str, Any], open_guide: Callable[[str, int, float], Guide] | None
) -> Guide | None:
    if not chosen.get("rules"):
        if "width" in given or "penalty" in given:
            raise GotoolsError("--width and --penalty go with --rules; name some")
        return None
    if open_guide is None:
        raise GotoolsError("rules cannot be read here")
    return open_guide(chosen["rules"], chosen["width"], chosen["penalty"])


def _begin(trainer: Trainer, task: Task, path: str) -> str:
    """Let a trainer begin with what a file has learned; returns what identifies it."""
    weights = _refined(load_weights(path), task)
    found = (weights.game, weights.size, weights.features, weights.network)
    wanted = (task.game.name, task.size, task.features, task.network)
    if found != wanted:
        found_text, wanted_text = (" ".join((game, f"{size}x{size}", *rest)) for game, size, *rest in (found, wanted))
        raise FileFormatError(path, None, f"weights for {shown(found_text)}, not for {shown(wanted_text)}")
    assert isinstance(trainer, TemporalDifferences | NetworkTrainer)
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
    known = task.game.features.get(task.features)
    if weights.game != task.game.name or weights.network != "linear" or known is None:
        return weights
    features = task.game.find_features(task.features)
    if features.counted is None or weights.features != features.coarser:
        return weights
    counted = features.counted(task.size)
    worth = np.append(weights.weights * weights.scales, 0.0)  # the last is for -1
    scales = features.scales(task.size)
    return replace(weights, features=task.features, weights=worth[counted] / scales, scales=scales)


_OF_TASK: Final = ("game", "size", "komi", "features", "network", "method", "seed", "tuples")


def _task(game: Game, options: dict[str, Any]) -> Task:
    size = int(options.get("size") or game.sizes[0])
    if size not in game.sizes:
        raise GotoolsError(f"{game.name} has no board of size {size}")
    komi = options.get("komi")
    if komi is None:
        komi = d.KOMI if game.komi >= 0 else 0.0
    features = options.get("features") or (SHAPES if game.grid else _OTHER_FEATURES)
    of_board = {SHAPES: game.grid, TUPLES: game.tuples, PLANES: game.planes}
    known = [*game.features, *(name for name, place in of_board.items() if place)]
    if features not in known and (features not in of_board or features == PLANES):
        features = _mixed(game, str(features), known)
    network = str(options.get("network") or (d.CONV if features == PLANES else d.NETWORK))
    tuples = options.get("tuples") or (d.TUPLES if features == TUPLES else "")
    if tuples and features != TUPLES:
        raise GotoolsError(f"--tuples are of --features {TUPLES}")
    return Task(game, size, float(komi), features, network, int(options["seed"]), str(tuples))


def _mixed(game: Game, text: str, known: list[str]) -> str:
    """Return the name of the feature set of a text that is not in `known`. Raises GotoolsError where there is none."""
    try:
        return game.find_features(text).name
    except GotoolsError:
        if game.mixed and "," in text:  # it says which part is wrong
            raise
        raise GotoolsError(f"{game.name} has no features {quoted(text)}{nearest(text, known)}") from None


def _defaults(method: str, task: Task) -> dict[str, Setting]:
    if method == "evolve":
        return d.EVOLVE
    if method == "climb":
        return d.CLIMB
    if method == EXPERT:
        return {**d.EXPERTS, **d.SELF_PLAY}
    of_features = {SHAPES: d.SHAPES_TD, TUPLES: d.TUPLES_TD}
    if task.features in of_features:
        known = of_features[task.features]
        return {**known, **d.TDLEAF} if method == "tdleaf" else known
    return {**d.TD, **d.RISK, **(d.TDLEAF if method == "tdleaf" else d.EXPLORE)}


def _trainer(
    method: str,
    task: Task,
    s: dict[str, Any],
    open_partner: Callable[[str], Partner] | None,
    guide: Guide | None,
    report: Callable[[str], None],
) -> Trainer:
    if method == "evolve":
        return Generations(task, EvolutionSettings(
            parents=s["parents"], opponents=s["matches"], a=s["mutation"], win=s["win"], draw=s["draw"], loss=s["loss"],
            depth=s["depth"], spread=s["spread"], step=s["first_step"], largest_step=s["largest_step"],
            opening=s["opening"], dilution=s["dilution"], children_of=s["children_of"], credit=s["credit"],
            memory=s["memory"], hall_of_fame=s["hall_of_fame"], trials=s["trials"],
        ))  # fmt: skip
    if method == "climb":
        return Generations(task, ClimbingSettings(
            sigma=s["sigma"], matches=s["matches"], rate=s["rate"], epsilon=s["epsilon"], depth=s["depth"],
            spread=s["spread"], opening=s["opening"],
        ))  # fmt: skip
    rates = Rates(
        alpha=tuple(s["alpha"]), gamma=s.get("gamma", 1.0), lam=s["lambda"], kappa=s.get("kappa", 0.0),
        schedule=s["schedule"], step=s.get("step", 1), reward=s.get("reward", 0.0), cut=s.get("cut", False), t0=s["t0"],
        kappa_end=s.get("kappa_end", 0.0), kappa_games=s.get("kappa_games", 0), chi=s.get("chi", "linear"),
        reward_at=s.get("reward_at", "move"),
    )  # fmt: skip
    opponents = parse_opponent(s["opponent"], s["program"])
    policy = Policy(
        epsilon=s["epsilon"], temperature=s["temperature"], shares=opponents.shares,
        dilution=s["dilution"], depth=s.get("depth", 1), opening=s["opening"], other_depth=opponents.depth,
        quiescence=s.get("quiescence", 0),
    )  # fmt: skip
    anneal = s.get("anneal", 0)
    exploration = Exploration(
        s["epsilon"], s.get("epsilon_decay", 1.0), s["epsilon_end"], anneal, s.get("explore", "random")
    )
    trainer = TemporalDifferences(
        task, policy, exploration, rates, s["batch"], guide, s.get("siblings", 0.0), anneal, opponents.heuristic
    )
    if opponents.program:
        partner = _partner(opponents.program, policy.plies, exploration, open_partner)
        trainer.play_against(partner, opponents.share, report)
    return trainer


def _of_experts(known: dict[str, Setting], options: dict[str, Any]) -> dict[str, Setting]:
    """Return the settings that remain of those of experts: records alone have no self-play."""
    share = options.get("self_play")
    if share is None and options.get("records"):
        share = 0.0
    if share != 0.0:
        return known
    return {name: value for name, value in known.items() if name not in d.SELF_PLAY} | {"self_play": 0.0}


def _network_trainer(
    task: Task,
    s: dict[str, Any],
    sizes: frozenset[int],
    open_teacher: Callable[[str], Teacher] | None,
    report: Callable[[str], None],
    watch: Watch,
) -> RecordsTrainer | SelfPlayTrainer:
    """Raises GotoolsError where there is nothing to learn from."""
    share = float(s["self_play"])
    if not s["records"] and share < 1.0:
        raise GotoolsError("name the games to learn from: --records PATH")
    if len(s["alpha"]) != 1:
        raise GotoolsError("a network over planes has one learning rate: --alpha 0.004")
    if s["records"] and task.game.name != "go":
        raise GotoolsError("--records are of go; networks of other games learn from games against themselves")
    parse_shape(task.network)
    check_torch()
    samples = None
    if s["records"]:
        from gotools.learn.network.samples import read_samples

        samples = read_samples(s["records"], sizes, report, watch)
    alpha = float(s["alpha"][0])
    if share == 0.0:
        assert samples is not None
        return RecordsTrainer(task, samples, alpha, s["batch"], s["anneal"])
    playouts = int(s["playouts"])
    short = SearchGameSettings().short if s["teacher"] else max(1, playouts // SHORTER)
    settings = SearchGameSettings(playouts, short, window=s["window"])
    teacher = None
    if s["teacher"]:
        if open_teacher is None or task.game.name != "go":
            raise GotoolsError("a teacher cannot be started here" if open_teacher is None else "--teacher is for go")
        teacher = open_teacher(s["teacher"])
    return SelfPlayTrainer(task, settings, alpha, s["batch"], s["anneal"], float(s["reuse"]), share, samples, teacher)


def _partner(
    command: str, depth: int, exploration: Exploration, open_partner: Callable[[str], Partner] | None
) -> Partner:
    if depth > 1:
        raise GotoolsError("games against a GTP program are for --method td")
    if exploration.by != "random":
        raise GotoolsError("--explore counter is not for games against a GTP program")
    if open_partner is None:
        raise GotoolsError("a GTP program cannot be started here")
    return open_partner(command)


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
