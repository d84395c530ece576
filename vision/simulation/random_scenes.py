"""Random tables that stay, from a seed: the copy's look, camera, lamps, cloth and lens of a scene of any kind."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, sin

import numpy as np

from vision.plan import BoardPlan
from vision.simulation.art_sheet import bgr_of, random_style
from vision.simulation.camera import Lens, SimulatedCamera, fit_in_picture
from vision.simulation.draw import Colour, Light
from vision.simulation.props import Cloth
from vision.simulation.solids import PieceLook
from vision.simulation.support_board import SupportBoard
from vision.simulation.table import Scene

Rng = np.random.Generator

SHIPS = FIGURES = 2000
WITH_SUPPORT_FILL = 0.95
"""The part of a picture that map and support board fill together."""


def random_scene(seed: int, plan: BoardPlan, size_px: tuple[int, int] = (1280, 960)) -> Scene:
    """Return a scene of any kind a table may be: art, pieces, lights, cloth, camera, lens."""
    rng = np.random.default_rng([seed, 11])
    lights, ambient = _lights(rng, plan)
    return Scene(
        style=random_style(seed * 7 + 1),
        camera=_camera(rng, plan, size_px),
        look=with_other_kinds(random_look(rng), plan, np.random.default_rng([seed, 16])),
        lights=lights,
        ambient=ambient,
        cloth=_cloth(rng),
        lens=_lens(rng),
        clutter_seed=seed if rng.random() < 0.9 else None,
        bow_mm=float(rng.uniform(-2.0, 2.5)) if rng.random() < 0.5 else 0.0,
        gloss=float(rng.random() < 0.4),
        shadow_samples=int(rng.choice([4, 8, 12])),
    )


def in_other_light(scene: Scene, plan: BoardPlan, rng: Rng) -> Scene:
    """Return the same table under other lamps or windows, exposed and balanced anew by the same camera."""
    lights, ambient = _lights(rng, plan)
    taken = _lens(rng)
    lens = replace(
        scene.lens,
        balance_bgr=taken.balance_bgr,
        exposure=taken.exposure,
        noise=taken.noise,
        vignetting=scene.lens.vignetting,
    )
    return replace(scene, lights=lights, ambient=ambient, lens=lens, gloss=float(rng.random() < 0.4))


def _camera(rng: Rng, plan: BoardPlan, size_px: tuple[int, int]) -> SimulatedCamera:
    width, height = plan.size_mm
    camera = SimulatedCamera(
        target_mm=(width / 2 + float(rng.normal(0, 8)), height / 2 + float(rng.normal(0, 8))),
        tilt_deg=float(abs(rng.normal(0, 18))) if rng.random() < 0.5 else float(rng.uniform(0, 42)),
        side_deg=float(rng.integers(4)) * 90 + float(rng.normal(0, 12)),
        roll_deg=float(rng.normal(0, 4)),
        focal=float(rng.uniform(0.7, 1.4)),
        radial=float(rng.uniform(-0.06, 0.06)),
        size_px=size_px,
    )
    corners = np.array([[0.0, 0], [width, 0], [width, height], [0, height]])
    return fit_in_picture(camera, corners, float(rng.uniform(0.72, 0.98)))


def with_support_board(scene: Scene, plan: BoardPlan, support: SupportBoard) -> Scene:
    """Add a support board beside the map, and move the camera away until it sees both."""
    width, height = plan.size_mm
    corners = np.array([(0.0, 0.0), (width, height), *support.corners_mm])
    low, high = corners.min(axis=0), corners.max(axis=0)
    camera = replace(scene.camera, target_mm=tuple(((low + high) / 2).tolist()))
    box = [low, (high[0], low[1]), high, (low[0], high[1])]
    return replace(scene, support=support, camera=fit_in_picture(camera, np.array(box), WITH_SUPPORT_FILL))


def random_look(rng: Rng) -> PieceLook:
    """Return sizes, shapes and colours of a copy's pieces."""
    size = float(rng.uniform(0.87, 1.17))
    stand = bool(rng.random() < 0.5)
    return PieceLook(
        troop_mm=12 * size,
        troop_height_mm=float(rng.uniform(3.8, 7)) * size,
        ship_mm=float(rng.uniform(13.5, 18)) * size,
        ship_width_mm=float(rng.uniform(4.5, 8)) * size,
        ship_shape=int(rng.integers(SHIPS)),
        ships_stand=stand,
        commander_mm=float(rng.uniform(11.5, 14.5)) * size,
        commander_height_mm=float(rng.uniform(7, 15)) * size,
        bevel_mm=float(rng.uniform(0.2, 1.0)),
        bgr=(("red", _red(rng)), ("black", _black(rng))),
        gloss=float(rng.choice([0.0, rng.uniform(0, 0.6)])),
        sheen=float(np.exp(rng.uniform(2, 4.5))),
        grain=float(rng.uniform(0, 0.07)),
    )


