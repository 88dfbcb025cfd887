"""Checks of an engine's protocol: how it starts, answers, and ends. Each takes a Trial and returns an Outcome.

A check raises Unmet if the engine fails, Untried if it cannot be made; the names are in `engine.CHECKS`.
"""

from __future__ import annotations

from typing import Final

from gotools.base.clock import TimeControl, TimeLeft
from gotools.gtp_client.answers import AFTER, BAD_TEXT, NO_ID, OUTSIDE, OVERTAKEN, STALE, STRANGE_ID
from gotools.gtp_client.client import NO_QUIT, QUIT_GRACE
from gotools.matches.check.trial import END_OF_INPUT_GRACE, Outcome, Trial, Unmet
from gotools.matches.game.time_control import clock_commands, time_left_command

NEEDED: Final = ("protocol_version", "boardsize", "clear_board", "komi", "play", "genmove", "quit")
UNKNOWN_COMMAND: Final = "gotools-unknown-command"
MOST_COMMANDS: Final = 300
"""Listed commands that are checked by known_command."""
TOO_LARGE: Final = 1000
A_SECOND: Final = TimeControl("canadian", 0.0, 1.0, 1)
MARGIN: Final = 0.2
"""Seconds above one that a move may take, for communication on a busy machine."""
TIMED_MOVES: Final = 4
MUCH: Final = 1 << 20
"""Bytes of stderr that are too many for a log of these few moves."""


def protocol_version(trial: Trial) -> Outcome:
    """Ask for the version of the protocol."""
    version = trial.ask("protocol_version").strip()
    if version == "2":
        return True, "2"
    if version == "2.0":
        return None, 'says "2.0", where the standard has "2"; accepted here, other programs may refuse it'
    raise Unmet(f"says {version[:40]!r}; only version 2 is supported")


def identity(trial: Trial) -> Outcome:
    """Ask for name and version, which go into the records of games."""
    words = [trial.ask(command).strip() for command in ("name", "version")]
    if not words[0]:
        return None, "gives no name"
    return True, " ".join(word[:60] for word in words)


def commands(trial: Trial) -> Outcome:
    """Check whether list_commands and known_command agree, and name the commands that a game needs."""
    for command in ("list_commands", f"known_command {UNKNOWN_COMMAND}"):
        if why := trial.refusal(command):
            raise Unmet(f"refuses `{command}` ({why}), so its commands cannot be found out")
    listed = list(dict.fromkeys(trial.ask("list_commands").split()))
    needed = [command for command in NEEDED if command != "komi" or trial.scoring]
    if missing := [command for command in needed if command not in listed]:
        raise Unmet(f"list_commands does not name {', '.join(missing)}")
    if trial.ask(f"known_command {UNKNOWN_COMMAND}").strip().lower() != "false":
        raise Unmet(f"known_command says that it knows `{UNKNOWN_COMMAND}`")
    for command in listed[:MOST_COMMANDS]:
        if trial.ask(f"known_command {command}").strip().lower() != "true":
            raise Unmet(f"list_commands names `{command}`, and known_command does not know it")
    return True, f"list_commands and known_command agree on {len(listed[:MOST_COMMANDS])} commands"


def unknown_command(trial: Trial) -> Outcome:
    """Send a command that no engine knows."""
    if trial.refusal(UNKNOWN_COMMAND) is None:
        raise Unmet(f"answers `{UNKNOWN_COMMAND}` as if it knew it; the answer should begin with `?`")
    trial.ask("protocol_version")
    return True, "refuses a command it does not know, and goes on"


def comments(trial: Trial) -> Outcome:
    """Send comments, empty lines, and lines that end in CR LF."""
    with trial.raw() as talk:
        for number, text, what in (
            (1, b"1 protocol_version\n", "a plain command"),
            (2, b"\n  \n\t\n2 protocol_version\n", "a command after empty lines"),
            (3, b"# a comment\n3 protocol_version\n", "a command after a comment"),
            (4, b"4 protocol_version # a comment\n", "a command followed by a comment"),
            (5, b"5 protocol_version\r\n", "a command that ends in CR LF"),
        ):
            answer = talk.ask(number, text)
            if answer is None:
                raise Unmet(f"gives no answer to {what}")
            if answer.refused:
                raise Unmet(f"refuses {what}: {answer.text[:80]}")
            if _among(talk.notes.texts(), (OVERTAKEN,)):
                raise Unmet(f"gives a separate answer to the text before {what}")
    return True, "skips comments and empty lines, and accepts CR LF as line end"


def board_size(trial: Trial) -> Outcome:
    """Ask for the board of the games."""
    trial.ask(f"boardsize {trial.limits.size}")
    trial.ask("clear_board")
    return True, f"takes boardsize {trial.limits.size}"


def large_board(trial: Trial) -> Outcome:
    """Ask for a board that no engine has."""
    if trial.refusal(f"boardsize {TOO_LARGE}") is None:
        raise Unmet(f"takes boardsize {TOO_LARGE}; a size it cannot play should be refused")
    return True, f"refuses boardsize {TOO_LARGE}"


