"""Local patterns (windows of stones) with shared weights, and how they learn."""
