"""Mitsuba 3 draws a scene: meshes with textures, lamps, a room, seen through a pinhole; the noise is then taken out.

The one module that needs `mitsuba` and `pyoidn` (and libLLVM 17 or later). World axes are x, -y and height, in mm;
colours come in as blue-green-red and go out so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from math import atan, degrees, pi
from typing import Any

import drjit  # type: ignore[import-not-found]
import mitsuba  # type: ignore[import-not-found]
import numpy as np
import numpy.typing as npt
import pyoidn  # type: ignore[import-not-found]

from training.traced.meshes import Mesh, mirror
from training.traced.picture import Bend
from vision.simulation.camera import SimulatedCamera
from vision.simulation.draw import Light

Linear = npt.NDArray[np.float32]
Mask = npt.NDArray[np.uint8]

mitsuba.set_variant("llvm_ad_rgb")
drjit.set_thread_count(1)

DEPTH = 6
GUIDE_SAMPLES = 4
BRIGHTEST = 200.0
FLIP = np.array([1.0, -1.0, 1.0])


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A material: a picture of its colours, one of its roughness (0 to 1), and the strength of its reflection.

    `relief_mm` are its heights, (rows, columns); the surface stays flat, but reflects as if it had them.
    """

    colour: npt.NDArray[np.uint8]
    rough: Linear
    shine: float
    mirrored_round: bool = False
    relief_mm: Linear | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A mesh and its material's name; `uv_scale` turns the mesh's places in mm into shares of the picture."""

    mesh: Mesh
    surface: str
    uv_scale: tuple[float, float]


class Tracer:
    """Materials and a room that stay; scenes of them are drawn one after another."""

    def __init__(self, surfaces: Mapping[str, Surface], room: Linear, middle_mm: tuple[float, float]) -> None:
        self.materials = {name: _material(surface) for name, surface in surfaces.items()}
        self.middle = np.array([*middle_mm, 0.0])
        self.room = _surrounding(room)

    def in_room(self, room: Linear) -> Tracer:
        """Return the same materials in another room."""
        other = copy(self)
        other.room = _surrounding(room)
        return other

    def scene(self, bodies: Mapping[str, Body], lights: Sequence[Light], sky: float = 1.0) -> Any:
        """Build the scene of the bodies, by name, under the lights, in the room made `sky` times as bright."""
        room = mitsuba.traverse(self.room)
        room["scale"] = sky
        room.update()
        parts: dict[str, Any] = {"type": "scene", "room": self.room}
        for name, body in bodies.items():
            if len(body.mesh.points):
                parts[name] = self._mesh(name, body)
        for number, light in enumerate(lights):
            parts[f"light{number}"] = self._light(light)
        return mitsuba.load_dict(parts)

    def _mesh(self, name: str, body: Body) -> Any:
        props = mitsuba.Properties()
        props["bsdf"] = self.materials[body.surface]
        world, count = mirror(body.mesh), len(body.mesh.points)
        mesh = mitsuba.Mesh(name, count, count // 3, has_vertex_normals=True, has_vertex_texcoords=True, props=props)
        params = mitsuba.traverse(mesh)
        params["vertex_positions"] = np.ravel(world.points).astype(np.float32)
        params["vertex_normals"] = np.ravel(world.normals).astype(np.float32)
        params["vertex_texcoords"] = np.ravel(world.uv_mm * np.array(body.uv_scale)).astype(np.float32)
        params["faces"] = np.arange(count, dtype=np.uint32)
        params.update()
        return mesh

    def _light(self, light: Light) -> dict[str, Any]:
        at = np.array(light.at_mm)
        away = at - self.middle
        distance = float(np.linalg.norm(away))
        strength = pi * distance**2 / (pi * light.radius_mm**2 * max(0.1, away[2] / distance))
        aim = mitsuba.ScalarTransform4f().look_at(
            origin=(at * FLIP).tolist(), target=(self.middle * FLIP).tolist(), up=[0.0, 0.6, 0.8]
        )
        rgb = [float(value) * strength for value in light.bgr[::-1]]
        shape = "disk" if light.radius_mm < 250 else "rectangle"
        sides = (1.0, 1.0) if shape == "disk" else (0.75, 1.05)
        size = mitsuba.ScalarTransform4f().scale([light.radius_mm * sides[0], light.radius_mm * sides[1], 1.0])
        radiance = {"type": "rgb", "value": rgb}
        return {"type": shape, "to_world": aim @ size, "emitter": {"type": "area", "radiance": radiance}}


def _surrounding(room: Linear) -> Any:
    up = mitsuba.ScalarTransform4f().rotate([1, 0, 0], 90)
    bitmap = mitsuba.Bitmap(np.ascontiguousarray(room[..., ::-1]))
    return mitsuba.load_dict({"type": "envmap", "bitmap": bitmap, "to_world": up})


def _material(surface: Surface) -> Any:
    wrap = "mirror" if surface.mirrored_round else "clamp"
    colour = mitsuba.Bitmap(np.ascontiguousarray(surface.colour[..., ::-1]))
    rough = mitsuba.Bitmap(np.ascontiguousarray(surface.rough[..., None], np.float32))
    plain = {
        "type": "principled",
        "base_color": {"type": "bitmap", "bitmap": colour, "wrap_mode": wrap},
        "roughness": {"type": "bitmap", "bitmap": rough, "raw": True, "wrap_mode": wrap},
        "specular": surface.shine,
    }
    if surface.relief_mm is None:
        return mitsuba.load_dict({"type": "twosided", "bsdf": plain})
    heights = mitsuba.Bitmap(np.ascontiguousarray(surface.relief_mm[..., None]))
    relief = {"type": "bitmap", "bitmap": heights, "raw": True, "wrap_mode": wrap}
    return mitsuba.load_dict({"type": "twosided", "bsdf": {"type": "bumpmap", "relief": relief, "bsdf": plain}})


def decoded_exr(data: bytes) -> Linear:
    """Decode an OpenEXR file's bytes to (rows, columns, 3) linear blue-green-red."""
    stream = mitsuba.MemoryStream(len(data))
    stream.write(data)
    stream.seek(0)
    drjit.set_thread_count(2)  # with one thread Mitsuba 3.9 waits for ever for the reader's second
    bitmap = mitsuba.Bitmap(stream).convert(mitsuba.Bitmap.PixelFormat.RGB, mitsuba.Struct.Type.Float32, False)
    drjit.set_thread_count(1)
    return np.ascontiguousarray(np.array(bitmap, np.float32)[..., ::-1])


