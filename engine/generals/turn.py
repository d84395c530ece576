"""What each kind of step must meet, and what it does (Game Play 5 to 18).

What the players agree on is judged only by what their decks can hold: a side keeps the cards of its deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from engine.generals import effects
from engine.generals.cards import EQUIPMENT, ZONES, Card, Deck
from engine.generals.effects import Deed
from engine.generals.position import PILES, SIDES, Fighter, Position, Side, card_of, effect_of, triggers
from engine.generals.steps import Activate, Agreed, Attack, Deploy, End, Equip, Move, Step, Use
from engine.generals.tally import EFFECT, cards_over_limit, cost_of, features, passage_of, points_of
from engine.generals.words import kind_words, reason_words, trigger_words, zone_words
from engine.ruling import Hearing, Part, Tally
from engine.words import mark, say


def judge_step(hearing: Hearing, position: Position, step: Step) -> None:
    """Judge every criterion of a step."""
    open_to_it = position.winner is None or isinstance(step, Agreed)
    if hearing.weigh("game.over", open_to_it, reason=reason_words(position.reason)):
        _JUDGE[type(step)](hearing, position, step)


def perform_step(position: Position, step: Step) -> Position:
    """Carry out a step that was judged legal."""
    after = _PERFORM[type(step)](position, step)
    return after if after.winner is not None else _special_victory(after)


def _special_victory(position: Position) -> Position:
    """Award the victory if a general's special feature does so by itself (Winning Criteria 4, Game Play 9)."""
    for index in (position.to_move, 1 - position.to_move):
        for fighter in position.sides[index].fighters:
            if any(feature.verb == "win" for feature in features(position, index, fighter)):
                return replace(position, winner=index, reason="card")
    return position


# --- what steps share -------------------------------------------------------------------


def _own_fighter(hearing: Hearing, position: Position, label: str) -> Fighter | None:
    """Return a general of the side whose turn it is; None if unknown, with a finding."""
    fighter = position.sides[position.to_move].fighter(label)
    hearing.weigh("general.known", fighter is not None, general=label, who=position.to_move_name)
    return fighter


def _judge_card(hearing: Hearing, position: Position, index: int, name: str) -> Card | None:
    """Judge a card that a side plays, and return it; None if the deck has no such card.

    The card must have a copy that was not seen elsewhere, and be paid for with others of the hand.
    """
    side = position.sides[index]
    card = side.deck.cards.get(name)
    if not hearing.weigh("card.known", card is not None, card=name):
        return None
    assert card is not None
    hearing.weigh("card.left", side.known()[name] < card.copies, card=card.title)
    if hearing.weigh("card.hand", side.hand > 0, who=SIDES[index], n=side.hand, unit="card"):
        _weigh_cost(hearing, cost_of(position, index, card), side.hand - 1)
    return card


def _weigh_cost(hearing: Hearing, cost: Tally, left: int) -> None:
    hearing.weigh("pay.hand", left >= cost.total, cost=cost.total, told=cost.reasons(), left=left)


def _pay(position: Position, index: int, name: str) -> Position:
    """Take a card from the hand, and others of the hand to pay for it (Game Play 6)."""
    side, cost = position.sides[index], cost_of(position, index, position.card(index, name)).total
    return position.with_side(index, replace(side, hand=side.hand - 1 - cost, expended=side.expended + cost))


# --- generals and their equipment -------------------------------------------------------


def _judge_deploy(hearing: Hearing, position: Position, step: Deploy) -> None:
    card = _judge_card(hearing, position, position.to_move, step.card)
    if card is None or not _kind(hearing, card, ("general",)):
        return
    arrives = step.zone in ("", card.arrives)
    hearing.weigh("deploy.zone", arrives, card=card.title, where=zone_words(card.arrives))


def _kind(hearing: Hearing, card: Card, kinds: tuple[str, ...]) -> bool:
    """Judge, and return, whether a card of its kind may be played in this way."""
    return hearing.weigh("card.kind", card.kind in kinds, card=card.title, kind=kind_words(card.kind))


