"""What the commands do, as functions: `import gotools` offers them, docs/library.md explains them.

    arguments    paths and messages, as all functions take them
    records      read_games, read_examples, convert_records
    induction    induce_rules
    rules        load_rules, compile_rules, measure_rules
    ranking      rank_moves, write_ranking
    values       train, load_evaluation
    orders       cluster_moves, compare_orders
    players      Player
    matches      run_tournament
    ratings      rate
    lessons      compare_players
    saving       save
    showing      show

The commands call the same functions, so defaults stand here once. What is slow to import is imported inside functions:
`import gotools` takes no time, and a command takes its defaults from here before it knows whether it is to run.
"""
