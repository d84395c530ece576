"""The header's pins as a device of the desk, whatever they are: a Pi's (`gpio`) or simulated (`simulated_pins`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from hardware.debounce import USUAL, Debouncer, Timing
from hardware.device import Health
from hardware.errors import PinsError
from hardware.events import Ailing, Event, Turned
from hardware.lights import Buzz, Buzzer, Lights, levels
from hardware.wiring import Wiring


class Pins(Protocol):
    """Bare pins. Every call is short, and raises PinsError where the pins have become unusable."""

    @property
    def address(self) -> str:
        """What they are, for the self-check."""

    def held(self) -> frozenset[str]:
        """Return the controls that are held now, bounce and all."""

    def clicks_turned(self) -> int:
        """Return the clicks of the encoder since the last call, clockwise positive."""

    def drive(self, outputs: Mapping[str, bool]) -> None:
        """Switch these outputs on or off, by the field names of Wiring; what is not wired is passed over."""

    def close(self) -> None:
        """Switch all outputs off and make all pins inputs again."""


PinsOpener = Callable[[Wiring], Pins]
"""Opens pins, or raises PinsError."""


class PinDevice:
    """Buttons, encoder, lamps and buzzer on the header. Without pins it is there too, and says why it does nothing."""

    def __init__(self, wiring: Wiring, opener: PinsOpener, timing: Timing = USUAL) -> None:
        self._debouncer = Debouncer(self.name, tuple(wiring.controls()), timing)
        self._buzzer = Buzzer()
        self._buzzing = False
        self._presses = 0
        self._fault = ""
        self._told = True
        self._pins: Pins | None = None
        try:
            self._pins = opener(wiring)
        except PinsError as error:
            self._lose(error)

    @property
    def name(self) -> str:
        """There is one header, so its name is its kind."""
        return "pins"

    @property
    def pins(self) -> Pins | None:
        """The bare pins, None where there are none (any more)."""
        return self._pins

    def poll(self, now_s: float) -> tuple[Event, ...]:
        """Sample the contacts, and continue the buzzer's pattern."""
        if self._pins is None:
            return self._complain(now_s)
        try:
            events = self._sample(self._pins, now_s)
        except PinsError as error:
            self._lose(error)
            return self._complain(now_s)
        self._presses += len(events)
        return events

    def _sample(self, pins: Pins, now_s: float) -> tuple[Event, ...]:
        sounds = self._buzzer.sounds(now_s)
        if sounds != self._buzzing:
            pins.drive({"buzzer": sounds})
            self._buzzing = sounds
        steps = pins.clicks_turned()
        turned = (Turned(steps, now_s),) if steps else ()
        return (*turned, *self._debouncer.sample(pins.held(), now_s))

    def show(self, lights: Lights) -> None:
        """Set the lamps at once."""
        if self._pins is None:
            return
        try:
            self._pins.drive(levels(lights))
        except PinsError as error:
            self._lose(error)

    def buzz(self, pattern: Buzz) -> None:
        """Start this pattern with the next poll, replacing any other."""
        self._buzzer.begin(pattern)

    def _lose(self, error: PinsError) -> None:
        self._fault, self._told = str(error), False
        self.close()

    def _complain(self, now_s: float) -> tuple[Event, ...]:
        if self._told:
            return ()
        self._told = True
        return (Ailing(self.name, "refused", self._fault, now_s),)

    def health(self) -> Health:
        """Report whether there are pins, how many events they made, and which controls are ignored."""
        pins, counts = self._pins, {"events": self._presses}  # another thread's poll may lose them meanwhile
        if pins is None:
            return Health(self.name, "pins", "refused", fault=self._fault, counts=counts)
        return Health(self.name, "pins", "present", pins.address, counts=counts, ails=self._debouncer.ails())

    def close(self) -> None:
        """Turn off lamps and buzzer, and make all pins inputs."""
        pins, self._pins = self._pins, None
        try:
            if pins is not None:
                pins.close()
        except PinsError as error:
            self._fault = self._fault or str(error)
