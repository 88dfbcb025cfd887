"""A person plays against an engine in the terminal.

table      the game: moves of both sides checked by the referee, undo, the record
drawing    the board with colours
dialogue   reads what the person types, and answers
"""
