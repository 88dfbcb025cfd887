"""The functions and data that a game supplies to search, learning and players: Game; find_game finds one by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, nearest, quoted
from gotools.files.opening import ARCHIVES
from gotools.game.known import place_of, unusable
from gotools.game.learning import FeatureSet, Heuristic, Learning
from gotools.game.table import GAMES, Place, plain_name
from gotools.game.traits import WORDS, Records, Starts, Symmetry, Usual
from gotools.game.vocabulary import Vocabulary

Trait = TypeVar("Trait")

SIGNATURES: Final = {
    "start": "START", "legal": "LEGAL", "worthy": "LEGAL", "after": "AFTER", "outcome": "OUTCOME", "key": "KEY",
    "noisy": "LEGAL", "playout": "PLAYOUT", "threatened": "THREATENED",
}  # fmt: skip
"""The signature of each function of a game, by its name in jit/kernels/seams.py."""


def as_it_is(number: int, size: int) -> int:
    """Return the number: the place of a move in most games, and the move of a place."""
    return number


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """The functions and data of a game of two players who alternate (a pass is a move).

    The functions are compiled with the signatures of kernels/seams.py, which defines their meaning. A position is one
    int32 array; a move is an int from 0 to moves - 1.

    cells    -- length of a position
    moves    -- one more than the largest move
    longest  -- most moves that one position may offer, passes included
    sizes    -- board sizes; the first is the usual one
    legal    -- lists all legal moves
    worthy   -- lists those worth searching: Go leaves out own eyes; others list all
    noisy    -- lists moves to be searched before a position is valued (quiescence); may list none
    playout  -- plays to the end at random, with the game's heuristics against bad moves
    decided  -- a finished game that is not drawn is worth this much at least; alpha-beta scales evaluations to it, so
                that a victory in sight is preferred to hope. Below 1, a victory is worth less the later it comes
    plies    -- moves after which the rules make it a draw; 0: no limit
    counter  -- the entry of a position that counts the moves, -1 if there is none
    threatened -- compiled with the signature THREATENED: whether the side to play must answer a threat, a check or an
                atari by the last move. None where the game has none; alpha-beta then extends no lines
    why_illegal -- says in words why a move is not legal in a position; "" where it has nothing to say
    room     -- counts the empty points of a position, by which clocks plan how long a game will last; 0: not known
    setting  -- the text that made this one; "" for the game as it usually is
    place_of, move_at -- the number by which records, histories and players know a move on a board of a size, and back
    komi      -- the entry of a position that holds twice the komi, -1 without komi
    pass_move -- the move that passes, -1 without passes; self-play passes only if it is the only worthy move
    traits   -- what else the game supplies, by the names of their classes (traits.py, learning.py): the trait itself,
                or "module:ATTRIBUTE" of one that is imported on demand
    """

    name: str
    cells: int
    moves: int
    longest: int
    sizes: tuple[int, ...]
    start: Any
    legal: Any
    worthy: Any
    after: Any
    outcome: Any
    key: Any
    noisy: Any
    playout: Any
    move_text: Callable[[int, int], str]
    """Text of a move on a board of a size: move_text(move, size)."""
    parse_move: Callable[[str, int], int]
    """Move of a text; raises ValueError with a message for the user."""
    draw: Callable[[NDArray[np.int32]], str]
    """A position as lines of text."""
    place_of: Callable[[int, int], int] = as_it_is
    """The place of a move on a board of a size, the number that records have: place_of(move, size)."""
    move_at: Callable[[int, int], int] = as_it_is
    """The move of a place."""
    decided: float = 1.0
    plies: int = 0
    counter: int = -1
    threatened: Any = None
    setting: str = ""
    why_illegal: Callable[[NDArray[np.int32], int], str] = lambda state, move: ""
    room: Callable[[NDArray[np.int32]], int] = lambda state: 0
    komi: int = -1
    pass_move: int = -1
    traits: Mapping[str, Any] = field(default_factory=dict)

    def find(self, trait: type[Trait]) -> Trait | None:
        """Return a trait of the game by its class, None if the game does not have it."""
        found = self.traits.get(trait.__name__)
        return _import(found) if isinstance(found, str) else found

    def need(self, trait: type[Trait]) -> Trait:
        """Return a trait of the game by its class. Raises GotoolsError if the game does not have it."""
        found = self.find(trait)
        if found is None:
            raise GotoolsError(f"{self.name} has no {WORDS[trait]}")
        return found

    def has(self, trait: type) -> bool:
        """Return whether the game has a trait, without importing it."""
        return trait.__name__ in self.traits

    @property
    def records(self) -> Records:
        """What its records have beside moves as text; nothing, if the game supplies nothing."""
        return self.find(Records) or Records()

    @property
    def usual(self) -> Usual:
        """What a player uses and shows where its settings say nothing."""
        return self.find(Usual) or Usual()

    @property
    def learning(self) -> Learning:
        """What learners and searches may use; nothing, if the game supplies nothing."""
        return self.find(Learning) or Learning()

    def find_features(self, name: str) -> FeatureSet:
        """Return a feature set by its name, or one mixed of several inputs.

        Raises GotoolsError for a name that the game does not have.
        """
        known = self.learning.features
        if name not in known and self.learning.mixed:
            some: FeatureSet = _import(self.learning.mixed)(name)
            return some
        if name not in known:
            raise GotoolsError(f"{self.name} has no features {quoted(name)}{nearest(name, list(known))}")
        features: FeatureSet = _import(known[name])
        return features

    def find_heuristic(self, name: str = "") -> Heuristic | None:
        """Return a fixed evaluation by its name, without one the game's first; None if the game has none.

        Raises GotoolsError for a name that the game does not have.
        """
        known = self.learning.heuristics
        if name and name not in known:
            near = nearest(name, list(known)) if known else "; it has no names of heuristics"
            raise GotoolsError(f"{self.name} has no heuristic {quoted(name)}{near}")
        place = known[name] if name else self.learning.heuristic
        return _import(place) if place else None

    def find_tally(self) -> Any:
        """Return the function that counts events, None if the game has none."""
        return _import(self.learning.tally) if self.learning.tally else None

    def find_order(self, name: str) -> Any:
        """Return the function that scores moves, of a name in `Learning.orders`."""
        return _import(self.learning.orders[name])

    def images(self, place: int, size: int) -> Sequence[int]:
        """Return the images of a place under the symmetries of the game, the place itself first."""
        symmetry = self.find(Symmetry)
        return (place,) if symmetry is None else symmetry.images(place, size)

    def started_from(self, setting: str) -> Game:
        """Return this game with a further setting, which counts where the two contradict each other.

        Raises GotoolsError for a setting that the game does not have.
        """
        return find_game(f"{self.name}:{','.join(filter(None, (self.setting, setting)))}") if setting else self

    @property
    def full_name(self) -> str:
        """Return the text by which `find_game` finds this game: its name, and its setting if it has one."""
        return f"{self.name}:{self.setting}" if self.setting else self.name

    def __reduce__(self) -> tuple[Any, ...]:
        """Let another process find this game by its name."""
        return find_game, (self.full_name,)

    @property
    def rules(self) -> Any:
        """Return the functions that every kernel needs, and the pass, as the record RULES of kernels/seams.py."""
        from gotools.jit import as_value
        from gotools.jit.kernels.seams import Rules

        worthy, after, outcome = (as_value(function) for function in (self.worthy, self.after, self.outcome))
        return Rules(worthy, after, outcome, self.pass_move, self.longest)

    def position(self, size: int | None = None, komi: float = 0.0) -> NDArray[np.int32]:
        """Return the position at the start.

        Raises GotoolsError for komi as `check_komi` does.
        """
        self.check_komi(komi)
        state = np.zeros(self.cells, np.int32)
        self.start(state, size or self.sizes[0])
        if komi:
            state[self.komi] = round(2 * komi)
        return state

    def text_of(self, state: NDArray[np.int32]) -> str:
        """Return a position on one line of text."""
        starts = self.find(Starts)
        return "/".join(self.draw(state).splitlines()) if starts is None else starts.write(state)

    def check_komi(self, komi: float) -> None:
        """Raise GotoolsError for komi in a game that has none, and for one that is no multiple of 0.5."""
        if komi and self.komi < 0:
            raise GotoolsError(f"{self.name} has no komi")
        if 2 * komi != round(2 * komi):
            raise GotoolsError(f"komi is a multiple of 0.5, not {komi:g}")

    def moves_of(self, state: NDArray[np.int32]) -> list[int]:
        """List the legal moves."""
        moves = np.empty(self.longest, np.int32)
        found: list[int] = moves[: self.legal(state, moves)].tolist()
        return found

    def worthy_moves_of(self, state: NDArray[np.int32]) -> list[int]:
        """List the legal moves worth searching."""
        moves = np.empty(self.longest, np.int32)
        found: list[int] = moves[: self.worthy(state, moves)].tolist()
        return found

    def places_of(self, moves: NDArray[np.int32], sizes: NDArray[np.integer]) -> NDArray[np.int16]:
        """Return the place of each move on a board of each size."""
        return _each(self.place_of, moves, sizes).astype(np.int16)

    def moves_at(self, places: NDArray[np.int16], sizes: NDArray[np.integer]) -> NDArray[np.int32]:
        """Return the move of each place on a board of each size."""
        return _each(self.move_at, places, sizes).astype(np.int32)

    def play(self, state: NDArray[np.int32], move: int) -> NDArray[np.int32]:
        """Return the position after a legal move."""
        target = np.empty(self.cells, np.int32)
        self.after(state, move, target)
        return target


def _each(
    function: Callable[[int, int], int], numbers: NDArray[np.signedinteger], sizes: NDArray[np.integer]
) -> NDArray[np.integer]:
    if function is as_it_is:
        return numbers
    return np.array([function(*one) for one in zip(numbers.tolist(), sizes.tolist(), strict=True)], np.int32)


def find_game(name: str) -> Game:
    """Return a game by its name, and behind a colon its setting: abalone, abalone:belgian-daisy.

    Raises GotoolsError for an unknown name, for a game of another package that cannot be used, and for a setting that
    the game does not have.
    """
    place = place_of(name)
    plain, colon, setting = name.partition(":")
    game: Game = _of_package(plain, place) if place.package else _import(place.game)
    if not colon:
        return game
    starts = game.find(Starts)
    if starts is None or starts.with_setting is None:
        raise GotoolsError(f"{plain} has no settings; it is played as it is")
    found: Game = starts.with_setting(setting)
    return found


def _of_package(name: str, place: Place) -> Game:
    """Load a game of another package. Raises GotoolsError with the reason where it cannot be used."""
    from numba import config

    from gotools.jit.kernels import seams

    try:
        game = _import(place.game)
    except Exception as error:  # whatever a foreign module raises
        raise unusable(name, place.package, f"{type(error).__name__}: {error}") from error
    if not isinstance(game, Game):
        raise unusable(name, place.package, f"it is of type {type(game).__name__}, not Game")
    if game.name != name:
        raise unusable(name, place.package, f"it calls itself {game.name}")
    for function, kind in SIGNATURES.items():
        given = getattr(game, function)
        if given is None or config.DISABLE_JIT:  # type: ignore[attr-defined]
            continue
        if getattr(given, "signature", None) != getattr(seams, kind):
            raise unusable(name, place.package, f"its function {function} is not a seam of the signature {kind}")
    return game


def record_suffixes(name: str) -> tuple[str, ...]:
    """Return the suffixes of files of records of a game, which is loaded if it is of another package.

    Raises GotoolsError as `find_game` does.
    """
    place = place_of(name)
    return (*place.suffixes, *(find_game(name).records.suffixes if place.package else ()))


def suffixes_of(name: str) -> tuple[str, ...]:
    """Return the suffixes of files of records of a game, and of archives. Raises GotoolsError as `find_game` does."""
    return (*record_suffixes(name), *ARCHIVES)


def find_trait(name: str, trait: type[Trait]) -> Trait | None:
    """Return a trait that the table of games holds, of a game by its name; None for others. Loads no compiled code."""
    game = GAMES.get(plain_name(name))
    place = game and game.traits.get(trait.__name__)
    return _import(place) if place else None


@cache
def vocabulary_of(name: str) -> Vocabulary:
    """Return the vocabulary of rules of a game. Raises GotoolsError for an unknown game, and for one that has none."""
    return find_trait(name, Vocabulary) or find_game(name).need(Vocabulary)


def meaning_of(name: str) -> Path:
    """Return the file that defines the vocabulary of a game in Prolog, beside the module of the game."""
    found = find_spec(place_of(name).game.partition(":")[0])
    return Path(found.origin if found and found.origin else ".").with_name(vocabulary_of(name).background)


def _import(place: str) -> Any:
    """Import what "module:ATTRIBUTE" names."""
    module, attribute = place.split(":")
    return getattr(import_module(module), attribute)
