"""The board as data: areas, their borders, and the action spaces on it and on the support board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.areas import Adjacency, mask_of
from engine.errors import BadTable, UnknownBoard
from engine.orders import board_checks
from engine.orders.mode import CARDS_FORM, KNOWN, PLACES, SUPPORT_FORM, ActionKind, Card, Mode, Support, load_mode
from engine.tables import Each, Registry, Several, Within, Word, join_faults, parse_table, read_table, table_names

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Area:
    """A land area, a water area or an air zone. Coordinates are in mm, x to the right, y down, from the top left.

    An air zone's outline is that of its aircraft section; `zone` is the air zone above a land area, `printed` a bonus
    printed on it, and `no_drop` the symbol that forbids a Paradrop.
    """

    name: str
    index: int
    kind: str
    vp: int
    hq: str | None
    ports: tuple[str, ...]
    slot: str | None
    fort: bool
    adjacent: tuple[str, ...]
    start: tuple[tuple[str, str, int], ...]
    polygon_mm: tuple[Point, ...]
    centres_mm: tuple[Point, ...]
    zone: str | None = None
    printed: str | None = None
    no_drop: bool = False


@dataclass(frozen=True, slots=True)
class Space:
    """An action space: linked to an area of the map, or on the support board (`area` is None).

    `faction` is the only one that may use it; None if both may.
    """

    name: str
    index: int
    action: ActionKind
    area: str | None
    area_index: int
    at_mm: Point | None
    support: Support | None
    faction: str | None = None

    @property
    def amount(self) -> int:
        """The number printed beside a support space; 0 for a linked one."""
        return self.support.amount if self.support else 0

    def amount_for(self, faction: str) -> int:
        """Return the number printed for this faction beside a support space; 0 for a linked one."""
        support = self.support
        if support is None:
            return 0
        return support.amounts.get(faction, support.amount) if support.amounts else support.amount


@dataclass(frozen=True, eq=False, slots=True)
class Board:
    """One side of a game board with its mode. Boards are compared by identity: there is one object for each."""

    name: str
    known: str
    mode: Mode
    size_mm: Point
    space_side_mm: float
    slots: tuple[str, ...]
    areas: tuple[Area, ...]
    spaces: tuple[Space, ...]
    scenery: str = ""
    """The scenery that a drawing puts around the areas and on the land."""
    area_index: Mapping[str, int] = field(init=False)
    space_index: Mapping[str, int] = field(init=False)
    adjacency: Adjacency = field(init=False)
    of_kind: Mapping[str, int] = field(init=False)
    """The areas of each kind, as sets."""
    land: int = field(init=False)
    water: int = field(init=False)
    air: int = field(init=False)
    zones: tuple[int, ...] = field(init=False)
    """For each land area the number of the air zone above it, -1 where there is none."""
    beneath: tuple[int, ...] = field(init=False)
    """For each air zone the land areas beneath it, as a set; 0 for other areas."""
    homes: tuple[int, int] = field(init=False)
    """Where each faction's chains of supply begin: its headquarters and the air zone above it, as sets."""
    open_homes: tuple[int, int] = field(init=False)
    """`homes` with the zones next to that air zone, where a chain may begin too (reading hq-zone-lost)."""
    no_drop: int = field(init=False)
    printed: tuple[tuple[int, str], ...] = field(init=False)
    """The bonuses printed on the map: (area, bonus)."""
    ports: tuple[int, ...] = field(init=False)
    harbours: int = field(init=False)
    """The areas with a port, as a set."""
    hq: tuple[int, ...] = field(init=False)
    bits: tuple[int, ...] = field(init=False)
    vps: tuple[int, ...] = field(init=False)
    forts: int = field(init=False)
    slot_areas: tuple[int, ...] = field(init=False)
    twins: tuple[int, ...] = field(init=False)
    """For each support space all spaces of its action, as a set; 0 for linked spaces."""

    def __post_init__(self) -> None:
        at = {area.name: area.index for area in self.areas}
        of_kind = {kind: mask_of(area.index for area in self.areas if area.kind == kind) for kind in PLACES}
        zones = tuple(at[area.zone] if area.zone else -1 for area in self.areas)
        near = [mask_of(at[name] for name in area.adjacent) for area in self.areas]
        hq = tuple(at[area.name] for faction in self.factions for area in self.areas if area.hq == faction)
        twins: dict[str, int] = {}
        for space in self.spaces:
            if space.support:
                twins[space.action.name] = twins.get(space.action.name, 0) | 1 << space.index
        derived = {
            "of_kind": of_kind,
            "air": of_kind["air"],
            "zones": zones,
            "beneath": tuple(mask_of(i for i, zone in enumerate(zones) if zone == area.index) for area in self.areas),
            "homes": tuple(1 << area | (1 << zones[area] if zones[area] >= 0 else 0) for area in hq),
            "open_homes": tuple(
                1 << area | (1 << zones[area] | near[zones[area]] if zones[area] >= 0 else 0) for area in hq
            ),
            "no_drop": mask_of(area.index for area in self.areas if area.no_drop),
            "printed": tuple((area.index, area.printed) for area in self.areas if area.printed),
            "area_index": at,
            "space_index": {space.name: space.index for space in self.spaces},
            "adjacency": Adjacency(near),
            "land": of_kind["land"],
            "water": of_kind["water"],
            "ports": tuple(mask_of(at[name] for name in area.ports) for area in self.areas),
            "harbours": mask_of(area.index for area in self.areas if area.ports),
            "hq": hq,
            "bits": tuple(1 << area.index for area in self.areas),
            "vps": tuple(area.vp for area in self.areas),
            "forts": mask_of(area.index for area in self.areas if area.fort),
            "slot_areas": tuple(area.index for slot in self.slots for area in self.areas if area.slot == slot),
            "twins": tuple(twins[space.action.name] if space.support else 0 for space in self.spaces),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    @property
    def factions(self) -> tuple[str, str]:
        """The two factions' colours."""
        return self.mode.factions

    def area(self, name: str) -> Area:
        """Return the area of that name; raise KeyError if there is none."""
        return self.areas[self.area_index[name]]

    def space(self, name: str) -> Space:
        """Return the action space of that name; raise KeyError if there is none."""
        return self.spaces[self.space_index[name]]

    def names(self, areas: Iterator[int] | Sequence[int]) -> tuple[str, ...]:
        """Return the names of these areas, sorted."""
        return tuple(sorted(self.areas[index].name for index in areas))


AREA_NAME = r"[a-z][1-9][0-9]?|zone-[a-z]{1,20}"
SLOT_NAME = r"[a-z0-9]{1,20}"
_POINT = Several(Within(float, -3000, 3000), 2, 2)
_AREAS = [Word(AREA_NAME, "name of an area")]
_SHORT = Word(r"[a-z_]{1,40}", "name")
_BOARD_FORM = {
    "board": Word(r"[a-z0-9]{1,20}(-[a-z0-9]{1,20}){1,4}", "name of a board, such as wwii-alpine-ana"),
    "mode": Word(r"[a-z0-9]+(-[a-z0-9]+)*", "name of a mode"),
    "known": KNOWN,
    "size_mm": Several(Within(float, 10, 3000), 2, 2),
    "hex_side_mm": Within(float, 1, 500),
    "space_side_mm": Within(float, 0.5, 100),
    "slots": Several(Word(SLOT_NAME, "name of a slot"), 0, 12),
    "areas": Each(
        {
            "kind": PLACES,
            "hexes": [str],
            "vp?": Within(int, 0, 20),
            "hq?": _SHORT,
            "ports?": _AREAS,
            "slot?": Word(SLOT_NAME, "name of a slot"),
            "fort?": bool,
            "zone?": Word(AREA_NAME, "name of an air zone"),
            "printed?": _SHORT,
            "no_drop?": bool,
            "adjacent": _AREAS,
            "start?": Each(Each(Within(int, 0, 99))),
            "polygon_mm": Several(_POINT, 3, 80),
            "centres_mm": Several(_POINT, 1, 36),
        },
        AREA_NAME,
    ),
    "spaces": Each(_POINT, rf"[a-z_]{{1,40}}:({AREA_NAME})"),
    "space_faction?": Each(str),
    "scenery?": Word(r"[a-z]{1,20}", "word"),
    "support?": Each(SUPPORT_FORM.form, r"[a-z_]{1,40}:[1-9]"),
    "cards?": Each(CARDS_FORM.form, r"[a-z][a-z0-9_]{0,40}"),
}


def _read_built_in(name: str) -> Board:
    if name not in table_names("boards"):
        raise UnknownBoard(f"no board named {name!r}; there is {', '.join(board_names())}")
    return board_from(read_table("boards", name, _BOARD_FORM))


BOARDS = Registry("boards", _read_built_in)
"""The boards that the engine has data for, and those that were added."""
load_board, board_names, own_board_names, remove_board = BOARDS.load, BOARDS.names, BOARDS.added_names, BOARDS.remove


def read_board(where: str, text: str) -> Board:
    """Read a board from the text of its file; raise BadTable with every fault.

    `where` names the file in faults.
    """
    return board_from(parse_table(where, text, _BOARD_FORM))


def add_board(board: Board) -> None:
    """Add an owner's board, to be loaded by its name; raise BadTable if one of the engine's has that name."""
    BOARDS.add(board.name, board, f"board: {board.name} is the name of a board that comes with the engine")


def board_from(data: Mapping[str, Any], mode: Mode | None = None) -> Board:
    """Build a board from its data, checked as a whole; raise BadTable with every fault."""
    mode = mode or load_mode(data["mode"])
    faults = list(board_checks.faults(data, mode))
    if faults:
        raise BadTable(join_faults(f"board {data['board']}", faults))
    mode = _own_numbers(mode, data)
    areas = tuple(_area(name, index, row) for index, (name, row) in enumerate(data["areas"].items()))
    return Board(
        name=data["board"],
        known=data["known"],
        mode=mode,
        size_mm=_point(data["size_mm"]),
        space_side_mm=data["space_side_mm"],
        slots=tuple(data["slots"]),
        areas=areas,
        spaces=_spaces(data, mode, {area.name: area.index for area in areas}),
        scenery=data.get("scenery", ""),
    )


def _own_numbers(mode: Mode, data: Mapping[str, Any]) -> Mode:
    """Return the mode with the support numbers and cards of the owner's copy, if the board's data have any."""
    support = {name: Support(**row) for name, row in data.get("support", {}).items()}
    cards = {}
    for name, row in data.get("cards", {}).items():
        known = mode.cards.get(name)
        # an owner need not put down the other title of a known card, and the guess at its text
        printed = {key: getattr(known, key) for key in ("title_pt", "likely", "likely_from")} if known else {}
        cards[name] = Card(name, **{**printed, **row})
    if not support and not cards:
        return mode
    return replace(mode, support={**mode.support, **support}, cards=cards or mode.cards)


def _area(name: str, index: int, row: Mapping[str, Any]) -> Area:
    return Area(
        name=name,
        index=index,
        kind=row["kind"],
        vp=row.get("vp", 0),
        hq=row.get("hq"),
        ports=tuple(row.get("ports", ())),
        slot=row.get("slot"),
        fort=row.get("fort", False),
        adjacent=tuple(row["adjacent"]),
        start=tuple((f, unit, n) for f, units in row.get("start", {}).items() for unit, n in units.items()),
        polygon_mm=tuple(_point(corner) for corner in row["polygon_mm"]),
        centres_mm=tuple(_point(centre) for centre in row["centres_mm"]),
        zone=row.get("zone"),
        printed=row.get("printed"),
        no_drop=row.get("no_drop", False),
    )


def _point(pair: Sequence[float]) -> Point:
    x, y = pair
    return (float(x), float(y))


def _spaces(data: Mapping[str, Any], mode: Mode, at: Mapping[str, int]) -> tuple[Space, ...]:
    spaces: list[Space] = []
    owners = data.get("space_faction", {})
    for name, place in data["spaces"].items():
        action, area = name.split(":")
        linked = (area, at[area], _point(place), None, owners.get(name))
        spaces.append(Space(name, len(spaces), mode.actions[action], *linked))
    for name, support in mode.support.items():
        action = name.split(":")[0]
        spaces.append(Space(name, len(spaces), mode.actions[action], None, -1, None, support))
    return tuple(spaces)
