"""The desk: all buttons, lamps and serial devices beside a board, as one object with one thread.

A device that fails is closed, and the others go on; an event (`Ailing`, kind "broken") and `health` report it. A bug in
a device ends the thread: its traceback goes to standard error, and a last event, `Ailing("desk", "broken", ...)`, says
that no more will come.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Event as Signal
from threading import Lock, Thread

from hardware.card_reader import open_reader
from hardware.controller import open_controller
from hardware.debounce import USUAL
from hardware.device import Device, Health
from hardware.errors import HardwareError
from hardware.events import Ailing, Event
from hardware.lights import Buzz, Lights
from hardware.pins import PinDevice, PinsOpener, open_gpio
from hardware.simulated_pins import SimulatedPins
from hardware.wiring import Wiring

PERIOD_S = 0.010
"""Between two polls, where there are contacts: a press counts after three of them."""
READERS_PERIOD_S = 0.040
"""Where there are none: cards wait, and devices come and go slowly."""
LOOK_S = 1.0
"""How often the thread looks whether there still are contacts."""
JOIN_S = 2.0

PINS: Mapping[str, PinsOpener] = {"gpio": open_gpio, "simulated": SimulatedPins}
"""Whose pins a desk may have, by name."""


@dataclass(frozen=True, slots=True)
class DeskPlan:
    """Which devices a desk has. wiring: None leaves the header alone; readers: settings as `open_reader` takes them.

    controller: a serial device's path; pins: the kind of pins, a name in PINS; long_press_s: how long a long press is.
    """

    wiring: Wiring | None = None
    readers: tuple[str, ...] = ()
    controller: str | None = None
    long_press_s: float = USUAL.long_s
    pins: str = "gpio"


def open_desk(plan: DeskPlan, clock: Callable[[], float] = time.monotonic) -> Desk:
    """Return a desk with the devices of this plan.

    Absent or refused devices are no error: `health` and the events report them.
    """
    return Desk(tuple(_devices(plan)), clock)


def _devices(plan: DeskPlan) -> Iterable[Device]:
    timing = replace(USUAL, long_s=plan.long_press_s)
    if plan.wiring is not None:
        yield PinDevice(plan.wiring, PINS[plan.pins], timing)
    for spec in plan.readers:
        yield open_reader(spec)
    if plan.controller is not None:
        yield open_controller(plan.controller, timing)


class _Place:
    """A device's place at the desk: one thread at a time uses it, and if it breaks, the other devices go on."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._lock = Lock()
        self._lights: deque[Lights] = deque(maxlen=1)
        self._buzz: deque[Buzz] = deque(maxlen=1)
        self._fault = ""
        self._is_fault_reported = False

    def poll(self, now_s: float) -> tuple[Event, ...]:
        """Return the device's events; the first time after it has broken, the last of them says so."""
        with self._lock:
            events = () if self._fault else self._attend(lambda: self.device.poll(now_s))
            if self._is_fault_reported or not self._fault:
                return events
            self._is_fault_reported = True
            return (*events, Ailing(self.device.name, "broken", self._fault, now_s))

    def show(self, lights: Lights) -> None:
        """Hand the device these lights now or, while another thread polls it, with its next poll."""
        self._lights.append(lights)
        self._deliver_now()

    def buzz(self, pattern: Buzz) -> None:
        """Hand the device this pattern now or, while another thread polls it, with its next poll."""
        self._buzz.append(pattern)
        self._deliver_now()

    def _deliver_now(self) -> None:
        if self._lock.acquire(blocking=False):
            try:
                if not self._fault:
                    self._attend(tuple)
            finally:
                self._lock.release()

    def _attend(self, deed: Callable[[], tuple[Event, ...]]) -> tuple[Event, ...]:
        try:
            self._deliver()
            return deed()
        except (HardwareError, OSError) as error:
            self._fault = str(error) or type(error).__name__
            self._let_go()
            return ()

    def _deliver(self) -> None:
        """Hand on the latest lights and tones; they are taken in one go, so nothing that arrives just now is lost."""
        while self._lights:
            self.device.show(self._lights.popleft())
        while self._buzz:
            self.device.buzz(self._buzz.popleft())

    def _let_go(self) -> None:
        try:
            self.device.close()
        except (HardwareError, OSError) as error:
            self._fault = f"{self._fault or 'well until now'}; it could not be closed: {error}"

    def health(self) -> Health:
        """Return the device's state."""
        health = self.device.health()
        return replace(health, state="refused", fault=self._fault) if self._fault else health

    def close(self) -> None:
        """Close the device unless it is broken, or still busy after JOIN_S: the end of the process then releases it."""
        if not self._lock.acquire(timeout=JOIN_S):
            return
        try:
            if not self._fault:
                self._let_go()
        finally:
            self._lock.release()


class Desk:
    """Several devices as one. `start` polls them in a thread; tests and simulations call `poll` themselves."""

    def __init__(self, devices: Sequence[Device], clock: Callable[[], float] = time.monotonic) -> None:
        self.devices = tuple(devices)
        self._places = tuple(_Place(device) for device in devices)
        self._clock = clock
        self._stopped = Signal()
        self._thread: Thread | None = None

    @property
    def period_s(self) -> float:
        """The pause between two polls: short if there are contacts to sample."""
        contacts = any(health.kind != "reader" and health.state == "present" for health in self.health())
        return PERIOD_S if contacts else READERS_PERIOD_S

    def start(self, put: Callable[[Event], None]) -> None:
        """Poll in a thread from now on, which calls `put` with every event; without devices there is no thread."""
        if self.devices:
            self._thread = Thread(target=self._run, args=(put,), name="desk", daemon=True)
            self._thread.start()

    def _run(self, put: Callable[[Event], None]) -> None:
        try:
            period_s, looked_s = PERIOD_S, self._clock()
            while not self._stopped.is_set():
                time.sleep(period_s)  # half as dear as waiting for the signal, which would wake it a moment sooner
                now_s = self._clock()
                if now_s - looked_s >= LOOK_S:
                    period_s, looked_s = self.period_s, now_s
                for event in self.poll(now_s):
                    put(event)
        finally:
            if not self._stopped.is_set():
                put(Ailing("desk", "broken", "the desk has stopped: a fault of its own", self._clock()))

    def poll(self, now_s: float) -> tuple[Event, ...]:
        """Return the events of all devices since the last call."""
        return tuple(event for place in self._places for event in place.poll(now_s))

    def show(self, lights: Lights) -> None:
        """Set all lamps, in any thread: each device shows them at once or, as controllers do, with its next poll."""
        for place in self._places:
            place.show(lights)

    def buzz(self, pattern: Buzz) -> None:
        """Start this pattern with each device's next poll, replacing any other."""
        for place in self._places:
            place.buzz(pattern)

    def health(self) -> tuple[Health, ...]:
        """Return the state of each device."""
        return tuple(place.health() for place in self._places)

    def close(self) -> None:
        """End the thread, turn off the lamps and release everything. Closing twice is harmless."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(JOIN_S)
        for place in self._places:
            place.close()
