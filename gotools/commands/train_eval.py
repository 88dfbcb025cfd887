"""`gotools train-eval`: self-play in, a value for positions out."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gotools.commands import Quiet, Seed, finite
from gotools.commands.progress import Progress
from gotools.errors import GotoolsError

if TYPE_CHECKING:
    from gotools.learn.partner_games import Partner
    from gotools.learn.training import News, Training

EPILOG = """\b
Example, ten thousand games of Go against itself, on two cores:
  gotools train-eval --games 10000 --jobs 2 -o eval.npz --log log.tsv
  gotools gtp --rules rules.so --eval eval.npz
"""
GAMES = 10_000


class GameName(StrEnum):
    """Games with inputs to learn from."""

    go = "go"
    connect4 = "connect4"
    tictactoe = "tictactoe"


class Method(StrEnum):
    """Ways to learn."""

    td = "td"
    tdleaf = "tdleaf"
    evolve = "evolve"
    climb = "climb"


class Schedule(StrEnum):
    """Courses of the learning rate."""

    fixed = "fixed"
    decay = "decay"
    coherence = "coherence"


def _option(help_text: str, metavar: str | None = None, *names: str, **more: Any) -> Any:
    """Return an option whose default depends on others and stands in its help."""
    return typer.Option(*names, metavar=metavar, show_default=False, help=help_text, **more)


def _number(help_text: str, metavar: str = "X", *names: str, **more: Any) -> Any:
    return _option(help_text, metavar, *names, callback=finite, **more)


def train_eval(
    context: typer.Context,
    output: Annotated[str, _option("The weights, eval.npz.", "FILE", "-o", "--output")] = "",
    log: Annotated[str | None, _option("A row for each checkpoint, log.tsv.", "FILE")] = None,
    game: Annotated[GameName, typer.Option(help="The game.")] = GameName.go,
    size: Annotated[int | None, _option("Board size; Go 9.", "N", min=2, max=19)] = None,
    komi: Annotated[float | None, _number("Komi; Go 7.5.", "K", min=-1000, max=1000)] = None,
    features: Annotated[
        str | None, _option("shapes (Go's default), thesis8, raw (other games' default), lines.", "NAME")
    ] = None,
    network: Annotated[str | None, _option("linear (default), mlp:4, mlp:42,10, mlp:42+bias.", "SHAPE")] = None,
    method: Annotated[
        Method, typer.Option(help="Temporal differences, of leaves, evolution, hill climbing.")
    ] = Method.td,
    games: Annotated[int | None, _option(f"End after so many games; {GAMES:,} without --time.", "N", min=1)] = None,
    time: Annotated[float | None, _number("End after so long.", "SECONDS", min=0.01)] = None,
    seed: Seed = 0,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, max=1024, help="Threads; they never change a result.")
    ] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run of -o and --log.")] = False,
    checkpoint: Annotated[
        int, _option("Games between checkpoints; if not given, more each time, up to 100,000.", "N", min=0)
    ] = 0,
    referee_games: Annotated[
        int, typer.Option(metavar="N", min=0, help="Games against each referee at a checkpoint.")
    ] = 100,
    alpha: Annotated[
        str | None, _option("td: learning rate, or one for each layer: 0.02,0.01 (0.02; shapes 1).", "A[,A]")
    ] = None,
    lam: Annotated[float | None, _number("td: lambda; 0.7, shapes 0.5.", "X", "--lambda", min=0.0, max=1.0)] = None,
    gamma: Annotated[float | None, _number("td: discount; 1.", min=0.0, max=1.0)] = None,
    kappa: Annotated[float | None, _number("td: risk; -1 seeks it, 1 shuns it; 0.", min=-1.0, max=1.0)] = None,
    schedule: Annotated[Schedule | None, _option("td: fixed (default), decay, coherence (shapes).")] = None,
    t0: Annotated[float | None, _number("td: games after which decay halves the rates; 10,000.", "N", min=1.0)] = None,
    step: Annotated[int | None, _option("td: plies to the position learned from; 2.", "1|2", min=1, max=2)] = None,
    cut: Annotated[
        bool | None, typer.Option("--cut", show_default=False, help="td: learn nothing across random moves.")
    ] = None,
    reward: Annotated[float | None, _number("td: for each prisoner of Go; 0.")] = None,
    epsilon: Annotated[
        float | None, _number("td, climb: share of random moves; 0.1, climb 0.05.", min=0.0, max=1.0)
    ] = None,
    epsilon_decay: Annotated[float | None, _number("td: its factor for each game; 1.", min=0.0, max=1.0)] = None,
    epsilon_end: Annotated[float | None, _number("td: its least; 0.", min=0.0, max=1.0)] = None,
    temperature: Annotated[
        float | None, _number("td: draw moves by exp(value / X); 0 plays the best.", min=0.0)
    ] = None,
    opponent: Annotated[
        str | None, _option("td: self (default), random, heuristic, gtp:COMMAND, mix:self=2,random=1.", "WHO")
    ] = None,
    program: Annotated[str | None, _option("td: the GTP program that gtp=1 in a mix stands for.", "COMMAND")] = None,
    dilution: Annotated[
        float | None, _number("Share of the opponent's moves that are random; 0.", min=0.0, max=1.0)
    ] = None,
    opening: Annotated[int | None, _option("Random moves at the start of each game; 0.", "N", min=0, max=100)] = None,
    rules: Annotated[
        str | None, _option("td with shapes: look only at the best moves of these rules, rules.so.", "FILE")
    ] = None,
    width: Annotated[int | None, _option("With --rules: how many moves; 6.", "N", min=1, max=361)] = None,
    fee: Annotated[
        float | None,
        _number("With --rules: value that a unit of score below the best costs; 0.05.", min=0.0, max=1.0),
    ] = None,
    start: Annotated[str | None, _option("td: begin with these weights, eval.npz.", "FILE")] = None,
    batch: Annotated[
        int | None, _option("td: games played with the same weights; 16, shapes 64.", "N", min=1, max=65536)
    ] = None,
    depth: Annotated[int | None, _option("Plies of search; tdleaf and evolve 2, climb 1.", "N", min=1, max=8)] = None,
    parents: Annotated[int | None, _option("evolve: individuals that live on; 15.", "N", min=2, max=200)] = None,
    matches: Annotated[
        int | None, _option("evolve: games of each, 15; climb: of a mutant, 4.", "N", min=1, max=10_000)
    ] = None,
    mutation: Annotated[float | None, _number("evolve: how much step sizes change; 0.2.", min=0.0)] = None,
    win: Annotated[float | None, _number("evolve: points for a victory; 1.")] = None,
    draw: Annotated[float | None, _number("evolve: points for a draw; 0.")] = None,
    loss: Annotated[float | None, _number("evolve: points for a loss; -2.")] = None,
    spread: Annotated[float | None, _number("evolve, climb: first weights are within it.", min=0.0)] = None,
    first_step: Annotated[float | None, _number("evolve: first step size.", min=0.0)] = None,
    largest_step: Annotated[float | None, _number("evolve: largest step size; 0: no limit.", min=0.0)] = None,
    trials: Annotated[
        int | None,
        _option("evolve: games of parents, first and second, that choose the best; 3.", "N", min=1, max=1000),
    ] = None,
    sigma: Annotated[float | None, _number("climb: size of a mutation; 0.1.", min=0.0)] = None,
    rate: Annotated[float | None, _number("climb: part of the way to a better mutant; 0.05.", min=0.0, max=1.0)] = None,
    quiet: Quiet = False,
) -> None:
    """Learn a value for positions from play.

    -o is written at every checkpoint and can be used while the training goes on; --resume goes on after anything, with
    the same result as if nothing had been. docs/train-eval.md explains the settings and shows curves.

    Streams: Ctrl-C keeps all games learned from so far.
    """
    from gotools import compiling
    from gotools.commands.recipes import ready
    from gotools.engine.knowledge import rules_guide
    from gotools.learn.recipe import find_recipe
    from gotools.learn.training import Run, Training
    from gotools.tournament.partner import gtp_partner

    compiling.quiet = quiet
    if not output or output == "-":
        raise typer.BadParameter("name a file for the weights", param_hint="-o")
    if games is None and time is None:
        games = GAMES
    with ExitStack() as programs:

        def open_partner(command: str) -> Partner:
            if game is not GameName.go:
                raise GotoolsError(f"a GTP program plays go, not {game.value}")
            return programs.enter_context(gtp_partner(command))

        recipe = find_recipe(_settings(context.params), open_partner, rules_guide)
        run = Run(output, log, games, time, checkpoint, referee_games, jobs, recipe.settings)
        training = Training(recipe.task, recipe.trainer, run)
        training.begin(resume)
        if recipe.settings["features"] == "shapes":  # what others need is compiled on the way
            ready("train-eval", quiet)
        _train(training, games, quiet)


_RUN = {"output", "log", "games", "time", "jobs", "resume", "checkpoint", "referee_games", "quiet"}
"""Options that the result does not depend on, or that only say when to stop."""


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return what makes the result, by the names that files use."""
    settings = {name: value for name, value in options.items() if name not in _RUN}
    settings["lambda"] = settings.pop("lam")
    if settings["alpha"] is not None:
        try:
            settings["alpha"] = [float(part) for part in settings["alpha"].split(",")]
        except ValueError:
            raise typer.BadParameter("a number, or one for each layer: 0.02,0.01", param_hint="--alpha") from None
    return {name: value.value if isinstance(value, StrEnum) else value for name, value in settings.items()}


def _train(training: Training, games: int | None, quiet: bool) -> None:
    """Train, with a bar on a terminal and a line for each checkpoint."""
    from gotools.learn.training_log import sparkline

    with Progress("games", quiet, games) as progress:
        if games is not None and training.games >= games and not quiet:
            progress.say(f"{training.games:,} games are done already; ask for more --games")
        progress.advance(training.games)
        done = training.games

        def tell(news: News) -> None:
            nonlocal done
            if news.row is not None and not quiet:
                progress.say(training.line(news))
            error = training.error_name
            curve = sparkline(training.curve()[-24:])
            progress.tell(f"{news.rate:,.0f}/s  {error} {news.figures.get(error, 0.0):.3g}  {curve}")
            progress.advance(news.games - done)
            done = news.games

        training.train(tell)
