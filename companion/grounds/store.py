"""The grounds that are kept, and the process that paints those that are missing, one at a time.

A job says what a ground is to be painted of, outlines in pixels, and in which style.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from companion.core.log import tell
from companion.core.own_process import own_command, own_environment
from companion.core.storage import sweep

Point = tuple[float, float]
Outline = tuple[Point, ...]

PAINTED_SINCE = 1
"""Raised whenever the painter paints otherwise, so that kept pictures are painted anew."""


@dataclass(frozen=True, slots=True)
class GroundJob:
    """A picture to paint, all places in its pixels.

    style: one of `STYLES`. scenery: what lies around the areas ("woods", "mountains", "sea",
    or "" for nothing but the style's own). unit: pixels of the mm in which signs are measured. land, water: the areas'
    outlines; hills: the middles of the land's hexes; bridges: the sides at which ports meet their water.
    """

    style: str
    scenery: str
    size_px: tuple[int, int]
    unit: float
    land: tuple[Outline, ...]
    water: tuple[Outline, ...]
    hills: tuple[Point, ...]
    bridges: tuple[tuple[Point, Point], ...]
    land_colour: str
    water_colour: str

    def as_text(self) -> str:
        """Return the job as one line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @property
    def name(self) -> str:
        """The file name of its picture: a hash of everything that decides how it looks."""
        told = f"{PAINTED_SINCE} {self.as_text()}"
        return f"{hashlib.sha256(told.encode()).hexdigest()[:32]}.jpg"


def job_from_text(text: str) -> GroundJob:
    """Return the job that `GroundJob.as_text` wrote."""
    told = json.loads(text)
    wide, high = told.pop("size_px")
    land, water = (tuple(_points(outline) for outline in told.pop(name)) for name in ("land", "water"))
    bridges = tuple((_points(ends)[0], _points(ends)[1]) for ends in told.pop("bridges"))
    return GroundJob(
        size_px=(wide, high), hills=_points(told.pop("hills")), land=land, water=water, bridges=bridges, **told
    )


def _points(pairs: Sequence[Sequence[float]]) -> tuple[Point, ...]:
    return tuple((x, y) for x, y in pairs)


# ---- styles -----------------------------------------------------------------------------------

Colour = tuple[int, int, int]
"""Red, green, blue."""


@dataclass(frozen=True, slots=True)
class GroundStyle:
    """Colours and manners of a ground.

    around: what lies around the map ("gold", "paper", "table"), in its colour. ink: lines and hills. relief: how land
    is drawn ("hills" in ink, "contours"). waves: how water is drawn ("scales", "lines"). deep: how much darker water is
    far from the shore, 0 to 1. grain: how rough the paper is, in levels.
    """

    around: str
    around_colour: Colour
    ink: Colour
    relief: str
    waves: str
    deep: float
    grain: float


STYLES: Mapping[str, GroundStyle] = {
    "lacquer": GroundStyle("gold", (150, 116, 54), (62, 58, 46), "hills", "scales", 0.42, 2.2),
    "washi": GroundStyle("paper", (229, 216, 183), (66, 62, 54), "hills", "scales", 0.3, 2.4),
    "staff-night": GroundStyle("table", (46, 44, 30), (92, 76, 44), "contours", "lines", 0.3, 2.0),
    "staff-day": GroundStyle("table", (196, 184, 146), (122, 92, 54), "contours", "lines", 0.22, 2.0),
}


# ---- pictures that are kept ----------------------------------------------------------------------


MOST_KEPT = 24
"""Pictures in the folder; a screen with its halves and two boards has about ten."""
LOOK_EVERY_S = 0.02
NOT_KEPT = 1
"""The painter's exit status if the disk didn't take the picture."""
FOLDER = "grounds"
PAINTER = "companion.grounds.painter"

Painter = Callable[[GroundJob, Path], subprocess.Popen[str]]


class Grounds(Protocol):
    """Where a drawn map finds its ground."""

    def find(self, job: GroundJob) -> Path | None:
        """Return the picture of a job; None as long as there is none."""


class NoGrounds:
    """No pictures at all: maps are drawn plainly."""

    def find(self, job: GroundJob) -> Path | None:
        """Return nothing."""
        return None


NO_GROUNDS = NoGrounds()


class GroundStore:
    """Pictures in a folder; a missing one that is asked for is painted in the background, the latest request first."""

    def __init__(self, folder: Path, painter: Painter | None = None) -> None:
        self._folder = folder
        self._painter = painter or start_painter
        self._wanted: list[GroundJob] = []
        self._working: tuple[GroundJob, subprocess.Popen[str]] | None = None
        self._failed: set[str] = set()
        self._known: set[str] = set()

    def find(self, job: GroundJob) -> Path | None:
        """Return the picture of a job; where it is missing, have it painted and return None."""
        path = self._folder / job.name
        if job.name in self._known or path.is_file():
            self._known.add(job.name)
            return path
        if job.name not in self._failed and job not in self._wanted:
            self._wanted.append(job)
        return None

    def has_failed(self, job: GroundJob) -> bool:
        """Return whether a job could not be painted."""
        return job.name in self._failed

    def poll(self) -> bool:
        """Go on with the painting, without waiting; return whether a picture has been finished since the last call."""
        came = False
        if self._working is not None:
            job, process = self._working
            if process.poll() is None:
                return False
            self._working = None
            self._wanted = [other for other in self._wanted if other != job]
            came = process.returncode == 0 and (self._folder / job.name).is_file()
            if not came:
                self._failed.add(job.name)
                if process.returncode != NOT_KEPT:
                    tell("error", f"grounds: the painter ended with {process.returncode}")
        if self._wanted:
            self._begin(self._wanted[-1])
        return came

    def _begin(self, job: GroundJob) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            sweep(self._folder)
            self._forget_oldest()
            self._working = job, self._painter(job, self._folder / job.name)
        except OSError:  # a full or read-only disk: the map stays plain, and the game's own sign tells of the disk
            self._failed.add(job.name)
            self._wanted.remove(job)

    def _forget_oldest(self) -> None:
        """Remove the pictures that were painted first, where there are too many."""
        kept = sorted(self._folder.glob("*.jpg"), key=lambda path: path.stat().st_mtime)
        for path in kept[: max(0, len(kept) + 1 - MOST_KEPT)]:
            path.unlink(missing_ok=True)
            self._known.discard(path.name)

    def close(self) -> None:
        """Stop the painter, if it is at work, and drop what is still to be painted."""
        self._wanted.clear()
        if self._working is not None:
            _job, process = self._working
            process.kill()
            process.wait()
            self._working = None


class WaitingGrounds:
    """Grounds for pictures to be saved: a missing one is painted while the caller waits."""

    def __init__(self, folder: Path, painter: Painter | None = None) -> None:
        self._store = GroundStore(folder, painter)

    def find(self, job: GroundJob) -> Path | None:
        """Return the picture of a job, after painting it if it is missing; None if it can't be painted."""
        while (path := self._store.find(job)) is None and not self._store.has_failed(job):
            self._store.poll()
            time.sleep(LOOK_EVERY_S)
        self._store.close()
        return path


def start_painter(job: GroundJob, path: Path) -> subprocess.Popen[str]:
    """Start the process that paints a job; the file is there once the process has ended well."""
    child = subprocess.Popen(own_command(PAINTER, str(path)), stdin=subprocess.PIPE, env=own_environment(), text=True)
    assert child.stdin is not None
    with suppress(BrokenPipeError), child.stdin:
        child.stdin.write(job.as_text())
    return child
