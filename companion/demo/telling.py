"""A turn in one line of words, for the log of the demo."""

from __future__ import annotations

from collections.abc import Sequence

from companion.text.columns import count_text
from engine.orders.actions.draw import takes_initiative
from engine.orders.board import Space
from engine.orders.position import Position
from engine.orders.score import HQ_LOST
from engine.orders.steps import Deploy, Load, Pass, Play, Reroll, Return, Roll, Step
from engine.orders.turn import ready


def turn_words(before: Position, steps: Sequence[Step], after: Position) -> str:
    """What a faction did in its turn, what the dice and cards made of it, and how it ended."""
    first, *others = steps
    answers = [phrase for step in others if (phrase := _answer(step))]
    end = [_end(before, first, after)] if isinstance(first, Deploy) else []
    rest = ", ".join([*answers, *(phrase for phrase in end if phrase)])
    line = f"{_opening(before, first)}: {rest}" if rest else _opening(before, first)
    if after.winner_name is None or after.reason != HQ_LOST:
        return line
    return f"{line}; the headquarters falls, {after.winner_name} wins"


def _opening(before: Position, step: Step) -> str:
    if isinstance(step, Pass):
        return "passes"
    if not isinstance(step, Deploy):
        return str(step)
    space = before.board.space(step.space)
    by_card = f" by {', '.join(step.cards)}" if step.cards else ""
    action = space.action
    move = _BY_VERB[action.verb](space, step)
    back = f", after recalling {_loads(step.recall, 'from')}" if step.recall else ""
    here = ready(before, step)
    first = " and takes the initiative" if takes_initiative(here, space, here.to_move) else ""
    return f"{action.name.replace('_', '-')} {move}{back}{first}{by_card}"


def _move(space: Space, step: Deploy) -> str:
    return f"{space.area} with {_loads(step.moves, 'from')}"


def _shot(space: Space, step: Deploy) -> str:
    spent = f" with {step.payload} spent" if step.payload else ""
    return f"{step.target} from {space.area}{spent}"


def _place(space: Space, step: Deploy) -> str:
    del space
    return _loads(step.place, "to")


def _draw(space: Space, step: Deploy) -> str:
    number = step.draw if isinstance(step.draw, int) else len(step.draw or ())
    return f"draws {count_text(number, 'card')}"


_BY_VERB = {"move": _move, "shoot": _shot, "drop": _shot, "place": _place, "draw": _draw}


def _loads(loads: Sequence[Load], way: str) -> str:
    return ", ".join(f"{n} {way} {area}" for area, _, n in loads) or "nothing"


def _answer(step: Step) -> str:
    """What happened inside the turn; nothing for what goes without saying."""
    if isinstance(step, Roll):
        return f"{step.by} rolls {'+'.join(map(str, step.dice)) or 'nothing'}"
    if isinstance(step, Reroll):
        return f"{step.by} spends {step.card} to roll again"
    if isinstance(step, Play):
        return f"{step.by} plays {step.card}"
    if isinstance(step, Return):
        return f"{step.by} takes a commander back from {step.space}"
    return ""


def _end(before: Position, step: Deploy, after: Position) -> str:
    """How the area that was attacked or shot at ended."""
    space = before.board.space(step.space)
    if space.action.verb == "shoot" and step.target is not None:
        hits = _standing(before, step.target) - _standing(after, step.target)
        return f"hits {hits}" if hits else "hits nothing"
    area = step.target if space.action.verb == "drop" else space.area
    if space.action.verb not in ("move", "drop") or area is None or before.to_move_name in before.units_in(area):
        return ""
    if not before.units_in(area):
        return ""
    holder = after.controller(area)
    if holder is None:
        return "nobody is left"
    verb = "holds" if holder in before.units_in(area) else "takes it"
    return f"{holder} {verb} with {_standing(after, area)}"


def _standing(position: Position, area: str) -> int:
    return sum(sum(units.values()) for units in position.units_in(area).values())
