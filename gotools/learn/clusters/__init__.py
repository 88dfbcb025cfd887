"""Centres of good and bad moves (clusters), how they are found (clustering), and their files (clusters_file)."""
