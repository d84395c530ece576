"""Fit the logistic models of the eyes: `python -m training.fit_scores SET WEIGHTS FOLDER [FOLDER ...] [--second]`.

Folders hold tables as `training.render` and `training.traced.render` write them; SET is `ships`, `siege` or `aircraft`,
WEIGHTS the folder for NETWORK/SET.json. Each table is read several times, each time restyled as a photograph may be
(`training/restyle.py`), the first of its frames standing for the photo of the start. The second eye sees all tables
(with `--second` it alone is fitted), a first eye those for which that photo chooses it. What the start teaches rests on
the models that there are: so after new weights fit twice. Tables that the network was trained on, or that are to
measure the eye with, must not be among them.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from training.boards import GAMES, random_board
from training.render import GAME_SEEDS, game_of, read_table
from training.samples import FOREIGN_CLASS, restyled
from vision.geometry import Camera, Grid, Picture, board_corners_mm, up_field
from vision.reading.colours import light_between, with_tone_of
from vision.reading.count import beliefs, board_doubt, units_of
from vision.reading.doubt import DOUBTS, never_sure
from vision.reading.limits import SOME_SHARE, covered_shares
from vision.reading.network import Detections
from vision.reading.piece_sets import DISC, LEADER, SECOND, SETS, VARIED, learnt_sets, set_of
from vision.reading.pieces import Candidate, Places, log_odds, pieces_of, places_of
from vision.reading.read import measure_doubts
from vision.reading.setting import PreparedTable, choose_setting, detect_all, setting_of, settings_of
from vision.registration.register import anchors_of

NEAR_MM = 5.5
RIDGE = 1e-2
LOOKS = 3
"""How often each table is read, each time in another style."""
LOOKS_AT_STACKS, MANY = 1, 0.1
"""The same for tables with more than that share of stacked pieces, of which training has more than people have."""
NO_START = 0.15
LEAST_FRAMES = 80
"""With fewer the models would know little but chance."""
NEARLY = 0.05
"""Restyled tables seldom choose the network that knows the printed colours. Where it explains the start nearly as well
as the other one, its models are fitted on them too.
"""
Measures = tuple[float, ...]
Rows = dict[str, list[tuple[Measures, bool]]]


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece that truly stands there; `upper`: on another."""

    faction: str
    kind: str
    area: str
    at_mm: tuple[float, float]
    upper: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """A board image and what is true of it: the pieces, and the areas in clear view; relit: as `LightField` has it."""

    board: Picture
    pieces: Sequence[Standing]
    clear: frozenset[str]
    relit: float = 0.0

    def units(self) -> dict[str, Any]:
        """Return the units that stand there, {area: {faction: {unit: n}}}."""
        units: dict[str, Any] = {}
        for piece in self.pieces:
            if piece.kind != LEADER:
                held = units.setdefault(piece.area, {}).setdefault(piece.faction, {})
                held[piece.kind] = held.get(piece.kind, 0) + 1
        return units


