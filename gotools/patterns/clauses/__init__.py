"""What a rule says and where it holds.

rules        Rule, RuleSet, rules.pl
points       the positions and points that rules are asked about
facts        what is true around a point, as arrays
clauses      a clause -> conditions over these arrays
background   a user's own predicates; questions puts them to Prolog
"""
