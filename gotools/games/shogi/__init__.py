"""Shogi: positions, moves, records.

Read board.py (positions as text), shogi.py (the Game), kernels/shogi.py (its rules).
"""
