"""A piece finder that lets the network propose and the fit of shapes confirm.

Candidates come from both: what the shapes explain, begun from where the network saw pieces, and what the network saw
besides. Each is given a probability by a logistic model of both opinions, fitted on simulated tables
(`training/fit_scores.py`, weights in `vision/weights/scores.json`). Where both agree it is near 0 or 1; where
they don't, it says so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import resources

import numpy as np
import numpy.typing as npt

from vision.cover import cover_of
from vision.evidence import Evidence, evidence_of
from vision.geometry import Picture
from vision.network import CLASSES, Find, Finds
from vision.pieces import Found, Piece, Setting, risen, support, uncovered
from vision.pieces_network import NetworkFinder, cover_of_finds, place_of, placed
from vision.scene import Placed, Scene
from vision.search import Site, explain, settled
from vision.shapes import troop

SEEN = 0.12
SURE = 0.3
SAME_MM = 5.0
SPACE_MM = 2.0
LOOK_CELLS = 2
ROUNDS = 1
LEAST_CHANCE = 0.003
FEATURES = ("always", "heat", "share", "own", "fitted", "rival", "agreed", "space", "duel")
FITTED = FEATURES.index("fitted")

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A piece that may be there: as placed, with what was measured of it (`FEATURES`), and of another on top of it."""

    piece: Placed
    features: tuple[float, ...]
    upper: tuple[float, float] | None


class Scores:
    """The logistic models that turn what was measured into probabilities, read from the package when first used."""

    def __init__(self, weights: dict[str, list[float]] | None = None) -> None:
        self._given = weights

    @cached_property
    def weights(self) -> dict[str, Vector]:
        """Weights by kind of piece, and "upper" for a second disc."""
        given = self._given
        if given is None:
            text = resources.files("vision").joinpath("weights", "scores.json").read_text(encoding="utf-8")
            given = json.loads(text)
        return {kind: np.asarray(values, np.float64) for kind, values in given.items()}

    def pieces(self, candidate: Candidate, setting: Setting) -> list[Piece]:
        """The candidate as a piece with its probability; with another on top of it where that may be."""
        placed_piece = candidate.piece
        kind = placed_piece.shape.unit
        score = _logistic(float(self.weights[kind] @ np.asarray(candidate.features)))
        x, y = setting.grid.mm([placed_piece.at_px])[0]
        one = Piece(placed_piece.faction, kind, 1, placed_piece.place, (float(x), float(y)), score)
        if score < LEAST_CHANCE:
            return []
        if candidate.upper is None:
            return [one]
        stacked, rise = candidate.upper
        upper = score * _logistic(float(self.weights["upper"] @ np.array([1.0, stacked, rise])))
        return [one, replace(one, score=upper)] if upper > LEAST_CHANCE else [one]


@dataclass(slots=True, eq=False)
class BothFinder:
    """Finds pieces by the network and by the fit of shapes."""

    network: NetworkFinder = field(default_factory=NetworkFinder)
    scores: Scores = field(default_factory=Scores)

    def find(self, board_bgr: Picture, setting: Setting) -> Found:
        """See `PieceFinder`."""
        evidence = evidence_of(board_bgr, setting.printed)
        finds = self.network.finds(board_bgr, setting)
        covers = cover_of(evidence, setting.places, setting.looks), cover_of_finds(finds, setting.places)
        votes = {faction: uncovered(vote, covers[0] | covers[1]) for faction, vote in evidence.votes.items()}
        found = candidates(replace(evidence, votes=votes), placed(finds, setting.places), setting)
        pieces = [piece for one in found for piece in self.scores.pieces(one, setting)]
        return Found(tuple(_exclusive(pieces)), np.asarray(np.mean(covers, axis=0), np.float32))


