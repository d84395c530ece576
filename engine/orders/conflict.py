"""What follows a deployment until its turn is over: rolls, losses, attrition, limits, commanders that come and go."""

from __future__ import annotations

from collections.abc import Iterator

from engine.orders import bonuses, cards
from engine.orders.actions.move import AT_EVERY_END
from engine.orders.bonuses import defence_dice, dice_readings
from engine.orders.draft import Draft, Event
from engine.orders.position import Loss, Next, Stage, Turn
from engine.orders.score import HQ_LOST, VICTORY_POINTS, headquarters_winner, leader


def carry_on(draft: Draft) -> None:
    """Carry the turn on through all that leaves no choice, until the table owes something or the turn is over."""
    while draft.turn is not None and not is_waiting(draft, draft.turn):
        _ADVANCE[draft.turn.stage](draft, draft.turn)


def is_waiting(draft: Draft, turn: Turn) -> bool:
    """Return whether the table owes a roll, a choice of losses, or a word on its cards at this stage."""
    if turn.stage is Stage.DEFENCE or turn.stage is Stage.SHOT:
        return True
    if turn.stage is Stage.LOSSES:
        return bool(turn.losses) and all(is_choice(draft, loss) for loss in turn.losses)
    if turn.stage is Stage.RETURN:
        return bool(turn.returns) and bool(_return_choices(draft, turn.returns[0]))
    return cards.is_window_open(draft)


def close_window(draft: Draft) -> None:
    """Close the window for cards at this stage, and carry on."""
    assert draft.turn is not None
    draft.turn = draft.turn._replace(open=False)
    carry_on(draft)


def resume(draft: Draft) -> None:
    """Go on with the turn after the players have corrected the map.

    Conflicts and losses that the units there no longer allow are dropped.
    """
    if not end_if_headquarters_fell(draft) and draft.turn is not None:
        draft.turn = _as_it_stands(draft, draft.turn)
        carry_on(draft)


def _as_it_stands(draft: Draft, turn: Turn) -> Turn:
    """Return the turn with only those conflicts and losses that the units on the map still allow."""
    contested = [area for area in range(len(draft.board.areas)) if draft.standing(0, area) and draft.standing(1, area)]
    to_come = tuple(area for area in turn.contested if area in contested)
    losses = tuple(
        loss._replace(units=min(loss.units, draft.standing(loss.faction, loss.area))) for loss in turn.losses
    )
    turn = turn._replace(contested=to_come, losses=tuple(loss for loss in losses if loss.units))
    if turn.stage is Stage.JOIN:
        return turn._replace(contested=(*to_come, *(area for area in contested if area not in to_come)))
    if turn.stage is Stage.DEFENCE and turn.area not in contested:
        return turn._replace(stage=Stage.JOIN, dice=0, open=False)
    return turn


def _after_join(draft: Draft, turn: Turn) -> None:
    if turn.contested:
        _next_conflict(draft, turn)
    else:
        _enforce_limits(draft, turn)


def _next_conflict(draft: Draft, turn: Turn) -> None:
    area, *others = turn.contested
    defender = 1 - draft.to_move
    # only the defender rolls (Conflicts); the attacker is always the side whose turn it is
    dice = defence_dice(draft, area, defender)
    draft.tell_by(", ".join(dice_readings(draft, area, defender)), "conflict", defender, area)
    draft.turn = Turn(turn.space, Stage.DEFENCE, area, tuple(others), dice, begun=turn.begun)


def _after_roll(draft: Draft, turn: Turn) -> None:
    """Make the side hit owe one unit for each pip, as far as it has any there (Conflicts)."""
    shot = draft.board.spaces[turn.space].action.verb == "shoot"
    # a defence hits the attacker, a shot the side that is shot at
    loser = 1 - draft.to_move if shot else draft.to_move
    units = min(sum(turn.faces), draft.standing(loser, turn.area))
    then = Next.AGAIN if shot else Next.ATTRITION
    losses = (Loss(loser, turn.area, units),) if units else ()
    draft.turn = turn._replace(stage=Stage.LOSSES, losses=losses, then=then, open=True)


def is_choice(draft: Draft, loss: Loss) -> bool:
    """Return whether the owner can choose which units go: several kinds are there, and not all of them go."""
    several = len(draft.kinds_at(loss.faction, loss.area)) > 1
    return several and loss.units < draft.standing(loss.faction, loss.area)


