"""Learning by temporal differences, compiled."""
