"""Large kernels are called by others, not copied into them: half of a cold start was compiling copies.

Numba hands each caller the code of all that it calls, and of what that calls, to be optimised and translated again.
Here a caller gets a declaration of a large kernel instead, whose machine code LLVM finds by its name among what is
loaded already. So names are the same in each process, and a kernel in the cache says which others to load before it.
"""

from __future__ import annotations

import functools
import importlib
import re
from typing import Any, Final, NamedTuple

from llvmlite import binding
from numba.core import codegen, compiler

from gotools.jit import target

LARGE: Final = 400
"""Lines of LLVM's text, after optimisation, beyond which a kernel is called. What is called in inner loops is smaller:
with 100, searches took a tenth longer."""
_WRAPPERS: Final = "_ZN7cpython", "cfunc."
_HEAD: Final = re.compile(r"^(?:; Function Attrs: (.*)\n)?define (.*\))[^)]* \{$", re.MULTILINE)


class Load(NamedTuple):
    """Loads or compiles a kernel, whose callers need its symbol; numba calls it before it loads one (`reload_init`)."""

    module: str
    name: str
    arguments: tuple[Any, ...]
    symbol: str = ""

    def __call__(self) -> None:
        """Raise OSError if the kernel has gone or is another now: its caller is then compiled anew."""
        kernel = getattr(importlib.import_module(self.module), self.name, None)
        if kernel is None or kernel.load(self.arguments).fndesc.mangled_name != self.symbol:
            raise OSError(f"{self.module}.{self.name} is not the one that was called")


class Pipeline(compiler.Compiler):
    """Compiles a kernel under a name that is the same in each process; its cache says where it comes from."""

    def __init__(self, cache: Any, *arguments: Any) -> None:
        super().__init__(*arguments)  # type: ignore[no-untyped-call]
        self._cache = cache

    def _compile_bytecode(self) -> Any:
        state, function = self.state, self.state.func_id.func
        code = state.targetctx.codegen()
        if identity := self._cache.identity(code):
            state.func_id.unique_id = identity
            state.library = code.create_library(function.__qualname__)
            state.library.enable_object_caching()
            if "." not in function.__qualname__:
                state.library.load = Load(function.__module__, function.__name__, tuple(state.args))
        return super()._compile_bytecode()  # type: ignore[no-untyped-call]


def call_large(dispatcher: Any) -> None:
    """Let a kernel with a cache of ours be called instead of copied, where it is large."""
    codegen.JITCPUCodegen._library_class = Library
    dispatcher._compiler.pipeline_class = functools.partial(Pipeline, dispatcher._cache)


class Library(codegen.JITCodeLibrary):
    """The code of a function: its machine code, and what callers get of it, which is a declaration if it is large."""

    load: Load | None = None
    """How other processes load it before its callers; None for what is always copied."""
    _bitcode = b""

    def add_ir_module(self, ir_module: Any) -> None:
        target.mark(ir_module)
        super().add_ir_module(ir_module)  # type: ignore[no-untyped-call]

    def finalize(self) -> None:
        super().finalize()  # type: ignore[no-untyped-call]
        needed = {function.name for function in self._final_module.functions if function.is_declaration}
        loads = {getattr(library, "load", None) for library in self._linking_libraries} | self._reload_init
        self._reload_init = {one for one in loads - {None} if not isinstance(one, Load) or one.symbol in needed}

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            if self._bitcode:
                self._shared_module = binding.parse_bitcode(self._bitcode)
            elif large := self.load and self._find_large():
                self.load, self._shared_module = self.load._replace(symbol=large.name), self._declare(large)
            else:
                self.load, self._shared_module = None, super()._get_module_for_linking()  # type: ignore[no-untyped-call]
        return self._shared_module

    def _find_large(self) -> Any:
        """Return the function itself if it is large; what it has been given to call has another linkage."""
        for function in self.get_defined_functions():
            external = function.linkage == binding.Linkage.external and not function.name.startswith(_WRAPPERS)
            if external and str(function).count("\n") > LARGE:
                return function
        return None

    def _declare(self, function: Any) -> Any:
        """Return a module with nothing but a declaration of a function, and all that LLVM has found out about it."""
        ((marks, head),) = _HEAD.findall(str(function))
        module = self._final_module
        text = f'target datalayout = "{module.data_layout}"\ntarget triple = "{module.triple}"\ndeclare {head} {marks}'
        return binding.parse_assembly(text)

    def serialize_using_object_code(self) -> Any:
        name, kind, data = super().serialize_using_object_code()  # type: ignore[no-untyped-call]
        defined = [function.name for function in self.get_defined_functions()]
        return name, kind, data, self.load, self._reload_init, defined

    @classmethod
    def _unserialize(cls, code: Any, state: Any) -> Library:
        """Make what is loaded known by its names; what callers get of it is read when there is a caller."""
        name, _, (machine_code, bitcode), load, needs, defined = state
        self = cls(code, name)
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._bitcode, self.load, self._reload_init = bitcode, load, needs
        self._finalize_final_module()
        code._engine._defined_symbols.update(defined)
        return self
