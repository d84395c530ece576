"""Positions and steps of Sonae as JSON objects (dict in, dict out); docs/referee.md has the forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast, get_args

from engine.codec import (
    COUNT,
    DICE,
    SWITCH,
    TEXT,
    TRUE,
    Fault,
    Json,
    Kind,
    Record,
    StepCodec,
    brief,
    read_count,
    read_from_texts,
    read_list,
    read_object,
    read_one_of,
    read_optional,
    read_switch,
    read_switched,
    read_text,
    read_texts,
    rows,
)
from engine.errors import BadPosition, BadTable
from engine.rulebook import switched_readings
from engine.sonae.field import GRIDS, Place, facing
from engine.sonae.game import new_game, readings
from engine.sonae.position import MODES, RESTING, STATUSES, Due, DueKind, Position, Unit
from engine.sonae.scenario import Scenario, load_scenario, read_scenario, with_grid
from engine.sonae.steps import (
    Activate,
    Advance,
    Agreed,
    Closing,
    Done,
    FallBack,
    Fire,
    Rally,
    Roll,
    Settle,
    Step,
    Token,
    Wheel,
)
from engine.sonae.turn import carry_on
from engine.sonae.words import REASONS

MOST = 1000.0
"""The most of a length or an angle, above or below 0."""


def read_number(value: object, key: str, fault: Fault) -> float:
    """Return the value if it is a number from -MOST to MOST, as a length or an angle; otherwise raise the fault."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not -MOST <= value <= MOST:
        raise fault(f"{key}: expected a number, not {brief(value)}")
    return float(value)


# --- steps ------------------------------------------------------------------------------


def _read_fatigue(value: object, key: str, fault: Fault) -> int:
    fatigue = read_count(value, key, fault)
    if fatigue > RESTING:
        raise fault(f"{key}: 0 to {RESTING}, not {fatigue}")
    return fatigue


def _read_row(value: object, key: str, fault: Fault) -> Json:
    """Read a unit's row in an agreed step, or raise the fault."""
    row = read_object(value, key, fault)
    for name, entry in row.items():
        if name not in ("x", "y", "facing", "status", "fatigue"):
            raise fault(f"{key}.{name}: a unit has no such key")
        if name == "status" and entry not in STATUSES:
            raise fault(f"{key}.status: expected one of {', '.join(STATUSES)}, not {brief(entry)}")
        if name == "fatigue":
            _read_fatigue(entry, f"{key}.fatigue", fault)
        if name in ("x", "y", "facing"):
            read_number(entry, f"{key}.{name}", fault)
    return {**row, "facing": facing(row["facing"])} if "facing" in row else row


NUMBER, ROWS = Kind(read_number), rows(_read_row)
ANGLE = Kind(lambda value, key, fault: facing(read_number(value, key, fault)))
_STEPS = StepCodec[Step](
    Record(Settle, {"settle": ("mode", TEXT), "by": TEXT, "messenger": TEXT}),
    Record(Token, {"token": ("by", TEXT)}),
    Record(Activate, {"activate": ("division", TEXT)}),
    Record(Roll, {"roll": ("dice", DICE), "by": TEXT}),
    Record(Advance, {"advance": ("unit", TEXT), "x": NUMBER, "y": NUMBER}),
    Record(FallBack, {"fall_back": ("unit", TEXT), "x": NUMBER, "y": NUMBER}),
    Record(Wheel, {"turn": ("unit", TEXT), "facing": ("facing_deg", ANGLE), "x": NUMBER, "y": NUMBER}),
    Record(Fire, {"fire": ("unit", TEXT), "target": TEXT}),
    Record(Rally, {"rally": ("unit", TEXT)}),
    Record(Closing, {"closing": ("fires", SWITCH), "by": TEXT}),
    Record(Done, {"done": TRUE}),
    Record(Agreed, {"agreed": ("units", ROWS), "orders": COUNT, "winner": TEXT, "note": TEXT}),
    missing="{key}: missing in the {step} step",
)
step_from_json, step_to_json = _STEPS.read, _STEPS.write


# --- positions --------------------------------------------------------------------------


MODE = Kind(partial(read_one_of, MODES))
UNIT: Mapping[str, Kind] = {
    "status": Kind(partial(read_one_of, STATUSES)),
    "fatigue": Kind(_read_fatigue),
    "orders": COUNT,
    "charged": SWITCH,
    "delayed": SWITCH,
    "mired": SWITCH,
}
"""The keys of a unit besides its place, written if they are not as at the start."""


def new_from_json(request: Json) -> Position:
    """Return the start that a `new` request asks for: {"scenario": name, "readings": {...}, "grid": "square"}.

    Without a grid the battle is measured as its file says. `texts` may bring the battle's file: {name: TOML}; the
    position in the answer brings it too. Raises BadPosition.
    """
    return new_game(_scenario(request), read_switched(request.get("readings", {})))


