"""Players: a search, what it knows, and what a game needs besides.

players                options -> a player
knowledge              files of learned values, rules and clusters -> evaluators, orderings of moves
positions              a board, examples, decisions -> positions for the searches
player                 chooses a move in any game; reasons says why
time_for_move          clocks -> seconds for a move
move_values            the value of the position after each move; ranked ranks moves by rules, values or both
game_ranking           ranks the moves of any other game by values
gtp/                   the GTP server
"""
