"""A whole game at a table, recorded: a folder, read and written, and what is noted of each of its turns.

benchmarks/README.md describes its files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from companion.core.errors import InputError, blame_file
from companion.demo.table import OwnersPhotos
from companion.games.journal import OrdersJournal, read_journal
from companion.perception.adapters import plan_of
from companion.terminal.bench import object_in
from companion.terminal.eye import TablePhotos, table_of_photos
from engine.orders.position import Position
from engine.orders.steps import Pass
from engine.orders.turn import ready
from intake.files import read_file
from intake.json_text import MOST_BYTES, parse_object
from vision.frame import jpeg_of, load_picture
from vision.geometry import Picture
from vision.scoring import corners_of
from vision.table import Table
from vision.values import number, point, text, whole

REFERENCE, START, TABLE, GAME, MOMENTS = "reference.jpg", "start.jpg", "table.json", "game.jsonl", "moments.jsonl"
OTHER_LIGHT = "other-light"
"""The folder with the photos of the empty board and of the start that were taken on another day."""
QUALITY = 92
AT_REST, MOVING, OVER, THROWN, HOME = "rest", "moving", "over", "thrown", "home"
"""What hands do: nothing, and people look at the screen; a turn is half done; they are in the camera's way; dice lie
there, and what they cost isn't done yet; at a round's end commanders are being taken home."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What the camera saw for some seconds; at rest, for so long after people have answered the screen.

    picture: its file; steps: how many steps of the game are done; hands: see above.
    """

    picture: str
    for_s: float
    steps: int
    hands: str


@dataclass(frozen=True)
class Recording:
    """A recorded game."""

    folder: Path
    moments: tuple[Moment, ...]

    @classmethod
    def load(cls, folder: Path) -> Recording:
        """Load a folder's game; InputError names what is wrong with it."""
        path = folder / MOMENTS
        with blame_file(path, InputError):
            rows = [parse_object(line) for line in read_file(path, MOST_BYTES).splitlines()]
        try:
            return cls(folder, tuple(map(_moment, rows)))
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path}: a line that describes no moment") from error

    @property
    def turns(self) -> tuple[RecordedTurn, ...]:
        """The turns of its moments."""
        return tuple(turns_in(self.moments))

    @cached_property
    def game(self) -> OrdersJournal:
        """The game that was truly played."""
        return read_journal(self.folder / GAME)

    @cached_property
    def name(self) -> str:
        """The recording's name: that of its folder."""
        return self.folder.name

    def picture(self, moment: Moment) -> Picture:
        """Load a moment's picture, (H, W, 3) BGR; PictureError if it cannot be read."""
        return load_picture(self.folder / moment.picture)

    @property
    def empty(self) -> Picture:
        """The empty board in the light that is played in, (H, W, 3) BGR; PictureError if it cannot be read."""
        return load_picture(self.folder / REFERENCE)

    def calibrated(self, *, long_ago: bool = False) -> Table:
        """Calibrate the owner's table from the two photos, as `gunbai calibrate` does.

        long_ago: from those that were taken on another day.
        """
        head = object_in(self.folder / TABLE)
        support = tuple((name, point(at)) for name, at in head.get("support_px", {}).items())
        folder = self.folder / OTHER_LIGHT if long_ago else self.folder
        reference, start = (str(folder / name) for name in (REFERENCE, START))
        photos = TablePhotos(reference, start, corners_of(head["corners_px"]), support)
        return table_of_photos(plan_of(self.game.last.board), photos).table


def _moment(row: dict[str, Any]) -> Moment:
    return Moment(text(row["picture"]), number(row["for_s"]), whole(row["steps"]), text(row["hands"]))


