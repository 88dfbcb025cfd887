"""Tic-tac-toe, the smallest game: tictactoe.py; its inputs are those of lines, in games/inputs.py."""
