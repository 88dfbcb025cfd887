"""Residual networks over planes: shape (shape), samples (samples), training by PyTorch (model, learner)."""
