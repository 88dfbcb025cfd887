"""The searches, compiled, and in knowledge what they do with orderings."""
