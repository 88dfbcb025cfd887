"""The search for one clause, compiled."""