class Seen:
    """What a network measured on tables: rows for the models of pieces, and whole frames for the model of counts."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self.rows: Rows = {kind: [] for kind in (*kinds, "upper")}
        self.frames: list[tuple[PreparedTable, Frame, Detections, list[Candidate]]] = []

    def add(self, setting: PreparedTable, frame: Frame) -> None:
        """Add what is measured of every candidate of a frame, and whether it is true."""
        finds, found = detect_all(frame.board, setting)
        self.frames.append((setting, frame, finds, found))
        self.label(found, frame)

    def label(self, found: Sequence[Candidate], frame: Frame) -> None:
        """Match candidates to true pieces, the likelier first, each piece once."""
        left = [piece for piece in frame.pieces if not piece.upper]
        for candidate in sorted(found, key=lambda candidate: -candidate.features[1]):
            same = [piece for piece in left if (piece.faction, piece.kind) == (candidate.faction, candidate.kind)]
            near = [piece for piece in same if math.dist(piece.at_mm, candidate.at_mm) < NEAR_MM]
            if near:
                left.remove(near[0])
            if candidate.place.split(":")[-1] not in frame.clear:
                continue
            self.rows[candidate.kind].append((candidate.features, bool(near)))
            if near and candidate.upper is not None:
                upper = any(piece.upper and math.dist(piece.at_mm, candidate.at_mm) < NEAR_MM for piece in frame.pieces)
                self.rows["upper"].append((candidate.upper, upper))

    def counts(self, weights: Mapping[str, Sequence[float]]) -> list[tuple[Measures, bool]]:
        """Return what `calibrate_beliefs` weighs in each clear area, and whether the likeliest count is right."""
        rows: list[tuple[Measures, bool]] = []
        for setting, frame, finds, found in self.frames:
            pieces, units = pieces_of(found, weights, setting.start.lifts), frame.units()
            plain = beliefs(pieces, setting.places.plan)
            seen, doubt = units_of(plain), board_doubt(plain)
            doubts = measure_doubts(setting, frame.board, finds, pieces, frame.relit)
            for area in sorted(frame.clear - never_sure(doubts, setting.start, pieces).keys()):
                measures = (1.0, log_odds(plain[area].confidence), doubt, *doubts[area])
                rows.append((measures, seen.get(area, {}) == units.get(area, {})))
        return rows

    def models(self) -> dict[str, list[float]]:
        """Fit the weights by kind of piece, "area" for counts, and "upper" for a second disc.

        "stacked" holds how often there was a second disc.
        """
        weights = {kind: _rounded(fit_logistic(rows)) for kind, rows in self.rows.items()}
        weights["stacked"] = [round(float(np.mean([upper for _, upper in self.rows["upper"]])), 4)]
        doubts = range(3, 3 + len(DOUBTS))
        weights["area"] = _rounded(fit_logistic(self.counts(weights), doubts))
        return weights


def _rounded(weights: npt.NDArray[np.float64]) -> list[float]:
    return [round(weight, 3) for weight in weights.tolist()]


def has_many_stacks(path: Path) -> bool:
    """Return whether people stack their troops on this rendered table."""
    levels = np.concatenate([sample.pieces[:, 3] for sample in read_table(path)])
    return bool((levels > 0).mean() > MANY)


def restyled_table(path: Path, look: int, second_alone: bool = False) -> Iterator[tuple[PreparedTable, Frame]]:
    """Yield a rendered table's frames but the first, in one style, each with the table prepared for each eye.

    The table is prepared with the first frame as its start, now and then without a start. A frame is yielded for both
    networks of the first eye where they explain the start nearly as well, for neither with `second_alone`.
    """
    seed = int(path.stem)
    rng = np.random.default_rng([seed, look, 60])
    samples, plan = restyled(read_table(path), rng, foreign_from=1), random_board(seed, game_of(seed))[0]
    places = places_of(plan, Grid(plan.size_mm))
    first, *frames = (Frame(sample.board, *truth_of(sample.pieces, sample.cover, places)) for sample in samples)
    plan, empty = replace(plan, start=start_of(first)), samples[0].reference
    x, y, height = samples[0].camera.tolist()
    up = up_field(Camera((x, y, height), 1.0), places.grid)
    start = first.board if plan.start and rng.random() >= NO_START else None
    anchors = anchors_of(empty, places.grid.px(board_corners_mm(plan.size_mm)))
    used = [setting_of(plan, (empty, start), up, anchors, learnt_sets(plan)[-1])]
    if not second_alone:
        settings = settings_of(plan, (empty, start), up, anchors)
        used.append(choose_setting(settings))
        if used[-1].known.network == VARIED and settings[0].start.fit >= used[-1].start.fit - NEARLY:
            used.append(settings[0])
    for frame in frames:
        shown = with_tone_of(frame.board, empty)
        light = light_between(shown, empty)
        for setting in used:
            yield setting, replace(frame, board=light.relight(shown), relit=light.relit)


def truth_of(
    rows: npt.NDArray[np.float64], cover: npt.NDArray[np.uint8], places: Places
) -> tuple[list[Standing], frozenset[str]]:
    """Return the pieces, and the areas in clear view, from a rendered frame's rows and cover."""
    plan, classes, hidden = places.plan, set_of(places.plan).classes, set()
    pieces = []
    for x, y, number, level, is_hidden in rows.tolist():
        area = places.area_at((round(x), round(y)))
        if number == FOREIGN_CLASS or area is None:
            continue
        faction, kind = classes[int(number)]
        if kind != LEADER:
            kind = next(unit for unit in plan.unit_kinds(plan.area(area)) if (unit == DISC) == (kind == DISC))
        x_mm, y_mm = places.grid.mm([[x, y]])[0].tolist()
        pieces.append(Standing(faction, kind, area, (x_mm, y_mm), bool(level)))
        if is_hidden:
            hidden.add(area)
    rows_px, columns_px = places.labels.shape
    full = np.asarray(cv2.resize(cover, (columns_px, rows_px)), np.float32) / np.float32(255)
    shares = covered_shares(full, places)
    return pieces, frozenset(name for name, share in shares.items() if share < SOME_SHARE and name not in hidden)


