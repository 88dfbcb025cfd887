"""`gotools tournament`: engines against engines, to a journal, game records and a verdict."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from gotools.base.errors import ConfigError
from gotools.base.screen_text import harmless, no_commands
from gotools.commands.options import Cluster, GameName, Quiet, check_one_crew, option
from gotools.commands.settings_options import takes_settings
from gotools.commands.usage import Command, Group
from gotools.files.opening import open_if_named
from gotools.game.table import USUAL
from gotools.library.matches import run_tournament
from gotools.matches.config import TournamentConfig

if TYPE_CHECKING:
    from gotools.matches.report.report import TournamentReport

FOR = "For engine authors who ask whether a change makes their engine stronger."
EPILOG = """\b
Example, the rules of `make demo` against a player without knowledge:
  gotools tournament --engine rules=gotools:rules=out/rules.so,nodes=100 \\
      --engine plain=gotools:eval=none,nodes=100 --size 9 --games 20 \\
      --jobs 2 -o out/match
  gotools tournament status out/match
"""
CHECK_EPILOG = """\b
Example:
  gotools tournament check 'gotools gtp --nodes 100'
"""
STATUS_EPILOG = """\b
Example:
  gotools tournament --engine a=gotools:nodes=50 --engine b=gotools:nodes=20 \\
      --games 4 -o out/run
  gotools tournament status out/run --json
"""
MERGE_EPILOG = """\b
Example, on two machines and then on one that has both folders:
  gotools tournament --engine a=gotools:nodes=50 --engine b=gotools:nodes=20 \\
      --games 4 --shard 1/2 -o out/shard-1
  gotools tournament --engine a=gotools:nodes=50 --engine b=gotools:nodes=20 \\
      --games 4 --shard 2/2 -o out/shard-2
  gotools tournament merge out/shard-1 out/shard-2 -o out/merged
