"""Express a rule in one sentence of plain words.

The sentence is free of the rule's frame: a rule holds under all eight symmetries, so "left" would mean nothing, but
"two lines higher" (further from the edge that the line is counted from) does.
"""

from itertools import combinations, groupby

from gotools.game.game import vocabulary_of
from gotools.game.table import USUAL
from gotools.rules.clauses.rules import Rule
from gotools.rules.explain.scene import (
    Chain,
    Line,
    Offset,
    Quantity,
    Scene,
    Span,
    free_roots,
    may_be_one,
    read_scene,
)
from gotools.rules.explain.surroundings import UNBOUNDED, action_words, ordinal, pattern_words
from gotools.rules.explain.telling import Telling

MAX_WORDS = 30
EXTENDS, STANDS = 2, 5
"""Ranks in the order of the sentence that have words of their own: own chains touched, chains at an offset."""

NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def sentence(rule: Rule, size: int = 9) -> str:
    """Return the sentence of `rule`, in the words of the players of its game.

    size -- of the board for edge distances: the seventh line of 9x9 is the third line from the far edge

    Never claims more than the clause; a sentence that would pass about MAX_WORDS ends with the number of conditions it
    leaves out. Conditions outside the vocabulary are quoted as they stand.
    """
    if not vocabulary_of(rule.game).points:
        return Telling(rule).sentence()
    scene = read_scene(rule, size)
    if scene.contradictory:
        return f"Can never apply on a {size}x{size} board."
    text = _Telling(scene).text()
    return text[0].upper() + text[1:] + "."


def place_words(lines: tuple[Line, ...]) -> str:
    """Say on which lines the move stands: "on the third line from an edge", "at a 3-4 point"; "" without lines."""
    if not lines:
        return ""
    if len(lines) == 2:
        if all(line.middle for line in lines):
            return "at the centre point"
        low, high = sorted(line.number for line in lines)
        return f"at {'an' if low in (8, 11, 18) else 'a'} {low}-{high} point"
    if lines[0].middle:
        return "on a middle line"
    return "on the first line" if lines[0].number == 1 else f"on the {ordinal(lines[0].number)} line from an edge"


def count_words(span: Span, unit: str) -> str:
    """Say a number of things: "3 liberties", "1 or 2 liberties", "5 or more liberties"."""
    units = "liberties" if unit == "liberty" else f"{unit}s"
    if span.exact:
        return f"{span.low} {unit if span.low == 1 else units}"
    if span.high >= UNBOUNDED:
        return f"{span.low} or more {units}"
    return f"{span.low} {'or' if span.high == span.low + 1 else 'to'} {span.high} {units}"


