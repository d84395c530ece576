"""Random whole tables, from a seed: crowded positions, how people play, folders of pictures with their truth."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import pi
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.errors import VisionError
from vision.plan import BoardPlan, plan_text
from vision.simulation.board_art import BoardMarks
from vision.simulation.camera import SimulatedCamera
from vision.simulation.draw import Mask
from vision.simulation.placing import Placer
from vision.simulation.props import reach_in
from vision.simulation.random_scenes import random_scene, with_support_board
from vision.simulation.solids import PieceLook
from vision.simulation.support_board import support_beside
from vision.simulation.table import Habits, Moment, PlacedPiece, Scene, Shot, Studio, place_pieces

Rng = np.random.Generator

MOST = {"land": 5, "water": 3, "air": 5}


@dataclass(frozen=True, slots=True)
class Manner:
    """How a table's pictures differ from one another: is the camera nudged, does the light drift, do people stack."""

    habits: Habits
    nudge_mm: float = 0.0
    nudge_deg: float = 0.0
    drift: float = 0.0
    things: float = 0.15
    hands: float = 0.1
    cards: float = 0.08


def random_manner(seed: int, look: PieceLook) -> Manner:
    """Choose how a table is played on, from its seed."""
    rng = np.random.default_rng([seed, 12])
    still = rng.random() < 0.5
    return Manner(
        habits=Habits(
            look=look,
            stacks=float(rng.choice([0.0, 0.0, rng.uniform(0.03, 0.25)])),
            together=float(rng.uniform(0.1, 0.8)),
            on_symbols=float(rng.uniform(0, 0.4)),
            untidy_mm=float(rng.uniform(0, 1.2)),
            overhang_mm=float(rng.choice([0.0, rng.uniform(0, 1.5)])),
        ),
        nudge_mm=0.0 if still else 5.0,
        nudge_deg=0.0 if still else 0.8,
        drift=0.0 if rng.random() < 0.5 else 0.15,
    )


def random_units(plan: BoardPlan, rng: Rng, crowded: bool) -> dict[str, dict[str, dict[str, int]]]:
    """Draw units by area: crowded late positions or thin early ones, mostly of one faction an area."""
    units = {}
    for area in plan.areas:
        if rng.random() > (0.88 if crowded else 0.55):
            continue
        faction = plan.factions[int(rng.integers(len(plan.factions)))]
        names = plan.unit_kinds(area)
        most = MOST.get(area.kind, 3)
        count = int(rng.integers(2 if crowded else 1, most + 1)) if rng.random() < 0.8 else 1
        counts = {faction: _mixed(names, rng, count)} if names else {}
        units[area.name] = _contested(plan, rng, counts, most)
    return {name: counts for name, counts in units.items() if counts}


def _mixed(names: tuple[str, ...], rng: Rng, count: int) -> dict[str, int]:
    """Return `count` units of the kinds that an area can hold, mostly of one, some of another where there are more."""
    first = int(rng.integers(len(names)))
    if len(names) == 1:
        return {names[first]: count}
    others = int(rng.binomial(count, 0.3))
    parts = {names[first]: count - others, names[first - 1]: others}
    return {name: n for name, n in parts.items() if n}


def _contested(plan: BoardPlan, rng: Rng, counts: dict[str, dict[str, int]], most: int) -> dict[str, dict[str, int]]:
    """Add, rarely, a unit of another faction to an area's units, as in the middle of a conflict."""
    if rng.random() < 0.03:
        others = [faction for faction in plan.factions if faction not in counts]
        total = sum(n for units in counts.values() for n in units.values())
        if others and 0 < total < most:
            unit = next(iter(next(iter(counts.values()))))
            return {**counts, others[0]: {unit: 1}}
    return counts


def random_commanders(plan: BoardPlan, rng: Rng) -> dict[str, str]:
    """Place up to five commanders a faction, on spaces of their own."""
    count = min(len(plan.spaces), int(rng.integers(0, 11)))
    chosen = rng.choice(len(plan.spaces), count, replace=False)
    return {plan.spaces[int(i)].name: plan.factions[int(rng.integers(len(plan.factions)))] for i in chosen}


def random_pieces(plan: BoardPlan, rng: Rng, habits: Habits) -> tuple[PlacedPiece, ...]:
    """Return a random position that fits: an area without room for its units stays empty."""
    units, commanders = random_units(plan, rng, bool(rng.random() < 0.75)), random_commanders(plan, rng)
    placer = Placer(plan, rng, habits)
    for space, faction in commanders.items():
        placer.commander(space, faction)
    for name, counts in units.items():
        wanted = [(faction, unit) for faction, held in counts.items() for unit, n in held.items() for _ in range(n)]
        with suppress(VisionError):
            placer.area(name, wanted)
    return tuple(placer.pieces)


def random_moment(rng: Rng, scene: Scene, manner: Manner, plan: BoardPlan) -> Moment:
    """Return a picture's own nudge, light, and things on or over the board."""
    width, height = plan.size_mm

    def somewhere() -> tuple[float, float]:
        return float(rng.uniform(15, width - 15)), float(rng.uniform(15, height - 15))

    hand = None
    if rng.random() < manner.hands:
        hand = reach_in(rng, somewhere(), float(rng.uniform(0, 2 * pi)))
    some = rng.random() < manner.things
    return Moment(
        seed=int(rng.integers(1 << 30)),
        shift_mm=(float(rng.normal(0, manner.nudge_mm)), float(rng.normal(0, manner.nudge_mm))),
        turn_deg=float(rng.normal(0, manner.nudge_deg)),
        light_gains=tuple(float(rng.uniform(1 - manner.drift, 1 + manner.drift)) for _ in scene.lights),
        dice=tuple(somewhere() for _ in range(int(rng.integers(1, 4)))) if some else (),
        cards=(somewhere(),) if rng.random() < manner.cards else (),
        hand=hand,
    )


