"""What a desk should show: lamps and a buzzer, as one frozen value derived from the state of the game."""

from __future__ import annotations

from dataclasses import dataclass

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
