"""What readings of a table share from frame to frame."""

from __future__ import annotations

from dataclasses import dataclass

from vision.geometry import Floats
from vision.reading.network import Printed
from vision.reading.piece_sets import SHIPS, PieceSet
from vision.reading.places import Places
from vision.reading.second_look import TurnedViews
from vision.reading.stacks import StackContext
from vision.reading.start import NO_START, Start
from vision.registration.register import Anchors
from vision.table import Table


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PreparedTable:
    """What stays the same of a table from frame to frame, worked out once.

    It holds places, what the network made of the empty board, looks, the same turned for looking again, the ground of
    the closer look at stacks, points to track, the colours of each side's pieces.

    second: the same for the second eye; support: the support board as a table of its own, where the photos show it, and
    the same of that.
    """

    places: Places
    printed: Printed
    looks: Floats
    again: TurnedViews
    ground: StackContext
    anchors: Anchors
    known: PieceSet = SHIPS
    start: Start = NO_START
    second: PreparedTable | None = None
    support: tuple[Table, PreparedTable] | None = None

    @property
    def eyes(self) -> tuple[PreparedTable, ...]:
        """The settings of all eyes that look at the table, this one first."""
        return (self,) if self.second is None else (self, self.second)
