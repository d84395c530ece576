"""The header's pins as a device of the desk, whatever they are: a Raspberry Pi's or simulated (`simulated_pins`)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

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
        """What kind of pins these are, for the self-check."""

    def held(self) -> frozenset[str]:
        """Return the controls that are held now, as their contacts are: bounce is not removed."""

    def clicks_turned(self) -> int:
        """Return the clicks of the encoder since the last call, clockwise positive."""

    def drive(self, outputs: Mapping[str, bool]) -> None:
        """Switch these outputs on or off, by the field names of Wiring; ignore those that aren't wired."""

    def close(self) -> None:
        """Switch all outputs off and make all pins inputs again."""


PinsOpener = Callable[[Wiring], Pins]
"""Opens pins, or raises PinsError."""


class PinDevice:
    """Buttons, encoder, lamps and buzzer on the header. On a machine without pins it does nothing but report why."""

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
        """Its name among the desk's devices: always "pins", as there is one header."""
        return "pins"

    @property
    def pins(self) -> Pins | None:
        """The bare pins; None if they couldn't be opened, or have failed since."""
        return self._pins

    def poll(self, now_s: float) -> tuple[Event, ...]:
        """Sample the contacts, continue the buzzer's pattern and return the events since the last call."""
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
        """Set the lamps at once; `health` and the next poll report pins that have failed."""
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
        """Return the pins' state: whether there are any, how many events they made, which controls are ignored."""
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


# ---- a Raspberry Pi's pins ----------------------------------------------------------------------


class GpioPins:
    """The pins of a gpiozero pin factory (a Pi's or a mock), which it also closes. Raises PinsError without pins.

    gpiozero and lgpio are imported only when pins are opened. Buttons close their pin to ground, or open it where they
    rest closed, against the Pi's own pull-up. They are sampled (`debounce`): gpiozero's own debounce waits for edges
    and can lose one. The encoder is not sampled: turned fast, its contacts change every 5 ms or less. The kernel
    records every edge with its time, and gpiozero's encoder counts clicks from them and tolerates bounce.
    """

    def __init__(self, wiring: Wiring, factory: Any) -> None:
        self._faults = _faults()
        self._factory = factory
        self._buttons: dict[str, Any] = {}
        self._outputs: dict[str, Any] = {}
        self._encoders: list[Any] = []
        self._clicks = 0
        try:
            self._take(wiring)
        except PinsError:
            self.close()
            raise
        self._contacts = [(name, button.pin, wiring.is_inverted(name)) for name, button in self._buttons.items()]

    def _take(self, wiring: Wiring) -> None:
        from gpiozero import InputDevice, OutputDevice, RotaryEncoder

        for name, pin in wiring.outputs().items():
            lit = not wiring.is_inverted(name)
            self._outputs[name] = self._one(
                name, pin, partial(OutputDevice, active_high=lit, pin_factory=self._factory)
            )
        for name, pin in wiring.controls().items():
            self._buttons[name] = self._one(
                name, pin, lambda pin: InputDevice(pin, pull_up=True, pin_factory=self._factory)
            )
        if (contacts := wiring.encoder()) is not None:
            self._encoders.append(
                self._one(
                    "the encoder", contacts, lambda ab: RotaryEncoder(*ab, max_steps=0, pin_factory=self._factory)
                )
            )

    def _one(self, name: str, pin: Any, take: Callable[[Any], Any]) -> Any:
        try:
            return take(pin)
        except self._faults as error:
            raise PinsError(f"{name} can't use pin {pin}; is something else using it? {error}") from error

    @property
    def address(self) -> str:
        """The factory's kind, such as "LGPIOFactory"."""
        return type(self._factory).__name__

    def held(self) -> frozenset[str]:
        """Return the controls whose pins are low now, or high if their contacts rest closed."""
        try:
            return frozenset([name for name, pin, rests_closed in self._contacts if bool(pin.state) == rests_closed])
        except self._faults as error:
            raise PinsError(f"the pins can no longer be read: {error}") from error

    def clicks_turned(self) -> int:
        """Return the clicks of the encoder since the last call, clockwise positive."""
        before, self._clicks = self._clicks, sum(encoder.steps for encoder in self._encoders)
        return self._clicks - before

    def drive(self, outputs: Mapping[str, bool]) -> None:
        """Switch these outputs on or off, by the field names of Wiring; ignore those that aren't wired."""
        try:
            for name, on in outputs.items():
                if name in self._outputs:
                    self._outputs[name].value = on
        except self._faults as error:
            raise PinsError(f"the lamps can no longer be set: {error}") from error

    def close(self) -> None:
        """Switch all outputs off, then make all pins inputs; raises PinsError if some can't be reached any more."""
        devices = [*self._outputs.values(), *self._buttons.values(), *self._encoders]
        dark = [output.off for output in self._outputs.values() if not output.closed]
        deeds = [*dark, *(device.close for device in devices), self._factory.close]
        faults = [fault for deed in deeds if (fault := self._fault_of(deed)) is not None]
        if faults:
            raise PinsError(f"couldn't release the pins: {faults[0]}") from faults[0]

    def _fault_of(self, deed: Callable[[], object]) -> Exception | None:
        try:
            deed()
        except self._faults as fault:
            return fault
        return None


def open_gpio(wiring: Wiring) -> Pins:
    """Return this Raspberry Pi's pins, opened.

    Raises PinsError, with one sentence, if there are none or they may not be used.
    """
    if find_spec("gpiozero") is None:
        raise PinsError("this machine isn't a Raspberry Pi, so it has no pins: gpiozero isn't installed")
    try:
        with _room_for_a_pipe():
            from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise PinsError("the pins need the package python3-lgpio, which isn't installed") from error
    except OSError as error:
        raise PinsError(f"lgpio, which drives the pins, cannot make its pipe: {error}") from error
    return GpioPins(wiring, _factory(LGPIOFactory))


@contextmanager
def _room_for_a_pipe() -> Iterator[None]:
    """Import lgpio in a scratch folder: it makes a named pipe in the working directory and leaves it there.

    If nothing can be written there, the process changes to a scratch folder meanwhile; start no child just then.
    """
    here = Path.cwd()
    with TemporaryDirectory() as scratch:
        if not os.access(here, os.W_OK):
            os.chdir(scratch)
        try:
            yield
        finally:
            for pipe in Path().glob(".lgd-nfy*"):
                pipe.unlink()
            _go_back(here)


def _go_back(here: Path) -> None:
    """Return to the previous folder, unless this user may not enter it (after `sudo -u`, say)."""
    try:
        os.chdir(here)
    except OSError:
        os.chdir("/")


def _factory(make: Callable[[], Any]) -> Any:
    from gpiozero import GPIOZeroError

    try:
        return make()
    except GPIOZeroError as error:
        raise PinsError(f"this machine isn't a Raspberry Pi, so it has no pins: {error}") from error
    except _faults() as error:
        raise PinsError(f"this user can't use the pins; is it in the group gpio? {error}") from error


def _faults() -> tuple[type[Exception], ...]:
    """Return everything that gpiozero and its backends raise when pins can't be opened, read or set."""
    from gpiozero import GPIOZeroError

    lgpio = sys.modules.get("lgpio")
    return (GPIOZeroError, OSError) if lgpio is None else (GPIOZeroError, OSError, lgpio.error)
