"""The pages of the tracer: the tools of each, and what it shows of the draft."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from companion.core.language import _
from companion.drawing.icons import ICONS
from companion.text.orders import action_name, colour_name, faction_name, short_units, slot_name
from companion.tracing.checker import has_air
from companion.tracing.draft import ON_MAP, Draft, Home, Patch, Shape, Units, shape_of
from companion.tracing.edits import Tool
from companion.tracing.hexes import Cell, Point, box
from companion.tracing.viewport import BoardImage, Viewport
from companion.tracing.work import slots_of
from companion.ui.intents import Place
from companion.ui.screen import Block, Button, Buttons, Choice, Intent, Look, Text
from companion.ui.table_pictures import DraftPicture, Mark, TracedArea
from engine.orders.mode import Mode

MOST_POINTS = 4
COLOURS = ("red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "brown", "white", "grey", "black")
BORDERED = ("join", "pier")
"""Tools that work on a border: the one of the touched hex nearest to the finger."""


def pages(mode: Mode) -> tuple[str, ...]:
    """Return the names of a mode's pages, in order."""
    zones = ("zones",) if has_air(mode) else ()
    return ("areas", "points", "marks", *zones, "start", "spaces", "support", "cards", "check")


def page_title(page: str) -> str:
    """Return the title of a page."""
    titles = {
        "areas": _("Areas"),
        "points": _("Points"),
        "marks": _("Printed symbols"),
        "zones": _("Air zones"),
        "start": _("Starting units"),
        "spaces": _("Action spaces"),
        "support": _("Support board"),
        "cards": _("Cards"),
        "check": _("Check"),
    }
    return titles[page]


def first_tool(page: str, mode: Mode) -> Tool:
    """Return the tool that is chosen when a page opens."""
    tools = {
        "areas": Tool("join"),
        "points": Tool("points", n=1),
        "marks": Tool("hq", faction=mode.factions[0]),
        "zones": Tool("zone", COLOURS[0]),
        "start": Tool("start", mode.units[0].name, mode.factions[0], 2),
        "spaces": Tool("space", next((action.name for action in mode.actions.values() if action.verb in ON_MAP), "")),
    }
    return tools.get(page, Tool(""))


def palette(page: str, mode: Mode, held: Tool) -> tuple[Block, ...]:
    """Return blocks with a page's hint and tools. held: the chosen tool."""
    return _PALETTES[page](mode, held)


def tool_of(intent: Intent) -> Tool:
    """Return the tool that a button's intent names."""
    verb, what, faction = intent.what.split("/")
    return Tool(verb, what, faction, intent.n)


def _button(label: str, tool: Tool, held: Tool, sign: str = "") -> Button:
    look: Look = "chosen" if tool == held else "plain"
    return Button(label, Intent("tool", f"{tool.verb}/{tool.what}/{tool.faction}", tool.n), look, sign)


def _areas(mode: Mode, held: Tool) -> tuple[Block, ...]:
    kinds = {unit.place for unit in mode.units}
    buttons = [_button(_("Borders"), Tool("join"), held), _button(_("Land"), Tool("kind", "land"), held)]
    if "water" in kinds:
        buttons.append(_button(_("Water"), Tool("kind", "water"), held))
    buttons.append(_button(_("Off the map"), Tool("kind", "none"), held))
    hints = {
        "join": _("Touch an edge between two hexes to add or remove a border."),
        "none": _("Touch the hexes that aren't part of the map."),
    }
    text = hints.get(held.verb) or hints.get(held.what) or _("Touch the areas of this kind.")
    return (Text(text), Buttons(tuple(buttons), 2))


def _points(_mode: Mode, held: Tool) -> tuple[Block, ...]:
    buttons = tuple(_button(str(n), Tool("points", n=n), held, "points") for n in range(1, MOST_POINTS + 1))
    return (Text(_("Touch each area worth this many points. Touch again to clear.")), Buttons(buttons, 2))


