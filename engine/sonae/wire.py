"""Positions and steps of Sonae as JSON objects (dict in, dict out); docs/referee.md has the forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args

from engine.errors import BadPosition, BadStep, BadTable, EngineError
from engine.parts import Json, brief, read_count, read_table, read_text, read_texts
from engine.sonae.field import Place
from engine.sonae.game import chosen, new_game
from engine.sonae.position import MODES, RESTING, STATUSES, Due, DueKind, Position, Unit
from engine.sonae.scenario import Scenario, load_scenario
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
from engine.sonae.told import REASONS
from engine.sonae.turn import carry_on

MOST = 1000.0
ROW = ("x", "y", "facing", "status", "fatigue")
Fault = type[EngineError]


def _number(value: object, key: str, fault: Fault) -> float:
    """A length or an angle, or the fault."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not -MOST <= value <= MOST:
        raise fault(f"{key}: a number, not {brief(value)}")
    return float(value)


# --- steps --------------------------------------------------------------------------------


def step_from_json(obj: object) -> Step:
    """A step from its JSON object; `sum`, the check value of a saved line, is passed over. Raises BadStep."""
    if not isinstance(obj, dict):
        raise BadStep(f"a step is an object, not {brief(obj)}")
    for key, (read, keys) in _STEPS.items():
        if key in obj:
            unknown = [name for name in obj if name not in (key, *keys, "sum")]
            if unknown:
                raise BadStep(f"{unknown[0]}: a {key} step has no such key")
            missing = [name for name in keys if name not in obj and name not in _MAY_MISS]
            if missing:
                raise BadStep(f"{missing[0]}: missing in a {key} step")
            return read(obj)
    raise BadStep(f"a step has one of the keys {', '.join(_STEPS)}")


_MAY_MISS = ("messenger", "orders", "winner", "note")


def _word(obj: Json, key: str) -> str:
    return read_text(obj.get(key, ""), key, BadStep)


def _at(obj: Json) -> tuple[float, float]:
    return _number(obj["x"], "x", BadStep), _number(obj["y"], "y", BadStep)


def _wheel(obj: Json) -> Wheel:
    return Wheel(_word(obj, "turn"), _number(obj["facing"], "facing", BadStep), *_at(obj))


def _roll(obj: Json) -> Roll:
    faces = obj["roll"]
    if not isinstance(faces, list):
        raise BadStep(f"roll: a list of dice, not {brief(faces)}")
    return Roll(tuple(read_count(face, f"roll[{i}]", BadStep) for i, face in enumerate(faces)), _word(obj, "by"))


def _closing(obj: Json) -> Closing:
    if not isinstance(obj["closing"], bool):
        raise BadStep(f"closing: true or false, not {brief(obj['closing'])}")
    return Closing(_word(obj, "by"), obj["closing"])


def _done(obj: Json) -> Done:
    if obj["done"] is not True:
        raise BadStep("done: true is the only value")
    return Done()


def _agreed(obj: Json) -> Agreed:
    rows = read_table(obj["agreed"], "agreed", BadStep)
    return Agreed(
        units={name: None if row is None else _row(row, f"agreed.{name}") for name, row in rows.items()},
        orders=read_count(obj["orders"], "orders", BadStep) if "orders" in obj else None,
        winner=_word(obj, "winner"),
        note=_word(obj, "note"),
    )


def _row(value: object, key: str) -> Mapping[str, object]:
    row = read_table(value, key, BadStep)
    for name, told in row.items():
        if name not in ROW:
            raise BadStep(f"{key}.{name}: a unit has no such key")
        if name == "status" and told not in STATUSES:
            raise BadStep(f"{key}.status: one of {', '.join(STATUSES)}, not {brief(told)}")
        if name == "fatigue" and told not in range(RESTING + 1):
            raise BadStep(f"{key}.fatigue: 0 to {RESTING}, not {brief(told)}")
        if name in ("x", "y", "facing"):
            _number(told, f"{key}.{name}", BadStep)
    return row


