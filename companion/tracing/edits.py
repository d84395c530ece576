"""What a touch does to a draft: a tool in the hand, and where it comes down. Every change goes through here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.tracing.draft import NOTHING, AirSection, Draft, DraftSpace, Home, Patch, Units
from companion.tracing.hexes import Cell, Point, in_order, neighbours, pieces
from companion.tracing.symmetry import Symmetry

SAME_SPOT_MM = 5.0
"""A touch nearer than this to an action space means that space, not another one."""
LEAST_SECTION_MM = 12.0
"""A section drawn smaller than this was a mere touch."""


@dataclass(frozen=True, slots=True)
class Tool:
    """What a touch does: its verb, what it puts, for which faction, and how many (or 1 for on, 0 for off)."""

    verb: str
    what: str = ""
    faction: str = ""
    n: int = 0


@dataclass(frozen=True, slots=True)
class ToolTouch:
    """A touch with a tool: on which hex or zone, beside which hex, where on the board, and where a drag ended (mm)."""

    tool: Tool
    home: Home
    beside: Cell | None = None
    at_mm: Point = (0.0, 0.0)
    to_mm: Point | None = None


def apply(draft: Draft, touch: ToolTouch, symmetry: Symmetry | None = None) -> Draft:
    """Return the draft after a touch; with a symmetry, what was touched is changed together with its twin, if any."""
    edit, decided = _EDITS[touch.tool.verb], _decide(draft, touch)
    after = edit(draft, decided)
    twin = _twin(draft, decided, symmetry) if symmetry else None
    return edit(after, twin) if twin else after


def _twin(draft: Draft, touch: ToolTouch, symmetry: Symmetry) -> ToolTouch | None:
    """Return the same touch on the other half; None if it would be the same place, or has no twin."""
    home = symmetry.home(touch.home)
    if touch.tool.verb in ALONE or home is None or isinstance(touch.home, str) or isinstance(home, str):
        return None
    beside = symmetry.cell(touch.beside) if touch.beside is not None else None
    if touch.beside is None and draft.patch_at(home) is not None and draft.patch_at(home) is draft.patch_at(touch.home):
        return None
    if touch.beside is not None and (beside is None or {home, beside} == {touch.home, touch.beside}):
        return None
    tool = replace(touch.tool, faction=symmetry.faction(touch.tool.faction))
    return ToolTouch(tool, home, beside, symmetry.at(touch.home, touch.at_mm))


def _decide(draft: Draft, touch: ToolTouch) -> ToolTouch:
    """Return the touch as one that adds, or one that removes what is there already: its `n` is 0 then."""
    home, beside = touch.home, touch.beside
    if touch.tool.verb == "join" and beside is not None and not isinstance(home, str) and not _patch(draft, touch):
        touch = replace(touch, home=beside, beside=home)  # a hex of no area joins the area beside it
    is_there = _is_there(draft, touch)
    is_counted = touch.tool.verb in ("points", "start") and not is_there
    return replace(touch, tool=replace(touch.tool, n=touch.tool.n if is_counted else int(not is_there)))


def _is_there(draft: Draft, touch: ToolTouch) -> bool:
    """Return whether what the tool would put is there already."""
    tool, patch = touch.tool, _patch(draft, touch)
    if tool.verb == "start":
        return (tool.faction, tool.what, tool.n) in _units(draft, touch.home)
    if tool.verb == "space":
        same = (spot for spot in draft.spots_on(touch.home) if spot.action == tool.what)
        near = (spot for spot in same if math.dist(spot.at_mm, touch.at_mm) < SAME_SPOT_MM)
        return any(spot.faction == tool.faction for spot in near)
    if patch is None:
        return False
    if tool.verb == "join":
        return touch.beside in patch.cells
    if tool.verb == "pier":
        land, water, _cell = _shore(draft, touch) or (None, None, None)
        return land is not None and water is not None and any(cell in land.piers for cell in water.cells)
    if tool.verb not in _MARKS:
        return False
    name, value = _MARKS[tool.verb](tool)
    return bool(getattr(patch, name) == value)


def _patch(draft: Draft, touch: ToolTouch) -> Patch | None:
    return None if isinstance(touch.home, str) else draft.patch_at(touch.home)


# ---- areas ------------------------------------------------------------------------------------


def _kind(draft: Draft, touch: ToolTouch) -> Draft:
    """Return the draft with the touched area made land or water, or the hex taken off the map."""
    patch, kind = _patch(draft, touch), touch.tool.what
    assert not isinstance(touch.home, str)
    if kind == NOTHING:
        return _without(draft, patch, touch.home) if patch else draft
    if patch is None:
        return draft.with_patch(None, Patch((touch.home,), kind))
    return draft.with_patch(patch, with_kind(patch, kind))


def with_kind(patch: Patch, kind: str) -> Patch:
    """Return the area as land or water; turned to water, it loses what only land can have."""
    return replace(patch, kind=kind) if kind == "land" else Patch(patch.cells, kind, patch.vp)


def _without(draft: Draft, patch: Patch, cell: Cell) -> Draft:
    """Return the draft without a hex; if its area falls apart, the first piece keeps what was set on it."""
    left = [kept for kept in patch.cells if kept != cell]
    draft = replace(draft, spots=tuple(spot for spot in draft.spots if spot.on != cell))
    assert draft.grid
    parts = [Patch(part, patch.kind) for part in pieces(draft.grid.flat, left)]
    return draft.with_patch(patch, *(replace(patch, cells=part.cells) for part in parts[:1]), *parts[1:])


def _join(draft: Draft, touch: ToolTouch) -> Draft:
    """Return the draft with two adjacent hexes' areas joined (n = 1), or the second hex parted from the first."""
    patch = _patch(draft, touch)
    if touch.beside is None or patch is None or draft.grid is None:
        return draft
    other, flat = draft.patch_at(touch.beside), draft.grid.flat
    if touch.tool.n and other is patch:
        return draft
    if touch.tool.n:
        added = other.cells if other else (touch.beside,)
        if not any(touch.beside in neighbours(flat, cell) for cell in patch.cells):
            return draft
        draft = draft if other is None else replace(draft, patches=tuple(p for p in draft.patches if p is not other))
        return draft.with_patch(patch, replace(patch, cells=in_order({*patch.cells, *added})))
    if other is not patch:
        return draft
    # the second hex goes, with what hangs on it alone
    left = [cell for cell in patch.cells if cell != touch.beside]
    first = next(part for part in pieces(flat, left) if touch.home in part)
    rest = [cell for cell in patch.cells if cell not in first]
    return draft.with_patch(patch, replace(patch, cells=first), Patch(tuple(rest), patch.kind))


