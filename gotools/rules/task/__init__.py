"""What rules are induced from, and how: settings, the sample of moves, classes of moves."""
