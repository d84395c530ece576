"""What a desk should show, as one frozen value derived from the state of the game, and that as levels of pins.

An RGB lamp is three plain outputs, each lit from half of its colour on: eight colours. Dimming in software would cost a
thread per pin, and flicker whenever a Pi Zero 2 W reads a picture; brightness is the resistors' job.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hardware.wiring import COLOURS

Colour = tuple[float, float, float]
"""(red, green, blue), each 0 to 1."""
DARK: Colour = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Lights:
    """All lamps. turn, initiative: whose colour is lit; unsure: the camera asks; out_of_sync: the board differs.

    strip: the colours of a controller's lamp strip, from its first lamp on; () leaves it dark.
    """

    turn: Colour = DARK
    initiative: Colour = DARK
    unsure: bool = False
    out_of_sync: bool = False
    strip: tuple[Colour, ...] = ()


OFF = Lights()

Buzz = tuple[tuple[float, float], ...]
"""A pattern of the buzzer: (seconds on, seconds off), one after the other."""

LIT_FROM = 0.5
"""From how much of a part of a colour on its lamp is lit."""


def levels(lights: Lights) -> Mapping[str, bool]:
    """Return whether each lamp on the pins is lit, by the field names of Wiring."""
    return {
        **_rgb("turn", lights.turn),
        **_rgb("initiative", lights.initiative),
        "unsure": lights.unsure,
        "out_of_sync": lights.out_of_sync,
    }


def _rgb(lamp: str, colour: Colour) -> dict[str, bool]:
    return {f"{lamp}_{name}": part >= LIT_FROM for name, part in zip(COLOURS, colour, strict=True)}


class Buzzer:
    """The pattern that a buzzer plays; `sounds` tells when it is on. A new pattern replaces the old one."""

    def __init__(self) -> None:
        self._pattern: Buzz = ()
        self._begun_s: float | None = None

    def begin(self, pattern: Buzz) -> None:
        """Start this pattern with the next call of `sounds`; () is silence."""
        self._pattern = pattern
        self._begun_s = None

    def sounds(self, now_s: float) -> bool:
        """Return whether the buzzer sounds at this time; the first call after `begin` starts the pattern."""
        if self._begun_s is None:
            self._begun_s = now_s
        ends_s = self._begun_s
        for on_s, off_s in self._pattern:
            if now_s < ends_s + on_s:
                return now_s >= ends_s
            ends_s += on_s + off_s
        self._pattern = ()
        return False
