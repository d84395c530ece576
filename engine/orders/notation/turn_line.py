"""A turn in progress as a field of a position's line (see notation)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.orders.notation.fields import Json, names, read_joined, read_number
from engine.orders.notation.lines import Line, quote_name
from engine.orders.position import Next

_NO_NEXT = Next.END.value


def format_turn(turn: Mapping[str, Any]) -> str:
    """The JSON object of a turn in progress as a field of a line."""
    parts = ["turn", quote_name(turn["space"]), quote_name(turn["stage"])]
    if turn["area"] is not None:
        parts.append(f"area={quote_name(turn['area'])}")
    parts += [f"{key}={'+'.join(names(turn[key]))}" for key in ("contested", "places", "seizable") if turn[key]]
    parts += [f"dice={turn['dice']}"] if turn["dice"] else []
    parts += [f"faces={'+'.join(map(str, turn['faces']))}"] if turn["faces"] else []
    losses = (f"{quote_name(faction)}/{quote_name(area)}/{n}" for faction, area, n in turn["losses"])
    parts += [f"losses={'+'.join(losses)}"] if turn["losses"] else []
    begun = (f"{quote_name(faction)}/{n}" for faction, n in turn.get("begun", {}).items())
    parts += [f"begun={'+'.join(begun)}"] if turn.get("begun") else []
    parts += [f"payload={turn['payload']}"] if turn.get("payload") else []
    parts += [f"returns={'+'.join(names(turn['returns']))}"] if turn.get("returns") else []
    parts += [f"then={quote_name(turn['then'])}"] if turn["then"] != _NO_NEXT else []
    return " ".join([*parts, *([] if turn["open"] else ["closed"])])


def read_turn(line: Line) -> Json:
    """The JSON object of a turn in progress that a line goes on with."""
    turn: Json = {"space": line.name("an action space"), "stage": line.name("a stage"), "area": None, "then": _NO_NEXT}
    turn |= {"contested": [], "dice": 0, "faces": [], "losses": [], "places": [], "seizable": []}
    while line.has_name() or line.sees("payload"):
        if line.next.text not in _TURN:
            raise line.fail(f"one of {', '.join(_TURN)}")
        key = line.take().text
        line.need("=")
        turn[key] = _TURN[key](line)
    turn["open"] = not line.skip("closed")
    return turn


def _read_loss(line: Line) -> list[str | int]:
    faction = line.name("a faction")
    line.need("/")
    area = line.name("an area")
    line.need("/")
    return [faction, area, line.number("a number of units")]


def _read_begun(line: Line) -> tuple[str, int]:
    faction = line.name("a faction")
    line.need("/")
    return faction, line.number("a number of commanders")


_TURN: dict[str, Callable[[Line], Any]] = {
    "area": lambda line: line.name("an area"),
    "contested": read_joined,
    "dice": read_number,
    "faces": lambda line: line.joined(lambda: line.number("a face")),
    "losses": lambda line: line.joined(lambda: _read_loss(line)),
    "places": read_joined,
    "seizable": read_joined,
    "begun": lambda line: dict(line.joined(lambda: _read_begun(line))),
    "payload": read_number,
    "returns": read_joined,
    "then": lambda line: line.name("what follows"),
}
