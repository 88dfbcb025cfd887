"""Temporal differences for networks."""
