"""The compiled part of learning with n-tuples."""
