"""Takes the pictures that are kept beside a game, from what the eye sees between turns. It never makes anybody wait.

What is to be written goes to a thread of its own; what cannot be written is lost, and `fault` says so, and the game
goes on. The small pictures are handed to the system after each turn. Whole frames are as large as all else together:
the last few wait in memory until the game is left or a report wants them, so an SD card gets three a game, not one a
turn. A power cut costs these, and the pictures of the last half minute.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from queue import Full, Queue
from typing import Any

from companion.evidence import pictures
from companion.evidence.pictures import Name
from companion.games.match import Match
from companion.perception.adapters import Force, plan_of, reading_json
from engine.orders.position import Position
from intake.jpeg import is_jpeg
from vision.frame import jpeg_of
from vision.geometry import Picture
from vision.reading.crops import AreaCrop, Cropper, mosaic
from vision.reading.read import Reading

FRAME_QUALITY = 95
"""The JPEG quality of a kept frame, so that the eye reads it again as it read the frame."""
WAITING = 8
"""The most jobs that may wait for the disk; a turn makes one."""
Job = Callable[[], None]
RawFrame = bytes | Picture
"""A whole frame: the camera's own JPEG file, or a picture (H, W, 3) uint8 BGR."""


class Writer:
    """Runs jobs one after the other in a thread of its own; `fault` says why the last one failed, if it did."""

    def __init__(self) -> None:
        self.fault: str | None = None
        self._jobs: Queue[Job | None] = Queue(maxsize=WAITING)
        self._thread = threading.Thread(target=self._work, name="pictures", daemon=True)
        self._thread.start()

    def put(self, job: Job) -> None:
        """Queue a job; it is dropped, noting that in `fault`, if too many are waiting."""
        try:
            self._jobs.put_nowait(job)
        except Full:
            self.fault = "pictures come faster than the disk takes them: one was not kept"

    def close(self, patience_s: float = 5.0) -> None:
        """Finish the waiting jobs and end the thread, but give up waiting for it after `patience_s` seconds."""
        try:
            self._jobs.put(None, timeout=patience_s)
        except Full:
            return
        self._thread.join(patience_s)

    def wait(self) -> None:
        """Wait until all queued jobs are done."""
        self._jobs.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except OSError as error:
                self.fault = f"a picture was not kept: {error.filename or 'the disk'}: {error.strerror or error}"
            else:
                self.fault = None
            finally:
                self._jobs.task_done()
        self._jobs.task_done()


@dataclass(frozen=True, slots=True, eq=False)
class TurnPictures:
    """Pictures of the areas that steps `first` to `last`, from 1, changed; mark: the game's after the last one."""

    first: int
    last: int
    mark: str
    shots: tuple[AreaCrop, ...]
    changed: int

    @property
    def fitting(self) -> int:
        """How many of the changed areas look as they do in the game."""
        return sum(shot.state == "agrees" for shot in self.shots)

    @property
    def complete(self) -> bool:
        """Whether every changed area looks as it does in the game."""
        return self.fitting == self.changed


@dataclass(frozen=True, slots=True, eq=False)
class WholeFrame:
    """A whole frame that waits in memory to be written into a folder.

    about: the reading as `gunbai read --json` prints it, and the units of the game then.
    """

    folder: Path
    taken: TurnPictures
    frame: RawFrame
    about: Mapping[str, Any]


@dataclass(slots=True, eq=False)
class Course:
    """How far a game's pictures have got.

    trail: (step, mark) after each time pictures were taken; before: {area: its units and picture when last in sync};
    pending: pictures of steps since that aren't complete yet.
    """

    path: Path
    cropper: Cropper
    trail: list[tuple[int, str]]
    before: dict[str, tuple[Force, Picture]] = field(default_factory=dict)
    pending: TurnPictures | None = None

    @property
    def done(self) -> int:
        """The step up to which pictures have been taken."""
        return self.trail[-1][0]

    def drop_undone(self, match: Match) -> bool:
        """Drop from the trail steps that were undone since; return whether there were any."""
        last = len(self.trail)
        while self.trail and not _stands(match, self.trail[-1]):
            self.trail.pop()
        gone = len(self.trail) < last
        if gone:
            self.pending = None
            self.trail = self.trail or [_now(match)]
        return gone


def _now(match: Match) -> tuple[int, str]:
    return len(match.steps), match.mark(len(match.steps))


def _stands(match: Match, point: tuple[int, str]) -> bool:
    return point[0] <= len(match.steps) and match.mark(point[0]) == point[1]


