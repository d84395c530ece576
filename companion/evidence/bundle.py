"""Makes bundles from a table, pictures and a game, and reads them again to see what the eye reads differently."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.content.own_files import text_of
from companion.content.shelves import BOARDS
from companion.core import storage
from companion.core.errors import BundleError, CompanionError, MatchError, blame_file
from companion.core.language import _, plural
from companion.core.sticks import stick_or
from companion.crash.anonymous import anonymous_game
from companion.evidence.bundle_file import (
    TABLE,
    WHOLE_LIMIT,
    Bundle,
    BundleFrame,
    Units,
    check_picture,
    known_board,
    read_bundle,
    write_bundle,
)
from companion.evidence.pictures import KeptPicture, frames_beside
from companion.evidence.recorder import Recorder, units_of
from companion.games.journal import OrdersJournal, read_journal
from companion.games.match import Match
from companion.perception.adapters import SURE, reading_json
from companion.perception.cameras import CameraSession
from companion.perception.table_file import load_table, read_picture
from companion.text.columns import force_text
from intake.files import read_file_or_pipe
from vision.errors import VisionError
from vision.frame import without_metadata
from vision.reading.read import Reading
from vision.scoring import Truth, score_frame
from vision.table import Table

REPORTS = "reports"
LABEL = "bundle"  # not the game's name, which may be a person's
FORM = frozenset(("units", "commanders", "confidence", "unreadable"))
"""The keys of a reading that a bundle keeps: all but its duration, which differs between machines."""
Form = Mapping[str, Any]


# ---- making -------------------------------------------------------------------------------------


def as_read(table: Table, data: bytes, name: str) -> dict[str, Any]:
    """Read a picture file's bytes with the eye and return the reading as JSON, without its duration.

    name: of the picture, for BundleError.
    """
    check_picture(data, name)
    try:
        seen = read_picture(table, data, name)
    except VisionError as error:
        raise BundleError(f"{name}: {str(error).removeprefix(f'{name}: ')}") from error
    reading = reading_json("", seen)
    return {key: reading[key] for key in sorted(FORM)}


def bare_picture(data: bytes, name: str) -> bytes:
    """Return a picture file without its metadata, which the eye reads just the same; BundleError if it is no picture.

    The error names the file.
    """
    check_picture(data, name)
    try:
        return without_metadata(data, name)
    except VisionError as error:
        raise BundleError(str(error)) from error


def frame_from_file(table: Table, path: Path, truth: Units | None, step: int | None = None) -> BundleFrame:
    """Make a frame for a bundle from a picture file, stripped of metadata and read by the eye now.

    truth: the units that were on the board; step: how many steps the game had.
    """
    data = bare_picture(bytes_of(path), str(path))
    return BundleFrame(data, as_read(table, data, str(path)), None, step, truth)


def bytes_of(path: Path) -> bytes:
    """Read a file's bytes; BundleError if it is unreadable or larger than any bundle."""
    with blame_file(path, BundleError):
        return read_file_or_pipe(path, WHOLE_LIMIT)


def kept_frames(
    table: Table, game: Path, journal: OrdersJournal, *, as_played: bool = False
) -> tuple[BundleFrame, ...]:
    """Return the whole frames kept beside a game, the oldest first, each read by the eye now.

    A frame's units are known if its reading at the time agreed with the game; as_played: those of
    all frames are, as people say that the board always matched the game.
    """
    return tuple(_from_kept(table, picture, journal, as_played) for picture in reversed(frames_beside(game, journal)))


def _from_kept(table: Table, picture: KeptPicture, journal: OrdersJournal, as_played: bool) -> BundleFrame:
    reading, truth = picture.about.get("reading"), units_of(journal.positions[picture.name.step])
    whole = isinstance(reading, dict) and reading.keys() >= FORM
    shown = {key: reading[key] for key in sorted(FORM)} if isinstance(reading, dict) and whole else None
    agreed = as_played or (shown is not None and not shown["unreadable"] and shown["units"] == truth)
    data = bare_picture(picture.data, picture.path.name)
    return BundleFrame(
        data, as_read(table, data, picture.path.name), shown, picture.name.step, truth if agreed else None
    )


def bundle_of(table: Table, frames: Sequence[BundleFrame], game: bytes | None) -> Bundle:
    """Make a bundle, with the board's file if it is an owner's; OwnFileError if that is unreadable.

    The table is written anew, so that nothing else in its file gets into the bundle.
    """
    name = table.plan.board
    own = text_of(BOARDS.path_of(name)).encode() if name in BOARDS.names() else None
    return Bundle(name, table.to_bytes(), tuple(frames), game, own)


def game_bytes(game: Path, journal: OrdersJournal, *, names: bool) -> bytes:
    """Return a saved game's bytes for a bundle, without players' names and notes unless `names`."""
    return bytes_of(game) if names else anonymous_game(journal)


class BugReports:
    """Writes bug reports on the game being played, as bundles."""

    def __init__(self, watched: CameraSession, recorder: Recorder) -> None:
        self._watched = watched
        self._recorder = recorder

    def __call__(self, match: Match, stands: bool, *, names: bool = False) -> str:
        """Write a report onto a memory stick or into the data folder; return a sentence with its place.

        stands: whether the board is as the game says; names: whether to leave players' names in. CompanionError if the
        table or a picture is missing.
        """
        table = self._watched.table
        if table is None:
            raise MatchError("no table to report on: set up the camera first")
        latest = self._recorder.latest(match)  # before the game is read, as this writes the waiting frames
        journal = read_journal(match.path)
        frames = list(kept_frames(table, match.path, journal))
        if latest is not None:
            data, position = bare_picture(latest[0], "the last picture"), latest[1]
            frames = [frame for frame in frames if frame.data != data]  # kept already
            truth = units_of(position) if stands else None
            seen = as_read(table, data, "the last picture")
            frames.append(BundleFrame(data, seen, None, len(journal.steps), truth))
        if not frames:
            raise MatchError("no picture of this game yet: the camera must see it first")
        path = _free(stick_or(storage.data_dir() / REPORTS), LABEL)
        write_bundle(path, bundle_of(table, frames, game_bytes(match.path, journal, names=names)))
        return f"Written to {path}"


