"""How kernels are compiled: the one file that names numba options.

``kernel`` is ``numba.njit`` with the project's options. Compiled code is cached in a folder named after
a hash of every source file of ``sim``, because numba's own cache keeps stale callers when a callee in
another file changes (numba#1833). The hash also goes into the provenance of every log.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np import arrayobj

_KEPT_CACHES = 4  # newest cache folders that survive pruning


def _code_hash(*patterns: str) -> str:
    """SHA-256 over files of ``sim`` and the versions of what compiles them, 16 hex digits."""
    root = Path(__file__).parent
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for path in sorted(path for pattern in patterns for path in root.rglob(pattern)):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


CODE_HASH = _code_hash("*.py", "weights.toml")  # of all that decides results, for provenance
_KERNELS_HASH = _code_hash("*.py")  # of all that is compiled


def cache_root() -> Path:
    """Folder that holds compiled kernels and tables: ``$GDMJ_CACHE_DIR`` or ``~/.cache/gdmj``."""
    given = os.environ.get("GDMJ_CACHE_DIR")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gdmj"


def _prepare_cache() -> None:
    """Point numba at the folder of this code version and drop folders of old versions."""
    root = cache_root()
    mine = root / f"kernels-{_KERNELS_HASH}"
    try:
        mine.mkdir(parents=True, exist_ok=True)
        os.utime(mine, (time.time(), time.time()))
        others = {path for path in root.glob("kernels-*") if path != mine}  # mine stays, whatever the clock says
        for old in sorted(others, key=lambda p: p.stat().st_mtime, reverse=True)[_KEPT_CACHES - 1 :]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return  # read-only home: numba compiles without a cache of ours
    config: Any = numba.config
    config.CACHE_DIR = str(mine)


_prepare_cache()


_OPTIONS: dict[str, Any] = {"cache": True, "error_model": "numpy", "_nrt": False}
_KERNEL_OPTIONS = _OPTIONS | {"nogil": True, "no_cfunc_wrapper": True}
_without_value: Any = types.unliteral  # type of a constant without what it is


def kernel(function: Callable[..., Any]) -> Any:
    """Compile ``function`` with the project's options: nogil, cached, no Python objects.

    Kernels allocate nothing; all arrays come from the caller, who keeps them alive. So reference counting is switched
    off (``_nrt=False``): with it four ``ukeire`` bots played 19,400 hands/s, without 31,500 (zhuama, one core),
    ``random`` bots 35,000 and 172,000. Integer division by zero is not checked (``error_model="numpy"``).

    A kernel is compiled once for each set of argument types. numba would compile it for each constant that a caller
    writes, too, and so all that calls it: without that the main job compiles 130 functions in place of 211, 26 CPU
    seconds in place of 41, and plays as fast (0.98 to 1.03 in seven jobs; LLVM sees the constants when it inlines).
    No entry for C function pointers (``no_cfunc_wrapper``): 24 seconds. So no kernel can ask for an argument that is
    known when it is compiled, and one that calls itself must not do so with a constant written there.
    """
    made: Any = numba.njit(**_KERNEL_OPTIONS)(function)
    find = made.get_call_template

    def find_by_types(args: Any, kws: Any) -> Any:
        return find([_without_value(a) for a in args], {name: _without_value(a) for name, a in kws.items()})

    made.get_call_template = find_by_types
    return made


_pointer: Any = types.CPointer
_ENTRY = types.int64(_pointer(types.int64), _pointer(types.int64), _pointer(types.uint8), *[types.int64] * 6)


def entry(function: Callable[..., Any]) -> Any:
    """Compile ``function(s, r, t, a, b, c, d, e, f)``, pointers and integers, for calls by its ``address``.

    A kernel that calls it by address (`call_entry`) is compiled without it. That keeps large bots out of the main
    job's compile time, which grows with all code below each kernel.
    """
    return numba.cfunc(_ENTRY, **_OPTIONS)(function)


def own_entry(function: Callable[..., Any]) -> Any:
    """Compile an `entry` that calls a function from outside the project, which may allocate; it is not cached."""
    return numba.cfunc(_ENTRY)(function)


@intrinsic
def call_entry(
    typingctx: Any, address: Any, s: Any, r: Any, t: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any
) -> Any:
    """Call what `entry` compiled, with the data of three arrays and six int64; return its int64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = [context.make_array(signature.args[i])(context, builder, args[i]).data for i in (1, 2, 3)]
        numbers = list(args[4:])
        made = ir.FunctionType(ir.IntType(64), [x.type for x in (*data, *numbers)])
        return builder.call(builder.inttoptr(args[0], made.as_pointer()), [*data, *numbers])

    return types.int64(types.int64, s, r, t, *[types.int64] * 6), codegen


def is_cached(function: Any) -> bool:
    """Whether a compiled version of the dispatcher ``function`` lies in the cache folder."""
    folder = cache_root() / f"kernels-{_KERNELS_HASH}"
    return any(folder.rglob(f"*{function.py_func.__name__}-*.nbi"))


def _array(context: Any, builder: Any, array: Any, data: Any, rows: Any, columns: Any) -> Any:
    """Array of two dimensions over data that somebody else keeps."""
    made = context.make_array(array)(context, builder)
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(array.dtype)))
    strides = (builder.mul(columns, size), size)
    fill: Any = arrayobj.populate_array
    fill(made, data=data, shape=(rows, columns), strides=strides, itemsize=size, meminfo=None)
    return made._getvalue()


@intrinsic
def view(typingctx: Any, pointer: Any, n_rows: Any, n_columns: Any) -> Any:
    """Array (n_rows, n_columns) of what a pointer of an `entry` points to."""
    array = types.Array(pointer.dtype, 2, "C")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _array(context, builder, array, *args)

    return array(pointer, types.int64, types.int64), codegen


@intrinsic
def array_at(typingctx: Any, address: Any, n_rows: Any, n_columns: Any) -> Any:
    """Array int64 (n_rows, n_columns) at an address, which the caller of all kernels keeps alive."""
    array = types.Array(types.int64, 2, "C")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = builder.inttoptr(args[0], context.get_data_type(array.dtype).as_pointer())
        return _array(context, builder, array, data, *args[1:])

    return array(types.int64, types.int64, types.int64), codegen


@intrinsic
def at(typingctx: Any, address: Any) -> Any:
    """Pointer to the int64 that lie at an address."""
    pointer = _pointer(types.int64)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(pointer))

    return pointer(types.int64), codegen


@intrinsic
def mulhi(typingctx: Any, a: Any, b: Any) -> Any:
    """High 64 bits of the product of two uint64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def lowest_bit(typingctx: Any, mask: Any) -> Any:
    """Index of the lowest set bit of an int64; 64 for 0."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), codegen


@intrinsic
def n_bits(typingctx: Any, mask: Any) -> Any:
    """Count the set bits of an int64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen
