"""The camera and its table as the app uses them: which ones, what watches, and recalibrating in between.

While a calibration goes on the camera is its alone; afterwards the watch begins again, with the new table where one
was saved and with the old one where not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.core import storage
from companion.core.errors import CompanionError
from companion.games.match import Match
from companion.perception import camera_list
from companion.perception.calibration import Calibration, LivePictures, Run, run_here
from companion.perception.camera_list import cameras_found, in_use_first
from companion.perception.sync.status import TableView
from engine.orders.board import Board
from intake.errors import Unreadable
from intake.files import read_text
from vision.errors import VisionError
from vision.geometry import Picture
from vision.table import Table, today_path

FOLDER = "tables"
CAMERA_FILE = "camera"
MOST_CAMERA_BYTES = 5000


def tables_dir() -> Path:
    """Return the folder of the tables that were calibrated in the app, which is not created here."""
    return storage.data_dir() / FOLDER


def own_table(board: str) -> Path:
    """Return the path of a board's table calibrated in the app, whether there is one or not."""
    return tables_dir() / f"{board}.table"


def _is_own(table: Path) -> bool:
    """Return whether a table was calibrated in the app, rather than named by somebody."""
    return table.parent == tables_dir()


def own_camera() -> str | None:
    """Return the camera that was chosen at the calibration; None if none was, or the file is no text."""
    try:
        found = read_text(tables_dir() / CAMERA_FILE, MOST_CAMERA_BYTES).strip()
    except (OSError, Unreadable):
        return None
    return found if found.isprintable() and found else None


def remember_camera(camera: str) -> None:
    """Keep which camera looks at the table. OSError where the disk refuses."""
    tables_dir().mkdir(parents=True, exist_ok=True)
    storage.atomic_write(tables_dir() / CAMERA_FILE, camera.encode())


def _keep_by_name(camera: str | None) -> None:
    """Keep a camera that has just seen its board by its stable name, where its number was kept and the disk lets us."""
    if camera is not None and camera == own_camera():
        stable = next(iter(in_use_first(camera, cameras_found(camera_list.DEVICES, camera_list.DEV))))
        if stable != camera:
            with suppress(OSError):
                remember_camera(stable)


class Watching(Protocol):
    """What watches a table while the app runs."""

    table: Table | None = None
    """The calibrated one; None before there is one."""

    def glimpse(self, match: Match) -> TableView:
        """Return what this watch sees of the match's table now."""

    def look(self) -> TableView | None:
        """Return what this watch sees of its table now, whatever is played; None where that tells nothing."""
        return None

    def close(self) -> None:
        """End it."""

    def latest(self) -> Picture | None:
        """Return the newest picture (H, W, 3) BGR; None where there is none to show."""
        return None

    @property
    def progress_s(self) -> float | None:
        """When it last made progress (monotonic); None where nobody needs to know."""
        return None


@dataclass(frozen=True, slots=True)
class Setup:
    """A table file and the camera that looks at it."""

    table: Path | None
    camera: str | None


class CameraSession:
    """The watch in use, `current`; it can be stopped and begun again with another table."""

    def __init__(self, start: Callable[[Setup], Watching | None], setup: Setup) -> None:
        self.setup = setup
        self._start = start
        self.current = start(setup)
        self._fault: str | None = None
        self._board = ""  # of the game that was looked at last
        self._may_be_numbered = True

    @property
    def table(self) -> Table | None:
        """The calibrated table in use."""
        return self.current.table if self.current is not None else None

    def latest(self) -> Picture | None:
        """Return the newest picture (H, W, 3) BGR; None without a camera."""
        return self.current.latest() if self.current is not None else None

    @property
    def progress_s(self) -> float | None:
        """When the camera last made progress (monotonic); None without one."""
        return self.current.progress_s if self.current is not None else None

    def glimpse(self, match: Match) -> TableView | None:
        """Return what the watch sees of the match's table now, or why it sees nothing; None without a camera."""
        self._turn_to(match.position.board.name)
        if self._fault is not None:
            return TableView("lost", fault=self._fault)
        if self.current is None:
            return None
        view = self.current.glimpse(match)
        if self._may_be_numbered and view.reading is not None:
            self._may_be_numbered = False
            _keep_by_name(self.setup.camera)
        return view

    def _turn_to(self, board: str) -> None:
        """Watch with the table of this board, where tables are the app's own and there is one of it."""
        if board == self._board:
            return
        self._board = board
        table, used = own_table(board), self.setup.table
        if used is not None and used != table and _is_own(used) and table.exists():
            self.begin(Setup(table, self.setup.camera))

    def stop(self) -> None:
        """Let go of the camera."""
        if self.current is not None:
            self.current.close()
        self.current = self._fault = None

    def begin(self, setup: Setup) -> None:
        """Watch with this table and camera from now on; where that fails, glimpses say why."""
        self.stop()
        self.setup = setup
        try:
            self.current = self._start(setup)
        except (VisionError, CompanionError) as error:
            self._fault = str(error)


class AppCameras:
    """The cameras a calibration may choose from; each calibration borrows its camera from the watch."""

    def __init__(
        self,
        board: Callable[[], Board],
        watched: CameraSession,
        names: Callable[[], Mapping[str, str]],
        pictures: Callable[[str], LivePictures],
        run: Run = run_here,
    ) -> None:
        """run: does the work of a calibration that takes seconds and much memory."""
        self._board, self._run = board, run
        self._watched = watched
        self._names = names
        self._pictures = pictures

    @property
    def ready(self) -> bool:
        """Whether there is a table in use."""
        table = self._watched.setup.table
        return table is not None and table.exists()

    def names(self) -> Mapping[str, str]:
        """Return the cameras with their names, the one in use first."""
        return in_use_first(self._watched.setup.camera, self._names())

    def begin(self, camera: str) -> Calibration:
        """Begin a calibration with this camera; the watch lets go of it until the calibration is closed."""
        board = self._board()
        named = self._watched.setup.table
        setup = Setup(own_table(board.name) if named is None or _is_own(named) else named, camera)
        self._watched.stop()
        borrowed = Borrowed(self._pictures(camera), lambda: self._watched.begin(self._watched.setup))
        assert setup.table is not None
        return Calibration(board, borrowed, setup.table, lambda table: self._remember(table, setup), self._run)

    def _remember(self, _table: Table, setup: Setup) -> None:
        assert setup.table is not None
        with suppress(OSError):  # of another calibration it isn't read
            today_path(setup.table).unlink(missing_ok=True)
        if setup.camera is not None:
            remember_camera(setup.camera)
        self._watched.setup = setup


class Borrowed:
    """Live pictures whose camera is given back when they are closed."""

    def __init__(self, pictures: LivePictures, give_back: Callable[[], None]) -> None:
        self._pictures = pictures
        self._give_back: Callable[[], None] | None = give_back

    @property
    def fault(self) -> str | None:
        """Why there is no picture."""
        return self._pictures.fault

    def latest(self) -> Picture | None:
        """Return the newest picture."""
        return self._pictures.latest()

    def ask(self, what: str) -> None:
        """Pass on what is asked for."""
        self._pictures.ask(what)

    def close(self) -> None:
        """Let go of the camera and give it back, once."""
        self._pictures.close()
        if self._give_back is not None:
            give_back, self._give_back = self._give_back, None
            give_back()
