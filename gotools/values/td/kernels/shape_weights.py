"""Which weight stands behind each entry of a table of local patterns (kernels/windows.py).

Patterns that a symmetry of the board turns into each other share a weight; those that also swap the sides share it
with the opposite sign; where both lead to the same pattern there is no weight. An entry is 2 * weight + (1 for the
opposite sign); weight 0 belongs to no pattern and stays 0.
"""

from gotools.jit import inner, kernel
from gotools.jit.kernels.windows import CODES, windows_of


@kernel
def turned_codes(size, turned):
    """Fill int32[16, 3**(size*size)]: each code under the 8 symmetries of the square, then the same with sides swapped.

    Symmetry s: bit 0 mirrors left and right, bit 1 up and down, bit 2 swaps rows and columns afterwards.
    """
    cells = size * size
    for code in range(turned.shape[1]):
        for s in range(8):
            rest = code
            plain = 0
            swapped = 0
            for i in range(cells):
                digit = rest % 3
                rest //= 3
                y, x = i // size, i % size
                if s & 1:
                    x = size - 1 - x
                if s & 2:
                    y = size - 1 - y
                if s & 4:
                    y, x = x, y
                power = 3 ** (y * size + x)
                plain += digit * power
                swapped += (digit if digit == 0 else 3 - digit) * power
            turned[s, code] = plain
            turned[8 + s, code] = swapped


@kernel
def share_by_place(rows, columns, size, symmetries, turned, first, entries):
    """Number the weights of the windows of one size by place; return the next free number.

    For the weights that hold wherever a pattern stands, pass a board of the size of the window: it has one place.

    symmetries -- the number of the board's symmetries: 8 for a square, else 2 (left and right) or 1
    turned     -- of turned_codes; first -- the first free weight; entries -- int32[windows * codes], filled
    """
    codes = turned.shape[1]
    high, wide = rows - size + 1, columns - size + 1
    for y in range(high):
        for x in range(wide):
            for code in range(codes):
                own = (y * wide + x) * codes + code
                least, negative, both = own, 0, False
                for s in range(symmetries):
                    v = wide - 1 - x if s & 1 else x
                    u = high - 1 - y if s & 2 else y
                    if s & 4:
                        u, v = v, u
                    for swap in range(2):
                        other = (u * wide + v) * codes + turned[8 * swap + s, code]
                        if other < least:
                            least, negative = other, swap
                        both = both or (swap == 1 and other == own)
                if both:
                    entries[own] = 0
                elif least == own:
                    entries[own] = 2 * first
                    first += 1
                else:
                    entries[own] = entries[least] ^ negative
    return first


@inner
def weight_of(weights, entry):
    """Return the weight of an entry, with its sign."""
    weight = weights[entry >> 1]
    return -weight if entry & 1 else weight


@kernel
def expand(rows, columns, weights, placed, free, table):
    """Fill float32[entries] with the sum of the two weights of each pattern at each place: by place and anywhere."""
    at = 0
    offset = 0
    for k in range(3):
        codes = CODES[k]
        for _ in range(windows_of(rows, columns, k + 1)):
            for code in range(codes):
                table[at] = weight_of(weights, placed[at]) + weight_of(weights, free[offset + code])
                at += 1
        offset += codes
