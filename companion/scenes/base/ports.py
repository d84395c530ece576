"""What scenes ask of the machine, as Protocols: the bootstrap hands in what there is."""

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
"""What the watch has of a game's table now; None where there is no camera. It must not take time."""


class Cameras(Protocol):
    """The cameras there are, and a calibration with one of them."""

    @property
    def ready(self) -> bool:
        """Whether a table is calibrated and in use."""

    def names(self) -> Mapping[str, str]:
        """Return the cameras: {as settings and commands name it: as people call it}."""

    def begin(self, camera: str) -> Calibration:
        """Open a camera for a calibration; CalibrationError or VisionError where it cannot be opened."""


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
    """Where games are kept."""

    def open(self, path: Path) -> AnyMatch:
        """Go on with a saved game of any system; MatchError where it cannot be opened."""

    def start(self, request: Mapping[str, object]) -> AnyMatch:
        """Begin a new game in a new file, as a `new` request asks; EngineError or MatchError where that fails."""


class SettingsStore(Protocol):
    """Where what is chosen in the app is kept."""

    def keep(self, settings: Settings, names: Iterable[str]) -> None:
        """Keep these fields of the settings; SettingsError where the disk refuses."""

    def forget(self) -> Settings:
        """Keep nothing any more; the settings that hold then. SettingsError where the disk refuses."""


class ReportWriter(Protocol):
    """Writes a bug report of a game."""

    def __call__(self, match: Match, stands: bool, *, names: bool = False) -> str:
        """Write the report and say in a sentence where it is.

        stands: the table stands as the game says; names: include the players' names.
        """


class TableHands(Protocol):
    """The players' hands at a simulated table: they move pieces without telling the app."""

    def do_turn(self, match: Match) -> None:
        """Do the next turn on the board alone, now and then with a mistake."""

    def put_right(self, match: Match) -> None:
        """Lay the board as the game has it."""


class BoardSight(Protocol):
    """What the eye compares board images of the table in use with."""

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
    """Plays by itself: one step at a time, so that it can be watched."""

    system: str  # whose games it plays
    pause_s: float

    def act(self, match: Any) -> bool:
        """Offer one step to the match; False where nothing is left to do."""


class Demonstration(NamedTuple):
    """A game to look at: its match, what plays it (None where nothing does), and the watch on its table."""

    match: AnyMatch
    autoplay: Autoplay | None
    watcher: Watcher | None = None
