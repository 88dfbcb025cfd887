"""`gotools train-eval`: self-play in, a value for positions out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gotools.commands import options
from gotools.commands.options import Cluster, Quiet, Seed, check_game, finite
from gotools.commands.progress import Progress
from gotools.game_names import GAME_NAMES
from gotools.learn.training.defaults import (
    CONV,
    GAMES,
    METHOD,
    NETWORK,
    REFEREE_GAMES,
    TUPLES,
    TUPLES_TD,
    default_text,
)
from gotools.library import values
from gotools.library.values import train

if TYPE_CHECKING:
    from gotools.learn.training.training import News, Training

FOR = "For engine authors and researchers who want an evaluation of positions learned from self-play."
DEFAULT = options.defaults_of(train)
EPILOG = """\b
Examples, ten thousand games of Go against itself, on two cores:
  gotools train-eval --games 10000 --jobs 2 -o out/values.npz \\
      --log out/log.tsv
  gotools play --rules out/rules.so --eval out/values.npz
"""


LEARNED = "What is learned"
PLAY = "How the games are played"
TD = "Temporal differences (--method td, tdleaf)"
EXPERTS = "Experts (--features planes)"
GUIDED = "Rules that guide the learner (--method td, --features shapes)"
EVOLUTION = "Evolution (--method evolve)"
CLIMBING = "Hill climbing (--method climb)"


def _option(
    help_text: str,
    metavar: str | None = None,
    *names: str,
    panel: str | None = None,
    setting: str = "",
    default: str = "",
    **more: Any,
) -> Any:
    """Return an option whose value is None if it is not given.

    setting -- its name in defaults.py, where the default is; default -- without one, in words
    """
    shown: Any = (default_text(setting) if setting else default) or False
    return typer.Option(*names, metavar=metavar, show_default=shown, help=help_text, rich_help_panel=panel, **more)


def _number(help_text: str, metavar: str = "X", *names: str, **more: Any) -> Any:
    return _option(help_text, metavar, *names, callback=finite, **more)


def train_eval(
    context: typer.Context,
    output: Annotated[str, _option("The weights, eval.npz.", "FILE", "-o", "--output")] = "",
    log: Annotated[str | None, _option("A row for each checkpoint, log.tsv.", "FILE")] = None,
    games: Annotated[
        int | None, _option("End after so many games.", "N", min=1, default=f"{GAMES:,} without --time")
    ] = None,
    time: Annotated[float | None, _number("End after so long.", "SECONDS", min=0.01)] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run of -o and --log.")] = False,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", "-j", min=1, max=1024, help="Threads; they never change a result but for rounding, of planes."
        ),
    ] = DEFAULT.jobs,
    cluster: Cluster = None,
    seed: Seed = DEFAULT.seed,
    checkpoint: Annotated[
        int, _option("Games between checkpoints.", "N", min=0, default="more each time, up to 100,000")
    ] = DEFAULT.checkpoint,
    referee_games: Annotated[
        int | None,
        _option("Games against each referee at a checkpoint.", "N", min=0, default=f"{REFEREE_GAMES}, planes 0"),
    ] = None,
    referee: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WHO",
            show_default=False,
            help="random, heuristic, heuristic:NAME:DEPTH, plies:DEPTH; may be repeated. Default: random, heuristic.",
        ),
    ] = None,
    keep: Annotated[
        int, _option("Keep a copy of the weights every N games, as eval-000010000.npz.", "N", min=0, default="none")
    ] = DEFAULT.keep,
    game: Annotated[str, typer.Option(metavar=GAME_NAMES, help="The game.", rich_help_panel=LEARNED)] = DEFAULT.game,
    size: Annotated[int | None, _option("Board size.", "N", min=2, max=19, panel=LEARNED, default="9 for go")] = None,
    komi: Annotated[
        float | None, _number("Komi.", "K", min=-1000, max=1000, panel=LEARNED, default="7.5 for go")
    ] = None,
    features: Annotated[
        str | None,
        _option(
            "shapes, planes, thesis8, raw for go, or chosen inputs such as thesis8,-territory,zobrist; raw, lines for "
            "other games.",
            "NAMES",
            panel=LEARNED,
            default="shapes or raw",
        ),
    ] = None,
    tuples: Annotated[
        str | None,
        _option("Of --features tuples: how many, and cells of each.", "NxL", panel=LEARNED, default=TUPLES),
    ] = None,
    network: Annotated[
        str | None,
        _option(
            "linear, mlp:4, mlp:42,10, mlp:42+bias+sigmoid; of planes conv:4x32: 4 blocks of 32 channels.",
            "SHAPE",
            panel=LEARNED,
            default=f"{NETWORK}, planes {CONV}",
        ),
    ] = None,
    method: Annotated[
        values.Method | None,
        _option(
            "Temporal differences, those of leaves, evolution, hill climbing, experts.",
            panel=LEARNED,
            default=f"{METHOD}, planes expert",
        ),
    ] = None,
    records: Annotated[
        list[str] | None,
        _option("Games to learn from (.sgf, archives, folders); may be repeated.", "PATH", panel=EXPERTS),
    ] = None,
    self_play: Annotated[
        float | None,
        _number(
            "Share of the positions that are of games against itself.",
            min=0.0,
            max=1.0,
            panel=EXPERTS,
            default="1, with --records 0",
        ),
    ] = None,
    teacher: Annotated[
        str | None,
        _option(
            "A GTP program that analyses the positions (kata-analyze, lz-analyze) in place of our search.",
            "COMMAND",
            panel=EXPERTS,
        ),
    ] = None,
    playouts: Annotated[
        int | None,
        _option("Of the searches that are learned from.", "N", min=1, max=100_000, panel=EXPERTS, setting="playouts"),
    ] = None,
    window: Annotated[
        int | None,
        _option("Latest games that are learned from.", "N", min=1, max=30_000, panel=EXPERTS, setting="window"),
    ] = None,
    reuse: Annotated[
        float | None,
        _number("Times that a position is learned from.", min=0.01, max=100.0, panel=EXPERTS, setting="reuse"),
    ] = None,
    opponent: Annotated[
        str | None,
        _option(
            "td: self, random, heuristic, heuristic:NAME:DEPTH, gtp:COMMAND, mix:self=2,random=1.",
            "WHO",
            panel=PLAY,
            setting="opponent",
        ),
    ] = None,
    program: Annotated[
        str | None, _option("td: the GTP program that gtp=1 in a mix stands for.", "COMMAND", panel=PLAY)
    ] = None,
    opening: Annotated[
        int | None,
        _option("Random moves at the start of each game.", "N", min=0, max=100, panel=PLAY, setting="opening"),
    ] = None,
    epsilon: Annotated[
        float | None,
        _number("td, climb: share of random moves.", min=0.0, max=1.0, panel=PLAY, setting="epsilon"),
    ] = None,
    explore: Annotated[
        values.Explore | None,
        _option(
            "td, networks: explored moves are random, or lead to positions unlike those seen lately.",
            panel=PLAY,
            setting="explore",
        ),
    ] = None,
    epsilon_decay: Annotated[
        float | None,
        _number("td: factor of --epsilon after each game.", min=0.0, max=1.0, panel=PLAY, setting="epsilon_decay"),
    ] = None,
    epsilon_end: Annotated[
        float | None, _number("td: least value of --epsilon.", min=0.0, max=1.0, panel=PLAY, setting="epsilon_end")
    ] = None,
    temperature: Annotated[
        float | None,
        _number("td: draw moves by exp(value / X); 0 plays the best.", min=0.0, panel=PLAY, setting="temperature"),
    ] = None,
    dilution: Annotated[
        float | None,
        _number(
            "td, evolve: share of the opponent's moves that are random.",
            min=0.0,
            max=1.0,
            panel=PLAY,
            setting="dilution",
        ),
    ] = None,
    depth: Annotated[
        int | None,
        _option("tdleaf, evolve, climb: plies of search.", "N", min=1, max=8, panel=PLAY, setting="depth"),
    ] = None,
    quiescence: Annotated[
        int | None,
        _option(
            "tdleaf: plies of captures and the like that are searched beyond --depth.",
            "N",
            min=0,
            max=8,
            panel=PLAY,
            setting="quiescence",
        ),
    ] = None,
    alpha: Annotated[
        str | None,
        _option("Learning rate, or one for each layer: 0.02,0.01.", "A[,A]", panel=TD, setting="alpha"),
    ] = None,
    lam: Annotated[
        float | None, _number("Lambda.", "X", "--lambda", min=0.0, max=1.0, panel=TD, setting="lambda")
    ] = None,
    gamma: Annotated[float | None, _number("Discount.", min=0.0, max=1.0, panel=TD, setting="gamma")] = None,
    kappa: Annotated[
        float | None, _number("Risk: -1 seeks it, 1 shuns it.", min=-1.0, max=1.0, panel=TD, setting="kappa")
    ] = None,
    kappa_end: Annotated[
        float | None,
        _number("With --kappa-games: the last value of --kappa.", min=-1.0, max=1.0, panel=TD, setting="kappa_end"),
    ] = None,
    kappa_games: Annotated[
        int | None,
        _option(
            "Games over which --kappa goes to --kappa-end, in a straight line; 0: it stays.",
            "N",
            min=0,
            panel=TD,
            setting="kappa_games",
        ),
    ] = None,
    chi: Annotated[
        values.Chi | None,
        _option("Effect of --kappa: on all differences, or less on small ones.", panel=TD, setting="chi"),
    ] = None,
    schedule: Annotated[
        values.Schedule | None,
        _option("Course of the learning rate.", panel=TD, setting="schedule"),
    ] = None,
    t0: Annotated[
        float | None,
        _number("Games after which --schedule decay halves the rates.", "N", min=1.0, panel=TD, setting="t0"),
    ] = None,
    step: Annotated[
        int | None, _option("Plies to the position learned from.", "1|2", min=1, max=2, panel=TD, setting="step")
    ] = None,
    cut: Annotated[
        bool | None,
        typer.Option("--cut", show_default=False, help="Learn nothing across random moves.", rich_help_panel=TD),
    ] = None,
    reward: Annotated[
        float | None, _number("For each prisoner of go, each marble of abalone.", panel=TD, setting="reward")
    ] = None,
    reward_at: Annotated[
        values.RewardAt | None,
        _option(
            "When --reward is paid: with the move, or all of it when the game is over.", panel=TD, setting="reward_at"
        ),
    ] = None,
    anneal: Annotated[
        int | None,
        _option(
            "Of tuples: games over which exploration falls to its end, the rate to a fifth; of planes: the rate to 0. "
            "0: neither falls.",
            "N",
            min=0,
            panel=TD,
            default=f"{TUPLES_TD['anneal']:,}, planes --games",
        ),
    ] = None,
    siblings: Annotated[
        float | None,
        _number(
            "Of tuples: share of the positions whose other moves are learned from too.",
            min=0.0,
            max=1.0,
            panel=TD,
            setting="siblings",
        ),
    ] = None,
    start: Annotated[str | None, _option("Begin with these weights, eval.npz.", "FILE", panel=TD)] = None,
    batch: Annotated[
        int | None,
        _option(
            "Games played with the same weights; of planes, positions of a step.",
            "N",
            min=1,
            max=65536,
            panel=TD,
            setting="batch",
        ),
    ] = None,
    rules: Annotated[
        str | None, _option("Look only at the best moves of these rules, rules.so.", "FILE", panel=GUIDED)
    ] = None,
    width: Annotated[
        int | None, _option("With --rules: how many moves.", "N", min=1, max=361, panel=GUIDED, setting="width")
    ] = None,
    penalty: Annotated[
        float | None,
        _number(
            "With --rules: value that a unit of score below the best costs.",
            "X",
            "--penalty",
            "--fee",
            min=0.0,
            max=1.0,
            panel=GUIDED,
            setting="penalty",
        ),
    ] = None,
    parents: Annotated[
        int | None, _option("Individuals that live on.", "N", min=2, max=200, panel=EVOLUTION, setting="parents")
    ] = None,
    matches: Annotated[
        int | None,
        _option(
            "Games of each individual; climb: of a mutant.",
            "N",
            min=1,
            max=10_000,
            panel=EVOLUTION,
            setting="matches",
        ),
    ] = None,
    spread: Annotated[
        float | None,
        _number("Bound of the first weights; climb too.", min=0.0, panel=EVOLUTION, setting="spread"),
    ] = None,
    mutation: Annotated[
        float | None, _number("How much step sizes change.", min=0.0, panel=EVOLUTION, setting="mutation")
    ] = None,
    first_step: Annotated[
        float | None, _number("First step size.", min=0.0, panel=EVOLUTION, setting="first_step")
    ] = None,
    largest_step: Annotated[
        float | None, _number("Largest step size; 0: no limit.", min=0.0, panel=EVOLUTION, setting="largest_step")
    ] = None,
    win: Annotated[float | None, _number("Points for a victory.", panel=EVOLUTION, setting="win")] = None,
    draw: Annotated[float | None, _number("Points for a draw.", panel=EVOLUTION, setting="draw")] = None,
    loss: Annotated[float | None, _number("Points for a loss.", panel=EVOLUTION, setting="loss")] = None,
    children_of: Annotated[
        values.ChildrenOf | None,
        _option("A child changes the mean of all parents, or one.", panel=EVOLUTION, setting="children_of"),
    ] = None,
    credit: Annotated[
        values.Credit | None,
        _option("A game counts for both players, or for its own one.", panel=EVOLUTION, setting="credit"),
    ] = None,
    memory: Annotated[
        float | None,
        _number(
            "Weight of earlier generations' results, from one to the next.",
            min=0.0,
            max=1.0,
            panel=EVOLUTION,
            setting="memory",
        ),
    ] = None,
    hall_of_fame: Annotated[
        int | None,
        _option(
            "Earlier champions, in a third of the games; 0: none.",
            "N",
            min=0,
            max=1000,
            panel=EVOLUTION,
            setting="hall_of_fame",
        ),
    ] = None,
    trials: Annotated[
        int | None,
        _option(
            "With --children-of one: games of parents, first and second, that choose the best.",
            "N",
            min=1,
            max=1000,
            panel=EVOLUTION,
            setting="trials",
        ),
    ] = None,
    sigma: Annotated[float | None, _number("Size of a mutation.", min=0.0, panel=CLIMBING, setting="sigma")] = None,
    rate: Annotated[
        float | None,
        _number("Part of the way to a better mutant.", min=0.0, max=1.0, panel=CLIMBING, setting="rate"),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Learn a value for positions from play.

    -o is written at every checkpoint and can be used while the training goes on; --resume goes on after anything, with
    the same result as if nothing had been. docs/train-eval.md explains the settings and shows curves.

    Streams: Ctrl-C keeps all games learned from so far.
    """
    from gotools.files.outputs import TABLE, WEIGHTS, Output, check_outputs
    from gotools.library.values import open_training

    if not output or output == "-":
        raise typer.BadParameter("name a file for the weights", param_hint="-o")
    check_game(game)
    check_outputs([Output("-o", output, WEIGHTS), Output("--log", log, TABLE)], [rules, start, *(records or ())])
    progress = Progress("beginning", quiet)
    with open_training(
        _settings(context.params),
        output=output,
        log=log,
        games=games,
        seconds=time,
        checkpoint=checkpoint,
        referee_games=referee_games,
        referee=referee,
        keep=keep,
        jobs=jobs,
        cluster=cluster,
        report=progress.say,
    ) as training:
        training.begin(resume)
        with progress:
            _train(training, progress, quiet)


