"""The rules of the small games and the inputs of their networks, compiled."""
