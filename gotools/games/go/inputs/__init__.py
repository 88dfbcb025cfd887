"""The inputs of networks, local patterns and clusters: a Go position or move as numbers."""
