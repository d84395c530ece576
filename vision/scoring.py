"""A reading held against what was really there: areas right, silent errors, pieces missed and invented.

An area is right if every count in it is. One that a hand, a card or the picture's edge covers is also right if it is
refused; one in clear sight has to be read. A frame is right if all its clear areas are. A silent error is an area that
is wrong, not refused, and at least `SURE`: the figure that matters most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from vision.geometry import Matrix
from vision.plan import BoardPlan
from vision.reading.count import SURE
from vision.reading.read import Reading
from vision.values import point, rows, text

MOST_UNITS = 99
MOST_COMMANDERS = 4
"""On one space; by the rules there are two at most."""

Units = Mapping[str, Mapping[str, Mapping[str, int]]]
Kind = tuple[str, str]
"""A faction and a unit of it."""
Leader = tuple[str, str]
"""An action space and the faction of a commander on it."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What was on the board in a frame.

    units: {area: {faction: {unit: n}}}; commanders: pairs of action space and faction, None where nobody wrote them
    down; covered: areas that a hand, a card or the picture's edge hides; corners_px: (4, 2) where the board's corners
    TL, TR, BR, BL are in this frame, None where nobody knows.
    """

    units: Units
    commanders: frozenset[Leader] | None = None
    covered: frozenset[str] = frozenset()
    corners_px: Matrix | None = None


def checked_units(value: Any, plan: BoardPlan) -> dict[str, dict[str, dict[str, int]]]:
    """Return {area: {faction: {unit: n}}}, checked for the plan's names and numbers up to 99; ValueError otherwise."""
    areas, kinds = {area.name for area in plan.areas}, {unit for _, units in plan.units for unit in units}
    if not isinstance(value, dict):
        raise ValueError("expected an object")
    for area, force in value.items():
        if area not in areas or not isinstance(force, dict):
            raise ValueError(f"{area[:20]!r}: expected an area of {plan.board} with its factions")
        for faction, units in force.items():
            good = faction in plan.factions and isinstance(units, dict)
            if not good or not all(unit in kinds and _is_number(n) for unit, n in units.items()):
                raise ValueError(f"{area}: expected factions with numbers of units")
    return value


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_UNITS


def truth_of(value: Any, plan: BoardPlan) -> Truth:
    """Read a frame's truth from its object in a truth.json; ValueError if malformed or if a name isn't in the plan."""
    if not isinstance(value, dict):
        raise ValueError("expected an object")
    corners, commanders = value.get("corners_px"), value.get("commanders")
    return Truth(
        checked_units(value.get("units"), plan),
        None if commanders is None else _leaders(commanders, plan),
        _areas(value.get("occluded", []), plan),
        None if corners is None else np.array(corners_of(corners)),
    )


def corners_of(value: Any) -> list[tuple[float, float]]:
    """Return four points from JSON data; ValueError for anything else."""
    corners = [point(row) for row in rows(value, 4)]
    if len(corners) != 4:
        raise ValueError("expected four corners")
    return corners


def _leaders(value: Any, plan: BoardPlan) -> frozenset[Leader]:
    spaces = {space.name for space in plan.spaces}
    if not isinstance(value, dict):
        raise ValueError("commanders: expected action spaces with factions")
    found = {(space, who) for space, held in value.items() for who in _factions(held)}
    if not all(space in spaces and who in plan.factions for space, who in found):
        raise ValueError(f"commanders: expected action spaces of {plan.board}'s map with its factions")
    return frozenset(found)


def _factions(value: Any) -> list[str]:
    return [text(row) for row in (rows(value, MOST_COMMANDERS) if isinstance(value, list) else [value])]


def _areas(value: Any, plan: BoardPlan) -> frozenset[str]:
    names = frozenset(map(text, rows(value, len(plan.areas))))
    if not names <= {area.name for area in plan.areas}:
        raise ValueError("occluded: expected a list of areas")
    return names


# ---- the sums -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Miss:
    """An area or action space that was read wrong. got: None if it was refused; covered: it was out of clear sight."""

    frame: str
    place: str
    want: Mapping[str, Mapping[str, int]]
    got: Mapping[str, Mapping[str, int]] | None
    confidence: float
    covered: bool = False


@dataclass(slots=True)
class Tally:
    """Sums over frames.

    areas, right, silent: of all areas; clear and what begins so: of those in clear sight; covered, covered_refused: of
    the others. there, missed, invented: pieces in clear areas, by faction and unit.
    leaders_there, leaders_read, leaders_right: commanders outside covered areas. answers: (confidence, right) of every
    area that was not refused.
    """

    frames: int = 0
    frames_right: int = 0
    areas: int = 0
    right: int = 0
    silent: int = 0
    clear: int = 0
    clear_right: int = 0
    clear_silent: int = 0
    clear_sure: int = 0
    clear_refused: int = 0
    covered: int = 0
    covered_refused: int = 0
    there: Counter[Kind] = field(default_factory=Counter)
    missed: Counter[Kind] = field(default_factory=Counter)
    invented: Counter[Kind] = field(default_factory=Counter)
    leaders_there: int = 0
    leaders_read: int = 0
    leaders_right: int = 0
    ms: list[float] = field(default_factory=list)
    answers: list[tuple[float, bool]] = field(default_factory=list)
    wrong: list[Miss] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add another tally's sums."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


