"""What the photo of the start teaches: the plan says which pieces stand where, and so how well the eye sees them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.plan import BoardPlan
from vision.reading.colours import Palette
from vision.reading.count import CountBelief, beliefs, combo_of, units_of
from vision.reading.network import Detections, cells_of
from vision.reading.piece_sets import DISC, KINDS_OF_A_SIDE
from vision.reading.pieces import Candidate, Places, log_odds, mask_by_place, odds_of, pieces_of

# So much more heat of another side than of its own, in log odds, says that it is not the piece that the plan has there.
CONTRARY = 4.0

USUAL_ODDS, LIFTED = 4.0, 0.6
"""The log odds that pieces get on most tables, and the part of what is lacking that is made up for."""
# The least standard deviation of known pieces' odds.
SPREAD = 1.2
UNFOUND = -5.0
"""Stands for the log odds of a known piece that isn't even a candidate."""
USUAL_STACKED = -4.0
"""The log odds, by the first look, that another stands on a single disc: on most tables they are less."""
MOST_UNSEEN = 0.03
"""Where pieces of a side are overlooked more often than that, nobody can be sure of ground that looks like them."""
LEAST_CHANCE = 1e-3
"""What an area counts for at least in how well the start is explained."""


@dataclass(frozen=True, slots=True)
class StartPiece:
    """A piece of the starting position: whose, what, and where its base is on the board."""

    faction: str
    kind: str
    at_mm: tuple[float, float]


def start_pieces(finds: Detections, places: Places) -> list[StartPiece]:
    """Return the pieces of the starting position, each with where it was found in the picture of it.

    What is known of the start is stronger than what the network thinks of colours that it sees for the first time: in
    each area the likeliest things are its pieces, as many as stand there, unless they are clearly another side's.
    """
    shown = mask_by_place(finds, places)
    spots: dict[str, list[tuple[tuple[float, float], float]]] = {}
    for at_mm, heat in finds.things():
        area = places.area_at(places.grid.pixel(at_mm))
        if area is not None:
            spots.setdefault(area, []).append((at_mm, heat))
    found: list[StartPiece] = []
    for area, faction, unit, count in places.plan.start:
        here = [
            (score, at_mm)
            for at_mm, heat in spots.get(area, [])
            if (score := _fit(shown, at_mm, (faction, unit), heat)) is not None
        ]
        for _, at_mm in sorted(here, reverse=True)[:count]:
            found.append(StartPiece(faction, unit, at_mm))
            spots[area] = [spot for spot in spots[area] if spot[0] != at_mm]
    return found


def _fit(shown: Detections, at_mm: tuple[float, float], wanted: tuple[str, str], thing: float) -> float | None:
    """Return how well a thing there may be such a piece, in log odds; None if it is another side's."""
    row, column = np.round(cells_of([at_mm], shown.grid)[0]).astype(int)
    around = shown.heat[:, max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2].max(axis=(1, 2))
    side = [faction for faction, _ in shown.classes].index(wanted[0])
    mine = slice(side, side + KINDS_OF_A_SIDE)
    own, others = float(around[mine].max()), float(np.delete(around, np.r_[mine]).max())
    if log_odds(others) - log_odds(own) > CONTRARY:
        return None
    exact = around[side + (0 if wanted[1] == DISC else 1)] if around[side + 1] > 0 else own
    return log_odds(thing) + log_odds(float(exact))


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """What the photo of the start taught: each side's colours, and how well the eye sees its pieces on this table.

    lifts: what to add to the log odds of each side's pieces; misread: the areas of the start that are read wrongly even
    so; missed: the log odds of an area of the start being misread, a mean table's where there is no such photo; unseen:
    how likely a piece of each side is to be overlooked; tall: the log odds by which its discs, none of them stacked,
    look more like stacks than discs usually do; fit: the mean log probability of what stands in an area of the start.
    """

    palette: Palette | None = None
    lifts: Mapping[str, float] = field(default_factory=dict)
    missed: float = math.log(0.5 / 10.5)
    misread: frozenset[str] = frozenset()
    unseen: Mapping[str, float] = field(default_factory=dict)
    tall: float = 0.0
    fit: float = -math.inf

    @property
    def faint(self) -> tuple[str, ...]:
        """The sides that stand out too little: ground that looks like their pieces may hold one."""
        return tuple(faction for faction, chance in self.unseen.items() if chance > MOST_UNSEEN)


