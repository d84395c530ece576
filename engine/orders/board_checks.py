"""Checks of a board's data beyond their form: every fault at once. The data may come from a stranger."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from engine.areas import MOST_AREAS
from engine.orders.mode import Mode

Point = Sequence[float]
BESIDE_MM = 3.0
"""How far a place may lie beside the board, as outlines are traced by hand."""
LEAST_MM2 = 10.0
MOST_NUMBER = 30
_DEFENCE, _SHOT, _JOIN = ("defence", "opponent"), ("shot", "mover"), ("join", "mover")
FITTING: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "dice": {"move": _DEFENCE, "drop": _DEFENCE, "shoot": _SHOT},
    "place": {"place": _JOIN},
    "join": {"move": _JOIN, "drop": _JOIN},
    "share": {"move": ("deploy", "mover")},
    "again": {"shoot": ("again", "mover")},
    "extra": dict.fromkeys(("", "move", "shoot", "drop", "place", "draw"), ("deploy", "mover")),
}
"""What fits a card, by its verb: {verb of its action, "" for none: (moment, by)}. A "table" card fits anything."""
WITH_UNITS = ("place", "join")


def faults(data: Mapping[str, Any], mode: Mode) -> Iterator[str]:
    """Yield every fault of a board's data that the check against their form cannot find."""
    areas: Mapping[str, Mapping[str, Any]] = data["areas"]
    if len(areas) > MOST_AREAS:
        yield f"{len(areas)} areas are more than {MOST_AREAS}"
        return
    for name, row in areas.items():
        yield from _border_faults(name, row, areas)
        yield from _start_faults(name, row, mode)
        yield from _zone_faults(name, row, areas, "air" in mode.kinds_on)
        yield from _mark_faults(name, row, data["slots"], mode)
    for faction in mode.factions:
        if sum(row.get("hq") == faction for row in areas.values()) != 1:
            yield f"{faction} needs exactly one headquarters"
    for slot, times in Counter(data["slots"]).items():
        if times > 1 or sum(row.get("slot") == slot for row in areas.values()) != 1:
            yield f"slot {slot} needs exactly one area"
    yield from _box_faults(areas, mode)
    for name in data["spaces"]:
        yield from _space_faults(name, areas, mode)
    yield from _colour_faults(data, mode)
    yield from _place_faults(data)
    yield from _support_faults(data.get("support", {}), mode)
    yield from _card_faults(data.get("cards", {}), mode)


# ---- areas ------------------------------------------------------------------------------------


