"""Compiled code: the rules, and the values of positions."""
