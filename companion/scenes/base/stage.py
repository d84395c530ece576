"""What scenes share: the games, the camera's verdict, the demo's player, and how they hand over to one another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from companion.content.board_choice import board_of
from companion.core.language import use_language
from companion.desk.in_use import DeskInUse
from companion.desk.tags import Tags
from companion.games.chance import Chance, Thrown
from companion.games.clock import GameClock
from companion.games.match import AnyMatch, Match
from companion.games.private_hand import PrivateHands
from companion.games.status import Rounds, Situation
from companion.perception.dice_offer import Offer
from companion.perception.sync_monitor import SyncMonitor, SyncState
from companion.settings.layers import Settings, changed
from companion.ui.screen import Intent, Screen
from engine.orders.board import Board
from engine.orders.position import Position
from engine.ruling import use_edition
from hardware.events import Event

if TYPE_CHECKING:
    from companion.checks.health import Check
    from companion.core.power import Power
    from companion.measuring.live_markers import FieldEye
    from companion.scenes.base.ports import Cameras, Eye
    from companion.text.people import People
    from vision.geometry import Picture
    from vision.live.preview import Preview


class Games(Protocol):
    """Where games are kept."""

    def open(self, path: Path) -> AnyMatch:
        """Go on with a saved game of any system; MatchError where it cannot be opened."""

    def start(self, request: Mapping[str, object]) -> AnyMatch:
        """Begin a new game in a new file, as a `new` request asks; EngineError or MatchError where that fails."""


@dataclass(frozen=True, slots=True)
class GameDefaults:
    """What a new game starts from at this table: the readings switched to their other answer, {faction: name}."""

    readings: frozenset[str] = frozenset()
    players: Mapping[str, str] = field(default_factory=dict)


class Hands(Protocol):
    """The players' hands at a simulated table: they move pieces without telling the app."""

    def do_turn(self, match: Match) -> None:
        """Do the next turn on the board alone, now and then with a mistake."""

    def put_right(self, match: Match) -> None:
        """Lay the board as the game has it."""


class Sight(Protocol):
    """What the eye compares board images of the table in use with."""

    @property
    def empty(self) -> Picture | None:
        """The board image (H, W, 3) BGR of the empty board; None while there is no table."""

    def evidence(self, board_bgr: Picture) -> Picture | None:
        """A board image painted with what is taken for pieces; None where it is of another board. It takes a while."""


class View(Protocol):
    """The camera's own picture."""

    def __call__(self) -> Preview | None:
        """What the camera sees just now; None without a picture."""


class Export(Protocol):
    """Writes a bug report of a game."""

    def __call__(self, match: Match, stands: bool, *, names: bool = False) -> str:
        """Where it is, in a sentence. stands: the table stands as the game says; names: with the players' names."""


class Choosing(Protocol):
    """Where what is chosen in the app is kept."""

    def keep(self, settings: Settings, names: Iterable[str]) -> None:
        """Keep these fields of the settings; SettingsError where the disk refuses."""

    def forget(self) -> Settings:
        """Keep nothing any more; the settings that hold then. SettingsError where the disk refuses."""


def _untold(position: Position) -> None:
    """Nobody listens."""
    del position


