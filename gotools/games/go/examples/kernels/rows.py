"""Turn rows of examples into text and back.

A line of text, tabs between the fields (9x9: about 130 bytes):
    game:12 b ........./...(rows from the top)/......... - D4 pass E5 1 played
Names of games arrive and leave as one array of bytes.
"""

import numpy as np

from gotools.games.go.kernels.constants import NONE, PASS
from gotools.jit import inner, kernel, unrolled

TAB, LINE_FEED, SLASH, COLON, MINUS, ZERO = 9, 10, 47, 58, 45, 48


@inner
def write_point(text, at, point, size):
    """Write a point as a GTP vertex (`-` for NONE, `pass`); return the place after it."""
    if point == NONE:
        text[at] = MINUS
        return at + 1
    if point == PASS:
        text[at], text[at + 1], text[at + 2], text[at + 3] = 112, 97, 115, 115
        return at + 4
    column, row = point % size, point // size + 1
    text[at] = 65 + column + (1 if column >= 8 else 0)  # no I
    at += 1
    if row >= 10:
        text[at] = ZERO + row // 10
        at += 1
    text[at] = ZERO + row % 10
    return at + 1


@inner
def write_position(text, at, board, size):
    """Write rows of `.`, `X`, `O` from the top; return the place after them."""
    if size == 9:  # a constant length: the inner loop is unrolled, which halves the time of all the text
        return write_rows(text, at, board, 9)
    return write_rows(text, at, board, size)


@unrolled
def write_rows(text, at, board, size):
    """The work of write_position; a function of its own, so that it is compiled for a constant too."""
    first = size * size - size
    while first >= 0:
        for column in range(size):
            colour = board[first + column]
            text[at + column] = 46 + 42 * (colour & 1) + 33 * (colour >> 1)  # . X O without a branch
        at += size
        text[at] = SLASH
        at += 1
        first -= size
    return at - 1


@inner
def write_number(text, at, number):
    """Write a number above 0; return the place after it."""
    digits, rest = 0, number
    while rest:
        rest //= 10
        digits += 1
    for place in range(digits - 1, -1, -1):
        text[at + place] = ZERO + number % 10
        number //= 10
    return at + digits


@kernel
def write_text(text, letters, ends, game, ply, columns, source_letters, source_ends):
    """Write all rows into `text` (large enough) and return the bytes used.

    letters, ends -- the names of games joined, name i is letters[ends[i]:ends[i + 1]]
    columns -- Examples.columns()
    """
    size, to_play, board, ko, last, last2, move, label, source = columns
    at = 0
    for row in range(len(size)):
        for letter in range(ends[game[row]], ends[game[row] + 1]):
            text[at] = letters[letter]
            at += 1
        if ply[row]:
            text[at] = COLON
            at = write_number(text, at + 1, np.int64(ply[row]))
        text[at] = TAB
        text[at + 1] = 98 if to_play[row] == 1 else 119
        text[at + 2] = TAB
        at = write_position(text, at + 3, board[row], np.int64(size[row]))
        for points in (ko, last, last2, move):
            text[at] = TAB
            at = write_point(text, at + 1, np.int64(points[row]), np.int64(size[row]))
        text[at] = TAB
        text[at + 1] = ZERO + label[row]
        text[at + 2] = TAB
        at += 3
        for letter in range(source_ends[source[row]], source_ends[source[row] + 1]):
            text[at] = source_letters[letter]
            at += 1
        text[at] = LINE_FEED
        at += 1
    return at


@kernel
def largest_board(text, column):
    """Return the number of lines, and the longest first row of a board in the given column."""
    lines, widest, field, width, counting = 0, 0, 0, 0, column == 0
    for byte in text:
        if byte == LINE_FEED:
            lines += 1
            field, width, counting = 0, 0, column == 0
        elif byte == TAB:
            field += 1
            width, counting = 0, field == column
        elif byte == SLASH:
            counting = False
        elif counting:
            width += 1
            widest = max(widest, width)
    return lines, widest


@inner
def parse_point(text, begin, end, size):
    """Return the point that text[begin:end] names, or -3."""
    length = end - begin
    if length == 1 and text[begin] == MINUS:
        return NONE
    if length == 4 and text[begin] | 32 == 112 and text[begin + 1] | 32 == 97 and text[begin + 2] | 32 == 115:
        return PASS
    if length < 2 or length > 3:
        return -3
    letter = np.int64(text[begin] | 32) - 97
    if letter < 0 or letter > 19 or letter == 8:
        return -3
    column, row = letter - (1 if letter > 8 else 0), 0
    for place in range(begin + 1, end):
        if text[place] < ZERO or text[place] > ZERO + 9:
            return -3
        row = row * 10 + np.int64(text[place]) - ZERO
    if column >= size or row < 1 or row > size:
        return -3
    return (row - 1) * size + column