def sensor(camera: SimulatedCamera, film: Bend) -> Any:
    """Build the camera without its distortion, as wide as `film` needs."""
    right_down_forward = camera.rotation * np.array([1.0, -1.0, -1.0])
    origin = camera.centre_mm * FLIP
    target = origin + right_down_forward[2] * 100
    to_world = mitsuba.ScalarTransform4f().look_at(
        origin=origin.tolist(), target=target.tolist(), up=(-right_down_forward[1]).tolist()
    )
    width, height = film.film_px
    column, row, columns, rows = film.window
    plate = {
        "type": "hdrfilm",
        "width": width,
        "height": height,
        "crop_offset_x": column,
        "crop_offset_y": row,
        "crop_width": columns,
        "crop_height": rows,
        "rfilter": {"type": "box"},
    }
    return mitsuba.load_dict(
        {
            "type": "perspective",
            "fov": degrees(2 * atan(0.5 * film.wider / camera.focal)),
            "fov_axis": "x",
            "near_clip": 10.0,
            "far_clip": 10000.0,
            "to_world": to_world,
            "film": plate,
            "sampler": {"type": "independent"},
        }
    )


def light_of(scene: Any, eye: Any, seed: int, samples: int) -> Linear:
    """Return the light that reaches the film, (rows, columns, 3) linear, nearly free of noise."""
    path = mitsuba.load_dict({"type": "path", "max_depth": DEPTH, "hide_emitters": True})
    guide = mitsuba.load_dict({"type": "aov", "aovs": "albedo:albedo,normal:sh_normal"})
    light = np.array(mitsuba.render(scene, sensor=eye, integrator=path, spp=samples, seed=seed), np.float32)
    first = np.array(mitsuba.render(scene, sensor=eye, integrator=guide, spp=GUIDE_SAMPLES, seed=seed + 1), np.float32)
    albedo, normal = (np.ascontiguousarray(first[..., first_channel : first_channel + 3]) for first_channel in (0, 3))
    colour = np.minimum(np.ascontiguousarray(light[..., :3]), BRIGHTEST)
    clean = pyoidn.denoise(colour, np.clip(albedo, 0, 1), np.clip(normal, -1, 1), hdr=True, quality="balanced")
    return np.ascontiguousarray(clean[..., ::-1])


def mask_of(scene: Any, eye: Any, name: str, film: Bend) -> Mask:
    """Return where the body of that name is in sight, (rows, columns), 255 there and else 0."""
    shapes = [shape for shape in scene.shapes() if shape.id() == name]
    _, _, width, height = film.window
    if not shapes:
        return np.zeros((height, width), np.uint8)
    index = drjit.arange(mitsuba.UInt32, width * height)
    across, down = mitsuba.Float(index % width) + 0.5, mitsuba.Float(index // width) + 0.5
    place = mitsuba.Point2f(across / width, down / height)
    rays, _ = eye.sample_ray(0.0, 0.5, place, mitsuba.Point2f(0.5))
    hit = scene.ray_intersect_preliminary(rays)
    seen = hit.is_valid() & (hit.shape == mitsuba.ShapePtr(shapes[0]))
    return np.asarray(np.array(seen).reshape(height, width) * np.uint8(255), np.uint8)
