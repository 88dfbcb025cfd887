"""Fit the weights of moves beside the last one (games/go/kernels/local_weights.py) to games of strong players.

python bench/fits/local_weights.py > weights.txt        from ../shared/data/go9-pro/train and go9-dan/train, ten seconds

A decision is a choice between the legal ones of the last move's eight neighbours and "elsewhere", which has strength 1.
The strengths of neighbourhoods (codes, the least of eight turned ones) are those of a conditional logit, by
minorisation-maximisation (R. Coulom 2007), with a prior of half a victory at 0.08. The text is that of `_LEARNED`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.game.examples.loading import load_decisions
from gotools.game.records.selection import Selection
from gotools.games.go.board import legal_mask
from gotools.games.go.go import GO
from gotools.games.go.kernels.local_weights import _PLACES, _TURNS, ELSEWHERE, USUAL

DATA = Path(__file__).resolve().parents[3] / "shared/data"
SIZE, CODES = 9, 1 << 16
PRIOR_STRENGTH, PRIOR_VICTORIES = 0.08, 0.5
FEWEST, FAR = 20, 0.25
"""Sightings of a code that is kept; and by how much the logarithm of its strength differs from the usual one's."""


def main() -> None:
    codes, played = choices()
    strength, seen = strengths(codes, played)
    kept = np.flatnonzero(seen >= FEWEST)
    kept = kept[np.abs(np.log(strength[kept] * ELSEWHERE / USUAL)) > FAR]
    weights = np.clip(np.rint(strength[kept] * ELSEWHERE), 0, 255).astype(np.int64)
    print("".join(f"{code:04x}{weight:02x}" for code, weight in zip(kept.tolist(), weights.tolist(), strict=True)))


def smallest() -> NDArray[np.int64]:
    """Return int64[CODES + 1]: the least of the eight turned codes; CODES stands for no choice."""
    digits = np.arange(CODES)[None, :] >> 2 * np.arange(8)[:, None] & 3
    least = np.arange(CODES + 1)
    for a, b, c, d in _TURNS:
        order = [_PLACES.index((a * y + b * x, c * y + d * x)) for y, x in _PLACES]
        turned = sum(digits[at] << 2 * place for place, at in enumerate(order))
        least[:CODES] = np.minimum(least[:CODES], turned)
    return least


def choices() -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return int64[decisions, 8], the codes of the last move's neighbours (CODES: not legal), and which was played."""
    paths = [str(DATA / name / "train") for name in ("go9-pro", "go9-dan")]
    rows = load_decisions(paths, GO, Selection(frozenset((SIZE,))), print, lambda: None)
    rows = rows.take(np.flatnonzero((rows.label == 1) & (rows.last >= 0)))
    legal = legal_mask(rows.board, rows.size, rows.to_play, rows.ko)
    cells = rows.board[:, : SIZE * SIZE].reshape(-1, SIZE, SIZE).astype(np.int64)
    board: NDArray[Any] = np.full((len(rows), SIZE + 2, SIZE + 2), 3, np.int64)
    board[:, 1:-1, 1:-1] = np.where(cells == 0, 0, np.where(cells == rows.to_play[:, None, None], 1, 2))
    each, least, codes, played = np.arange(len(rows)), smallest(), [], []
    for dy, dx in _PLACES:
        y, x = rows.last // SIZE + dy, rows.last % SIZE + dx
        on = (y >= 0) & (y < SIZE) & (x >= 0) & (x < SIZE)
        y, x = np.clip(y, 0, SIZE - 1), np.clip(x, 0, SIZE - 1)
        on &= legal[each, y * SIZE + x]
        code = sum(board[each, y + 1 + v, x + 1 + u] << 2 * place for place, (v, u) in enumerate(_PLACES))
        codes.append(least[np.where(on, code, CODES)])
        played.append(on & (rows.move == y * SIZE + x))
    return np.stack(codes, 1), np.stack(played, 1)


def strengths(codes: NDArray[np.int64], played: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the strength of each code and how often it was to be had."""
    seen = np.bincount(codes.ravel(), minlength=CODES + 1)[:CODES]
    won = np.bincount(codes[played], minlength=CODES)[:CODES]
    strength = np.append(np.full(CODES, PRIOR_STRENGTH), 0.0)
    for _ in range(60):
        share = np.repeat(1 / (1 + strength[codes].sum(1)), 8)
        met = np.bincount(codes.ravel(), weights=share, minlength=CODES + 1)[:CODES]
        strength[:CODES] = (won + PRIOR_VICTORIES) / (met + PRIOR_VICTORIES / PRIOR_STRENGTH)
    return strength[:CODES], seen


if __name__ == "__main__":
    main()
