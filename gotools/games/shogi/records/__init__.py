"""Records of shogi in its own notations: KIF, KI2, CSA, lists of USI.

Read notations.py (which notation a file has, USI), sheets.py (lines, a game in the making), starts.py (start positions,
what stands where), csa.py; japanese_sheet.py (words, KIF), ki2.py.
"""
