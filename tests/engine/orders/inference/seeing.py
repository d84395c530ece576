"""Tables as somebody sees them after a turn, and what is inferred from them, in a few words."""

from collections.abc import Mapping
from typing import Any

from engine.orders.inference.infer import Explanation, Inference, infer
from engine.orders.notation import parse_step
from engine.orders.position import Position
from tests.notation import format_step
from tests.tables import after, rivers

OPEN = rivers("e3:3 d3:3 e1:2 d5:3 e4:3 c3:1", "a3:3 b3:2 b5:3 a1:2 a4:3")
START = rivers("e3:3 d3:2 e1:2 d5:3 e4:3", "a3:3 b3:2 b5:3 a1:2 a4:3")
EVERY = 1000


def table(position: Position) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a position's units and commanders, named as somebody who looks at the table names them."""
    board = position.board
    units = {area.name: here for area in board.areas if (here := position.units_in(area.name))}
    commanders = {space.name: list(who) for space in board.spaces if (who := position.commanders_on(space.name))}
    return units, commanders


def seen_after(position: Position, steps: str, *, looked: bool = True, most: int = EVERY) -> Inference:
    """Infer the turn from the table after these steps, written as lines."""
    units, commanders = table(after(position, *map(parse_step, steps.split("; "))))
    return infer(position, units, commanders if looked else None, most=most)


def told(explanation: Explanation) -> str:
    return "; ".join(map(format_step, explanation.steps))


def best(result: Inference) -> str:
    assert not result.illegal
    return told(result.explanations[0])


def all_told(result: Inference) -> list[str]:
    return [told(explanation) for explanation in result.explanations]


def changed(position: Position, changes: Mapping[str, int]) -> dict[str, Any]:
    units, _ = table(position)
    for what, n in changes.items():
        area, faction, unit = what.split()
        here = units.setdefault(area, {}).setdefault(faction, {})
        here[unit] = here.get(unit, 0) + n
    return units
