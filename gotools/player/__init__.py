"""Players: a search, what it knows, and what a game needs besides.

players                options -> a player
knowledge              files of learned values, rules and clusters -> evaluators, orderings of moves
positions              a board, examples, decisions -> positions for the searches
go_player              chooses a move; go_choice is its answer and says why, passing when the game is over
game_player            chooses a move in any other game
time_for_move          clocks -> seconds for a move
move_values            the value of the position after each move; ranked ranks moves by rules, values or both
game_ranking           ranks the moves of any other game by values
gtp/                   the GTP server
"""