_STEPS: dict[str, tuple[Callable[[Json], Step], tuple[str, ...]]] = {
    "settle": (
        lambda obj: Settle(_word(obj, "by"), _word(obj, "settle"), _word(obj, "messenger")),
        ("by", "messenger"),
    ),
    "token": (lambda obj: Token(_word(obj, "token")), ()),
    "activate": (lambda obj: Activate(_word(obj, "activate")), ()),
    "roll": (_roll, ("by",)),
    "advance": (lambda obj: Advance(_word(obj, "advance"), *_at(obj)), ("x", "y")),
    "fall_back": (lambda obj: FallBack(_word(obj, "fall_back"), *_at(obj)), ("x", "y")),
    "turn": (_wheel, ("facing", "x", "y")),
    "fire": (lambda obj: Fire(_word(obj, "fire"), _word(obj, "target")), ("target",)),
    "rally": (lambda obj: Rally(_word(obj, "rally")), ()),
    "closing": (_closing, ("by",)),
    "done": (_done, ()),
    "agreed": (_agreed, ("orders", "winner", "note")),
}


def step_to_json(step: Step) -> Json:
    """A step as its JSON object; keys that say nothing are left out."""
    return {key: value for key, value in _WRITE[type(step)](step).items() if value not in ("", None)}


def _write_agreed(step: Agreed) -> Json:
    rows = {name: None if row is None else dict(row) for name, row in step.units.items()}
    return {"agreed": rows, "orders": step.orders, "winner": step.winner, "note": step.note}


_WRITE: dict[type[Step], Callable[[Any], Json]] = {
    Settle: lambda step: {"settle": step.mode, "by": step.by, "messenger": step.messenger},
    Token: lambda step: {"token": step.by},
    Activate: lambda step: {"activate": step.division},
    Roll: lambda step: {"roll": list(step.dice), "by": step.by},
    Advance: lambda step: {"advance": step.unit, "x": step.x, "y": step.y},
    FallBack: lambda step: {"fall_back": step.unit, "x": step.x, "y": step.y},
    Wheel: lambda step: {"turn": step.unit, "facing": step.facing_deg, "x": step.x, "y": step.y},
    Fire: lambda step: {"fire": step.unit, "target": step.target},
    Rally: lambda step: {"rally": step.unit},
    Closing: lambda step: {"closing": step.fires, "by": step.by},
    Done: lambda step: {"done": True},
    Agreed: _write_agreed,
}


# --- positions ----------------------------------------------------------------------------


def new_from_json(request: Json) -> Position:
    """The start that a `new` request asks for: {"scenario": name, "readings": {...}}. Raises BadPosition."""
    return new_game(_scenario(request.get("scenario")), _switched(request))


def _scenario(name: object) -> Scenario:
    try:
        return load_scenario(read_text(name, "scenario", BadPosition))
    except BadTable as fault:
        raise BadPosition(f"scenario: {fault}") from fault


def _switched(obj: Json) -> frozenset[str]:
    answers = read_table(obj.get("readings", {}), "readings", BadPosition)
    for name, answer in answers.items():
        if answer not in ("default", "other"):
            raise BadPosition(f'readings.{name}: "default" or "other"')
    return chosen(name for name, answer in answers.items() if answer == "other")


def position_to_json(position: Position) -> Json:
    """A position as its JSON object; keys that say nothing are left out."""
    sides = position.scenario.sides
    out: Json = {
        "system": "sonae",
        "scenario": position.scenario.name,
        "turn": position.turn,
        "modes": dict(zip(sides, position.modes, strict=True)),
        "units": {one.name: _unit_to_json(one) for one in position.units},
        "tokens": dict(zip(sides, position.tokens, strict=True)),
        "acted": list(position.acted),
        "messages": list(position.messages),
        "acting": position.acting,
        "orders": position.orders,
        "bonus": list(position.bonus),
        "spare": position.spare,
        "due": [_due_to_json(position, one) for one in position.due],
        "fighting": position.fighting,
        "fought": list(position.fought),
        "heirs": [list(pair) for pair in position.heirs],
        "readings": dict.fromkeys(sorted(position.readings), "other"),
        "winner": position.winner_name,
        "reason": position.reason,
    }
    return {key: value for key, value in out.items() if value or key in ("turn", "units")}


def _place_to_json(place: Place) -> Json:
    return {"x": place.x, "y": place.y, "facing": place.facing_deg}


