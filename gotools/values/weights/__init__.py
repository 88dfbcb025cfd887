"""eval.npz: weights on disk (weights_file) and in use (evaluator)."""
