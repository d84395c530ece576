"""Follows a table from frame to frame: what moves is waited out, what stands still is read until it may be believed.

No camera, no clock and no thread: frames and times come from outside, so that a test can play both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np

from vision.dice.reader import DiceReading
from vision.errors import PictureError
from vision.frame import fit_to_size
from vision.geometry import Mask, Matrix, Picture, apply
from vision.live.printed import FaceUp, LaidCard
from vision.live.settling import (
    HOLD_S,
    LEAST_ALIKE,
    WIDTH_PX,
    Motion,
    Settling,
    StillMean,
    cells_within,
    contents_of,
    is_dark,
    is_motion,
    likeness,
    shift_between,
    small_of,
)
from vision.reading.read import Reading
from vision.registration.register import Registration, WhyLost
from vision.table import Table

State = Literal["starting", "moving", "hand", "steady", "nudged", "settled", "dark", "lost"]

# Until the table has settled a reading comes this often, afterwards this often; a shift is looked for this often.
READ_EVERY_S = 0.3
CHECK_EVERY_S = 2.0
SHIFT_EVERY_S = 0.5
# Where it is never still for so long (a fan, a noisy camera in the dark), a reading has to hold for longer instead.
RESTLESS_S = 6.0
RESTLESS_HOLD_S = 3.0
# Until then pictures are averaged for the next check.
GATHER_S = 1.0
# A board that is not found for less may have something in its way; why it isn't found is looked for this often.
LOST_S = 1.0
WHY_EVERY_S = 3.0
# Dice are read once nothing has moved beside the board for so long.
DICE_STILL_S = 0.7
# A corner that moved further is told as a knock; registration is good to 0.1 or 0.2 mm. SHIFTED: the same for the whole
# small picture, as a share of its width (0.4 px of 320).
NUDGE_MM = 0.8
SHIFTED = 0.0012
# A hand's breadth round the board, as a share of its size on each side.
EDGE = 0.06
# What was settled counts as sure from here on; and how much surer or less sure a reading has to be to be news.
SURE = 0.8
SURER = 0.1
SAME_DIE_MM = 4.0

DARK = "it is too dark to see the board"
LOST = "can't find the board in the camera's picture: is it where it was, and in view?"
LOST_BECAUSE: Mapping[WhyLost, str] = {
    "twofold": "can't tell which way the board lies: uncover more of it, or set the camera up again",
    "mirrored": "the camera's picture is mirrored: turn mirroring off, or set the camera up again",
}
OTHER_SIZE = "the camera's pictures are {size} pixels now, not {other}: set the camera up again"


class Eye(Protocol):
    """Reads the frames of one table, which have the size of its reference."""

    def read(self, frame_bgr: Picture) -> Reading:
        """Read what stands on the board."""

    def dice(self, frame_bgr: Picture, found: Registration) -> DiceReading:
        """Read the dice that lie beside the board."""

    def why_lost(self, frame_bgr: Picture) -> WhyLost | None:
        """Return why the board isn't found in a frame: "twofold" or "mirrored", else None."""


