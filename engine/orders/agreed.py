"""What the players agree on: the record is put right to what stands on the table, without a rule to bring it there.

All that is looked at is whether the box can hold it: units where their kind can stand, no more pieces than there are.
"""

from __future__ import annotations

from engine.orders import besides, cards, conflict
from engine.orders.draft import Draft
from engine.orders.position import Position
from engine.orders.steps import NOTHING_BESIDES, Agreed
from engine.ruling import Hearing

ANSWERS = ("default", "other")


def judge_agreed(hearing: Hearing, position: Position, step: Agreed) -> None:
    """Whether all that is named is known and the agreed position is one that the box can hold."""
    _readings(hearing, position, step)
    known = besides.judge_besides(hearing, position, step.besides)
    if _names(hearing, position, step) and known:
        draft = Draft(position)
        _put(draft, step)
        _box(hearing, draft)
        besides.judge_box(hearing, draft)


def perform_agreed(draft: Draft, step: Agreed) -> None:
    """Put the board right; a turn in progress is over, and so is a round whose last commander this accounts for.

    Where only readings are agreed on, everything else stays as it is; where nothing on the map is, a turn in progress
    goes on, and so it does where a card that the players resolve themselves was played in it. A finished game is scored
    anew, or goes on where it was not over.
    """
    board = bool(step.areas or step.spaces or step.to_move is not None)
    rest = step.besides != NOTHING_BESIDES
    if step.readings:
        _switch(draft, step)
        if not (board or rest):
            return
    finished, draft.winner, draft.reason = draft.winner is not None, None, None
    by_card = cards.loose(draft) and not finished and step.to_move is None and not step.spaces
    _put(draft, step)
    if step.besides.winner is not None:
        besides.end_as_agreed(draft, step.besides.winner)
    elif rest and not board and draft.turn is not None:
        draft.tell("put right", draft.to_move)
        conflict.carry_on(draft)
    elif by_card:
        draft.tell("put right", draft.to_move)
        conflict.resume(draft)
    else:
        _end_turn(draft, step)


def _end_turn(draft: Draft, step: Agreed) -> None:
    """The turn is over, and the game too where a headquarters stands empty."""
    mover = draft.to_move if step.to_move is None else draft.mode.faction_index[step.to_move]
    draft.tell("agreed", mover)
    if not conflict.falls(draft):
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
    besides.put_besides(draft, step.besides)


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
        most, left = draft.mode.commanders, draft.left[faction]
        used = draft.commanders[faction].bit_count() + draft.standby[faction] + left
        needed = most - left if left < 0 else used
        hearing.weigh("agreed.commanders", needed <= most, who=who, n=needed, most=most)
