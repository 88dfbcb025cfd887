"""Values learned from play."""
