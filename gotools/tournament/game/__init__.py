"""The parts of a game between two engines.

engine_spec.py   an engine, as the user describes it
rule_sets.py     the rules of Go that it can be played by; time_control.py its clocks; openings.py its first moves
referee.py       judges moves and counts the end
game_result.py   its result, as kept
"""
