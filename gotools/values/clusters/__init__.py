"""Centres of good and bad moves: clusters; clustering finds them, clusters_file holds them, summary shows them."""
