"""The desk as the app has it: opened as the settings say, reopened when they change, given lights and sounds.

Without any device it is there all the same and does nothing, so that nobody has to ask. What the lamps show is a pure
function of the state of the game at the table. A lamp cannot be black: the black faction's light is white, as its
letters are on the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from companion.games.status import Situation
from companion.perception.sync.status import SyncStatus
from companion.settings.layers import Settings
from hardware.desk import DeskPlan, open_desk
from hardware.device import Health
from hardware.errors import HardwareError, WiringError
from hardware.events import Event
from hardware.lights import DARK, OFF, Buzz, Colour, Lights
from hardware.ports import PluggedPort, list_ports
from hardware.wiring import Wiring

# ---- what the lamps show --------------------------------------------------------------------------


FACTIONS: Mapping[str, Colour] = {
    "red": (1.0, 0.0, 0.0),
    "black": (1.0, 1.0, 1.0),
    "blue": (0.0, 0.2, 1.0),
    "yellow": (1.0, 0.7, 0.0),
}
IN_PALETTE: Mapping[str, Mapping[str, Colour]] = {  # for eyes to which red is dim or green: as on the screen, orange
    "deuteranopia": {"red": (1.0, 0.35, 0.0)},
    "protanopia": {"red": (1.0, 0.45, 0.0)},
}
ROUND: Colour = (0.3, 0.3, 0.3)
FAINT = 0.12  # of its light that a side's end of the strip keeps while the table waits for the other one
TURN_S = 0.8
"""Where the table waits for both, the lamp shows each so long."""
UNSURE = ("unsure", "lost")
MOST_ROUNDS = 6  # a lamp each on the strip; a game of more shows none


@dataclass(frozen=True, slots=True)
class State:
    """What decides the lamps: the game (None: none), the camera's status, the palette; motion: may they alternate."""

    game: Situation | None = None
    sense: SyncStatus = field(default_factory=SyncStatus)
    palette: str = "standard"
    motion: bool = True


def colour_of(faction: str, palette: str = "standard") -> Colour:
    """Return the colour of a faction's light in a palette."""
    return IN_PALETTE.get(palette, {}).get(faction) or FACTIONS[faction]


def lights(state: State, now_s: float = 0.0) -> Lights:
    """Return all lamps for the state of the table; dark without a game.

    turn: whom the table waits for, alternating, with `motion`, if it waits for both; the winner once the game is over.
    The strip: an end for each side, bright while it is waited for, and between them, if the rounds are fixed and
    no more than MOST_ROUNDS, a lamp for each round begun.
    """
    game = state.game
    if game is None:
        return OFF
    shining = [game.winner] if game.winner is not None else [side for side in game.sides if side in game.waits_for]
    number = int(now_s / TURN_S) if state.motion else 0
    return Lights(
        turn=colour_of(shining[number % len(shining)], state.palette) if shining else DARK,
        initiative=colour_of(game.rounds.initiative, state.palette) if game.rounds.initiative else DARK,
        unsure=state.sense.sign in UNSURE or state.sense.question is not None,
        out_of_sync=state.sense.sign == "out",
        strip=_strip(game, shining, state.palette),
    )


def _strip(game: Situation, shining: Sequence[str], palette: str) -> tuple[Colour, ...]:
    ends: list[Colour] = []
    for faction in game.sides:
        (red, green, blue), light = colour_of(faction, palette), 1.0 if faction in shining else FAINT
        ends.append((red * light, green * light, blue * light))
    most = game.rounds.most if game.rounds.most <= MOST_ROUNDS else 0
    return ends[0], *(ROUND if n < game.rounds.n else DARK for n in range(most)), ends[1]


# ---- the desk -------------------------------------------------------------------------------------


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
    """An open desk, such as hardware.desk.Desk."""

    def start(self, put: Callable[[Event], None]) -> None:
        """Call `put` with every event from now on, in another thread."""

    def show(self, lights: Lights) -> None:
        """Set all lamps."""

    def buzz(self, pattern: Buzz) -> None:
        """Start this pattern."""

    def health(self) -> tuple[Health, ...]:
        """Return the state of each device."""

    def close(self) -> None:
        """Turn the lamps off and release everything."""


def plan_of(settings: Settings) -> DeskPlan | None:
    """Return a plan of the devices that the settings name; None if they name none. WiringError for impossible pins."""
    if not (settings.desk_pins or settings.readers or settings.controller):
        return None
    return DeskPlan(
        wiring=Wiring.of(settings.pins, settings.inverted) if settings.desk_pins else None,
        readers=settings.readers,
        controller=settings.controller or None,
        long_press_s=settings.long_press_s,
    )


def _nobody(_event: Event) -> None:
    """Ignore an event."""


class DeskInUse:
    """The desk that the settings ask for. fault: why it could not be opened; "" if it was, or none is wanted."""

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
        """Open the desk of these settings; `put` receives its events from now on."""
        self._put = put
        self.heed(settings)

    def heed(self, settings: Settings) -> None:
        """Apply these settings: reopen the desk if they ask for other devices than before."""
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
        """Whether a desk is open."""
        return self._desk is not None

    def show(self, lights: Lights) -> None:
        """Show these lights, or a trial's, unless they are shown already."""
        wanted = lights if self.trial is None else self.trial
        if self._desk is not None and wanted != self._shown:
            self._shown = wanted
            self._desk.show(wanted)

    def buzz(self, cue: str, *, asked: bool = False) -> None:
        """Sound a cue of BUZZES, if sounds are on or somebody asked for it."""
        if self._desk is not None and (asked or (self._settings.sound and self._settings.volume)):
            self._desk.buzz(BUZZES[cue])

    def plugged_names(self) -> dict[str, str]:
        """Return {address: name for people} of the serial devices that are plugged in now."""
        return {port.path: port.name for port in self.ports()}

    def health(self) -> tuple[Health, ...]:
        """Return the state of each device; () without a desk."""
        return self._desk.health() if self._desk is not None else ()

    def close(self) -> None:
        """Turn the lamps off and close the desk."""
        desk, self._desk, self._plan, self._shown = self._desk, None, None, None
        if desk is not None:
            desk.show(OFF)
            desk.close()
