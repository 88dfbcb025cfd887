"""Learning from the results of games alone: evolution and hill climbing, over what they share (coevolution)."""