def _exclusive(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, with chances shared among those that cannot both be there: a commander and a troop in one place."""
    kept = []
    for piece in pieces:
        rivals = [other.score for other in pieces if other.kind != piece.kind and _overlap(piece, other)]
        most = max(rivals, default=0.0)
        over = piece.score + most
        kept.append(replace(piece, score=piece.score / over) if over > 1 else piece)
    return kept


def _overlap(one: Piece, other: Piece) -> bool:
    return float(np.hypot(one.at_mm[0] - other.at_mm[0], one.at_mm[1] - other.at_mm[1])) < SAME_MM


def candidates(evidence: Evidence, finds: Finds, setting: Setting) -> list[Candidate]:
    """All pieces that the shapes explain or the network saw, with what both say of them."""
    scene = Scene(evidence.votes, setting.stamps)
    seen = _placed(finds, setting)
    _begin(scene, [piece for score, piece in seen if score >= SURE], setting)
    explain(scene, setting.sites, ROUNDS)
    fitted = [_candidate(scene, piece, finds, setting, fitted=True) for piece in list(scene.pieces)]
    beside = [piece for _, piece in seen if not any(_same(piece, other) for other in scene.pieces)]
    found = fitted + [_tried(scene, piece, finds, setting) for piece in beside]
    return found + [_tried(scene, piece, finds, setting) for piece in _otherwise(found, setting)]


def _otherwise(found: Sequence[Candidate], setting: Setting) -> list[Placed]:
    """The fitted pieces that might be of another kind, as that kind: by an action space stands a commander, or not."""
    others = []
    for one in found:
        for site in setting.sites:
            x, y = one.piece.at_px
            if one.features[FITTED] and site.shape.unit != one.piece.shape.unit and site.allowed[y, x]:
                other = replace(one.piece, shape=site.shape, turn=site.shape.turns[0])
                other = replace(other, place=site.place_at(other.at_px) or "")
                if other.place and not any(_same(other, known.piece) for known in found):
                    others.append(other)
    return others


def _placed(finds: Finds, setting: Setting) -> list[tuple[float, Placed]]:
    """The network's finds as placed pieces, the surest first."""
    shapes = {site.shape.unit: site.shape for site in setting.sites}
    found = []
    for find in finds.peaks(SEEN):
        where = place_of(find, setting.places)
        if where is not None:
            shape = shapes[where[1]]
            found.append((find.score, Placed(shape, find.faction, _px(find, setting), shape.turns[0], where[0])))
    return found


def _px(find: Find, setting: Setting) -> tuple[int, int]:
    x, y = np.round(setting.grid.px([find.at_mm])[0]).astype(int)
    return int(x), int(y)


def _begin(scene: Scene, pieces: Sequence[Placed], setting: Setting) -> None:
    """Put the network's pieces into the scene, each shifted and turned to where the votes want it."""
    for piece in pieces:
        site = _site(piece, setting)
        turns = piece.shape.turns[:: 2 if len(piece.shape.turns) > 4 else 1]
        tried = [settled(scene, replace(piece, turn=turn), site) for turn in turns]
        gain, better = max(tried, key=lambda pair: pair[0])
        if gain > 0 and better.place:
            scene.add(better)


def _site(piece: Placed, setting: Setting) -> Site:
    return next(site for site in setting.sites if site.shape is piece.shape)


def _same(one: Placed, other: Placed) -> bool:
    near = float(np.hypot(*np.subtract(one.at_px, other.at_px)))
    return one.faction == other.faction and one.shape.unit == other.shape.unit and near < SAME_MM * 2


def _duel(scene: Scene, piece: Placed, setting: Setting) -> float:
    """By how much a placed piece explains more than one of another kind would in its place, as a share of itself."""
    scene.remove(piece)
    own, best = scene.gain(piece), -np.inf
    for site in setting.sites:
        x, y = piece.at_px
        if site.shape.unit != piece.shape.unit and site.allowed[y, x]:
            gain, _ = settled(scene, replace(piece, shape=site.shape, turn=site.shape.turns[0]), site)
            best = max(best, gain)
    scene.add(piece)
    return float(np.clip((own - best) / max(own, best, 1.0), -1, 1)) if np.isfinite(own + best) else 0.0


def _tried(scene: Scene, piece: Placed, finds: Finds, setting: Setting) -> Candidate:
    """What the fit says of a piece it did not take, with what stands in its way removed."""
    blocked = scene.clashing(piece)
    for other in blocked:
        scene.remove(other)
    gain, better = settled(scene, piece, _site(piece, setting))
    chosen = better if np.isfinite(gain) and better.place else piece
    scene.add(chosen)
    found = _candidate(scene, chosen, finds, setting, fitted=False)
    scene.remove(chosen)
    for other in blocked:
        scene.add(other)
    return found


def _candidate(scene: Scene, piece: Placed, finds: Finds, setting: Setting, *, fitted: bool) -> Candidate:
    founded = support(scene, setting.printed, piece)
    heat, rival, stacked = heats(finds, piece, setting)
    share = float(np.clip(founded.share, -0.5, 1.3))
    agreed, space, duel = heat * max(share, 0.0), _on_space(piece, setting), _duel(scene, piece, setting)
    features = (1.0, heat, share, founded.own, float(fitted), rival, agreed, space, duel)
    upper = None
    if piece.shape.unit == "troop":
        rise = risen(scene, piece, troop(setting.looks, 2))
        single, spread = setting.looks.of(piece.faction).single_rise
        upper = (stacked, 0.0 if rise is None else float(np.clip((rise - single) / spread, -3, 6)))
    return Candidate(piece, features, upper)


def _on_space(piece: Placed, setting: Setting) -> float:
    """1 in the middle of an action space, less beside it: commanders stand there, others anywhere."""
    at = setting.grid.mm([piece.at_px])[0]
    near = min((float(np.hypot(*np.subtract(space.at_mm, at))) for space in setting.places.plan.spaces), default=99.0)
    return float(np.exp(-0.5 * (near / SPACE_MM) ** 2))


def heats(finds: Finds, piece: Placed, setting: Setting) -> tuple[float, float, float]:
    """The network's opinion about a piece: its own kind's heat near its base, the rivals', and a second disc on top."""
    row, column = np.round(finds.cells(setting.grid.mm([piece.at_px]))[0]).astype(int)
    rows = slice(max(int(row) - LOOK_CELLS, 0), int(row) + LOOK_CELLS + 1)
    columns = slice(max(int(column) - LOOK_CELLS, 0), int(column) + LOOK_CELLS + 1)
    near = finds.heat[:, rows, columns].reshape(len(CLASSES), -1).max(axis=1, initial=0.0)
    kind = "commander" if piece.shape.unit == "commander" else "troop"
    own = CLASSES.index((piece.faction, kind))
    rival = max(float(heat) for index, heat in enumerate(near) if index != own)
    stacked = finds.stacked[rows, columns]
    return float(near[own]), rival, float(stacked.max()) if stacked.size else 0.0


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -12, 12))))
