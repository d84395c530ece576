"""What is missing on a draft, or impossible: every fault, where it is, and on which page of the tracer it is put right.

A grave fault keeps the board from being saved, for the engine would refuse it. The others may be as printed. Each is
said in one sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from companion.core.language import _
from companion.text.orders import action_name, area_name, faction_name, unit_name
from companion.tracing.draft import ON_MAP, ZONE, Draft, DraftSpace, Home, Patch, Shape, shape_of
from companion.tracing.hexes import NotOnePiece
from companion.tracing.symmetry import Symmetry, symmetry_of, twin_of
from engine.areas import MOST_AREAS
from engine.orders.mode import Mode

STRETCHED = 0.04
"""How much wider than high hexes may come out before the size of the board is doubted."""


@dataclass(frozen=True, slots=True)
class DraftFault:
    """One thing on a draft that is missing or impossible.

    kind: what, a key of FAULTS; page: which page of the tracer puts it right; home: where on the board; facts: names
    and numbers for its sentence; grave: whether it keeps the board from being saved.
    """

    kind: str
    page: str
    home: Home | None = None
    facts: Mapping[str, str | int] = field(default_factory=dict)
    grave: bool = False


def faults_of(draft: Draft, mode: Mode) -> tuple[DraftFault, ...]:
    """Return every fault of a draft, the grave ones first; without a grid or two areas, that fault alone."""
    if draft.grid is None:
        return (DraftFault("no-grid", "grid", grave=True),)
    if len(draft.patches) < 2:
        return (DraftFault("no-areas", "areas", grave=True),)
    shape = shape_of(draft)
    found = [
        *_area_faults(shape),
        *_reach_faults(shape),
        *_mark_faults(shape, mode),
        *_zone_faults(shape, mode),
        *_start_faults(shape, mode),
        *_space_faults(shape, mode),
        *_unlike(shape, symmetry_of(draft, mode.factions)),
        *_size_faults(draft),
    ]
    return tuple(sorted(found, key=lambda fault: not fault.grave))


def has_air(mode: Mode) -> bool:
    """Return whether the mode has air zones."""
    return any(unit.place == "air" for unit in mode.units)


# ---- areas ------------------------------------------------------------------------------------


def _area_faults(shape: Shape) -> Iterator[DraftFault]:
    count = len(shape.near)
    if count > MOST_AREAS:
        yield DraftFault("too-many", "areas", facts={"n": count, "most": MOST_AREAS}, grave=True)
    for name, patch in shape.areas.items():
        try:
            shape.outline(name)
        except NotOnePiece:
            yield DraftFault("not-one-piece", "areas", patch.cells[0], {"area": name}, True)


def _reach_faults(shape: Shape) -> Iterator[DraftFault]:
    """Yield a fault for each area that no unit could ever come to."""
    first = next(iter(shape.areas))
    home = next((name for name, patch in shape.areas.items() if patch.hq), first)
    reached, edge = set[str](), {home}
    while edge:
        reached |= edge
        edge = {near for name in edge for near in shape.near[name]} - reached
    for name, patch in shape.areas.items():
        if name not in reached:
            yield DraftFault("unreachable", "areas", patch.cells[0], {"area": name})


def _size_faults(draft: Draft) -> Iterator[DraftFault]:
    """Yield a fault if hexes are stretched, which suggests that the board's size is wrong."""
    assert draft.grid
    (wide, _a), (_b, high) = draft.grid.across_mm, draft.grid.down_mm
    ratio = (wide / 1.5) / (high / 3**0.5) if draft.grid.flat else (wide / 3**0.5) / (high / 1.5)
    if abs(ratio - 1) > STRETCHED:
        yield DraftFault("stretched", "grid", facts={"percent": round(abs(ratio - 1) * 100)})


# ---- marks ------------------------------------------------------------------------------------


def _mark_faults(shape: Shape, mode: Mode) -> Iterator[DraftFault]:
    for faction in mode.factions:
        if not any(patch.hq == faction for patch in shape.areas.values()):
            yield DraftFault("no-hq", "marks", facts={"faction": faction}, grave=True)
    if not any(patch.slot for patch in shape.areas.values()):
        yield DraftFault("no-slot", "marks")
    if not any(patch.vp for patch in shape.areas.values()):
        yield DraftFault("no-points", "points")
    for name, patch in shape.areas.items():
        wrong = [port for port in shape.ports(patch) if port not in shape.near[name]]
        if wrong:
            yield DraftFault("pier-apart", "marks", patch.cells[0], {"area": name, "water": wrong[0]}, True)
    if any(action.ports for action in mode.actions.values()) and not any(p.piers for p in shape.areas.values()):
        yield DraftFault("no-piers", "marks")