@dataclass(frozen=True, slots=True)
class Nudge:
    """How far the board has moved before the camera: its corners at most, in mm, and the turn."""

    mm: float
    deg: float


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What was read of a table at rest.

    frame: (H, W, 3) uint8 BGR, the mean of the still frames that was read; dice: those in it.
    """

    reading: Reading
    frame: Picture
    dice: DiceReading


@dataclass(frozen=True, slots=True, eq=False)
class Update:
    """What a frame changed.

    fault: one sentence where the board cannot be seen; settled, nudge, dice, cards (those that lie face up): only
    when new.
    """

    state: State
    fault: str = ""
    settled: Settled | None = None
    nudge: Nudge | None = None
    dice: DiceReading | None = None
    cards: tuple[LaidCard, ...] | None = None


class TableWatcher:
    """Follows a table frame by frame and says what has changed; frames may be of any size."""

    def __init__(self, table: Table, eye: Eye) -> None:
        self.state: State = "starting"
        self._table, self._eye = table, eye
        self._motion, self._mean, self._settling, self._cards = Motion(), StillMean(), Settling(), FaceUp()
        self._last: Settled | None = None
        self._home: Registration | None = None
        self._lies: Registration | None = None
        self._near: Mask | None = None
        self._small: Picture | None = None
        self._moving_s: float | None = None
        self._lost_s: float | None = None
        self._lost, self._why_due_s = LOST, 0.0
        self._dice_due_s: float | None = None
        self._read_due_s = self._shift_due_s = 0.0

    def see(self, frame_bgr: Picture, now_s: float) -> Update:
        """Take the frame (H, W, 3) uint8 BGR seen at `now_s`; return what it changed."""
        small = small_of(frame_bgr)
        if is_dark(small):
            self._begin_anew(now_s)
            return self._enter("dark", DARK)
        near, far = self._find_motion(small, now_s)
        if near or far:
            self._mean.clear()
        if far:
            self._dice_due_s = now_s + DICE_STILL_S
        if self._waits_out(near, now_s):
            self._begin_anew(now_s)
            return self._enter("moving")
        try:
            frame = fit_to_size(frame_bgr, self._table.picture_size, "the camera's frame")
        except PictureError:
            return self._refuse_size(frame_bgr, now_s)
        return self._with_cards(self._still(frame, small, now_s), frame, now_s)

    def _refuse_size(self, frame_bgr: Picture, now_s: float) -> Update:
        """Refuse a frame that is no picture of this table's camera, or of another mode of it."""
        self._begin_anew(now_s)
        (height, width), (usual_width, usual_height) = frame_bgr.shape[:2], self._table.picture_size
        self._lost = OTHER_SIZE.format(size=f"{width}x{height}", other=f"{usual_width}x{usual_height}")
        return self._enter("lost", self._lost)

    def lose_sight(self) -> None:
        """Start afresh after the camera has failed: the next frame is judged as if it were the first."""
        self._begin_anew(0.0)
        self._motion, self._moving_s, self.state = Motion(), None, "starting"

    # ---- motion ---------------------------------------------------------------------------------

    def _find_motion(self, small: Picture, now_s: float) -> tuple[bool, bool]:
        """Return whether something moves over the board or close to it, and whether elsewhere in the picture."""
        cells = self._motion.moving_cells(small, now_s)
        if self._near is None or self._near.shape != cells.shape:
            return is_motion(cells), False
        return is_motion(cells & self._near), is_motion(cells & ~self._near)

    def _waits_out(self, near: bool, now_s: float) -> bool:
        """Return whether to wait for stillness; where it never comes, a reading has to hold for longer instead."""
        if not near:
            self._moving_s, self._settling.hold_s = None, HOLD_S
            return False
        if self._moving_s is None:
            self._moving_s = now_s
        if now_s - self._moving_s < RESTLESS_S:
            return True
        self._settling.hold_s = RESTLESS_HOLD_S
        return False

    def _begin_anew(self, now_s: float) -> None:
        self._mean.clear()
        self._settling.clear()
        self._lost_s, self._read_due_s, self._why_due_s = None, now_s, now_s

    # ---- stillness ------------------------------------------------------------------------------

    def _still(self, frame: Picture, small: Picture, now_s: float) -> Update:
        if self.state == "settled" and self._is_elsewhere(small, now_s):
            self._mean.clear()
            self._read_due_s = now_s
        dice_are_due = self.state == "settled" and self._dice_due_s is not None and now_s >= self._dice_due_s
        if self.state != "settled" or self._dice_due_s is not None or self._read_due_s - now_s <= GATHER_S:
            self._mean.add(frame)
        if now_s >= self._read_due_s:
            picture = self._mean.mean
            seen = self._judge_reading(self._eye.read(picture), picture, now_s)
            self._small = small
            self._read_due_s = now_s + (CHECK_EVERY_S if self.state == "settled" else READ_EVERY_S)
            if self.state in ("settled", "lost"):  # the next look is at what is seen then
                self._mean.clear()
            return seen
        if dice_are_due:
            return self._dice_alone(self._mean.mean)
        return self._enter(self.state, self._lost if self.state == "lost" else "")

    def _is_elsewhere(self, small: Picture, now_s: float) -> bool:
        """Return whether the picture shows something else than when it was read, or the same elsewhere.

        Looked for now and then, as it takes a while.
        """
        if now_s < self._shift_due_s or self._small is None or self._small.shape != small.shape:
            return False
        self._shift_due_s = now_s + SHIFT_EVERY_S
        shift = shift_between(self._small, small)
        return likeness(self._small, small) < LEAST_ALIKE if shift is None else shift.share > SHIFTED

    def _judge_reading(self, reading: Reading, picture: Picture, now_s: float) -> Update:
        """Judge a reading of a still table: the board lost or nudged, as settled before, or still to be gathered."""
        found = reading.registration
        if found is None:
            return self._without_board(picture, now_s)
        self._lost_s = None
        nudge = self._detect_nudge(found)
        self._lies, self._near = found, self._cells_near(found)
        if nudge is not None:
            self._settling.clear()
        if self.state == "settled" and nudge is None and self._last and not disagrees(reading, self._last.reading):
            return self._enter("settled")
        if self.state == "settled":
            self._settling.clear()
        return self._gather(reading, picture, now_s, nudge)

    def _gather(self, reading: Reading, picture: Picture, now_s: float, nudge: Nudge | None) -> Update:
        before = frozenset(self._last.reading.unreadable) if self._last else frozenset()
        held = self._settling.add(reading, now_s, before)
        if held is None:
            if set(reading.unreadable) - before:
                return self._enter("hand", nudge=nudge)
            return self._enter("nudged" if nudge is not None or self.state == "nudged" else "steady", nudge=nudge)
        self._dice_due_s = None
        self.state = "settled"
        assert reading.registration is not None
        dice = self._eye.dice(picture, reading.registration)
        if self._last is not None and not is_news(held.reading, self._last.reading):
            return self._with_dice(dice)
        self._last = Settled(held.reading, picture, dice)
        return Update("settled", settled=self._last, nudge=nudge)

    def _without_board(self, picture: Picture, now_s: float) -> Update:
        """Handle a frame in which the board is not found.

        Something may be in the way, until it has been so for a while.
        """
        self._settling.clear()
        if self._lost_s is None:
            self._lost_s = now_s
        if now_s - self._lost_s < LOST_S:
            return self._enter("hand")
        self._near = None
        if now_s >= self._why_due_s:
            why = self._eye.why_lost(picture)
            self._lost, self._why_due_s = LOST_BECAUSE[why] if why else LOST, now_s + WHY_EVERY_S
        return self._enter("lost", self._lost)

    # ---- dice -----------------------------------------------------------------------------------

    def _dice_alone(self, picture: Picture) -> Update:
        """Read only the dice, after something moved beside the board."""
        self._dice_due_s = None
        assert self._lies is not None
        return self._with_dice(self._eye.dice(picture, self._lies))

    def _with_dice(self, dice: DiceReading) -> Update:
        assert self._last is not None
        if same_dice(dice, self._last.dice):
            return self._enter("settled")
        self._last = Settled(self._last.reading, self._last.frame, dice)
        self.state = "settled"
        return Update("settled", dice=dice)

    # ---- cards ----------------------------------------------------------------------------------

    def _with_cards(self, seen: Update, frame: Picture, now_s: float) -> Update:
        """Add the cards that lie face up to the update, if they are others than before."""
        if seen.state not in ("steady", "settled") or self._lies is None:
            return seen
        place = self._table.board_from_reference @ self._lies.reference_from_frame
        changed = self._cards.see(frame, place, now_s, now=seen.settled is not None)
        return replace(seen, cards=self._cards.cards) if changed else seen

    # ---- where the board lies -------------------------------------------------------------------

    def _cells_near(self, found: Registration) -> Mask:
        """Return the cells of small pictures on and near the board and the support board.

        Near: within a hand's breadth.
        """
        width, height = self._table.picture_size
        back = np.asarray(np.linalg.inv(found.reference_from_frame), np.float64)
        cells = (round(height * WIDTH_PX / width), WIDTH_PX)
        near = []
        for board in filter(None, (self._table, self._table.support)):
            corners = apply(back, np.asarray(board.corners_px, np.float64))
            middle = corners.mean(axis=0)
            outline: Matrix = middle + (corners - middle) * (1 + 2 * EDGE)
            near.append(cells_within(outline / width, cells))
        return np.asarray(np.logical_or.reduce(near), np.bool_)

    def _detect_nudge(self, found: Registration) -> Nudge | None:
        """Return how the board was moved since that was last told; None if it was not."""
        home, self._home = self._home, self._home or found
        nudge = None if home is None else nudge_between(self._table, home, found)
        if nudge is None or nudge.mm < NUDGE_MM:
            return None
        self._home = found
        return nudge

    def _enter(self, state: State, fault: str = "", nudge: Nudge | None = None) -> Update:
        self.state = state
        return Update(state, fault, nudge=nudge)


