"""Shogi: positions, moves, records.

Read kernels/pieces.py (positions and moves), kernels/shogi.py (the rules), board.py (positions as text), shogi.py (the
Game).
"""