# ---- what is printed on them ------------------------------------------------------------------

_MARKS: Mapping[str, Callable[[Tool], tuple[str, object]]] = {
    "points": lambda tool: ("vp", tool.n),
    "hq": lambda tool: ("hq", tool.faction),
    "slot": lambda tool: ("slot", tool.what),
    "printed": lambda tool: ("printed", tool.what),
    "fort": lambda tool: ("fort", True),
    "no_drop": lambda tool: ("no_drop", True),
    "zone": lambda tool: ("zone", tool.what),
}
_EMPTY = Patch((), "land")
_ONE = ("hq", "slot")
"""Of each of these there is one on the board."""
ANY_KIND = ("points",)
ALONE = ("slot", "zone", "section", "link")
"""What is not done to the twin too: its twin has another name, or none."""


def _mark(draft: Draft, touch: ToolTouch) -> Draft:
    patch = _patch(draft, touch)
    if patch is None or (patch.kind != "land" and touch.tool.verb not in ANY_KIND):
        return draft
    name, value = _MARKS[touch.tool.verb](touch.tool)
    change: dict[str, Any] = {name: value if touch.tool.n else getattr(_EMPTY, name)}
    put = replace(patch, **change)
    if name in _ONE and touch.tool.n:
        none: dict[str, Any] = {name: ""}
        others = (replace(p, **none) if getattr(p, name) == value else p for p in draft.patches)
        at = draft.patches.index(patch)
        draft = replace(draft, patches=tuple(others))
        patch = draft.patches[at]
    return draft.with_patch(patch, put)


