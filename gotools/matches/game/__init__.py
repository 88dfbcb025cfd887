"""The parts of a game between two engines.

engine_spec.py   an engine, as the user describes it
time_control.py  its clocks
openings.py      its first moves
referee.py       judges moves and names the result
game_result.py   its result, as kept
"""
