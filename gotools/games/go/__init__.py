"""The game of Go: rules, points, records, examples. Knows nothing of learning, tournaments or commands."""
