"""Calibrating in the app: live pictures are judged, two of them are kept, and a table is learned from them.

Nothing is written before `save`, and that replaces the old table in one go; until then the old one stays in use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from companion.core.background import Errand
from companion.core.errors import CalibrationError
from companion.core.storage import sync_folder
from companion.perception.adapters import plan_of
from engine.orders.board import Board
from vision.calibration.calibrate import calibrate, with_start
from vision.calibration.faults import Fault, faults_of, reasons_not_found, start_faults
from vision.errors import BoardNotFound, VisionError
from vision.geometry import Matrix, Picture
from vision.live.preview import (
    MapLines,
    Place,
    Preview,
    detail_of,
    is_still,
    map_lines,
    places_to_px,
    preview_of,
    px_to_places,
    stillness_of,
)
from vision.memory import give_back
from vision.plan import BoardPlan
from vision.reading.read import Reading, read
from vision.reading.setting import prepare_table
from vision.registration.align import align_corners
from vision.registration.find_board import find_corners
from vision.table import Support, Table

SHOWN_EVERY_S = 0.2
STEADY_S = 1.2  # how long pictures have to be good before one is taken by itself
LOUPE_REACH_PX = 26.0  # to each side of the corner, in a picture 1280 pixels wide
LOUPE_PX = 336
# Faults of a picture with which nothing can be learned from it
GRAVE = frozenset({"dark", "bright", "blurred", "shaken", "cut-off", "few-pixels"})

Corners = tuple[Place, ...]
Result = TypeVar("Result")


class Run(Protocol):
    """Does picklable work, in this process or another, while the calling thread waits."""

    def __call__(self, work: Callable[[], Result]) -> Result:
        """Return what the work returns, or raise its VisionError."""


def run_here(work: Callable[[], Result]) -> Result:
    """Do the work in this process."""
    return work()


def run_elsewhere(work: Callable[[], Result]) -> Result:
    """Do the work in a process of its own, whose networks and caches end with it."""
    from companion.thinking.thought import answer_elsewhere

    return answer_elsewhere(work, VisionError)


class LivePictures(Protocol):
    """What a camera sees, now."""

    @property
    def fault(self) -> str | None:
        """Why there is no picture, in one sentence; None where all is well."""

    def latest(self) -> Picture | None:
        """Return the newest picture (H, W, 3) BGR, the same object until there is a newer one; None without one."""

    def ask(self, what: str) -> None:
        """Say what people are asked to show, "empty" or "start"; a simulated table then shows it by itself."""

    def close(self) -> None:
        """Release the camera."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A live picture, the board's corners TL, TR, BR, BL in it (as fractions of its size), and what is wrong with it.

    still: nothing has moved since the picture judged before.
    """

    picture: Picture
    corners: Corners | None
    faults: tuple[Fault, ...]
    still: bool

    @property
    def good(self) -> bool:
        """Whether the picture may be taken without asking."""
        return self.still and self.corners is not None and not self.faults


@dataclass(frozen=True, slots=True)
class Learned:
    """A new table, how it reads the photo of the start (None without one), and what doesn't look as printed there."""

    table: Table
    reading: Reading | None
    faults: tuple[Fault, ...]

    @property
    def was_full(self) -> bool:
        """Whether both photos show the same, so that most likely pieces stood on the "empty" board."""
        return any(fault.kind == "same" for fault in self.faults)