def _take_losses(draft: Draft, turn: Turn) -> None:
    """Take the losses that leave no choice; when none is left to choose, look at the headquarters and go on."""
    forced = [loss for loss in turn.losses if not is_choice(draft, loss)]
    for loss in forced:
        _take_loss(draft, loss)
    # what the owner still has to choose comes first, even where a headquarters is already empty
    left = tuple(loss for loss in turn.losses if loss not in forced)
    if left:
        draft.turn = turn._replace(losses=left)
        return
    if not end_if_headquarters_fell(draft):
        _NEXT[turn.then](draft, turn._replace(losses=()))


def _take_loss(draft: Draft, loss: Loss) -> None:
    left = loss.units
    for kind in draft.kinds_at(loss.faction, loss.area):
        units = min(left, draft.units[loss.faction][kind][loss.area])
        remove(draft, loss, kind, units)
        left -= units


def remove(draft: Draft, loss: Loss, kind: int, units: int) -> None:
    """Send units of a kind back to their reserve from the area and faction of a loss."""
    if units:
        # nothing but the end comes after losses to the limits of areas
        surplus = draft.turn is not None and draft.turn.then is Next.END
        draft.add(loss.faction, kind, loss.area, -units)
        reading = _limit_reading(draft) if surplus else ""
        draft.events.append(Event("surplus" if surplus else "lost", loss.faction, loss.area, kind, units, reading))


def _limit_reading(draft: Draft) -> str:
    """Return the reading by which a surplus goes home; "" after a conflict, as any book prints it then."""
    turn = draft.turn
    assert turn is not None
    fought = bool(turn.faces) and draft.board.spaces[turn.space].action.verb != "shoot"
    return AT_EVERY_END if AT_EVERY_END in draft.mode.readings and not fought else ""


def end_if_headquarters_fell(draft: Draft) -> bool:
    """End the game if a headquarters has no units of its owner left, and return whether it did."""
    winner = headquarters_winner(draft)
    if winner is not None:
        end_game(draft, winner, HQ_LOST)
    return winner is not None


def end_game(draft: Draft, winner: int, reason: str) -> None:
    """End the game with this winner and reason, and the turn in progress with it."""
    draft.winner, draft.reason, draft.turn = winner, reason, None
    draft.tell("won", winner)


def _resolve_attrition(draft: Draft, turn: Turn) -> None:
    """Make each side owe as many units as the smaller side has (Conflicts: attrition)."""
    units = min(draft.standing(faction, turn.area) for faction in (0, 1))
    losses = tuple(Loss(faction, turn.area, units) for faction in (draft.to_move, 1 - draft.to_move) if units)
    draft.turn = turn._replace(stage=Stage.LOSSES, losses=losses, then=Next.CONFLICT)


def _offer_repeat(draft: Draft, turn: Turn) -> None:
    draft.turn = turn._replace(stage=Stage.AGAIN, open=True)


def _enforce_limits(draft: Draft, turn: Turn) -> None:
    """Hold every area to its limit of a side's units at the end of the action (Unit Restrictions)."""
    surplus = tuple(
        Loss(faction, area, over)
        for faction in (draft.to_move, 1 - draft.to_move)
        for area, over in _surplus(draft, faction)
    )
    if surplus:
        draft.turn = turn._replace(stage=Stage.LOSSES, losses=surplus, then=Next.END)
    else:
        _end_action(draft, turn)


def _surplus(draft: Draft, faction: int) -> Iterator[tuple[int, int]]:
    for place, kinds in draft.mode.kinds_on.items():
        cap = draft.mode.caps[place]
        # This runs at the end of every action: with one kind of unit nothing is summed, and where the fullest area is
        # within the limit, which is nearly always, no area is looked at by itself.
        rows = [draft.units[faction][kind] for kind in kinds]
        counts = rows[0] if len(rows) == 1 else list(map(sum, zip(*rows, strict=True)))
        if max(counts) > cap:
            yield from ((area, n - cap) for area, n in enumerate(counts) if n > cap)


def _end_action(draft: Draft, turn: Turn) -> None:
    """End the action, its surplus gone home: commanders come and go by area bonuses, and the turn ends."""
    now = bonuses.bonus_commanders(draft)
    if now == turn.begun:
        end_turn(draft)
        return
    returns: list[int] = []
    for faction in (draft.to_move, 1 - draft.to_move):
        change = now[faction] - turn.begun[faction]
        _gain_commanders(draft, faction, change)
        # a list times a negative number is empty: nothing goes back where commanders were gained
        returns += [faction] * -change
    draft.turn = Turn(turn.space, Stage.RETURN, returns=tuple(returns))
    _take_returns(draft, draft.turn)


