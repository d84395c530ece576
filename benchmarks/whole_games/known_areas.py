"""Areas read by what has changed since the last turn, against the eye alone, in recorded whole games.

`python -m benchmarks.whole_games.known_areas FOLDER...` reads each board that was at rest after a turn, holds the one
before for confirmed, and counts areas that don't look as they did: those whose contents stayed the same, and those that
changed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import mean

from benchmarks.whole_games.camera import SwiftEye
from benchmarks.whole_games.recording import AT_REST, Recording, at_rest
from companion.perception.adapters import SURE, plan_of
from companion.perception.area_questions import standing_in
from companion.perception.known_areas import KnownAreas
from engine.orders.position import Position
from vision.reading.count import Combo
from vision.reading.crops import Cropper, is_same_sight
from vision.reading.read import Reading

LEAST = 1e-4
"""The chance that counts for what was given none."""


@dataclass(frozen=True)
class JudgedArea:
    """What was made of an area: right or not, the chance given to the truth, and whether it was sure."""

    right: bool
    chance: float
    sure: bool


@dataclass(frozen=True)
class AreaSeen:
    """An area that doesn't look as it did a turn ago: whether its contents have changed, and what was made of it."""

    changed: bool
    alone: JudgedArea
    since: JudgedArea


def judge_area(reading: Reading, area: str, truth: Combo) -> JudgedArea:
    """Return what a reading says of an area, against the truth."""
    chances = {tuple(sorted(combo)): chance for combo, chance in reading.counts[area].options}
    best = tuple(sorted(reading.counts[area].best))
    return JudgedArea(best == truth, max(chances.get(truth, 0.0), LEAST), reading.confidence[area] >= SURE)


def boards_at_rest(recording: Recording) -> Iterator[tuple[Position, Reading]]:
    """Yield the true position and the reading of each board that was left alone."""
    eye = SwiftEye(recording.calibrated())
    for moment in recording.moments:
        if moment.hands == AT_REST:
            yield at_rest(recording.game.positions[moment.steps]), eye.read(recording.picture(moment))


def areas_in(recording: Recording) -> Iterator[AreaSeen]:
    """Yield all areas of a game that don't look as they did a turn ago."""
    known, last = KnownAreas(), None
    cropper = Cropper(plan_of(recording.game.last.board))
    for position, reading in boards_at_rest(recording):
        since = known.recount(reading, position.board)
        if last is not None and reading.board_image is not None and last[1].board_image is not None:
            for area in position.board.areas:
                crops = [cropper.crop(image, area.name) for image in (last[1].board_image, reading.board_image)]
                if area.name in reading.unreadable or is_same_sight(*crops):
                    continue
                truth, was = standing_in(position, area.name), standing_in(last[0], area.name)
                yield AreaSeen(truth != was, judge_area(reading, area.name, truth), judge_area(since, area.name, truth))
        known = known.confirm(position, since, position.commanders)
        last = position, reading


def line(what: str, answers: list[JudgedArea]) -> str:
    """Return the figures as a line of the table."""
    right, sure = mean(answer.right for answer in answers), mean(answer.sure for answer in answers)
    loss = mean(-log(answer.chance) for answer in answers)
    wrong = sum(answer.sure and not answer.right for answer in answers)
    return f"{what:<28} {len(answers):6} {right:9.1%} {sure:9.1%} {wrong:11} {loss:9.3f}"


def main() -> None:
    """Print the figures of all games together."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.whole_games.known_areas", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="a recorded game")
    folders: list[Path] = parser.parse_args().folders
    areas = [area for folder in folders for area in areas_in(Recording.load(folder))]
    print(f"{'areas':<28} {'number':>6} {'right':>9} {'sure':>9} {'surely wrong':>11} {'log loss':>9}")
    for changed, name in ((False, "unchanged"), (True, "changed")):
        of = [area for area in areas if area.changed is changed]
        if of:
            print(line(f"{name}, the eye alone", [area.alone for area in of]))
            print(line(f"{name}, by what changed", [area.since for area in of]))


if __name__ == "__main__":
    main()
