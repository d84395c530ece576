"""Which inputs lead further: those that reach a line of the project that none before them has reached."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ROOMS = tuple(f"{ROOT / room}/" for room in ("intake", "engine", "vision", "hardware", "companion"))
OFTEN = 40
"""So often a function is followed without anything new in it; then it isn't any more, as following takes its time."""


class Guide:
    """Follows functions of the project's rooms, and knows every line that was reached."""

    def __init__(self, rooms: tuple[str, ...] = ROOMS) -> None:
        self._rooms = rooms
        self._lines: set[tuple[CodeType, int]] = set()
        self._patience: dict[int, int] = {}
        self._kept: list[CodeType] = []  # so that no other code gets the number of one that is known
        self._new = False

    def led_further(self, read: Callable[[], object]) -> bool:
        """Do this; whether it reached a line that nothing before it did. What it raises is raised."""
        self._new = False
        before = sys.gettrace()
        sys.settrace(self._called)
        try:
            read()
        finally:
            sys.settrace(before)
        return self._new

    @property
    def new(self) -> bool:
        """Whether the last thing done reached a new line."""
        return self._new

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        left = self._patience.get(id(code))
        if left is None:
            self._kept.append(code)
            left = OFTEN if code.co_filename.startswith(self._rooms) else 0
        self._patience[id(code)] = left - 1
        return self._reached if left > 0 else None

    def _reached(self, frame: FrameType, event: str, argument: Any) -> Any:
        place = (frame.f_code, frame.f_lineno)
        if event == "line" and place not in self._lines:
            self._lines.add(place)
            self._patience[id(frame.f_code)] = OFTEN
            self._new = True
        return self._reached
