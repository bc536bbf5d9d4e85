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

_KEPT_CACHES = 4  # newest cache folders that survive pruning


def _code_hash() -> str:
    """SHA-256 over the sources of ``sim`` and the versions of what compiles them, 16 hex digits."""
    root = Path(__file__).parent
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


CODE_HASH = _code_hash()


def cache_root() -> Path:
    """Folder that holds compiled kernels and tables: ``$GDMJ_CACHE_DIR`` or ``~/.cache/gdmj``."""
    given = os.environ.get("GDMJ_CACHE_DIR")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gdmj"


def _prepare_cache() -> None:
    """Point numba at the folder of this code version and drop folders of old versions."""
    root = cache_root()
    mine = root / f"kernels-{CODE_HASH}"
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


def kernel(function: Callable[..., Any]) -> Any:
    """Compile ``function`` with the project's options: nogil, cached, no Python objects.

    Kernels allocate nothing; all arrays come from the caller, who keeps them alive. So reference counting is switched
    off (``_nrt=False``): with it four ``ukeire`` bots played 19,400 hands/s, without 31,500 (zhuama, one core),
    ``random`` bots 35,000 and 172,000. Integer division by zero is not checked (``error_model="numpy"``).
    """
    options: Any = {"nogil": True, "cache": True, "error_model": "numpy", "_nrt": False}
    return numba.njit(**options)(function)


def is_cached(function: Any) -> bool:
    """Whether a compiled version of the dispatcher ``function`` lies in the cache folder."""
    folder = cache_root() / f"kernels-{CODE_HASH}"
    return any(folder.rglob(f"*{function.py_func.__name__}-*.nbi"))


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
