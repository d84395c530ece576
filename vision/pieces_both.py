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

SEEN = 0.12
SURE = 0.3
SAME_MM = 5.0
SPACE_MM = 2.0
LOOK_CELLS = 1
PAIR_PX = 16.0
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
    fitted = list(scene.pieces)
    pairs, weighing = paired(fitted, [piece for _, piece in seen]), Weighing(scene, finds, setting)
    heats = [seen[pairs[index]][0] if index in pairs else None for index in range(len(fitted))]
    found = [weighing.candidate(piece, heat, fitted=True) for piece, heat in zip(fitted, heats, strict=True)]
    beside = [one for index, one in enumerate(seen) if index not in set(pairs.values())]
    found += [weighing.tried(piece, heat) for heat, piece in beside]
    return found + [weighing.tried(piece, None) for piece in _otherwise(found, setting)]


def paired(pieces: Sequence[Placed], finds: Sequence[Placed]) -> dict[int, int]:
    """Which find is which piece: indices of finds by indices of pieces, each used once, the nearest pairs first."""
    near = [
        (float(np.hypot(*np.subtract(piece.at_px, find.at_px))), index, other)
        for index, piece in enumerate(pieces)
        for other, find in enumerate(finds)
        if piece.faction == find.faction and piece.shape.unit == find.shape.unit
    ]
    pairs: dict[int, int] = {}
    for distance, index, other in sorted(near):
        if distance < PAIR_PX and index not in pairs and other not in pairs.values():
            pairs[index] = other
    return pairs


def _otherwise(found: Sequence[Candidate], setting: Setting) -> list[Placed]:
    """The fitted pieces that might be of another kind, as that: by an action space stands a commander, or not."""
    others = []
    for one in found:
        for site in setting.sites:
            x, y = one.piece.at_px
            if one.features[FITTED] and site.shape.unit != one.piece.shape.unit and site.allowed[y, x]:
                other = replace(one.piece, shape=site.shape, turn=site.shape.turns[0])
                other = replace(other, place=site.place_at(other.at_px) or "")
                if other.place and not paired([other], [known.piece for known in found]):
                    others.append(other)
    return others


def _placed(finds: Finds, setting: Setting) -> list[tuple[float, Placed]]:
    """The network's finds as placed pieces, the surest first."""
    shapes = {site.shape.unit: site.shape for site in setting.sites}
    found = []
    for find in finds.peaks(SEEN):
        where = place_of(find, setting.places)
        if where is not None and where[1] in shapes:
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


@dataclass(frozen=True, slots=True)
class Weighing:
    """Measures candidates against a scene of fitted pieces and the network's finds."""

    scene: Scene
    finds: Finds
    setting: Setting

    def candidate(self, piece: Placed, heat: float | None, *, fitted: bool) -> Candidate:
        """A piece that stands in the scene; heat is the score of the network's find that it is, if any."""
        founded = support(self.scene, self.setting.printed, piece)
        own, rival, stacked = self._heats(piece)
        heat = own if heat is None else heat
        share = float(np.clip(founded.share, -0.5, 1.3))
        agreed, space, duel = heat * max(share, 0.0), self._on_space(piece), self._duel(piece)
        features = (1.0, heat, share, founded.own, float(fitted), rival, agreed, space, duel)
        return Candidate(piece, features, self._upper(piece, stacked))

    def tried(self, piece: Placed, heat: float | None) -> Candidate:
        """A piece that the fit did not take, measured with what stands in its way removed."""
        scene, blocked = self.scene, self.scene.clashing(piece)
        for other in blocked:
            scene.remove(other)
        gain, better = settled(scene, piece, _site(piece, self.setting))
        chosen = better if np.isfinite(gain) and better.place else piece
        scene.add(chosen)
        found = self.candidate(chosen, heat, fitted=False)
        scene.remove(chosen)
        for other in blocked:
            scene.add(other)
        return found

    def _upper(self, piece: Placed, stacked: float) -> tuple[float, float] | None:
        """What the network and the pixels say of a second disc on this one; None for what is no disc."""
        if piece.shape.unit != "troop":
            return None
        rise = risen(self.scene, piece, self.setting.double)
        single, spread = self.setting.looks.of(piece.faction).single_rise
        return stacked, 0.0 if rise is None else float(np.clip((rise - single) / spread, -3, 6))

    def _duel(self, piece: Placed) -> float:
        """By how much the piece explains more than one of another kind would in its place, as a share of itself."""
        scene, (x, y) = self.scene, piece.at_px
        scene.remove(piece)
        own, best = scene.gain(piece), -np.inf
        for site in self.setting.sites:
            if site.shape.unit != piece.shape.unit and site.allowed[y, x]:
                gain, _ = settled(scene, replace(piece, shape=site.shape, turn=site.shape.turns[0]), site)
                best = max(best, gain)
        scene.add(piece)
        return float(np.clip((own - best) / max(own, best, 1.0), -1, 1)) if np.isfinite(own + best) else 0.0

    def _on_space(self, piece: Placed) -> float:
        """1 in the middle of an action space, less beside it: commanders stand there, others anywhere."""
        at = self.setting.grid.mm([piece.at_px])[0]
        spaces = self.setting.places.plan.spaces
        near = min((float(np.hypot(*np.subtract(space.at_mm, at))) for space in spaces), default=99.0)
        return float(np.exp(-0.5 * (near / SPACE_MM) ** 2))

    def _heats(self, piece: Placed) -> tuple[float, float, float]:
        """The network's opinion of a place: the heat of the piece's own kind, of its rivals, and of a second disc."""
        row, column = np.round(self.finds.cells(self.setting.grid.mm([piece.at_px]))[0]).astype(int)
        rows = slice(max(int(row) - LOOK_CELLS, 0), int(row) + LOOK_CELLS + 1)
        columns = slice(max(int(column) - LOOK_CELLS, 0), int(column) + LOOK_CELLS + 1)
        near = self.finds.heat[:, rows, columns].reshape(len(CLASSES), -1).max(axis=1, initial=0.0)
        kind = "commander" if piece.shape.unit == "commander" else "troop"
        own = CLASSES.index((piece.faction, kind))
        rival = max(float(heat) for index, heat in enumerate(near) if index != own)
        stacked = float(self.finds.stacked[rows, columns].max(initial=0.0))
        return self._heat_at(own, int(row), int(column)), rival, stacked

    def _heat_at(self, which: int, row: int, column: int) -> float:
        layer = self.finds.heat[which]
        return float(layer[min(max(row, 0), layer.shape[0] - 1), min(max(column, 0), layer.shape[1] - 1)])


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -12, 12))))
