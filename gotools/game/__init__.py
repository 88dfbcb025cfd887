"""The games: their names, what each supplies, and what search, learning and players ask of them."""
