"""What the referee answers of Sonae besides what every system has: measure, as a ruler tells; legal, the orders."""

from __future__ import annotations

from engine.codec import Json, read_text
from engine.errors import BadRequest
from engine.sonae import game
from engine.sonae.game import UnitOptions, options
from engine.sonae.position import Position
from engine.sonae.prospects import prospects
from engine.sonae.ranges import measure_unit
from engine.sonae.turn import dice_owed
from engine.sonae.wire import new_from_json, position_from_json, position_to_json, step_from_json, step_to_json
from engine.sonae.words import Change
from engine.system import System


def _pending(position: Position) -> Json | None:
    """Answer with what the table owes; None for nothing.

    For a test also its dice with reasons, the chance of at least one success, and its outcomes with theirs.
    """
    owed = game.owed(position)
    if owed is None:
        return None
    due = owed.due
    out: Json = {"wants": due.kind, "message": owed.text}
    out |= {"by": position.scenario.sides[due.by]} if due.by >= 0 else {}
    out |= {key: list(names) for key, names in (("units", due.units), ("against", due.against)) if names}
    if owed.pool is not None:
        parts = [{"dice": part.n, "why": part.why, "cite": str(part.citation)} for part in owed.pool.parts]
        outcomes = [
            {
                "outcome": prospect.kind,
                "chance": float(prospect.chance),
                "message": prospect.text,
                "cite": str(prospect.citation),
            }
            for prospect in prospects(position)
        ]
        chance = float(owed.pool.chance)
        return out | {"dice": owed.pool.dice, "pool": parts, "chance": chance, "outcomes": outcomes}
    return out | ({"dice": dice_owed(position, due)} if due.kind == "orders" else {})


def _measure(request: Json) -> Json:
    """Answer whether a unit is in command, and whether its general is near.

    With another unit, the answer also says how far off it is, whether it is in range or in contact,
    and in which quarter.
    """
    position = position_from_json(request.get("position"))
    unit = _standing(position, request, "unit")
    ruler = measure_unit(position, unit, _standing(position, request, "to") if "to" in request else "")
    out: Json = {"in_command": ruler.is_in_command, "general_near": ruler.is_general_near}
    if ruler.apart is None:
        return out
    return out | {
        "distance": round(ruler.apart.distance, 3),
        "in_range": ruler.apart.is_in_range,
        "in_contact": ruler.apart.is_in_contact,
        "quarter": ruler.apart.quarter,
        "seen_from": ruler.apart.seen_from,
    }


def _legal(request: Json) -> Json:
    """Answer with what each unit may be ordered now, how far it may go, and why not otherwise.

    If anything is owed, the answer says that too.
    """
    position = position_from_json(request.get("position"))
    found = options(position)
    return {
        "units": {entry.unit: _unit_options(entry) for entry in found.units},
        "done": found.done,
        "pending": _pending(position),
    }


def _unit_options(choices: UnitOptions) -> Json:
    refused = [option for option in choices.orders if not option.legal]
    return {
        "ahead": choices.ahead,
        "back": choices.back,
        "aside": choices.aside,
        "targets": list(choices.targets),
        "steps": [step_to_json(option.step) for option in choices.may],
        "why_not": {
            ":".join(filter(None, (option.kind, option.target, option.aside))): option.objections[0].message
            for option in refused
        },
    }


def _standing(position: Position, request: Json, key: str) -> str:
    """Read the name of a unit that is in the battle; raise BadRequest for any other."""
    name = read_text(request.get(key), key, BadRequest)
    if position.unit(name) is None:
        raise BadRequest(f"{key}: {name!r} is no unit in the battle")
    return name


def _event(position: Position, event: Change) -> Json:
    """Write a change as the referee tells it."""
    out = {"event": event.kind, "unit": event.unit, "message": event.text, "cite": str(event.citation)}
    return {key: value for key, value in out.items() if value}


SONAE = System(
    name="sonae",
    new=new_from_json,
    read_position=position_from_json,
    write_position=position_to_json,
    read_step=step_from_json,
    write_step=step_to_json,
    judge=game.judge,
    examine=game.examine,
    play=game.play,
    play_recorded=game.play_recorded,
    pending=_pending,
    event=_event,
    requests={"measure": _measure, "legal": _legal},
    brings=True,
)
"""Sonae, the battles with miniatures, as a system."""
