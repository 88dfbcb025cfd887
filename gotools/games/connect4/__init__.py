"""Connect-4: connect4.py is the game; its inputs are those of lines, in games/inputs.py."""
