"""Learning how this owner's pieces look from the photo of the starting position.

What is known: which faction has how many pieces in which area. Not known: where exactly, and what they look like.
Colours that changed against the reference in a faction's own areas, but hardly elsewhere (as shadows and tokens do),
are its pieces' colours; sizes are those with which the known pieces explain the picture best.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.evidence import (
    CUBE_BITS,
    LIT,
    Print,
    board_log,
    colour_cube,
    evidence_of,
    gain_of,
    ground_of,
    normalised,
    print_of,
)
from vision.geometry import Camera, Floats, Mask, Picture
from vision.looks import Colour, FactionLook, Looks
from vision.pieces import risen, support
from vision.places import Places, unit_sites
from vision.scene import Placed, Scene
from vision.search import Site, explain, settled
from vision.shapes import Shape, Stamps, ship, troop

BINS = 16
KEEP_RATIO = 3.0
COLOURS = 6
LEAST_PIXELS = 400
HEIGHT_SHARE = 0.85
HEIGHT_PRIOR = 0.1
CHANGED = -8.0
PIECE = -8.0
DARKEST = 25
SOFT_SHADE: Colour = (0.6, 0.6, 0.6)
TOKEN_MM2 = (40.0, 400.0)
COMMANDER_RADIUS = 1.03
COMMANDER_HEIGHT = 2.1
USUAL_COLOURS: dict[str, tuple[Colour, ...]] = {
    "red": ((45.0, 40.0, 185.0), (30.0, 27.0, 120.0)),
    "black": ((42.0, 40.0, 40.0), (25.0, 25.0, 25.0)),
    "blue": ((170.0, 90.0, 40.0), (110.0, 60.0, 30.0)),
    "yellow": ((40.0, 180.0, 220.0), (30.0, 120.0, 150.0)),
}
USUAL = Looks(6.0, 5.0, (14.0, 9.0, 8.0), 6.2, 10.5, (), (0.5, 0.5, 0.5), 4.0, False)


def usual_looks(factions: Sequence[str]) -> Looks:
    """What pieces usually look like, for a table without a photo of the starting position."""
    grey: tuple[Colour, ...] = ((128.0, 128.0, 128.0),)
    return replace(USUAL, factions=tuple(FactionLook(name, USUAL_COLOURS.get(name, grey)) for name in factions))


def learn(reference_bgr: Picture, start_bgr: Picture, places: Places, camera: Camera) -> tuple[Looks, Picture]:
    """The looks of the pieces, and the empty board's image with the tokens of the start.

    From the board images (H, W, 3) BGR of the empty board and of the starting position.
    """
    looks = usual_looks(places.plan.factions)
    normal = normalised(start_bgr, gain_of(start_bgr, reference_bgr))
    looks = replace(looks, noise=_noise(normal, reference_bgr, places), learned=True)
    changed = board_log(normal, ground_of(reference_bgr, looks), LIT) < CHANGED
    looks = replace(looks, factions=tuple(_seen(normal, changed, places, look) for look in looks.factions))
    looks = replace(looks, shade=_shade(normal, reference_bgr, places, looks))
    for _ in range(2):
        looks, scene = _sized(looks, start_bgr, reference_bgr, (places, camera))
    printed = print_of(reference_bgr, looks)
    looks = replace(looks, factions=tuple(_strong(scene, printed, look, places) for look in looks.factions))
    looks = replace(looks, factions=tuple(_single(scene, places, looks, look) for look in looks.factions))
    known = Scene(scene.votes, scene.stamps)
    for piece in _expected(scene.pieces, places):
        known.add(piece)
    return looks, _dressed(normal, reference_bgr, known, looks)


def _single(scene: Scene, places: Places, looks: Looks, look: FactionLook) -> FactionLook:
    """The faction's look with what its single discs of the start show of a disc on top of them."""
    discs = [piece for piece in _expected(scene.pieces, places) if piece.shape.unit == "troop"]
    own = [piece for piece in discs if piece.faction == look.faction]
    double = troop(looks, 2)
    rises = [rise for rise in (risen(scene, piece, double) for piece in own) if rise is not None]
    if len(rises) < 5:
        return look
    middle = float(np.median(rises))
    return replace(look, single_rise=(middle, max(0.15, 1.48 * float(np.median(np.abs(np.array(rises) - middle))))))


