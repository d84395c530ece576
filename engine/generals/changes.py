"""What a step changed, in words: worked out from the positions before and after it, and never stored."""

from __future__ import annotations

from collections.abc import Iterator

from engine.generals.position import SIDES, Fighter, Position
from engine.generals.words import reason_words, zone_words
from engine.words import count_words, mark, say, side

_PILES = {
    "resources": (mark("{who}: {n_card} to the resources"), mark("{who}: {n_card} from the resources")),
    "hand": (mark("{who}: {n_card} to the hand"), mark("{who}: {n_card} from the hand")),
    "expended": (mark("{who}: {n_card} to the Expended zone"), mark("{who}: {n_card} from the Expended zone")),
}
_GENERALS = {
    "arrived": mark("{who}: {general} arrives {where}"),
    "moved": mark("{who}: {general} is now {where}"),
    "wears": mark("{who}: {general} is equipped with {card}"),
    "gone": mark("{who}: {general} leaves the battlefield"),
    "defeated": mark("{who}: {general} is defeated"),
}
_TURN = mark("turn {n}: {who} to play")
_WON = mark("{who} wins: {reason}")


def changes(before: Position, after: Position) -> tuple[str, ...]:
    """List each thing that is different after a step, the generals of a side before its piles."""
    return tuple(_changes(before, after))


def _changes(before: Position, after: Position) -> Iterator[str]:
    for index, who in enumerate(SIDES):
        yield from _generals(before, after, index)
        for pile, (more, less) in _PILES.items():
            n = getattr(after.sides[index], pile) - getattr(before.sides[index], pile)
            if n:
                yield say(more if n > 0 else less, who=side(who), n_card=count_words(abs(n), "card"))
    if after.turn != before.turn:
        yield say(_TURN, n=after.turn, who=side(after.to_move_name))
    if after.winner_name is not None and before.winner is None:
        yield say(_WON, who=side(after.winner_name), reason=reason_words(after.reason))


def _generals(before: Position, after: Position, index: int) -> Iterator[str]:
    was, now = before.sides[index], after.sides[index]
    fallen = list(now.defeated[len(was.defeated) :])
    for fighter in was.fighters:
        if now.fighter(fighter.label) is None:
            yield _sentence("defeated" if fighter.card in fallen else "gone", after, index, fighter)
    for fighter in now.fighters:
        old = was.fighter(fighter.label)
        if old is None or old.zone != fighter.zone:
            yield _sentence("arrived" if old is None else "moved", after, index, fighter)
        for card in fighter.equipment:
            if old is None or card not in old.equipment:
                yield _sentence("wears", after, index, fighter, card)


def _sentence(what: str, position: Position, index: int, fighter: Fighter, worn: str = "") -> str:
    cards = position.sides[index].deck.cards
    facts = {"general": general_words(position, index, fighter), "where": zone_words(fighter.zone)}
    return say(_GENERALS[what], who=side(SIDES[index]), card=cards[worn].title if worn else "", **facts)


def general_words(position: Position, index: int, fighter: Fighter) -> str:
    """Return what a general is called: its card's title, numbered if several of them stand there."""
    number = fighter.label.removeprefix(fighter.card).removeprefix("-")
    title = position.card(index, fighter.card).title
    return f"{title} {number}" if number else title
