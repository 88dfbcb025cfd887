"""A player of Go: a search, knowledge, and what a game asks for besides.

knowledge              files of rules and clusters -> orderings of moves
players                options -> a player
go_player              choose a move, pass, explain
time_for_move          clocks -> seconds for a move
move_values            the value of the position after each move
order_bench            positions searched in several orders; order_report shows them
gtp/                   the GTP server
"""
