"""Compiled rules of tic-tac-toe."""