def start_of(frame: Frame) -> tuple[tuple[str, str, str, int], ...]:
    """Return a frame's units as a plan's start, without areas that are covered or hold stacks."""
    stacked = {piece.area for piece in frame.pieces if piece.upper}
    return tuple(
        (area, faction, unit, count)
        for area, held in sorted(frame.units().items())
        if area in frame.clear - stacked
        for faction, kinds in held.items()
        for unit, count in kinds.items()
    )


def fit_logistic(rows: Sequence[tuple[Measures, bool]], lowering: Sequence[int] = ()) -> npt.NDArray[np.float64]:
    """Return the weights of a logistic regression with a small ridge, by Newton's method.

    lowering: measures that may only lower the odds; one that chance would have raise them weighs nothing.
    """
    x = np.array([features for features, _ in rows], np.float64)
    weights = _newton(x, rows)
    while any(raising := [index for index in lowering if weights[index] > 0]):
        x[:, raising] = 0
        weights = _newton(x, rows)
    return weights


def _newton(x: npt.NDArray[np.float64], rows: Sequence[tuple[Measures, bool]]) -> npt.NDArray[np.float64]:
    y = np.array([true for _, true in rows], np.float64)
    weights = np.zeros(x.shape[1])
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - p) - RIDGE * len(x) / 100 * weights
        bend = (x * (p * (1 - p))[:, None]).T @ x + (RIDGE * len(x) / 100 + 1e-6) * np.eye(x.shape[1])
        weights += np.linalg.solve(bend, slope)
    return weights


def main() -> None:
    """Fit and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", choices=list(GAMES))
    parser.add_argument("weights", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--second", action="store_true", help="fit the second eye's models alone")
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    which = list(GAMES).index(wanted.set)
    kinds = (DISC, *SETS[which].figures, LEADER)
    networks = (SECOND,) if wanted.second else (SECOND, SETS[which].network, VARIED)
    seen = {network: Seen(kinds) for network in networks}
    for path in sorted(path for folder in wanted.folders for path in folder.glob("*.npz")):
        if int(path.stem) // GAME_SEEDS % len(SETS) == which:
            for look in range(LOOKS_AT_STACKS if has_many_stacks(path) else LOOKS):
                for setting, frame in restyled_table(path, look, wanted.second):
                    seen[setting.known.network].add(setting, frame)
            print(path.stem, {network: len(samples.frames) for network, samples in seen.items()}, flush=True)
    for network, samples in seen.items():
        if len(samples.frames) < LEAST_FRAMES:
            print(f"{network}: too few frames, its models stay")
            continue
        weights = samples.models()
        (wanted.weights / network / SETS[which].scores).write_text(
            json.dumps(weights, indent=1) + "\n", encoding="utf-8"
        )
        print(network, weights)


if __name__ == "__main__":
    main()
