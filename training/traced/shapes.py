"""The pieces of a copy of the game and what lies about, as meshes round the middle of their base."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import pi

import numpy as np
import numpy.typing as npt

from training.traced.meshes import (
    Mesh,
    box,
    capsule,
    circle,
    disc,
    join,
    lathe,
    loft,
    move,
    prism,
    rounding,
    solid,
    squares,
    turn,
)
from vision.simulation.props import Hand
from vision.simulation.solids import PieceLook, aircraft_outlines, ship_profile, siege_height, siege_profile

Floats = npt.NDArray[np.float64]

UPRIGHT = np.array([[1.0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]])


@dataclass(frozen=True, slots=True)
class Forms:
    """Which forms this copy's pieces have besides the sizes of its look; `edge_mm` is how round edges are.

    ship: "profile" (a side view cut from a board), "hull" or "lozenge"; commander: "hexagon", "pawn" or "drum".
    """

    edge_mm: float = 0.6
    ship: str = "profile"
    commander: str = "hexagon"
    cabin: float = 0.5
    mast: bool = False
    dish_mm: float = 0.0


def piece_mesh(kind: str, look: PieceLook, forms: Forms) -> Mesh:
    """Build a `troop`, `ship`, `siege`, `aircraft` or `commander`."""
    makers = {"ship": _ship, "commander": _commander, "siege": _siege, "aircraft": _aircraft}
    return makers.get(kind, _troop)(look, forms)


def _troop(look: PieceLook, forms: Forms) -> Mesh:
    radius, height = look.troop_mm / 2, look.troop_height_mm
    if forms.dish_mm <= 0:
        return disc(radius, height, forms.edge_mm)
    profile = [(radius - inset, up) for inset, up in rounding(height, forms.edge_mm)]
    rim = radius * 0.72
    return lathe([*profile, (rim, height), (rim - forms.dish_mm, height - forms.dish_mm)])


def _commander(look: PieceLook, forms: Forms) -> Mesh:
    radius, height = look.commander_mm / 2, look.commander_height_mm
    if forms.commander == "pawn":
        waist, head = radius * 0.45, radius * 0.62
        turns = np.linspace(-1.0, pi / 2, 9)
        ball = [(head * float(np.cos(t)), height - head + head * float(np.sin(t))) for t in turns]
        foot = [(radius * 0.97, 0.0), (radius, 0.4), (radius, height * 0.16), (radius * 0.8, height * 0.24)]
        return lathe([*foot, (waist, height * 0.5), *ball])
    if forms.commander == "drum":
        return disc(radius, height, forms.edge_mm)
    return prism(circle(radius, 6), height, forms.edge_mm)


def _ship(look: PieceLook, forms: Forms) -> Mesh:
    if forms.ship == "hull":
        return _hull(look, forms)
    if forms.ship == "lozenge":
        return _lozenge(look, forms)
    outlines = [np.array(part) * look.ship_mm for part in ship_profile(look.ship_shape)]
    high = max(float(part[:, 1].max()) for part in outlines)
    if look.ships_stand:
        parts = [
            _stand_up(prism(part, look.ship_width_mm, forms.edge_mm * 0.7), look.ship_width_mm) for part in outlines
        ]
        return join(parts)
    middle = np.array([0.0, high / 2])
    return join([prism(part - middle, look.ship_width_mm, forms.edge_mm * 0.7) for part in outlines])


def _siege(look: PieceLook, forms: Forms) -> Mesh:
    profile = [(np.array(part) * look.siege_mm, share) for part, share in siege_profile(look.siege_shape)]
    if look.sieges_stand:
        wide = [(part, look.siege_width_mm * share) for part, share in profile]
        return join([_stand_up(prism(part, width, forms.edge_mm * 0.4), width) for part, width in wide])
    middle, thick = np.array([0.0, siege_height(look) / 2]), look.siege_width_mm * 0.7
    return join([prism(part - middle, thick, forms.edge_mm * 0.4) for part, _ in profile])


def _aircraft(look: PieceLook, forms: Forms) -> Mesh:
    body, *wings = (np.array(part) * look.aircraft_mm for part in aircraft_outlines(look.aircraft_shape))
    height, edge = look.aircraft_height_mm, forms.edge_mm * 0.4
    return join([prism(body, height, edge), *(prism(wing, height * 0.93, edge) for wing in wings)])


def _stand_up(mesh: Mesh, width_mm: float) -> Mesh:
    return move(turn(mesh, UPRIGHT), (0.0, width_mm / 2, 0.0))


def _plan_of_hull(look: PieceLook, scale: float, blunt: float) -> Floats:
    """Return a boat's deck from above, (N, 2), counter-clockwise, pointed at the bow, more or less so at the stern."""
    turns = 2 * pi * np.arange(28) / 28
    along, across = np.cos(turns), np.sin(turns)
    narrow = np.where(along > 0, 1 - along**2 * 0.35, 1 - along**2 * 0.35 * (1 - blunt))
    half = np.array([look.ship_mm / 2 * scale, look.ship_width_mm / 2 * (0.4 + 0.6 * scale)])
    return np.asarray(np.stack([along, across * narrow], axis=1) * half, np.float64)


