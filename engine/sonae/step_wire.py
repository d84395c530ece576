"""Steps of Sonae as JSON objects (dict in, dict out); docs/referee.md has the forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.errors import BadStep, EngineError
from engine.parts import Json, brief, read_count, read_list, read_table, read_text
from engine.sonae.field import facing
from engine.sonae.position import RESTING, STATUSES
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

MOST = 1000.0
ROW = ("x", "y", "facing", "status", "fatigue")
Fault = type[EngineError]


def read_number(value: object, key: str, fault: Fault) -> float:
    """A length or an angle, or the fault."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not -MOST <= value <= MOST:
        raise fault(f"{key}: a number, not {brief(value)}")
    return float(value)


def step_from_json(obj: object) -> Step:
    """A step from its JSON object; `sum`, the check value of a saved line, is passed over. Raises BadStep."""
    if not isinstance(obj, dict):
        raise BadStep(f"a step is an object, not {brief(obj)}")
    for key, (read, keys) in _STEPS.items():
        if key in obj:
            unknown = [name for name in obj if name not in (key, *keys, "sum")]
            if unknown:
                raise BadStep(f"{unknown[0]}: the {key} step has no such key")
            missing = [name for name in (key, *keys) if name not in _MAY_MISS and obj.get(name, "") == ""]
            if missing:
                raise BadStep(f"{missing[0]}: missing in the {key} step")
            return read(obj)
    raise BadStep(f"a step has one of the keys {', '.join(_STEPS)}")


_MAY_MISS = ("messenger", "orders", "winner", "note")


def _word(obj: Json, key: str) -> str:
    return read_text(obj.get(key, ""), key, BadStep)


def _at(obj: Json) -> tuple[float, float]:
    return read_number(obj["x"], "x", BadStep), read_number(obj["y"], "y", BadStep)


def _wheel(obj: Json) -> Wheel:
    return Wheel(_word(obj, "turn"), facing(read_number(obj["facing"], "facing", BadStep)), *_at(obj))


def _roll(obj: Json) -> Roll:
    faces = read_list(obj["roll"], "roll", " of dice", BadStep)
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
        if name == "fatigue" and read_count(told, f"{key}.fatigue", BadStep) > RESTING:
            raise BadStep(f"{key}.fatigue: 0 to {RESTING}, not {brief(told)}")
        if name in ("x", "y", "facing"):
            read_number(told, f"{key}.{name}", BadStep)
    return {**row, "facing": facing(row["facing"])} if "facing" in row else row


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
