"""Facts around a point, measures, conditions and clauses over them, compiled."""
