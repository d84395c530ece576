"""Turns what to show into levels of pins: lamps are on or off, a buzzer's pattern follows the clock.

An RGB lamp is three plain outputs, each lit from half of its colour on: eight colours. Dimming in software would cost a
thread per pin, and flicker whenever a Pi Zero 2 W reads a picture; brightness is the resistors' job.
"""

from __future__ import annotations

from collections.abc import Mapping

from hardware.lights import Buzz, Colour, Lights
from hardware.wiring import COLOURS

LIT_FROM = 0.5
"""From how much of a part of a colour on its lamp is lit."""


def levels(lights: Lights) -> Mapping[str, bool]:
    """Which lamps are lit, by the field names of Wiring."""
    return {
        **_rgb("turn", lights.turn),
        **_rgb("initiative", lights.initiative),
        "unsure": lights.unsure,
        "out_of_sync": lights.out_of_sync,
    }


def _rgb(lamp: str, colour: Colour) -> dict[str, bool]:
    return {f"{lamp}_{name}": part >= LIT_FROM for name, part in zip(COLOURS, colour, strict=True)}


class Buzzer:
    """A running pattern: whether it sounds now. A new pattern replaces the old one."""

    def __init__(self) -> None:
        self._pattern: Buzz = ()
        self._begun_s: float | None = None

    def begin(self, pattern: Buzz) -> None:
        """Start at the next look at the clock; () is silence."""
        self._pattern = pattern
        self._begun_s = None

    def sounds(self, now_s: float) -> bool:
        """Whether it sounds at this time."""
        if self._begun_s is None:
            self._begun_s = now_s
        ends_s = self._begun_s
        for on_s, off_s in self._pattern:
            if now_s < ends_s + on_s:
                return now_s >= ends_s
            ends_s += on_s + off_s
        self._pattern = ()
        return False