class RecordingWriter:
    """Writes a recording; the true game is written beside it by whoever plays it. OSError."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._moments: list[Moment] = []

    def add_table(self, board: str, photos: OwnersPhotos, conditions: str) -> None:
        """Write the photos of the empty board and of the start, and what was touched in the first one."""
        (self.folder / REFERENCE).write_bytes(jpeg_of(photos.empty, QUALITY))
        (self.folder / START).write_bytes(jpeg_of(photos.start, QUALITY))
        head = {"board": board, "corners_px": photos.corners_px, "support_px": dict(photos.support_px)}
        (self.folder / TABLE).write_text(json.dumps({**head, "conditions": conditions}) + "\n")

    def add_other_light(self, photos: OwnersPhotos) -> None:
        """Write the photos of the empty board and of the start in the light of another day."""
        folder = self.folder / OTHER_LIGHT
        folder.mkdir()
        (folder / REFERENCE).write_bytes(jpeg_of(photos.empty, QUALITY))
        (folder / START).write_bytes(jpeg_of(photos.start, QUALITY))

    def add(self, picture: Picture, for_s: float, steps: int, hands: str) -> None:
        """Write the next moment."""
        name = f"{len(self._moments):04}.jpg"
        (self.folder / name).write_bytes(jpeg_of(picture, QUALITY))
        self._moments.append(Moment(name, for_s, steps, hands))

    def finish(self) -> Recording:
        """Write the list of moments, which makes the folder a recording."""
        lines = [json.dumps(asdict(moment)) + "\n" for moment in self._moments]
        (self.folder / MOMENTS).write_text("".join(lines))
        return Recording.load(self.folder)


def recordings_in(folders: Sequence[Path]) -> Iterator[Recording]:
    """Yield the recordings in the folders, or that the folders are themselves; InputError for a folder without any."""
    for folder in folders:
        found = sorted(path.parent for path in folder.rglob(MOMENTS))
        if not found:
            raise InputError(f"{folder}: no recorded game ({MOMENTS}) in it")
        yield from map(Recording.load, found)


def at_rest(position: Position) -> Position:
    """Return the position once nobody plays a card any more."""
    return ready(position, Pass())


@dataclass
class TurnNotes:
    """A look at the screen after a turn, or after two, and what it took.

    picture: of the board as it was then; turns: how many it is about; meant: entered by touch, as the way to play has
    it; wrong_first: what was proposed first and wasn't so; half: what the screen said to each board in the middle of
    the turn; alarms: how often it said that the board is different; misread: what the eye didn't see as it was.
    """

    number: int
    turns: int
    picture: str
    words: str
    kinds: list[str]
    touches: int = 0
    meant: bool = False
    by_hand: bool = False
    wrong_first: str = ""
    surely_wrong: bool = False
    questions: list[str] = field(default_factory=list)
    alarms: int = 0
    half: list[str] = field(default_factory=list)
    sentence_s: float | None = None
    unsure_after: bool = False
    misread: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def is_one_touch(self) -> bool:
        """Whether the turns took no more than one touch each."""
        return self.touches <= self.turns

    @property
    def cause(self) -> str:
        """The reason why the turn took more than one touch."""
        why = ["asked"] if self.questions else []
        why += ["another turn first"] if self.wrong_first else []
        why += ["by hand"] if self.by_hand else []
        return " and ".join(why) or "several touches"


@dataclass(frozen=True)
class RecordedTurn:
    """The moments of a turn: those in the middle, the one when it is done, and what follows without a new turn."""

    number: int
    between: tuple[Moment, ...]
    done: Moment
    after: tuple[Moment, ...]


def turns_in(moments: Sequence[Moment]) -> Iterator[RecordedTurn]:
    """Yield the turns of a recording; its first moment is the start."""
    left, steps, number = list(moments[1:]), 0, 0
    while True:
        between = list[Moment]()
        while left and not (left[0].hands == AT_REST and left[0].steps > steps):
            between.append(left.pop(0))
        if not left:
            return
        done, after = left.pop(0), list[Moment]()
        while left and left[0].steps == done.steps and left[0].hands in (AT_REST, HOME):
            after.append(left.pop(0))
        steps, number = done.steps, number + 1
        yield RecordedTurn(number, tuple(between), done, tuple(after))
