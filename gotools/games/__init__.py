"""Games other than Go, a file each, and what all share: inputs, tables of examples (converting), good and bad moves."""
