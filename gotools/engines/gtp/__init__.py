"""The GTP server.

server      reads commands, answers; runs analysis beside
session     a game, replaced whole by each command, and a player that can be interrupted
commands    the table of all commands, each for the games with its trait
arguments   words -> sides, moves, numbers
about, play, setup, clocks, status, analysis, gogui   commands by subject
report_lines   writes analyses
"""
