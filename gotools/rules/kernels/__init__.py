"""Rules as an ordering of moves for the searches."""
