"""A table that is watched in tests: frames shown to the watcher at times of its own, the real eye behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

import cv2
import numpy as np

from tests.vision.tables import moved, pictures
from vision.dice.reader import DiceReading
from vision.geometry import Picture
from vision.live.watcher import Settled, TableWatcher, Update
from vision.reading.read import Reading, read
from vision.reading.setting import prepare_table
from vision.registration.register import Registration, WhyLost, why_lost

STEP_S = 0.125


class Eye:
    """The real eye on the small table, each picture read once; dice are as the test says."""

    known: ClassVar[dict[int, Reading]] = {}

    def __init__(self) -> None:
        self.reads, self.last = 0, np.zeros((0, 0, 3), np.uint8)
        self.lie: DiceReading = DiceReading(())
        self.tell: Callable[[Reading], Reading] = lambda reading: reading

    def read(self, frame_bgr: Picture) -> Reading:
        self.reads, self.last = self.reads + 1, frame_bgr
        key = hash(frame_bgr.tobytes())
        if key not in Eye.known:
            Eye.known[key] = read(pictures().table, frame_bgr)
        return self.tell(Eye.known[key])

    def dice(self, frame_bgr: Picture, found: Registration) -> DiceReading:
        return self.lie

    def why_lost(self, frame_bgr: Picture) -> WhyLost | None:
        return why_lost(prepare_table(pictures().table).anchors, frame_bgr)


class Room:
    """A table that is watched: frames are shown to the watcher, an eighth of a second apart."""

    def __init__(self) -> None:
        self.eye = Eye()
        self.watcher = TableWatcher(pictures().table, self.eye)
        self.now_s = 100.0

    def show(self, picture: Picture, for_s: float) -> list[Update]:
        return list(self._shown(picture, for_s))

    def _shown(self, picture: Picture, for_s: float) -> Iterator[Update]:
        for _ in range(round(for_s / STEP_S)):
            self.now_s += STEP_S
            yield self.watcher.see(picture, self.now_s)

    def settled(self, picture: Picture, for_s: float = 2.0) -> Update:
        """Show a picture until it has settled for the first time."""
        found = [seen for seen in self.show(picture, for_s) if seen.settled is not None]
        assert len(found) == 1
        return found[0]


def under_a_hand(picture: Picture, across: int = 0) -> Picture:
    corners = np.array(pictures().table.corners_px)
    x, y = corners[3] + 0.3 * (corners[1] - corners[3])
    hand = cv2.ellipse(picture.copy(), (int(x) + across, int(y)), (95, 75), 0, 0, 360, (125, 165, 215), -1)
    return np.asarray(hand, np.uint8)


def knocked(picture: Picture, across: float = 7.0, turn_deg: float = 0.4) -> Picture:
    return moved(picture, (across, 0.0), turn_deg)[0]


def settled_in(seen: list[Update]) -> list[Settled]:
    return [update.settled for update in seen if update.settled is not None]


def states(seen: list[Update]) -> list[str]:
    return list(dict.fromkeys(update.state for update in seen))
