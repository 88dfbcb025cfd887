"""Searches over any Game. Imports no game, no rules, nothing learned: orderings and evaluations come as functions.

choice      Limits, Option, Choice: what a search is given and what it answers
knowledge   Ordering, Evaluation: what a search may know
alphabeta   iterative deepening; (kernels) alphabeta, selective, move_order, transpositions, tables
mcts        trees: UCT with RAVE and priors, PUCT with a policy
proof       whether a side can force a goal, by proof numbers
plain       (kernels) alpha-beta without a table, for self-play and referees
"""