@dataclass(slots=True)
class Stage:
    """What outlives a scene."""

    games: Games
    settings: Settings = field(default_factory=Settings)
    choices: Choosing | None = None
    heeding: list[Callable[[Settings], None]] = field(default_factory=list)
    clock: GameClock = field(default_factory=GameClock)
    house: GameDefaults = field(default_factory=GameDefaults)
    has_demo: bool = False
    can_play: bool = False
    demo_on: bool = False
    understanding: SyncMonitor | None = None
    sight: Sight | None = None
    view: View | None = None
    hands: Hands | None = None
    cameras: Cameras | None = None
    export: Export | None = None
    dice: Offer | None = None
    confirmed: Callable[[Position], None] = _untold
    eye: Eye | None = None
    field_eye: FieldEye | None = None  # what measures a battle on the table
    draw: Callable[[Screen, Path], None] | None = None  # a screen into a PNG file; None without a view
    chance: Chance = field(default_factory=Thrown)
    desk: DeskInUse = field(default_factory=DeskInUse)
    tags: Tags = field(default_factory=Tags)
    private: PrivateHands = field(default_factory=PrivateHands)
    doctor: Callable[[], Iterable[Check]] | None = None
    power: Power | None = None  # the machine's switch, where the machine is there for Gunbai alone
    quitting: bool = False
    demo_wanted: str = ""  # a demonstration of this system

    @property
    def sense(self) -> SyncState:
        """What the camera means now, as far as the settings let it speak."""
        sense = self.understanding.sense if self.understanding is not None else SyncState()
        return SyncState("turn") if sense.sign == "proposal" and not self.settings.propose_turns else sense

    def sense_at(self, position: Position) -> SyncState:
        """What the camera means at this position of the game: what it offered before a step is no offer after it."""
        if self.understanding is None or self.understanding.position is position:
            return self.sense
        return replace(self.sense, explanations=(), question=None)

    @property
    def board(self) -> Board:
        """The board that new games start from."""
        return board_of(self.settings)

    def change(self, **changes: Any) -> None:
        """Choose fields of the settings: they hold at once, and are kept for the next start.

        UsageError for a value that may not be; SettingsError where it could not be kept, it holds until the app ends.
        """
        self.apply(changed(self.settings, changes))
        if self.choices is not None:
            self.choices.keep(self.settings, changes)

    def apply(self, settings: Settings) -> None:
        """Let these settings hold from now on, and tell whoever heeds them; nothing is written."""
        before, self.settings = self.settings, settings
        self.clock.minutes, self.clock.warn_s = settings.clock_minutes, settings.clock_warn_s
        if settings.language != before.language:
            use_language(settings.language)
        if settings.edition != before.edition:
            use_edition(settings.edition)
        if settings.players != before.players:
            self.house = GameDefaults(
                self.house.readings, {who: name for who, name in settings.players.items() if name}
            )
        for heed in self.heeding:
            heed(settings)


class Scene(Protocol):
    """Who is on stage: shows a Screen, and takes a touch; the scene that follows, or None to stay."""

    def show(self) -> Screen:
        """What to show now."""

    def touch(self, intent: Intent) -> Scene | None:
        """React to a touch."""


@runtime_checkable
class FacingScene(Protocol):
    """A scene that shows the two players different things, each in the half of the screen that faces them."""

    def show_to(self, faction: str) -> Screen:
        """What this player's half shows; `show()` stays what one screen for both shows."""


@runtime_checkable
class Table(Protocol):
    """The scene of a game at the table, by whatever rules. Its sides are the colours of the two halves of the glass."""

    banner: str

    @property
    def stage(self) -> Stage:
        """What outlives it."""

    @property
    def match(self) -> AnyMatch:
        """The game."""

    @property
    def home(self) -> Scene:
        """Where leaving it leads."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The colours of both sides, the near one's first."""

    @property
    def waits_for(self) -> frozenset[str]:
        """The sides that the table waits for."""

    @property
    def asked(self) -> str:
        """The side whose answer is asked for first."""

    @property
    def winner(self) -> str | None:
        """The side that has won; None while the game goes on."""

    @property
    def rounds(self) -> Rounds:
        """How far the game is."""

    @property
    def people(self) -> People:
        """Who plays, by sides."""

    def show(self) -> Screen:
        """What to show now."""

    def touch(self, intent: Intent) -> Scene | None:
        """React to a touch."""

    def listens(self, intent: Intent) -> bool:
        """Whether a touch from this half counts now."""

    def refresh(self) -> None:
        """Show what the position asks for now."""

    def score(self) -> Scene:
        """How the game stands, or ended."""


def situation_of(table: Table) -> Situation:
    """How the game at a table stands."""
    return Situation(
        game=table.match.path,
        position=table.match.position,
        steps=len(table.match.steps),
        sides=table.sides,
        asked=table.asked,
        waits_for=table.waits_for,
        winner=table.winner,
        rounds=table.rounds,
    )


@runtime_checkable
class AtTable(Protocol):
    """A scene beside a table's: the camera watches that table while it is on stage; None watches none any more."""

    @property
    def table(self) -> Table | None:
        """The table."""


@runtime_checkable
class HearingScene(Protocol):
    """A scene that takes what happens beside the board itself."""

    def hear(self, event: Event) -> bool:
        """Take an event of the desk; False for one that means here what it means everywhere."""


@runtime_checkable
class LiveScene(Protocol):
    """A scene whose picture changes by itself."""

    def tick(self, now_s: float) -> Scene | None:
        """Take a look: the scene that follows, itself where only its picture changed, None where nothing did."""
