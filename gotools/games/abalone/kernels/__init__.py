"""Compiled functions of Abalone: rules, then inputs, patterns and values over them."""
