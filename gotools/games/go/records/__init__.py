"""What records of Go have beside those of any game (game/records): RECORDS in sgf, of the Game.

stones    moves and set-up stones of a main line; runs of moves in a quicker form
numbers   komi and handicap in words -> numbers
gogui     headers that gogui-twogtp wrote wrongly
"""