def _border_faults(name: str, row: Mapping[str, Any], areas: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    if len(set(row["adjacent"])) < len(row["adjacent"]) or name in row["adjacent"]:
        yield f"{name}.adjacent: itself, or an area twice"
    for other in row["adjacent"]:
        if other not in areas:
            yield f"{name} borders {other}, which is no area"
        elif name not in areas[other]["adjacent"]:
            yield f"{name} borders {other}, but not the other way round"
    for port in row.get("ports", ()):
        if port not in row["adjacent"] or areas.get(port, row)["kind"] != "water":
            yield f"{name} has a pier to {port}, which it does not border"


def _start_faults(name: str, row: Mapping[str, Any], mode: Mode) -> Iterator[str]:
    places = {unit.name: unit.place for unit in mode.units}
    here = row.get("start", {})
    for faction, units in here.items():
        if faction not in mode.factions:
            yield f"{name} starts with units of {faction}, which is no faction"
        yield from (f"{name}: no {unit} can start there" for unit in units if places.get(unit) != row["kind"])
        cap = mode.caps.get(row["kind"], 0)
        if sum(units.values()) > cap:
            yield f"{name} starts with more than {cap} units"
    if len(here) > 1:
        yield f"{name} starts with units of both factions"


def _zone_faults(
    name: str, row: Mapping[str, Any], areas: Mapping[str, Mapping[str, Any]], flown: bool
) -> Iterator[str]:
    zone = row.get("zone")
    if flown and zone is None and "hq" in row:
        yield f"{name}.zone: a headquarters lies beneath an air zone"
    if zone is not None and (row["kind"] != "land" or areas.get(zone, {}).get("kind") != "air"):
        yield f"{name}.zone: {zone!r} is no air zone, or {name} is no land"
    mixed = [other for other in row["adjacent"] if (areas.get(other, row)["kind"] == "air") != (row["kind"] == "air")]
    yield from (f"{name} borders {other}: an air zone borders other air zones alone" for other in mixed)
    if row["kind"] == "air" and row.get("vp"):
        yield f"{name}.vp: an air zone has no victory points"


def _mark_faults(name: str, row: Mapping[str, Any], slots: Sequence[str], mode: Mode) -> Iterator[str]:
    """Check what is printed on an area: only on land, and only what there is."""
    for key in ("hq", "slot", "fort", "no_drop", "printed"):
        if row["kind"] != "land" and row.get(key):
            yield f"{name}.{key}: {name} is no land"
    if row.get("hq", mode.factions[0]) not in mode.factions:
        yield f"{name}.hq: {row['hq']!r} is no faction"
    if "slot" in row and row["slot"] not in slots:
        yield f"{name}.slot: {row['slot']!r} is none of the slots"
    if row.get("printed", next(iter(mode.bonuses), None)) not in mode.bonuses:
        yield f"{name}.printed: {row['printed']!r} is no bonus of this mode"


def _box_faults(areas: Mapping[str, Mapping[str, Any]], mode: Mode) -> Iterator[str]:
    """Check that the board has no more of a unit than there is in the box."""
    for faction in mode.factions:
        rows = [row.get("start", {}).get(faction, {}) for row in areas.values()]
        for unit in mode.units:
            n = sum(row.get(unit.name, 0) for row in rows)
            if n > unit.reserve:
                yield f"{faction} starts with {n} of {unit.reserve} units of the kind {unit.name}"


def _colour_faults(data: Mapping[str, Any], mode: Mode) -> Iterator[str]:
    for name, faction in data.get("space_faction", {}).items():
        if name not in data["spaces"] or faction not in mode.factions:
            yield f"space_faction.{name}: {faction!r} cannot own it"
        elif f"{name.partition(':')[0]}.faction" not in mode.rules:
            yield f"space_faction.{name}: the spaces of this action have no colour"


def _space_faults(name: str, areas: Mapping[str, Mapping[str, Any]], mode: Mode) -> Iterator[str]:
    action, _, area = name.partition(":")
    if action not in mode.actions:
        yield f"space {name}: {action!r} is no action"
    elif area not in areas:
        yield f"space {name}: {area!r} is no area"
    elif areas[area]["kind"] != mode.actions[action].kind:
        yield f"space {name}: {action} needs a {mode.actions[action].kind} area"


# ---- places -----------------------------------------------------------------------------------


def _place_faults(data: Mapping[str, Any]) -> Iterator[str]:
    """Check every point and outline of the board.

    A point has two numbers and lies on the board; an outline encloses something and crosses no other side.
    """
    size = data["size_mm"]
    for key, point in _points(data):
        if len(point) != 2:
            yield f"{key}: a point has two numbers"
        elif len(size) == 2 and not all(
            -BESIDE_MM <= x <= side + BESIDE_MM for x, side in zip(point, size, strict=True)
        ):
            yield f"{key}: {point[0]:g}, {point[1]:g} lies beside the board"
    for name, row in data["areas"].items():
        ring = row["polygon_mm"]
        if all(len(point) == 2 for point in ring) and not _is_simple(ring):
            yield f"{name}.polygon_mm: no simple outline"


def _points(data: Mapping[str, Any]) -> Iterator[tuple[str, Point]]:
    yield "size_mm", data["size_mm"]
    yield from ((f"space {name}", point) for name, point in data["spaces"].items())
    for name, row in data["areas"].items():
        yield from ((f"{name}.{key}", point) for key in ("polygon_mm", "centres_mm") for point in row[key])


def _is_simple(ring: Sequence[Point]) -> bool:
    """Return whether the ring encloses an area, and its sides meet only at the corners of neighbours."""
    sides = list(zip(ring, (*ring[1:], ring[0]), strict=True))
    doubled = sum(a[0] * b[1] - b[0] * a[1] for a, b in sides)
    if abs(doubled) < 2 * LEAST_MM2 or any(math.dist(a, b) == 0 for a, b in sides):
        return False
    apart = ((i, j) for i, j in combinations(range(len(sides)), 2) if 1 < j - i < len(sides) - 1)
    return not any(_meet(sides[i], sides[j]) for i, j in apart)


def _meet(edge: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    (a, b), (c, d) = edge, other
    ends = (_turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b))
    if ends[0] * ends[1] < 0 and ends[2] * ends[3] < 0:
        return True
    touching = ((a, b, c), (a, b, d), (c, d, a), (c, d, b))
    return any(turn == 0 and _between(*three) for turn, three in zip(ends, touching, strict=True))


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _between(a: Point, b: Point, c: Point) -> bool:
    """Return whether c, on the line through a and b, lies between them."""
    return min(a[0], b[0]) <= c[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])


# ---- the owner's own numbers and cards --------------------------------------------------------


def _support_faults(support: Mapping[str, Mapping[str, Any]], mode: Mode) -> Iterator[str]:
    for name, row in support.items():
        action = mode.actions.get(name.partition(":")[0])
        if action is None or action.verb not in ("place", "draw"):
            yield f"support.{name}: no such action"
        numbers = {"amount": row["amount"], "siege": row.get("siege", 0), **row.get("amounts", {})}
        yield from (f"support.{name}.{key}: {n} is no number of units" for key, n in numbers.items() if not _may(n))
        for faction in row.get("amounts", {}):
            if faction not in mode.factions:
                yield f"support.{name}.amounts: {faction!r} is no faction"


def _card_faults(cards: Mapping[str, Mapping[str, Any]], mode: Mode) -> Iterator[str]:
    for name, row in cards.items():
        for key in ("copies", "amount"):
            if not _may(row[key]):
                yield f"cards.{name}.{key}: {row[key]} is no number for a card"
        if row["action"] not in ("", *mode.actions):
            yield f"cards.{name}.action: {row['action']!r} is no action of this mode"
        elif row["verb"] in FITTING:
            yield from _effect_faults(f"cards.{name}", row, mode)


def _effect_faults(where: str, row: Mapping[str, Any], mode: Mode) -> Iterator[str]:
    """Check a card that the engine plays: its deed fits its action, moment, player and units."""
    action = mode.actions.get(row["action"])
    fitting = FITTING[row["verb"]].get(action.verb if action is not None else "")
    if fitting is None:
        yield f"{where}.verb: {row['verb']!r} does not go with {row['action'] or 'no action'}"
        return
    for key, fits in zip(("moment", "by"), fitting, strict=True):
        if row[key] != fits:
            yield f"{where}.{key}: {row[key]!r} is not {fits}"
    kinds = [unit.name for unit in mode.units if action is not None and unit.place == action.kind]
    if row.get("unit", "") not in (kinds if row["verb"] in WITH_UNITS else [""]):
        yield f"{where}.unit: {row.get('unit', '')!r} cannot be its unit"


def _may(n: int) -> bool:
    return 0 <= n <= MOST_NUMBER
