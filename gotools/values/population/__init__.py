"""Learning from the results of games alone: hill climbing and what it shares (coevolution) with evolution."""