class Calibration:
    """One calibration under way: what was seen and decided so far, and the work going on in the background."""

    def __init__(
        self,
        board: Board,
        pictures: LivePictures,
        path: Path,
        on_saved: Callable[[Table], None],
        run: Run = run_here,
    ) -> None:
        """run: does the work that takes seconds and much memory."""
        self.board = board
        self.plan = plan_of(board)
        self.path = path
        self.shown: Preview | None = None
        self.judged: Judged | None = None
        self.empty: Picture | None = None
        self.empty_shown: Preview | None = None
        self.corners: Corners = ()
        self.support: dict[str, Place] = {}
        self.learned: Learned | None = None
        self._pictures = pictures
        self._on_saved, self._run = on_saved, run
        self._judging: Errand[tuple[Judged, Picture]] = Errand("judge")
        self._working: Errand[Learned | Corners] = Errand("learn")
        self._before: Picture | None = None
        self._seen: Picture | None = None
        self._shown_s = self._good_since_s = -1.0

    # ---- live pictures ----------------------------------------------------------------------

    @property
    def fault(self) -> str | None:
        """Why the camera gives no picture, in one sentence; None if it does."""
        return self._pictures.fault

    def ask(self, what: str) -> None:
        """Ask people for the "empty" board or the "start" from now on, and forget what was judged before."""
        self._pictures.ask(what)
        self._judging.forget()
        self.judged = self._before = self._seen = None
        self.settle_anew()

    def look(self, now_s: float) -> bool:
        """Show the newest picture and judge it in the background; return whether there is something new to show."""
        picture = self._pictures.latest()
        changed = self._collect(now_s)
        if picture is None or picture is self._seen or now_s - self._shown_s < SHOWN_EVERY_S:
            return changed
        self._seen, self._shown_s = picture, now_s
        self.shown = preview_of(picture)
        if self._judging.idle:
            before, corners = self._before, self.corners if self.empty is not None else None
            known = self.judged.corners if self.judged else None
            self._judging.begin(lambda: _judge(picture, self.plan, before, (corners, known)))
        return True

    def _collect(self, now_s: float) -> bool:
        try:
            found = self._judging.fetch()
        except VisionError as error:
            raise CalibrationError(str(error)) from error
        if found is None:
            return False
        self.judged, self._before = found
        if not self.judged.good:
            self._good_since_s = -1.0
        elif self._good_since_s < 0:
            self._good_since_s = now_s
        return True

    def settle_anew(self) -> None:
        """Start counting good pictures afresh, as hands have just been at work."""
        self._good_since_s = -1.0

    def steady(self, now_s: float) -> bool:
        """Return whether pictures have been good for long enough to take one."""
        return 0 <= self._good_since_s <= now_s - STEADY_S

    # ---- the empty board --------------------------------------------------------------------

    def take_empty(self) -> bool:
        """Keep the picture judged last as that of the empty board; return False if there is none yet."""
        if self.judged is None:
            return False
        self.take_picture(self.judged.picture, self.judged.corners or DEFAULT_CORNERS)
        return True

    def take_picture(self, picture: Picture, corners: Corners) -> None:
        """Keep a picture as that of the empty board, with its corners as first guessed (fractions of its size)."""
        self.empty, self.corners, self.empty_shown = picture, corners, preview_of(picture)

    def drop_empty(self) -> None:
        """Forget the picture of the empty board, so that another can be taken."""
        self.empty = self.empty_shown = self.learned = None
        self.support.clear()
        self._working.forget()

    @property
    def lines(self) -> MapLines | None:
        """The drawn map over the photo of the empty board, or else the live picture; None until corners are known."""
        shown = self.empty_shown or self.shown
        size = shown.of_px if shown else None
        corners = self.corners if self.empty is not None else self.judged.corners if self.judged else None
        return map_lines(self.plan, corners, size) if corners and size else None

    def move_corner(self, index: int, to: Place) -> None:
        """Move a corner, unless that would leave the board no sensible four-sided shape."""
        moved = tuple(to if i == index else at for i, at in enumerate(self.corners))
        if _is_sensible(moved):
            self.corners = moved

    def turn(self) -> None:
        """Turn the corners' names by a quarter: what was top left becomes top right, and so on."""
        self.corners = (*self.corners[-1:], *self.corners[:-1])

    def snap(self) -> None:
        """Start moving the corners so that the drawn borders meet the printed ones; `take_snapped` takes the result."""
        picture, corners = self.empty, self.corners
        if picture is not None:
            self._working.begin(lambda: snap(picture, corners, self.plan))

    def take_snapped(self) -> bool:
        """Take the corners that `snap` has found, if it is done; return whether it was."""
        found = self._working.fetch()
        if isinstance(found, tuple):
            self.corners = found
            return True
        return False

    def corner_faults(self) -> tuple[Fault, ...]:
        """Return what is wrong with the photo of the empty board, going by its present corners."""
        assert self.empty is not None
        return faults_of(self.empty, self.plan, places_to_px(self.corners, self.empty))

    def loupe(self, at: Place) -> bytes:
        """Return an enlarged JPEG of the photo of the empty board around a place."""
        assert self.empty is not None
        reach = LOUPE_REACH_PX * max(self.empty.shape[:2]) / 1280
        return detail_of(self.empty, at, reach, LOUPE_PX)

    def support_spaces(self) -> tuple[str, ...]:
        """Return the names of the support board's spaces; `support` maps them to their places in the photo."""
        return tuple(space.name for space in self.board.spaces if space.support is not None)

    # ---- learning ---------------------------------------------------------------------------

    def learn(self, with_start: bool) -> None:
        """Start making the table from the empty board, with the picture judged last as the start if wanted."""
        assert self.empty is not None
        start = self.judged.picture if with_start and self.judged else None
        empty, corners = self.empty, self.corners
        middles = places_to_px(list(self.support.values()), empty) if self.support else ()
        support = tuple((name, (float(x), float(y))) for name, (x, y) in zip(self.support, middles, strict=True))
        self.learned = None
        work, run = partial(learn, self.plan, empty, places_to_px(corners, empty), start, support), self._run
        self._working.begin(lambda: run(work))

    def take_learned(self) -> bool:
        """Take the table from `learn` into `learned`, if it is done; return whether it was. Raises CalibrationError."""
        try:
            found = self._working.fetch()
        except VisionError as error:
            raise CalibrationError(str(error)) from error
        if isinstance(found, Learned):
            self.learned = found
            return True
        return False

    def save(self) -> None:
        """Save the new table in place of the old one and use it; CalibrationError if it can't be written."""
        assert self.learned is not None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.learned.table.save(self.path)
            sync_folder(self.path.parent)
            self._on_saved(self.learned.table)
        except (VisionError, OSError) as error:
            raise CalibrationError(str(error)) from error

    def wait(self) -> None:
        """Wait for all background work to end (for tests, and where nobody watches)."""
        self._judging.wait()
        self._working.wait()

    def close(self) -> None:
        """Release the camera, and drop all work and pictures."""
        self._judging.close()
        self._working.close()
        self._pictures.close()
        self.shown = self.judged = self.empty = self.empty_shown = self.learned = None
        self._before = self._seen = None
        give_back()


