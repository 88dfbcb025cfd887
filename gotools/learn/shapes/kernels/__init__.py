"""Local patterns, compiled: their tables, self-play with incremental values, learning."""