def _strong(scene: Scene, printed: Print, look: FactionLook, places: Places) -> FactionLook:
    """The faction's look with the support its known pieces had."""
    shares = [
        support(scene, printed, p).share for p in _expected(list(scene.pieces), places) if p.faction == look.faction
    ]
    return replace(look, strength=float(np.clip(np.median(shares), 0.2, 1.0))) if shares else look


def _dressed(normal: Floats, reference_bgr: Picture, scene: Scene, looks: Looks) -> Picture:
    """The empty board's image with what lay on it at the start other than pieces and their shadows."""
    board = board_log(normal, ground_of(reference_bgr, looks))
    pieces = cv2.dilate(scene.covered((slice(None), slice(None))).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    changed = ((board < CHANGED) & ~pieces).astype(np.uint8)
    clean = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    tokens = cv2.morphologyEx(clean, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(tokens)
    size = stats[:, cv2.CC_STAT_AREA] / scene.stamps.grid.px_per_mm**2
    kept = (size > TOKEN_MM2[0]) & (size < TOKEN_MM2[1])
    kept[0] = False
    mask = cv2.dilate(kept[labels].astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    return np.asarray(np.where(mask[..., None], np.clip(normal, 0, 255).astype(np.uint8), reference_bgr), np.uint8)


def _noise(normal: Floats, reference_bgr: Picture, places: Places) -> float:
    """How far pixels (0 to 255) of areas without starting pieces stray from the reference."""
    filled = {area for area, *_ in places.plan.start}
    empty = np.zeros(places.grid.shape, np.bool_)
    for name, mask in places.masks.items():
        if name not in filled:
            empty |= mask
    gaps = np.abs(normal - reference_bgr.astype(np.float32))[empty]
    return float(np.clip(1.48 * np.median(gaps), 1.0, 12.0)) if gaps.size else 4.0


def _shade(normal: Floats, reference_bgr: Picture, places: Places, looks: Looks) -> Colour:
    """What full shadow leaves of each channel: darkened pixels near the pieces of the most vivid faction."""
    vivid = max(looks.factions, key=_vividness)
    reference = reference_bgr.astype(np.float32)
    ratio = (normal + 4) / (reference + 4)
    index = np.clip(normal, 0, 255).astype(np.uint8) >> (8 - CUBE_BITS)
    piece = colour_cube(vivid.colours, looks.noise)[index[..., 0], index[..., 1], index[..., 2]] > PIECE
    piece = cv2.dilate(piece.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    own = _own(places, vivid.faction) & ~piece & (reference.min(axis=2) > DARKEST) & (ratio.max(axis=2) < 0.85)
    if own.sum() < LEAST_PIXELS:
        return SOFT_SHADE
    picked = ratio[own]
    depth = picked.mean(axis=1)
    deep = np.median(picked[depth <= np.quantile(depth, 0.3)], axis=0)
    blue, green, red = np.clip(deep, 0.1, 0.8)
    return float(blue), float(green), float(red)


def _vividness(look: FactionLook) -> float:
    return max(max(colour) - min(colour) for colour in look.colours)


def _own(places: Places, faction: str) -> Mask:
    own = np.zeros(places.grid.shape, np.bool_)
    for area in {area for area, owner, *_ in places.plan.start if owner == faction}:
        own |= places.masks[area]
    return own


def _histogram(normal: Floats, mask: Mask) -> Floats:
    """(BINS, BINS, BINS) share of a mask's pixels by colour, smoothed."""
    pixels = np.clip(normal[mask] * (BINS / 256.0), 0, BINS - 1).astype(int)
    counts = np.zeros((BINS, BINS, BINS), np.float32)
    np.add.at(counts, tuple(pixels.T), 1.0)
    for axis in range(3):
        before, after = np.roll(counts, 1, axis), np.roll(counts, -1, axis)
        counts = 0.5 * counts + 0.25 * (before + after)
    return np.asarray(counts, np.float32)


def _seen(normal: Floats, changed: Mask, places: Places, usual: FactionLook) -> FactionLook:
    """The faction's colours in this light: those of changed pixels of its own areas that are rare elsewhere."""
    own = _own(places, usual.faction)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (31, 31))
    elsewhere = changed & (cv2.dilate(own.astype(np.uint8), kernel) == 0) & (places.labels > 0)
    if (changed & own).sum() < LEAST_PIXELS:
        return usual
    mine, others = _histogram(normal, changed & own), _histogram(normal, elsewhere)
    clear = mine / (others + 0.002 * mine.sum()) > KEEP_RATIO
    bins = np.clip(normal * (BINS / 256.0), 0, BINS - 1).astype(int)
    picked = normal[changed & own & clear[bins[..., 0], bins[..., 1], bins[..., 2]]]
    if len(picked) < LEAST_PIXELS:
        return usual
    return FactionLook(usual.faction, _clusters(picked))


def _clusters(pixels: Floats) -> tuple[Colour, ...]:
    cv2.setRNGSeed(7)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 30, 0.5)
    sample = np.ascontiguousarray(pixels[:: max(1, len(pixels) // 6000)], np.float32)
    none = np.zeros((len(sample), 1), np.int32)
    _, labels, middles = cv2.kmeans(sample, COLOURS, none, criteria, 3, cv2.KMEANS_PP_CENTERS)
    share = np.bincount(np.asarray(labels).ravel(), minlength=COLOURS) / len(sample)
    kept = [middle for middle, part in zip(middles, share, strict=True) if part > 0.03]
    return tuple((float(b), float(g), float(r)) for b, g, r in kept)


def _sized(
    looks: Looks, start_bgr: Picture, reference_bgr: Picture, where: tuple[Places, Camera]
) -> tuple[Looks, Scene]:
    """The looks with the sizes under which the known pieces explain the start's votes best, and those pieces."""
    places, camera = where
    scene = Scene(evidence_of(start_bgr, print_of(reference_bgr, looks)).votes, Stamps(camera, places.grid))
    discs, boats = unit_sites(places, looks)
    explain(scene, [discs, boats])
    kinds = {kind: [p for p in _expected(scene.pieces, places) if p.shape.kind == kind] for kind in ("troop", "ship")}
    if len(kinds["troop"]) >= 4:
        looks = _fit_troop(looks, scene, discs, kinds["troop"])
    if len(kinds["ship"]) >= 2:
        looks = _fit_ship(looks, scene, boats, kinds["ship"])
    radius, height = looks.troop_radius_mm, looks.troop_height_mm
    looks = replace(looks, commander_radius_mm=COMMANDER_RADIUS * radius, commander_height_mm=COMMANDER_HEIGHT * height)
    return looks, scene


def _expected(pieces: Sequence[Placed], places: Places) -> list[Placed]:
    known = {(area, faction, unit) for area, faction, unit, _ in places.plan.start}
    return [piece for piece in pieces if (piece.place, piece.faction, piece.shape.unit) in known]


def _worth(scene: Scene, site: Site, pieces: Sequence[Placed], shape: Shape) -> float:
    """What pieces of this shape explain, each settled near where it was found."""
    empty = Scene(scene.votes, scene.stamps)
    site = replace(site, shape=shape)
    total = 0.0
    for piece in pieces:
        turn = min(shape.turns, key=lambda turn: abs(turn - piece.turn))
        gain, better = settled(empty, replace(piece, shape=shape, turn=turn), site)
        if np.isfinite(gain):
            empty.add(better)
            total += gain
    return total


def _fit_troop(looks: Looks, scene: Scene, site: Site, pieces: Sequence[Placed]) -> Looks:
    best, chosen = -np.inf, looks
    for radius in np.arange(5.2, 7.21, 0.2):
        for height in np.arange(3.0, 9.1, 1.0):
            tried = replace(looks, troop_radius_mm=float(radius), troop_height_mm=float(height))
            worth = _worth(scene, site, pieces, troop(tried))
            worth *= 1 - HEIGHT_PRIOR * (math.log(height / radius / HEIGHT_SHARE)) ** 2
            if worth > best:
                best, chosen = worth, tried
    return chosen


def _fit_ship(looks: Looks, scene: Scene, site: Site, pieces: Sequence[Placed]) -> Looks:
    best, chosen = -np.inf, looks
    for step in (2.0, 1.0):
        better = True
        while better:
            better = False
            for sizes in _ship_sizes(chosen.ship_mm, step):
                tried = replace(chosen, ship_mm=sizes)
                worth = _worth(scene, site, pieces, ship(tried))
                if worth > best + 1e-6:
                    best, chosen, better = worth, tried, True
    return chosen


def _ship_sizes(sizes: tuple[float, float, float], step: float) -> list[tuple[float, float, float]]:
    length, width, height = sizes
    tried = [(length + step, width, height), (length - step, width, height), (length, width + step, height)]
    tried += [(length, width - step, height), (length, width, height + step), (length, width, height - step), sizes]
    return [(a, b, c) for a, b, c in tried if 6 <= b <= a <= 24 and 1 <= c <= 20]
