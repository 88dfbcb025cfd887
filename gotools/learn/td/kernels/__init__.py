"""Temporal differences, compiled."""