NO_START = Start()


def tallness(found: Sequence[Candidate], plan: BoardPlan) -> float:
    """Return by how many log odds the discs of the start look more like stacks than single discs usually do; never < 0.

    Tall pieces seen from the side look like two flat ones elsewhere; but at the start nothing is stacked.
    """
    shown = {(area, faction) for area, faction, unit, _ in plan.start if unit == DISC}
    looks = [
        candidate.stacked
        for candidate in found
        if (candidate.place, candidate.faction) in shown and candidate.kind == DISC and candidate.heat > 0
    ]
    return max(0.0, float(np.median(looks)) - USUAL_STACKED) if looks else 0.0


def learn_from_start(
    found: Sequence[Candidate], plan: BoardPlan, weights: Mapping[str, Sequence[float]], told: Start
) -> Start:
    """Return `told` with how well the eye sees pieces on this table: at the start all of them are known.

    found: what the eye finds in the photo of the start; weights: the logistic models.
    """
    left = {(area, faction, unit): count for area, faction, unit, count in plan.start}
    rows: list[tuple[str, float, bool]] = []
    for odds, candidate in sorted(
        ((odds_of(candidate, weights), candidate) for candidate in found), key=lambda row: -row[0]
    ):
        key = candidate.place, candidate.faction, candidate.kind
        rows.append((candidate.faction, odds, left.get(key, 0) > 0))
        left[key] = left.get(key, 0) - 1
    lifts = lifts_of(rows)
    counts = beliefs(pieces_of(found, weights, lifts), plan)
    seen = units_of(counts)
    known = plan.start_units()
    wrong = frozenset(area for area, units in known.items() if seen.get(area, {}) != units)
    missed = math.log((len(wrong) + 0.5) / (len(known) - len(wrong) + 0.5))
    unseen = {}
    for faction in plan.factions:
        odds_there = [odds for who, odds, is_there in rows if is_there and who == faction]
        odds_there += [UNFOUND] * sum(count for (_, who, _), count in left.items() if who == faction and count > 0)
        if odds_there:
            unseen[faction] = unseen_chance(odds_there, lifts.get(faction, 0.0))
    fit = float(np.mean([_log_chance(count, known.get(area, {})) for area, count in counts.items()]))
    return replace(told, lifts=lifts, missed=missed, misread=wrong, unseen=unseen, fit=fit)


def _log_chance(count: CountBelief, units: Mapping[str, Mapping[str, int]]) -> float:
    """Return the log probability that an area holds {faction: {unit: n}}."""
    return math.log(max(dict(count.options).get(combo_of(units), 0.0), LEAST_CHANCE))


def lifts_of(rows: Sequence[tuple[str, float, bool]]) -> dict[str, float]:
    """Return what to add to the log odds of each faction's pieces, from rows (faction, log odds, is it there).

    What most of its pieces lack of the usual odds, in part: a few that are hidden say nothing about the others, so the
    median decides. And no more than the start bears: nothing may be found where nothing stands.
    """
    lifts: dict[str, float] = {}
    for faction in dict.fromkeys(faction for faction, _, _ in rows):
        there = [odds for who, odds, is_there in rows if who == faction and is_there]
        other = [odds for who, odds, is_there in rows if who == faction and not is_there]
        lacking = LIFTED * max(0.0, USUAL_ODDS - float(np.median(there))) if there else 0.0
        lifts[faction] = max(0.0, min(lacking, -max(other, default=-math.inf)))
    return lifts


def unseen_chance(known: Sequence[float], lift: float) -> float:
    """Return how likely a piece is to be overlooked, from the log odds of its side's known pieces, and their lift.

    Even the known ones that were all found tell it: where their log odds scatter close to those at which a piece is
    taken for none, some will fall below. A normal distribution, by the median and the median deviation, as one that
    others hide says nothing; with no less spread than SPREAD.
    """
    middle = float(np.median(known))
    spread = max(1.48 * float(np.median(np.abs(np.array(known) - middle))), SPREAD)
    return 0.5 * math.erfc((middle + lift) / (spread * math.sqrt(2)))
