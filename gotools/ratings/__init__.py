"""From results of games to strengths. It knows nothing of boards.

The files by what they are for, each group in the order in which to read it:

    results          games, reading/ (results; formats, archives, and a file for each form)
    ratings          estimates, likelihood, newton, bradley_terry, components, intervals; incremental
    told to people   table, screen
    a test           sprt, pair_likelihood, first_passage
"""
