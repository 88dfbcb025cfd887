"""Results of games from files of every form; `results.read_results` is the whole of it."""
