"""What the referee answers of Generals Order besides what every system has: legal."""

from __future__ import annotations

from engine.generals import game
from engine.generals.position import Position
from engine.generals.steps import Step
from engine.generals.wire import new_from_json, position_from_json, position_to_json, step_from_json, step_to_json
from engine.parts import Json
from engine.system import System


def _legal(request: Json) -> Json:
    found = game.legal(position_from_json(request.get("position")))
    out: Json = {"deploy": dict(found.deploy), "use": list(found.use), "activate": list(found.activate)}
    for what in ("equip", "move", "attack"):
        out[what] = {name: list(to) for name, to in getattr(found, what).items()}
    return out


def _play(position: Position, step: Step) -> tuple[Position, tuple[object, ...]]:
    return game.apply(position, step), ()


GENERALS = System(
    name="generals",
    new=new_from_json,
    position=position_from_json,
    written=position_to_json,
    step=step_from_json,
    step_written=step_to_json,
    judge=game.judge,
    examine=game.examine,
    play=_play,
    pending=lambda position: None,
    event=lambda position, event: event,
    requests={"legal": _legal},
)
"""The card game."""
