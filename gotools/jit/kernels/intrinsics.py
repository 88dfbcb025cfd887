"""Functions written for LLVM directly: atomic access to the entries of an array, and calls of C functions.

Several threads may read and write one entry at the same time: numba has no such functions for processors. All accesses
are ordered as in one thread after the other. A kernel that calls C functions by their address stays valid in the cache.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_ORDER = "seq_cst"


def _entry(context, builder, signature, arguments):
    """Return a pointer to an entry."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return cgutils.get_item_pointer(context, builder, signature.args[0], array, [arguments[1]])


@intrinsic
def fetch_add(typing_context, array, index, value):
    """Add a number to an entry; return what it was."""
    kind = array.dtype
    operation = "fadd" if isinstance(kind, types.Float) else "add"

    def generate(context, builder, signature, arguments):
        more = context.cast(builder, arguments[2], signature.args[2], kind)
        return builder.atomic_rmw(operation, _entry(context, builder, signature, arguments), more, _ORDER)

    return kind(array, index, value), generate


@intrinsic
def publish(typing_context, array, index, value):
    """Write an entry: a thread that `read`s it sees all that this thread wrote before."""
    kind = array.dtype

    def generate(context, builder, signature, arguments):
        new = context.cast(builder, arguments[2], signature.args[2], kind)
        return builder.atomic_rmw("xchg", _entry(context, builder, signature, arguments), new, _ORDER)

    return kind(array, index, value), generate


@intrinsic
def read(typing_context, array, index):
    """Return an entry, and see what was written before it was published."""
    kind = array.dtype

    def generate(context, builder, signature, arguments):
        place = _entry(context, builder, signature, arguments)
        return builder.load_atomic(place, _ORDER, kind.bitwidth // 8)

    return kind(array, index), generate


@intrinsic
def claim(typing_context, array, index, value):
    """Write an entry where it is 0; return whether it was."""
    kind = array.dtype

    def generate(context, builder, signature, arguments):
        place = _entry(context, builder, signature, arguments)
        new = context.cast(builder, arguments[2], signature.args[2], kind)
        none = ir.Constant(context.get_value_type(kind), 0)
        return builder.extract_value(builder.cmpxchg(place, none, new, _ORDER, _ORDER), 1)

    return types.boolean(array, index, value), generate


@intrinsic
def call_with_pointers(typing_context, address, first, second):
    """Call int32 f(void *, void *) at an address, with two addresses; all three are int64. Returns its answer."""

    def generate(context, builder, signature, arguments):
        pointer = ir.IntType(8).as_pointer()
        function = ir.FunctionType(ir.IntType(32), [pointer, pointer]).as_pointer()
        target = builder.inttoptr(arguments[0], function)
        return builder.call(target, [builder.inttoptr(word, pointer) for word in arguments[1:]])

    return types.int32(types.int64, types.int64, types.int64), generate
