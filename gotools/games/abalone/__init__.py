"""Abalone: abalone.py (the game), board.py (texts and starts), inputs.py (what networks see)."""