def _zone_faults(shape: Shape, mode: Mode) -> Iterator[DraftFault]:
    draft = shape.draft
    if not has_air(mode):
        return
    for name, patch in shape.areas.items():
        if patch.kind == "land" and not patch.zone:
            yield DraftFault("no-zone", "zones", patch.cells[0], {"area": name}, grave=bool(patch.hq))
    for zone in draft.zones:
        if draft.section_of(zone) is None:
            yield DraftFault("no-section", "zones", zone, {"zone": ZONE + zone}, grave=True)
        if not any(patch.zone == zone for patch in draft.patches):
            yield DraftFault("no-land", "zones", zone, {"zone": ZONE + zone})
        if not shape.near[ZONE + zone] and len(draft.zones) > 1:
            yield DraftFault("zone-alone", "zones", zone, {"zone": ZONE + zone})


# ---- units ------------------------------------------------------------------------------------


def _start_faults(shape: Shape, mode: Mode) -> Iterator[DraftFault]:
    held: list[tuple[str, Home, str, tuple[tuple[str, str, int], ...]]] = [
        (name, patch.cells[0], patch.kind, patch.start) for name, patch in shape.areas.items()
    ]
    held += [(ZONE + section.zone, section.zone, "air", section.start) for section in shape.draft.sections]
    used: Counter[tuple[str, str]] = Counter()
    places = {unit.name: unit.place for unit in mode.units}
    for name, home, kind, start in held:
        for faction, unit, n in start:
            used[faction, unit] += n
            if places.get(unit) != kind:
                yield DraftFault("wrong-unit", "start", home, {"area": name, "units": f"{faction}/{unit}"}, True)
        cap = mode.caps.get(kind, 0)
        if sum(n for _faction, _unit, n in start) > cap:
            yield DraftFault("over-cap", "start", home, {"area": name, "most": cap}, True)
    for kind_of in mode.units:
        for faction in mode.factions:
            n = used[faction, kind_of.name]
            if n > kind_of.reserve:
                facts: dict[str, str | int] = {"units": f"{faction}/{kind_of.name}", "n": n, "most": kind_of.reserve}
                yield DraftFault("over-box", "start", None, facts, True)
    for faction in mode.factions:
        if not any(used[faction, unit.name] for unit in mode.units):
            yield DraftFault("no-units", "start", facts={"faction": faction})


# ---- action spaces ----------------------------------------------------------------------------


def _space_faults(shape: Shape, mode: Mode) -> Iterator[DraftFault]:
    draft = shape.draft
    for name, patch in shape.areas.items():
        if not draft.spots_on(patch.cells[0]):
            yield DraftFault("no-space", "spaces", patch.cells[0], {"area": name})
    for zone in draft.zones:
        if has_air(mode) and not draft.spots_on(zone):
            yield DraftFault("no-space", "spaces", zone, {"area": ZONE + zone})
    for spot in draft.spots:
        yield from _spot_faults(shape, spot, mode)
    used = {spot.action for spot in draft.spots}
    for action in mode.actions.values():
        if action.verb in ON_MAP and action.name not in used:
            yield DraftFault("no-action", "spaces", facts={"action": action.name})


def _spot_faults(shape: Shape, spot: DraftSpace, mode: Mode) -> Iterator[DraftFault]:
    name, action = shape.name_of(spot.on), mode.actions.get(spot.action)
    patch = shape.areas.get(name)
    kind = patch.kind if patch else "air"
    facts: dict[str, str | int] = {"area": name, "action": spot.action}
    if not name or (isinstance(spot.on, str) and shape.draft.section_of(spot.on) is None):
        yield DraftFault("space-nowhere", "spaces", spot.on, {"action": spot.action}, True)
    elif action is None or action.kind != kind:
        yield DraftFault("wrong-space", "spaces", spot.on, facts, True)
    elif shape.draft.home_at(spot.at_mm) not in (*(patch.cells if patch else ()), spot.on):
        yield DraftFault("space-outside", "spaces", spot.on, facts)


# ---- symmetry ---------------------------------------------------------------------------------


