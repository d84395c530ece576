"""What the players agree on: the record is put right to what stands on the table, without a rule to bring it there.

All that is looked at is whether the box can hold it: units where their kind can stand, no more pieces than there are.
"""

from __future__ import annotations

from engine.orders import conflict
from engine.orders.draft import Draft
from engine.orders.position import Position
from engine.orders.steps import Agreed
from engine.ruling import Hearing

ANSWERS = ("default", "other")


def judge_agreed(hearing: Hearing, position: Position, step: Agreed) -> None:
    """Whether the readings are known and the agreed position is one that the box can hold."""
    _readings(hearing, position, step)
    if _names(hearing, position, step):
        draft = Draft(position)
        _put(draft, step)
        _box(hearing, draft)


def perform_agreed(draft: Draft, step: Agreed) -> None:
    """Put the board right; a turn in progress is over, and so is a round whose last commander this accounts for.

    Where only readings are agreed on, everything else stays as it is.
    """
    if step.readings:
        _switch(draft, step)
        if not (step.areas or step.spaces or step.to_move is not None):
            return
    _put(draft, step)
    mover = draft.to_move if step.to_move is None else draft.mode.faction_index[step.to_move]
    draft.tell("agreed", mover)
    draft.to_move = 1 - mover
    conflict.end_turn(draft)


def _readings(hearing: Hearing, position: Position, step: Agreed) -> None:
    """Whether each reading named has another answer, and the answer given is one of the two."""
    known = position.board.mode.readings
    for name, answer in step.readings:
        fits = name in known and bool(known[name].other) and answer in ANSWERS
        hearing.weigh("reading.known", fits, reading=name, answer=answer)


def _switch(draft: Draft, step: Agreed) -> None:
    answers = dict(step.readings)
    kept = draft.readings - answers.keys()
    draft.readings = kept | {name for name, answer in answers.items() if answer == "other"}
    draft.tell("readings", draft.to_move)


def _names(hearing: Hearing, position: Position, step: Agreed) -> bool:
    """Whether all that is named is known, and units stand where they can."""
    board, mode = position.board, position.board.mode
    known = [hearing.weigh("area.known", area in board.area_index, area=area) for area, _ in step.areas]
    known += [hearing.weigh("space.known", space in board.space_index, space=space) for space, _ in step.spaces]
    factions = [faction for _, units in step.areas for faction, _, _ in units]
    factions += [faction for _, holders in step.spaces for faction in holders]
    factions += [] if step.to_move is None else [step.to_move]
    known += [hearing.weigh("faction.known", one in mode.faction_index, who=one) for one in dict.fromkeys(factions)]
    if not all(known):
        return False
    kinds = {(area, unit): None for area, units in step.areas for _, unit, _ in units}
    fits = [hearing.weigh("agreed.kind", _may_stand(position, *one), area=one[0], unit=one[1]) for one in kinds]
    return all(fits)


def _may_stand(position: Position, area: str, unit: str) -> bool:
    mode = position.board.mode
    return mode.unit_index.get(unit) in mode.kinds_on[position.board.area(area).kind]


def _put(draft: Draft, step: Agreed) -> None:
    """What is agreed, in the draft; commanders come from their reserve and go back to it."""
    for area, units in step.areas:
        _clear(draft, draft.board.area_index[area])
        for faction, unit, n in units:
            draft.add(draft.mode.faction_index[faction], draft.mode.unit_index[unit], draft.board.area_index[area], n)
    for space, holders in step.spaces:
        _hold(draft, 1 << draft.board.space_index[space], {draft.mode.faction_index[who] for who in holders})


def _clear(draft: Draft, area: int) -> None:
    for side in draft.units:
        for row in side:
            row[area] = 0


def _hold(draft: Draft, bit: int, holders: set[int]) -> None:
    for faction in (0, 1):
        held, holds = bool(draft.commanders[faction] & bit), faction in holders
        draft.commanders[faction] ^= bit if held != holds else 0
        draft.left[faction] += held - holds


def _box(hearing: Hearing, draft: Draft) -> None:
    for faction, who in enumerate(draft.board.factions):
        for kind, unit in enumerate(draft.mode.units):
            n = sum(draft.units[faction][kind])
            hearing.weigh("agreed.box", n <= unit.reserve, who=who, unit=unit.name, n=n, most=unit.reserve)
        most, short = draft.mode.commanders, min(0, draft.left[faction])
        hearing.weigh("agreed.commanders", not short, who=who, n=most - short, most=most)
