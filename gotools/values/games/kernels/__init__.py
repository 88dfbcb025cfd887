"""Self-play and matches, compiled."""
