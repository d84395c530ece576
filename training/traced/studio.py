"""A table to be photographed, path traced: the same pictures and truths as `vision.simulation.table.Studio` gives."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from training.traced.lifelike import drift_of
from training.traced.looks import Setup
from training.traced.meshes import Mesh, View, join, sheet
from training.traced.picture import Bend, Linear, bend, exposure, linear, tone
from training.traced.things import PX_PER_MM, SIDE_PX, Things
from training.traced.tracer import Body, Surface, Tracer, light_of, mask_of, sensor
from vision.plan import BoardPlan
from vision.simulation.board_art import BoardMarks, draw_board
from vision.simulation.camera import SimulatedCamera, expose, falloff
from vision.simulation.draw import Mask
from vision.simulation.placing import truth_of
from vision.simulation.props import draw_cloth
from vision.simulation.table import CLOTH_MARGIN_MM, CLOTH_PX_PER_MM, Moment, PlacedPiece, Shot

ART_PX_PER_MM = 4.0
TABLE_MM = 2500.0
METER_PX = (320, 240)
METER_SAMPLES = 16


@dataclass(frozen=True, slots=True)
class Plate:
    """What is drawn: (columns, rows) of the film, the paths through each pixel, and whether only the board matters."""

    film_px: tuple[int, int] = (1280, 960)
    samples: int = 24
    board_only: bool = False


class TracedStudio:
    """A setup made ready: textures drawn once, the exposure measured on the empty board."""

    def __init__(self, plan: BoardPlan, setup: Setup, marks: BoardMarks | None, plate: Plate) -> None:
        self.plan, self.setup, self.scene, self.plate = plan, setup, setup.scene, plate
        finish = setup.finish
        art = draw_board(plan, setup.scene.style, marks, ART_PX_PER_MM)
        self.art = art if setup.paint is None else setup.paint.over(art)
        self.things = Things(setup, plan)
        columns, rows = (round((side + 2 * CLOTH_MARGIN_MM) * CLOTH_PX_PER_MM) for side in plan.size_mm)
        cloth = setup.cloth
        if cloth is None:
            cloth = draw_cloth(setup.scene.cloth, (rows, columns), CLOTH_PX_PER_MM)
        atlas = self.things.atlas
        surfaces = {
            "table": Surface(cloth, _even(finish.table_rough), finish.table_shine, mirrored_round=True),
            "board": Surface(self.art, _even(finish.board_rough), finish.board_shine, relief_mm=setup.relief_mm),
            "things": Surface(atlas.picture, atlas.rough, finish.shine),
        }
        middle = (plan.size_mm[0] / 2, plan.size_mm[1] / 2)
        self.tracer = Tracer(surfaces, setup.room, middle)
        self.falloff = falloff(setup.scene.lens, setup.scene.camera.size_px)
        self.film = self._bent()
        self.gain = self.metered()

    def in_light_of(self, setup: Setup) -> TracedStudio:
        """Return the same table in another light: that of a setup that differs in its lights, room and exposure."""
        other = copy(self)
        other.setup, other.scene = setup, setup.scene
        other.tracer = self.tracer.in_room(setup.room)
        other.gain = other.metered()
        return other

    def camera_at(self, moment: Moment) -> SimulatedCamera:
        """Return the camera as nudged at a moment."""
        camera = self.scene.camera
        x, y = (a + b for a, b in zip(camera.target_mm, moment.shift_mm, strict=True))
        return replace(camera, target_mm=(x, y), side_deg=camera.side_deg + moment.turn_deg)

    def shoot(self, pieces: Sequence[PlacedPiece], moment: Moment | None = None) -> Shot:
        """Take the picture of these pieces at a moment; return it with the truth about it."""
        moment = moment or Moment()
        camera = self.camera_at(moment)
        film = self.film
        eye = sensor(camera, film)
        scene = self._scene(pieces, moment)
        exposure_bgr = np.array(drift_of(self.setup, moment).exposure_bgr, np.float32)
        light = light_of(scene, eye, moment.seed, self.plate.samples)
        shown = film.camera_picture(tone(light * (self.gain * exposure_bgr)))
        picture = expose(shown, self.scene.lens, self.falloff, np.random.default_rng([moment.seed, 77]))
        picture = self.setup.phone.developed(picture) if self.setup.phone else picture
        covered = film.camera_picture(mask_of(scene, eye, "cover", film))
        view = View(camera, self.setup.slab)
        return Shot(picture, truth_of(self.plan, pieces, view, (covered, self.scene.look)), covered)

    def sides(self, pieces: Sequence[PlacedPiece], moment: Moment) -> Mask:
        """Return whose piece each pixel shows, (H, W): 1 the plan's first faction, 2 its second, 0 neither."""
        eye = sensor(self.camera_at(moment), self.film)
        scene = self._scene(pieces, moment)
        masks = (mask_of(scene, eye, faction, self.film) > 127 for faction in self.plan.factions)
        numbers = sum((number * mask.astype(np.uint8) for number, mask in enumerate(masks, 1)), np.uint8(0))
        return self.film.nearest(np.asarray(numbers, np.uint8))

    def _bent(self) -> Bend:
        if not self.plate.board_only:
            return bend(self.scene.camera, self.plate.film_px)
        width, height = self.plan.size_mm
        edge = np.array([(x, y) for x in (0, width / 2, width) for y in (0, height / 2, height)])
        return bend(self.scene.camera, self.plate.film_px, View(self.scene.camera, self.setup.slab).px(edge))

    def metered(self) -> Linear:
        """Return (3,) gains of the camera, measured on the empty board in a small picture."""
        camera = replace(self.scene.camera, radial=0.0)
        film = bend(replace(camera, size_px=METER_PX), METER_PX)
        eye = sensor(camera, film)
        light = light_of(self.tracer.scene(self._bodies((), Moment()), self.scene.lights), eye, 1, METER_SAMPLES)
        xs, ys = np.meshgrid(*(np.linspace(0.1, 0.9, 40) * side for side in self.plan.size_mm))
        points = np.stack([xs, ys], axis=-1)
        places = np.round(View(replace(camera, size_px=METER_PX), self.setup.slab).px(points)).astype(int)
        columns, rows = (np.clip(places[..., i], 0, METER_PX[i] - 1) for i in (0, 1))
        at = np.minimum(np.round(points * ART_PX_PER_MM).astype(int), np.array(self.art.shape[1::-1]) - 1)
        printed = linear(self.art)[at[..., 1], at[..., 0]].reshape(-1, 3)
        gain = exposure(light[rows, columns].reshape(-1, 3), printed, self.setup.finish.balance)
        return np.asarray(gain * self.setup.finish.key, np.float32)

    def _bodies(self, pieces: Sequence[PlacedPiece], moment: Moment) -> dict[str, Body]:
        slab, things = self.setup.slab, self.things
        width, height = self.plan.size_mm
        atlas = (PX_PER_MM / SIDE_PX, PX_PER_MM / SIDE_PX)
        edge = join([slab.edge(things.props.card_side), things.standing(pieces, moment)])
        return {
            "table": Body(self._table_top(), "table", (1.0, 1.0)),
            "board": Body(slab.top(), "board", (1 / width, 1 / height)),
            "things": Body(edge, "things", atlas),
            **{who: Body(things.pieces_of(who, pieces), "things", atlas) for who in self.plan.factions},
            "cover": Body(things.covering(pieces, moment), "things", atlas),
        }

    def _table_top(self) -> Mesh:
        width, height = self.plan.size_mm
        ends = np.array([-TABLE_MM, TABLE_MM])
        flat = sheet(ends, ends, np.full((2, 2), self.setup.slab.table_mm))
        shares = (flat.uv_mm + CLOTH_MARGIN_MM) / np.array([width + 2 * CLOTH_MARGIN_MM, height + 2 * CLOTH_MARGIN_MM])
        return Mesh(flat.points, flat.normals, shares)

    def _scene(self, pieces: Sequence[PlacedPiece], moment: Moment) -> Any:
        drift = drift_of(self.setup, moment)
        return self.tracer.scene(self._bodies(pieces, moment), drift.lamps(self.scene.lights), drift.room)


def _even(level: float) -> Linear:
    return np.full((2, 2), level, np.float32)
