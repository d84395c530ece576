"""Today's board: photographed in passing as a game begins, and again as the light changes, without anybody asking.

A table is calibrated once and played at for months. Its board lies empty before every game, and then as the rules have
it; both are taken as the table's photos for this evening, beside its file and beside the game. Nothing waits for it:
the work is done in a thread, and what the disk refuses is lost, not the game.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from companion.core import storage
from companion.core.background import Errand
from companion.core.errors import reason
from companion.games.match import Match
from companion.perception.area_questions import best_in, standing_in
from companion.perception.cameras import CameraSession, Watching
from companion.perception.sync.status import TableView
from engine.orders.position import Position
from intake.errors import Unreadable
from intake.files import read_file
from vision.calibration.calibrate import is_bare, with_new_empty_board, with_new_empty_board_at, with_start
from vision.errors import VisionError
from vision.frame import picture_of
from vision.geometry import Picture
from vision.live.preview import Place, places_to_px
from vision.reading.read import Reading
from vision.table import MOST_BYTES, Table, load_today, mark_of_table, today_path

Stage = Literal["", "awaited", "empty", "start"]
"""Of a game's board: not looked for, still to be seen empty, seen so, and seen set up as well."""
Placing = Literal["", "busy", "done", "failed"]
"""Of the place that somebody has shown: none, being looked at, found there, or not."""
STILL_S = 1.0
"""How long a settled board, which has been still for a second, has to stay before it is taken."""
FREED = 3
"""So many areas that were never seen empty have to come free before their ground is taken."""
MOST_KEPT = 20
"""Games beside which today's board is kept."""


def game_board_path(game: Path) -> Path:
    """Return the path, beside the game file, of the photographed board that the game began on."""
    return today_path(game)


