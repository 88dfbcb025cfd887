"""Engines of shogi that speak USI, played over GTP: the client side of USI.

engine          a program that speaks USI
engine_session  a game over GTP in which such a program chooses the moves
bridge          the process that serves it
"""
