"""Learning by temporal differences: perceptrons (perceptrons, td), tables of shapes and n-tuples (tables)."""
