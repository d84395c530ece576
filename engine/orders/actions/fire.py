"""Bombard, Shell, Siege, Barrage, Bomb: dice at an area in reach (the sections of those names)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.orders import bonuses
from engine.orders.board import Board, Space
from engine.orders.draft import Draft
from engine.orders.mode import ActionKind, Card
from engine.orders.position import Option, Outlook, Stage, Turn
from engine.orders.steps import Deploy
from engine.orders.supply import standing_words, supply_rule
from engine.ruling import Hearing


def in_reach(outlook: Outlook, space: Space) -> int:
    """Return the areas that a shot from this space can reach, as a set, whatever is in them.

    Beneath the linked air zone, or up to `range` areas away: in plain distance, or by the reading barrage-path only
    over areas that the enemy does not hold.
    """
    action = space.action
    if action.range == 1 and not action.beneath:
        return outlook.board.adjacency.of[space.area_index]
    shut = outlook.enemy if "barrage-path" in outlook.position.readings else 0
    return widest_reach(outlook.board, space, shut)


def widest_reach(board: Board, space: Space, shut: int = 0) -> int:
    """Return the areas that a shot from this space can reach, as a set, if it can't pass over the areas of `shut`."""
    action = space.action
    if action.beneath:
        return board.beneath[space.area_index]
    found = board.adjacency.of[space.area_index]
    for _ in range(action.range - 1):
        found |= board.adjacency.around(found & ~shut)
    return found & ~(1 << space.area_index)


def _enemy_only(outlook: Outlook, action: ActionKind) -> bool:
    """Return whether the target has to hold enemy units: as the action says, or the opposite by its reading."""
    return action.enemy_only != (action.target_reading in outlook.position.readings)


def targets(outlook: Outlook, space: Space) -> int:
    """Return the areas that may be shot at, as a set: in reach, of the target's kind, unfortified for Bombard."""
    board, action = outlook.board, space.action
    found = in_reach(outlook, space) & board.of_kind[action.target]
    if action.spares_forts:
        found &= ~board.forts
    return found & outlook.enemy if _enemy_only(outlook, action) else found


def dice(outlook: Outlook, space: Space) -> int:
    """Count the dice of a shot before any payload: the action's own, one for each unit that shoots, and a bonus's."""
    action = space.action
    shooters = outlook.rows[outlook.mode.unit_index[action.dice_per]][space.area_index] if action.dice_per else 0
    return action.dice + shooters + bonuses.bonus_amount(outlook, action.name)


def most_payload(outlook: Outlook, space: Space) -> int:
    """Count how many units may be spent for dice; the last one stays (reading bomb-last-aircraft)."""
    unit = space.action.payload
    if not unit:
        return 0
    there = outlook.rows[outlook.mode.unit_index[unit]][space.area_index]
    return there if "bomb-last-aircraft" in outlook.position.readings else max(0, there - 1)


def _is_armed(outlook: Outlook, space: Space) -> bool:
    if space.action.payload:
        return most_payload(outlook, space) > 0
    unit = space.action.dice_per
    return not unit or outlook.rows[outlook.mode.unit_index[unit]][space.area_index] > 0


def option(outlook: Outlook, space: Space) -> Option | None:
    """Return the option to shoot, with the areas and the largest payload; None if there is none."""
    if not outlook.supply >> space.area_index & 1 or not _is_armed(outlook, space):
        return None
    found = targets(outlook, space)
    return Option(space, found, most_payload(outlook, space) if space.action.payload else 0) if found else None


def judge(hearing: Hearing, outlook: Outlook, step: Deploy, _cards: Sequence[Card]) -> None:
    """Judge a shot: the deployment criteria, the target and the payload.

    Its cards make no difference: a card for a shot adds dice, whatever the target.
    """
    space = outlook.board.space(step.space)
    action = space.action
    supplied = bool(outlook.supply >> space.area_index & 1)
    if hearing.thorough or not supplied:
        asked = (outlook.position, outlook.me, space.area_index)
        hearing.weigh(supply_rule(*asked, f"{action.name}.supply"), supplied, standing=standing_words(*asked))
    unit = action.payload or action.dice_per
    if unit:
        hearing.weigh(f"{action.name}.armed", _is_armed(outlook, space), area=space.area, unit=unit)
    judge_target(hearing, outlook, space, step.target)
    if action.payload and _is_armed(outlook, space):
        _judge_payload(hearing, outlook, space, step.payload or 0)


def _judge_payload(hearing: Hearing, outlook: Outlook, space: Space, payload: int) -> None:
    action, most = space.action, most_payload(outlook, space)
    there = outlook.rows[outlook.mode.unit_index[action.payload]][space.area_index]
    facts: dict[str, object] = {"area": space.area, "unit": action.payload, "n": payload, "most": most, "there": there}
    if hearing.weigh(f"{action.name}.payload", 1 <= payload <= there, **facts):
        hearing.weigh(f"{action.name}.last-unit", payload <= most, **facts)


def judge_target(hearing: Hearing, outlook: Outlook, space: Space, target: str | None) -> None:
    """Judge whether an area may be shot at from this space."""
    action = space.action
    if not hearing.weigh(f"{action.name}.target", target is not None, area=space.area) or target is None:
        return
    area = outlook.board.area_index.get(target)
    if not hearing.weigh("area.known", area is not None, area=target) or area is None:
        return
    bit = 1 << area
    near = bool(in_reach(outlook, space) & bit)
    reach = "beneath" if action.beneath else "range" if action.range > 1 else "adjacent"
    hearing.weigh(f"{action.name}.{reach}", near, target=target, area=space.area, most=action.range)
    kind = outlook.board.areas[area].kind
    hearing.weigh(f"{action.name}.target-kind", kind == action.target, target=target, kind=kind)
    if action.spares_forts:
        hearing.weigh(f"{action.name}.fort", not outlook.board.forts & bit, target=target)
    held = not _enemy_only(outlook, action) or bool(outlook.enemy & bit)
    hearing.weigh(f"{action.name}.enemy", held, target=target)


def perform(draft: Draft, outlook: Outlook, step: Deploy) -> None:
    """Carry out a shot up to its roll: spend the payload and aim."""
    space = outlook.board.space(step.space)
    cards = (outlook.mode.cards[card] for card in step.cards)
    added = sum(card.amount for card in cards if card.verb == "dice")
    assert step.target is not None
    payload = step.payload or 0
    if payload:
        kind = outlook.mode.unit_index[space.action.payload]
        draft.add(outlook.me, kind, space.area_index, -payload)
        draft.tell("spent", outlook.me, space.area_index, kind, payload)
    aim(draft, outlook, space, step.target, added + payload)
    assert draft.turn is not None
    draft.turn = draft.turn._replace(payload=payload)


def aim(draft: Draft, outlook: Outlook, space: Space, target: str, added: int = 0) -> None:
    """Aim a shot from this space at `target`: its roll is owed, with the dice that a card or payload added."""
    area = outlook.board.area_index[target]
    begun = draft.turn.begun if draft.turn is not None else (0, 0)
    draft.turn = Turn(space.index, Stage.SHOT, area, dice=dice(outlook, space) + added, begun=begun)
