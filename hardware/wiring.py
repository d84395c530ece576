"""Which pin each button, lamp and buzzer of the desk is on: `Wiring`, with defaults that leave other boards their pins.

Pins are BCM numbers, as in Raspberry Pi's documents and gpiozero; every 40-pin header has BCM 2 to 27. The number 0
means not wired (BCM 0 is the ID bus of add-on boards, so nothing of ours goes there).

The defaults keep off

======= ========== =================================================================================================
BCM     header     left to
======= ========== =================================================================================================
0, 1    27, 28     the memory by which an add-on board names itself
2, 3    3, 5       I2C: clocks (a Pi has none with a battery), touch panels; 3 also wakes a Pi that was shut down
14, 15  8, 10      the serial console, and the fan that `raspi-config` offers
8 to 11 24 to 19   SPI0: small panels and their touch
5V, GND 2, 4, 6    the official 7-inch panel takes its power there (the buzzer shares one)
======= ========== =================================================================================================

Eighteen things want eighteen of the seventeen pins that are left, so one of SPI0's goes too: BCM 7, its second chip
select, which only a second SPI device needs. Pins up to BCM 8 are pulled up while a Pi starts, all others down: 4 to 7
are therefore inputs, and every lamp is on a pin that is low, hence dark, until the app has started. Inputs have odd
numbers in the header except `choose`, lamps even ones except `out_of_sync`: two bundles, with grounds among them.
An audio board on I2S needs BCM 18 to 21 and a DPI panel needs nearly all: with either, take a table controller on USB.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hardware.errors import WiringError
from hardware.events import CONTROLS

NOT_WIRED = 0
USABLE_PINS = range(2, 28)
"""The BCM numbers that the header brings out for general use."""

COLOURS = ("red", "green", "blue")
LAMPS = (*(f"{lamp}_{colour}" for lamp in ("turn", "initiative") for colour in COLOURS), "unsure", "out_of_sync")
"""All lamps by the names of their pins; an RGB lamp has three."""


def _field(control: str) -> str:
    return control.replace("-", "_")


BUTTONS = tuple(map(_field, CONTROLS))
GROUPS: Mapping[str, tuple[str, ...]] = {
    "buttons": BUTTONS,
    "lamps": LAMPS,
    "turn": tuple(name for name in LAMPS if name.startswith("turn_")),
    "initiative": tuple(name for name in LAMPS if name.startswith("initiative_")),
}
"""What may be inverted together, as an RGB lamp's three legs are."""
INVERTIBLE = (*GROUPS, "buzzer", *BUTTONS, *LAMPS)
NAMES = (*BUTTONS, "encoder_a", "encoder_b", *LAMPS, "buzzer")
"""All that can be wired."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """BCM numbers of everything on the header; 0 is not wired. Raises WiringError for impossible wirings.

    Fields up to `next` are hardware.events.CONTROLS with "_" for "-"; the arrows replace an encoder, so they are
    not wired if there is one. inverted: what works the other way, by its field or a group of GROUPS: a lamp from 3V3 to
    its pin (common anode), a buzzer that a low level sounds, a button whose contact rests closed.
    """

    confirm_one: int = 5
    pass_one: int = 6
    undo_one: int = 13
    confirm_two: int = 4
    pass_two: int = 17
    undo_two: int = 27
    choose: int = 7
    previous: int = NOT_WIRED
    next: int = NOT_WIRED
    encoder_a: int = 19
    encoder_b: int = 26
    turn_red: int = 23
    turn_green: int = 24
    turn_blue: int = 25
    initiative_red: int = 16
    initiative_green: int = 20
    initiative_blue: int = 21
    unsure: int = 12
    out_of_sync: int = 22
    buzzer: int = 18
    inverted: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, pin in self.pins().items():
            if pin not in USABLE_PINS:
                raise WiringError(f"{name} can't be on pin {pin}: the header has BCM 2 to 27, and 0 means not wired")
        _check_shared(self.pins())
        if bool(self.encoder_a) != bool(self.encoder_b):
            wired, missing = ("encoder_a", "encoder_b") if self.encoder_a else ("encoder_b", "encoder_a")
            raise WiringError(f"{wired} is wired but {missing} isn't: an encoder needs both")
        for name in self.inverted:
            if name not in INVERTIBLE:
                raise WiringError(f"{name} can't be inverted; choose from: {', '.join(INVERTIBLE)}")

    @classmethod
    def of(cls, pins: Mapping[str, int], inverted: tuple[str, ...] = ()) -> Wiring:
        """Return the default wiring with these pins changed, and these things inverted.

        Raises WiringError for an unknown name, or an impossible wiring.
        """
        for name in pins:
            if name not in NAMES:
                raise WiringError(f"nothing called {name} can be wired; choose from: {', '.join(NAMES)}")
        return cls(**pins, inverted=inverted)

    def pins(self) -> Mapping[str, int]:
        """Return {field: BCM number} of everything that is wired, in the order of the fields."""
        named = ((name, getattr(self, name)) for name in NAMES)
        return MappingProxyType({name: pin for name, pin in named if pin != NOT_WIRED})

    def controls(self) -> Mapping[str, int]:
        """Return {control: BCM number} of the wired controls, by their names in hardware.events."""
        pins = self.pins()
        return MappingProxyType({name: pins[_field(name)] for name in CONTROLS if _field(name) in pins})

    def encoder(self) -> tuple[int, int] | None:
        """Return the pins of the encoder's contacts a and b; None without an encoder."""
        return (self.encoder_a, self.encoder_b) if self.encoder_a else None

    def outputs(self) -> Mapping[str, int]:
        """Return {field: BCM number} of the wired lamps and the buzzer."""
        pins = self.pins()
        return MappingProxyType({name: pins[name] for name in (*LAMPS, "buzzer") if name in pins})

    def is_inverted(self, name: str) -> bool:
        """Return whether a control, a lamp or the buzzer works the other way round, as `inverted` says."""
        return any(_field(name) in GROUPS.get(named, (named,)) for named in self.inverted)


def _check_shared(pins: Mapping[str, int]) -> None:
    first: dict[int, str] = {}
    for name, pin in pins.items():
        if pin in first:
            raise WiringError(f"{first[pin]} and {name} are both on pin {pin}")
        first[pin] = name
