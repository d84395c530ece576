"""The search for the guess that explains the votes best: propose where a shape fits, shift it, swap it, drop it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from vision.geometry import Floats, Mask
from vision.scene import Placed, Scene, Window
from vision.shapes import Shape

TILE_PX = 96
RING = 1.0
REACH_PX = 4
LEAST_MM2 = 18.0
LEAST_SHARE = 0.2
ROUNDS = 6
APART_PX = 6
HOPELESS = 0.5
BOX_PX = 21
PUSHES = 6
PUSH_SHARE = 0.7
NEAR_PX = 60
FULL_VOTE = 4.0

Pixel = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Site:
    """Where a shape may stand: (H, W) bool of the board image for its base's middle; the place's name at a pixel."""

    shape: Shape
    allowed: Mask
    place_at: Callable[[Pixel], str | None]

    @cached_property
    def windows(self) -> list[Window]:
        """Windows that hold all allowed pixels."""
        return tiles_of(self.allowed)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A place where a shape fits: what it would explain there, its border weighed in."""

    fit: float
    piece: Placed


def tiles_of(allowed: Mask) -> list[Window]:
    """Windows of at most TILE_PX that hold all allowed pixels."""
    ys, xs = np.nonzero(allowed)
    if not len(ys):
        return []
    tops, lefts = range(int(ys.min()), int(ys.max()) + 1, TILE_PX), range(int(xs.min()), int(xs.max()) + 1, TILE_PX)
    windows = [(slice(t, t + TILE_PX), slice(left, left + TILE_PX)) for t in tops for left in lefts]
    return [window for window in windows if allowed[window].any()]


def correlated(image: Floats, kernel: Floats, window: Window) -> Floats:
    """(h, w): the kernel's sum of products with the image about each pixel of a window, nothing outside the image."""
    reach = kernel.shape[0] // 2
    rows, columns = window
    top, left = rows.start - reach, columns.start - reach
    y0, x0 = max(top, 0), max(left, 0)
    patch = image[y0 : rows.stop + reach, x0 : columns.stop + reach]
    fit = cv2.filter2D(patch, cv2.CV_32F, kernel, borderType=cv2.BORDER_CONSTANT)
    height, width = image[window].shape[:2]
    return np.asarray(fit[rows.start - y0 :, columns.start - x0 :][:height, :width], np.float32)


def least_gain(shape: Shape, px_per_mm: float) -> float:
    """The least a piece must explain, as a sum of votes."""
    return max(LEAST_MM2, LEAST_SHARE * shape.surface_mm2) * px_per_mm**2 * FULL_VOTE


def proposals(scene: Scene, sites: Iterable[Site]) -> list[Proposal]:
    """Every place where a shape fits the votes not yet explained, best first."""
    half = {faction: _halved(scene.residual(faction)) for faction in scene.votes}
    most = {faction: _most(votes) for faction, votes in half.items()}
    found: list[Proposal] = []
    for site in sites:
        least = 0.8 * least_gain(site.shape, scene.stamps.grid.px_per_mm)
        for window in site.windows:
            for faction, votes in half.items():
                narrow = _narrowed(site.allowed, window, most[faction] > least)
                if narrow is not None:
                    found += _proposed(scene, site, narrow, (faction, votes))
    return _apart(sorted(found, key=lambda proposal: -proposal.fit))


