"""What scenes share: the games, the camera's verdict, the demo's player, and how they hand over to one another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from companion.content.board_choice import board_of
from companion.core.language import use_language
from companion.desk.in_use import DeskInUse
from companion.desk.tags import Tags
from companion.games.chance import Chance, Thrown
from companion.games.clock import GameClock
from companion.games.match import AnyMatch
from companion.games.private_hand import PrivateHands
from companion.games.status import Aloud, Rounds, Situation
from companion.perception.dice import DiceFollower, DiceOffer, DiceWatch
from companion.perception.sync.monitor import SyncMonitor
from companion.perception.sync.status import SyncStatus
from companion.perception.turn_inference import InlineExplainer
from companion.scenes.base.reviews import Reviews
from companion.settings.layers import Settings, with_changes
from companion.thinking.thought import InlineThinking, Thinking
from companion.ui.intents import Tooltip
from companion.ui.screen import Intent, MapPicture, Picture, Screen
from companion.ui.table_pictures import AnyTablePicture
from engine.orders.board import Board
from engine.orders.position import Position
from engine.ruling import use_edition
from hardware.events import Event

if TYPE_CHECKING:
    from companion.appliance.sticks import StickWork
    from companion.checks.health import HealthCheck
    from companion.core.power import Power
    from companion.measuring.live_markers import FieldEye
    from companion.perception.todays_board import TodaysBoard
    from companion.scenes.base.ports import (
        BoardSight,
        Cameras,
        Demonstration,
        Eye,
        GameStore,
        Learning,
        Recording,
        ReportWriter,
        SettingsStore,
        TableHands,
    )
    from companion.text.people import People
    from vision.live.preview import Preview


@dataclass(frozen=True, slots=True)
class GameDefaults:
    """What a new game starts from at this table: the readings switched to their other answer, {faction: name}."""

    readings: frozenset[str] = frozenset()
    players: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Services:
    """What the machine does for the scenes; None for what this machine doesn't have."""

    games: GameStore
    choices: SettingsStore | None = None
    clock: GameClock = field(default_factory=GameClock)
    chance: Chance = field(default_factory=Thrown)
    private: PrivateHands = field(default_factory=PrivateHands)
    thinking: Thinking = field(default_factory=InlineThinking)
    draw: Callable[[Screen, Path], None] | None = None  # draws a screen into a PNG file; None without a view
    replays: Mapping[str, Callable[[Path, Path], None]] = field(default_factory=dict)
    """What a saved game can be made into, by the suffix of the file: each reads the game and writes the file."""
    export: ReportWriter | None = None
    doctor: Callable[[], Iterable[HealthCheck]] | None = None
    power: Power | None = None  # the machine's switch, where Gunbai has the machine to itself
    sticks: StickWork | None = None  # memory sticks, and what systemd does with them
    demonstration: Callable[[str], Demonstration] | None = None  # begins the demo of a system, by its name
    trial: Callable[[], Demonstration] | None = None  # begins to try the camera's work on pictures


@dataclass(frozen=True, slots=True)
class Senses:
    """What sees the table; None for what can't be had without a camera."""

    monitor: SyncMonitor = field(default_factory=lambda: SyncMonitor(InlineExplainer()))
    dice: DiceFollower = field(default_factory=DiceFollower)
    sight: BoardSight | None = None
    view: Callable[[], Preview | None] | None = None  # the camera's own picture, where it has one now
    eye: Eye | None = None
    field_eye: FieldEye | None = None  # measures a battle on the table
    cameras: Cameras | None = None
    hands: TableHands | None = None  # of a simulated table
    learner: Learning | None = None
    today: TodaysBoard | None = None
    recorder: Recording | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """The buttons, lamps and readers, and which card each tag is."""

    devices: DeskInUse = field(default_factory=DeskInUse)
    tags: Tags = field(default_factory=Tags)


class Stage:
    """What outlives a scene: the services, senses and desk, made once, and the settings that hold now."""

    def __init__(
        self,
        services: Services,
        senses: Senses | None = None,
        desk: Desk | None = None,
        settings: Settings | None = None,
    ) -> None:
        self.services = services
        self.senses = senses or Senses()
        self.desk = desk or Desk()
        self.settings = settings or Settings()
        self.listeners: list[Callable[[Settings], None]] = []  # called with new settings
        self.reviews = Reviews(services.thinking)
        self.can_play = False  # the app can play the game at the table by itself
        self.demo_on = False  # and does so now
        self.says_pictures = False  # pictures stand in for the camera, and nobody has put that note away yet
        self.learns = True  # the eye learns from this table; False at a demonstration's

    @property
    def sense(self) -> SyncStatus:
        """The camera's verdict now; its proposed turns only if the settings allow them or a demonstration runs."""
        sense, is_told = self.senses.monitor.sense, self.settings.propose_turns or not self.learns
        return SyncStatus("turn") if sense.explanations and not is_told else sense

    def sense_at(self, position: Position) -> SyncStatus:
        """Return the camera's verdict on this position; one about an earlier position gives a plain "turn"."""
        game = self.senses.monitor.state.game
        return self.sense if game is not None and game.position is position else SyncStatus("turn")

    @property
    def dice(self) -> DiceOffer | None:
        """The dice that the camera read for the roll that is owed; None if the settings forbid it to read dice."""
        return self.senses.dice.offer if self.settings.camera_dice else None

    @property
    def dice_seen(self) -> DiceWatch:
        """The dice that the camera has seen since the turn began; none if the settings forbid it to read dice."""
        return self.senses.dice.watch if self.settings.camera_dice else DiceWatch()

    @property
    def learner(self) -> Learning | None:
        """What learns from this table; None where that is switched off, and at a demonstration's table."""
        return self.senses.learner if self.settings.learning and self.learns else None

    def confirm(self, position: Position) -> None:
        """Teach the eye from its last reading: people have said that the table stood like this then."""
        if self.learner is not None:
            self.learner.learn(position)
        if self.today is not None:
            self.today.take_ground(position)

    @property
    def today(self) -> TodaysBoard | None:
        """What learns how the board looks today; None without a camera, and at a demonstration's table."""
        return self.senses.today if self.learns else None

    @property
    def board(self) -> Board:
        """The board that new games start from."""
        return board_of(self.settings)

    @property
    def game_defaults(self) -> GameDefaults:
        """What new games start from, as the settings have it."""
        return GameDefaults(
            frozenset(name for name, answer in self.settings.readings.items() if answer == "other"),
            {faction: name for faction, name in self.settings.players.items() if name},
        )

    def change(self, **changes: Any) -> None:
        """Change settings, which hold at once, and save them for the next start.

        UsageError for a value that isn't allowed; SettingsError if saving fails: they then hold until the app ends.
        """
        self.apply(with_changes(self.settings, changes))
        if self.services.choices is not None:
            self.services.choices.keep(self.settings, changes)

    def apply(self, settings: Settings) -> None:
        """Use these settings from now on, and call the listeners; nothing is saved."""
        before, self.settings = self.settings, settings
        clock = self.services.clock
        clock.minutes, clock.warn_s = settings.clock_minutes, settings.clock_warn_s
        if settings.language != before.language:
            use_language(settings.language)
        if settings.edition != before.edition:
            use_edition(settings.edition)
        for listener in self.listeners:
            listener(settings)


