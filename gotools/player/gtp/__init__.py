"""The GTP server.

server      reads commands, answers; runs analysis beside
session     the state of a game, replaced whole by each command
commands    the table of all commands
arguments   words -> colours, points, numbers
play, setup, clocks, status, handicap, analysis, gogui   commands by subject
"""
