"""Steps as JSON objects (dict in, dict out)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import BadStep
from engine.orders.steps import Accept, Agreed, Deploy, Load, Pass, Play, Remove, Reroll, Return, Roll, Step, merged
from engine.orders.wire.besides import KEYS, besides_from_json, besides_to_json
from engine.orders.wire.parts import read_hand
from engine.parts import Json, brief, read_count, read_counts, read_list, read_table, read_text, read_texts


def step_from_json(obj: object) -> Step:
    """A step from its JSON object. Raises BadStep with one clear line.

    `sum`, the check value of a line of a saved game, is passed over.
    """
    if not isinstance(obj, dict):
        raise BadStep(f"a step is an object, not {brief(obj)}")
    for key, (read, keys) in _STEPS.items():
        if key in obj:
            unknown = [name for name in obj if name not in keys and name != "sum"]
            if unknown:
                raise BadStep(f"{unknown[0]}: the {key} step has no such key")
            return read(obj)
    raise BadStep(f"a step has one of the keys {', '.join(_STEPS)}")


def step_to_json(step: Step) -> Json:
    """A step as its JSON object; keys that say nothing are left out."""
    return _WRITE[type(step)](step)


def _deploy(obj: Json) -> Deploy:
    return Deploy(
        space=read_text(obj["deploy"], "deploy", BadStep),
        moves=_loads(obj.get("moves", {}), "moves"),
        place=_loads(obj.get("place", {}), "place"),
        recall=_loads(obj.get("recall", {}), "recall"),
        target=read_text(obj["target"], "target", BadStep) if "target" in obj else None,
        draw=read_hand(obj["draw"], "draw", BadStep, ordered=True) if "draw" in obj else None,
        cards=read_texts(obj.get("cards", []), "cards", BadStep),
        payload=read_count(obj["payload"], "payload", BadStep) if "payload" in obj else None,
    )


def _pass(obj: Json) -> Pass:
    if obj["pass"] is not True:
        raise BadStep("pass: true is the only value")
    return Pass()


def _play(obj: Json) -> Play:
    moves = _loads(obj.get("moves", {}), "moves")
    units = read_count(obj["units"], "units", BadStep) if "units" in obj else None
    return Play(
        card=read_text(obj["play"], "play", BadStep),
        by=read_text(obj.get("by"), "by", BadStep),
        place=_loads(obj.get("place", {}), "place"),
        target=read_text(obj["target"], "target", BadStep) if "target" in obj else None,
        units=units,
        moves=moves,
        recall=_loads(obj.get("recall", {}), "recall"),
    )


def _roll(obj: Json) -> Roll:
    faces = read_list(obj["roll"], "roll", " of dice", BadStep)
    dice = tuple(read_count(face, f"roll[{i}]", BadStep) for i, face in enumerate(faces))
    return Roll(dice, read_text(obj.get("by"), "by", BadStep))


def _reroll(obj: Json) -> Reroll:
    return Reroll(read_text(obj["reroll"], "reroll", BadStep), read_text(obj.get("by"), "by", BadStep))


def _remove(obj: Json) -> Remove:
    units = read_counts(obj["remove"], "remove", BadStep)
    area = read_text(obj["area"], "area", BadStep) if "area" in obj else None
    return Remove(tuple(units.items()), read_text(obj.get("by"), "by", BadStep), area)


def _return(obj: Json) -> Return:
    return Return(read_text(obj["return"], "return", BadStep), read_text(obj.get("by"), "by", BadStep))


def _accept(obj: Json) -> Accept:
    if obj["accept"] is not True:
        raise BadStep("accept: true is the only value")
    return Accept(read_text(obj["by"], "by", BadStep) if "by" in obj else None)


def _agreed(obj: Json) -> Agreed:
    areas = read_table(obj["agreed"], "agreed", BadStep)
    spaces = read_table(obj.get("commanders", {}), "commanders", BadStep)
    readings = read_table(obj.get("readings", {}), "readings", BadStep)
    return Agreed(
        areas=tuple((area, _force(force, f"agreed.{area}")) for area, force in areas.items()),
        spaces=tuple((space, _holders(holders, f"commanders.{space}")) for space, holders in spaces.items()),
        to_move=read_text(obj["to_move"], "to_move", BadStep) if "to_move" in obj else None,
        note=read_text(obj.get("note", ""), "note", BadStep),
        readings=tuple((name, read_text(answer, f"readings.{name}", BadStep)) for name, answer in readings.items()),
        besides=besides_from_json(obj),
    )


def _force(value: object, key: str) -> tuple[tuple[str, str, int], ...]:
    return tuple(
        (faction, unit, n)
        for faction, units in read_table(value, key, BadStep).items()
        for unit, n in read_counts(units, f"{key}.{faction}", BadStep).items()
    )


def _holders(value: object, key: str) -> tuple[str, ...]:
    """One faction, or a list of them."""
    return (value,) if isinstance(value, str) else read_texts(value, key, BadStep)


_STEPS: dict[str, tuple[Callable[[Json], Step], tuple[str, ...]]] = {
    "deploy": (_deploy, ("deploy", "moves", "place", "recall", "target", "draw", "cards", "payload")),
    "pass": (_pass, ("pass",)),
    "play": (_play, ("play", "by", "moves", "place", "target", "units", "recall")),
    "roll": (_roll, ("roll", "by")),
    "reroll": (_reroll, ("reroll", "by")),
    "remove": (_remove, ("remove", "by", "area")),
    "return": (_return, ("return", "by")),
    "accept": (_accept, ("accept", "by")),
    "agreed": (_agreed, ("agreed", "commanders", "to_move", "note", "readings", *KEYS)),
}


def _loads(value: object, key: str) -> tuple[Load, ...]:
    areas = read_table(value, key, BadStep)
    return tuple(
        (area, unit, n)
        for area, units in areas.items()
        for unit, n in read_counts(units, f"{key}.{area}", BadStep).items()
    )


def _from_loads(loads: tuple[Load, ...]) -> dict[str, dict[str, int]]:
    out: dict[str, dict[str, int]] = {}
    for area, unit, n in merged(loads):
        out.setdefault(area, {})[unit] = n
    return out


def _write_deploy(step: Deploy) -> Json:
    out: Json = {"deploy": step.space}
    for key, loads in (("moves", step.moves), ("place", step.place), ("recall", step.recall)):
        if loads:
            out[key] = _from_loads(loads)
    if step.target is not None:
        out["target"] = step.target
    if step.draw is not None:
        out["draw"] = step.draw if isinstance(step.draw, int) else list(step.draw)
    if step.cards:
        out["cards"] = list(step.cards)
    return out if step.payload is None else {**out, "payload": step.payload}


def _write_play(step: Play) -> Json:
    out: Json = {"play": step.card, "by": step.by}
    for key, loads in (("moves", step.moves), ("place", step.place), ("recall", step.recall)):
        if loads:
            out[key] = _from_loads(loads)
    if step.target is not None:
        out["target"] = step.target
    if step.units is not None:
        out["units"] = step.units
    return out


def _write_remove(step: Remove) -> Json:
    units = merged([("", unit, n) for unit, n in step.units])
    out: Json = {"remove": {unit: n for _, unit, n in units}, "by": step.by}
    return out if step.area is None else {**out, "area": step.area}


def _write_agreed(step: Agreed) -> Json:
    out: Json = {"agreed": {}}
    for area, units in step.areas:
        here: dict[str, dict[str, int]] = out["agreed"].setdefault(area, {})
        for faction, unit, n in merged(units):
            here.setdefault(faction, {})[unit] = n
    if step.spaces:
        out["commanders"] = {
            space: holders[0] if len(holders) == 1 else list(holders) for space, holders in step.spaces
        }
    if step.to_move is not None:
        out["to_move"] = step.to_move
    if step.readings:
        out["readings"] = dict(step.readings)
    out |= besides_to_json(step.besides)
    return {**out, "note": step.note} if step.note else out


_WRITE: dict[type[Step], Callable[[Any], Json]] = {
    Deploy: _write_deploy,
    Pass: lambda step: {"pass": True},
    Play: _write_play,
    Roll: lambda step: {"roll": list(step.dice), "by": step.by},
    Reroll: lambda step: {"reroll": step.card, "by": step.by},
    Remove: _write_remove,
    Return: lambda step: {"return": step.space, "by": step.by},
    Agreed: _write_agreed,
    Accept: lambda step: {"accept": True} if step.by is None else {"accept": True, "by": step.by},
}
