"""Bombard, Shell and Siege: dice at a neighbouring area (Bombard, Shell, Siege)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.orders import bonuses
from engine.orders.board import Space
from engine.orders.draft import Draft
from engine.orders.mode import Card
from engine.orders.outlook import Option, Outlook
from engine.orders.position import Stage, Turn
from engine.orders.steps import Deploy
from engine.orders.supply import standing
from engine.ruling import Hearing


def targets(seen: Outlook, space: Space) -> int:
    """The areas that may be shot at, as a set: neighbours of the target's kind, unfortified for Bombard."""
    board, action = seen.board, space.action
    near = board.adjacency.of[space.area_index] & (board.land if action.target == "land" else board.water)
    if action.spares_forts:
        near &= ~board.forts
    return near & seen.enemy if "empty-target" in seen.position.readings else near


def dice(seen: Outlook, space: Space) -> int:
    """The dice of a shot: the action's number, or one for each unit that shoots; a bonus adds to them."""
    action = space.action
    shooters = seen.rows[seen.mode.unit_index[action.dice_per]][space.area_index] if action.dice_per else 0
    return action.dice + shooters + bonuses.extra(seen, action.name)


def _armed(seen: Outlook, space: Space) -> bool:
    unit = space.action.dice_per
    return not unit or seen.rows[seen.mode.unit_index[unit]][space.area_index] > 0


def option(seen: Outlook, space: Space) -> Option | None:
    """The areas that may be shot at."""
    if not seen.supply >> space.area_index & 1 or not _armed(seen, space):
        return None
    found = targets(seen, space)
    return Option(space, found, 0) if found else None


def judge(hearing: Hearing, seen: Outlook, step: Deploy, cards: Sequence[Card]) -> None:
    """The deployment criteria and the target."""
    del cards  # a card for a shot adds dice, whatever the target
    space = seen.board.space(step.space)
    action = space.action.name
    supplied = bool(seen.supply >> space.area_index & 1)
    if hearing.thorough or not supplied:
        hearing.weigh(f"{action}.supply", supplied, standing=standing(seen.position, seen.me, space.area_index))
    if space.action.dice_per:
        hearing.weigh(f"{action}.armed", _armed(seen, space), area=space.area, unit=space.action.dice_per)
    judge_target(hearing, seen, space, step.target)


def judge_target(hearing: Hearing, seen: Outlook, space: Space, target: str | None) -> None:
    """Whether an area may be shot at from this space."""
    action = space.action
    if not hearing.weigh(f"{action.name}.target", target is not None, area=space.area) or target is None:
        return
    area = seen.board.area_index.get(target)
    if not hearing.weigh("area.known", area is not None, area=target) or area is None:
        return
    bit = 1 << area
    near = bool(seen.board.adjacency.of[space.area_index] & bit)
    hearing.weigh(f"{action.name}.adjacent", near, target=target, area=space.area)
    kind = seen.board.areas[area].kind
    hearing.weigh(f"{action.name}.target-kind", kind == action.target, target=target, kind=kind)
    if action.spares_forts:
        hearing.weigh(f"{action.name}.fort", not seen.board.forts & bit, target=target)
    strict = "empty-target" in seen.position.readings
    hearing.weigh(f"{action.name}.enemy", not strict or bool(seen.enemy & bit), target=target)


def perform(draft: Draft, seen: Outlook, step: Deploy) -> None:
    """Take aim: the roll is owed."""
    space = seen.board.space(step.space)
    cards = (seen.mode.cards[card] for card in step.cards)
    added = sum(card.amount for card in cards if card.verb == "dice")
    assert step.target is not None
    aim(draft, seen, space, step.target, added)


def aim(draft: Draft, seen: Outlook, space: Space, target: str, added: int = 0) -> None:
    """Owe the roll of a shot from this space at `target`, with dice that a card added."""
    area = seen.board.area_index[target]
    draft.turn = Turn(space.index, Stage.SHOT, area, dice=dice(seen, space) + added)
