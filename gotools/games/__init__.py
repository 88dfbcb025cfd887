"""Other games than Go, a file each; they keep the search honest."""
