"""Estimates of a position without search: status of chains, the score, the built-in evaluation.

status       dead stones and ownership, by playouts
scoring      area and territory
passing      when a player passes, and when it looks again at a risky move
evaluation   the built-in evaluation of alpha-beta
"""
