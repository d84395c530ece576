"""From what the network finds to pieces with probabilities: where they stand, as what, and how likely.

Where an area can hold one kind of unit the place tells it; commanders stand on action spaces. Places are masks of the
board image. Each find becomes a probability by a logistic model of what the network says of it, fitted on tables it was
not trained on (`training/fit_scores.py`, weights in `vision/weights`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import Grid, Mask
from vision.memory import once_for
from vision.onnx_model import weights_file
from vision.plan import BoardPlan
from vision.reading.colours import FURTHEST, USUAL_FAR
from vision.reading.network import STRIDE, Detection, Detections
from vision.reading.piece_sets import DISC, KINDS_OF_A_SIDE, LEADER, SHIPS, PieceSet

SPACE_SLACK_MM, SUPPORT_SLACK_MM = 4.0, 9.0
"""On the map, and on the support board, whose spaces are further apart but known from a finger's touch alone."""
Pixel = tuple[int, int]
Pixels = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Places:
    """Masks (H, W) bool of the board image: each area's, by name, and the labels: 0 for none, else index + 1.

    slack_mm: how far beside the middle of its action space a commander may stand.
    """

    plan: BoardPlan
    grid: Grid
    masks: dict[str, Mask]
    labels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
    slack_mm: float = SPACE_SLACK_MM

    def area_at(self, at_px: Pixel) -> str | None:
        """Return the name of the area in which a pixel of the board image lies; None where it lies in none."""
        x, y = at_px
        rows, columns = self.grid.shape
        if not (0 <= x < columns and 0 <= y < rows) or not self.labels[y, x]:
            return None
        return self.plan.areas[int(self.labels[y, x]) - 1].name

    def space_at(self, at_px: Pixel) -> str | None:
        """Return the action space nearest to a pixel of the board image; None where none is near enough."""
        at_mm = self.grid.mm([at_px])[0].tolist()
        gap, name = min(
            ((math.dist(space.at_mm, at_mm), space.name) for space in self.plan.spaces), default=(math.inf, "")
        )
        return name if gap <= self.slack_mm + 1 else None  # 1 mm more: peaks lie between the cells of `commander_mask`


def places_of(plan: BoardPlan, grid: Grid) -> Places:
    """Draw a mask of each area of the board on the grid, and label each pixel with its area."""
    labels = np.zeros(grid.shape, np.uint8)
    masks = {}
    for index, area in enumerate(plan.areas):
        mask = np.zeros(grid.shape, np.uint8)
        cv2.fillPoly(mask, [np.round(grid.px(area.polygon_mm)).astype(np.int32)], 1)
        labels[mask > 0] = index + 1
        masks[area.name] = mask > 0
    return Places(plan, grid, masks, labels)


def commander_mask(places: Places) -> Mask:
    """Return where a commander's base can be, (H, W) bool of the board image."""
    allowed = np.zeros(places.grid.shape, np.uint8)
    for space in places.plan.spaces:
        x, y = np.round(places.grid.px([space.at_mm])[0]).astype(int)
        cv2.circle(allowed, (int(x), int(y)), round(places.slack_mm * places.grid.px_per_mm), 1, -1)
    return allowed > 0


def mixed_areas(places: Places, rows: Pixels, columns: Pixels) -> Mask:
    """Return which pixels lie in areas for several kinds of units: bool at these rows and columns of the board."""
    plan = places.plan
    mixed = [index + 1 for index, area in enumerate(plan.areas) if len(plan.unit_kinds(area)) > 1]
    return np.asarray(np.isin(places.labels[np.ix_(rows, columns)], mixed), np.bool_)


