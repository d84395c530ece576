"""What the drill puts between the app and the machine, in the app's process: a disk that refuses, another clock."""

from __future__ import annotations

import datetime
import os
import stat
import time
from collections.abc import Callable
from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
BY_HANDLE = ("write", "pwrite", "ftruncate")
BY_NAME = ("replace", "rename", "unlink", "mkdir", "link", "rmdir")


class SimulatedMachine:
    """Replaces Python's calls to the system once `put_between` is called; it changes nothing until ordered to."""

    def __init__(self) -> None:
        self.refuses = 0
        """The errno with which the disk refuses every change; 0: it takes them."""
        self.ahead_s = 0.0
        """So many seconds the wall clock is ahead of the machine's; files that are written carry its time."""
        self._now_s = time.time

    def put_between(self) -> None:
        """Take effect; modules that have imported `datetime`'s classes already keep the real clock."""
        for name in BY_HANDLE:
            setattr(os, name, self._by_handle(getattr(os, name)))
        for name in BY_NAME:
            setattr(os, name, self._by_name(getattr(os, name)))
        os.open = self._opening(os.open)
        time.time = self.now_s
        date, moment = shifted_clock(self.now_s)
        setattr(datetime, "date", date)  # noqa: B010  a type of the library is not to be assigned to, mypy says
        setattr(datetime, "datetime", moment)  # noqa: B010

    def now_s(self) -> float:
        """Return the simulated wall clock's time, in seconds since 1970."""
        return self._now_s() + self.ahead_s

    def _refusal(self) -> OSError:
        return OSError(self.refuses, os.strerror(self.refuses))

    def _by_handle(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(handle: int, *given: Any) -> Any:
            is_file = stat.S_ISREG(os.fstat(handle).st_mode)
            if self.refuses and is_file:
                raise self._refusal()
            done = real(handle, *given)
            if self.ahead_s and is_file:
                os.utime(handle, (self.now_s(), self.now_s()))
            return done

        return call

    def _by_name(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            if self.refuses:
                raise self._refusal()
            return real(*given, **named)

        return call

    def _opening(self, real: Callable[..., int]) -> Callable[..., int]:
        def call(path: Any, flags: int, *given: Any, **named: Any) -> int:
            if self.refuses and flags & WRITES and not str(path).startswith("/dev/"):
                raise self._refusal()
            return real(path, flags, *given, **named)

        return call


def shifted_clock(now_s: Callable[[], float]) -> tuple[type[datetime.date], type[datetime.datetime]]:
    """Return `date` and `datetime` classes whose `today()` and `now()`, respectively, follow this clock."""

    class Date(datetime.date):
        @classmethod
        def today(cls) -> Date:
            return cls.fromtimestamp(now_s())

    class Moment(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Moment:
            return cls.fromtimestamp(now_s(), tz)

    return Date, Moment
