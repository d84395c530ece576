"""A draft as a picture: which of its areas and marks each page of the tracer shows, and where."""

from __future__ import annotations

import math
from collections.abc import Iterator

from companion.drawing.icons import ICONS
from companion.tracing.draft import Draft, Home, Patch, Units
from companion.tracing.hexes import Cell, Point, box
from companion.tracing.shape import Shape, shape_of
from companion.tracing.viewport import BoardImage, Viewport
from companion.ui.intents import Place
from companion.ui.table_pictures import DraftPicture, Mark, TracedArea


def picture_of(
    draft: Draft, image: BoardImage, window: Viewport, page: str, chosen: Home | None = None
) -> DraftPicture:
    """Return what a page shows of the draft in a window."""
    data, size_px = image.jpeg(window)
    shape = shape_of(draft)
    return DraftPicture(
        data,
        size_px,
        areas=(*_hexes(draft, window, page), *_areas(shape, window, page, chosen), *_sections(shape, window, page)),
        marks=tuple(_marks(shape, window, page)),
        piers=tuple(_piers(draft, window)) if page == "marks" else (),
        half=window.length(draft.space_side_mm if page == "spaces" else 7.0),
    )


def _hexes(draft: Draft, window: Viewport, page: str) -> Iterator[TracedArea]:
    """Yield the hexes that belong to no area, while areas are made and before there are any."""
    if draft.grid is None or page not in ("grid", "areas"):
        return
    taken = {cell for patch in draft.patches for cell in patch.cells} if page == "areas" else set[Cell]()
    for cell in draft.grid.cells(draft.size_mm):
        if cell not in taken:
            yield TracedArea(_outline(draft.grid.corners(cell), window), "")


def _areas(shape: Shape, window: Viewport, page: str, chosen: Home | None) -> Iterator[TracedArea]:
    if page == "grid" or shape.draft.grid is None:
        return
    for name, patch in shape.areas.items():
        try:
            outline = _outline(shape.outline(name), window)
            state = ""
        except ValueError:
            outline, state = _outline(shape.draft.grid.corners(patch.cells[0]), window), "bad"
        x, y = shape.draft.grid.centre(patch.cells[0])
        at = window.place((x, y + shape.draft.grid.side_mm * 0.66))  # where its name is written: low in its first hex
        mine = chosen is not None and chosen in patch.cells
        zone = patch.zone if page == "zones" else ""
        yield TracedArea(outline, patch.kind, name, at, zone, patch.fort and page == "marks", state or "chosen" * mine)


def _sections(shape: Shape, window: Viewport, page: str) -> Iterator[TracedArea]:
    if page not in ("zones", "start", "spaces", "check"):
        return
    for section in shape.draft.sections:
        corners = box(section.centre_mm, section.size_mm)
        at = window.place((section.centre_mm[0], section.centre_mm[1] + section.size_mm[1] / 2 - 5))
        yield TracedArea(_outline(corners, window), "air", "", at, section.zone)


def _outline(points: tuple[Point, ...], window: Viewport) -> tuple[Place, ...]:
    return tuple(map(window.place, points))


def _piers(draft: Draft, window: Viewport) -> Iterator[tuple[Place, Place]]:
    grid = draft.grid
    if grid is None:
        return
    for patch in draft.patches:
        for pier in patch.piers:
            near = min(patch.cells, key=lambda cell: math.dist(grid.centre(cell), grid.centre(pier)))
            yield window.place(grid.centre(near)), window.place(grid.centre(pier))


def _marks(shape: Shape, window: Viewport, page: str) -> Iterator[Mark]:
    draft = shape.draft
    if draft.grid is None:
        return
    if page == "spaces":
        for spot in draft.spots:
            yield Mark(spot.action, window.place(spot.at_mm), "", spot.faction, in_hex=True)
        return
    step = draft.grid.side_mm * 0.55
    for patch in draft.patches:
        x, y = draft.grid.centre(patch.cells[0])
        for i, mark in enumerate(_of(patch, page)):
            at = window.place((x + (i % 2 - 0.5) * step, y + (i // 2 - 0.6) * step))
            yield Mark(mark.sign, at, mark.text, mark.faction, mark.what)
    if page == "start":
        for section in draft.sections:
            for mark in _units(section.start):
                yield Mark(mark.sign, window.place(section.centre_mm), mark.text, mark.faction, mark.what)


def _of(patch: Patch, page: str) -> Iterator[Mark]:
    """Yield what a page shows in an area; the caller places the marks side by side."""
    nowhere = (0.0, 0.0)
    if page == "points" and patch.vp:
        yield Mark("points", nowhere, str(patch.vp))
    if page == "start":
        yield from _units(patch.start)
    if page != "marks":
        return
    if patch.hq:
        yield Mark("castle", nowhere, "", patch.hq)
    if patch.slot:
        yield Mark(patch.slot if patch.slot in ICONS else "", nowhere, "" if patch.slot in ICONS else patch.slot)
    if patch.no_drop:
        yield Mark("forbidden", nowhere)
    if patch.printed:
        yield Mark(patch.printed, nowhere)


def _units(start: Units) -> Iterator[Mark]:
    for faction, unit, n in start:
        yield Mark("unit", (0.0, 0.0), str(n), faction, unit)