class Scene(Protocol):
    """What the app is showing: it has a Screen, and answers a touch with the scene that follows, or None to stay."""

    def show(self) -> Screen:
        """Return the screen to show now."""

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch; return the scene that follows, None to stay."""


class Request:
    """An answer to a touch that asks something of the app, in place of a scene that follows; it is never shown."""

    def show(self) -> Screen:
        """Show nothing."""
        return Screen()

    def touch(self, intent: Intent) -> None:
        """Ignore every touch."""


class Leave(Request):
    """A request to end the app."""


@dataclass(frozen=True, slots=True)
class Demonstrate(Request):
    """A request for a game of this system that plays itself."""

    system: str


class TryCamera(Request):
    """A request to try the camera's work on pictures of a table."""


@runtime_checkable
class WholeScene(Protocol):
    """A scene that may need the whole glass in the two-sided layout, where both players look at it or type."""

    whole: bool


@runtime_checkable
class SharedScene(Protocol):
    """A scene that may concern both players, so that both see it in their halves, no matter who opened it."""

    shared: bool


@runtime_checkable
class FacingScene(Protocol):
    """A scene that shows the two players different things, each in the half of the screen that faces them."""

    def show_to(self, faction: str) -> Screen:
        """Return the screen of this player's half; `show` remains the screen that both share."""


@runtime_checkable
class Table(Protocol):
    """The scene of a game at the table, by whatever rules. Its sides are the colours of the two halves of the glass."""

    banner: str

    alone: bool  # one person sits there

    @property
    def stage(self) -> Stage:
        """What outlives the table: services, devices and settings."""

    @property
    def match(self) -> AnyMatch:
        """The game."""

    @property
    def home(self) -> Scene:
        """The scene that leaving the table leads to."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The colours of both sides, the near one's first."""

    @property
    def waits_for(self) -> frozenset[str]:
        """The sides that the table waits for."""

    @property
    def asked_side(self) -> str:
        """The side whose answer is asked for first."""

    @property
    def winner(self) -> str | None:
        """The side that has won; None while the game goes on."""

    @property
    def rounds(self) -> Rounds:
        """How far the game is."""

    @property
    def picture(self) -> MapPicture | Picture:
        """What lies on the table now, with nothing on it to touch."""

    @property
    def people(self) -> People:
        """Who plays, by sides."""

    def speech(self) -> Aloud:
        """Return what the voice may say about the position."""

    @property
    def announcement(self) -> str:
        """What the side that the app plays is about to do, in a sentence; "" where there is nothing."""

    def show(self) -> Screen:
        """Return the screen to show now."""

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch; return the scene that follows, None to stay."""

    def listens(self, intent: Intent) -> bool:
        """Return whether a touch from this half counts now."""

    def explain(self, key: str, picture: AnyTablePicture | None = None) -> Tooltip | None:
        """Return the tooltip of the thing under a long touch, by its key; None if there is none.

        picture: the picture on the screen that the thing belongs to.
        """

    def refresh(self) -> None:
        """Show what the position asks for now."""

    def score(self) -> Scene:
        """Return the scene with the score of the game, as it stands or ended."""


def situation_of(table: Table) -> Situation:
    """Return how the game at a table stands."""
    return Situation(
        game=table.match.path,
        position=table.match.position,
        steps=len(table.match.steps),
        sides=table.sides,
        asked_side=table.asked_side,
        waits_for=table.waits_for,
        winner=table.winner,
        rounds=table.rounds,
    )


@runtime_checkable
class AtTable(Protocol):
    """A scene that tells the app which table the camera is to watch while this scene is shown; None for no table."""

    @property
    def table(self) -> Table | None:
        """The table to watch."""


@runtime_checkable
class HearingScene(Protocol):
    """A scene that handles some of the desk's events itself."""

    def hear(self, event: Event) -> bool:
        """Handle an event of the desk; return False to leave it to the app."""


@runtime_checkable
class LiveScene(Scene, Protocol):
    """A scene whose picture changes by itself."""

    def tick(self, now_s: float) -> Scene | None:
        """Update; return the scene that follows, this one if only its screen changed, None if nothing did."""
