"""The innermost loops of a convolution: a few points side by side, and 16 or 32 outputs of each, kept in registers.

Written for LLVM directly, since no loop over arrays keeps its sums in registers. Each output is a sum of fused
multiply-adds in one order, over rows, columns and inputs of the filter; so it has the same bits on every processor,
whatever the width of its vectors.
"""

from llvmlite import binding
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from gotools.jit.kernels.vectors import INT64, LANES, VECTOR, fused, load, place, spread, store


def _most_points(vectors):
    """Return the number of points whose sums, vectors of 16, fit into the registers of this processor."""
    wide = binding.get_host_cpu_features().get("avx512f", False)
    return 20 // vectors if wide else max(1, 5 // vectors)


def _tile(points, vectors):
    """Make an intrinsic for a number of points and of vectors of outputs; see `convolve` for its arguments."""

    def generate(context, builder, signature, arguments):
        x, x_at, n_in, x_row, taps, weights, w_at, bias_at, n_out, y, y_at = arguments

        def pointer(number, array, at):
            return place(context, builder, signature.args[number], array, at)

        def shifted(pointer, times, step):
            return builder.gep(pointer, [builder.mul(step, INT64(times))])

        first_x, first_w = pointer(0, x, x_at), pointer(5, weights, w_at)
        bias, first_y = pointer(5, weights, bias_at), pointer(9, y, y_at)
        most = _most_points(vectors)
        for begin in range(0, points, most):
            group = range(begin, min(points, begin + most))
            sums = {(p, v): cgutils.alloca_once(builder, VECTOR) for p in group for v in range(vectors)}
            for (_, v), slot in sums.items():
                builder.store(load(builder, builder.gep(bias, [INT64(v * LANES)])), slot)
            next_w = cgutils.alloca_once_value(builder, first_w)
            builder.store(first_w, next_w)
            with cgutils.for_range(builder, taps) as down, cgutils.for_range(builder, taps) as across:
                step = builder.add(builder.mul(down.index, x_row), builder.mul(across.index, n_in))
                corner = builder.gep(first_x, [step])
                with cgutils.for_range(builder, n_in) as channel:
                    row = builder.load(next_w)
                    factors = [load(builder, builder.gep(row, [INT64(v * LANES)])) for v in range(vectors)]
                    builder.store(builder.gep(row, [n_out]), next_w)
                    for p in group:
                        at = builder.gep(shifted(corner, p, n_in), [channel.index])
                        value = spread(builder, builder.load(at))
                        for v in range(vectors):
                            slot = sums[p, v]
                            builder.store(fused(builder, value, factors[v], builder.load(slot)), slot)
            for (p, v), slot in sums.items():
                at = builder.gep(shifted(first_y, p, n_out), [INT64(v * LANES)])
                store(builder, builder.load(slot), at)
        return context.get_dummy_value()

    @intrinsic
    def tile(typing_context, x, x_at, n_in, x_row, taps, weights, w_at, bias_at, n_out, y, y_at):
        return types.void(x, x_at, n_in, x_row, taps, weights, w_at, bias_at, n_out, y, y_at), generate

    return tile


nine_by_32, five_by_32, one_by_32 = (_tile(points, 2) for points in (9, 5, 1))
nine_by_16, five_by_16, one_by_16 = (_tile(points, 1) for points in (9, 5, 1))