def _apart(found: Sequence[Proposal]) -> list[Proposal]:
    """The proposals without those beside a better one of the same kind, which differ in turn or by a pixel only."""
    kept: list[Proposal] = []
    taken: dict[tuple[str, str, int, int], bool] = {}
    for proposal in found:
        piece = proposal.piece
        column, row = piece.at_px[0] // APART_PX, piece.at_px[1] // APART_PX
        cells = [(piece.shape.kind, piece.faction, column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        if not any(cell in taken for cell in cells):
            taken[cells[4]] = True
            kept.append(proposal)
    return kept


def _narrowed(allowed: Mask, window: Window, worth: Mask) -> Window | None:
    """The part of a window that holds all allowed pixels worth a look (known for the halved picture); None for none."""
    small = worth[window[0].start // 2 : window[0].stop // 2, window[1].start // 2 : window[1].stop // 2]
    both = allowed[window][::2, ::2][: small.shape[0], : small.shape[1]] & small
    rows, columns = np.flatnonzero(both.any(axis=1)), np.flatnonzero(both.any(axis=0))
    if not len(rows):
        return None
    top, left = window[0].start + 2 * int(rows[0]), window[1].start + 2 * int(columns[0])
    bottom, right = window[0].start + 2 * int(rows[-1]) + 2, window[1].start + 2 * int(columns[-1]) + 2
    return slice(top, bottom), slice(left, right)


def _most(votes: Floats) -> Floats:
    """(h, w) the most that any piece about each pixel of the halved votes could explain."""
    return np.asarray(
        4 * cv2.boxFilter(np.maximum(votes, 0), cv2.CV_32F, (BOX_PX, BOX_PX), normalize=False), np.float32
    )


def _halved(image: Floats) -> Floats:
    return np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


def _proposed(scene: Scene, site: Site, window: Window, what: tuple[str, Floats]) -> list[Proposal]:
    faction, votes = what
    small = (slice(window[0].start // 2, window[0].stop // 2), slice(window[1].start // 2, window[1].stop // 2))
    seen = votes[small]
    least = 0.5 * least_gain(site.shape, scene.stamps.grid.px_per_mm)
    allowed = site.allowed[window][::2, ::2][: seen.shape[0], : seen.shape[1]]
    middle = ((window[1].start + window[1].stop) // 2, (window[0].start + window[0].stop) // 2)
    found = []
    for turn in _few(site.shape.turns):
        kernel = scene.stamps.half_kernel(site.shape, turn, middle, RING)
        heat = 4 * correlated(votes, kernel, small)
        for value, y, x in _peaks(heat, allowed, least):
            at = (window[1].start + 2 * x, window[0].start + 2 * y)
            found.append(Proposal(value, Placed(site.shape, faction, at, turn)))
    return found


def _few(turns: tuple[float, ...]) -> tuple[float, ...]:
    """Enough of a shape's turns to notice it; settling finds the best of those between."""
    return turns[::2] if len(turns) > 4 else turns[:1]


def _peaks(heat: Floats, allowed: Mask, least: float) -> list[tuple[float, int, int]]:
    """(value, row, column) of the local maxima in allowed places above `least`."""
    masked = np.where(allowed, heat, -np.inf).astype(np.float32)
    peak = masked >= cv2.dilate(masked, np.ones((5, 5), np.uint8))
    ys, xs = np.nonzero(peak & (masked > least))
    return [(float(masked[y, x]), int(y), int(x)) for y, x in zip(ys, xs, strict=True)]


def settled(scene: Scene, piece: Placed, site: Site) -> tuple[float, Placed]:
    """The piece moved (and turned) to where it gains most nearby, with its place named; its gain, or -inf."""
    best, chosen = -np.inf, piece
    turn, turns = piece.turn, _turns_near(piece)
    for _ in range(3):
        for tried in turns:
            gain, at = _best_near(scene, replace(piece, turn=tried), site)
            if gain > best + 1e-3:
                best, chosen, turn = gain, replace(piece, turn=tried, at_px=at), tried
        if chosen.at_px == piece.at_px:
            break
        piece, turns = chosen, (turn,)
    return best, replace(chosen, place=site.place_at(chosen.at_px) or "")


def _turns_near(piece: Placed) -> tuple[float, ...]:
    turns = piece.shape.turns
    if len(turns) < 4:
        return turns
    index = turns.index(piece.turn)
    return tuple(turns[(index + step) % len(turns)] for step in (0, 1, -1))


def _best_near(scene: Scene, piece: Placed, site: Site) -> tuple[float, Pixel]:
    """The best gain of a piece within REACH_PX of where it stands, and where."""
    x, y = piece.at_px
    window = (slice(max(y - REACH_PX, 0), y + REACH_PX + 1), slice(max(x - REACH_PX, 0), x + REACH_PX + 1))
    may = site.allowed[window].copy()
    _forbid(scene, piece, window, may)
    if may.shape != (2 * REACH_PX + 1, 2 * REACH_PX + 1) or not may.any():
        return -np.inf, piece.at_px
    fit = np.where(may, gains_near(scene, piece, REACH_PX), -np.inf)
    row, column = np.unravel_index(int(np.argmax(fit)), fit.shape)
    return float(fit[row, column]), (window[1].start + int(column), window[0].start + int(row))


def gains_near(scene: Scene, piece: Placed, reach: int) -> Floats:
    """(2r+1, 2r+1) what a piece would gain at each pixel up to `reach` from where it is, wherever others stand."""
    stamp = scene.stamps.stamp(piece.shape, piece.turn, piece.at_px)
    height, width = stamp.mask.shape
    top, left = piece.at_px[1] + stamp.top - reach, piece.at_px[0] + stamp.left - reach
    bottom, right = top + height + 2 * reach, left + width + 2 * reach
    rows, columns = scene.shape
    window = (slice(max(top, 0), min(bottom, rows)), slice(max(left, 0), min(right, columns)))
    votes = scene.new_votes(piece.faction, window)
    outside = (max(-top, 0), max(bottom - rows, 0)), (max(-left, 0), max(right - columns, 0))
    if any(map(any, outside)):
        votes = np.asarray(np.pad(votes, outside), np.float32)
    return np.asarray(cv2.matchTemplate(votes, stamp.solid, cv2.TM_CCORR), np.float32)


def _forbid(scene: Scene, piece: Placed, window: Window, may: Mask) -> None:
    """Take out of `may` where the piece would stand in another."""
    for other in scene.around(piece, REACH_PX):
        near = scene.apart_px(piece.shape, other.shape)
        xs = np.arange(window[1].start, window[1].start + may.shape[1]) - other.at_px[0]
        ys = np.arange(window[0].start, window[0].start + may.shape[0]) - other.at_px[1]
        may &= (ys * ys)[:, None] + (xs * xs)[None, :] >= near * near


def grow(scene: Scene, sites: Sequence[Site]) -> int:
    """Place proposals, best first, as long as they gain enough; how many were placed."""
    by_kind = {site.shape.kind: site for site in sites}
    placed: list[Placed] = []
    for proposal in proposals(scene, sites):
        piece = proposal.piece
        if any(_near(scene, piece, other) for other in placed) or not scene.free(piece):
            continue
        if scene.gain(piece) < HOPELESS * least_gain(piece.shape, scene.stamps.grid.px_per_mm):
            continue
        gain, better = settled(scene, piece, by_kind[piece.shape.kind])
        if gain >= least_gain(piece.shape, scene.stamps.grid.px_per_mm) and better.place:
            scene.add(better)
            placed.append(better)
    return len(placed)


def _near(scene: Scene, piece: Placed, other: Placed) -> bool:
    """Whether the other's placing changed what this one would explain, so that it is better proposed anew."""
    near = 1.2 * scene.apart_px(piece.shape, other.shape)
    return float(np.hypot(*np.subtract(piece.at_px, other.at_px))) < near


def polish(scene: Scene, sites: Sequence[Site]) -> None:
    """Settle every piece again with the others in place, as another kind too; drop what explains too little."""
    for piece in list(scene.pieces):
        scene.remove(piece)
        best, chosen = 0.0, None
        for site in sites:
            x, y = piece.at_px
            window = (slice(y - REACH_PX, y + REACH_PX + 1), slice(x - REACH_PX, x + REACH_PX + 1))
            if not site.allowed[window].any():
                continue
            turn = piece.turn if site.shape is piece.shape else site.shape.turns[0]
            gain, better = settled(scene, replace(piece, shape=site.shape, turn=turn), site)
            worth = gain - least_gain(piece.shape, scene.stamps.grid.px_per_mm)
            if worth > best and better.place:
                best, chosen = worth, better
        if chosen is not None:
            scene.add(chosen)


def push(scene: Scene, sites: Sequence[Site]) -> int:
    """Where something is left to explain but no room to stand, put a piece there and let its neighbours give way.

    Kept only where the whole is explained better; how many were kept.
    """
    by_kind = {site.shape.kind: site for site in sites}
    kept = 0
    for proposal in proposals(scene, sites)[:PUSHES]:
        piece = proposal.piece
        least = least_gain(piece.shape, scene.stamps.grid.px_per_mm)
        seen = scene.seen(piece)
        if seen is None or not scene.clashing(piece):
            continue
        if float(scene.new_votes(piece.faction, seen[1])[seen[0].mask > 0].sum()) > PUSH_SHARE * least:
            kept += _pushed(scene, by_kind, piece)
    return kept


def _pushed(scene: Scene, by_kind: dict[str, Site], piece: Placed) -> bool:
    before, worth = list(scene.pieces), scene.worth() - _cost(scene)
    moved = scene.clashing(piece)
    for other in moved:
        scene.remove(other)
    for tried in (piece, *(_away(scene, other, piece) for other in moved)):
        gain, better = settled(scene, tried, by_kind[tried.shape.kind])
        if np.isfinite(gain) and better.place:
            scene.add(better)
    near = [p for p in scene.pieces if any(np.hypot(*np.subtract(p.at_px, m.at_px)) < NEAR_PX for m in (piece, *moved))]
    _settle_again(scene, by_kind, near)
    if scene.worth() - _cost(scene) > worth + 1e-3:
        return True
    for other in [p for p in scene.pieces if p not in before]:
        scene.remove(other)
    for other in [p for p in before if p not in scene.pieces]:
        scene.add(other)
    return False


def _cost(scene: Scene) -> float:
    return sum(least_gain(piece.shape, scene.stamps.grid.px_per_mm) for piece in scene.pieces)


def _away(scene: Scene, piece: Placed, other: Placed) -> Placed:
    """The piece moved straight away from another, until both have room."""
    gap = np.subtract(piece.at_px, other.at_px).astype(float)
    length = float(np.hypot(*gap))
    step = gap / length if length else np.array([1.0, 0.0])
    x, y = np.round(np.asarray(other.at_px) + step * (scene.apart_px(piece.shape, other.shape) + 1)).astype(int)
    return replace(piece, at_px=(int(x), int(y)))


def _settle_again(scene: Scene, by_kind: dict[str, Site], pieces: Sequence[Placed]) -> None:
    for piece in pieces:
        scene.remove(piece)
        gain, better = settled(scene, piece, by_kind[piece.shape.kind])
        if np.isfinite(gain) and better.place:
            scene.add(better)


def explain(scene: Scene, sites: Sequence[Site], rounds: int = ROUNDS) -> None:
    """Fill the scene with the pieces that explain its votes best."""
    for _ in range(rounds):
        if not grow(scene, sites):
            break
    polish(scene, sites)
    if push(scene, sites):
        grow(scene, sites)
        polish(scene, sites)