def nudge_between(table: Table, before: Registration, now: Registration) -> Nudge:
    """Return how far the board has moved from one registered frame to another."""
    corners = np.asarray(table.corners_px, np.float64)
    was_px = apply(np.asarray(np.linalg.inv(before.reference_from_frame), np.float64), corners)
    home = apply(table.board_from_reference, corners)
    moved = apply(table.board_from_reference @ now.reference_from_frame, was_px)
    across, was_across = moved[1] - moved[0], home[1] - home[0]
    turn = np.arctan2(across[1], across[0]) - np.arctan2(was_across[1], was_across[0])
    way = float(np.hypot(*(moved - home).T).max())
    return Nudge(way, float(np.degrees((turn + np.pi) % (2 * np.pi) - np.pi)))


def disagrees(reading: Reading, settled: Reading) -> bool:
    """Return whether a reading contradicts the settled one in what can be read, or in what that was sure of."""
    if set(reading.unreadable) != set(settled.unreadable) or set(reading.support) != set(settled.support):
        return True
    seen = [area for area, sure in settled.confidence.items() if sure >= SURE and area not in settled.unreadable]
    if any(reading.counts[area].best != settled.counts[area].best for area in seen):
        return True
    return any(
        reading.commanders.get(space) != settled.commanders.get(space) for space in _sure_spaces(settled, reading)
    )


