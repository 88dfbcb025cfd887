"""A whole training run.

defaults       the settings of each method, and their defaults
recipe         options -> a trainer
trainers       one step of each method: td, tdleaf, evolve, climb
copies         the weights kept by the way
training       checkpoints, resuming, referees
gtp_partner    a program as an opponent, gtp_teacher: one that analyses positions for a network
training_log   log.tsv
"""
