"""Which rules hold where (firing), their weights (logistic regression), and accuracy (top-k, log-likelihood)."""