# The least heat of a peak that is a candidate at all, and the chance below which a candidate is dropped.
SEEN = 0.06
LEAST_CHANCE = 0.003
# Two finds of unlike classes nearer than this are one piece: no two pieces' bases can be.
SAME_MM = 6.0
# How far beside an action space's middle commanders usually stand (standard deviation).
SPACE_MM = 2.0
# Pieces lie 7 mm apart at least; how fast crowding falls off beyond that.
TOUCHING_MM, CROWD_MM = 7.0, 4.0
# Chances are clipped to this far from 0 and 1: nothing is quite certain.
LEAST = 1e-4
# What the logistic models weigh. Their weights come from training/fit_scores.py and are fitted to these, in this order.
FEATURES = ("always", "heat", "rival", "mass", "space", "crowd", "thing", "colour", "unlike")
UNLIKE = FEATURES.index("unlike")
UPPER = ("always", "stacked", "heat", "again")
NOT_AGAIN = -3.0
"""What stands for the closer look (`vision/reading/stacks.py`) where there was none."""
MOST_STACKED = 2.0
"""So far the first look's log odds of a second disc count: the closer look has the last word."""
MOST_AGAIN = 4.0
"""So far the closer look's log odds count: what it has never seen makes it say anything."""
HARDLY_EVER, ROUNDS = (1.0, 10.0), 8
"""What is known beforehand of how often discs have another on them: as if so many had, and so many had not."""
NO_LIFTS: Mapping[str, float] = {}
Vector = npt.NDArray[np.float64]
Distances = Callable[[Vector], Mapping[str, Vector]]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece that may be there: place is its area, or a commander's action space; score is its probability.

    unlike: how far its colour is from its side's, in spreads (`palette`).
    """

    faction: str
    kind: str
    place: str
    at_mm: tuple[float, float]
    score: float
    unlike: float = 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A piece that may be there, with what was measured of it (`FEATURES`), and of another on top of it (`UPPER`)."""

    faction: str
    kind: str
    place: str
    at_mm: tuple[float, float]
    features: tuple[float, ...]
    upper: tuple[float, ...] | None

    @property
    def heat(self) -> float:
        """The network's log odds that a piece of its class stands there."""
        return self.features[FEATURES.index("heat")]

    @property
    def stacked(self) -> float:
        """The first look's log odds that a second disc stands on it; NOT_AGAIN for what is no disc."""
        return self.upper[UPPER.index("stacked")] if self.upper is not None else NOT_AGAIN

    def with_closer_look(self, log_odds: float) -> Candidate:
        """Return the candidate with the log odds of a second disc on it that a closer look found."""
        if self.upper is None:
            return self
        return replace(self, upper=(*self.upper[:-1], min(max(log_odds, -MOST_AGAIN), MOST_AGAIN)))


@cache
def packaged_weights(known: PieceSet = SHIPS) -> dict[str, tuple[float, ...]]:
    """Load the packaged logistic models of a set of pieces.

    They are weights by kind of piece, "upper" for a second disc, "area" for whole counts. "stacked" is no model, but
    how often discs had another on them where "upper" was fitted.
    """
    text = weights_file(known.network, known.scores).read_text(encoding="utf-8")
    return {kind: tuple(values) for kind, values in json.loads(text).items()}


def mask_by_place(finds: Detections, places: Places) -> Detections:
    """Move heat to the kinds that can stand there: commanders on action spaces, only the area's units elsewhere."""
    leaders, mixed = _where(places)
    heat = np.zeros_like(finds.heat)
    for troop in range(0, len(finds.classes), KINDS_OF_A_SIDE):
        disc, figure, leader = finds.heat[troop : troop + KINDS_OF_A_SIDE]
        unit = np.where(mixed, disc, np.maximum(disc, figure))
        heat[troop] = np.where(leaders, unit, np.maximum(unit, leader))
        heat[troop + 1] = np.where(mixed, figure, 0)
        heat[troop + 2] = np.where(leaders, leader, 0)
    return replace(finds, heat=heat)


