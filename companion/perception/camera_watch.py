"""Looks at a table through its camera, in a process of its own, so that the screen never waits for the eye."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from companion.games.match import Match
from companion.perception.camera_process import CameraProcess, Told, camera_command
from companion.perception.camera_service import CameraService, service_folder
from companion.perception.cameras import Watching
from companion.perception.sync.status import State, TableView
from companion.perception.table_file import load_table_today
from vision.dice.reader import DiceReading
from vision.errors import CameraError
from vision.geometry import Picture
from vision.live.camera_service import Order
from vision.live.messages import Message, MessageError, SharedPicture, cards_from, dice_from, reading_from, shared_file
from vision.live.printed import LaidCard
from vision.live.watcher import Nudge
from vision.reading.read import Reading
from vision.table import Table
from vision.values import line, number

STATES: dict[str, State] = {
    "settled": "settled",
    "moving": "moving",
    "steady": "moving",
    "nudged": "moving",
    "hand": "hand",
    "dark": "lost",
    "lost": "lost",
    "no-camera": "lost",
    "failed": "lost",
}
"""What the eye's states mean to the app; all others are "waiting"."""
BLIND = ("dark", "lost")
"""Those in which the camera gives pictures, but the board is not seen in them."""
FAILED = "reading the table kept failing, so it was turned off: restart Gunbai to try again"


@dataclass(frozen=True, slots=True, eq=False)
class CameraStatus:
    """The latest state from the camera process, as one value that threads can hand over.

    yes: how often the printed “Yes” was pressed; cards: those that lie face up.
    """

    state: str = "starting"
    fault: str = ""
    reading: Reading | None = None
    frame: bytes | None = None
    dice: DiceReading | None = None
    nudge: Nudge | None = None
    yes: int = 0
    cards: tuple[LaidCard, ...] = ()


class Link(Protocol):
    """The connection to the process that takes the frames."""

    @property
    def pid(self) -> int | None:
        """The process that takes them now."""

    @property
    def progress_s(self) -> float | None:
        """When it last made progress (monotonic seconds), None before: a message, or a known reason for none."""

    def latest(self) -> Picture | None:
        """Return the newest picture, the same object until there is a newer one; None without one."""

    def close(self) -> None:
        """Let go of the camera."""


class OwnProcess(CameraProcess):
    """A child process of the app, and the memory shared with it."""

    def __init__(self, camera: str, table: Path | None, told: Told) -> None:
        self._live = SharedPicture(shared_file())
        shared = self._live.descriptor
        super().__init__(camera_command(camera, shared, table), (shared,), told)

    def latest(self) -> Picture | None:
        """Return the newest picture."""
        return self._live.latest()

    def close(self) -> None:
        """End the process and let go of the memory."""
        super().close()
        self._live.close()


def link_to(camera: str, table: Path | None, told: Told) -> Link:
    """Return the link to the camera's unit where there is one on this machine, else to a process of our own.

    CameraError on other systems than Linux; a folder of pictures plays a camera on all but Windows.
    """
    if not sys.platform.startswith("linux") and (sys.platform == "win32" or not Path(camera).is_dir()):
        raise CameraError("a live camera needs Linux; gunbai read and gunbai score read photographs here too")
    folder = service_folder()
    if folder is None:
        return OwnProcess(camera, table, told)
    return CameraService(folder, Order(camera, None if table is None else str(table.absolute())), told)


Connect = Callable[[str, Path | None, Told], Link]


class CameraWatch(Watching):
    """A camera and, if it is calibrated, its table: live pictures, and readings of the board once it has settled.

    TableError for a broken table file. A camera that is not there, or goes away, is a fault that may pass.
    link: what connects it to where frames are taken.
    """

    def __init__(self, camera: str, table: Path | None = None, link: Connect = link_to) -> None:
        self.table: Table | None = load_table_today(str(table)) if table is not None else None
        self._news = CameraStatus()
        self._link: Link = link(camera, table, self._take)
        self._closed = False

    # ---- what the app asks -----------------------------------------------------------------------

    @property
    def state(self) -> str:
        """What the eye is at: starting, settled, steady, moving, hand, nudged, dark, lost, no-camera, failed ..."""
        return self._news.state

    @property
    def fault(self) -> str | None:
        """Why there is no picture, or no board in it, in one sentence."""
        return self._news.fault or None

    @property
    def nudge(self) -> Nudge | None:
        """How the board or the camera was moved the last time it was."""
        return self._news.nudge

    @property
    def pid(self) -> int | None:
        """The camera process."""
        return self._link.pid

    @property
    def progress_s(self) -> float | None:
        """When the camera last got on (monotonic); None before it was first heard."""
        return self._link.progress_s

    def glimpse(self, match: Match) -> TableView:
        """Return what is seen of a match's table now, and the last reading that settled."""
        board = match.position.board.name
        if self.table is not None and self.table.plan.board != board:
            return TableView(
                "lost", fault=f"the game is played on {board}, but the table is set up for {self.table.plan.board}"
            )
        return self.look()

    def look(self) -> TableView:
        """Return what is seen of the table now, and the last reading that settled."""
        news = self._news
        state, blind = STATES.get(news.state, "waiting"), news.state in BLIND
        return TableView(state, news.reading, news.fault, news.frame, news.dice, blind, news.yes, news.cards)

    def latest(self) -> Picture | None:
        """Return the newest picture (H, W, 3) BGR, the same until there is a newer one; None without a camera."""
        if self._closed or self._news.state in ("starting", "restarting", "no-camera", "failed"):
            return None
        return self._link.latest()

    def ask(self, what: str) -> None:
        """Do nothing: people read the request on the screen."""

    def close(self) -> None:
        """End the process and let go of the camera."""
        if not self._closed:
            self._closed = True
            self._link.close()

    # ---- what the process tells --------------------------------------------------------------------

    def _take(self, message: Message) -> None:
        """Take a message in; called by a thread of the link, and by no other. MessageError for one with holes."""
        try:
            self._news = self._with_message(message)
        except (KeyError, TypeError, ValueError) as error:
            raise MessageError("the camera process sent a message that makes no sense") from error

    def _with_message(self, message: Message) -> CameraStatus:
        """Return the camera's news with this message taken in."""
        news, kind = self._news, message.told.get("told")
        if kind == "state":
            state, fault = line(message.told["state"]), line(message.told["fault"])
            return replace(news, state=state, fault=FAILED if state == "failed" else fault)
        if kind == "nudge":
            return replace(news, nudge=Nudge(number(message.told["mm"]), number(message.told["deg"])))
        if kind == "yes":
            return replace(news, yes=news.yes + 1)
        if kind == "cards":
            return replace(news, cards=cards_from(message.told["cards"]))
        if kind == "dice":
            return replace(news, dice=dice_from(message.told["dice"]))
        if kind == "settled":
            reading, frame, dice = reading_from(message)
            return replace(news, state="settled", fault="", reading=reading, frame=frame, dice=dice)
        return news
