"""The GTP server.

server      reads commands, answers; runs analysis beside
thinking    what sessions share: clocks, a search that can be interrupted
session     a game of Go, replaced whole by each command; game_session is that of any other game
commands    the table of all commands of Go; game_commands are those of any other game
arguments   words -> colours, points, numbers
about, play, setup, clocks, status, handicap, analysis, gogui   commands by subject
report_lines   writes analyses
"""
