"""The USI server, by which graphical boards of shogi use a player.

server      reads commands, answers
session     what the commands do: options, a position, a search under way
options     what a board may set
positions   the words of `position` -> a game
limits      the words of `go` -> seconds, nodes, depth
search_thread  a search in a thread of its own
info_lines  what is said of a search
"""
