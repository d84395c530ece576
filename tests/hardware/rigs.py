"""Pins with fingers: the same things done to gpiozero's own pins for a Raspberry Pi and to our simulated ones.

The Pi's chip isn't there: `Chip` has the part of lgpio that gpiozero uses of it. It is stricter than the real one where
it can be: a line that was not claimed can be neither read nor set nor freed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Protocol

from hardware.errors import PinsError
from hardware.events import Event
from hardware.pins import PinDevice, Pins, open_gpio
from hardware.simulated_pins import SimulatedPins
from hardware.wiring import Wiring

PI_4_REVISION = 0xC03114
OUT, PULL_UP, PULL_NONE = 1 << 1, 1 << 5, 1 << 7
Alert = Callable[[int, int, int, int], None]


class error(Exception):  # noqa: N801 # as lgpio calls it
    """What lgpio raises; it is no OSError."""


@dataclass
class Line:
    """A claimed line."""

    flags: int
    level: int
    alerts: list[Alert] = field(default_factory=list)


@dataclass
class Watch:
    """A callback, until it is cancelled."""

    line: Line
    alert: Alert

    def cancel(self) -> None:
        self.line.alerts.remove(self.alert)


class Chip:
    """Its lines; `busy` ones belong to another driver, `dead` is a chip that answers no more."""

    def __init__(self) -> None:
        self.lines: dict[int, Line] = {}
        self.busy: set[int] = set()
        self.held_low: set[int] = set()
        self.cut: set[int] = set()
        """Lines that were high when they became inputs: nobody had put them out."""
        self.dead = False
        self.is_open = False

    def lit(self) -> set[int]:
        """Return the numbers of the lines that are high outputs."""
        return {number for number, line in self.lines.items() if line.flags & OUT and line.level}

    def outputs(self) -> tuple[set[int], set[int]]:
        """Return the outputs that are low, and those that are high."""
        outputs = {number for number, line in self.lines.items() if line.flags & OUT}
        return outputs - self.lit(), self.lit()

    def hold(self, number: int, low: bool) -> None:
        """Pull an input to ground as a finger does, or let it go."""
        (self.held_low.add if low else self.held_low.discard)(number)
        line = self.lines[number]
        level = self._pulled(number, line.flags)
        if level != line.level and not line.flags & OUT:
            line.level = level
            for alert in list(line.alerts):
                alert(0, number, level, 1_000_000)

    def _pulled(self, number: int, flags: int) -> int:
        return int(number not in self.held_low and bool(flags & PULL_UP))

    def claim(self, number: int, flags: int) -> int:
        if self.dead or number in self.busy:
            raise error("GPIO busy")
        before = self.lines.get(number)
        if before is not None and before.flags & OUT and before.level and not flags & OUT:
            self.cut.add(number)
        level = 0 if flags & OUT else self._pulled(number, flags)
        self.lines[number] = Line(flags, level, before.alerts if before else [])
        return 0

    def line(self, number: int) -> Line:
        if self.dead or number not in self.lines:
            raise error("GPIO not allocated")
        return self.lines[number]

    def library(self) -> ModuleType:
        """Build the module `lgpio`."""
        made: Any = ModuleType("lgpio")
        made.error = error
        made.RISING_EDGE, made.FALLING_EDGE, made.BOTH_EDGES = 1, 2, 3
        made.SET_PULL_UP, made.SET_PULL_DOWN, made.SET_PULL_NONE = PULL_UP, 1 << 6, PULL_NONE
        made.gpiochip_open = self._open
        made.gpiochip_close = self._close
        made.gpio_claim_input = lambda _h, n, flags=0: self.claim(n, flags)
        made.gpio_claim_output = lambda _h, n, level=0, flags=0: self.claim(n, OUT | flags)
        made.gpio_claim_alert = lambda _h, n, _edges, flags=0: self.claim(n, flags)
        made.gpio_free = self._free
        made.gpio_get_mode = lambda _h, n: self.line(n).flags
        made.gpio_read = lambda _h, n: self.line(n).level
        made.gpio_write = lambda _h, n, level: setattr(self.line(n), "level", int(level))
        made.gpio_set_debounce_micros = lambda _h, n, _us: self.line(n) and 0
        made.callback = self._callback
        return made  # type: ignore[no-any-return]

    def _open(self, _number: int) -> int:
        self.is_open = True
        return 1

    def _close(self, _handle: int) -> int:
        self.is_open = False
        return 0

    def _free(self, _handle: int, number: int) -> int:
        self.line(number)
        del self.lines[number]
        return 0

    def _callback(self, _handle: int, number: int, _edges: int, alert: Alert) -> Watch:
        watch = Watch(self.line(number), alert)
        watch.line.alerts.append(alert)
        return watch


@contextmanager
def on_a_pi(chip: Chip) -> Iterator[None]:
    """As if this were a Raspberry Pi 4 with lgpio installed and this chip."""
    from gpiozero.pins import local

    names = ("lgpio", "gpiozero.pins.lgpio")
    before = {name: sys.modules.pop(name, None) for name in names}
    revision, local.get_pi_revision = local.get_pi_revision, lambda: PI_4_REVISION
    sys.modules["lgpio"] = chip.library()
    try:
        yield
    finally:
        local.get_pi_revision = revision
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


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
