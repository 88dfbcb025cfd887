"""The sources of examples and counter-examples. Importing this file does not load numba."""

SOURCES = ("played", "random", "suicide", "unplayed", "weak")
"""Their names, by number."""
PLAYED, RANDOM, SUICIDE, UNPLAYED, WEAK = range(len(SOURCES))
