"""The 40 pins of a Raspberry Pi's header, the same on every model that has it.

Seen from above, the end with the SD card up and the header at the right edge, pin 1 is at the top left: odd numbers run
down the left column, even ones down the right column, at the board's edge.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_LEFT = "3V3 2 3 4 GND 17 27 22 3V3 10 9 11 GND 0 5 6 13 19 26 GND"
_RIGHT = "5V 5V GND 14 15 18 GND 23 24 GND 25 8 7 1 GND 12 GND 16 20 21"

HEADER: Mapping[int, str] = MappingProxyType(
    {
        number: name
        for row, pair in enumerate(zip(_LEFT.split(), _RIGHT.split(), strict=True))
        for number, name in zip((2 * row + 1, 2 * row + 2), pair, strict=True)
    }
)
"""Physical number (1 to 40) to what is there: "3V3", "5V", "GND", or a BCM number."""

OTHERS: Mapping[int, str] = MappingProxyType(
    {
        pin: bus
        for bus, pins in (("ID", (0, 1)), ("I2C", (2, 3)), ("serial", (14, 15)), ("SPI", (8, 9, 10, 11)))
        for pin in pins
    }
)
"""BCM numbers that other boards are most likely to need, and what for."""


def physical(bcm: int) -> int:
    """Return the physical number of a BCM number; raise KeyError for one not on the header."""
    places = {name: number for number, name in HEADER.items()}
    return places[str(bcm)]


def row_of(number: int) -> int:
    """Return the row of a physical number, 0 (at the top) to 19."""
    return (number - 1) // 2


def is_left(number: int) -> bool:
    """Return whether a physical number is in the left column, that of pin 1."""
    return number % 2 == 1
