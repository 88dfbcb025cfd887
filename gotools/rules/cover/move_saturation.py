"""Saturate a move of a game whose vocabulary is measures and a window; see saturation.py."""

from collections.abc import Sequence

from gotools.game.vocabulary import UNDEFINED, Vocabulary
from gotools.rules.clauses.kernels import clauses as op
from gotools.rules.clauses.moves import MoveFacts
from gotools.rules.cover.saturation import BOARD, COLOR, OPPOSED, OTHER, POS, Argument, Bottom, Saturation, var
from gotools.rules.cover.saturation import X as MOVE


class MoveSaturation(Saturation):
    """The saturation of a move of a game whose vocabulary is measures and a window."""

    table: MoveFacts

    def run(self) -> Bottom:
        what = (op.IS_NOTHING, 0, 0, 0)
        self.add("move", (var(BOARD), var(COLOR), var(MOVE)), (), (BOARD, COLOR, MOVE), what)
        for step in range(1, min(self.depth, 3) + 1):
            self.step(step)
        return self.bottom

    def step(self, step: int) -> None:
        for number, which, colour, value in self.measured_before:
            for low, high in self._intervals(which):
                if low <= value <= high and self.admits("range", (number,), (low, high)):
                    what = (op.IS_MEASURE_RANGE, which, colour, self.table.interval(low, high))
                    self.add("range", (var(number), low, high), (number,), (), what)
        self.measured_before = []
        if step == 1:
            if self.admits("pos_gen", ()):
                self.add("pos_gen", (var(POS),), (), (POS,), (op.IS_NOTHING, 0, 0, 0))
            self._stage()
            if self.admits("opposite", (COLOR,)):
                what = (op.IS_OPPOSITE, COLOR, OTHER, 0)
                self.add("opposite", (var(COLOR), var(OTHER)), (COLOR,), (OTHER, OPPOSED), what)
            self._measures(None, -1, 0)
            self._measures(True, COLOR, 0)
        elif step == 2:
            if "opposite" in self.predicates:
                self._measures(True, OTHER, 1)
            if "pos_gen" in self.predicates:
                self._window()
        if self.table.background is not None:
            self.own_predicates(self.table.background, step, [])

    @property
    def _vocabulary(self) -> Vocabulary:
        assert self.table.vocabulary is not None
        return self.table.vocabulary

    def _intervals(self, which: int) -> Sequence[tuple[int, int]]:
        columns = self._vocabulary.column_of
        return next(m.intervals for m in self._vocabulary.measures if columns[m.name] == which)

    def _stage(self) -> None:
        number, names = int(self.table.facts.stage[self.seed]), tuple(self._vocabulary.stages)
        if names and self.admits("stage", (BOARD,), (names[number],)):
            what = (op.IS_STAGE, number, 0, 0)
            self.add("stage", (var(BOARD), names[number]), (BOARD,), (), what, anchors=True)

    def _measures(self, coloured: bool | None, colour: int, side: int) -> None:
        """Add the measures of one side, or those without one."""
        for measure in self._vocabulary.measures:
            if measure.coloured != bool(coloured):
                continue
            which = self._vocabulary.column_of[measure.name]
            value = int(self.table.facts.measure[which + side, self.seed])
            inputs = (BOARD, MOVE) if colour < 0 else (BOARD, MOVE, colour)
            args: tuple[Argument, ...] = tuple(var(k) for k in inputs)
            last: tuple[int | str, ...] = measure.words[value - 1 : value] if measure.words else ()
            if measure.is_number:
                last = (value,)
            if value == (UNDEFINED if measure.is_number else 0):
                continue
            if self.admits(measure.name, inputs, last):
                what = (op.IS_MEASURE, which, colour, self.table.interval(value, value))
                self.add(measure.name, (*args, *last), inputs, (), what, anchors=True)
            if measure.is_number and self.admits(measure.name, inputs):
                number = self.bottom.new_variable()
                what = (op.IS_MEASURED, which, colour, 0)
                self.add(measure.name, (*args, var(number)), inputs, (number,), what, anchors=True)
                self.measured_before.append((number, which, colour, value))

    def _window(self) -> None:
        """Add what the first frame shows."""
        window = self._vocabulary.window
        users = self.table.users
        given = self.table.facts.given[users:, self.seed]
        if window is None or not len(given):
            return
        for k, (dx, dy) in enumerate(window.offsets):
            for c, held in enumerate(window.classes):
                row = k * len(window.classes) + c
                if given[row] & 1 and self.admits("cell", (BOARD, MOVE, POS), (dx, dy, held)):
                    args = (var(BOARD), var(MOVE), dx, dy, held, var(POS))
                    self.add("cell", args, (BOARD, MOVE, POS), (), (op.IS_GIVEN, users + row, 0, 0), anchors=True)
