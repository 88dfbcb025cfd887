"""What separates players: how often each band of ranks plays the moves that rules cover, and ranks estimated from it.

bands       ranks as steps of one size, and bands of them
habits      opportunities and moves of each player in each game
shares      shares of many players with intervals, and their differences
rank_model  ranks estimated from habits, and how good the estimates are
comparison  bands compared, and a player with them
table       as TSV and JSON
screen      for people
"""
