"""Decisions from records, and the table that holds them.

table           Examples: a decision per row, read, written and drawn
gather          records -> decisions, in batches
loading         whatever the user names (SGF, tables, stdin) -> decisions
negatives       counter-examples; random_games plays for them
good_and_bad    moves of strong winners and of weak losers
export          folders for Aleph and Popper
"""
