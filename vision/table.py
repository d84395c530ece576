"""The calibrated camera set-up: the board's plan, the picture of the empty board, its corners, one of the start.

A table is one file: a zip with `table.json` (version, plan, corners, perhaps the support board's spaces),
`reference.png` and perhaps `start.png`. Today's board, which is taken again at every game, keeps them as JPEG.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from intake.errors import Unreadable
from intake.files import read_file
from intake.json_text import parse_json
from intake.zip_file import open_zip
from vision.errors import TableError, VisionError
from vision.frame import WORK_PX, checked_picture, decode_picture, jpeg_of
from vision.geometry import (
    Camera,
    Grid,
    Matrix,
    Picture,
    apply,
    board_corners_mm,
    board_from_image,
    camera_of,
    checked_corners,
)
from vision.plan import MOST_SPACES, AreaPlan, BoardPlan, Point, SpacePlan, check_size, plan_from_data, plan_text
from vision.values import each, point, text

__all__ = ["AreaPlan", "BoardPlan", "SpacePlan", "Table"]

VERSION = 2
KIND = "gunbai-table"
SUPPORT = "support"
HEAD = "table.json"
REFERENCE, START = ("reference.png", "reference.jpg"), ("start.png", "start.jpg")
"""The pictures by what may hold them: a calibration's file, and that of a board taken again."""
JPEG_QUALITY = 95
TODAY_SUFFIX = ".today"
MARK_DIGITS = 16
MOST_PICTURE_BYTES = 16_000_000
MOST_HEAD_BYTES = 1_000_000
MOST_BYTES = 2 * MOST_PICTURE_BYTES + MOST_HEAD_BYTES
AROUND_MM = 20.0
"""The support board is looked at as far as this beyond its outermost spaces: a tall commander leans out that far."""

Support = tuple[tuple[str, Point], ...]
"""The spaces of a support board with their middles."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Table:
    """A calibrated table. reference_bgr: (H, W, 3) uint8 of the empty board; corners_px: TL, TR, BR, BL in it.

    start_bgr: a picture of the starting position, as large, where one was given: from it the eye takes how pieces look.
    support_px: those spaces of the support board that the reference shows, with their middles in it; of: the mark of
    the calibration whose board this is on another day, "" for a calibration itself.
    """

    plan: BoardPlan
    reference_bgr: Picture
    corners_px: tuple[tuple[float, float], ...]
    start_bgr: Picture | None = None
    support_px: Support = ()
    of: str = ""

    @property
    def picture_size(self) -> tuple[int, int]:
        """The reference picture's (width, height)."""
        height, width = self.reference_bgr.shape[:2]
        return width, height

    @property
    def board_from_reference(self) -> Matrix:
        """The homography (3, 3) from pixels of the reference picture to the board's mm."""
        return board_from_image(self.corners_px, self.plan.size_mm)

    @property
    def camera(self) -> Camera:
        """The place over the board where the camera took the reference."""
        return camera_of(self.board_from_reference, self.picture_size)

    @property
    def grid(self) -> Grid:
        """The board image's grid."""
        return Grid(self.plan.size_mm)

    @property
    def support(self) -> Table | None:
        """The support board as a table of its own, in the same reference; None where none is shown.

        It lies in the map's plane, so the map's corners say how large it is and where the camera stood. Its board is
        the rectangle about its spaces, along the map's sides: one area, which holds no units.
        """
        if not self.support_px:
            return None
        names, px = zip(*self.support_px, strict=True)
        at = apply(self.board_from_reference, px)
        first = at.min(axis=0) - AROUND_MM
        across, down = (at.max(axis=0) + AROUND_MM - first).tolist()
        outline = ((0.0, 0.0), (across, 0.0), (across, down), (0.0, down))
        middles = [(x, y) for x, y in (at - first).tolist()]
        plan = replace(
            self.plan,
            size_mm=(across, down),
            areas=(AreaPlan(SUPPORT, SUPPORT, outline, ((across / 2, down / 2),)),),
            spaces=tuple(SpacePlan(name, SUPPORT, middle) for name, middle in zip(names, middles, strict=True)),
            start=(),
        )
        reference_from_board = np.asarray(np.linalg.inv(self.board_from_reference), np.float64)
        corners = apply(reference_from_board, board_corners_mm(plan.size_mm) + first)
        return Table(plan, self.reference_bgr, tuple((x, y) for x, y in corners.tolist()))

    def to_bytes(self) -> bytes:
        """Return the table as the bytes of its file."""
        return _pack(self)

    def save(self, path: Path | str) -> None:
        """Write the table to one file, whole or not at all; TableError if it cannot be written."""
        target = Path(path)
        partial = target.with_name(f"{target.name}.new-{os.getpid()}")  # swept with the companion's own
        try:
            with partial.open("wb") as out:
                out.write(_pack(self))
                out.flush()
                os.fsync(out.fileno())
            partial.replace(target)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise TableError(f"{path}: can't write the table ({error.strerror})") from error

    @classmethod
    def load(cls, path: Path | str, board: str | None = None) -> Table:
        """Read a table; TableError names the file and says what is wrong, such as that it isn't of `board`."""
        table = _read_table(path)
        if board is not None and table.plan.board != board:
            raise TableError(f"{path}: a table set up for {table.plan.board}, not {board}")
        return table


