"""A whole training run.

settings_text    settings in a file
recipe           settings -> a trainer
trainers         one step of each method: td, tdleaf, evolve, climb
network_trainer  likewise for networks: from records, by self-play
referees         the players that a training is measured against
gtp_programs     GTP programs as opponents, and as teachers, which analyse positions for a network
training         checkpoints, resuming, copies of the weights
training_log     log.tsv
"""
