"""Print the five best moves of a position by ./rules.so, with the standard library alone; docs/compiled-rules.md."""

import ctypes
import math
import sys

ABI, NONE, PASS = 2, -1, -2
COLUMNS = "ABCDEFGHJKLMNOPQRST"


class Position(ctypes.Structure):
    _fields_ = [
        ("board", ctypes.POINTER(ctypes.c_uint8)),
        ("size", ctypes.c_int32),
        ("to_play", ctypes.c_int32),
        ("ko", ctypes.c_int32),
        ("last", ctypes.c_int32),
        ("last2", ctypes.c_int32),
    ]


def number(text, size):
    """Return the number of a point such as D4."""
    if text in ("-", "pass"):
        return PASS if text == "pass" else NONE
    return (int(text[1:]) - 1) * size + COLUMNS.index(text[0])


library = ctypes.CDLL("./rules.so")
if library.gotools_rules_abi() != ABI:
    sys.exit("another ABI version")
library.gotools_rules_score.argtypes = [ctypes.POINTER(Position), ctypes.POINTER(ctypes.c_double)]

to_play, rows, *moves = sys.argv[1:]
lines = rows.split("/")[::-1]  # the top row comes first
size = len(lines)
if size > 19 or any(len(line) != size for line in lines):
    sys.exit("no square board")
board = (ctypes.c_uint8 * size**2)(*(".XO".index(cell) for line in lines for cell in line))
score = (ctypes.c_double * size**2)()
position = Position(board, size, "bw".index(to_play) + 1, *(number(move, size) for move in moves))
legal = library.gotools_rules_score(position, score)
if legal < 0:
    sys.exit("no position")

total = sum(math.exp(s - max(score)) for s in score) if legal else 0
best = sorted(range(size**2), key=lambda point: -score[point])[: min(5, legal)]
for place, point in enumerate(best, 1):
    vertex = f"{COLUMNS[point % size]}{point // size + 1}"
    print(f"{place}\t{vertex}\t{score[point]:.4f}\t{math.exp(score[point] - max(score)) / total:.4f}")
