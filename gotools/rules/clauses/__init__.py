"""What a rule says and where it holds.

rules        Rule, RuleSet, rules.pl
points       the positions and points at which rules are evaluated
facts        what is true around a point, as arrays
clauses      a clause -> conditions over these arrays
background   a user's own predicates; `questions` writes the queries for Prolog
"""
