"""The turn: what each kind of step must meet, and what it does (Deploy Commanders, Actions, Operation Cards)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.areas import members
from engine.orders import cards, conflict
from engine.orders.actions import VERBS
from engine.orders.agreed import judge_agreed, perform_agreed
from engine.orders.board import Space
from engine.orders.bonuses import bonus_commanders, dice_readings
from engine.orders.cards import MOST_DICE
from engine.orders.draft import Draft
from engine.orders.mode import Card
from engine.orders.plays import judge_play, perform_play
from engine.orders.position import Loss, Next, Position, Stage, Turn, outlook_of
from engine.orders.score import is_over, weigh_game_over
from engine.orders.steps import Accept, Agreed, Deploy, Pass, Play, Remove, Reroll, Return, Roll, Step, merge_loads
from engine.ruling import Hearing
from engine.words import count_words, join_words, place, say, side

ANY_TIME = "any"
"""The moment of a card that may be announced at any time."""
ROLLS = (Stage.DEFENCE, Stage.SHOT)
_OWED = (*ROLLS, Stage.LOSSES, Stage.RETURN)


def ready(position: Position, step: Step) -> Position:
    """Return the position with every window for cards closed that this step passes by."""
    here = position
    while here.turn is not None and not _fits(here, here.turn, step):
        # dice, losses and commanders that are owed cannot be passed by: the step is judged here, and refused
        if here.turn.stage in _OWED:
            break
        # to play on is itself the answer that no card is played here
        draft = Draft(here)
        conflict.close_window(draft)
        here = draft.freeze()
    return here


def commanders_before_homecoming(position: Position, step: Step) -> tuple[int, int]:
    """Return the commanders on spaces after a step, as sets, before the end of a round sends them home."""
    sides = list(position.commanders)
    if isinstance(step, Deploy):
        sides[position.to_move] |= 1 << position.board.space_index[step.space]
    return sides[0], sides[1]


def _fits(position: Position, turn: Turn, step: Step) -> bool:
    if isinstance(step, Play):
        card = position.board.mode.cards.get(step.card)
        # an unknown card is refused for what it is, not for its moment
        return card is None or card.moment in (turn.stage.value, ANY_TIME)
    return turn.stage in _STAGES[type(step)]


_STAGES: dict[type[Step], tuple[Stage, ...]] = {
    Deploy: (),
    Pass: (),
    Roll: ROLLS,
    Reroll: (Stage.ROLLED,),
    Remove: (Stage.LOSSES,),
    Return: (Stage.RETURN,),
    Accept: tuple(Stage),
    Agreed: tuple(Stage),
}


def judge_step(hearing: Hearing, position: Position, step: Step) -> None:
    """Judge every criterion of a step, in a position made ready for it."""
    agreed = isinstance(step, Agreed)
    if position.winner is None and is_over(position) and not agreed:
        weigh_game_over(hearing, position)
        return
    if not hearing.weigh("game.over", position.winner is None or agreed, reason=position.reason):
        return
    _JUDGE[type(step)](hearing, position, step)


def perform_step(draft: Draft, step: Step) -> None:
    """Carry out a step that was judged legal, and all that follows by itself."""
    _PERFORM[type(step)](draft, step)


# --- deploy and pass --------------------------------------------------------------------


def may_deploy(position: Position) -> bool:
    """Return whether the player whose turn it is has a commander to deploy and has not passed."""
    return position.commanders_left[position.to_move] > 0 and not position.passed[position.to_move]


def can_pass(position: Position) -> bool:
    """Return whether the player on turn may pass: with a commander, or if a pass is final, until they have passed."""
    if position.board.mode.final_pass:
        return not position.passed[position.to_move]
    return position.commanders_left[position.to_move] > 0


def _judge_turn(hearing: Hearing, position: Position, commander: bool) -> bool:
    """Judge, and return, whether a new turn may begin and, if `commander`, its player has one to deploy."""
    who = position.to_move_name
    turn = position.turn
    if not hearing.weigh("turn.owed", turn is None, owed="" if turn is None else owed_words(position, turn)):
        return False
    if position.board.mode.final_pass and not hearing.weigh(
        "pass.final", not position.passed[position.to_move], who=who
    ):
        return False
    return not commander or hearing.weigh("commander.left", position.commanders_left[position.to_move] > 0, who=who)


def _judge_deploy(hearing: Hearing, position: Position, step: Deploy) -> None:
    board = position.board
    # a card may bring an extra commander; where none is left in the reserve, only by the reading blitz-reserve
    extra = any(name in board.mode.cards and board.mode.cards[name].verb == "extra" for name in step.cards)
    alone = extra and not position.commanders_left[position.to_move]
    may_begin = _judge_turn(hearing, position, commander=not alone)
    if may_begin and alone:
        may_begin = hearing.weigh("commander.extra", cards.BLITZ in position.readings, who=position.to_move_name)
    index = board.space_index.get(step.space)
    if not hearing.weigh("space.known", index is not None, space=step.space) or index is None:
        return
    space = board.spaces[index]
    _judge_form(hearing, space, step)
    if not may_begin:
        return
    outlook = outlook_of(position, position.to_move)
    if space.faction is not None:
        who, owner = position.to_move_name, space.faction
        hearing.weigh(f"{space.action.name}.faction", who == owner, space=space.name, owner=owner, who=who)
    named = cards.judge_with_deploy(hearing, outlook, space.action.name, step.cards) if step.cards else []
    if any(card.verb == "extra" for card in named):
        hearing.weigh("extra.standby", position.standby[position.to_move] > 0, who=position.to_move_name)
    _judge_free(hearing, position, space, named)
    if space.support is not None:
        judge_once_a_round(hearing, position, space)
    VERBS[space.action.verb].judge(hearing, outlook, step, named)


_FORMS = {"move": "moves", "shoot": "target", "drop": "target", "place": "place", "draw": "draw"}
_KEYS = ("moves", "target", "place", "recall", "draw", "payload")


def _judge_form(hearing: Hearing, space: Space, step: Deploy) -> None:
    action = space.action
    own = (_FORMS[action.verb], "recall" if action.recall else "", "payload" if action.payload else "")
    keys = [key for key in _KEYS if getattr(step, key) not in ((), None)]
    for key in keys:
        hearing.weigh("deploy.form", key in own, topic=action.name, action=action.title, key=key)


def _judge_free(hearing: Hearing, position: Position, space: Space, named: list[Card]) -> None:
    bit = 1 << space.index
    mine, theirs = (bool(position.commanders[f] & bit) for f in (position.to_move, 1 - position.to_move))
    if any(card.verb == "share" for card in named):
        hearing.weigh("counterattack.space", theirs and not mine, space=space.name)
    elif hearing.thorough or mine or theirs:
        holders = join_words(map(side, position.commanders_on(space.name)))
        hearing.weigh("space.occupied", not (mine or theirs), space=space.name, who=holders)


def judge_once_a_round(hearing: Hearing, position: Position, space: Space) -> bool:
    """Judge, and return, whether the player has used no other space of this support action this round."""
    taken = position.board.twins[space.index] & position.commanders[position.to_move]
    names = join_words(position.board.spaces[index].name for index in members(taken))
    return hearing.weigh(f"{space.action.name}.one-per-round", not taken, who=position.to_move_name, taken=names)


def _perform_deploy(draft: Draft, step: Deploy) -> None:
    position = draft.start
    space = draft.board.space(step.space)
    me = draft.to_move
    _clear_last_turn(draft)
    draft.commanders[me] |= 1 << space.index
    extra = any(draft.mode.cards[card].verb == "extra" for card in step.cards)
    come_from = draft.standby if extra else draft.left
    come_from[me] -= 1
    for card in step.cards:
        cards.resolve(draft, me, card)
    VERBS[space.action.verb].perform(draft, outlook_of(position, me), step)
    begun = bonus_commanders(position)
    if any(begun):  # what area bonuses gave as the turn began, to see what it changes
        assert draft.turn is not None
        draft.turn = draft.turn._replace(begun=begun)
    conflict.carry_on(draft)


def _judge_pass(hearing: Hearing, position: Position, _step: Pass) -> None:
    _judge_turn(hearing, position, commander=not position.board.mode.final_pass)


def _perform_pass(draft: Draft, _step: Pass) -> None:
    me = draft.to_move
    _clear_last_turn(draft)
    if draft.mode.final_pass:
        draft.passed[me] = True
        draft.tell("out", me)
    else:
        draft.left[me] -= 1
        draft.standby[me] += 1
        draft.tell("passed", me)
    conflict.end_turn(draft)


def _clear_last_turn(draft: Draft) -> None:
    """Forget the cards and the dice of the turn before: the next one begins."""
    draft.last_spent, draft.rolled = ((), ()), None


# --- rolls ------------------------------------------------------------------------------

LIMITS = "limits"
"""The topic of units that go home because an area has too many."""
REROLL = "reroll"
"""The topic of the dice of a reroll: all of them are rolled again."""


def topic(position: Position) -> str:
    """Return the topic by which rules on rolls and losses are cited now.

    It is LIMITS, the action if it shoots or concerns no area, or else the kind of the area; "" outside a turn.
    """
    board, turn = position.board, position.turn
    if turn is None:
        return ""
    action = board.spaces[turn.space].action
    if turn.stage is Stage.LOSSES and turn.then is Next.END:
        return LIMITS
    return action.name if action.verb == "shoot" or turn.area < 0 else board.areas[turn.area].kind


def _judge_roll(hearing: Hearing, position: Position, step: Roll) -> None:
    by = cards.judge_faction(hearing, position, step.by)
    turn, about = position.turn, topic(position)
    if not hearing.weigh("roll.owed", turn is not None and turn.stage in ROLLS, topic=about) or turn is None:
        return
    roller = cards.roller(position)
    hearing.weigh("roll.by", by == roller, topic=about, who=position.board.factions[roller])
    n = len(step.dice)
    # a card of unknown text may have changed how many dice are rolled, so only a sensible number is asked for
    fits = 1 <= n <= MOST_DICE if cards.has_loose_dice(position) else n == turn.dice
    if hearing.thorough or not fits:
        # a number that rests on a reading has a rule of its own
        first = not turn.again and turn.stage is Stage.DEFENCE
        readings = dice_readings(position, turn.area, roller) if first else []
        rule = _DICE_RULES[readings[0]] if readings else "roll.dice"
        hearing.weigh(rule, fits, topic=REROLL if turn.again else about, due=turn.dice, n=n, die="die")
    for face in step.dice:
        hearing.weigh("roll.face", face in position.board.mode.die, face=face)


_DICE_RULES = {"defence-adds": "roll.both", "hq-zone-lost": "roll.zone"}


def _perform_roll(draft: Draft, step: Roll) -> None:
    assert draft.turn is not None
    draft.rolled = cards.roller(draft)
    draft.tell("rolled", draft.rolled, draft.turn.area, units=sum(step.dice))
    draft.turn = draft.turn._replace(stage=Stage.ROLLED, faces=step.dice, dice=len(step.dice), open=True, again=False)
    conflict.carry_on(draft)


def _judge_reroll(hearing: Hearing, position: Position, step: Reroll) -> None:
    by = cards.judge_faction(hearing, position, step.by)
    turn, roller = position.turn, position.rolled
    if turn is not None and turn.stage is Stage.ROLLED:
        roller = cards.roller(position)
    # whose dice they are comes first: the others may never roll them again, however long they lie there
    own = roller is None or hearing.weigh("reroll.own", by == roller, who=position.board.factions[roller])
    lie = turn is not None and turn.stage is Stage.ROLLED and turn.open
    if hearing.weigh("reroll.owed", lie) and own and roller is not None:
        cards.judge_held(hearing, position, roller, step.card)


def _perform_reroll(draft: Draft, step: Reroll) -> None:
    assert draft.turn is not None
    draft.spend(cards.roller(draft), step.card)
    shot = draft.board.spaces[draft.turn.space].action.verb == "shoot"
    # all the dice are rolled again (Operation Cards), so the whole roll is owed once more
    stage = Stage.SHOT if shot else Stage.DEFENCE
    draft.turn = draft.turn._replace(stage=stage, faces=(), open=False, again=True)


# --- losses -----------------------------------------------------------------------------


def owed_loss(position: Position, turn: Turn, step: Remove) -> Loss | None:
    """Return the loss that a `remove` step answers: the first its faction owes, in its area if one is named."""
    by = position.board.mode.faction_index.get(step.by)
    for loss in turn.losses:
        if loss.faction == by and step.area in (None, position.board.areas[loss.area].name):
            return loss
    return None


def _judge_remove(hearing: Hearing, position: Position, step: Remove) -> None:
    cards.judge_faction(hearing, position, step.by)
    turn, about = position.turn, topic(position)
    loss = owed_loss(position, turn, step) if turn is not None and turn.stage is Stage.LOSSES else None
    if not hearing.weigh("remove.owed", loss is not None, topic=about, who=step.by) or loss is None:
        return
    area = position.board.areas[loss.area].name
    taken = merge_loads([(area, unit, n) for unit, n in step.units])
    units = sum(n for _, _, n in taken)
    hearing.weigh("remove.number", units == loss.units, topic=about, due=loss.units, n=units, area=area)
    stock = position.units_in(area)[step.by]
    for _, unit, n in taken:
        there = stock.get(unit, 0)
        hearing.weigh("remove.units", n <= there, topic=about, unit=unit, n=n, there=there, area=area)


def _perform_remove(draft: Draft, step: Remove) -> None:
    turn = draft.turn
    assert turn is not None
    loss = owed_loss(draft.start, turn, step)
    assert loss is not None
    for unit, n in step.units:
        conflict.remove(draft, loss, draft.mode.unit_index[unit], n)
    # by identity: the step answers one entry, even where another one is equal to it
    others = tuple(other for other in turn.losses if other is not loss)
    draft.turn = turn._replace(losses=others)
    conflict.carry_on(draft)


def _judge_return(hearing: Hearing, position: Position, step: Return) -> None:
    by = cards.judge_faction(hearing, position, step.by)
    turn = position.turn
    owed = turn is not None and turn.stage is Stage.RETURN and turn.returns[0] == by
    index = position.board.space_index.get(step.space)
    known = hearing.weigh("space.known", index is not None, space=step.space)
    if hearing.weigh("return.owed", owed, who=step.by) and known and by is not None and index is not None:
        own = bool(position.commanders[by] >> index & 1)
        hearing.weigh("return.own", own, space=step.space, who=step.by)


def _perform_return(draft: Draft, step: Return) -> None:
    turn = draft.turn
    assert turn is not None
    conflict.give_back(draft, turn.returns[0], 1 << draft.board.space_index[step.space])
    draft.turn = turn._replace(returns=turn.returns[1:])
    conflict.carry_on(draft)


# --- windows ----------------------------------------------------------------------------


def _judge_accept(hearing: Hearing, position: Position, step: Accept) -> None:
    if step.by is not None:
        cards.judge_faction(hearing, position, step.by)
    hearing.weigh("accept.window", cards.is_window_open(position))


def owed_words(position: Position, turn: Turn) -> str:
    """Return in words what the table owes inside a turn."""
    board = position.board
    if turn.stage in ROLLS:
        who, area = side(board.factions[cards.roller(position)]), place(board.areas[turn.area].name)
        return say("{who} rolls {dice} for {area}", who=who, dice=count_words(turn.dice, "die"), area=area)
    if turn.stage is Stage.RETURN:
        who = side(board.factions[turn.returns[0]])
        return say("{who} chooses which commander goes back to standby", who=who)
    who = join_words(dict.fromkeys(side(board.factions[loss.faction]) for loss in turn.losses))
    return say("{who} chooses what to remove", who=who)


_JUDGE: dict[type[Step], Callable[[Hearing, Position, Any], None]] = {
    Deploy: _judge_deploy,
    Pass: _judge_pass,
    Play: judge_play,
    Roll: _judge_roll,
    Reroll: _judge_reroll,
    Remove: _judge_remove,
    Return: _judge_return,
    Accept: _judge_accept,
    Agreed: judge_agreed,
}
_PERFORM: dict[type[Step], Callable[[Draft, Any], None]] = {
    Deploy: _perform_deploy,
    Pass: _perform_pass,
    Play: perform_play,
    Roll: _perform_roll,
    Reroll: _perform_reroll,
    Remove: _perform_remove,
    Return: _perform_return,
    Accept: lambda draft, step: conflict.close_window(draft),
    Agreed: perform_agreed,
}
