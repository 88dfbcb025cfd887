"""A command-line toolkit for the game of Go: from records of games to readable rules, players and ratings."""

__version__ = "0.1.0"
