"""Records of any game: files in, Record out; nothing here knows of examples' features or of a game's rules.

record, results   what a record holds; `B+R`, `White wins`, `白番半目勝ち` -> who won, and how
encoding          bytes -> text; encoding_guess: which encoding is the likeliest
mainline, sgf     text -> a game tree -> its main line, and back
replay, table     moves -> positions; rows of examples -> records
reading           files, archives, folders -> records
ranks, selection  `3d`, `12k`, `1500?` -> a number; the choice of games and moves
"""
