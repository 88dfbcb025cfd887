"""Vectors of 16 float32 numbers, written for LLVM directly: it makes no vectors of loops over arrays that may overlap.

Sums have one order, whatever the width of a processor's vectors, and so the same bits.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16
INT64, _INT32 = ir.IntType(64), ir.IntType(32)
VECTOR = ir.VectorType(ir.FloatType(), LANES)
_UNDEFINED, _ZEROS = ir.Constant(VECTOR, ir.Undefined), ir.Constant(VECTOR, [0.0] * LANES)


def place(context, builder, kind, array, at):
    """Return a pointer to a number of an array; kind -- the array's type."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [at])


def load(builder, pointer):
    """Return the vector that begins at a number."""
    return builder.load(builder.bitcast(pointer, VECTOR.as_pointer()), align=4)


def store(builder, vector, pointer):
    """Write a vector from a number on."""
    builder.store(vector, builder.bitcast(pointer, VECTOR.as_pointer()), align=4)


def _shuffled(builder, vector, order):
    return builder.shuffle_vector(vector, _UNDEFINED, ir.Constant(ir.VectorType(_INT32, LANES), order))


def spread(builder, number):
    """Return a vector of one number."""
    return _shuffled(builder, builder.insert_element(_UNDEFINED, number, _INT32(0)), [0] * LANES)


def fused(builder, a, b, c):
    """Return a * b + c, rounded once."""
    kind = ir.FunctionType(a.type, [a.type] * 3)
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{LANES}f32"), [a, b, c])


def _largest(builder, a, b):
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


def _sum(builder, vector):
    """Return the sum of a vector: its halves are added, then the halves of their sum, and so on."""
    half = LANES // 2
    while half:
        halves = _shuffled(builder, vector, [(lane + half) % LANES for lane in range(LANES)])
        vector, half = builder.fadd(vector, halves), half // 2
    return builder.extract_element(vector, _INT32(0))


@intrinsic
def relu_and_pool(typing_context, x, at, pooled, sums_at, most_at):
    """Replace 16 numbers of x by their relu, add them to sums in `pooled`, and keep the largest there."""

    def generate(context, builder, signature, arguments):
        first = place(context, builder, signature.args[0], *arguments[:2])
        sums, most = (place(context, builder, signature.args[2], arguments[2], to) for to in arguments[3:])
        numbers = _largest(builder, load(builder, first), _ZEROS)
        store(builder, numbers, first)
        store(builder, builder.fadd(load(builder, sums), numbers), sums)
        store(builder, _largest(builder, numbers, load(builder, most)), most)
        return context.get_dummy_value()

    return types.void(x, at, pooled, sums_at, most_at), generate


@intrinsic
def relu_of_sum(typing_context, x, x_at, y, y_at, terms, terms_at):
    """Replace 16 numbers of x by relu(x + (y + terms))."""

    def generate(context, builder, signature, arguments):
        first, *others = (place(context, builder, signature.args[i], *arguments[i : i + 2]) for i in (0, 2, 4))
        added = builder.fadd(*(load(builder, other) for other in others))
        store(builder, _largest(builder, builder.fadd(load(builder, first), added), _ZEROS), first)
        return context.get_dummy_value()

    return types.void(x, x_at, y, y_at, terms, terms_at), generate


@intrinsic
def weighted_relu(typing_context, x, x_at, terms, terms_at, weights, w_at):
    """Return the sum of 16 numbers relu(x + terms), weighted."""

    def generate(context, builder, signature, arguments):
        x, terms, weights = (
            load(builder, place(context, builder, signature.args[i], *arguments[i : i + 2])) for i in (0, 2, 4)
        )
        return _sum(builder, builder.fmul(_largest(builder, builder.fadd(x, terms), _ZEROS), weights))

    return types.float32(x, x_at, terms, terms_at, weights, w_at), generate
