"""Printed sheets of markers as hands use them: rasterised, cut out along their lines, laid on a table, photographed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from xml.etree import ElementTree

import cv2
import numpy as np
import numpy.typing as npt
import pygame

from companion.printing.paper import ANCHORS, FAINT, PaperPage, page_svg, width_mm
from engine.sonae.field import Place
from engine.sonae.scenario import Scenario
from vision.bases.markers import MarkedTable, Points, turn_and_move
from vision.geometry import Picture
from vision.simulation.camera import Lens, SimulatedCamera, expose, falloff
from vision.simulation.marked.draw import Floats, Look, Painter, Surface, draw_surface
from vision.simulation.marked.shots import BASE_MM, camera_over

CAMERA = SimulatedCamera(tilt_deg=32.0, side_deg=10.0, radial=-0.06, size_px=(1640, 1232))
PX_PER_MM = 8
SVG = "{http://www.w3.org/2000/svg}"
Grey = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class CutOut:
    """A piece of paper cut out along its line: (H, W) uint8, what is printed on it, and its size (width, height)."""

    grey: Grey
    words: tuple[str, ...]
    size_mm: tuple[float, float]

    def black_corner(self) -> tuple[bool, bool]:
        """Whether the corner that is printed black is the right one, and the upper one."""
        reach = round(self.grey.shape[1] * 0.02)
        ends = {False: slice(None, reach), True: slice(-reach, None)}
        tones = {(right, up): self.grey[ends[not up], ends[right]].mean() for right in ends for up in ends}
        (black, tone), (_next, light) = sorted(tones.items(), key=lambda pair: pair[1])[:2]
        assert tone < 100
        assert light > 200
        return black


def cut_outs(pages: Sequence[PaperPage]) -> list[CutOut]:
    """Every piece of paper that is to be cut out of these sheets."""
    return [_cut(page, grey, box) for page in pages for grey in [rasterised(page)] for box in cut_lines(page)]


def rasterised(page: PaperPage) -> Grey:
    """(H, W) uint8 of a sheet as it is printed; words as grey bars, for no letter is darker than that."""
    plain = re.sub(r"<text.*?</text>|<style>.*?</style>", "", page_svg(page), flags=re.DOTALL)
    size = (round(page.size_mm[0] * PX_PER_MM), round(page.size_mm[1] * PX_PER_MM))
    surface = pygame.image.load_sized_svg(BytesIO(plain.encode()), size)
    grey = np.ascontiguousarray(pygame.surfarray.array3d(surface)[..., 1].T)
    for word in page.words:
        wide = width_mm(word.text, word.size_mm, word.bold)
        x, y = word.at_mm[0] - ANCHORS[word.anchor] * wide, word.at_mm[1]
        ends = [round(v * PX_PER_MM) for v in (x, y - 0.7 * word.size_mm, x + wide, y)]
        cv2.rectangle(grey, ends[:2], ends[2:], 120.0, -1)
    return np.asarray(grey, np.uint8)


def cut_lines(page: PaperPage) -> Iterator[tuple[float, float, float, float]]:
    """Left, top, width and height of what is to be cut out, in mm on the sheet."""

    def within(node: ElementTree.Element, x: float, y: float) -> Iterator[tuple[float, float, float, float]]:
        by = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", node.get("transform", ""))
        x, y = (x + float(by[1]), y + float(by[2])) if by else (x, y)
        if node.tag == f"{SVG}rect" and node.get("stroke") == FAINT:
            left, top, wide, high = (float(node.get(name, "0")) for name in ("x", "y", "width", "height"))
            yield x + left, y + top, wide, high
        for child in node:
            yield from within(child, x, y)

    yield from within(ElementTree.fromstring(page_svg(page)), 0.0, 0.0)


def _cut(page: PaperPage, grey: Grey, box: tuple[float, float, float, float]) -> CutOut:
    left, top, wide, high = box
    x0, y0, x1, y1 = (round(v * PX_PER_MM) for v in (left, top, left + wide, top + high))
    spots = [(word.text, *word.at_mm) for word in page.words]
    on_it = tuple(text for text, x, y in spots if left <= x <= left + wide and top <= y <= top + high)
    return CutOut(grey[y0:y1, x0:x1], on_it, (wide, high))


# ---- laid and photographed ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Photo:
    """How a table of printed papers is photographed: how wide a base is, how high its top is (in bases), the camera."""

    base_mm: float
    base_height: float = 0.08
    camera: SimulatedCamera = CAMERA


def photographed(scenario: Scenario, papers: Sequence[CutOut], photo: Photo) -> Picture:
    """(H, W, 3) uint8 BGR: corners laid by their names and black corners, bases where the battle begins."""
    table = MarkedTable(*scenario.size)
    painter = Painter(camera_over(table, photo.camera, 0.93), scenario.size, BASE_MM)
    draw_surface(painter, Surface("wood", (60, 90, 130), 2))
    for paper in papers:
        sides = [
            name for name in ("far left", "far right", "near right", "near left") if f"{name} corner" in paper.words
        ]
        if sides:
            _lay(painter, paper, _in_its_corner(paper, sides[0], photo.base_mm, scenario.size), 0.0)
    titles = {kind.title: kind.start for kind in scenario.units.values()}
    for paper in papers:
        for place in (titles[word] for word in paper.words if word in titles):
            corners = _on_its_base(paper, place, photo.base_mm)
            painter.box(corners, photo.base_height, (60, 90, 110))
            _lay(painter, paper, corners, photo.base_height)
    lens = Lens(noise=2.0)
    picture = expose(painter.image, lens, falloff(lens, painter.camera.size_px), np.random.default_rng(4))
    return np.asarray(picture, np.uint8)


def _in_its_corner(paper: CutOut, name: str, base_mm: float, field: tuple[float, float]) -> Points:
    """Return the paper's corners where its black one lies on the field's corner of that name.

    Top left first, clockwise.
    """
    wide, high = (side / base_mm for side in paper.size_mm)
    right, up = paper.black_corner()
    tip = np.array([field[0] if "right" in name else 0.0, field[1] if "far" in name else 0.0])
    left, top = tip + np.array([-wide if right else 0.0, 0.0 if up else high])
    return np.array([(left, top), (left + wide, top), (left + wide, top - high), (left, top - high)], np.float64)


def _on_its_base(paper: CutOut, place: Place, base_mm: float) -> Points:
    """Return the corners of a paper stuck onto a base, its upper edge to the front."""
    wide, high = (side / base_mm / 2 for side in paper.size_mm)
    return turn_and_move([(-wide, high), (wide, high), (wide, -high), (-wide, -high)], place.at, place.facing_deg)


def _lay(painter: Painter, paper: CutOut, corners: Points, up: float) -> None:
    painter.flat(corners, up, _paper_look(paper.grey, corners))


def _paper_look(grey: Grey, corners: Points) -> Look:
    """Return a printed paper over (4, 2) corners, top left first."""
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    way = np.stack([across / (across @ across), down / (down @ down)], axis=1)
    rows, columns = grey.shape

    def look(places: Floats) -> Floats:
        inner = (places - corners[0]) @ way
        inside = ((inner >= 0) & (inner < 1)).all(axis=1)
        column, row = (np.clip(inner[:, i] * n, 0, n - 1).astype(int) for i, n in enumerate((columns, rows)))
        lit = 25.0 + grey[row, column].astype(np.float64) * (200.0 / 255)
        return np.column_stack([lit, lit, lit, inside.astype(np.float64)])

    return look
