"""What a rule says and where it holds.

rules        Rule, RuleSet, rules.pl
points       the positions and moves at which rules are evaluated
facts        what is true around a point of Go, as arrays
clauses      a clause -> conditions over these arrays
moves        both for games whose vocabulary is measures and a window
meaning      where clauses hold, whatever the game
background   a user's own predicates; `questions` writes the queries for Prolog
"""
