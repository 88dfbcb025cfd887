"""English draughts (checkers), a game of a package of its own. Read kernels/rules.py first, then draughts.py."""