def _free(folder: Path, label: str) -> Path:
    """Return a free path for a report in the folder, which is created if missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BundleError(f"{folder}: cannot be made ({error.strerror})") from error
    return next(path for n in range(1, 100_000) if not (path := folder / f"{label}-{n}.zip").exists())


# ---- checking -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AreaChange:
    """An area or space read differently than when the bundle was made; then, now: its content in words."""

    area: str
    then: str
    now: str


@dataclass(frozen=True, slots=True)
class FrameCheck:
    """The result of reading a frame of a bundle again.

    silent: areas read surely but wrongly; right, was_right: how many areas are right now, and were when the bundle was
    made, None if nobody confirmed what was on the board.
    """

    name: str
    changes: tuple[AreaChange, ...]
    silent: tuple[str, ...] = ()
    right: int | None = None
    was_right: int | None = None

    @property
    def good(self) -> bool:
        """Whether no area is surely wrong, and at least as many are right as when the bundle was made."""
        return not self.silent and (self.right is None or self.was_right is None or self.right >= self.was_right)


def opened_table(bundle: Bundle) -> Table:
    """Load the bundle's table; BundleError if it is broken or of another board."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / TABLE
        path.write_bytes(bundle.table)
        try:
            table = load_table(str(path))
        except (VisionError, CompanionError) as error:
            raise BundleError(f"{TABLE}: {str(error).removeprefix(f'{path}: ')}") from error
    if table.plan.board != bundle.board:
        raise BundleError(f"{TABLE}: a table of {table.plan.board}, the bundle is of {bundle.board}")
    return table


def check_bundle(path: Path) -> list[FrameCheck]:
    """Read every frame of a bundle again with today's eye and compare; BundleError for a broken bundle."""
    bundle = read_bundle(path)
    try:
        with known_board(bundle.own_board):
            table, frames = opened_table(bundle), deque(bundle.frames)
        del bundle  # so that each picture can be freed once it was read: together they take much memory
        return [_check_frame(table, frames.popleft(), f"frame {n}") for n in range(1, len(frames) + 1)]
    except BundleError as error:
        raise BundleError(f"{path}: {error}") from error


def _check_frame(table: Table, frame: BundleFrame, name: str) -> FrameCheck:
    now = as_read(table, frame.data, name)
    changes = tuple(_changes(frame.reading, now))
    if frame.confirmed is None:
        return FrameCheck(name, changes)
    truth = Truth(frame.confirmed)
    today, before = (score_frame(Reading(**form, ms=0.0), truth, table.plan, name) for form in (now, frame.reading))
    silent = tuple(miss.place for miss in today.wrong if _is_sure(now, miss.place))
    return FrameCheck(name, changes, silent, today.right, before.right)


def _is_sure(reading: Form, area: str) -> bool:
    return area not in reading["unreadable"] and reading["confidence"].get(area, 0.0) >= SURE


def _changes(then: Form, now: Form) -> Iterator[AreaChange]:
    for area in sorted({*then["confidence"], *now["confidence"]}):
        before, after = _area_words(then, area), _area_words(now, area)
        if before != after:
            yield AreaChange(area, before, after)
    for space in sorted({*then["commanders"], *now["commanders"]}):
        leaders = [str(reading["commanders"].get(space, "nobody")) for reading in (then, now)]
        if leaders[0] != leaders[1]:
            yield AreaChange(space, leaders[0], leaders[1])


def _area_words(reading: Form, area: str) -> str:
    """Return the units read in an area in words, and whether that was sure, but not how sure."""
    if area in reading["unreadable"]:
        return _("hidden")
    units = force_text(reading["units"].get(area, {}))
    return units if _is_sure(reading, area) else _("{units}, not sure").format(units=units)


def check_text(check: FrameCheck) -> str:
    """Return a frame's check as lines of text."""
    place = _("frame {n}").format(n=check.name.removeprefix("frame "))
    if check.right is None:
        head = _("{place}: what stood there was not confirmed").format(place=place)
    else:
        head = plural(
            "{place}: {n} area right, {before} when the bundle was made",
            "{place}: {n} areas right, {before} when the bundle was made",
            check.right,
            place=place,
            before=check.was_right,
        )
    change, wrong = _("{area}: then {before}; now {after}"), _("{area}: sure and wrong")
    lines = [
        "  " + change.format(area=difference.area, before=difference.then, after=difference.now)
        for difference in check.changes
    ]
    lines += ["  " + wrong.format(area=area) for area in check.silent]
    return "\n".join([head, *lines] if lines else [_("{head}; nothing differs").format(head=head)])


def check_json(check: FrameCheck) -> dict[str, Any]:
    """Return a frame's check as a JSON object."""
    changes = {change.area: {"then": change.then, "now": change.now} for change in check.changes}
    out = {"frame": check.name, "good": check.good, "silent": list(check.silent), "changes": changes}
    return out if check.right is None else {**out, "right": check.right, "was_right": check.was_right}
