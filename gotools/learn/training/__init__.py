"""A whole training run.

recipe         options -> a trainer; all defaults stand here
trainers       one step of each method: td, tdleaf, evolve, climb
training       checkpoints, resuming, referees
training_log   log.tsv
"""
