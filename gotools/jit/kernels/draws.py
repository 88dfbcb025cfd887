"""Draw from lists of different lengths."""

from gotools.jit import kernel


@kernel
def draw_round(free, first, group, rows, chance, drawn):
    """Draw one free entry for each of `rows`, in that order; drawn[i] is -1 where the row's group has none left.

    free  -- bool[n], the entries that may still be drawn: drawn ones are taken out
    first -- int64[groups + 1]: group g has the entries first[g] to first[g + 1] - 1
    group -- int64[rows], the group of each row; chance -- float64[len(rows)] in [0, 1)
    """
    for at in range(len(rows)):
        begin, end = first[group[rows[at]]], first[group[rows[at]] + 1]
        left = 0
        for entry in range(begin, end):
            left += free[entry]
        drawn[at] = -1
        if left == 0:
            continue
        skip = int(chance[at] * left)
        for entry in range(begin, end):
            if free[entry]:
                if skip == 0:
                    drawn[at] = entry
                    free[entry] = False
                    break
                skip -= 1


@kernel
def take_out(free, first, values, group, value):
    """Take the entry of each row's value out of the entries of its group that are free; a negative value has none.

    values -- of the entries; group -- int64[rows]; value -- [rows]
    """
    for row in range(len(group)):
        for entry in range(first[group[row]], first[group[row] + 1]):
            if value[row] >= 0 and values[entry] == value[row]:
                free[entry] = False
