"""Bombard, Shell, Siege, Barrage, Bomb: dice at an area in reach (the sections of those names)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.orders import bonuses
from engine.orders.board import Board, Space
from engine.orders.draft import Draft
from engine.orders.mode import ActionKind, Card
from engine.orders.outlook import Option, Outlook
from engine.orders.position import Stage, Turn
from engine.orders.steps import Deploy
from engine.orders.supply import standing, supply_rule
from engine.ruling import Hearing


def in_reach(seen: Outlook, space: Space) -> int:
    """Return the areas that a shot from this space can reach, as a set, whatever is in them.

    Beneath the linked air zone, or up to `range` areas away: in plain distance, or by the reading barrage-path only
    over areas that the enemy does not hold.
    """
    action = space.action
    if action.range == 1 and not action.beneath:
        return seen.board.adjacency.of[space.area_index]
    shut = seen.enemy if "barrage-path" in seen.position.readings else 0
    return widest(seen.board, space, shut)


def widest(board: Board, space: Space, shut: int = 0) -> int:
    """Return the areas that a shot from this space can reach without a way over the areas of `shut`."""
    action = space.action
    if action.beneath:
        return board.beneath[space.area_index]
    found = board.adjacency.of[space.area_index]
    for _ in range(action.range - 1):
        found |= board.adjacency.around(found & ~shut)
    return found & ~(1 << space.area_index)


def _held_only(seen: Outlook, action: ActionKind) -> bool:
    """Return whether the target has to hold enemy units, as the action says, or the contrary by its reading."""
    return action.enemy_only != (action.target_reading in seen.position.readings)


def targets(seen: Outlook, space: Space) -> int:
    """Return the areas that may be shot at, as a set: in reach, of the target's kind, unfortified for Bombard."""
    board, action = seen.board, space.action
    found = in_reach(seen, space) & board.of_kind[action.target]
    if action.spares_forts:
        found &= ~board.forts
    return found & seen.enemy if _held_only(seen, action) else found


def dice(seen: Outlook, space: Space) -> int:
    """Count the dice of a shot before any payload.

    They are the action's number, or one for each unit that shoots, and a bonus's.
    """
    action = space.action
    shooters = seen.rows[seen.mode.unit_index[action.dice_per]][space.area_index] if action.dice_per else 0
    return action.dice + shooters + bonuses.extra(seen, action.name)


def most_payload(seen: Outlook, space: Space) -> int:
    """Count how many units may be spent for dice; the last one stays (reading bomb-last-aircraft)."""
    unit = space.action.payload
    if not unit:
        return 0
    there = seen.rows[seen.mode.unit_index[unit]][space.area_index]
    return there if "bomb-last-aircraft" in seen.position.readings else max(0, there - 1)


def _is_armed(seen: Outlook, space: Space) -> bool:
    if space.action.payload:
        return most_payload(seen, space) > 0
    unit = space.action.dice_per
    return not unit or seen.rows[seen.mode.unit_index[unit]][space.area_index] > 0


def option(seen: Outlook, space: Space) -> Option | None:
    """Offer the areas that may be shot at, and the largest payload."""
    if not seen.supply >> space.area_index & 1 or not _is_armed(seen, space):
        return None
    found = targets(seen, space)
    return Option(space, found, most_payload(seen, space) if space.action.payload else 0) if found else None


def judge(hearing: Hearing, seen: Outlook, step: Deploy, cards: Sequence[Card]) -> None:
    """Judge the deployment criteria, the target and the payload."""
    del cards  # a card for a shot adds dice, whatever the target
    space = seen.board.space(step.space)
    action = space.action
    supplied = bool(seen.supply >> space.area_index & 1)
    if hearing.thorough or not supplied:
        asked = (seen.position, seen.me, space.area_index)
        hearing.weigh(supply_rule(*asked, f"{action.name}.supply"), supplied, standing=standing(*asked))
    unit = action.payload or action.dice_per
    if unit:
        hearing.weigh(f"{action.name}.armed", _is_armed(seen, space), area=space.area, unit=unit)
    judge_target(hearing, seen, space, step.target)
    if action.payload and _is_armed(seen, space):
        _judge_payload(hearing, seen, space, step.payload or 0)


def _judge_payload(hearing: Hearing, seen: Outlook, space: Space, payload: int) -> None:
    action, most = space.action, most_payload(seen, space)
    there = seen.rows[seen.mode.unit_index[action.payload]][space.area_index]
    facts: dict[str, object] = {"area": space.area, "unit": action.payload, "n": payload, "most": most, "there": there}
    if hearing.weigh(f"{action.name}.payload", 1 <= payload <= there, **facts):
        hearing.weigh(f"{action.name}.last-unit", payload <= most, **facts)


def judge_target(hearing: Hearing, seen: Outlook, space: Space, target: str | None) -> None:
    """Judge whether an area may be shot at from this space."""
    action = space.action
    if not hearing.weigh(f"{action.name}.target", target is not None, area=space.area) or target is None:
        return
    area = seen.board.area_index.get(target)
    if not hearing.weigh("area.known", area is not None, area=target) or area is None:
        return
    bit = 1 << area
    near = bool(in_reach(seen, space) & bit)
    reach = "beneath" if action.beneath else "range" if action.range > 1 else "adjacent"
    hearing.weigh(f"{action.name}.{reach}", near, target=target, area=space.area, most=action.range)
    kind = seen.board.areas[area].kind
    hearing.weigh(f"{action.name}.target-kind", kind == action.target, target=target, kind=kind)
    if action.spares_forts:
        hearing.weigh(f"{action.name}.fort", not seen.board.forts & bit, target=target)
    held = not _held_only(seen, action) or bool(seen.enemy & bit)
    hearing.weigh(f"{action.name}.enemy", held, target=target)


def perform(draft: Draft, seen: Outlook, step: Deploy) -> None:
    """Spend the payload and take aim: the roll is owed."""
    space = seen.board.space(step.space)
    cards = (seen.mode.cards[card] for card in step.cards)
    added = sum(card.amount for card in cards if card.verb == "dice")
    assert step.target is not None
    payload = step.payload or 0
    if payload:
        kind = seen.mode.unit_index[space.action.payload]
        draft.add(seen.me, kind, space.area_index, -payload)
        draft.tell("spent", seen.me, space.area_index, kind, payload)
    aim(draft, seen, space, step.target, added + payload)
    assert draft.turn is not None
    draft.turn = draft.turn._replace(payload=payload)


def aim(draft: Draft, seen: Outlook, space: Space, target: str, added: int = 0) -> None:
    """Owe the roll of a shot from this space at `target`, with dice that a card or a payload added."""
    area = seen.board.area_index[target]
    begun = draft.turn.begun if draft.turn is not None else (0, 0)
    draft.turn = Turn(space.index, Stage.SHOT, area, dice=dice(seen, space) + added, begun=begun)
