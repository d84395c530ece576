"""Readers with faults that were put there, to see that the harness finds each kind of them and nothing else."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.fuzz.spoil import Stock
from tests.fuzz.target import Target, Work, hold

BAD = b"bad"
CPU_S, WAIT_S = 0.3, 0.6


class Refused(Exception):
    """The exception of the planted readers' room."""


def _spoil(data: bytes, rng: Random, stock: Stock) -> bytes:
    """Half of them are bad."""
    return BAD if rng.random() < 0.5 else b"good" + data[:20]


def _for_ever() -> None:
    while True:
        pass


def _refused(message: str) -> None:
    raise Refused(message)


def _much() -> None:
    taken = bytearray(310_000_000)
    taken[:: 1 << 12] = bytes(len(taken[:: 1 << 12]))


def _deeper(depth: int) -> int:
    return _deeper(depth + 1)


def _asserted() -> None:
    assert time.monotonic() < 0


FAULTS: dict[str, Callable[[], object]] = {
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "abort": os.abort,
    "loop": _for_ever,
    "wait": lambda: time.sleep(3600),
    "memory": _much,
    "address": lambda: bytearray(5_000_000_000),
    "recursion": lambda: _deeper(0),
    "foreign": lambda: os.environ["NOTHING_OF_THIS_NAME"],
    "exit": lambda: sys.exit(3),
    "assert": _asserted,
    "promise": lambda: hold(False, "this is not so"),
    "lines": lambda: _refused("two\nlines"),
    "escape": lambda: _refused("\x1b[31mred"),
    "silent": lambda: _refused(""),
    "none": lambda: _refused("a sentence"),
}
"""What a bad input does, by name; after "none" nothing is wrong."""


def _planted(name: str) -> Target:
    def begin(folder: Path) -> Work:
        def read(data: bytes) -> bool:
            if data == BAD:
                FAULTS[name]()
            return True

        return Work((b"a seed",), read)

    cpu_s, wait_s = CPU_S if name == "loop" else 10.0, WAIT_S if name == "wait" else 60.0
    return Target(f"planted-{name}", begin, _spoil, (Refused,), cpu_s=cpu_s, wait_s=wait_s)


def _needle(folder: Path) -> Work:
    """Build a target that breaks on the word "needle" anywhere in the input."""

    def read(data: bytes) -> bool:
        hold(b"needle" not in data, "no needle")
        return True

    return Work((b"hay",), read)


def _seed(read: Callable[[bytes], bool]) -> Callable[[Path], Work]:
    return lambda folder: Work((BAD, BAD), read)


def _unbegun(folder: Path) -> Work:
    raise ValueError("nothing to begin with")


def _as_refused(data: bytes) -> bool:
    raise Refused("no")


TARGETS = {
    **{f"planted-{name}": _planted(name) for name in FAULTS},
    "planted-needle": Target("planted-needle", _needle, _spoil),
    "planted-refused-seed": Target("planted-refused-seed", _seed(_as_refused), _spoil, (Refused,)),
    "planted-passed-seed": Target("planted-passed-seed", _seed(lambda data: False), _spoil),
    "planted-unbegun": Target("planted-unbegun", _unbegun, _spoil),
}