def _unit_to_json(one: Unit) -> Json:
    told = {"status": "" if one.status == "fresh" else one.status, "fatigue": one.fatigue, "orders": one.orders}
    flags = {"charged": one.charged, "delayed": one.delayed, "mired": one.mired}
    return _place_to_json(one.place) | {key: value for key, value in (told | flags).items() if value}


def _due_to_json(position: Position, due: Due) -> Json:
    by = position.scenario.sides[due.by] if due.by >= 0 else ""
    lists = {"units": list(due.units), "against": list(due.against), "less": due.less, "heard": due.heard}
    out: Json = {"wants": due.kind, "by": by, **lists}
    out["to"] = None if due.to is None else _place_to_json(due.to)
    return {key: value for key, value in out.items() if value}


def position_from_json(obj: object) -> Position:
    """A position from its JSON object; where no division acts and nothing is owed, it goes on to what is.

    Raises BadPosition where it is badly written or the table cannot hold it.
    """
    table = read_table(obj, "position", BadPosition)
    scenario = _scenario(table.get("scenario"))
    rows = read_table(table.get("units", {}), "units", BadPosition)
    for name in rows:
        if name not in scenario.units:
            raise BadPosition(f"units.{brief(name)}: no unit of {scenario.name}")
    winner, sides = table.get("winner"), scenario.sides
    position = Position(
        scenario=scenario,
        units=tuple(_unit(scenario, name, rows[name]) for name in scenario.units if name in rows),
        modes=_both(
            scenario, table.get("modes", {}), "modes", lambda value, key: _one_of(MODES, value, key), "encamped"
        ),
        turn=read_count(table.get("turn", 1), "turn", BadPosition),
        tokens=_both(scenario, table.get("tokens", {}), "tokens", _count, 0),
        acted=_divisions(scenario, table, "acted"),
        messages=_divisions(scenario, table, "messages"),
        acting=_one_of(("", *scenario.divisions), table.get("acting", ""), "acting"),
        orders=_count(table.get("orders", 0), "orders"),
        spare=_count(table.get("spare", 0), "spare"),
        fighting=_switch(table.get("fighting", False), "fighting"),
        heirs=_heirs(scenario, table.get("heirs", [])),
        winner=None if winner is None else sides.index(_one_of(sides, winner, "winner")),
        reason=_one_of(REASONS, table.get("reason", ""), "reason"),
        readings=_switched(table),
    )
    dues = table.get("due", [])
    if not isinstance(dues, list):
        raise BadPosition(f"due: a list, not {brief(dues)}")
    position = replace(
        position,
        bonus=_units(position, table, "bonus", ""),
        fought=tuple(name for name in read_texts(table.get("fought", []), "fought", BadPosition)),
        due=tuple(_due(position, one, f"due[{i}]") for i, one in enumerate(dues)),
    )
    if not position.acting and (position.fighting or any(due.kind == "orders" for due in position.due)):
        raise BadPosition("acting: missing, while a division rolls for its orders or fights")
    return position if position.due or position.acting or position.bonus else carry_on(position)


def _heirs(scenario: Scenario, value: object) -> tuple[tuple[str, str], ...]:
    """Pairs of units: who was lost, and who stands in for it."""
    if not isinstance(value, list):
        raise BadPosition(f"heirs: a list, not {brief(value)}")
    heirs = []
    for number, pair in enumerate(value):
        names = read_texts(pair, f"heirs[{number}]", BadPosition)
        if len(names) != 2:
            raise BadPosition(f"heirs[{number}]: two units, not {len(names)}")
        was, heir = (_one_of(tuple(scenario.units), name, f"heirs[{number}]") for name in names)
        heirs.append((was, heir))
    return tuple(heirs)


def _count(value: object, key: str) -> int:
    return read_count(value, key, BadPosition)


def _switch(value: object, key: str) -> bool:
    if not isinstance(value, bool):
        raise BadPosition(f"{key}: true or false, not {brief(value)}")
    return value


def _one_of(words: tuple[str, ...], value: object, key: str) -> str:
    word = read_text(value, key, BadPosition)
    if word not in words:
        raise BadPosition(f"{key}: one of {', '.join(filter(None, words))}, not {brief(word)}")
    return word


