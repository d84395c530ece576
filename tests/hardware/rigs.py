"""Pins with fingers: the same things done to gpiozero's own pins for a Raspberry Pi and to our simulated ones."""

from __future__ import annotations

from typing import Protocol

from hardware.errors import PinsError
from hardware.events import Event
from hardware.pins import PinDevice, Pins, open_gpio
from hardware.simulated_pins import SimulatedPins
from hardware.wiring import Wiring
from tests.hardware.fake_lgpio import Chip, on_a_pi

PERIOD_S = 0.010


class Rig(Protocol):
    """A device of pins, and what can be done to it and seen of it: fingers and light, whatever the levels are."""

    device: PinDevice

    def hold(self, control: str) -> None: ...
    def let_go(self, control: str) -> None: ...
    def turn(self, clicks: int) -> None: ...
    def lit(self) -> frozenset[str]: ...
    def break_down(self) -> None: ...
    def leave(self) -> None: ...


class ChipRig:
    """gpiozero's own pins for a Raspberry Pi under our real code, on a chip that is not there."""

    def __init__(self, wiring: Wiring) -> None:
        self.chip = Chip()
        self.wiring = wiring
        self._machine = on_a_pi(self.chip)
        self._machine.__enter__()
        self.device = PinDevice(wiring, open_gpio)
        self._taken = self.device.pins
        for control in wiring.controls():
            self.let_go(control)

    def leave(self) -> None:
        self.chip.dead = False
        self.device.close()
        _let_go(self._taken)
        self._machine.__exit__(None, None, None)

    def hold(self, control: str) -> None:
        self.chip.hold(self.wiring.controls()[control], low=not self.wiring.is_inverted(control))

    def let_go(self, control: str) -> None:
        self.chip.hold(self.wiring.controls()[control], low=self.wiring.is_inverted(control))

    def turn(self, clicks: int) -> None:
        first, second = (self.wiring.encoder_a, self.wiring.encoder_b)[:: 1 if clicks > 0 else -1]
        for _ in range(abs(clicks)):
            for low in (True, False):
                self.chip.hold(first, low)
                self.chip.hold(second, low)

    def lit(self) -> frozenset[str]:
        low, high = self.chip.outputs()
        outputs = self.wiring.outputs().items()
        return frozenset(name for name, pin in outputs if pin in (low if self.wiring.is_inverted(name) else high))

    def break_down(self) -> None:
        self.chip.dead = True


class SimulatedRig:
    """Our simulated pins."""

    def __init__(self, wiring: Wiring) -> None:
        self.pins = SimulatedPins(wiring)
        self.device = PinDevice(wiring, lambda _wiring: self.pins)

    def hold(self, control: str) -> None:
        self.pins.press(control)

    def let_go(self, control: str) -> None:
        self.pins.release(control)

    def turn(self, clicks: int) -> None:
        self.pins.turn(clicks)

    def lit(self) -> frozenset[str]:
        return self.pins.lit()

    def break_down(self) -> None:
        self.pins.vanish("the pins can no longer be read: Input/output error")

    def leave(self) -> None:
        self.device.close()


def _let_go(pins: Pins | None) -> None:
    """Close pins that a device dropped when they were lost, so that nothing of them is left to the collector."""
    if pins is not None:
        pins.close()


class Table:
    """A rig on a clock of its own: `run` lets time pass, and gathers what the device tells."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.now_s = 100.0
        self.told: list[Event] = []
        self.run(0.1)

    def run(self, seconds: float) -> list[Event]:
        """Poll for so long; what was told meanwhile."""
        before = len(self.told)
        for _ in range(round(seconds / PERIOD_S)):
            self.now_s += PERIOD_S
            self.told += self.rig.device.poll(self.now_s)
        return self.told[before:]

    def press(self, control: str, seconds: float = 0.1) -> list[Event]:
        """Hold a control for so long, and wait a little."""
        self.rig.hold(control)
        told = self.run(seconds)
        self.rig.let_go(control)
        return told + self.run(0.1)


def no_pins(_wiring: Wiring) -> SimulatedPins:
    """Refuse to open pins, as on a machine that has none."""
    raise PinsError("this machine isn't a Raspberry Pi, so it has no pins")
