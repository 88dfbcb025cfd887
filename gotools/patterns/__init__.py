"""Rules of where players move: written, induced, weighed, explained, compiled, matched.

The files by what they are for, each group in the order in which to read it (names with `_` are numba kernels):

    a rule           rules, points, facts (_facts, _measures), clauses (_clauses, _tests): what it says, where it holds
    --background     background (background_loader.pl), questions: a user's own predicates
    induced: cover   sampling, saturation, induce (_tree, _search, _memo), study
    induced: rank    conditions, masks, boost (_boost), weights (_softmax), firing, rank_study
    measured         accuracy
    told to people   scene, surroundings, sentences, diagrams, report, summary
    compiled         plan, c_tables, c_source (rules_runtime.c, gotools_rules.h), build, native
    matched          matching, ranking
"""
