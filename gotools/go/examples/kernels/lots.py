"""Draw points from sets of points, a set for each distinct position.

free    bool[groups, c]   points that may still be drawn in a position; drawn ones are taken out
"""

import numpy as np

from gotools.jit import kernel


@kernel
def draw_round(free, group, rows, chance, points):
    """Draw one free point for each of `rows`, in that order; points[i] is -1 where the row's position has none left.

    group -- int64[n], the position of each row; chance -- float64[len(rows)] in [0, 1)
    """
    for at in range(len(rows)):
        place = group[rows[at]]
        left = 0
        for cell in range(free.shape[1]):
            left += free[place, cell]
        points[at] = -1
        if left == 0:
            continue
        skip = int(chance[at] * left)
        for cell in range(free.shape[1]):
            if free[place, cell]:
                if skip == 0:
                    points[at] = cell
                    free[place, cell] = False
                    break
                skip -= 1


@kernel
def group_keys(size, to_play, board, ko, keys):
    """Fill uint8[n, c + 4] with what makes a position the same for the player: size, side, ko, cells."""
    for row in range(len(size)):
        keys[row, 0] = size[row]
        keys[row, 1] = to_play[row]
        keys[row, 2] = np.uint8((ko[row] + 1) & 255)
        keys[row, 3] = np.uint8((ko[row] + 1) >> 8)
        for cell in range(board.shape[1]):
            keys[row, 4 + cell] = board[row, cell]