def with_other_kinds(look: PieceLook, plan: BoardPlan, rng: Rng) -> PieceLook:
    """Add siege weapons, aircraft and colours of its own to the look, where the plan's board has them."""
    size = look.troop_mm / 12
    makers = {"yellow": lambda: random_hue(rng, (18, 32), (120, 250)), "blue": lambda: _blue(rng)}
    colours = {faction: makers[faction]() for faction in sorted(plan.factions) if faction in makers}
    return replace(
        look,
        bgr=tuple(
            (faction, colours.get(faction, plain))
            for faction, plain in (dict(PieceLook().bgr) | dict(look.bgr)).items()
        ),
        siege_mm=float(rng.uniform(12.5, 17)) * size,
        siege_width_mm=float(rng.uniform(5, 9)) * size,
        siege_shape=int(rng.integers(FIGURES)),
        sieges_stand=bool(rng.random() < 0.65),
        aircraft_mm=float(rng.uniform(11.5, 15)) * size,
        aircraft_height_mm=float(rng.uniform(2.6, 6.5)) * size,
        aircraft_shape=int(rng.integers(FIGURES)),
    )


def random_hue(rng: Rng, hues: tuple[float, float], depths: tuple[int, int], least: int = 145) -> Colour:
    """Choose a random colour from ranges of hue (0 to 180, 0 red, 60 green) and depth, at least `least` bright."""
    hue = round(float(rng.uniform(*hues))) % 180
    blue, green, red = bgr_of(hue, int(rng.integers(*depths)), int(rng.integers(least, 250)))
    return float(blue), float(green), float(red)


def _blue(rng: Rng) -> Colour:
    """Return a blue from sky to navy, now and then so dark that it is hardly blue."""
    share = float(np.exp(rng.uniform(np.log(0.25), np.log(1.0))))
    blue, green, red = (share * part for part in random_hue(rng, (99, 119), (110, 245), 190))
    return blue, green, red


def _red(rng: Rng) -> Colour:
    hue = int(rng.integers(-7, 9)) % 180
    blue, green, red = bgr_of(hue, int(rng.integers(150, 245)), int(rng.integers(125, 235)))
    return float(blue), float(green), float(red)


def _black(rng: Rng) -> Colour:
    value = rng.uniform(14, 62) + rng.normal(0, 4, 3)
    blue, green, red = (float(v) for v in np.clip(value, 4, 80))
    return blue, green, red


def _lights(rng: Rng, plan: BoardPlan) -> tuple[tuple[Light, ...], Colour]:
    """Return one to three lamps or windows and the sky, together about 1 at the board's middle."""
    count = int(rng.choice([1, 2, 3], p=[0.5, 0.4, 0.1]))
    share = float(rng.uniform(0.3, 0.8)) if rng.random() < 0.5 else float(rng.uniform(0.75, 0.97))
    parts = rng.dirichlet(np.ones(count) * 2) * share
    warm = float(rng.uniform(-0.12, 0.2))
    lights = tuple(_light(rng, plan, float(part), warm) for part in parts)
    cool = float(rng.uniform(-0.1, 0.15))
    rest = 1 - share
    return lights, (rest * (1 + cool), rest, rest * (1 - cool))


def _light(rng: Rng, plan: BoardPlan, part: float, warm: float) -> Light:
    turn, lean = rng.uniform(0, 2 * pi), rng.uniform(0, 1.22)
    away = float(rng.uniform(450, 2200))
    x, y = plan.size_mm[0] / 2, plan.size_mm[1] / 2
    at = (x + away * sin(lean) * cos(turn), y + away * sin(lean) * sin(turn), max(250.0, away * cos(lean)))
    tint = warm + float(rng.normal(0, 0.05))
    radius = away * float(rng.choice([rng.uniform(0.01, 0.05), rng.uniform(0.05, 0.5)]))
    return Light(at, radius, (part * (1 - tint), part, part * (1 + tint)))


def _cloth(rng: Rng) -> Cloth:
    kind = str(rng.choice(["wood", "felt", "weave", "plain"]))
    bright = float(rng.uniform(0.1, 0.95))
    colour = np.clip(bright * rng.uniform(60, 255, 3), 5, 250)
    blue, green, red = (int(v) for v in (np.sort(colour) if kind == "wood" else colour))
    return Cloth(int(rng.integers(1 << 30)), kind, (blue, green, red), float(rng.uniform(0.05, 0.35)))


def _lens(rng: Rng) -> Lens:
    dim = bool(rng.random() < 0.25)
    tint = rng.normal(1, 0.05, 3)
    return Lens(
        blur_px=float(rng.uniform(0.3, 1.5)),
        vignetting=float(rng.uniform(0, 0.5)),
        balance_bgr=(float(tint[0]), float(tint[1]), float(tint[2])),
        exposure=float(rng.uniform(0.45, 0.8)) if dim else float(rng.uniform(0.75, 1.2)),
        contrast=float(rng.uniform(-0.3, 0.6)),
        noise=float(rng.uniform(4, 11)) if dim else float(rng.uniform(0.5, 5)),
        noise_px=float(rng.uniform(0, 1.2)),
        sharpen=float(rng.uniform(0, 0.8)),
        jpeg=int(rng.integers(55, 97)),
    )
