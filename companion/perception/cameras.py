"""The camera and its table as the app uses them: which there are, what watches, and recalibrating in between.

Cameras are found in the system's own lists: no device is opened, so that anybody may look. While a calibration goes on
the camera is its alone; afterwards the watch begins again, with the new table where one was saved and with the old one
where not.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.core import storage
from companion.core.errors import CompanionError
from companion.games.match import Match
from companion.perception.calibration import Calibration, LivePictures, Run, run_here
from companion.perception.sync.status import TableView
from engine.orders.board import Board
from intake.errors import Unreadable
from intake.files import read_text
from intake.text import one_line
from vision.errors import VisionError
from vision.geometry import Picture
from vision.table import Table, today_path

# ---- which cameras there are ----------------------------------------------------------------------


DEVICES = Path("/sys/class/video4linux")
DEV = Path("/dev")
NO_CAMERAS = (b"codec", b"isp", b"rpivid", b"pispbe", b"hevc", b"decoder", b"encoder", b"unicam", b"rp1-cfe")
"""What a Pi also calls video devices. The last two are a connector's receivers: their frames are raw."""
ON_A_BUS = re.compile(rb"([a-z]+[a-z0-9_]*) \d+-[0-9a-f]{4}$")
NO_SENSORS = (b"dw", b"ad5", b"ak73", b"lm3", b"tc358")
"""Chips beside a sensor, or in its place: what moves a lens, flashes, or takes a video signal in."""


def cameras_found(devices: Path = DEVICES, dev: Path = DEV) -> Mapping[str, str]:
    """Return {what opens it: its name for people} of the cameras that the system knows.

    First come those on a Raspberry Pi's connectors, "csi:0" and on; then the others, by paths that stay with them when
    the system renumbers its devices. A name of /dev/v4l/by-id stays with a camera whatever socket it is in. Two
    identical cameras without serial numbers would share one, which leads to whichever came last, so such twins are told
    apart by their sockets, /dev/v4l/by-path. A camera with neither goes by its number. Metadata and codec devices are
    left out.
    """
    numbers = sorted(int(path.name.removeprefix("video")) for path in devices.glob("video*") if _is_camera(path))
    nodes = {dev / f"video{number}": _name_of(devices / f"video{number}") for number in numbers}
    by_id, by_path = _links(dev / "v4l/by-id"), _links(dev / "v4l/by-path")
    twins = {name for node, name in nodes.items() if node not in by_id}
    ribbons = {f"csi:{number}": f"csi:{number}" for number in range(sum(map(_is_sensor, devices.glob("v4l-subdev*"))))}
    found = {}
    for node, name in nodes.items():
        link = by_path.get(node) if name in twins else by_id[node]
        found[str(link or node.name.removeprefix("video"))] = f"{name} ({node.name})"
    return {**ribbons, **found}


def device_of(camera: str) -> Path:
    """Return the device that a camera's number or stable path stands for at this moment."""
    return DEV / f"video{camera}" if camera.isdigit() else Path(os.path.realpath(camera))


def in_use_first(used: str | None, found: Mapping[str, str]) -> Mapping[str, str]:
    """Return the cameras with the one in use first, by its stable path if it was named otherwise."""
    if used is None:
        return found
    stable = next((camera for camera in found if device_of(camera) == device_of(used)), used)
    return {stable: found.get(stable, used), **found}


def _links(folder: Path) -> dict[Path, Path]:
    """Return {device: its name in this folder}."""
    return {link.resolve(): link for link in sorted(folder.iterdir())} if folder.is_dir() else {}


def _name_of(device: Path) -> str:
    """Return what the driver calls a camera: "HD Webcam" for "HD Webcam: HD Web"."""
    try:
        name = one_line((device / "name").read_bytes().decode(errors="replace"))
    except OSError:  # unplugged in between
        return device.name
    whole, _colon, again = name.partition(": ")
    return whole if again and whole.startswith(again) else name


def _is_camera(device: Path) -> bool:
    try:
        name, index = (device / "name").read_bytes().lower(), (device / "index").read_bytes().strip()
    except OSError:
        return False
    return index == b"0" and not any(word in name for word in NO_CAMERAS)


def _is_sensor(device: Path) -> bool:
    """Return whether a part of a connector's chain is the sensor itself, such as "imx708 10-001a"."""
    try:
        found = ON_A_BUS.match((device / "name").read_bytes().strip().lower())
    except OSError:
        return False
    return found is not None and not found[1].startswith(NO_SENSORS)


# ---- which camera and tables are kept -------------------------------------------------------------