def _scenario(obj: Json) -> Scenario:
    """Load the battle that is named, on the grid that is named."""
    name = read_text(obj.get("scenario"), "scenario", BadPosition)
    texts = read_object(obj.get("texts", {}), "texts", BadPosition)
    grid = read_one_of(("", *GRIDS), obj.get("grid", ""), "grid", BadPosition)
    try:
        scenario = read_from_texts(read_scenario, name, texts) if name in texts else load_scenario(name)
    except BadTable as fault:
        raise BadPosition(f"scenario: {fault}") from fault
    try:
        return with_grid(scenario, grid or scenario.grid)
    except BadTable as fault:
        raise BadPosition(f"grid: {fault}") from fault


def position_to_json(position: Position) -> Json:
    """Write a position as its JSON object, leaving out keys that say nothing."""
    sides = position.scenario.sides
    out: Json = {
        "system": "sonae",
        "scenario": position.scenario.name,
        "grid": position.scenario.grid if position.scenario.moved else "",
        "turn": position.turn,
        "modes": dict(zip(sides, position.modes, strict=True)),
        "units": {unit.name: _unit_to_json(unit) for unit in position.units},
        "tokens": dict(zip(sides, position.tokens, strict=True)),
        "acted": list(position.acted),
        "messages": list(position.messages),
        "acting": position.acting,
        "orders": position.orders,
        "bonus": list(position.bonus),
        "spare": position.spare,
        "due": [_due_to_json(position, due) for due in position.due],
        "fighting": position.fighting,
        "fought": list(position.fought),
        "heirs": [list(pair) for pair in position.heirs],
        "readings": dict.fromkeys(sorted(position.readings), "other"),
        "winner": position.winner_name,
        "reason": position.reason,
        "texts": {position.scenario.name: position.scenario.text} if position.scenario.text else {},
    }
    return {key: value for key, value in out.items() if value or key in ("turn", "units")}


def _place_to_json(place: Place) -> Json:
    return {"x": place.x, "y": place.y, "facing": place.facing_deg}


def _unit_to_json(unit: Unit) -> Json:
    return _place_to_json(unit.place) | {
        key: value for key in UNIT if (value := getattr(unit, key)) not in (0, "fresh")
    }


def _due_to_json(position: Position, due: Due) -> Json:
    by = position.scenario.sides[due.by] if due.by >= 0 else ""
    lists = {"units": list(due.units), "against": list(due.against), "less": due.less, "heard": due.heard}
    out: Json = {"wants": due.kind, "by": by, **lists}
    out["to"] = None if due.to is None else _place_to_json(due.to)
    return {key: value for key, value in out.items() if value}


def _standing(table: Json, scenario: Scenario, rows: Json) -> Position:
    """Read a position without what is owed in it."""
    winner, sides = table.get("winner"), scenario.sides
    return Position(
        scenario=scenario,
        units=tuple(_unit(scenario, name, rows[name]) for name in scenario.units if name in rows),
        modes=_both(scenario, table.get("modes", {}), "modes", MODE, "encamped"),
        turn=read_count(table.get("turn", 1), "turn", BadPosition),
        acted=_divisions(scenario, table, "acted"),
        messages=_divisions(scenario, table, "messages"),
        acting=read_one_of(("", *scenario.divisions), table.get("acting", ""), "acting", BadPosition),
        orders=read_count(table.get("orders", 0), "orders", BadPosition),
        spare=read_count(table.get("spare", 0), "spare", BadPosition),
        fighting=read_switch(table.get("fighting", False), "fighting", BadPosition),
        heirs=_heirs(scenario, table.get("heirs", [])),
        winner=None if winner is None else sides.index(read_one_of(sides, winner, "winner", BadPosition)),
        reason=read_one_of(REASONS, table.get("reason", ""), "reason", BadPosition),
        readings=switched_readings(readings(), read_switched(table.get("readings", {}))),
    )


def position_from_json(obj: object) -> Position:
    """Read a position from its JSON object; if no division acts and nothing is owed, carry it on to what is.

    Raises BadPosition where it is badly written or the table cannot hold it.
    """
    table = read_object(obj, "position", BadPosition)
    scenario = _scenario(table)
    rows = read_object(table.get("units", {}), "units", BadPosition)
    for name in rows:
        if name not in scenario.units:
            raise BadPosition(f"units.{brief(name)}: no unit of {scenario.name}")
    position = _standing(table, scenario, rows)
    dues = read_list(table.get("due", []), "due", "", BadPosition)
    position = replace(
        position,
        bonus=_units(position, table, "bonus", ""),
        fought=tuple(name for name in read_texts(table.get("fought", []), "fought", BadPosition)),
        due=tuple(_due(position, entry, f"due[{i}]") for i, entry in enumerate(dues)),
    )
    _weigh_bag(position, table)
    if not position.acting and (position.fighting or any(due.kind == "orders" for due in position.due)):
        raise BadPosition("acting: missing, while a division rolls for its orders or fights")
    return position if position.due or position.acting or position.bonus else carry_on(position)


