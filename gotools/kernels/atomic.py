"""Reads and writes of one entry of an array that several threads may make at the same time.

Written for LLVM directly: numba has none for processors. All are ordered as in one thread after the other.
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
    """Write an entry: whoever `read`s it sees all that this thread wrote before."""
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