def _deploy(position: Position, step: Deploy) -> Position:
    index = position.to_move
    card = position.card(index, step.card)
    after = _pay(position, index, step.card)
    side = after.sides[index]
    labels = [step.card, *(f"{step.card}-{n}" for n in range(2, 9))]
    free = next(label for label in labels if side.fighter(label) is None)
    fighter = Fighter(free, step.card, card.arrives, fresh=not card.swift)
    return after.with_side(index, replace(side, fighters=(*side.fighters, fighter))).after("deploy")


def _judge_equip(hearing: Hearing, position: Position, step: Equip) -> None:
    card = _judge_card(hearing, position, position.to_move, step.card)
    fighter = _own_fighter(hearing, position, step.general)
    if card is None or not _kind(hearing, card, EQUIPMENT) or fighter is None:
        return
    worn = getattr(fighter, card.kind)
    hearing.weigh("equip.place", not worn, general=step.general, kind=kind_words(card.kind), worn=worn)


def _equip(position: Position, step: Equip) -> Position:
    index = position.to_move
    after = _pay(position, index, step.card)
    fighter = after.sides[index].here(step.general)
    kind = position.card(index, step.card).kind
    return effects.change_general(after, index, fighter, **{kind: step.card}).after("equip")


# --- events, specials, effects ----------------------------------------------------------


def _judge_use(hearing: Hearing, position: Position, step: Use) -> None:
    if not hearing.weigh("game.side", step.by in SIDES, who=step.by):
        return
    index = SIDES.index(step.by)
    card = _judge_card(hearing, position, index, step.card)
    if card is None or not _kind(hearing, card, ("event", "special")):
        return
    if card.kind == "event":
        hearing.weigh("game.turn", index == position.to_move, who=step.by)
    elif hearing.weigh("special.turn", index != position.to_move, who=step.by) and hearing.weigh(
        "special.one", position.last != "special", card=card.title
    ):
        hearing.weigh("special.after", can_answer(position, card), card=card.title, after=trigger_words(card.after))
    effects.judge_deed(hearing, position, Deed(index, effect_of(card), step.general, step.target))


def can_answer(position: Position, card: Card) -> bool:
    """Return whether what a special card answers was just done, or, by the reading special-window, done this turn."""
    return card.after in (position.done if "special-window" in position.readings else triggers(position.last))


def _use(position: Position, step: Use) -> Position:
    index = SIDES.index(step.by)
    card = position.card(index, step.card)
    after = _pay(position, index, step.card)
    side = after.sides[index]
    seen = (*side.seen, step.card)  # a card that was played is seen by all (Game Play 11b)
    after = after.with_side(index, replace(side, expended=side.expended + 1, seen=seen))
    after = effects.perform_deed(after, Deed(index, effect_of(card), step.general, step.target))
    if card.kind == "event":
        return after.after("strike" if effect_of(card).verb == "strike" else "event")
    return replace(after, last="special") if "specials" in position.readings else after


def _judge_activate(hearing: Hearing, position: Position, step: Activate) -> None:
    fighter = _own_fighter(hearing, position, step.general)
    if fighter is None:
        return
    effect = position.card(position.to_move, fighter.card).effect
    hearing.weigh("effect.once", not fighter.used, general=step.general)
    if not hearing.weigh("effect.has", effect is not None, general=step.general):
        return
    assert effect is not None
    cost = Tally((Part(effect.cost, say(_ACTIVATING), EFFECT),))
    _weigh_cost(hearing, cost, position.sides[position.to_move].hand)
    effects.judge_deed(hearing, position, _own_deed(position, fighter, step))


_ACTIVATING = mark("to activate the effect")


def _own_deed(position: Position, fighter: Fighter, step: Activate) -> Deed:
    effect = effect_of(position.card(position.to_move, fighter.card))
    return Deed(position.to_move, effect, step.to, step.target, activated=True)


def _activate(position: Position, step: Activate) -> Position:
    index = position.to_move
    fighter = position.sides[index].here(step.general)
    deed = _own_deed(position, fighter, step)
    after = effects.change_general(position, index, fighter, used=True)
    side = after.sides[index]
    paid = replace(side, hand=side.hand - deed.effect.cost, expended=side.expended + deed.effect.cost)
    done = "scheme" if deed.effect.verb == "strike" else "effect"
    return effects.perform_deed(after.with_side(index, paid), deed).after(done)


# --- moving and attacking ---------------------------------------------------------------


