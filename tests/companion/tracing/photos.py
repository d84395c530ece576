"""A photo of a board to trace, drawn plainly, and an eye that has seen it at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

import cv2
import numpy as np

from companion.tracing import eye
from companion.tracing.draft import Draft
from companion.tracing.eye import BoardProposal, SeenSpace
from companion.tracing.hexes import BoardGrid
from companion.tracing.work import TraceWork
from tests.companion.tracing.rivers import GRID, RIVERS, begun, cells_of, traced
from vision.geometry import Picture
from vision.tracing.trace import FoundGrid, HexGrid, Sheet, open_sheet

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
    from companion.tracing.draft import AirSection, Patch

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
