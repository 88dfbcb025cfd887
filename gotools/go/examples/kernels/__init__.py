"""Rows of examples to and from text, and lots drawn without replacement, compiled."""