def _weigh_bag(position: Position, table: Json) -> None:
    """Raise BadPosition for badly written tokens, or for a token or a division owed while none is left."""
    _both(position.scenario, table.get("tokens", {}), "tokens", COUNT, 0)
    for number, due in enumerate(position.due):
        if due.kind == "token" and not any(position.tokens):
            raise BadPosition(f"due[{number}]: no token is left in the bag")
        if due.kind == "activate" and not position.divisions_to_act(due.by):
            raise BadPosition(f"due[{number}]: {position.scenario.sides[due.by]} has no division left to act")


def _heirs(scenario: Scenario, value: object) -> tuple[tuple[str, str], ...]:
    """Read pairs of units: who was lost, and who succeeded."""
    heirs = []
    for number, pair in enumerate(read_list(value, "heirs", "", BadPosition)):
        names = read_texts(pair, f"heirs[{number}]", BadPosition)
        if len(names) != 2:
            raise BadPosition(f"heirs[{number}]: two units, not {len(names)}")
        was, heir = (read_one_of(tuple(scenario.units), name, f"heirs[{number}]", BadPosition) for name in names)
        heirs.append((was, heir))
    return tuple(heirs)


def _both(scenario: Scenario, value: object, key: str, kind: Kind, missing: Any) -> Any:
    """Read one value for each side."""
    table = read_object(value, key, BadPosition)
    for name in table:
        read_one_of(scenario.sides, name, key, BadPosition)
    values = read_optional(dict.fromkeys(scenario.sides, kind), table, key, BadPosition)
    return tuple(values.get(side, missing) for side in scenario.sides)


def _divisions(scenario: Scenario, table: Json, key: str) -> tuple[str, ...]:
    names = read_texts(table.get(key, []), key, BadPosition)
    return tuple(read_one_of(tuple(scenario.divisions), name, key, BadPosition) for name in names)


def _units(position: Position, table: Json, key: str, where: str) -> tuple[str, ...]:
    """Read the names of units that are in the battle."""
    names = read_texts(table.get(key, []), f"{where}{key}", BadPosition)
    for name in names:
        if position.unit(name) is None:
            raise BadPosition(f"{where}{key}: {brief(name)} is no unit in the battle")
    return names


def _place(scenario: Scenario, value: object, key: str) -> Place:
    row = read_object(value, key, BadPosition)
    x, y, deg = (read_number(row.get(name), f"{key}.{name}", BadPosition) for name in ("x", "y", "facing"))
    if not (0 <= x <= scenario.size[0] and 0 <= y <= scenario.size[1]):
        raise BadPosition(f"{key}: off the table, which is {scenario.size[0]:g} by {scenario.size[1]:g}")
    return Place(x, y, facing(deg), scenario.depth)


def _unit(scenario: Scenario, name: str, value: object) -> Unit:
    key = f"units.{name}"
    row = read_object(value, key, BadPosition)
    place = _place(scenario, row, key)
    return Unit(name, place, **read_optional(UNIT, row, key, BadPosition))


_PAIRS = (
    *("fire", "reply", "opportunity", "opportunity-fire"),
    *("closing", "closing-fire", "closing-morale", "melee", "shock"),
)
_NAMES = {
    "units": (*_PAIRS, "morale", "nerve", "retreat", "strain", "rally", "blocked", "heir", "regent", "loyalty"),
    "against": (*_PAIRS, "messenger", "intercept"),
}
"""The kinds of dues that name units, and those that name others `against` which they are."""


def _due(position: Position, value: object, key: str) -> Due:
    row = read_object(value, key, BadPosition)
    kind = read_one_of(get_args(DueKind), row.get("wants"), f"{key}.wants", BadPosition)
    sides = position.scenario.sides
    by = -1 if kind == "token" else sides.index(read_one_of(sides, row.get("by"), f"{key}.by", BadPosition))
    courier = kind in ("messenger", "intercept")
    against = _divisions(position.scenario, row, "against") if courier else _units(position, row, "against", f"{key}.")
    units = _units(position, row, "units", f"{key}.")
    for what, names in (("units", units), ("against", against)):
        if (kind in _NAMES[what]) != bool(names) or (len(names) > 1 and kind not in ("melee", "shock")):
            raise BadPosition(f"{key}.{what}: {kind} is owed about {'one or more' if kind in _NAMES[what] else 'none'}")
    if (kind == "nerve") != ("to" in row):
        raise BadPosition(f"{key}.to: where a charge goes, for nerve alone")
    return Due(
        kind=cast(DueKind, kind),
        by=by,
        units=units,
        against=against,
        less=read_count(row.get("less", 0), f"{key}.less", BadPosition),
        heard=read_count(row.get("heard", 0), f"{key}.heard", BadPosition),
        to=_place(position.scenario, row["to"], f"{key}.to") if "to" in row else None,
    )
