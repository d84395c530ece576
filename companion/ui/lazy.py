"""Things that are made of others when they are asked for: of very many, only those that are seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, overload

S = TypeVar("S")
T = TypeVar("T")


class LazySequence(Sequence[T], Generic[S, T]):
    """A sequence made from another, element by element, each when it is asked for.

    >>> doubled = LazySequence(range(1_000_000), lambda n: 2 * n)
    >>> len(doubled), doubled[7], list(doubled[3:5])
    (1000000, 14, [6, 8])
    """

    def __init__(self, of: Sequence[S], make: Callable[[S], T]) -> None:
        self._of = of
        self._make = make

    def __len__(self) -> int:
        return len(self._of)

    @overload
    def __getitem__(self, at: int) -> T: ...

    @overload
    def __getitem__(self, at: slice) -> LazySequence[S, T]: ...

    def __getitem__(self, at: int | slice) -> T | LazySequence[S, T]:
        if isinstance(at, slice):
            return LazySequence(self._of[at], self._make)
        return self._make(self._of[at])
