"""Decisions from records of any game, and the tables that hold them.

sources, settings   where examples come from; which of them are taken
examples, states    Examples: a decision in each row; those of a game without a form of its own
table, loading      tables of examples; whatever the user names (records, tables, stdin) -> decisions
gather              records -> decisions, in batches
negatives           counter-examples
good_and_bad        moves of strong winners and of weak losers
packed              many decisions in little memory
"""
