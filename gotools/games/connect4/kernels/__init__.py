"""Compiled rules of Connect-4."""
