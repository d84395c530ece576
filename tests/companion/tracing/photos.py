"""Rivers taken down by touches alone, a plain photo of it to trace, and an eye that has seen it at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

import cv2
import numpy as np

from companion.tracing import eye
from companion.tracing.draft import AirSection, Draft, History, Patch
from companion.tracing.edits import Tool, ToolTouch, apply
from companion.tracing.eye import BoardProposal, SeenSpace
from companion.tracing.hexes import BoardGrid, Cell, neighbours, regular
from companion.tracing.symmetry import Symmetry, symmetry_of
from companion.tracing.work import TraceWork
from engine.orders.board import Area, Board, load_board
from vision.geometry import Picture
from vision.tracing.trace import FoundGrid, HexGrid, Sheet, open_sheet

GRID = regular((51.75, 68.66), 26.22)
RIVERS = load_board("sengoku-rivers")


def begun(board: Board = RIVERS) -> Draft:
    return Draft(name="sengoku-rivers-ana", mode=board.mode.name, size_mm=board.size_mm, grid=GRID)


def cells_of(area: Area) -> list[Cell]:
    return [GRID.cell_at(centre) for centre in area.centres_mm]


class Tracer:
    """Touches, one after the other."""

    def __init__(self, draft: Draft) -> None:
        self.history = History(draft)

    @property
    def draft(self) -> Draft:
        return self.history.draft

    def touch(self, tool: Tool, home: Cell | str, beside: Cell | None = None, at: tuple[float, float] = (0, 0)) -> None:
        self.history.put(apply(self.draft, ToolTouch(tool, home, beside, at), self.symmetry()))

    def symmetry(self) -> Symmetry | None:
        return symmetry_of(self.draft, RIVERS.factions)

    def areas(self, areas: list[Area]) -> None:
        for area in areas:
            first, *others = cells_of(area)
            self.touch(Tool("kind", area.kind), first)
            for before, cell in zip([first, *others], others, strict=False):
                patch = self.draft.patch_at(before)
                if patch is None or cell not in patch.cells:
                    self.touch(Tool("join"), before, cell)

    def prints(self, areas: list[Area]) -> None:
        """Enter what is printed on these areas."""
        for area in areas:
            cell = cells_of(area)[0]
            patch = self.draft.patch_at(cell)
            if area.vp and patch is not None and patch.vp != area.vp:
                self.touch(Tool("points", n=area.vp), cell)
            if area.hq:
                self.touch(Tool("hq", faction=area.hq), cell)
            if area.slot:
                self.touch(Tool("slot", area.slot), cell)
            for faction, unit, n in area.start:
                self.touch(Tool("start", unit, faction, n), cell)

    def piers(self, areas: list[Area]) -> None:
        for area in areas:
            for port in area.ports:
                if port not in self.missing(area):
                    continue
                near = next(c for c in cells_of(RIVERS.area(port)) if c in _near(cells_of(area)))
                self.touch(Tool("pier"), cells_of(area)[0], near)

    def missing(self, area: Area) -> list[str]:
        """Return the waters that the area's piers lead to, as far as none was set there as a twin's."""
        patch = self.draft.patch_at(cells_of(area)[0])
        piers = patch.piers if patch else ()
        return [port for port in area.ports if not {*cells_of(RIVERS.area(port))} & {*piers}]

    def spaces(self, names: list[str]) -> None:
        for space in RIVERS.spaces:
            known = {(spot.action, spot.on) for spot in self.draft.spots}
            if space.at_mm is None or (space.action.name, GRID.cell_at(space.at_mm)) in known:
                continue
            if space.area in names:
                self.touch(Tool("space", space.action.name), GRID.cell_at(space.at_mm), at=space.at_mm)


def _near(cells: list[Cell]) -> set[Cell]:
    return {near for cell in cells for near in neighbours(True, cell)}


def traced() -> Tracer:
    """Trace the whole of Rivers, touch by touch, without its symmetry."""
    tracer, areas = Tracer(begun()), list(RIVERS.areas)
    tracer.areas(areas)
    tracer.prints(areas)
    tracer.piers(areas)
    tracer.spaces([area.name for area in areas])
    return tracer


CORNERS = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
SHAPE = (740, 652, 3)


def photo() -> Picture:
    """(H, W, 3) BGR: the areas of Rivers in flat colours on a dark table."""
    picture = np.full(SHAPE, 40, np.uint8)
    for area in RIVERS.areas:
        ring = [(65.2 + x * 2, 74 + y * 2) for x, y in area.polygon_mm]
        colour = (120, 190, 210) if area.kind == "land" else (190, 140, 70)
        cv2.fillPoly(picture, [np.array(ring, np.int32)], colour)
    return picture


def work_of(draft: Draft) -> TraceWork:
    """Return a draft at work, its board made straight already."""
    picture = photo()
    work = TraceWork(replace(draft, corners=CORNERS), picture)
    work.look = eye.StraightBoard(eye.straighten(picture, CORNERS, draft.size_mm), None)
    return work


def rivers() -> TraceWork:
    """Rivers, complete."""
    return work_of(traced().draft)


def empty() -> TraceWork:
    """Return a draft with a photo and nothing else."""
    return work_of(replace(begun(), grid=None))


def island() -> TraceWork:
    """Return the beginning of a board with air zones."""
    zones = ("green", "green", "teal", "")
    patches = tuple(
        Patch((cell,), "land", zone=zone, hq=hq)
        for cell, zone, hq in zip(((0, 1), (1, 1), (2, 2), (3, 2)), zones, ("blue", "", "yellow", ""), strict=True)
    )
    sections = (AirSection("green", (20.0, 270.0), (36.0, 44.0), (("blue", "aircraft", 2),)),)
    return work_of(Draft("wwii-island-ana", "wwii-island", grid=GRID, patches=patches, sections=sections))


def _found(sheet: Sheet, grid: BoardGrid = GRID) -> eye.StraightBoard:
    return eye.StraightBoard(
        sheet, FoundGrid(sheet, HexGrid(grid.origin_mm, grid.across_mm, grid.down_mm, grid.flat), 0.9, {})
    )


def proposal() -> BoardProposal:
    """All areas as they are, and all spaces, alike by their action."""
    names = list(RIVERS.mode.actions)
    spaces = [
        SeenSpace(space.at_mm, GRID.cell_at(space.at_mm), names.index(space.action.name))
        for space in RIVERS.spaces
        if space.at_mm is not None
    ]
    areas = tuple((tuple(cells_of(area)), area.kind) for area in RIVERS.areas)
    return BoardProposal(areas, tuple(spaces), RIVERS.space_side_mm)


@contextmanager
def seeing(sees: bool = True) -> Iterator[None]:
    """Let the eye find Rivers on any photo at once, or nothing where `sees` is false."""
    none = eye.StraightBoard(open_sheet(photo(), [(65, 74), (587, 74), (587, 666), (65, 666)], (260.8, 296.5)), None)
    with (
        mock.patch.object(eye, "find_grid_on", lambda sheet, middles=None: _found(sheet) if sees or middles else none),
        mock.patch.object(eye, "fit_grid", _found),
        mock.patch.object(eye, "make_proposal", return_value=proposal()),
    ):
        yield
