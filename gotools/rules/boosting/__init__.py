"""Boosting: conditions, masks over all candidates, rounds that add the most useful rule."""
