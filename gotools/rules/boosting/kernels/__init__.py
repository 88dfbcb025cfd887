"""The search for the next rule of a ranking, compiled."""