def prune(games: Path) -> None:
    """Remove the saved boards of all but the last games begun; OSError if the disk refuses."""
    kept = sorted(games.glob(f"*{storage.GAME_SUFFIX}.today"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for path in kept[MOST_KEPT:]:
        path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True, eq=False)
class _Sight:
    """A settled look at the board: its reading and its frame."""

    reading: Reading
    frame: bytes


@dataclass(frozen=True, slots=True, eq=False)
class _Taken:
    """A table with today's board, the stage it was made at, and its file's bytes."""

    table: Table
    stage: Stage
    data: bytes


class TodaysBoard:
    """Photographs the board of the table that is watched, without being asked, so that it is read in today's light.

    Call `see_empty` before a game and `see` during it with what the camera sees; `stage` is how far it has come,
    `fault` why it can't be saved.
    """

    def __init__(self, watched: CameraSession) -> None:
        self.stage: Stage = ""
        self.fault: str | None = None
        self.placing: Placing = ""
        self._watched = watched
        self._work: Errand[_Taken | None] = Errand("today's board")
        self._seen: tuple[Reading, float] | None = None
        self._sight: _Sight | None = None
        self._mark: tuple[Watching, str] | None = None
        self._game: Path | None = None
        self._covered: frozenset[str] = frozenset()  # areas whose ground was never seen today
        self._renewed_at: Position | None = None

    # ---- a new game ----------------------------------------------------------------------------

    def await_board(self) -> None:
        """Wait for the empty board from now on, as a new game is being prepared."""
        self._work.forget()
        self.placing = ""
        self.stage, self._game = "awaited" if self._watching() is not None else "", None
        self._seen, self._covered, self._renewed_at = None, frozenset(), None

    def see_empty(self, now_s: float) -> bool:
        """Take the board if it lies empty before a game; return whether the stage has changed."""
        watching = self._watching()
        return self._look(None if watching is None else watching.look(), None, now_s)

    # ---- a game --------------------------------------------------------------------------------

    def see(self, match: Match, glimpse: TableView | None, told: Reading | None, now_s: float) -> bool:
        """Follow the board during a game; return whether the stage has changed. told: the reading, as corrected."""
        if match.path != self._game:
            self._open(match)
        if told is not None and glimpse is not None and glimpse.reading is not None:
            told = told if told.board_image is glimpse.reading.board_image else None  # else of another look
        return self._look(glimpse, (match, told), now_s)

    def take_ground(self, position: Position) -> None:
        """Photograph the ground that shows now, if that is new, as people have confirmed what stands on the board."""
        if self._sight is None or not self._work.idle:
            return
        freed = {area for area in self._covered if not standing_in(position, area)}
        if self._sight.reading.is_in_other_light or len(freed) >= FREED:
            self._renew(self._sight, position)
            self._covered -= freed

    def retake(self, position: Position) -> bool:
        """Photograph the ground that shows now, as somebody asks for it; return whether the board is in sight."""
        if self._sight is None or self._watching() is None:
            return False
        self._renew(self._sight, position)
        return True

    def latest(self) -> Picture | None:
        """Return the newest picture (H, W, 3) BGR of the table; None without a calibrated table."""
        return self._watched.latest() if self._watching() is not None else None

    def place(self, picture: Picture, corners: Sequence[Place], position: Position) -> None:
        """Start looking for the board where somebody has marked its corners, as fractions of the picture.

        `placing` says how that went. Areas where the game has pieces are not learnt but asked about.
        """
        calibrated, stage = self._calibrated(), "" if self.stage == "awaited" else self.stage
        if calibrated is None:
            self.placing = "failed"
            return
        table, mark = calibrated
        covered = frozenset(area for area in position.board.area_index if standing_in(position, area))
        self.placing = "busy"
        self._work.begin(lambda: _place(table, picture, corners, (mark, stage, covered)))

    def wait(self) -> None:
        """Wait until the work under way is done; the next look takes its result."""
        self._work.wait()

    def close(self) -> None:
        """Begin no more work."""
        self._work.close()

    # ---- looking -------------------------------------------------------------------------------

    def _watching(self) -> Watching | None:
        """Return the watch of a calibrated table; None without one."""
        now = self._watched.current
        return now if now is not None and now.table is not None and self._watched.setup.table is not None else None

    def _look(self, glimpse: TableView | None, game: tuple[Match, Reading | None] | None, now_s: float) -> bool:
        changed = self._fetch()
        sight = self._settled(glimpse, now_s)
        if sight is None or not self._work.idle or self._watching() is None:
            return changed
        at_start = game is None or not game[0].steps
        if self.stage == "awaited" and at_start and is_bare(sight.reading):
            self._begin(sight, "empty")
        elif self.stage in ("awaited", "empty") and game is not None and at_start:
            self._see_start(sight, *game)
        elif game is not None:
            self._follow_light(sight, game[0].position, game[1])
        return changed

    def _settled(self, glimpse: TableView | None, now_s: float) -> _Sight | None:
        """Return the look at a board that has been still for long enough; else None."""
        if glimpse is None or glimpse.state != "settled" or glimpse.reading is None or glimpse.frame is None:
            self._seen = self._sight = None
            return None
        if self._seen is None or self._seen[0] is not glimpse.reading:
            self._seen = glimpse.reading, now_s
        self._sight = _Sight(glimpse.reading, glimpse.frame)
        return self._sight if now_s - self._seen[1] >= STILL_S else None

    def _see_start(self, sight: _Sight, match: Match, told: Reading | None) -> None:
        """Photograph the set-up board once all on it is as printed; what isn't is asked about, not learnt."""
        other = _unlike(match.position, told or sight.reading)
        if not other:
            first = self.stage == "awaited"
            areas = {area.name for area in match.board.areas}
            self._covered = frozenset(area for area in areas if first and standing_in(match.position, area))
            self._begin(sight, "start", with_ground=first)

    def _follow_light(self, sight: _Sight, position: Position, told: Reading | None) -> None:
        """Photograph the ground anew if the light is new and the board is as recorded, once for each position."""
        if not sight.reading.is_in_other_light or self._renewed_at is position:
            return
        if not _unlike(position, told or sight.reading):
            self._renew(sight, position)

    def _renew(self, sight: _Sight, position: Position) -> None:
        self._renewed_at = position
        self._begin(sight, "" if self.stage == "awaited" else self.stage, but=_unlike(position, sight.reading))

    # ---- taking --------------------------------------------------------------------------------

    def _begin(self, sight: _Sight, stage: Stage, *, with_ground: bool = True, but: Collection[str] = ()) -> None:
        """Start making today's board from a look; the ground of the areas in `but` is left out."""
        calibrated, start = self._calibrated(), stage == "start" and self.stage != "start"
        if calibrated is None:
            return
        table, mark = calibrated
        self._work.begin(lambda: _take(table, sight, mark, (with_ground, start, stage), but))

    def _fetch(self) -> bool:
        """Use what was taken; return whether the stage has changed."""
        try:
            taken = self._work.fetch()
        except VisionError as error:
            self.fault = str(error)
            taken = None
        if self.placing == "busy" and self._work.idle:
            self.placing = "failed" if taken is None else "done"
        watching, path = self._watching(), self._watched.setup.table
        if taken is None or watching is None or path is None:
            return False
        changed, self.stage = self.stage != taken.stage, taken.stage
        watching.table = taken.table
        self._keep(today_path(path), taken.data)
        if self._game is not None:
            self._keep(game_board_path(self._game), taken.data)
        return changed

    def _keep(self, path: Path, data: bytes) -> None:
        try:
            storage.atomic_write(path, data, "soon")
        except OSError as error:
            self.fault = f"{path}: can't be written ({error.strerror})"
        else:
            self.fault = None

    def _calibrated(self) -> tuple[Table, str] | None:
        """Return the table in use with its calibration's mark; None if there is none, or it can't be read."""
        watching, path = self._watching(), self._watched.setup.table
        if watching is None or watching.table is None or path is None:
            return None
        if self._mark is None or self._mark[0] is not watching:
            try:
                self._mark = watching, mark_of_table(path)
            except (OSError, Unreadable) as error:
                self.fault = f"{path}: today's board isn't kept ({reason(error)})"
                return None
        return watching.table, self._mark[1]

    def _open(self, match: Match) -> None:
        """Turn to a game: a new one gets the board just seen, a resumed one brings its own."""
        self._game, self._renewed_at = match.path, None
        beside, path = game_board_path(match.path), self._watched.setup.table
        if not match.steps and self.stage:
            if self.stage == "empty" and path is not None:
                with suppress(OSError, Unreadable):
                    self._keep(beside, read_file(today_path(path), MOST_BYTES))
            return
        self.stage, self._covered = "", frozenset()
        calibrated = self._calibrated() if os.path.lexists(beside) else None
        if calibrated is not None:
            self._work.begin(lambda: _load(beside, *calibrated))


def _unlike(position: Position, reading: Reading) -> frozenset[str]:
    """Return the areas in which most likely something else stands than in the game, or that can't be read."""
    other = {area for area in position.board.area_index if best_in(reading, area) != standing_in(position, area)}
    return frozenset(other | set(reading.unreadable))


def _load(path: Path, table: Table, mark: str) -> _Taken | None:
    """Load the board that a game was begun on; None if there is none of this calibration."""
    board = load_today(path, table, mark)
    return None if board is None else _Taken(board, "start", board.to_bytes())


def _place(
    table: Table, picture: Picture, corners: Sequence[Place], what: tuple[str, Stage, Collection[str]]
) -> _Taken | None:
    """Make a table of the board where its corners were shown; None where the print doesn't agree there.

    what: the calibration's mark, the stage that remains, and the areas whose ground isn't taken.
    """
    mark, stage, covered = what
    found = with_new_empty_board_at(table, picture, places_to_px(corners, picture), mark, covered)
    return None if found is None else _Taken(found, stage, found.to_bytes())


def _take(
    table: Table, sight: _Sight, mark: str, what: tuple[bool, bool, Stage], but: Collection[str]
) -> _Taken | None:
    """Make a table of today's board; None where the board isn't found in the frame.

    what: whether to take its ground and its start, and what stage that makes.
    """
    ground, start, stage = what
    frame = picture_of(sight.frame, "today's board")
    today: Table | None = replace(table, of=mark)
    if ground:
        today = with_new_empty_board(table, frame, sight.reading, mark, but)
    if today is not None and start:
        today = with_start(today, frame)
    return None if today is None else _Taken(today, stage, today.to_bytes())