def komi(trial: Trial) -> Outcome:
    """Send the komi of the games, and others."""
    trial.ask(f"komi {trial.limits.komi:g}")
    odd = [value for value in ("0", "-3.5", "6.5") if trial.refusal(f"komi {value}") is not None]
    trial.ask(f"komi {trial.limits.komi:g}")
    return (None, f"refuses komi {' and '.join(odd)}") if odd else (True, "takes komi, negative too")


def time_commands(trial: Trial) -> Outcome:
    """Send the time commands that the engine knows."""
    trial.board()
    lines = [
        line
        for line in (
            "time_settings 60 10 5",
            "kgs-time_settings byoyomi 60 10 5",
            "kata-time_settings fischer 60.5 2.5",
            "time_left b 60 0",
            "time_left w 5 3",
        )
        if trial.knows(line.partition(" ")[0])
    ]
    for line in lines:
        if why := trial.refusal(line):
            raise Unmet(f"refuses `{line}`: {why}")
    known = dict.fromkeys(line.partition(" ")[0] for line in lines)
    if not known:
        return None, "knows none: it receives no clock, and must keep time by its own settings"
    missing = "" if "time_left" in known else "; without time_left it must count its time itself"
    return (None if missing else True), f"takes {', '.join(known)}{missing}"


def a_second_a_move(trial: Trial) -> Outcome:
    """Set the clock to a second per move, and measure some moves."""
    board = trial.board()
    lines = clock_commands(A_SECOND, trial.knows)
    counts = trial.knows("time_left")
    fractions = trial.knows("kata-time_settings")
    for line in lines or ():
        trial.ask(line)

    def send_time(colour: int) -> None:
        if lines and counts:
            trial.ask(time_left_command(colour, TimeLeft(1.0, 1), A_SECOND, fractions))

    slowest = max(seconds for _, seconds in trial.alternate(board, TIMED_MOVES, send_time))
    took = f"its slowest move took {slowest:.2f} s"
    trial.drop()  # another check must not play by this clock
    if not lines:
        return None, f"takes no clock; {took}"
    if slowest > A_SECOND.period + MARGIN:
        raise Unmet(f"with 1 s a move, {took}: with a clock it would lose on time")
    return True, f"with 1 s a move, {took}"


def end_of_input(trial: Trial) -> Outcome:
    """Close the engine's input, as happens when the program that runs it is killed."""
    with trial.raw() as talk:
        if talk.ask(1, b"1 protocol_version\n") is None:
            raise Unmet("gives no answer to `protocol_version`")
        if not talk.ends_with_its_input():
            raise Unmet(
                f"still runs {END_OF_INPUT_GRACE:g} s after the end of its input; it would remain when the program "
                "that started it is killed"
            )
    return True, "ends when its input ends"


def quits(trial: Trial) -> Outcome:
    """Send quit."""
    trial.engine()
    if any(note.startswith(NO_QUIT) for note in trial.drop()):
        raise Unmet(f"still runs {QUIT_GRACE:g} s after `quit`; it has to be killed")
    return True, f"ends within {QUIT_GRACE:g} s of `quit`"


def resignations(trial: Trial) -> Outcome:
    """Judge the answers by which the engine has resigned so far."""
    if not trial.resigned:
        return None, "did not resign during these checks"
    if odd := [word for word in trial.resigned if word != "resign"]:
        return None, f"answers {odd[0]!r} instead of the standard 'resign'; accepted here"
    return True, f"resigned {trial.resigned.total()} times"


def ids(trial: Trial) -> Outcome:
    """Judge the ids of all answers so far."""
    if odd := _among(trial.notes, (STRANGE_ID, STALE, OVERTAKEN, NO_ID)):
        raise Unmet(
            f"{odd}. An answer should begin with the number of its command, as `=12`, so that it cannot be confused"
        )
    return True, "every answer has the id of its command"


def clean_stdout(trial: Trial) -> Outcome:
    """Judge the output on stdout so far that was not an answer."""
    if odd := _among(trial.notes, (OUTSIDE, AFTER, BAD_TEXT)):
        raise Unmet(f"{odd}. Logs and banners belong on stderr, and no answer may hold an empty line")
    return True, "nothing but answers, in UTF-8"


def stderr(trial: Trial) -> Outcome:
    """Judge the amount of output on stderr so far."""
    size = trial.stderr_bytes
    if size > MUCH:
        raise Unmet(f"wrote {size / MUCH:.0f} MiB during these checks; writing costs time, and log files grow")
    return True, f"{size / 1024:.0f} KiB during these checks" if size else "nothing"


def _among(notes: list[str], kinds: tuple[str, ...]) -> str:
    """Return the first note of each kind."""
    found = [next((note for note in notes if note.startswith(kind + ":")), "") for kind in kinds]
    return "; ".join(filter(None, found))
