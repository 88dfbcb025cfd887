"""Aleph's loop: saturation of a seed, the search for one clause, removal of what it covers."""
