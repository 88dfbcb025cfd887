"""Status by playouts, settling of games, Bouzy's maps on bit rows, the built-in evaluation, compiled."""