@once_for
def _where(places: Places) -> tuple[Mask, Mask]:
    """Return two masks of cells (rows, columns): where commanders can stand, and where several kinds of units can."""
    rows, columns = (-(-side // STRIDE) for side in places.grid.shape)
    down = np.minimum(np.arange(rows) * STRIDE + STRIDE // 2, places.grid.shape[0] - 1)
    across = np.minimum(np.arange(columns) * STRIDE + STRIDE // 2, places.grid.shape[1] - 1)
    return commander_mask(places)[np.ix_(down, across)], mixed_areas(places, down, across)


def candidates(
    finds: Detections, places: Places, distances: Distances | None = None, tall: float = 0.0
) -> list[Candidate]:
    """Return all pieces that may be there, with what was measured of each.

    distances: from places (N, 2) in mm to how far the colours there are from each side's, {faction: (N,)}: `palette`;
    tall: the log odds by which single discs look more like stacks here than elsewhere.
    """
    seen = [(find, place) for find in mask_by_place(finds, places).peaks(SEEN) if (place := place_of(find, places))]
    if not seen:
        return []
    found = [find for find, _ in seen]
    crowds, on = _crowds(found), _on_spaces(found, places)
    colours = _colours(seen, distances)
    rows = zip(seen, crowds.tolist(), on.tolist(), colours, strict=True)
    return [
        _candidate(find, place, (near, crowd, log_odds(find.thing), *own), tall)
        for (find, place), crowd, near, own in rows
    ]


def _colours(
    seen: Sequence[tuple[Detection, tuple[str, str]]], distances: Distances | None
) -> list[tuple[float, float]]:
    """Return how much closer each find's colour is to its own side's than to another's, and how far from its own.

    Figures get neutral values: they are thin, and the board shows beside and through them.
    """
    if distances is None:
        return [(0.0, USUAL_FAR)] * len(seen)
    far = distances(np.array([find.at_mm for find, _ in seen]))
    rows = []
    for number, (find, (_, kind)) in enumerate(seen):
        if kind not in (DISC, LEADER):
            rows.append((0.0, USUAL_FAR))
            continue
        own = min(float(far[find.faction][number]), FURTHEST)
        other = min(float(away[number]) for faction, away in far.items() if faction != find.faction)
        rows.append(((min(other, FURTHEST) ** 2 - own**2) / 8, own))
    return rows


def place_of(find: Detection, places: Places) -> tuple[str, str] | None:
    """Return where a find stands and its kind: (action space or area, kind); None outside of all."""
    at = places.grid.pixel(find.at_mm)
    if find.kind == LEADER:
        space = places.space_at(at)
        return None if space is None else (space, LEADER)
    area = places.area_at(at)
    kinds = () if area is None else places.plan.unit_kinds(places.plan.area(area))
    return (area, _unit(find.kind, kinds)) if area is not None and kinds else None


def _unit(kind: str, units: Sequence[str]) -> str:
    """Return which of an area's kinds of units a disc or a figure is: the only one, else the disc or first figure."""
    alike = [unit for unit in units if (unit == DISC) == (kind == DISC)]
    return alike[0] if alike else units[0]


def _candidate(find: Detection, place: tuple[str, str], around: tuple[float, ...], tall: float) -> Candidate:
    where, kind = place
    heat = log_odds(find.heat)
    features = (1.0, heat, log_odds(find.rival), log_odds(find.mass), *around)
    upper = (1.0, min(log_odds(find.stacked) - tall, MOST_STACKED), heat, NOT_AGAIN) if kind == DISC else None
    return Candidate(find.faction, kind, where, find.at_mm, features, upper)


def _gaps_mm(points: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]]) -> Vector:
    """Return the distances between points, (N, M)."""
    apart = np.asarray(points, float).reshape(-1, 1, 2) - np.asarray(others, float).reshape(1, -1, 2)
    return np.asarray(np.hypot(apart[..., 0], apart[..., 1]))


def _crowds(seen: Sequence[Detection]) -> Vector:
    """Return how much each find is crowded by its own class, (N,): near 1 if a sure one is as near as pieces can be."""
    points = [find.at_mm for find in seen]
    near = np.exp(-np.maximum(_gaps_mm(points, points) - TOUCHING_MM, 0) / CROWD_MM) * np.array(
        [find.heat for find in seen]
    )
    same = _same([(find.faction, find.kind) for find in seen])
    np.fill_diagonal(same, False)
    return np.asarray(np.where(same, near, 0.0).max(axis=1))


def _same(classes: Sequence[tuple[str, str]]) -> npt.NDArray[np.bool_]:
    """Return which pairs are of one class, (N, N)."""
    order = {piece_class: number for number, piece_class in enumerate(dict.fromkeys(classes))}
    numbers = np.array([order[piece_class] for piece_class in classes])
    return np.asarray(numbers[:, None] == numbers[None, :])


def _on_spaces(seen: Sequence[Detection], places: Places) -> Vector:
    """Return 1 for a find in the middle of an action space, where commanders stand, less for one beside it, (N,)."""
    spaces = [space.at_mm for space in places.plan.spaces] or [(-99.0, -99.0)]
    near = _gaps_mm([find.at_mm for find in seen], spaces).min(axis=1)
    return np.asarray(np.exp(-0.5 * (near / SPACE_MM) ** 2))


# ---- how likely -------------------------------------------------------------------------------------


def log_odds(chance: float) -> float:
    """Return log(p / (1 - p)) of a probability, which is first clipped to LEAST and 1 - LEAST."""
    kept = min(max(chance, LEAST), 1 - LEAST)
    return math.log(kept / (1 - kept))


def logistic(odds: float) -> float:
    """Return the probability of log odds, which are clipped to where it is 0.000006 off 0 or 1."""
    return 1 / (1 + math.exp(-min(max(odds, -12.0), 12.0)))


def pieces_of(
    found: Sequence[Candidate], weights: Mapping[str, Sequence[float]], lifts: Mapping[str, float] = NO_LIFTS
) -> list[Piece]:
    """Turn the candidates into pieces with their probabilities; a disc that may carry another becomes two.

    lifts: what is added to the log odds of a faction's pieces on this table (`lifts_of`).
    """
    chances = [logistic(odds_of(candidate, weights) + lifts.get(candidate.faction, 0.0)) for candidate in found]
    uppers = _upper_chances(found, chances, weights)
    pieces: list[Piece] = []
    for candidate, score, upper in zip(found, chances, uppers, strict=True):
        if score >= LEAST_CHANCE:
            piece = Piece(
                candidate.faction, candidate.kind, candidate.place, candidate.at_mm, score, candidate.features[UNLIKE]
            )
            pieces.append(piece)
            if score * upper > LEAST_CHANCE:
                pieces.append(replace(piece, score=score * upper))
    return _share_one_place(pieces)


def odds_of(candidate: Candidate, weights: Mapping[str, Sequence[float]]) -> float:
    """Return the log odds that this candidate is a piece, before its side's lift (`lifts_of`) is added."""
    return _dot(weights[candidate.kind], candidate.features)


def _upper_chances(
    found: Sequence[Candidate], chances: Sequence[float], weights: Mapping[str, Sequence[float]]
) -> list[float]:
    """Return the probability that another piece stands on each; its base rate is learnt from all of this board's discs.

    Some people stack their troops, others never do: a model fitted on both says too little of the ones, too much of the
    others. Saerens et al., Adjusting the Outputs of a Classifier to New a Priori Probabilities, 2002; the rate is held
    by HARDLY_EVER, as a few discs say little.
    """
    odds = np.array(
        [-np.inf if candidate.upper is None else _dot(weights["upper"], candidate.upper) for candidate in found]
    )
    there = np.array(chances) * np.isfinite(odds)
    (usual,) = weights["stacked"]
    # The model's odds hold the rate that it was fitted on; without it they are a likelihood ratio.
    likely, rate = np.exp(np.clip(odds, -np.inf, 12)) * (1 - usual) / usual, usual
    for _ in range(ROUNDS):
        uppers = rate * likely / (rate * likely + 1 - rate)  # E step: each disc's chance; M step: how many that are
        rate = float((HARDLY_EVER[0] + there @ uppers) / (sum(HARDLY_EVER) + there.sum()))
    each: list[float] = (rate * likely / (rate * likely + 1 - rate)).tolist()
    return each


def _dot(weights: Sequence[float], features: Sequence[float]) -> float:
    return sum(weight * feature for weight, feature in zip(weights, features, strict=True))


def _share_one_place(pieces: Sequence[Piece]) -> list[Piece]:
    """Share the chances among pieces of two classes in one place, of which only one can be there."""
    if not pieces:
        return []
    points, scores = [piece.at_mm for piece in pieces], np.array([piece.score for piece in pieces])
    rivals = (_gaps_mm(points, points) < SAME_MM) & ~_same([(piece.faction, piece.kind) for piece in pieces])
    over = scores + np.where(rivals, scores[None, :], 0.0).max(axis=1)
    shared = np.where(over > 1, scores / np.maximum(over, 1e-9), scores)
    return [replace(piece, score=score) for piece, score in zip(pieces, shared.tolist(), strict=True)]