@inner
def parse_position(text, begin, end, board):
    """Fill `board` and return the size, or minus the number of the problem."""
    size = 0
    while begin + size < end and text[begin + size] != SLASH:
        size += 1
    if size < 2 or size > 19:
        return -4
    if end - begin != size * (size + 1) - 1:
        return -3
    for row in range(size):
        start = begin + row * (size + 1)
        if row and text[start - 1] != SLASH:
            return -3
        for column in range(size):
            byte = text[start + column]
            if byte == 46:
                colour = 0
            elif byte == 88:
                colour = 1
            elif byte == 79:
                colour = 2
            else:
                return -3
            board[(size - 1 - row) * size + column] = colour
    return size


@inner
def source_number(text, begin, end, letters, ends):
    """Return the index of the source that text[begin:end] names, or -1."""
    for number in range(len(ends) - 1):
        if same_bytes(text, begin, end, letters, ends[number], ends[number + 1]):
            return number
    return -1


@inner
def find_fields(text, at, fields, begins, ends):
    """Fill where each field of a line lies (begins -1: nowhere); return the next line and the fields."""
    begins[:] = -1
    column, start = 0, at
    while True:
        byte = text[at]
        if byte == TAB or byte == LINE_FEED:
            if column < len(fields) and fields[column] >= 0:
                begins[fields[column]] = start
                ends[fields[column]] = at
            column += 1
            start = at + 1
        at += 1
        if byte == LINE_FEED:
            return at, column


@kernel
def parse_text(
    text, fields, bare, names, game, ply, size, to_play, board, ko, last, last2, move, label, source, letters, stops
):
    """Fill the arrays from lines of text; return the bytes of names written, the row of a problem, and its number.

    fields[column] is the index into COLUMNS, or -1 for a column to ignore. A name is written, closed by a line feed,
    when it differs from that of the row before. bare: rows without a move are no problem.
    """
    known, before = -1, 0
    begins = np.zeros(9, np.int64)
    ends = np.zeros(9, np.int64)
    at, written = 0, 0
    for row in range(len(size)):
        at, column = find_fields(text, at, fields, begins, ends)
        if column < len(fields):
            return written, row, 1
        problem = parse_row(
            text, begins, ends, bare, row, size, to_play, board, ko, last, last2, move, label, source, letters, stops
        )
        if problem:
            return written, row, problem
        if begins[0] >= 0:
            end, ply[row] = split_id(text, begins[0], ends[0])
            if known < 0 or not same_bytes(text, begins[0], end, names, before, written - 1):
                before = written
                for place in range(begins[0], end):
                    names[written] = text[place]
                    written += 1
                names[written] = LINE_FEED
                written += 1
                known += 1
            game[row] = known
    return written, 0, 0


@inner
def split_id(text, begin, end):
    """Return where the name in `name:12` ends, and the number; 0 without a number in our form."""
    place, number, unit = end - 1, 0, 1
    while place >= begin and ZERO <= text[place] <= ZERO + 9 and end - place <= 9:
        number += unit * (np.int64(text[place]) - ZERO)
        unit *= 10
        place -= 1
    if place < begin or place == end - 1 or text[place] != COLON or text[place + 1] == ZERO:
        return end, 0
    return place, number


@inner
def same_bytes(text, begin, end, other, from_, to):
    """Return whether text[begin:end] and other[from_:to] are the same."""
    if end - begin != to - from_:
        return False
    for place in range(end - begin):
        if text[begin + place] != other[from_ + place]:
            return False
    return True


@inner
def parse_row(
    text, begins, ends, bare, row, size, to_play, board, ko, last, last2, move, label, source, letters, stops
):
    """Fill one row from the places of its fields; return 0 or the number of a problem."""
    colour = text[begins[1]] if ends[1] - begins[1] == 1 else 0
    if colour != 98 and colour != 119:
        return 2
    to_play[row] = 1 if colour == 98 else 2
    found = parse_position(text, begins[2], ends[2], board[row])
    if found < 0:
        return -found
    size[row] = found
    column = 3
    for points in (ko, last, last2, move):
        if begins[column] >= 0:
            point = parse_point(text, begins[column], ends[column], found)
            if point == -3:
                return 5
            points[row] = point
        column += 1
    if move[row] < (-1 if bare else 0):
        return 6
    if move[row] >= 0 and board[row, move[row]]:
        return 7
    if begins[7] >= 0:
        mark = text[begins[7]] if ends[7] - begins[7] == 1 else 0
        if mark != ZERO and mark != ZERO + 1:
            return 8
        label[row] = mark - ZERO
    if begins[8] >= 0:
        number = source_number(text, begins[8], ends[8], letters, stops)
        if number < 0:
            return 9
        source[row] = number
    return 0


@kernel
def group_keys(size, to_play, board, ko, keys):
    """Fill uint8[n, c + 4] with what makes a position the same for the player: size, side, ko, cells."""
    for row in range(len(size)):
        keys[row, 0] = size[row]
        keys[row, 1] = to_play[row]
        keys[row, 2] = np.uint8((ko[row] + 1) & 255)
        keys[row, 3] = np.uint8((ko[row] + 1) >> 8)
        for cell in range(board.shape[1]):
            keys[row, 4 + cell] = board[row, cell]