def _marks(mode: Mode, held: Tool) -> tuple[Block, ...]:
    """Return the tools for printed symbols, limited to those that this mode has."""
    actions = mode.actions.values()
    buttons = [_button(faction_name(faction), Tool("hq", faction=faction), held, "castle") for faction in mode.factions]
    buttons += [
        _button(slot_name(slot), Tool("slot", slot), held, slot if slot in ICONS else "") for slot in slots_of(mode)
    ]
    if any(action.ports for action in actions):
        buttons.append(_button(_("Pier"), Tool("pier"), held))
    if mode.fort_dice != mode.defence_dice:
        buttons.append(_button(_("Fort"), Tool("fort"), held))
    if any(action.verb == "drop" for action in actions):
        buttons.append(_button(_("No drop"), Tool("no_drop"), held, "forbidden"))
    printed = [bonus for bonus in mode.bonuses if bonus not in mode.tokens]
    buttons += [_button(mode.bonuses[bonus].heading, Tool("printed", bonus), held) for bonus in printed]
    text = _("Touch the border it's on.") if held.verb == "pier" else _("Touch where it's printed.")
    return (Text(text), Buttons(tuple(buttons), 3))


def _zones(_mode: Mode, held: Tool) -> tuple[Block, ...]:
    """Return the tools for air zones: their colours, the land beneath, the section, and borders."""
    verb, colour = held.verb, held.what
    hints = {
        "zone": _("Touch the land below this zone."),
        "section": _("Draw the aircraft section from corner to corner."),
        "link": _("Touch a zone to make it a neighbour of this one, or to undo that."),
    }
    ways = (("zone", _("Land")), ("section", _("Section")), ("link", _("Border")))
    tools = tuple(_button(label, Tool(way, colour), held) for way, label in ways)
    colours = tuple(_button(colour_name(tint).capitalize(), Tool(verb, tint), held) for tint in COLOURS)
    return (Text(hints[verb]), Buttons(tools, 3), Buttons(colours, 4))


def _start(mode: Mode, held: Tool) -> tuple[Block, ...]:
    kinds = tuple(
        _button(f"{faction_name(faction)} · {short_units(unit.name)}", Tool("start", unit.name, faction, held.n), held)
        for faction in mode.factions
        for unit in mode.units
    )
    most = max(mode.caps.values())
    numbers = tuple(_button(str(n), Tool("start", held.what, held.faction, n), held) for n in range(1, most + 1))
    text = Text(_("Touch each area that starts with this many. Touch again to clear."))
    return (text, Buttons(kinds, 2), Buttons(numbers, most))


def _spaces(mode: Mode, held: Tool) -> tuple[Block, ...]:
    actions = [action for action in mode.actions.values() if action.verb in ON_MAP]
    buttons = tuple(
        _button(action_name(action.name), Tool("space", action.name, held.faction, 0), held, action.name)
        for action in actions
    )
    text = Text(_("Touch each printed action. Touch again to remove."))
    owners = [("", _("both")), *((faction, faction_name(faction)) for faction in mode.factions)]
    whose = tuple(_button(label, Tool("space", held.what, faction, 0), held) for faction, label in owners)
    return (text, Buttons(buttons, 2), Choice(_("For"), whose))


_PALETTES: Mapping[str, Callable[[Mode, Tool], tuple[Block, ...]]] = {
    "areas": _areas,
    "points": _points,
    "marks": _marks,
    "zones": _zones,
    "start": _start,
    "spaces": _spaces,
}


def draft_picture(
    draft: Draft, image: BoardImage, window: Viewport, page: str, chosen: Home | None = None
) -> DraftPicture:
    """Return the part of the photo in the window, with what the page shows of the draft."""
    data, size_px = image.jpeg(window)
    shape = shape_of(draft)
    return DraftPicture(
        data,
        size_px,
        areas=(
            *_hexes(draft, window, page),
            *_traced_areas(shape, window, page, chosen),
            *_sections(shape, window, page),
        ),
        marks=tuple(_printed_marks(shape, window, page)),
        piers=tuple(_piers(draft, window)) if page == "marks" else (),
        half=window.length(draft.space_side_mm if page == "spaces" else 7.0),
    )


def _hexes(draft: Draft, window: Viewport, page: str) -> Iterator[TracedArea]:
    """Yield the hexes to outline: all on the page for the grid, those of no area on the page for areas."""
    if draft.grid is None or page not in ("grid", "areas"):
        return
    taken = {cell for patch in draft.patches for cell in patch.cells} if page == "areas" else set[Cell]()
    for cell in draft.grid.cells(draft.size_mm):
        if cell not in taken:
            yield TracedArea(_outline(draft.grid.corners(cell), window), "")


def _traced_areas(shape: Shape, window: Viewport, page: str, chosen: Home | None) -> Iterator[TracedArea]:
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


def _printed_marks(shape: Shape, window: Viewport, page: str) -> Iterator[Mark]:
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
    """Yield the marks that a page shows in an area, not placed yet."""
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
