"""Rules about where players move: written, induced, weighed, explained, compiled, matched.

The folders and files by purpose, each group in reading order:

    clauses/     rules, points, facts, clauses, moves, meaning: what a rule says and where it holds, in Go and elsewhere
    task/        settings, sampling: what is learned from, and how
    cover/       saturation, induce, study.py: induction by covering (Aleph's loop)
    boosting/    candidates, boost, boost_study.py: induction by boosting
    weigh/       firing, weights, accuracy: which rules fire, their weights, how well they predict
    explain/     scene, surroundings, sentences, telling, diagrams, report; summary.py: rules for people
    compiled/    plan, c_tables, c_source, build, native: rules as C; move_table, move_source: of other games than Go
    matching.py, ranking.py, rule_ranking.py: moves ranked, for tables and searches
"""
