"""Turn the best moves of positions into lines of text.

A line, tabs between the fields, rules in the order of their numbers or `-`:
    game:12  1  D4  -0.1235  0.0419  0  r3,r17
Names of games and ids of rules arrive as one array of bytes each, as in games/go/examples/kernels/rows.py.
"""

from gotools.games.go.examples.kernels.rows import COLON, LINE_FEED, MINUS, TAB, ZERO, write_number, write_point
from gotools.jit import inner, kernel

COMMA, POINT = 44, 46
DECIMALS = 4


@inner
def write_letters(text, at, letters, begin, end):
    """Write letters[begin:end]; return the place after them."""
    for letter in range(begin, end):
        text[at] = letters[letter]
        at += 1
    return at


@inner
def write_decimal(text, at, units):
    """Write a number of units of 0.0001 as a decimal number; return the place after it."""
    if units < 0:
        text[at] = MINUS
        at += 1
        units = -units
    whole, part = units // 10000, units % 10000
    if whole:
        at = write_number(text, at, whole)
    else:
        text[at] = ZERO
        at += 1
    text[at] = POINT
    for place in range(DECIMALS, 0, -1):
        text[at + place] = ZERO + part % 10
        part //= 10
    return at + DECIMALS + 1


@kernel
def write_rows(
    text, letters, ends, game, ply, size, first, point, score, probability, played, at_rule, rule, ids, id_ends
):
    """Write the rows of all positions into `text` (large enough) and return the bytes used.

    letters, ends -- the names of games, name i is letters[ends[i]:ends[i + 1]]; ids, id_ends -- those of rules
    game, ply, size -- by position, whose rows are first[k] .. first[k + 1] - 1; a ply of 0 is not written
    point, score, probability, played -- by row; the scores and probabilities in units of 0.0001
    at_rule, rule -- rule[at_rule[row]:at_rule[row + 1]] fire
    """
    at = 0
    for k in range(len(size)):
        for row in range(first[k], first[k + 1]):
            at = write_letters(text, at, letters, ends[game[k]], ends[game[k] + 1])
            if ply[k]:
                text[at] = COLON
                at = write_number(text, at + 1, ply[k])
            text[at] = TAB
            at = write_number(text, at + 1, row - first[k] + 1)
            text[at] = TAB
            at = write_point(text, at + 1, point[row], size[k])
            text[at] = TAB
            at = write_decimal(text, at + 1, score[row])
            text[at] = TAB
            at = write_decimal(text, at + 1, probability[row])
            text[at] = TAB
            text[at + 1] = ZERO + played[row]
            text[at + 2] = TAB
            at += 3
            if at_rule[row] == at_rule[row + 1]:
                text[at] = MINUS
                at += 1
            for place in range(at_rule[row], at_rule[row + 1]):
                if place > at_rule[row]:
                    text[at] = COMMA
                    at += 1
                at = write_letters(text, at, ids, id_ends[rule[place]], id_ends[rule[place] + 1])
            text[at] = LINE_FEED
            at += 1
    return at
