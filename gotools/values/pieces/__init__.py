"""Networks over pieces: games of a search, and what is learned from them."""
