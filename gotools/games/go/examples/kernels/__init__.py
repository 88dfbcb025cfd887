"""Rows of examples to and from text, and sampling without replacement, compiled."""