class _Telling:
    """The sentence of one scene; remembers the chains and free colours already mentioned."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.mentioned: list[Chain] = []
        self.letters = free_roots(scene.chains)

    def text(self) -> str:
        place = place_words(self.scene.lines)
        stage = vocabulary_of(USUAL).stages.get(self.scene.stage, "")
        actions = self._actions() + action_words(self.scene.around, step_name)
        patterns = pattern_words(self.scene.around, step_away)
        if not actions and not place and patterns:
            actions, patterns = [f"plays where {_join(patterns)}"], []
        if not actions or actions[0].startswith("there is"):
            actions.insert(0, f"plays {place or 'anywhere'}")
            place = ""
        begin = "".join(f"{part}, " for part in (stage, place) if part)
        return self._fit(begin, actions, self._relations() + patterns)

    def _fit(self, begin: str, actions: list[str], relations: list[str]) -> str:
        """Join what can be said within MAX_WORDS and count the rest; the first action always stands."""
        quoted = [f"{literal} holds" for literal in self.scene.unread]
        for kept in range(len(actions) + len(relations) + len(quoted), 0, -1):
            first = actions[:kept]
            rest = relations[: max(0, kept - len(actions))]
            last = quoted[: max(0, kept - len(actions) - len(relations))]
            left_out = len(actions) + len(relations) + len(quoted) - kept
            text = begin + _join(_plays_once(first)) + "".join(f"; {r}" for r in rest)
            if last:
                text += f", and {_join(last)}"
            if left_out:
                text += f"; {left_out} more condition{'s' * (left_out > 1)}"
            if len(text.split()) <= MAX_WORDS:
                break
        return text

    def _actions(self) -> list[str]:
        """Return the verb phrases, actions before places."""
        actions: list[str] = []
        ordered = sorted(self.scene.chains, key=lambda c: (_rank(c), _reach(c)))
        for kind, group in groupby(ordered, key=_rank):
            chains = list(group)
            if kind == EXTENDS:
                actions.append(self._extends(chains))
            elif kind == STANDS:
                actions += self._stands(chains)
            else:
                actions += [self._acts(chain) for chain in chains]
        return actions

    def _acts(self, chain: Chain) -> str:
        """Describe a chain by what the move does to it."""
        theirs = chain.colour.side == "opponent"
        if theirs and "captures" in chain.relations:
            return f"captures {self._noun(chain, liberties=False)}"
        if theirs and "atari" in chain.relations:
            noun = self._noun(chain, liberties=False)
            return f"puts in atari {noun}" if " that " in noun else f"puts {noun} in atari"
        if chain.touches:
            return f"{'touches' if theirs else 'plays next to'} {self._noun(chain)}"
        if not chain.links:
            return f"there is {self._noun(chain)} on the board"
        if chain.colour.side == "own":
            return f"links up in two ways with {self._noun(chain)}"
        return f"plays where {self._noun(chain)} could link up in two ways"

    def _extends(self, chains: list[Chain]) -> str:
        """Describe own chains that the move touches."""
        nouns = [self._noun(chain) for chain in chains]
        if nouns[0].startswith("an own chain"):
            nouns[1:] = [noun.replace("an own chain ", "one ", 1) for noun in nouns[1:]]
        if len(chains) == 1:
            return f"extends {nouns[0]}"
        if any(may_be_one(a, b) for a, b in combinations(chains, 2)):
            return f"extends {_join(_counted(nouns))} (perhaps one chain)"
        return f"connects {nouns[0]} to {_join(nouns[1:])}"

    def _stands(self, chains: list[Chain]) -> list[str]:
        """Describe chains that the move does not touch, by their offsets; chains at the same step share a phrase."""
        phrases = []
        for step, group in groupby(chains, key=_step):
            phrases.append(f"{step} {_join(_counted([self._noun(chain) for chain in group]))}")
        return [f"plays {phrases[0]}", *phrases[1:]]

    def _noun(self, chain: Chain, liberties: bool = True) -> str:
        """Describe a chain: colour, stones, liberties, where else it stands, and how high."""
        near = _near(chain)
        before, after = self._colour(chain)
        self.mentioned.append(chain)
        text = f"{before} {_size_words(chain.stones, 'stone' if chain.bare else 'chain')}{after}"
        text = text.replace("an own single stone", "a single own stone")
        if chain.label:
            text += f" {chain.label}"
        if liberties and chain.liberties.known:
            text += " in atari" if chain.liberties == (1, 1) else f" with {count_words(chain.liberties, 'liberty')}"
        if len(near) > 1 and chain.touches:
            text += f" on {NUMBER_WORDS[len(near)]} sides"
        heights = self._heights(near)
        if heights:
            text += f" ({heights})" if chain.touches or " with " in text else f" {heights}"
        return text + self._further(chain, chain.offsets[len(near) :])

    def _further(self, chain: Chain, offsets: tuple[Offset, ...]) -> str:
        """Describe the stones of a chain beyond those it is introduced by."""
        if not offsets:
            return ""
        if chain.stones == (1, 1) and len(offsets) == len(chain.offsets) == 1:
            return " ".join(["", step_away(offsets[0]), *filter(None, [self._heights(offsets)])])
        has = " that also has" if chain.touches or len(offsets) < len(chain.offsets) else " that has"
        if len(offsets) > 2:
            return f"{has} {len(offsets)} {'more ' if 'also' in has else ''}stones near by"
        parts = []
        for offset in offsets:
            heights = self._heights((offset,))
            parts.append(f"{step_away(offset)}{f' ({heights})' if heights else ''}")
        return f"{has} {'a stone' if len(parts) == 1 else 'stones'} {_join(parts)}"

    def _colour(self, chain: Chain) -> tuple[str, str]:
        """Words for a chain's colour, before and after the noun."""
        if chain.colour.side != "either":
            return ("an own", "") if chain.colour.side == "own" else ("an opponent's", "")
        root, other = chain.colour
        earlier = [c for c in self.mentioned if c.colour.root == root]
        if root in self.letters and len(self.letters) > 1:
            return "a", f" of {'the colour opposite to' if other else 'colour'} {root}"
        if not earlier:
            return "a", " of either colour"
        return "a", " of that colour" if earlier[0].colour.other == other else " of the other colour"

    def _heights(self, offsets: tuple[Offset, ...]) -> str:
        """Describe the heights of stones relative to the move."""
        return _join(list(dict.fromkeys(filter(None, (height_words(self.scene.lines, offset) for offset in offsets)))))

    def _relations(self) -> list[str]:
        """Say shared liberties and equal counts."""
        found = []
        for names in self.scene.shared:
            everybody = len(names) == len(self.scene.chains)
            who = f"the {_number(len(names))} chains" if everybody else _join([self._refer(n) for n in names])
            found.append(f"{who} share a liberty")
        return found + [self._equal(group) for group in self.scene.equal]

    def _equal(self, group: tuple[Quantity, ...]) -> str:
        if len(group) == 2 and group[0].chain == group[1].chain:
            return f"{self._refer(group[0].chain)} has as many liberties as stones"
        if len({quantity.kind for quantity in group}) == 1:
            both = len(group) == len(self.scene.chains) == 2
            who = "both" if both else _join([self._refer(q.chain) for q in group])
            return f"{who} have equally many {group[0].kind}"
        if len(group) == 2:
            first, second = (self._refer(q.chain) for q in sorted(group, key=lambda q: q.kind))
            return f"{first} has as many liberties as {second.removesuffix(' chain')} has stones"
        return _join([f"the {q.kind} of {self._refer(q.chain)}" for q in group]) + " are equally many"

    def _refer(self, name: str) -> str:
        """Name a chain again: by its colour if that is enough, else by the order of mention."""
        chain = next(c for c in self.scene.chains if c.name == name)
        alike = [c for c in self.mentioned if c.colour.side == chain.colour.side]
        if len(self.mentioned) == 1:
            return "it"
        if len(alike) == 1 and chain.colour.side != "either":
            return f"the {'own' if chain.colour.side == 'own' else 'opponent' + chr(39) + 's'} chain"
        return f"the {ordinal([c.name for c in self.mentioned].index(name) + 1)} chain"


