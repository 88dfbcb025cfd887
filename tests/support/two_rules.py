"""Two rules for ranking, small enough to be counted by hand."""

TWO_RULES = """%% gotools rules 1
%% vocabulary=full

rule(near, 40, 3, 1.25).
move(A,B,C,D) :- last_distance(A,C,D,N), range(N,1,3).
rule(low, 9, 1, -0.5).
move(A,B,C,D) :- line(A,C,D,1).
"""