_RUN = {
    *("output", "log", "games", "time", "jobs", "cluster", "resume", "checkpoint"),
    *("referee_games", "referee", "keep", "quiet"),
}
"""Options that the result does not depend on, or that only say when to stop."""


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return what makes the result, by the names that files use."""
    settings = {name: value for name, value in options.items() if name not in _RUN}
    settings["lambda"] = settings.pop("lam")
    settings["records"] = list(settings["records"] or ()) or None
    if settings["alpha"] is not None:
        try:
            settings["alpha"] = [float(part) for part in settings["alpha"].split(",")]
        except ValueError:
            raise typer.BadParameter("a number, or one for each layer: 0.02,0.01", param_hint="--alpha") from None
    return settings


def _train(training: Training, progress: Progress, quiet: bool) -> None:
    """Train, with a bar on a terminal and a line for each checkpoint."""
    from gotools.learn.training.training import LEARNING
    from gotools.learn.training.training_log import sparkline

    games = training.wanted
    progress.phase(LEARNING, games, training.games)
    if games is not None and training.games >= games and not quiet:
        progress.say(f"{training.games:,} games are done already; ask for more --games")
    done = training.games

    def show(news: News) -> None:
        nonlocal done
        if news.row is not None and not quiet:
            progress.say(training.line(news))
        error = training.error_name
        curve = sparkline(training.curve()[-24:])
        progress.note(f"{news.rate:,.0f}/s  {error} {news.figures.get(error, 0.0):.3g}  {curve}")
        progress.advance(news.games - done)
        done = news.games

    training.train(show, progress)
