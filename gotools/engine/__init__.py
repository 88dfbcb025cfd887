"""Players: searches over any Game (choice, alphabeta, mcts), knowledge for them, clocks, and the GTP server."""
