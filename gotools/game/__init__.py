"""The games: their names, what each supplies, and what search, learning and players ask of them.

table.py    the names of the games, and what is known of one before it is imported
traits.py   what a game may supply beyond its rules
game.py     `Game`: its rules, and how its traits are found
history.py  a game so far: what is legal now, and how it ends (outcome.py)
"""
