"""The games, a folder each; inputs.py: what networks see in tic-tac-toe and Connect-4; good_and_bad.py: samples."""