def mark_of_table(path: Path | str) -> str:
    """Return a short name that tells a calibration from all others; OSError or Unreadable if it can't be read."""
    return hashlib.sha256(read_file(path, MOST_BYTES)).hexdigest()[:MARK_DIGITS]


def today_path(table: Path) -> Path:
    """Return the path of today's board of a table, beside the table's own file."""
    return table.with_name(table.name + TODAY_SUFFIX)


def load_today(path: Path, table: Table, mark: str) -> Table | None:
    """Load today's board of a table; None if it is missing, broken or doesn't fit the table and its `mark`.

    It is then made anew at the next game.
    """
    if not os.path.lexists(path):
        return None
    try:
        today = Table.load(path, table.plan.board)
    except TableError:
        return None
    return today if today.of == mark and today.picture_size == table.picture_size else None


def with_support(table: Table, support_px: Support) -> Table:
    """Return the table with the support board's spaces, in px of the reference; TableError if they can't be right."""
    names, size = [name for name, _ in support_px], table.picture_size
    if len(names) > MOST_SPACES:
        raise TableError(f"no support board has {len(names)} spaces")
    for name, at in support_px:
        if not all(0 <= value < side for value, side in zip(at, size, strict=True)):
            raise TableError(f"{name} of the support board is outside the picture of {size[0]}x{size[1]} pixels")
        if names.count(name) > 1:
            raise TableError(f"{name} of the support board is given twice")
    full = replace(table, support_px=support_px)
    if (beside := full.support) is not None:
        check_size(beside.plan)
    return full


def _pack(table: Table) -> bytes:
    head = {
        "kind": KIND,
        "version": VERSION,
        "plan": json.loads(plan_text(table.plan)),
        "corners_px": table.corners_px,
        **({"support_px": dict(table.support_px)} if table.support_px else {}),
        **({"of": table.of} if table.of else {}),
    }
    again = bool(table.of)
    pack_picture = partial(jpeg_of, quality=JPEG_QUALITY) if again else _png
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as pack:
        pack.writestr(HEAD, json.dumps(head))
        pack.writestr(REFERENCE[again], pack_picture(table.reference_bgr))
        if table.start_bgr is not None:
            pack.writestr(START[again], pack_picture(table.start_bgr))
    return out.getvalue()


def _png(picture: Picture) -> bytes:
    done, png = cv2.imencode(".png", picture)
    if not done:
        raise TableError("a picture cannot be packed")
    return png.tobytes()


def _read_table(path: Path | str) -> Table:
    try:
        data = read_file(path, MOST_BYTES)
    except OSError as error:
        raise TableError(f"{path}: can't be read ({error.strerror or error})") from error
    except Unreadable as error:
        raise TableError(f"{path}: {error}") from error
    try:
        with open_zip(data) as pack:
            reference, start_name = (
                next((name for name in names if name in pack.sizes), names[0]) for names in (REFERENCE, START)
            )
            head, packed = parse_json(pack.read(HEAD, MOST_HEAD_BYTES)), pack.read(reference, MOST_PICTURE_BYTES)
            start = pack.read(start_name, MOST_PICTURE_BYTES) if start_name in pack.sizes else None
    except Unreadable as error:
        raise TableError(f"{path}: not a table file, or cut off ({error})") from error
    try:
        return _table_from(head, packed, start)
    except (VisionError, KeyError, TypeError, ValueError, cv2.error) as error:
        raise TableError(f"{path}: damaged table file ({error})") from error


def _table_from(head: Any, packed: bytes, packed_start: bytes | None) -> Table:
    if not isinstance(head, dict) or head.get("kind") != KIND:
        raise TableError("it is not a table's data")
    if head.get("version") != VERSION:
        raise TableError(f"version {head.get('version')!r:.40}, this program reads {VERSION}: calibrate again")
    picture = checked_picture(_picture(packed), "the picture of the empty board")
    height, width = picture.shape[:2]
    corners = checked_corners(head["corners_px"], (width, height))
    corner_points = tuple((float(x), float(y)) for x, y in corners)
    start = None if packed_start is None else _picture(packed_start)
    if start is not None and start.shape != picture.shape:
        raise TableError("its two pictures differ in size")
    table = Table(plan_from_data(head["plan"]), picture, corner_points, start, of=text(head.get("of", "")))
    support = each(head.get("support_px", {}), point)
    return with_support(table, tuple(support.items()))


def _picture(packed: bytes) -> Picture:
    """Unpack a picture that is no larger than calibrating makes it."""
    return decode_picture(packed, "a picture in it is broken", WORK_PX)
