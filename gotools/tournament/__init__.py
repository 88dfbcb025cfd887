"""Players against players: engines that speak GTP, the games between them, and what the games say.

The files by what they are for, each group in the order in which to read it:

    what is played   config, engine_spec, rule_sets, time_control, openings, schedule
    an engine        gtp/ (process, answers, client), contestant, check/
    a game           referee, play, counting, game_result, sgf_of_game
    a run            tournament, journal, pool, runner, sequential
    what came of it  report/
    for examples     random_games
"""
