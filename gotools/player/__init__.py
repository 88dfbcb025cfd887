"""Players: a search, what it knows, and what a game needs besides.

players                options -> a player
weights                files of learned values, the network of the package -> evaluators
knowledge              files of rules and clusters -> orderings of moves
state                  a board -> a position for the searches
go_player              chooses a move; go_choice is its answer, passing says when the game is over, reasons explains
game_player            chooses a move in any other game
time_for_move          clocks -> seconds for a move
move_values            the value of the position after each move; ranked ranks moves by rules, values or both
game_ranking           ranks the moves of any other game by values
gtp/                   the GTP server
"""
