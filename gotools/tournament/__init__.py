"""Players against players: engines that speak GTP, the games between them, and what the games say.

Each group in the order in which to read it:

    what is played   game/, config.py, schedule.py
    one game         contestant.py (an engine at the board), play.py, counting.py, sgf_of_game.py
    a run            tournament.py, journal.py, pool.py, runner.py, sequential.py
    what came of it  report/
    one engine       check/ (does it do what a tournament needs), partner.py (as an opponent of train-eval)

How to speak to a program is in gtp_client/.
"""