DEFAULT_CORNERS: Corners = ((0.25, 0.2), (0.75, 0.2), (0.75, 0.8), (0.25, 0.8))


def _is_sensible(corners: Sequence[Place]) -> bool:
    """Return whether corners run clockwise round a convex shape that is not too thin."""
    sides = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
    turns = [a[0] * b[1] - a[1] * b[0] for a, b in zip(sides, [*sides[1:], sides[0]], strict=True)]
    return min(turns) > 0.004  # cross products of neighbouring sides, in parts of the picture: negative where concave


def _judge(
    picture: Picture, plan: BoardPlan, before: Picture | None, where: tuple[Corners | None, Corners | None]
) -> tuple[Judged, Picture]:
    """Judge a picture; return the verdict, and what to compare the next with. where: fixed corners, earlier ones."""
    fixed, known = where
    small = stillness_of(picture)
    still = before is not None and is_still(before, small)
    corners = fixed or (known if still else None) or _search_corners(picture, plan)
    faults = faults_of(picture, plan, places_to_px(corners, picture)) if corners else reasons_not_found(picture, plan)
    return Judged(picture, corners, faults, still), small


def _search_corners(picture: Picture, plan: BoardPlan) -> Corners | None:
    try:
        return px_to_places(find_corners(picture, plan), picture)
    except BoardNotFound:
        return None


def snap(picture: Picture, corners: Corners, plan: BoardPlan) -> Corners:
    """Return the corners (fractions of the picture) moved so that the drawn borders lie on the printed ones."""
    return px_to_places(align_corners(picture, places_to_px(corners, picture), plan), picture)


def learn(
    plan: BoardPlan,
    empty: Picture,
    corners_px: Matrix | Sequence[Place] | None,
    start: Picture | None,
    support_px: Support = (),
) -> Learned:
    """Return a table made from a picture of the empty board, and how it reads that of the start.

    corners_px: TL, TR, BR, BL in the empty board's picture; None to look for them. support_px: the support
    board's spaces in it. Raises what `calibrate` and `with_start` raise.
    """
    table = calibrate(empty, plan, corners_px, support_px=support_px)
    return Learned(table, None, ()) if start is None else learned_with(table, start)


def learned_with(table: Table, start: Picture) -> Learned:
    """Return what was learned once a picture of the start is added to a table. Raises what `with_start` raises."""
    full = with_start(table, start)
    del start  # a large photo takes much of the memory
    assert full.start_bgr is not None
    reading = read(full, full.start_bgr)
    return Learned(full, reading, start_faults(full.plan, reading, prepare_table(full).start.faint))
