"""The search for the guess that explains the votes best: propose where a shape fits, shift it, swap it, drop it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.geometry import Floats, Mask
from vision.scene import Placed, Scene
from vision.shapes import Shape, kernel_of

SHRINK = 2
TILE_MM = 100.0
STEPS_MM = (1.2, 0.5, 0.25)
LEAST_MM2 = 16.0
ROUNDS = 3
PEAK_APART_MM = 4.0
FULL_VOTE = 4.0

Point = tuple[float, float]
Window = tuple[slice, slice]


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """Where a shape may stand: (H, W) bool of the board image for its base's middle; the place's name at a point."""

    shape: Shape
    allowed: Mask
    place_at: Callable[[Point], str | None]


def tiles_of(allowed: Mask, side_px: int) -> list[Window]:
    """Windows of at most `side_px` that hold all allowed pixels."""
    ys, xs = np.nonzero(allowed)
    if not len(ys):
        return []
    tops, lefts = range(int(ys.min()), int(ys.max()) + 1, side_px), range(int(xs.min()), int(xs.max()) + 1, side_px)
    windows = [(slice(t, t + side_px), slice(left, left + side_px)) for t in tops for left in lefts]
    return [window for window in windows if allowed[window].any()]


def _heat(votes: Floats, site: Site, window: Window, turn: float, scene: Scene) -> Floats:
    """(h, w): the fit of a shape with its base at each pixel of a window of the small votes."""
    rows, columns = window
    middle = scene.grid.mm([[(columns.start + columns.stop) / 2 * SHRINK, (rows.start + rows.stop) / 2 * SHRINK]])[0]
    at = (float(middle[0]), float(middle[1]))
    kernel = kernel_of(site.shape, at, turn, scene.camera, scene.grid.px_per_mm / SHRINK)
    reach = kernel.shape[0] // 2
    top, left = max(rows.start - reach, 0), max(columns.start - reach, 0)
    patch = votes[top : rows.stop + reach, left : columns.stop + reach]
    fit = cv2.filter2D(patch, cv2.CV_32F, kernel, borderType=cv2.BORDER_CONSTANT)
    height, width = votes[window].shape
    y, x = rows.start - top, columns.start - left
    return np.asarray(fit[y : y + height, x : x + width], np.float32)


def _peaks(heat: Floats, allowed: Mask, least: float) -> list[tuple[float, int, int]]:
    """(value, row, column) of the local maxima in allowed places above `least`."""
    masked = np.where(allowed, heat, -np.inf).astype(np.float32)
    peak = masked >= cv2.dilate(masked, np.ones((5, 5), np.uint8))
    ys, xs = np.nonzero(peak & (masked > least))
    return [(float(masked[y, x]), int(y), int(x)) for y, x in zip(ys, xs, strict=True)]


def least_gain(shape: Shape, px_per_mm: float) -> float:
    """The least a piece must explain, as a sum of votes."""
    surface = cv2.contourArea(np.asarray(shape.base_mm, np.float32))
    return max(LEAST_MM2, 0.16 * surface) * px_per_mm**2 * FULL_VOTE


def proposals(scene: Scene, sites: Iterable[Site]) -> list[tuple[float, Placed]]:
    """(fit, piece) for every place where a shape fits the votes not yet explained, best first."""
    small = {
        faction: cv2.resize(scene.residual(faction), None, fx=1 / SHRINK, fy=1 / SHRINK, interpolation=cv2.INTER_AREA)
        for faction in scene.votes
    }
    found: list[tuple[float, Placed]] = []
    for site in sites:
        allowed = site.allowed[::SHRINK, ::SHRINK]
        for window in tiles_of(allowed, round(TILE_MM * scene.grid.px_per_mm / SHRINK)):
            for faction, votes in small.items():
                found += _proposed(scene, site, window, (faction, np.asarray(votes, np.float32), allowed))
    return sorted(found, key=lambda pair: -pair[0])


def _proposed(scene: Scene, site: Site, window: Window, what: tuple[str, Floats, Mask]) -> list[tuple[float, Placed]]:
    faction, votes, allowed = what
    if votes[window].max(initial=-np.inf) <= 0:
        return []
    least = 0.5 * least_gain(site.shape, scene.grid.px_per_mm) / SHRINK**2
    cut = allowed[: votes.shape[0], : votes.shape[1]][window]
    found = []
    for turn in site.shape.turns:
        for value, y, x in _peaks(_heat(votes, site, window, turn, scene)[: cut.shape[0], : cut.shape[1]], cut, least):
            px = [(window[1].start + x) * SHRINK + 0.5, (window[0].start + y) * SHRINK + 0.5]
            at = scene.grid.mm([px])[0]
            found.append((value, Placed(site.shape, faction, (float(at[0]), float(at[1])), turn, "")))
    return found


def settled(scene: Scene, piece: Placed, site: Site) -> tuple[float, Placed]:
    """The piece moved (and turned) by small steps to where it gains most, with its place named; its gain."""
    best = scene.gain(piece)
    for step in STEPS_MM:
        better = True
        while better:
            better = False
            for other in _nearby(piece, step):
                if not _allowed(scene, site, other.at_mm):
                    continue
                gain = scene.gain(other)
                if gain > best + 1e-6:
                    best, piece, better = gain, other, True
    return best, replace(piece, place=site.place_at(piece.at_mm) or "")


def _nearby(piece: Placed, step_mm: float) -> list[Placed]:
    x, y = piece.at_mm
    moved = [replace(piece, at_mm=(x + dx, y + dy)) for dx, dy in ((step_mm, 0), (-step_mm, 0), (0, step_mm), (0, -step_mm))]
    if len(piece.shape.turns) == 1:
        return moved
    turn = 0.22 * step_mm
    return moved + [replace(piece, turn=piece.turn + turn), replace(piece, turn=piece.turn - turn)]


def _allowed(scene: Scene, site: Site, at_mm: Point) -> bool:
    x, y = np.round(scene.grid.px([at_mm])[0]).astype(int)
    rows, columns = scene.grid.shape
    return bool(0 <= x < columns and 0 <= y < rows and site.allowed[y, x])


def grow(scene: Scene, sites: Sequence[Site]) -> int:
    """Place proposals, best first, as long as they gain enough; how many were placed."""
    by_kind = {site.shape.kind: site for site in sites}
    placed: list[Placed] = []
    for _, piece in proposals(scene, sites):
        if not scene.free(piece) or _near(piece, placed):
            continue
        gain, better = settled(scene, piece, by_kind[piece.shape.kind])
        if gain >= least_gain(piece.shape, scene.grid.px_per_mm) and better.place:
            scene.add(better)
            placed.append(better)
    return len(placed)


def _near(piece: Placed, others: Sequence[Placed]) -> bool:
    return any(np.hypot(*np.subtract(piece.at_mm, other.at_mm)) < PEAK_APART_MM for other in others)


def polish(scene: Scene, sites: Sequence[Site]) -> None:
    """Settle every piece again with the others in place, as another kind too; drop what explains too little."""
    for piece in list(scene.pieces):
        scene.remove(piece)
        best, chosen = -np.inf, piece
        for site in sites:
            tried = replace(piece, shape=site.shape, turn=piece.turn if site.shape is piece.shape else site.shape.turns[0])
            if not _allowed(scene, site, tried.at_mm):
                continue
            gain, better = settled(scene, tried, site)
            cost = least_gain(better.shape, scene.grid.px_per_mm)
            if gain - cost > best and better.place:
                best, chosen = gain - cost, better
        if best >= 0:
            scene.add(chosen)


def explain(scene: Scene, sites: Sequence[Site]) -> None:
    """Fill the scene with the pieces that explain its votes best."""
    for _ in range(ROUNDS):
        if not grow(scene, sites):
            break
        polish(scene, sites)
