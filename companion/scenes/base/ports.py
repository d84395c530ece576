"""What scenes need from the machine, as Protocols; whatever starts the app passes in what this machine has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from companion.games.match import AnyMatch, Match
from companion.perception.calibration import Calibration
from companion.perception.sync.status import TableView
from companion.settings.layers import Settings
from engine.orders.position import Position

if TYPE_CHECKING:
    from vision.geometry import Picture
    from vision.reading.read import Reading

Watcher = Callable[[Match], TableView | None]
"""Returns what the camera's watch knows of a game's table now, None without a camera; it must return at once."""


class Cameras(Protocol):
    """Lists the cameras, and begins a calibration with one of them."""

    @property
    def ready(self) -> bool:
        """Whether a table is calibrated and in use."""

    def names(self) -> Mapping[str, str]:
        """Return the cameras: {name in settings and commands: name that people read}."""

    def begin(self, camera: str) -> Calibration:
        """Open a camera, and begin a calibration with it; CalibrationError or VisionError if it can't be opened."""


class Eye(Protocol):
    """Reads single pictures."""

    @property
    def has_camera(self) -> bool:
        """Whether a picture can be taken now."""

    def read_now(self, match: Match | None) -> Reading:
        """Take a picture of the board now and read it."""

    def read_file(self, path: Path) -> Reading:
        """Read the board in a picture file."""


class GameStore(Protocol):
    """Opens saved games and begins new ones."""

    def open(self, path: Path) -> AnyMatch:
        """Open a saved game of any system to play on; MatchError if it can't be opened."""

    def start(self, request: Mapping[str, object]) -> AnyMatch:
        """Begin a new game in a new file, as a `new` request asks; EngineError or MatchError if that fails."""


class SettingsStore(Protocol):
    """Keeps the settings that were changed in the app."""

    def keep(self, settings: Settings, names: Iterable[str]) -> None:
        """Save these fields of the settings for the next start; SettingsError if the disk refuses."""

    def forget(self) -> Settings:
        """Delete all that was kept, and return the settings that hold then; SettingsError if the disk refuses."""


class ReportWriter(Protocol):
    """Writes a bug report of a game."""

    def __call__(self, match: Match, stands: bool, *, names: bool = False) -> str:
        """Write the report, and return a sentence that says where it is.

        stands: the table stands as the game says; names: include the players' names.
        """


class TableHands(Protocol):
    """The players' hands at a simulated table: they move pieces without telling the app."""

    def do_turn(self, match: Match) -> None:
        """Play the next turn with the pieces only, now and then with a mistake."""

    def put_right(self, match: Match) -> None:
        """Place the pieces as the game has them."""


class BoardSight(Protocol):
    """The empty board that the eye compares the table with, and what it takes for pieces."""

    @property
    def empty(self) -> Picture | None:
        """The board image (H, W, 3) BGR of the empty board; None while there is no table."""

    def evidence(self, board_bgr: Picture) -> Picture | None:
        """Paint what the eye takes for pieces onto a board image, slowly; None if the image is of another board."""


class Recording(Protocol):
    """Keeps pictures of the turns."""

    def see(self, match: Match, reading: Reading, frame: bytes | None = None) -> None:
        """Record a settled reading of the table between turns; must return at once."""


class Learning(Protocol):
    """Learns from what people confirm how far this table's readings can be trusted."""

    def refine(self, reading: Reading) -> Reading:
        """Return the reading adjusted by what was learnt at this table, the same object for the same reading."""

    def learn(self, position: Position) -> bool:
        """Learn from the last reading that the table stood like this, as people have said; return whether it did."""


class Autoplay(Protocol):
    """Plays a game by itself, one step at a time, so that people can watch."""

    system: str  # whose games it plays
    pause_s: float

    def act(self, match: Any) -> bool:
        """Play one step of the match; return False if nothing is left to do."""


class Demonstration(NamedTuple):
    """A game to look at: its match, what plays it (None where nothing does), and the watch on its table."""

    match: AnyMatch
    autoplay: Autoplay | None
    watcher: Watcher | None = None
