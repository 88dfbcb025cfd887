"""Boosting: conditions, masks over all candidates, rounds that add the rule that predicts best."""