def score_frame(reading: Reading, truth: Truth, plan: BoardPlan, name: str) -> Tally:
    """Compare a reading with the truth; return the tally of this frame. name: what its misses are listed under."""
    tally = Tally(frames=1, areas=len(plan.areas), ms=[reading.ms])
    for area in plan.areas:
        _score_area(tally, reading, truth, (area.name, name))
    tally.frames_right = int(tally.clear_right == tally.clear)
    if truth.commanders is not None:
        _score_commanders(tally, reading, truth, name)
    return tally


def _score_area(tally: Tally, reading: Reading, truth: Truth, which: tuple[str, str]) -> None:
    area, frame = which
    want, got = Counter(_counts(truth.units.get(area))), Counter(_counts(reading.units.get(area)))
    refused, covered, sure = area in reading.unreadable, area in truth.covered, reading.confidence.get(area, 1.0)
    right = (want == got and not refused) or (covered and refused)
    silent = not right and not refused and sure >= SURE
    tally.right += right
    tally.silent += silent
    if covered:
        tally.covered += 1
        tally.covered_refused += refused
    else:
        tally.clear += 1
        tally.clear_right += right
        tally.clear_silent += silent
        tally.clear_sure += not refused and sure >= SURE
        tally.clear_refused += refused
        tally.there += want
        tally.missed += want - got
        tally.invented += got - want
    if not refused:
        tally.answers.append((sure, right))
    if not right:
        seen = None if refused else reading.units.get(area, {})
        tally.wrong.append(Miss(frame, area, truth.units.get(area, {}), seen, sure, covered))


def _counts(force: Mapping[str, Mapping[str, int]] | None) -> dict[Kind, int]:
    return {(faction, unit): n for faction, units in (force or {}).items() for unit, n in units.items() if n}


def _score_commanders(tally: Tally, reading: Reading, truth: Truth, frame: str) -> None:
    want = {commander for commander in truth.commanders or () if _area_of(commander) not in truth.covered}
    got = {commander for commander in reading.commanders.items() if _area_of(commander) not in truth.covered}
    tally.leaders_there += len(want)
    tally.leaders_read += len(got)
    tally.leaders_right += len(want & got)
    for space in sorted({space for space, _ in want ^ got}):
        stood, seen = ({who: {"commander": 1} for where, who in sorted(held) if where == space} for held in (want, got))
        sure = max(reading.leaders.get(space, {}).values(), default=0.0)
        tally.wrong.append(Miss(frame, space, stood, seen, sure))


def _area_of(leader: Leader) -> str:
    return leader[0].split(":")[-1]


def figures(tally: Tally) -> dict[str, Any]:
    """Return a tally for JSON: sums, and shares from 0 to 1, None for a share of nothing."""
    return {
        "frames": tally.frames,
        "frames_right": tally.frames_right,
        "areas": tally.areas,
        "right": tally.right,
        "share_right": share(tally.right, tally.areas),
        "silent": tally.silent,
        "clear": tally.clear,
        "clear_right": tally.clear_right,
        "clear_silent": tally.clear_silent,
        "clear_sure": tally.clear_sure,
        "share_sure": share(tally.clear_sure, tally.clear),
        "clear_refused": tally.clear_refused,
        "covered": tally.covered,
        "covered_refused": tally.covered_refused,
        "pieces": [
            {"faction": who, "unit": unit, "there": there, "missed": missed, "invented": invented}
            for (who, unit), there, missed, invented in counts_by_kind(tally)
        ],
        "commanders": tally.leaders_there,
        "commander_precision": share(tally.leaders_right, tally.leaders_read),
        "commander_recall": share(tally.leaders_right, tally.leaders_there),
        "median_ms": median(tally.ms) if tally.ms else None,
    }


def counts_by_kind(tally: Tally) -> list[tuple[Kind, int, int, int]]:
    """Return (faction and unit, pieces there, missed, invented) for each kind that was there or was read."""
    kinds = sorted({*tally.there, *tally.invented})
    return [(kind, tally.there[kind], tally.missed[kind], tally.invented[kind]) for kind in kinds]


def share(part: int, whole: int) -> float | None:
    """Return which share of a whole a part is, 0 to 1; None if the whole is 0."""
    return part / whole if whole else None
