"""The innermost loops of a convolution: a few points side by side, and 16 or 32 outputs of each, kept in registers.

Written for LLVM directly, since no loop over arrays keeps its sums in registers. Each output is a sum of fused
multiply-adds in one order, over rows, columns and inputs of the filter; so it has the same bits on every processor,
whatever the width of its vectors.
"""

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_FLOAT, _INT64, _INT32 = ir.FloatType(), ir.IntType(64), ir.IntType(32)
_LANES = 16


def _most_points(vectors):
    """Return the number of points whose sums, vectors of 16, fit into the registers of this processor."""
    wide = binding.get_host_cpu_features().get("avx512f", False)
    return 20 // vectors if wide else max(1, 5 // vectors)


def _fused(builder, a, b, c):
    """Return a * b + c, rounded once."""
    kind = ir.FunctionType(a.type, [a.type] * 3)
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{_LANES}f32"), [a, b, c])


def _spread(builder, number):
    """Return a vector of one number."""
    vector = ir.VectorType(_FLOAT, _LANES)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), number, _INT32(0))
    zeros = ir.Constant(ir.VectorType(_INT32, _LANES), [0] * _LANES)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), zeros)


def _tile(points, vectors):
    """Make an intrinsic for a number of points and of vectors of outputs; see `convolve` for its arguments."""
    vector = ir.VectorType(_FLOAT, _LANES)

    def generate(context, builder, signature, arguments):
        x, x_at, n_in, x_row, taps, weights, w_at, bias_at, n_out, y, y_at = arguments

        def place(number, array, at):
            data = context.make_array(signature.args[number])(context, builder, array).data
            return builder.gep(data, [at])

        def load(pointer):
            return builder.load(builder.bitcast(pointer, vector.as_pointer()), align=4)

        def shifted(pointer, times, step):
            return builder.gep(pointer, [builder.mul(step, _INT64(times))])

        first_x, first_w = place(0, x, x_at), place(5, weights, w_at)
        bias, first_y = place(5, weights, bias_at), place(9, y, y_at)
        most = _most_points(vectors)
        for begin in range(0, points, most):
            group = range(begin, min(points, begin + most))
            sums = {(p, v): cgutils.alloca_once(builder, vector) for p in group for v in range(vectors)}
            for (_, v), slot in sums.items():
                builder.store(load(builder.gep(bias, [_INT64(v * _LANES)])), slot)
            next_w = cgutils.alloca_once_value(builder, first_w)
            builder.store(first_w, next_w)
            with cgutils.for_range(builder, taps) as down, cgutils.for_range(builder, taps) as across:
                step = builder.add(builder.mul(down.index, x_row), builder.mul(across.index, n_in))
                corner = builder.gep(first_x, [step])
                with cgutils.for_range(builder, n_in) as channel:
                    row = builder.load(next_w)
                    factors = [load(builder.gep(row, [_INT64(v * _LANES)])) for v in range(vectors)]
                    builder.store(builder.gep(row, [n_out]), next_w)
                    for p in group:
                        at = builder.gep(shifted(corner, p, n_in), [channel.index])
                        value = _spread(builder, builder.load(at))
                        for v in range(vectors):
                            slot = sums[p, v]
                            builder.store(_fused(builder, value, factors[v], builder.load(slot)), slot)
            for (p, v), slot in sums.items():
                at = builder.gep(shifted(first_y, p, n_out), [_INT64(v * _LANES)])
                builder.store(builder.load(slot), builder.bitcast(at, vector.as_pointer()), align=4)
        return context.get_dummy_value()

    @intrinsic
    def tile(typing_context, x, x_at, n_in, x_row, taps, weights, w_at, bias_at, n_out, y, y_at):
        return types.void(x, x_at, n_in, x_row, taps, weights, w_at, bias_at, n_out, y, y_at), generate

    return tile


nine_by_32, five_by_32, one_by_32 = (_tile(points, 2) for points in (9, 5, 1))
nine_by_16, five_by_16, one_by_16 = (_tile(points, 1) for points in (9, 5, 1))