def height_words(lines: tuple[Line, ...], offset: Offset) -> str:
    """Describe the place of a stone at `offset` relative to the lines of the move; "" without lines.

    With one line: "two lines higher" is further from the edge it is counted from. With two: the stone's point, counted
    from the same corner in the order of the move's lines.
    """
    if not lines:
        return ""
    if len(lines) == 2:
        return f"at the {_corner_point(lines, offset)} point of that corner"
    height = lines[0].height(offset)
    if height == 0:
        return "on the same line"
    many = f"{_number(abs(height))} line{'s' * (abs(height) > 1)}"
    return f"{many} to the side" if lines[0].middle else f"{many} {'higher' if height > 0 else 'lower'}"


def _corner_point(lines: tuple[Line, ...], offset: Offset) -> str:
    # a middle line is counted from either edge, so the order of equal lines and that edge are ours to choose
    ordered = sorted(lines, key=lambda line: line.number)
    return "-".join(str(line.number + line.height(offset)) for line in ordered)


def step_name(offset: Offset) -> str:
    """Name the step between two points: "one-point jump", "knight's move", "three across and two up"."""
    low, high = sorted(map(abs, offset))
    if (low, high) == (0, 1):
        return "next"
    if low == 0:
        return f"{_number(high - 1)}-point jump"
    if low == high:
        return {1: "diagonal move", 2: "diagonal jump"}.get(low, f"{_number(low)} points diagonally")
    if low == 1 and high < 4:
        return "knight's move" if high == 2 else "large knight's move"
    return f"{_number(high)} across and {_number(low)} up"


def step_away(offset: Offset) -> str:
    """Describe the place of a stone at `offset` from the move: "a knight's move away"."""
    name = step_name(offset)
    if name == "next":
        return "next to the move"
    if name == "diagonal move":
        return "diagonally next to the move"
    return f"a {name} away" if name.endswith(("jump", "move")) else f"{name} away" if "diagonally" in name else name


def _plays_once(actions: list[str]) -> list[str]:
    """Drop the verb of an action that follows one with the same verb."""
    said, verb = [], ""
    for action in actions:
        first = action.split(" ", 1)[0]
        said.append(action.removeprefix("plays ") if verb == first == "plays" else action)
        verb = first if first.endswith("s") or first == "there" else verb  # a further step has no verb of its own
    return said


def _counted(nouns: list[str]) -> list[str]:
    """Put "two own stones" for an own stone named twice; chains are left apart, they may be one."""
    counts = {noun: nouns.count(noun) for noun in nouns}
    single = ("an own stone", "an opponent's stone")
    return [
        f"{_number(counts[noun])} {noun.removeprefix('an ')}s" if noun in single and counts[noun] > 1 else noun
        for i, noun in enumerate(nouns)
        if noun not in single or nouns.index(noun) == i
    ]


def _step(chain: Chain) -> str:
    """Describe the step from the move to the nearest stones of a chain it does not touch: "a knight's move from"."""
    name, near = step_name(chain.offsets[0]), _near(chain)
    own = chain.colour.side == "own"
    if name == "diagonal move" and not own:
        name = "diagonally next to"
    else:
        article = ("a " if own else "at a ") if name.endswith(("jump", "move")) else ""
        name = f"{article}{name} from"
    return name + (f" {_number(len(near))} stones of" if len(near) > 1 else "")


def _near(chain: Chain) -> tuple[Offset, ...]:
    """Return the stones that introduce a chain: those at its nearest step, unless a relation introduces it."""
    if not chain.offsets or chain.links:
        return ()
    name = step_name(chain.offsets[0])
    if chain.touches and name != "next":
        return ()
    return tuple(offset for offset in chain.offsets if step_name(offset) == name)


def _rank(chain: Chain) -> int:
    """The order in the sentence: what the move does before where it stands."""
    theirs = chain.colour.side == "opponent"
    own = chain.colour.side == "own"
    if theirs and "captures" in chain.relations:
        return 0
    if theirs and "atari" in chain.relations:
        return 1
    if chain.touches:
        return EXTENDS if own else 4
    if chain.links:
        return 3 if own else 6
    return STANDS if chain.offsets else 7


def _reach(chain: Chain) -> int:
    return min((x * x + y * y for x, y in chain.offsets), default=0)


def _size_words(stones: Span, unknown: str) -> str:
    if not stones.known:
        return unknown
    return "single stone" if stones == (1, 1) else f"chain of {count_words(stones, 'stone')}"


def _number(number: int) -> str:
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else str(number)


def _join(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""