def _judge_act(hearing: Hearing, position: Position, label: str) -> Fighter | None:
    """Judge a general of the side to move that moves or attacks, and return it."""
    fighter = _own_fighter(hearing, position, label)
    if fighter is not None:
        effects.judge_act(hearing, fighter)
    return fighter


def _judge_move(hearing: Hearing, position: Position, step: Move) -> None:
    fighter = _judge_act(hearing, position, step.general)
    if not hearing.weigh("move.zone", step.to in ZONES, general=step.general, where=step.to) or fighter is None:
        return
    hearing.weigh("move.elsewhere", fighter.zone != step.to, general=step.general, where=zone_words(fighter.zone))
    if step.to == "siege":
        passage = passage_of(position, fighter)
        facts = {"enemies": len(passage.enemies), "blockers": len(passage.blockers)}
        hearing.weigh("move.blocked", passage.free, who=position.to_move_name, **facts)


def _move(position: Position, step: Move) -> Position:
    index = position.to_move
    fighter = position.sides[index].here(step.general)
    return effects.change_general(position, index, fighter, zone=step.to, acted=True).after("move")


def _judge_attack(hearing: Hearing, position: Position, step: Attack) -> None:
    fighter = _judge_act(hearing, position, step.general)
    if fighter is None:
        return
    foe, who = position.sides[1 - position.to_move], SIDES[1 - position.to_move]
    if not step.target:
        guards = foe.standing("outside") + (foe.standing("city") if "guards" in position.readings else 0)
        hearing.weigh("castle.place", fighter.zone == "siege", general=fighter.label, where=zone_words(fighter.zone))
        hearing.weigh("castle.guarded", guards == 0, n=guards, unit="general", who=who)
        return
    other = foe.fighter(step.target)
    if hearing.weigh("attack.target", other is not None, target=step.target, who=who):
        assert other is not None
        facts = {"general": step.general, "target": step.target, "where": zone_words(fighter.zone)}
        hearing.weigh("attack.zone", effects.are_together(fighter, other), **facts)


def _attack(position: Position, step: Attack) -> Position:
    index = position.to_move
    fighter = position.sides[index].here(step.general)
    mine = points_of(position, index, fighter, "military").total
    after = effects.change_general(position, index, fighter, acted=True)
    if not step.target:
        return effects.take_owed(effects.spend, after, 1 - index, mine, "damage").after("castle")
    other = position.sides[1 - index].here(step.target)
    theirs = points_of(position, 1 - index, other, "military").total
    if mine >= theirs:
        after = effects.defeat_general(after, 1 - index, other)
    if mine <= theirs:
        after = effects.defeat_general(after, index, after.sides[index].here(step.general))
    return after.after("attack")


# --- the end of a turn ------------------------------------------------------------------


def _end(position: Position, _step: End) -> Position:
    """Take the upkeep and the cards over the hand's limit, and draw for the next player.

    Source: Game Play 17, 18 and 5.
    """
    index = position.to_move
    after = effects.take_owed(effects.spend, position, index, len(position.sides[index].fighters), "upkeep")
    if after.winner is not None:
        return replace(after, last="", done=())
    after = effects.discard(after, index, cards_over_limit(after, index))
    rest = partial(replace, fresh=False, acted=False, used=False, military=0, intelligence=0)
    first, second = (replace(side, fighters=tuple(map(rest, side.fighters))) for side in after.sides)
    after = replace(after, sides=(first, second), to_move=1 - index, turn=position.turn + 1, done=())
    return effects.take_owed(effects.draw, after, 1 - index, 1, "draw").after("draw")


# --- what is agreed ---------------------------------------------------------------------


_NO_GENERAL = mark("not a general in this deck")
_NO_ZONE = mark("{zone} is not a zone")
_NO_KIND = mark("the deck has no such {kind} card: {card}")
_TOO_MANY = mark("more copies of {card} than the deck has")


