"""Networks that learn without gradients: evolution and hill climbing."""
