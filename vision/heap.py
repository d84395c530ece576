"""How pictures leave memory: the C library has one heap for all threads, given back after work with them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

M_ARENA_MAX = -8
"""How many heaps there may be, in glibc's malloc.h."""


def give_back() -> None:
    """Let the C library return what it keeps for later: pictures leave holes in its heap, and they stay.

    Takes some milliseconds. Nothing where the C library knows no such thing.
    """
    trim = _of_c_library("malloc_trim")
    if trim is not None:
        trim(0)


def one_heap() -> None:
    """Let all threads take their memory from one heap: what one of them has left free, the next one uses.

    To be called before there are threads. Nothing where the C library knows no such thing.
    """
    option = _of_c_library("mallopt")
    if option is not None:
        option(M_ARENA_MAX, 1)


def _of_c_library(name: str) -> Callable[..., object] | None:
    """Return a function of the C library; None where it has no such function, or can't be asked (Windows)."""
    try:
        return getattr(ctypes.CDLL(None), name, None)
    except (TypeError, OSError):
        return None
