"""Orders of moves compared: the same positions searched to the same depth in each order.

positions         of examples of Go, or of decisions in any other game
by_value          alpha-beta in the best order and in the worst, and minimax
settings          how positions are searched, and which
benchmark         the comparison: positions searched and time, and their sums
benchmark_output  as a table for people, as TSV and as JSON
"""
