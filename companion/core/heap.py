"""How the C library keeps memory: in one heap, and given back once a job with pictures is over."""

from __future__ import annotations

import ctypes

M_ARENA_MAX = -8
"""How many heaps there may be, in glibc's malloc.h."""


def give_back() -> None:
    """Let the C library return what it keeps for later: pictures leave holes in its heap, and they stay.

    Takes some milliseconds. Nothing where the C library knows no such thing.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def one_heap() -> None:
    """Let all threads take their memory from one heap: what one of them has left free, the next one uses.

    To be called before there are threads. Nothing where the C library knows no such thing.
    """
    option = getattr(ctypes.CDLL(None), "mallopt", None)
    if option is not None:
        option(M_ARENA_MAX, 1)
