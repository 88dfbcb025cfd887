"""Tournaments: engines that speak GTP, the games between them, and the reports.

Each group in reading order:

    the settings     game/, config.py, schedule.py
    one game         contestant.py (an engine at the board), play.py, counting.py, sgf_of_game.py
    a run            tournament.py, journal.py, pool.py, runner.py, sequential.py
    the result       report/
    one engine       check/: does it support what a tournament needs

The client side of GTP is gtp_client/.
"""
