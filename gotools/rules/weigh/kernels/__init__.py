"""Softmax over the legal moves and its gradient, compiled."""
