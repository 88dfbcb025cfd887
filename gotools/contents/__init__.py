"""Say what a file of ours holds, and how large a game is by its records.

contents     what is said: facts and lists, as text or JSON
showing      the reader for each kind of file
of_weights   eval.npz
of_rules     rules.pl, rules.so, rules.c
of_tables    clusters.tsv, examples.tsv, logs, ratings and other tables; JSON
of_runs      results.jsonl, or the folder of a tournament
of_games     records: length of games, legal moves, game tree, positions
"""
