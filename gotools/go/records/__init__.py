"""Game records: SGF text in, GameRecord out; nothing here knows of examples.

encoding, sgf   bytes -> text -> games
encoding_guess  which encoding is the likeliest, by the characters that are frequent
numbers         komi and handicap in words -> numbers
mainline        a game tree -> its main line
ranks           `3d`, `12k`, `1500?` -> a number
results         `B+R`, `White wins`, `白番半目勝ち` -> who won, and how
selection       the choice of games and moves
"""