class Recorder:
    """Keeps small pictures of what each turn changed, and the last whole frames, of the game that `see` is given."""

    def __init__(self) -> None:
        self._writer = Writer()
        self._course: Course | None = None
        self._latest: tuple[Path, RawFrame, Position] | None = None
        self._frames: deque[WholeFrame] = deque(maxlen=pictures.MOST_FRAMES)

    def latest(self, match: Match) -> tuple[bytes, Position] | None:
        """Return this game's last whole frame as a file's bytes, with the position then; None if there was none.

        Frames that waited are written beside the game first.
        """
        self._put_frames()
        self.wait()
        if self._latest is None or self._latest[0] != match.path:
            return None
        _, frame, position = self._latest
        return frame if isinstance(frame, bytes) else jpeg_of(frame, FRAME_QUALITY), position

    def tidy(self, games: Path, played: Sequence[str]) -> None:
        """Queue the deletion of pictures of games that are gone, and of the oldest (`pictures.prune`)."""
        self._writer.put(lambda: pictures.prune(games, played=played))

    @property
    def fault(self) -> str | None:
        """Why the last picture was not kept; None if it was."""
        return self._writer.fault

    def see(self, match: Match, reading: Reading, frame: RawFrame | None = None) -> None:
        """Take the pictures due from a settled reading between turns; never wait for the disk or raise its errors.

        The areas changed since the last pictures are taken once all of them look as the game says; if the next step
        comes first, as they were when most did. Covered areas are left out, so that no hand gets into a picture.
        """
        if frame is not None:
            self._latest = match.path, frame, match.position
        if reading.board_image is None:
            return
        course, steps = self._at(match), len(match.steps)
        if course.pending is not None and course.pending.last != steps:
            self._keep(course, course.pending, None)
        if steps == course.done:
            _remember(course, match.position, reading)
            return
        taken = _turn_pictures(course, match, reading)
        if taken.complete:
            self._keep(course, taken, (match.position, reading, frame))
            _remember(course, match.position, reading)
        elif course.pending is None or taken.fitting >= course.pending.fitting:
            course.pending = taken

    def close(self) -> None:
        """Write the pictures that wait and end the thread; give up on a disk that takes too long (`Writer.close`)."""
        if self._course is not None and self._course.pending is not None:
            self._keep(self._course, self._course.pending, None)
        self._put_frames()
        self._writer.close()

    def wait(self) -> None:
        """Wait until all queued pictures are written."""
        self._writer.wait()

    def _at(self, match: Match) -> Course:
        """Return the course of this game; if steps were undone, wind it back and delete their pictures first."""
        course = self._course
        if course is None or course.path != match.path:
            self._put_frames()
            course = Course(match.path, Cropper(plan_of(match.board)), [_now(match)])
        elif course.drop_undone(match):
            standing = [frame for frame in self._frames if _stands(match, (frame.taken.last, frame.taken.mark))]
            self._frames = deque(standing, pictures.MOST_FRAMES)
            self._writer.put(lambda: pictures.drop(pictures.stale(match)))
        self._course = course
        return course

    def _keep(
        self, course: Course, taken: TurnPictures, seen: tuple[Position, Reading, RawFrame | None] | None
    ) -> None:
        """Queue the pictures for writing, keep their whole frame waiting, and move the course on to their last step."""
        folder = pictures.folder_of(course.path)
        if taken.shots:
            self._writer.put(lambda: _write_turn(folder, taken))
        if seen is not None and seen[2] is not None:
            position, reading, frame = seen[0], seen[1], seen[2]
            about = {"reading": reading_json("", reading), "units": units_of(position)}
            self._frames.append(WholeFrame(folder, taken, frame, about))
        course.trail.append((taken.last, taken.mark))
        course.pending = None

    def _put_frames(self) -> None:
        """Queue the waiting whole frames to be written."""
        while self._frames:
            frame = self._frames.popleft()
            self._writer.put(partial(_write_frame, frame))


def _agrees(position: Position, reading: Reading, area: str) -> bool:
    """Return whether the eye could read an area and its likeliest count is the game's."""
    return area not in reading.unreadable and reading.units.get(area, {}) == position.units_in(area)


def _remember(course: Course, position: Position, reading: Reading) -> None:
    """Remember how each area looks now, if its reading agrees with the game."""
    assert reading.board_image is not None
    for area in position.board.areas:
        if _agrees(position, reading, area.name):
            picture = course.cropper.crop(reading.board_image, area.name)
            course.before[area.name] = (position.units_in(area.name), picture)


def changed_areas(match: Match, since: int) -> list[str]:
    """Return the areas that steps after step `since` changed, by units or a placed commander, in the board's order."""
    found = set()
    pairs = list(zip(match.positions[since:], match.positions[since + 1 :], strict=False))
    for old, new in pairs:
        found |= {area.name for area in match.board.areas if old.units_in(area.name) != new.units_in(area.name)}
        for space in match.board.spaces:
            if space.area is not None and set(new.commanders_on(space.name)) - set(old.commanders_on(space.name)):
                found.add(space.area)
    return [area.name for area in match.board.areas if area.name in found]


def _turn_pictures(course: Course, match: Match, reading: Reading) -> TurnPictures:
    """Return pictures of the areas changed since the last ones, before and now, without covered areas."""
    assert reading.board_image is not None
    changed, shots = changed_areas(match, course.done), []
    for area in changed:
        if area in reading.unreadable:
            continue
        last = course.before.get(area)
        fits = last is not None and last[0] == match.positions[course.done].units_in(area)
        after = course.cropper.crop(reading.board_image, area)
        state = "agrees" if _agrees(match.position, reading, area) else "differs"
        shots.append(AreaCrop(area, last[1] if last is not None and fits else None, after, state))
    steps = len(match.steps)
    return TurnPictures(course.done + 1, steps, match.mark(steps), tuple(shots), len(changed))


def _write_turn(folder: Path, taken: TurnPictures) -> None:
    about = {"first": taken.first, "areas": {shot.area: shot.state for shot in taken.shots}}
    pictures.keep(folder, Name("turn", taken.last, taken.mark), jpeg_of(mosaic(taken.shots)), about)


def units_of(position: Position) -> dict[str, dict[str, dict[str, int]]]:
    """Return {area: {faction: {unit: n}}} of a position, empty areas left out."""
    units = {area.name: position.units_in(area.name) for area in position.board.areas}
    return {area: force for area, force in units.items() if force}


def _write_frame(whole: WholeFrame) -> None:
    data = whole.frame if isinstance(whole.frame, bytes) else jpeg_of(whole.frame, FRAME_QUALITY)
    if not is_jpeg(data):  # frames in other formats are not kept
        return
    pictures.keep(whole.folder, Name("frame", whole.taken.last, whole.taken.mark), data, whole.about)
    frames = [path for path, name in pictures.picture_files(whole.folder) if name.kind == "frame"]
    pictures.drop(frames[pictures.MOST_FRAMES :])
