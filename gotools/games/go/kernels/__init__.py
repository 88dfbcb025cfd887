"""The rules of Go, compiled. Read rules.py first: it draws the arrays that the others share.

rules, liberties, chains   the board: stones, captures, ko, what lies around a point
game                       Go behind the signatures of kernels/seams.py
replay                     a record's moves at once
playouts, local_weights    playouts with light local heuristics
"""
