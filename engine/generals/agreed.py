"""What the players agree on, judged only by what their decks can hold: a side keeps the cards of its deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.generals.cards import EQUIPMENT, ZONES, Deck
from engine.generals.position import SIDES, Fighter, Position, Side, card_of
from engine.generals.steps import Agreed
from engine.ruling import Hearing
from engine.words import mark, say

PILES = ("resources", "hand", "expended")
_NO_GENERAL = mark("not a general in this deck")
_NO_ZONE = mark("{zone} is not a zone")
_NO_KIND = mark("the deck has no such {kind} card: {card}")
_TOO_MANY = mark("more copies of {card} than the deck has")


def judge_agreed(hearing: Hearing, position: Position, step: Agreed) -> None:
    """Judge whether a side could be so with its deck; this may be agreed at any time, in either side's turn."""
    if not hearing.weigh("game.side", step.side in SIDES and step.winner in ("", *SIDES), who=step.side):
        return
    index = SIDES.index(step.side)
    before = position.sides[index]
    faults = _faults(before, step)
    for label in dict.fromkeys((*step.generals, *(step.defeated or ()), *faults)):
        fault = faults.get(label, "")
        hearing.weigh("agreed.general", not fault, general=label, who=step.side, fault=fault)
    if not faults:
        after = _side(before, step)
        counts = {"n": after.cards, "unit": "card", "size": after.deck.size}
        hearing.weigh("agreed.cards", after.cards == after.deck.size, who=step.side, **counts)


def perform_agreed(position: Position, step: Agreed) -> Position:
    """Change the side as agreed; end the game if a winner was agreed on."""
    index = SIDES.index(step.side)
    after = position.with_side(index, _side(position.sides[index], step))
    if step.winner:
        after = replace(after, winner=SIDES.index(step.winner), reason="agreed")
    return after


def _side(before: Side, step: Agreed) -> Side:
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
    """Return the cards seen to go to the expended zone that can still lie there, not elsewhere by now."""
    left = Counter({name: card.copies for name, card in side.deck.cards.items()})
    left.subtract(replace(side, seen=()).known())
    kept = []
    for name in side.seen:
        if left[name] > 0:
            left[name] -= 1
            kept.append(name)
    return tuple(kept[max(0, len(kept) - side.expended) :])


def _faults(side: Side, step: Agreed) -> dict[str, str]:
    """Return the faults of the generals as told, by label, and of the defeated ones, by card."""
    defeated = ((card, "" if _is_general(side.deck, card) else say(_NO_GENERAL)) for card in step.defeated or ())
    generals = ((label, _fault(side.deck, label, row)) for label, row in step.generals.items() if row is not None)
    faults = {name: fault for name, fault in (*defeated, *generals) if fault}
    if faults:
        return faults
    known = replace(_side(side, step), seen=()).known()
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
