"""Estimates of a position without search: status of chains, the score, the built-in evaluation.

status       dead stones and ownership, by playouts
scoring      area and territory
evaluation   the built-in evaluation of alpha-beta
"""