def _pier(draft: Draft, touch: ToolTouch) -> Draft:
    """Return the draft with a pier between the touched land or water and the other beside it; n = 0 removes it."""
    shore = _shore(draft, touch)
    if shore is None:
        return draft
    land, water, cell = shore
    others = tuple(pier for pier in land.piers if pier not in water.cells)
    return draft.with_patch(land, replace(land, piers=(*others, cell) if touch.tool.n else others))


def _shore(draft: Draft, touch: ToolTouch) -> tuple[Patch, Patch, Cell] | None:
    """Return the land and water on the two sides of the touched border, and the water's hex; None if no shore."""
    patch = _patch(draft, touch)
    other = draft.patch_at(touch.beside) if touch.beside is not None else None
    if patch is None or other is None or touch.beside is None or isinstance(touch.home, str):
        return None
    if (patch.kind, other.kind) == ("land", "water"):
        return patch, other, touch.beside
    return (other, patch, touch.home) if (patch.kind, other.kind) == ("water", "land") else None


# ---- units ------------------------------------------------------------------------------------


def _units(draft: Draft, home: Home) -> Units:
    """Return the units that begin in an area, or in a zone's section."""
    holder = draft.section_of(home) if isinstance(home, str) else draft.patch_at(home)
    return holder.start if holder else ()


def _start(draft: Draft, touch: ToolTouch) -> Draft:
    """Return the draft with this many units of a kind beginning there; those of the other faction are removed."""
    tool, home = touch.tool, touch.home
    others = tuple(row for row in _units(draft, home) if row[0] == tool.faction and row[1] != tool.what)
    start: Units = (*others, (tool.faction, tool.what, tool.n)) if tool.n else others
    if isinstance(home, str):
        sections = tuple(
            replace(section, start=start) if section.zone == home else section for section in draft.sections
        )
        return replace(draft, sections=sections)
    patch = draft.patch_at(home)
    return draft.with_patch(patch, replace(patch, start=start)) if patch else draft


# ---- action spaces and air zones --------------------------------------------------------------


def _space(draft: Draft, touch: ToolTouch) -> Draft:
    """Return the draft with an action space at the touched place, moved if its area had one; n = 0 removes it."""
    tool = touch.tool
    if not isinstance(touch.home, str) and draft.patch_at(touch.home) is None:
        return draft
    same = [spot for spot in draft.spots_on(touch.home) if spot.action == tool.what]
    others = tuple(spot for spot in draft.spots if spot not in same)
    return replace(
        draft, spots=(*others, DraftSpace(tool.what, touch.home, touch.at_mm, tool.faction)) if tool.n else others
    )


def _section(draft: Draft, touch: ToolTouch) -> Draft:
    """Return the draft with a zone's aircraft section drawn between two corners; a mere touch removes it."""
    old = draft.section_of(touch.tool.what)
    others = tuple(section for section in draft.sections if section is not old)
    to = touch.to_mm or touch.at_mm
    wide, high = (abs(a - b) for a, b in zip(touch.at_mm, to, strict=True))
    if min(wide, high) < LEAST_SECTION_MM:
        return replace(draft, sections=others)
    middle = (touch.at_mm[0] + to[0]) / 2, (touch.at_mm[1] + to[1]) / 2
    section = AirSection(touch.tool.what, middle, (wide, high), old.start if old else ())
    return replace(draft, sections=(*others, section))


def _link(draft: Draft, touch: ToolTouch) -> Draft:
    """Return the draft with the touched zone, or touched land's, made a neighbour of the tool's, or no longer one."""
    patch = _patch(draft, touch)
    zone = patch.zone if patch else str(touch.home)
    if zone not in draft.zones or zone == touch.tool.what:
        return draft
    first, second = sorted((zone, touch.tool.what))
    return replace(draft, links=tuple(sorted({*draft.links} ^ {(first, second)})))


_EDITS: Mapping[str, Callable[[Draft, ToolTouch], Draft]] = {
    "kind": _kind,
    "join": _join,
    "pier": _pier,
    "start": _start,
    "space": _space,
    "section": _section,
    "link": _link,
    **dict.fromkeys(_MARKS, _mark),
}
