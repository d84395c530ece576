"""A turn in one line of words, for the log of the demo."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.language import _
from engine.orders.actions.draw import takes_initiative
from engine.orders.board import Space
from engine.orders.position import Position
from engine.orders.score import HQ_LOST
from engine.orders.steps import Deploy, Load, Pass, Play, Reroll, Return, Roll, Step
from engine.orders.turn import ready
from engine.words import count_words, mark


def turn_words(before: Position, steps: Sequence[Step], after: Position) -> str:
    """Describe a faction's turn in one line: what it did, what dice and cards made of it, and how it ended."""
    first, *others = steps
    answers = [phrase for step in others if (phrase := _answer(step))]
    end = [_end(before, first, after)] if isinstance(first, Deploy) else []
    rest = ", ".join([*answers, *(phrase for phrase in end if phrase)])
    line = f"{_opening(before, first)}: {rest}" if rest else _opening(before, first)
    if after.winner_name is None or after.reason != HQ_LOST:
        return line
    return _("{turn}; the headquarters falls, {who} wins").format(turn=line, who=_(after.winner_name))


def _opening(before: Position, step: Step) -> str:
    if isinstance(step, Pass):
        return _("passes")
    if not isinstance(step, Deploy):
        return str(step)
    space = before.board.space(step.space)
    action, here = space.action, ready(before, step)
    told = " ".join((_(action.title).lower(), _BY_VERB[action.verb](space, step)))
    if step.recall:
        told = _("{turn}, after recalling {units}").format(turn=told, units=_loads(step.recall, FROM))
    if takes_initiative(here, space, here.to_move):
        told = _("{turn} and takes the initiative").format(turn=told)
    return _("{turn} by {cards}").format(turn=told, cards=", ".join(step.cards)) if step.cards else told


def _move(space: Space, step: Deploy) -> str:
    return _("{area} with {units}").format(area=space.area, units=_loads(step.moves, FROM))


def _shot(space: Space, step: Deploy) -> str:
    form = _("{target} from {area} with {n} spent") if step.payload else _("{target} from {area}")
    return form.format(target=step.target, area=space.area, n=step.payload)


def _place(_space: Space, step: Deploy) -> str:
    return _loads(step.place, TO)


def _draw(space: Space, step: Deploy) -> str:
    number = step.draw if isinstance(step.draw, int) else len(step.draw or ())
    return _("draws {cards}").format(cards=count_words(number, "card"))


FROM, TO = mark("{n} from {area}"), mark("{n} to {area}")
_BY_VERB = {"move": _move, "shoot": _shot, "drop": _shot, "place": _place, "draw": _draw}


def _loads(loads: Sequence[Load], way: str) -> str:
    return ", ".join(_(way).format(n=n, area=area) for area, _unit, n in loads) or _("nothing")


def _answer(step: Step) -> str:
    """Describe a step within a turn; "" if it goes without saying."""
    if isinstance(step, Roll):
        return _("{who} rolls {dice}").format(who=_(step.by), dice="+".join(map(str, step.dice)) or _("nothing"))
    if isinstance(step, Reroll):
        return _("{who} spends {card} to roll again").format(who=_(step.by), card=step.card)
    if isinstance(step, Play):
        return _("{who} plays {cards}").format(who=_(step.by), cards=step.card)
    if isinstance(step, Return):
        return _("{who} recalls a commander from {space}").format(who=_(step.by), space=step.space)
    return ""


def _end(before: Position, step: Deploy, after: Position) -> str:
    """Describe how the area that was attacked or shot at ended up; "" if none was."""
    space = before.board.space(step.space)
    if space.action.verb == "shoot" and step.target is not None:
        hits = _standing(before, step.target) - _standing(after, step.target)
        return _("hits {n}").format(n=hits) if hits else _("hits nothing")
    area = step.target if space.action.verb == "drop" else space.area
    if space.action.verb not in ("move", "drop") or area is None or before.to_move_name in before.units_in(area):
        return ""
    if not before.units_in(area):
        return ""
    holder = after.controller(area)
    if holder is None:
        return _("nobody is left")
    form = _("{who} holds with {n}") if holder in before.units_in(area) else _("{who} takes it with {n}")
    return form.format(who=_(holder), n=_standing(after, area))


def _standing(position: Position, area: str) -> int:
    return sum(sum(units.values()) for units in position.units_in(area).values())
