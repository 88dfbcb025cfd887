"""Constants of Go that kernels and Python share, written once. Importing this file does not load numba."""

NONE, PASS = -1, -2
"""The two values of a move or ko that are not points."""

SYMMETRIES = (
    (1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0), (-1, 0, 0, 1), (0, -1, -1, 0), (1, 0, 0, -1),
    (0, 1, 1, 0),
)  # fmt: skip
"""(a, b, c, d) of p1..p8: an offset (dx, dy) becomes (a*dx + b*dy, c*dx + d*dy)."""