"""

Run = Annotated[str | None, option("Folder of the run; one that is there is taken up again.", "RUN", "-o", "--output")]
GithubSummary = Annotated[
    bool, option("Write the verdict to $GITHUB_STEP_SUMMARY, errors as ::error lines.", None, "--github-summary")
]

app = typer.Typer(cls=Group, invoke_without_command=True, epilog=EPILOG, rich_markup_mode=None, add_completion=False)


@app.callback()
@takes_settings(TournamentConfig, without=("pairs", "comments"))
def tournament(
    context: typer.Context,
    *,
    config: Annotated[str | None, option("Settings in TOML; options override them.", "FILE", reads="config")] = None,
    output: Run = None,
    given: dict[str, Any],
    cluster: Cluster = None,
    shard: Annotated[str, option("Play the I-th of N parts of the schedule.", "I/N")] = "1/1",
    junit: Annotated[str | None, option("The verdict as JUnit XML.", "FILE")] = None,
    summary: Annotated[str | None, option("The verdict as JSON.", "FILE")] = None,
    github_summary: GithubSummary = False,
    dry_run: Annotated[bool, option("Print the schedule, play nothing.", None, "--dry-run")] = False,
    quiet: Quiet = False,
) -> None:
    """Play GTP engines against each other.

    RUN/results.jsonl gets a line a game, RUN/games an SGF. The same command goes on with a run that was stopped,
    whatever stopped it. Each opening is played twice, colours exchanged. Any file of --config may hold these settings;
    docs/tournament.md lists them all.

    Exit codes: 0 done, and every gate passed; 1 a gate failed; 2 wrong settings, or an engine that does not start;
    3 undecided: games are missing, or the verdict that a gate asks for; 4 a failure of gotools or the disk; 130
    interrupted, can go on.

    Streams: each game is on the disk when it is over. Ctrl-C ends at once, SIGTERM after the games in progress.
    """
    if context.invoked_subcommand is not None:
        return
    from gotools.matches.config import load_config
    from gotools.matches.schedule import parse_shard
    from gotools.matches.tournament import plan_lines

    check_one_crew(given.get("jobs"), cluster, None)
    if dry_run:
        for line in plan_lines(load_config(config, given), parse_shard(shard), _say_plain):
            print(line)
        return
    if output is None:
        raise typer.BadParameter("name a folder for the run", param_hint="-o")
    report = run_tournament(
        {},
        output,
        given=given,
        config=config,
        shard=shard,
        cluster=cluster,
        quiet=quiet,
        report=_say_plain,
        junit=junit,
        summary=summary,
        github_summary=github_summary,
    )
    if not quiet:
        _say(_text(report, sys.stderr))
    elif report.exit_code:
        for line in report.why:
            _say_plain(f"gotools tournament: {line}")
    if report.exit_code:
        raise typer.Exit(report.exit_code)


def _say(line: str) -> None:
    with suppress(OSError, ValueError):
        if sys.stderr is not None:
            print(no_commands(line), file=sys.stderr, flush=True)


def _say_plain(line: str) -> None:
    """Print a line that may hold what strangers wrote."""
    _say(harmless(line))


def _text(report: TournamentReport, stream: TextIO | None) -> str:
    from gotools.base.screen_text import screen_text
    from gotools.matches.report.table import report_tables

    return screen_text(report_tables(report), stream)


@app.command(
    "check",
    cls=Command,
    short_help="Try whether an engine can play tournaments.",
    epilog=CHECK_EPILOG,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
def check(
    command: Annotated[
        list[str], typer.Argument(metavar="COMMAND", show_default=False, help="The engine; own options come before it.")
    ],
    game: GameName = USUAL,
    size: Annotated[
        int | None,
        typer.Option(min=2, max=19, show_default=False, help="Board size; of Go 9, else the usual one."),
    ] = None,
    timeout: Annotated[float, typer.Option(min=0.1, max=3600, metavar="S", help="Seconds for an answer.")] = 60.0,
    quiet: Quiet = False,
) -> None:
    """For engine authors who want to know before a match what would lose it.

    Try whether an engine does all that a tournament needs, and say where it fails.

    Streams: each finding is printed as it is made. Exit code 1 where the engine fails.
    """
    import shlex
    import shutil

    from gotools.matches.check.engine import check_engine, counts_text, finding_text
    from gotools.matches.game.engine_spec import engine_of_text

    columns = shutil.get_terminal_size().columns
    spec = engine_of_text(command[0] if len(command) == 1 else shlex.join(command))
    findings = check_engine(
        replace(spec, game=game).words,
        size=size,
        game=game,
        timeout=timeout,
        say=lambda finding: print(no_commands(finding_text(finding, columns)), flush=True),
        progress=(lambda _: None) if quiet else _say_plain,
    )
    print(f"\n{counts_text(findings)}")
    if any(finding.passed is False for finding in findings):
        raise typer.Exit(1)


@app.command("status", cls=Command, short_help="Show how a tournament stands.", epilog=STATUS_EPILOG)
def status(
    run: Annotated[str, typer.Argument(metavar="RUN", show_default=False, help="Folder of a run.")],
    as_json: Annotated[bool, typer.Option("--json", help="The same as --summary writes.")] = False,
    results: Annotated[str | None, option("The games as a table, one a row: .tsv, .csv, .parquet.", "FILE")] = None,
) -> None:
    """For those who wait for a tournament, and for scripts that watch it.

    Show how a tournament stands; it may be running.

    Reads all of the journal.
    """
    from gotools.files.outputs import TABLE, Output, check_outputs
    from gotools.matches.report.summary import summary_json
    from gotools.matches.tournament import report_of_folder, table_of_folder

    check_outputs([Output("--results", results, TABLE)], [os.path.join(run, "results.jsonl")])
    report = report_of_folder(run, _say_plain)
    with open_if_named(results) as out:
        if out is not None:
            out.write(table_of_folder(run))
    if as_json:
        sys.stdout.buffer.write(summary_json(report))
    else:
        print(no_commands(_text(report, sys.stdout)))


@app.command("merge", cls=Command, short_help="Put the shards of a tournament together.", epilog=MERGE_EPILOG)
def merge(
    runs: Annotated[list[str], typer.Argument(metavar="RUN", show_default=False, help="Folders of runs.")],
    output: Annotated[str | None, option("Folder of the whole run.", "RUN", "-o", "--output")] = None,
) -> None:
    """For those who played the parts of a tournament on several machines.

    Put the shards of a tournament together.

    Reads all journals. The command that made the shards, without --shard and with -o RUN, plays what is missing.
    """
    from gotools.matches.journal import merge_journals

    if output is None:
        raise ConfigError("name the folder of the whole run with -o")
    _say(f"{merge_journals(runs, output, _say_plain)} games in {output}")