def _both(scenario: Scenario, value: object, key: str, read: Callable[[object, str], Any], missing: Any) -> Any:
    """One value for each side."""
    table = read_table(value, key, BadPosition)
    for name in table:
        _one_of(scenario.sides, name, key)
    return tuple(read(table[side], f"{key}.{side}") if side in table else missing for side in scenario.sides)


def _divisions(scenario: Scenario, table: Json, key: str) -> tuple[str, ...]:
    names = read_texts(table.get(key, []), key, BadPosition)
    return tuple(_one_of(tuple(scenario.divisions), name, key) for name in names)


def _units(position: Position, table: Json, key: str, where: str) -> tuple[str, ...]:
    """Names of units that are in the battle."""
    names = read_texts(table.get(key, []), f"{where}{key}", BadPosition)
    for name in names:
        if position.unit(name) is None:
            raise BadPosition(f"{where}{key}: {brief(name)} is no unit in the battle")
    return names


def _place(scenario: Scenario, value: object, key: str) -> Place:
    row = read_table(value, key, BadPosition)
    x, y, facing = (_number(row.get(name), f"{key}.{name}", BadPosition) for name in ("x", "y", "facing"))
    if not (0 <= x <= scenario.size[0] and 0 <= y <= scenario.size[1]):
        raise BadPosition(f"{key}: off the table, which is {scenario.size[0]:g} by {scenario.size[1]:g}")
    return Place(x, y, facing % 360.0, scenario.depth)


def _unit(scenario: Scenario, name: str, value: object) -> Unit:
    key = f"units.{name}"
    row = read_table(value, key, BadPosition)
    status = _one_of(STATUSES, row.get("status", "fresh"), f"{key}.status")
    fatigue = _count(row.get("fatigue", 0), f"{key}.fatigue")
    if fatigue > RESTING:
        raise BadPosition(f"{key}.fatigue: 0 to {RESTING}, not {fatigue}")
    return Unit(
        name=name,
        place=_place(scenario, row, key),
        status=STATUSES[STATUSES.index(status)],
        fatigue=fatigue,
        orders=_count(row.get("orders", 0), f"{key}.orders"),
        charged=_switch(row.get("charged", False), f"{key}.charged"),
        delayed=_switch(row.get("delayed", False), f"{key}.delayed"),
        mired=_switch(row.get("mired", False), f"{key}.mired"),
    )


_PAIRS = (
    *("fire", "reply", "opportunity", "opportunity-fire"),
    *("closing", "closing-fire", "closing-morale", "melee", "shock"),
)
_NAMES = {
    "units": (*_PAIRS, "morale", "nerve", "retreat", "strain", "rally", "blocked", "heir", "regent", "loyalty"),
    "against": (*_PAIRS, "messenger", "intercept"),
}
"""What is owed about units, and against which."""


def _due(position: Position, value: object, key: str) -> Due:
    row = read_table(value, key, BadPosition)
    kind = _one_of(get_args(DueKind), row.get("wants"), f"{key}.wants")
    sides = position.scenario.sides
    by = -1 if kind == "token" else sides.index(_one_of(sides, row.get("by"), f"{key}.by"))
    courier = kind in ("messenger", "intercept")
    against = _divisions(position.scenario, row, "against") if courier else _units(position, row, "against", f"{key}.")
    units = _units(position, row, "units", f"{key}.")
    for what, names in (("units", units), ("against", against)):
        if (kind in _NAMES[what]) != bool(names) or (len(names) > 1 and kind not in ("melee", "shock")):
            raise BadPosition(f"{key}.{what}: {kind} is owed about {'one or more' if kind in _NAMES[what] else 'none'}")
    if (kind == "nerve") != ("to" in row):
        raise BadPosition(f"{key}.to: where a charge goes, for nerve alone")
    return Due(
        kind=kind,  # type: ignore[arg-type]
        by=by,
        units=units,
        against=against,
        less=_count(row.get("less", 0), f"{key}.less"),
        heard=_count(row.get("heard", 0), f"{key}.heard"),
        to=_place(position.scenario, row["to"], f"{key}.to") if "to" in row else None,
    )