FOLDER = "tables"
CAMERA_FILE = "camera"
MOST_CAMERA_BYTES = 5000


def tables_dir() -> Path:
    """Return the folder of the tables calibrated in the app; it is not created here."""
    return storage.data_dir() / FOLDER


def own_table(board: str) -> Path:
    """Return the path of a board's table calibrated in the app, whether or not there is one."""
    return tables_dir() / f"{board}.table"


def _is_own(table: Path) -> bool:
    """Return whether a table was calibrated in the app, rather than named by somebody."""
    return table.parent == tables_dir()


def own_camera() -> str | None:
    """Return the camera that was chosen at the calibration; None if none was, or its file is unreadable."""
    try:
        found = read_text(tables_dir() / CAMERA_FILE, MOST_CAMERA_BYTES).strip()
    except (OSError, Unreadable):
        return None
    return found if found.isprintable() and found else None


def remember_camera(camera: str) -> None:
    """Save which camera looks at the table; OSError if the disk refuses."""
    tables_dir().mkdir(parents=True, exist_ok=True)
    storage.atomic_write(tables_dir() / CAMERA_FILE, camera.encode())


def _keep_by_name(camera: str | None) -> None:
    """Save the stable name of a camera that has just seen its board, if it was saved by another and the disk allows."""
    if camera is not None and camera == own_camera():
        stable = next(iter(in_use_first(camera, cameras_found(DEVICES, DEV))))
        if stable != camera:
            with suppress(OSError):
                remember_camera(stable)


# ---- what watches ---------------------------------------------------------------------------------


class Watching(Protocol):
    """What watches a table while the app runs."""

    table: Table | None = None
    """The calibrated one; None before there is one."""

    def glimpse(self, match: Match) -> TableView:
        """Return what this watch sees of the match's table now."""

    def look(self) -> TableView | None:
        """Return what this watch sees of its table now, whatever is played; None if it can't tell."""
        return None

    def close(self) -> None:
        """End the watch."""

    def latest(self) -> Picture | None:
        """Return the newest picture (H, W, 3) BGR; None if there is none to show."""
        return None

    @property
    def progress_s(self) -> float | None:
        """When it last made progress (monotonic seconds); None if that doesn't matter."""
        return None


@dataclass(frozen=True, slots=True)
class Setup:
    """A table file and the camera that looks at it."""

    table: Path | None
    camera: str | None


class CameraSession:
    """Holds the watch in use, `current`, and can replace it with one of another table or camera."""

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
        """When the camera last made progress (monotonic seconds); None without one."""
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
        """Switch to this board's table if there is one, and the table in use is one of the app's own."""
        if board == self._board:
            return
        self._board = board
        table, used = own_table(board), self.setup.table
        if used is not None and used != table and _is_own(used) and table.exists():
            self.begin(Setup(table, self.setup.camera))

    def stop(self) -> None:
        """Release the camera: nothing is watched until `begin`."""
        if self.current is not None:
            self.current.close()
        self.current = self._fault = None

    def begin(self, setup: Setup) -> None:
        """Watch with this table and camera from now on; if that fails, glimpses say why."""
        self.stop()
        self.setup = setup
        try:
            self.current = self._start(setup)
        except (VisionError, CompanionError) as error:
            self._fault = str(error)


class AppCameras:
    """Lists the cameras to calibrate with, and begins calibrations, each of which borrows the camera from the watch."""

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
        """Whether there is a table file to watch with."""
        table = self._watched.setup.table
        return table is not None and table.exists()

    def names(self) -> Mapping[str, str]:
        """Return {camera: its name for people}, the one in use first."""
        return in_use_first(self._watched.setup.camera, self._names())

    def begin(self, camera: str) -> Calibration:
        """Return a new calibration with this camera; the watch releases it until the calibration is closed."""
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
    """Live pictures that, when closed, give their camera back to the watch."""

    def __init__(self, pictures: LivePictures, give_back: Callable[[], None]) -> None:
        self._pictures = pictures
        self._give_back: Callable[[], None] | None = give_back

    @property
    def fault(self) -> str | None:
        """Why there is no picture, in one sentence; None if all is well."""
        return self._pictures.fault

    def latest(self) -> Picture | None:
        """Return the newest picture (H, W, 3) BGR; None without one."""
        return self._pictures.latest()

    def ask(self, what: str) -> None:
        """Pass on what people are asked to show."""
        self._pictures.ask(what)

    def close(self) -> None:
        """Release the camera and give it back, once."""
        self._pictures.close()
        if self._give_back is not None:
            give_back, self._give_back = self._give_back, None
            give_back()
