"""What networks, local patterns and clusters see of a Go position or move."""
