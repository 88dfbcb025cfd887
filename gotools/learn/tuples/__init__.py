"""N-tuples: tables over sets of cells, found at random, and how they learn."""
