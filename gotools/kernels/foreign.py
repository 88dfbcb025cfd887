"""Call a C function of two pointers whose address is known only at run time; a cached kernel stays valid."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def call_with_pointers(typing_context, address, first, second):
    """Call int32 f(void *, void *) at an address, with two addresses; all three are int64. Returns its answer."""

    def generate(context, builder, signature, arguments):
        pointer = ir.IntType(8).as_pointer()
        function = ir.FunctionType(ir.IntType(32), [pointer, pointer]).as_pointer()
        target = builder.inttoptr(arguments[0], function)
        return builder.call(target, [builder.inttoptr(word, pointer) for word in arguments[1:]])

    return types.int32(types.int64, types.int64, types.int64), generate
