"""Records of shogi in its own notations: KIF, KI2, CSA, lists of USI.

Read notations.py (which notation a file has), sheets.py (a game in the making), lines.py (encodings, lines), starts.py
(start positions, what stands where), csa.py, usi.py; words.py (Japanese), japanese_sheet.py, kif.py, ki2.py.
"""
