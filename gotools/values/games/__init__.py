"""Games that learners play: self-play, matches between evaluations, games against GTP programs."""
