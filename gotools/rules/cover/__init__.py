"""Aleph's loop: saturation of a seed, the search for one clause, removal of the examples it covers."""