def _judge_agreed(hearing: Hearing, position: Position, step: Agreed) -> None:
    """Judge whether the agreed side is possible with its deck; it may be agreed at any time, in either turn."""
    if not hearing.weigh("game.side", step.side in SIDES and step.winner in ("", *SIDES), who=step.side):
        return
    index = SIDES.index(step.side)
    before = position.sides[index]
    faults = _agreed_faults(before, step)
    for label in dict.fromkeys((*step.generals, *(step.defeated or ()), *faults)):
        fault = faults.get(label, "")
        hearing.weigh("agreed.general", not fault, general=label, who=step.side, fault=fault)
    if not faults:
        after = _agreed_side(before, step)
        counts = {"n": after.cards, "unit": "card", "size": after.deck.size}
        hearing.weigh("agreed.cards", after.cards == after.deck.size, who=step.side, **counts)


def _perform_agreed(position: Position, step: Agreed) -> Position:
    """Change the side as agreed; end the game if a winner was agreed on."""
    index = SIDES.index(step.side)
    after = position.with_side(index, _agreed_side(position.sides[index], step))
    if step.winner:
        after = replace(after, winner=SIDES.index(step.winner), reason="agreed")
    return after


def _agreed_side(before: Side, step: Agreed) -> Side:
    """Return the side with its new numbers and generals; generals that are not named stay as they are."""
    stay = {fighter.label: fighter for fighter in before.fighters if fighter.label not in step.generals}
    new = {  # what is not named of a general is as it was, or as when it is new
        label: replace(before.fighter(label) or Fighter(label, card_of(label)), **row)
        for label, row in step.generals.items()
        if row is not None
    }
    order = [fighter.label for fighter in before.fighters if fighter.label in {**stay, **new}]
    labels = dict.fromkeys([*order, *new])
    after = replace(
        before,
        **{pile: step.numbers.get(pile, getattr(before, pile)) for pile in PILES},
        fighters=tuple({**stay, **new}[label] for label in labels),
        defeated=before.defeated if step.defeated is None else step.defeated,
    )
    return replace(after, seen=_cards_still_seen(after))


def _cards_still_seen(side: Side) -> tuple[str, ...]:
    """Return the cards seen to go to the expended zone that can still lie there."""
    left = Counter({name: card.copies for name, card in side.deck.cards.items()})
    left.subtract(replace(side, seen=()).known())
    kept = []
    for name in side.seen:
        if left[name] > 0:
            left[name] -= 1
            kept.append(name)
    return tuple(kept[max(0, len(kept) - side.expended) :])


def _agreed_faults(side: Side, step: Agreed) -> dict[str, str]:
    """Return the faults in an agreed step: by label for generals, by card for the defeated and for too many copies."""
    defeated = ((card, "" if _is_general(side.deck, card) else say(_NO_GENERAL)) for card in step.defeated or ())
    generals = ((label, _fault(side.deck, label, row)) for label, row in step.generals.items() if row is not None)
    faults = {name: fault for name, fault in (*defeated, *generals) if fault}
    if faults:
        return faults
    known = replace(_agreed_side(side, step), seen=()).known()
    return {card: say(_TOO_MANY, card=card) for card, n in known.items() if n > side.deck.cards[card].copies}


def _is_general(deck: Deck, name: str) -> bool:
    return name in deck.cards and deck.cards[name].kind == "general"


def _fault(deck: Deck, label: str, row: Mapping[str, Any]) -> str:
    if not _is_general(deck, card_of(label)):
        return say(_NO_GENERAL)
    if row.get("zone", "city") not in ZONES:
        return say(_NO_ZONE, zone=row["zone"])
    for kind in EQUIPMENT:
        worn = row.get(kind, "")
        if worn and (worn not in deck.cards or deck.cards[worn].kind != kind):
            return say(_NO_KIND, card=worn, kind=kind)
    return ""


_JUDGE: dict[type[Step], Callable[[Hearing, Position, Any], None]] = {
    Deploy: _judge_deploy,
    Equip: _judge_equip,
    Use: _judge_use,
    Activate: _judge_activate,
    Move: _judge_move,
    Attack: _judge_attack,
    End: lambda hearing, position, step: None,  # a turn may end at any time
    Agreed: _judge_agreed,
}
_PERFORM: dict[type[Step], Callable[[Position, Any], Position]] = {
    Deploy: _deploy,
    Equip: _equip,
    Use: _use,
    Activate: _activate,
    Move: _move,
    Attack: _attack,
    End: _end,
    Agreed: _perform_agreed,
}
