"""Kernels that all compiled code shares; seams.py, the signatures, is the one to read first."""
