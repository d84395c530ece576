"""A Raspberry Pi's own pins, through gpiozero on lgpio; both are imported only when pins are opened.

Buttons close their pin to ground against the Pi's own pull-up, and are sampled (`debounce`): gpiozero's own debounce
waits for edges and can lose one. The encoder is not sampled: turned fast, its contacts change every 5 ms or less, while
the kernel keeps every edge with its time; gpiozero's encoder counts whole clicks of edges and forgives bounce.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hardware.errors import PinsError
from hardware.pins import Pins
from hardware.wiring import Wiring

ADDRESS = "gpiozero"


class GpioPins:
    """The pins of a gpiozero pin factory (a Pi's, or a mock one's). PinsError where they cannot be had."""

    def __init__(self, wiring: Wiring, factory: Any) -> None:
        from gpiozero import GPIOZeroError, InputDevice, OutputDevice, RotaryEncoder

        self._faults: tuple[type[Exception], ...] = (GPIOZeroError, OSError, *_library_faults())
        self._factory = factory
        self._inputs: dict[str, Any] = {}
        self._outputs: dict[str, Any] = {}
        self._encoder: Any = None
        self._clicks = 0
        try:
            for name, pin in wiring.outputs().items():
                self._outputs[name] = OutputDevice(pin, pin_factory=factory)
            for name, pin in wiring.controls().items():
                self._inputs[name] = InputDevice(pin, pull_up=True, pin_factory=factory)
            if (contacts := wiring.encoder()) is not None:
                self._encoder = RotaryEncoder(*contacts, max_steps=0, pin_factory=factory)
        except self._faults as error:
            self.close()
            raise PinsError(f"the pins cannot be had: {error}") from error

    @property
    def address(self) -> str:
        """The factory's kind, such as "LGPIOFactory"."""
        return type(self._factory).__name__

    def held(self) -> frozenset[str]:
        """The controls whose pins are at ground now."""
        try:
            return frozenset(name for name, button in self._inputs.items() if button.is_active)
        except self._faults as error:
            raise PinsError(f"the pins can no longer be read: {error}") from error

    def turned(self) -> int:
        """Clicks of the encoder since the last call."""
        if self._encoder is None:
            return 0
        before, self._clicks = self._clicks, self._encoder.steps
        return self._clicks - before

    def drive(self, outputs: Mapping[str, bool]) -> None:
        """Set these outputs."""
        try:
            for name, on in outputs.items():
                if name in self._outputs:
                    self._outputs[name].value = on
        except self._faults as error:
            raise PinsError(f"the lamps can no longer be set: {error}") from error

    def close(self) -> None:
        """All outputs low, then every pin an input again."""
        for output in self._outputs.values():
            output.off()
        for device in (*self._outputs.values(), *self._inputs.values(), self._encoder):
            if device is not None:
                device.close()
        self._factory.close()


def open_gpio(wiring: Wiring) -> Pins:
    """This Raspberry Pi's pins; PinsError, in one sentence, where there are none or they may not be used."""
    return GpioPins(wiring, _factory())


def _factory() -> Any:
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise PinsError("the pins need the package python3-lgpio, which is not installed") from error
    from gpiozero import GPIOZeroError

    try:
        return LGPIOFactory()
    except (GPIOZeroError, OSError, *_library_faults()) as error:
        raise PinsError(f"this machine has no pins, or this user is not in the group gpio: {error}") from error


def _library_faults() -> tuple[type[Exception], ...]:
    """The library's own exception, where lgpio is what drives the pins."""
    try:
        import lgpio
    except ImportError:
        return ()
    return (lgpio.error,)