def _sure_spaces(settled: Reading, reading: Reading) -> list[str]:
    spaces = settled.leaders.keys() | reading.commanders.keys()
    chances = {space: max(settled.leaders.get(space, {}).values(), default=0.0) for space in spaces}
    return [space for space, chance in chances.items() if not 1 - SURE < chance < SURE]


def is_news(reading: Reading, before: Reading) -> bool:
    """Return whether a settled reading says something new, or is clearly surer or less sure of an area."""
    if contents_of(reading) != contents_of(before):
        return True
    return any(abs(sure - before.confidence.get(area, 0.0)) > SURER for area, sure in reading.confidence.items())


def same_dice(dice: DiceReading, before: DiceReading) -> bool:
    """Return whether the same dice lie in the same places; True as well if the new frame doesn't show the board."""
    if not dice.seen or len(dice.dice) != len(before.dice) or len(dice.unreadable) != len(before.unreadable):
        return not dice.seen
    pairs = zip(
        sorted(dice.dice, key=lambda die: die.at_mm), sorted(before.dice, key=lambda die: die.at_mm), strict=True
    )
    return all(
        die.pips == other.pips and float(np.hypot(*np.subtract(die.at_mm, other.at_mm))) < SAME_DIE_MM
        for die, other in pairs
    )