class Photographer(Protocol):
    """Takes a table's pictures: `vision.simulation.table.Studio`, or another with the same scene and plan."""

    @property
    def plan(self) -> BoardPlan:
        """The board's plan."""

    @property
    def scene(self) -> Scene:
        """What stays from picture to picture."""

    def shoot(self, pieces: Sequence[PlacedPiece], moment: Moment | None = None) -> Shot:
        """Take the picture of these pieces at a moment."""

    def camera_at(self, moment: Moment) -> SimulatedCamera:
        """Return the camera as nudged at a moment."""

    def sides(self, pieces: Sequence[PlacedPiece], moment: Moment) -> Mask:
        """Return whose piece each pixel shows, (H, W): 1 the plan's first faction, 2 its second, 0 neither."""


@dataclass(frozen=True, slots=True)
class TableShots:
    """A table's pictures: the empty board, then (name, shot) one at a time."""

    studio: Photographer
    manner: Manner
    seed: int
    slots: tuple[tuple[float, float], ...] = ()

    def reference(self) -> Shot:
        """Take the picture of the empty board."""
        return self.studio.shoot((), Moment(seed=self.seed))

    def start(self) -> Shot:
        """Take the picture of the printed starting position with bonus tokens."""
        rng = np.random.default_rng([self.seed, 13])
        plan = self.studio.plan
        pieces = place_pieces(plan, plan.start_units(), {}, rng, replace(self.manner.habits, stacks=0.0))
        return self.studio.shoot(pieces, Moment(seed=self.seed + 1, tokens=self.slots))

    def frames(self, count: int) -> Iterator[tuple[Shot, tuple[PlacedPiece, ...], Moment]]:
        """Yield pictures of random positions, each with its pieces and its moment."""
        for pieces, moment in self.positions(count):
            yield self.studio.shoot(pieces, moment), pieces, moment

    def positions(self, count: int) -> Iterator[tuple[tuple[PlacedPiece, ...], Moment]]:
        """Yield what lies there in each frame, and its moment, without taking a picture."""
        rng = np.random.default_rng([self.seed, 14])
        plan, scene = self.studio.plan, self.studio.scene
        places = plan if scene.support is None else scene.support.joined_to(plan)
        for _ in range(count):
            pieces = random_pieces(places, rng, self.manner.habits)
            moment = random_moment(rng, scene, self.manner, plan)
            moment = replace(moment, tokens=self.slots if rng.random() < 0.9 else ())
            yield pieces, moment


def table_shots(seed: int, plan: BoardPlan, marks: BoardMarks | None = None, support: Sequence[str] = ()) -> TableShots:
    """Return a random table, ready to be photographed.

    support: the spaces of a support board beside the map, where there is to be one. The camera then stands further
    away, so that it sees both.
    """
    marks, scene = marks or BoardMarks(), random_scene(seed, plan)
    if support:
        scene = with_support_board(scene, plan, support_beside(plan, support, np.random.default_rng([seed, 17])))
    studio = Studio(plan, scene, marks)
    return TableShots(studio, random_manner(seed, studio.scene.look), seed, tuple(marks.slots.values()))


def make_table(seed: int, plan: BoardPlan, folder: Path, marks: BoardMarks | None = None, frames: int = 12) -> Path:
    """Save a random table as a folder: reference.jpg, start.jpg, frame-01.jpg ..., table.json, truth.json, plan.json.

    The corners of table.json are some 2 px off, as a finger tap is. OSError where the folder cannot be written.
    """
    return save_table(table_shots(seed, plan, marks), folder, f"simulated, seed {seed}", frames)


def save_table(shots: TableShots, folder: Path, conditions: str, frames: int) -> Path:
    """Take a table's pictures and write them to a folder; OSError where it cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    reference = shots.reference()
    truth = {"start": _saved(shots.start(), folder / "start.jpg")}
    _saved(reference, folder / "reference.jpg")
    for number, (shot, _, _) in enumerate(shots.frames(frames), 1):
        truth[f"frame-{number:02}"] = _saved(shot, folder / f"frame-{number:02}.jpg")
    rng = np.random.default_rng([shots.seed, 15])
    corners = np.array(reference.truth["corners_px"]) + rng.normal(0, 1.4, (4, 2))
    board = shots.studio.plan.board
    head = {"board": board, "corners_px": np.round(corners, 1).tolist(), "conditions": conditions}
    (folder / "table.json").write_text(json.dumps(head, indent=1))
    (folder / "plan.json").write_text(plan_text(shots.studio.plan))
    (folder / "truth.json").write_text(json.dumps(truth))
    return folder


def save_calibration(shots: TableShots, folder: Path) -> None:
    """Write a table's empty board and its start alone to a folder; OSError where it cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    _saved(shots.reference(), folder / "reference.jpg")
    _saved(shots.start(), folder / "start.jpg")


def _saved(shot: Shot, path: Path) -> dict[str, object]:
    _, data = cv2.imencode(".jpg", shot.picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    path.write_bytes(data.tobytes())
    return shot.truth
