"""Inputs of networks, the grid for local patterns, features of moves, and prisoners, compiled."""
