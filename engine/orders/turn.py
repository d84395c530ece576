"""The turn: what each kind of step must meet, and what it does (Deploy Commanders, Actions, Operation Cards)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.areas import members
from engine.orders import cards, conflict
from engine.orders.actions import VERBS, fire, muster
from engine.orders.agreed import judge_agreed, perform_agreed
from engine.orders.board import Space
from engine.orders.draft import Draft
from engine.orders.mode import Card
from engine.orders.outlook import outlook
from engine.orders.position import Loss, Position, Stage, Turn
from engine.orders.steps import RESERVE, Accept, Agreed, Deploy, Pass, Play, Remove, Reroll, Roll, Step
from engine.ruling import Hearing
from engine.words import counted, joined, say

ROLLS = (Stage.DEFENCE, Stage.SHOT)


def ready(position: Position, step: Step) -> Position:
    """The position once the windows for cards are closed that this step passes by."""
    here = position
    while here.turn is not None and not _fits(here, here.turn, step):
        if here.turn.stage in ROLLS or here.turn.stage is Stage.LOSSES:
            break
        draft = Draft(here)
        conflict.close_window(draft)
        here = draft.freeze()
    return here


def _fits(position: Position, turn: Turn, step: Step) -> bool:
    if isinstance(step, Play):
        card = position.board.mode.cards.get(step.card)
        return card is None or card.moment == turn.stage.value
    return turn.stage in _STAGES[type(step)]


_STAGES: dict[type[Step], tuple[Stage, ...]] = {
    Deploy: (),
    Pass: (),
    Roll: ROLLS,
    Reroll: (Stage.ROLLED,),
    Remove: (Stage.LOSSES,),
    Accept: tuple(Stage),
    Agreed: tuple(Stage),
}


def judge_step(hearing: Hearing, position: Position, step: Step) -> None:
    """Look at every criterion of a step, in a position made ready for it."""
    open_to_it = position.winner is None or isinstance(step, Agreed)
    if hearing.weigh("game.over", open_to_it, reason=position.reason):
        _JUDGE[type(step)](hearing, position, step)


def perform_step(draft: Draft, step: Step) -> None:
    """Carry out a step that was judged legal, and all that follows by itself."""
    _PERFORM[type(step)](draft, step)


# --- deploy and pass --------------------------------------------------------------------


def _judge_turn(hearing: Hearing, position: Position) -> bool:
    """Whether a new turn may begin and its player has a commander."""
    who = position.to_move_name
    turn = position.turn
    if not hearing.weigh("turn.owed", turn is None, owed="" if turn is None else owed_words(position, turn)):
        return False
    return hearing.weigh("commander.left", position.commanders_left[position.to_move] > 0, who=who)


def _judge_deploy(hearing: Hearing, position: Position, step: Deploy) -> None:
    board = position.board
    may_begin = _judge_turn(hearing, position)
    index = board.space_index.get(step.space)
    if not hearing.weigh("space.known", index is not None, space=step.space) or index is None:
        return
    space = board.spaces[index]
    _judge_form(hearing, space, step)
    if not may_begin:
        return
    seen = outlook(position, position.to_move)
    named = cards.judge_with_deploy(hearing, seen, space.action.name, step.cards) if step.cards else []
    _judge_free(hearing, position, space, named)
    if space.support is not None:
        judge_once_a_round(hearing, position, space)
    VERBS[space.action.verb].judge(hearing, seen, step, named)


_FORMS = {"move": ("moves",), "shoot": ("target",), "place": ("place", "recall"), "draw": ("draw",)}


def _judge_form(hearing: Hearing, space: Space, step: Deploy) -> None:
    own = _FORMS[space.action.verb]
    given = [key for form in _FORMS.values() for key in form if getattr(step, key) not in ((), None)]
    for key in given:
        hearing.weigh("deploy.form", key in own, action=space.action.name, key=key)


def _judge_free(hearing: Hearing, position: Position, space: Space, named: list[Card]) -> None:
    bit = 1 << space.index
    mine, theirs = (bool(position.commanders[f] & bit) for f in (position.to_move, 1 - position.to_move))
    if any(card.verb == "share" for card in named):
        hearing.weigh("counterattack.space", theirs and not mine, space=space.name)
    elif hearing.thorough or mine or theirs:
        holders = " and ".join(position.commanders_on(space.name))
        hearing.weigh("space.occupied", not (mine or theirs), space=space.name, who=holders)


def judge_once_a_round(hearing: Hearing, position: Position, space: Space) -> bool:
    """One Reinforce, one Embark and one Plan space a player and round."""
    taken = position.board.twins[space.index] & position.commanders[position.to_move]
    names = " and ".join(position.board.spaces[index].name for index in members(taken))
    return hearing.weigh(f"{space.action.name}.one-per-round", not taken, who=position.to_move_name, taken=names)


def _perform_deploy(draft: Draft, step: Deploy) -> None:
    position = draft.start
    space = draft.board.space(step.space)
    me = draft.to_move
    draft.commanders[me] |= 1 << space.index
    draft.left[me] -= 1
    for card in step.cards:
        cards.resolve(draft, me, card)
    VERBS[space.action.verb].perform(draft, outlook(position, me), step)
    conflict.carry_on(draft)


def _judge_pass(hearing: Hearing, position: Position, step: Pass) -> None:
    del step
    _judge_turn(hearing, position)


def _perform_pass(draft: Draft, step: Pass) -> None:
    del step
    draft.left[draft.to_move] -= 1
    draft.standby[draft.to_move] += 1
    draft.tell("passed", draft.to_move)
    conflict.end_turn(draft)


# --- rolls ------------------------------------------------------------------------------


def _faction(hearing: Hearing, position: Position, name: str) -> int | None:
    faction = position.board.mode.faction_index.get(name)
    hearing.weigh("faction.known", faction is not None, who=name)
    return faction


def _judge_roll(hearing: Hearing, position: Position, step: Roll) -> None:
    by = _faction(hearing, position, step.by)
    turn = position.turn
    if not hearing.weigh("roll.owed", turn is not None and turn.stage in ROLLS) or turn is None:
        return
    roller = cards.roller(position)
    hearing.weigh("roll.by", by == roller, who=position.board.factions[roller])
    hearing.weigh("roll.dice", len(step.dice) == turn.dice, due=turn.dice, n=len(step.dice), die="die")
    for face in step.dice:
        hearing.weigh("roll.face", face in position.board.mode.die, face=face)


def _perform_roll(draft: Draft, step: Roll) -> None:
    assert draft.turn is not None
    draft.tell("rolled", cards.roller(draft), draft.turn.area, units=sum(step.dice))
    draft.turn = draft.turn._replace(stage=Stage.ROLLED, faces=step.dice, open=True)
    conflict.carry_on(draft)


def _judge_reroll(hearing: Hearing, position: Position, step: Reroll) -> None:
    by = _faction(hearing, position, step.by)
    turn = position.turn
    if not hearing.weigh("reroll.owed", turn is not None and turn.stage is Stage.ROLLED and turn.open):
        return
    roller = cards.roller(position)
    if hearing.weigh("reroll.own", by == roller, who=position.board.factions[roller]):
        cards.judge_held(hearing, position, roller, step.card)


def _perform_reroll(draft: Draft, step: Reroll) -> None:
    assert draft.turn is not None
    draft.spend(cards.roller(draft), step.card)
    shot = draft.board.spaces[draft.turn.space].action.verb == "shoot"
    stage = Stage.SHOT if shot else Stage.DEFENCE
    draft.turn = draft.turn._replace(stage=stage, faces=(), open=False)


# --- losses -----------------------------------------------------------------------------


def owed_loss(position: Position, turn: Turn, step: Remove) -> Loss | None:
    """The loss that a `remove` step answers: the first one owed by its faction, in its area where one is named."""
    by = position.board.mode.faction_index.get(step.by)
    for loss in turn.losses:
        if loss.faction == by and step.area in (None, position.board.areas[loss.area].name):
            return loss
    return None


def _judge_remove(hearing: Hearing, position: Position, step: Remove) -> None:
    _faction(hearing, position, step.by)
    turn = position.turn
    loss = owed_loss(position, turn, step) if turn is not None and turn.stage is Stage.LOSSES else None
    if not hearing.weigh("remove.owed", loss is not None, who=step.by) or loss is None:
        return
    area = position.board.areas[loss.area].name
    units = sum(n for _, n in step.units)
    hearing.weigh("remove.number", units == loss.units, due=loss.units, n=units, area=area)
    there = position.units_in(area)[step.by]
    for unit, n in step.units:
        hearing.weigh("remove.units", n <= there.get(unit, 0), unit=unit, n=n, there=there.get(unit, 0), area=area)


def _perform_remove(draft: Draft, step: Remove) -> None:
    turn = draft.turn
    assert turn is not None
    loss = owed_loss(draft.start, turn, step)
    assert loss is not None
    for unit, n in step.units:
        conflict.remove(draft, loss, draft.mode.unit_index[unit], n)
    others = tuple(other for other in turn.losses if other is not loss)
    draft.turn = turn._replace(losses=others)
    conflict.carry_on(draft)


# --- cards ------------------------------------------------------------------------------


def _judge_play(hearing: Hearing, position: Position, step: Play) -> None:
    by = _faction(hearing, position, step.by)
    if by is None:
        return
    card = cards.judge_held(hearing, position, by, step.card)
    if card is None:
        return
    turn = position.turn
    now = turn is not None and turn.open and turn.stage.value == card.moment
    now = now and turn is not None and position.board.spaces[turn.space].action.name == card.action
    if not hearing.weigh("card.moment", now, card=card.name, condition=card.condition) or turn is None:
        return
    side = position.board.factions[cards.actor(position, card)]
    if hearing.weigh("card.side", side == step.by, card=card.name, who=side):
        cards.judge_once(hearing, position, by, card.name)
        _judge_effect(hearing, position, turn, (card, step))


_PLAY_FORMS = {"dice": (), "join": ("units", "moves"), "place": ("place",), "again": ("target",), "share": ()}


def _judge_effect(hearing: Hearing, position: Position, turn: Turn, played: tuple[Card, Play]) -> None:
    card, step = played
    for key in ("moves", "place", "target", "units"):
        if getattr(step, key) not in ((), None):
            hearing.weigh("card.form", key in _PLAY_FORMS[card.verb], card=card.name, key=key)
    if card.verb == "again":
        fire.judge_target(hearing, outlook(position, position.to_move), position.board.spaces[turn.space], step.target)
    elif card.unit:
        _judge_added(hearing, position, card, step)
        if card.verb == "place":
            _judge_placed(hearing, position, turn, played)


def _judge_added(hearing: Hearing, position: Position, card: Card, step: Play) -> None:
    units = added_units(position, card, step)
    left = position.reserve(position.to_move, position.board.mode.unit_index[card.unit])
    hearing.weigh("card.amount", units <= card.amount, card=card.name, most=card.amount, n=units)
    hearing.weigh("reserve.short", units <= left, unit=card.unit, n=units, left=left)
    for _, unit, _ in step.place + step.moves:
        hearing.weigh("card.unit", unit == card.unit, card=card.name, unit=card.unit)
    for source, _, _ in step.moves:
        hearing.weigh("card.from-reserve", source == RESERVE, card=card.name, source=source)


def _judge_placed(hearing: Hearing, position: Position, turn: Turn, played: tuple[Card, Play]) -> None:
    card, step = played
    hearing.weigh("card.place", bool(step.place), card=card.name)
    action = position.board.spaces[turn.space].action
    open_to = (turn.places, turn.seizable if card.into_enemy else 0)
    muster.judge_places(hearing, outlook(position, position.to_move), action, step.place, open_to)


def added_units(position: Position, card: Card, step: Play) -> int:
    """The units that a card adds: those named, the number said, or as many as it allows and the reserve has."""
    if step.place or step.moves:
        return sum(n for _, _, n in step.place + step.moves)
    if step.units is not None:
        return step.units
    return min(card.amount, position.reserve(position.to_move, position.board.mode.unit_index[card.unit]))


def _perform_play(draft: Draft, step: Play) -> None:
    turn = draft.turn
    assert turn is not None
    card, position = draft.mode.cards[step.card], draft.start
    faction = cards.actor(draft, card)
    cards.resolve(draft, faction, card.name)
    _EFFECT[card.verb](draft, position, turn, (card, step))
    conflict.carry_on(draft)


def _add_dice(draft: Draft, position: Position, turn: Turn, played: tuple[Card, Play]) -> None:
    del position
    draft.turn = turn._replace(dice=turn.dice + played[0].amount)


def _add_units(draft: Draft, position: Position, turn: Turn, played: tuple[Card, Play]) -> None:
    card, step = played
    kind, units = draft.mode.unit_index[card.unit], added_units(position, card, step)
    draft.add(draft.to_move, kind, turn.area, units)
    draft.tell("joined", draft.to_move, turn.area, kind, units)


def _add_places(draft: Draft, position: Position, turn: Turn, played: tuple[Card, Play]) -> None:
    del turn
    muster.put(draft, outlook(position, draft.to_move), played[1].place)


def _shoot_again(draft: Draft, position: Position, turn: Turn, played: tuple[Card, Play]) -> None:
    target = played[1].target
    assert target is not None
    fire.aim(draft, outlook(position, draft.to_move), draft.board.spaces[turn.space], target)


# --- windows ----------------------------------------------------------------------------


def _judge_accept(hearing: Hearing, position: Position, step: Accept) -> None:
    if step.by is not None:
        _faction(hearing, position, step.by)
    hearing.weigh("accept.window", cards.window_open(position))


def _perform_accept(draft: Draft, step: Accept) -> None:
    del step
    conflict.close_window(draft)


def owed_words(position: Position, turn: Turn) -> str:
    """What the table owes inside a turn, in words."""
    board = position.board
    if turn.stage in ROLLS:
        who, area = say(board.factions[cards.roller(position)]), board.areas[turn.area].name
        return say("{who} rolls {dice} for {area}", who=who, dice=counted(turn.dice, "die"), area=area)
    who = joined(dict.fromkeys(say(board.factions[loss.faction]) for loss in turn.losses))
    return say("{who} chooses what to remove", who=who)


_JUDGE: dict[type[Step], Callable[[Hearing, Position, Any], None]] = {
    Deploy: _judge_deploy,
    Pass: _judge_pass,
    Play: _judge_play,
    Roll: _judge_roll,
    Reroll: _judge_reroll,
    Remove: _judge_remove,
    Accept: _judge_accept,
    Agreed: judge_agreed,
}
_PERFORM: dict[type[Step], Callable[[Draft, Any], None]] = {
    Deploy: _perform_deploy,
    Pass: _perform_pass,
    Play: _perform_play,
    Roll: _perform_roll,
    Reroll: _perform_reroll,
    Remove: _perform_remove,
    Accept: _perform_accept,
    Agreed: perform_agreed,
}
_EFFECT: dict[str, Callable[[Draft, Position, Turn, tuple[Card, Play]], None]] = {
    "dice": _add_dice,
    "join": _add_units,
    "place": _add_places,
    "again": _shoot_again,
}