def _gain_commanders(draft: Draft, faction: int, change: int) -> None:
    """Bring commanders from standby to the reserve, as far as there are any (reading signal-after-pass)."""
    for _ in range(min(change, draft.standby[faction])):
        draft.standby[faction] -= 1
        draft.left[faction] += 1
        draft.tell_by("signal-after-pass" if draft.passed[faction] else "", "commander", faction)
        if "signal-after-pass" in draft.readings:
            draft.passed[faction] = False


def returnable_spaces(spaces: int, left: int) -> int:
    """Return the spaces from which a commander may go back to standby, as a set; 0 if there is no choice to make.

    `spaces` and `left` are a faction's commanders on spaces and in the reserve: one in the reserve goes first.
    """
    # x & (x - 1) clears the lowest bit: what remains says that there are at least two spaces to choose from
    return spaces if not left and spaces & (spaces - 1) else 0


def _return_choices(draft: Draft, faction: int) -> int:
    return returnable_spaces(draft.commanders[faction], draft.left[faction])


def _take_returns(draft: Draft, turn: Turn) -> None:
    """Take the commanders back that leave no choice; then the turn is over."""
    left = list(turn.returns)
    while left and not _return_choices(draft, left[0]):
        faction = left.pop(0)
        give_back(draft, faction, draft.commanders[faction])
    draft.turn = turn._replace(returns=tuple(left))
    if not left:
        end_turn(draft)


def give_back(draft: Draft, faction: int, space: int) -> None:
    """Send a commander back to standby: from the reserve, or if that is empty from this space, given as a set."""
    if draft.left[faction]:
        draft.left[faction] -= 1
    elif space:
        draft.commanders[faction] ^= space
    else:
        return
    draft.standby[faction] += 1
    draft.tell("returned", faction)


def end_turn(draft: Draft) -> None:
    """End the turn and begin the next player's.

    After the last commander, begin the next round instead, or end the game.
    """
    draft.turn = None
    # a special effect may be used once a turn by each player (Operation Cards)
    draft.last_spent = (draft.spent[0], draft.spent[1])
    draft.spent = [(), ()]
    for faction in (1 - draft.to_move, draft.to_move):
        if _goes_on(draft, faction):
            draft.to_move = faction
            return
    if draft.round == draft.mode.rounds:
        end_game(draft, leader(draft), VICTORY_POINTS)
    else:
        _next_round(draft)


def _goes_on(draft: Draft, faction: int) -> bool:
    """Return whether a faction takes another turn in this round.

    If a pass is final, an empty reserve passes by itself. With the reading blitz-reserve it doesn't, while a card may
    bring an extra commander.
    """
    if draft.passed[faction] or draft.left[faction]:
        return not draft.passed[faction]
    if not draft.mode.final_pass:
        return False
    extra = draft.standby[faction] > 0 and cards.may_hold_extra(draft, faction)
    if extra and cards.BLITZ in draft.readings:
        draft.tell_by(cards.BLITZ, "goes on", faction)
        return True
    draft.passed[faction] = True
    draft.tell_by(cards.BLITZ if extra else "", "out", faction)
    return False


def _next_round(draft: Draft) -> None:
    # the bonuses supplied as the round begins bring their commanders from standby at once
    extra = bonuses.bonus_commanders(draft)
    draft.commanders, draft.passed = [0, 0], [False, False]
    draft.standby = [max(0, draft.mode.standby - n) for n in extra]
    draft.left = [draft.mode.commanders - n for n in draft.standby]
    draft.round += 1
    # the holder of the initiative begins each round (Round Structure)
    draft.to_move = draft.initiative
    draft.tell("round", draft.initiative, units=draft.round)


# A turn is a small machine. At each stage the table owes a step (see `is_waiting`), or the turn goes on by itself:
#   a move or placement: JOIN, then for each contested area DEFENCE, ROLLED, LOSSES of the roll, LOSSES of attrition
#   a shot: SHOT, ROLLED, LOSSES, AGAIN
#   either: LOSSES over the limit, and RETURN where a lost bonus takes commanders back
_ADVANCE = {
    Stage.JOIN: _after_join,
    Stage.ROLLED: _after_roll,
    Stage.LOSSES: _take_losses,
    Stage.AGAIN: _enforce_limits,
    Stage.RETURN: _take_returns,
}
_NEXT = {
    Next.ATTRITION: _resolve_attrition,
    Next.CONFLICT: _after_join,
    Next.AGAIN: _offer_repeat,
    Next.END: _end_action,
}
