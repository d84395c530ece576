"""The desk as the app has it: opened as the settings say, reopened when they change, given lights and sounds.

Without any device it is there all the same and does nothing, so that nobody has to ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from companion.settings.layers import Settings
from hardware.desk import DeskPlan, open_desk
from hardware.device import Health
from hardware.errors import HardwareError, WiringError
from hardware.events import Event
from hardware.lights import OFF, Buzz, Lights
from hardware.ports import PluggedPort, list_ports
from hardware.wiring import Wiring

BUZZES: Mapping[str, Buzz] = {
    "step": ((0.03, 0.0),),
    "turn": ((0.03, 0.08), (0.08, 0.0)),
    "objection": ((0.25, 0.0),),
    "attention": ((0.05, 0.1), (0.05, 0.1), (0.05, 0.0)),
    "low": ((0.04, 0.08), (0.04, 0.08), (0.04, 0.08), (0.04, 0.0)),
    "round": ((0.08, 0.08), (0.08, 0.08), (0.2, 0.0)),
    "end": ((0.08, 0.08), (0.08, 0.08), (0.08, 0.08), (0.4, 0.0)),
    "no": ((0.15, 0.0),),
}
"""What each cue (companion.app.cues.CUES) is on a buzzer, and "no": this button does nothing now."""


class Opened(Protocol):
    """What an open desk does (hardware.desk.Desk)."""

    def start(self, put: Callable[[Event], None]) -> None:
        """Begin to put events."""

    def show(self, lights: Lights) -> None:
        """Light the lamps so."""

    def buzz(self, pattern: Buzz) -> None:
        """Begin this pattern."""

    def health(self) -> tuple[Health, ...]:
        """Return the health of each device."""

    def close(self) -> None:
        """Let go of everything, the lamps dark."""


def plan_of(settings: Settings) -> DeskPlan | None:
    """Return the devices that the settings name; None if they name none. WiringError for impossible pins."""
    if not (settings.desk_pins or settings.readers or settings.controller):
        return None
    return DeskPlan(
        wiring=Wiring.of(settings.pins, settings.inverted) if settings.desk_pins else None,
        readers=settings.readers,
        controller=settings.controller or None,
        long_press_s=settings.long_press_s,
    )


def _nobody(_event: Event) -> None:
    """Leave an event unheard."""


class DeskInUse:
    """The desk of the settings. `fault` says why it could not be opened, "" where it could or none is wanted."""

    def __init__(self, opener: Callable[[DeskPlan], Opened] = open_desk) -> None:
        self.fault = ""
        self._opener = opener
        self._put: Callable[[Event], None] = _nobody
        self._settings = Settings()
        self._plan: DeskPlan | None = None
        self._desk: Opened | None = None
        self._shown: Lights | None = None
        self.trial: Lights | None = None  # what is shown while lamps are tried out
        self.ports: Callable[[], Iterable[PluggedPort]] = list_ports

    def begin(self, settings: Settings, put: Callable[[Event], None]) -> None:
        """Open it, and let its events be put from now on."""
        self._put = put
        self.heed(settings)

    def heed(self, settings: Settings) -> None:
        """Open the desk of these settings, where it is another one than before."""
        self._settings = settings
        try:
            plan, fault = plan_of(settings), ""
        except WiringError as error:
            plan, fault = None, str(error)
        if plan != self._plan or fault != self.fault:
            self.close()
            self.fault = fault
            self._open(plan)

    def _open(self, plan: DeskPlan | None) -> None:
        self._plan = plan
        if plan is None or self._put is _nobody:
            return
        try:
            desk = self._opener(plan)
        except HardwareError as error:
            self.fault = str(error)
            return
        self._desk = desk
        desk.start(self._put)

    @property
    def is_there(self) -> bool:
        """Whether any device was opened."""
        return self._desk is not None

    def show(self, lights: Lights) -> None:
        """Light the lamps so, where they are not yet."""
        wanted = lights if self.trial is None else self.trial
        if self._desk is not None and wanted != self._shown:
            self._shown = wanted
            self._desk.show(wanted)

    def buzz(self, cue: str, *, asked: bool = False) -> None:
        """Sound a cue of BUZZES, where sounds are wanted or somebody asked for it."""
        if self._desk is not None and (asked or (self._settings.sound and self._settings.volume)):
            self._desk.buzz(BUZZES[cue])

    def plugged_names(self) -> dict[str, str]:
        """Return {address: name for people} of the serial devices that are plugged in now."""
        return {port.path: port.name for port in self.ports()}

    def health(self) -> tuple[Health, ...]:
        """Return the health of each device; empty without a desk."""
        return self._desk.health() if self._desk is not None else ()

    def close(self) -> None:
        """Let go of it, the lamps dark."""
        desk, self._desk, self._plan, self._shown = self._desk, None, None, None
        if desk is not None:
            desk.show(OFF)
            desk.close()