def _unlike(shape: Shape, symmetry: Symmetry | None) -> Iterator[DraftFault]:
    """Yield a fault for areas whose twin is not like them, each pair once."""
    if symmetry is None:
        return
    compared: set[str] = set()
    for name, patch in shape.areas.items():
        twin = twin_of(shape.draft, patch, symmetry)
        if twin is None:
            yield DraftFault("no-twin", "areas", patch.cells[0], {"area": name})
            continue
        twin_name = shape.name_of(twin.cells[0])
        if twin_name not in compared and name not in compared:
            compared |= {name, twin_name}
            facts = {"area": name, "other": twin_name}
            for what, page in _differences(shape, symmetry, patch, twin):
                yield DraftFault(f"unlike-{what}", page, patch.cells[0], facts)


def _differences(shape: Shape, symmetry: Symmetry, patch: Patch, twin: Patch) -> list[tuple[str, str]]:
    """Return how an area differs from its twin, each with the page where that is put right."""
    start = {(symmetry.faction(faction), unit, n) for faction, unit, n in patch.start}
    spots = {(spot.action, symmetry.faction(spot.faction)) for spot in shape.draft.spots_on(patch.cells[0])}
    twins = {(spot.action, spot.faction) for spot in shape.draft.spots_on(twin.cells[0])}
    alike = (
        ("kind", "areas", patch.kind == twin.kind),
        ("points", "points", patch.vp == twin.vp),
        ("marks", "marks", (patch.fort, patch.no_drop) == (twin.fort, twin.no_drop)),
        ("marks", "marks", bool(patch.slot) == bool(twin.slot) and symmetry.faction(patch.hq) == twin.hq),
        ("piers", "marks", len(shape.ports(patch)) == len(shape.ports(twin))),
        ("units", "start", start == set(twin.start)),
        ("spaces", "spaces", spots == twins),
    )
    return [(what, page) for what, page, same in alike if not same]


# ---- in sentences -----------------------------------------------------------------------------

FAULTS: Mapping[str, Callable[[], str]] = {
    "no-grid": lambda: _("No hexes found yet."),
    "no-areas": lambda: _("There are no areas yet."),
    "too-many": lambda: _("{n} areas and zones are too many: the limit is {most}."),
    "not-one-piece": lambda: _("The hexes of {area} aren't connected, or leave a hole."),
    "unreachable": lambda: _("Nothing leads to {area}."),
    "stretched": lambda: _("The hexes look {percent}% stretched: is the board's size right?"),
    "no-hq": lambda: _("{faction} has no headquarters."),
    "no-slot": lambda: _("No area has a bonus token space."),
    "no-points": lambda: _("No area is worth points."),
    "pier-apart": lambda: _("The pier of {area} leads to {water}, but the two aren't next to each other."),
    "no-piers": lambda: _("There's no pier on the map."),
    "no-zone": lambda: _("{area} isn't below any air zone."),
    "no-section": lambda: _("The aircraft section of the {zone} is missing."),
    "no-land": lambda: _("There's no land below the {zone}."),
    "zone-alone": lambda: _("The {zone} has no neighbouring zone."),
    "wrong-unit": lambda: _("{area}: {units} can't be there."),
    "over-cap": lambda: _("{area} starts with more than {most} units."),
    "over-box": lambda: _("{units}: {n} start on the map, but the box has only {most}."),
    "no-units": lambda: _("{faction} starts without any units."),
    "no-space": lambda: _("{area} has no action space."),
    "no-action": lambda: _("{action} has no space on the map."),
    "space-nowhere": lambda: _("One {action} space isn't in any area."),
    "wrong-space": lambda: _("{area} can't have a space for {action}."),
    "space-outside": lambda: _("The {action} space is outside {area}."),
    "no-twin": lambda: _("{area} has no matching area in the other half."),
    "unlike-kind": lambda: _("{area} and {other} should both be land, or both water."),
    "unlike-points": lambda: _("{area} and {other} are worth different points."),
    "unlike-marks": lambda: _("{area} and {other} have different symbols."),
    "unlike-piers": lambda: _("{area} and {other} have different piers."),
    "unlike-units": lambda: _("{area} and {other} start with different units."),
    "unlike-spaces": lambda: _("{area} and {other} have different action spaces."),
}


def fault_sentence(fault: DraftFault) -> str:
    """Describe a fault in one sentence, in the language in use."""
    words: dict[str, Callable[[str], str]] = {
        "faction": faction_name,
        "units": lambda units: unit_name(*units.split("/")),  # "red/troop"
        "action": action_name,
        **dict.fromkeys(("area", "other", "zone", "water"), area_name),
    }
    facts = {key: words[key](value) if isinstance(value, str) else value for key, value in fault.facts.items()}
    text = FAULTS[fault.kind]().format(**facts)
    # a name of an area at its start keeps its small letter
    return text if fault.facts.get("area") else text[:1].upper() + text[1:]
