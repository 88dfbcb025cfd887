"""From results of games to strengths. Nothing here knows of boards.

The files by purpose, each group in reading order:

    results          games, reading/ (results; formats, archives, and a file for each form)
    ratings          estimates, likelihood, newton, bradley_terry, components, intervals; incremental
    for people       table, screen
    a test           sprt
"""