def _hull(look: PieceLook, forms: Forms) -> Mesh:
    deck = look.ship_width_mm * 0.62
    levels = [(0.78, 0.0), (0.86, 0.25 * deck), (0.96, 0.7 * deck), (1.0, deck - 0.3), (0.97, deck)]
    rings = [
        np.column_stack([_plan_of_hull(look, scale, forms.cabin), np.full(28, height)]) for scale, height in levels
    ]
    parts = [loft(np.array(rings))]
    if forms.cabin > 0.25:
        size = (look.ship_mm * 0.34, look.ship_width_mm * 0.55, deck * (0.6 + forms.cabin))
        parts.append(move(box(size, 0.4), (-look.ship_mm * 0.08, 0, deck - 0.05)))
    if forms.mast:
        parts.append(move(lathe([(0.9, 0), (0.8, deck * 2.2), (0.4, deck * 2.3)], 12), (look.ship_mm * 0.18, 0, deck)))
    return join(parts)


def _lozenge(look: PieceLook, forms: Forms) -> Mesh:
    x, y = look.ship_mm / 2, look.ship_width_mm / 2
    shoulder = x * (0.35 + 0.4 * forms.cabin)
    outline = np.array([[x, 0], [shoulder, y], [-shoulder, y], [-x, 0], [-shoulder, -y], [shoulder, -y]])
    return prism(outline, look.ship_width_mm * 0.8, forms.edge_mm)


FACES: tuple[tuple[tuple[int, int, int], tuple[int, int, int]], ...] = (
    ((1, 0, 0), (0, 1, 0)),
    ((-1, 0, 0), (0, 0, 1)),
    ((0, 1, 0), (0, 0, 1)),
    ((0, -1, 0), (1, 0, 0)),
    ((0, 0, 1), (1, 0, 0)),
    ((0, 0, -1), (0, 1, 0)),
)


def die_mesh(side_mm: float, sheet_mm: tuple[float, float], tile_mm: float) -> Mesh:
    """Build a die with rounded edges on its base; its six faces lie in a row of tiles round the middle `sheet_mm`."""
    starts = [np.array(sheet_mm) + np.array([(which - 2.5) * tile_mm, 0.0]) for which in range(6)]
    parts = [_face(axes, side_mm, start, tile_mm) for axes, start in zip(FACES, starts, strict=True)]
    return join(parts)


def _face(axes: tuple[tuple[int, ...], ...], side_mm: float, tile_at_mm: Floats, tile_mm: float) -> Mesh:
    out, right = (np.array(axis, float) for axis in axes)
    grid = np.linspace(-1, 1, 9)
    across, down = np.meshgrid(grid, grid)
    cube = out + across[..., None] * right + down[..., None] * np.cross(out, right)
    inner = np.clip(cube, -0.82, 0.82)
    away = cube - inner
    rounded = inner + 0.18 * away / np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-9)
    faces = squares(9, 9)
    plain = solid(rounded.reshape(-1, 3) * side_mm / 2 + np.array([0, 0, side_mm / 2]), faces, 50.0)
    flat = np.stack([across, down], axis=-1).reshape(-1, 2)[faces.ravel()] * tile_mm / 2 * 0.96
    return Mesh(plain.points, plain.normals, flat + tile_at_mm)


def card_mesh(size_mm: tuple[float, float], patch_mm: tuple[float, float]) -> Mesh:
    """Build a card, 0.4 mm thick, its face on the patch of its own size whose middle is given."""
    plain = box((*size_mm, 0.4), 0.05)
    return Mesh(plain.points, plain.normals, plain.points[:, :2] * 0.99 + np.array(patch_mm))


def mug_mesh(radius_mm: float, height_mm: float) -> tuple[Mesh, Mesh]:
    """Build a mug with a handle, and the drink in it."""
    wall = radius_mm - 3.5
    drink_mm = height_mm * 0.82
    body = lathe(
        [
            (radius_mm * 0.86, 0),
            (radius_mm * 0.95, 2),
            (radius_mm, height_mm * 0.4),
            (radius_mm, height_mm - 1),
            (radius_mm - 1.5, height_mm),
            (wall, height_mm - 1.5),
            (wall, drink_mm - 1),
        ],
        48,
    )
    turns = np.linspace(-1.25, 1.25, 9)
    beads = [
        (radius_mm + 14 * float(np.cos(t)) - 4, 0.0, height_mm * 0.5 + 0.3 * height_mm * float(np.sin(t)), 4.5)
        for t in turns
    ]
    handle = [capsule(start, end, 12) for start, end in pairwise(beads)]
    drink = lathe([(wall + 0.5, drink_mm - 1), (wall + 0.5, drink_mm)], 40)
    return join([body, *handle]), drink


def hand_meshes(hand: Hand) -> tuple[Mesh, Mesh]:
    """Build the hand, and the sleeve over its arm; palms are flatter than balls."""
    skin: list[Mesh] = []
    sleeve: list[Mesh] = []
    for number, limb in enumerate(hand.limbs):
        for start, end in pairwise(limb):
            (sleeve if number == 1 else skin).append(_flat(start, end) if number == 0 else capsule(start, end))
    return join(skin), join(sleeve)


def _flat(one: tuple[float, ...], two: tuple[float, ...]) -> Mesh:
    middle = (one[2] + two[2]) / 2
    squash = np.array([1.0, 1.0, 0.5])
    round_mesh = capsule(one, two, 28)
    normals = round_mesh.normals / squash
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    points = (round_mesh.points - [0, 0, middle]) * squash + [0, 0, middle]
    return Mesh(points, normals, round_mesh.uv_mm)
