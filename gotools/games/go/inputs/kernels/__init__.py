"""Inputs and planes of networks, the grid for local patterns, and features of moves, compiled."""
