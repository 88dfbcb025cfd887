"""Clusters of good and bad moves: clustering, the scores that follow from it, clusters.tsv."""
