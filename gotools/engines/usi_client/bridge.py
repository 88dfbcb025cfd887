"""Let an engine of shogi that speaks USI play over GTP: what `usi:COMMAND` stands for wherever gotools takes an engine.

python -m gotools usi-bridge --nodes 10000 --option 'Skill Level=3' -- fairy-stockfish
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence

from gotools.base.errors import GotoolsError, shown
from gotools.game.game import find_game
from gotools.game.table import plain_name

NAME = "usi bridge"
LIMITS = {"nodes": "nodes {}", "depth": "depth {}", "movetime": "movetime {}", "byoyomi": "btime 0 wtime 0 byoyomi {}"}
"""The words of `go` for the options that hold in place of clocks."""


def main(arguments: Sequence[str]) -> None:
    """Speak GTP on stdin and stdout until `quit` or the end of stdin."""
    from gotools.engines.gtp.server import serve
    from gotools.engines.usi_client.engine import UsiEngine
    from gotools.engines.usi_client.engine_session import EngineSession, commands
    from gotools.jit import compiling

    wanted = _parser().parse_args(arguments)
    compiling.quiet = True
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        if plain_name(wanted.game) != "shogi":
            raise GotoolsError(f"USI is a protocol of shogi, not of {shown(wanted.game)}")
        game = find_game(wanted.game)
        limits = " ".join(text.format(getattr(wanted, name)) for name, text in LIMITS.items() if getattr(wanted, name))
        words = wanted.engine[1:] if wanted.engine[:1] == ["--"] else wanted.engine
        with UsiEngine(words, dict(wanted.option)) as engine:
            serve(lambda: EngineSession.open(engine, game, limits), commands(game))
    except GotoolsError as error:
        sys.exit(f"{NAME}: {error}")
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=NAME, description=(__doc__ or "").splitlines()[0], allow_abbrev=False)
    parser.add_argument("--game", default="shogi", help="as in `gotools tournament --game`; shogi")
    parser.add_argument(
        "--option", type=_setting, action="append", default=[], metavar="NAME=VALUE", help="of the engine; often"
    )
    for name, unit in (("nodes", "N"), ("depth", "N"), ("movetime", "MS"), ("byoyomi", "MS")):
        parser.add_argument(f"--{name}", type=_count, metavar=unit, help="for a move, in place of clocks")
    parser.add_argument("engine", nargs=argparse.REMAINDER, metavar="ENGINE", help="its program and arguments")
    return parser


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name.strip() or not equals or not text.isprintable():
        raise argparse.ArgumentTypeError(f"{shown(text)} is not NAME=VALUE")
    return name.strip(), value.strip()


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16 and int(text)):
        raise argparse.ArgumentTypeError(f"{shown(text)} is not a whole number from 1 on")
    return int(text)
