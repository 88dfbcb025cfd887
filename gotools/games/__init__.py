"""Games other than Go, a file each, and what all share: inputs, good and bad moves."""
