"""What a target is, and what all of them have to keep to."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from intake.text import MOST_SHOWN
from tests.fuzz.spoil import Spoil

T = TypeVar("T")
AROUND = 500
"""Characters that a message may have around an error that it quotes."""
UNSHOWN = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Kinds of characters that steer a terminal, or that no text may hold: controls, halves of pairs, ends of lines."""


class Broken(Exception):
    """A promise that doesn't hold: the reader took the input, or refused it, otherwise than it says."""


def hold(holds: object, what: str) -> None:
    """Raise Broken unless it holds."""
    if not holds:
        raise Broken(what)


def hold_same(one: object, other: object, what: str) -> None:
    """Raise Broken, showing both, unless they are equal."""
    hold(one == other, f"{what}: {str(one)[:200]!r} is not {str(other)[:200]!r}")


def hold_again(one: T, again: Callable[[], T], what: str) -> None:
    """Raise Broken unless what was read comes back the same from what was written of it; a refusal is none here."""
    try:
        other = again()
    except Exception as error:
        raise Broken(f"{what} is refused: {error}") from error
    hold_same(other, one, what)


def hold_line(text: str, what: str = "the message") -> None:
    """Raise Broken unless a text is one line that a terminal only shows, and of a length that somebody reads."""
    hold(text.strip(), f"{what} is empty")
    odd = next((letter for letter in text if unicodedata.category(letter) in UNSHOWN), "")
    hold(not odd, f"{what} has a {odd!r} in it")
    hold(len(text) <= MOST_SHOWN + AROUND, f"{what} has {len(text)} characters")


@dataclass(frozen=True, slots=True)
class Work:
    """A target that has begun.

    seeds: honest inputs, every one of which is read. read: reads one input; True where something was in it, False
    where the reader passes over it, as it does with a file that nobody misses; a refusal is one of the target's
    exceptions. Broken where a promise doesn't hold.
    """

    seeds: tuple[bytes, ...]
    read: Callable[[bytes], bool]


@dataclass(frozen=True, slots=True)
class Target:
    """One reader.

    begin: makes seeds and reader, in a scratch folder that is the current one. spoil: how inputs are spoiled. refusals:
    the exceptions of its room. reads: the modules that it holds to their promises. share: of a long run, how many
    inputs it gets beside the others. cpu_s, wait_s, memory_mb: what one input may take, the process included.
    chunk: how many inputs a process reads.
    """

    name: str
    begin: Callable[[Path], Work]
    spoil: Spoil
    refusals: tuple[type[Exception], ...] = ()
    reads: tuple[str, ...] = ()
    share: float = 1.0
    cpu_s: float = 2.0
    wait_s: float = 20.0
    memory_mb: int = 300
    chunk: int = 5_000


def named(targets: Iterable[Target]) -> dict[str, Target]:
    """Targets by name."""
    return {target.name: target for target in targets}
