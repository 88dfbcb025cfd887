"""Games other than Go, a file each; they keep the search general."""
