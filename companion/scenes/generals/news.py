"""What came of a step besides the step itself: who fell, what was lost, what hands do with the cards, who has won."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.language import _
from companion.text.orders import card_count, faction_name
from companion.text.people import People
from engine.generals.position import SIDES, Position, Side
from engine.generals.words import general_words, reason_words


def turn_news(before: Position, after: Position) -> Iterator[str]:
    """Yield sentences on the generals and resources lost, and on the end; cards drawn or paid go unsaid."""
    for index, who in enumerate(SIDES):
        yield from lost_generals(before, after, index)
        lost = before.sides[index].resources - after.sides[index].resources
        expended = after.sides[index].expended - before.sides[index].expended
        if (n := min(lost, expended)) > 0:
            form = _("{who} loses {cards} from their resources.")
            yield form.format(who=faction_name(who), cards=card_count(n))
    if after.winner_name is not None and before.winner is None:
        yield _victory(after, faction_name(after.winner_name))


def _victory(after: Position, who: str) -> str:
    return _("{who} wins: {reason}.").format(who=who, reason=reason_words(after.reason))


def lost_generals(before: Position, after: Position, index: int) -> Iterator[str]:
    """Yield a sentence for each general of a side that has left the battlefield."""
    was, now = before.sides[index], after.sides[index]
    fallen = now.defeated[len(was.defeated) :]
    for fighter in was.fighters:
        if now.fighter(fighter.label) is None:
            form = _("{general} is defeated.") if fighter.card in fallen else _("{general} leaves the battlefield.")
            yield form.format(general=general_words(before, index, fighter))


def on_table(before: Position, after: Position, people: People) -> Iterator[str]:
    """Yield a sentence for each pile change of either side: cards drawn, paid and lost."""
    for index, who in enumerate(SIDES):
        yield from _pile_changes(before.sides[index], after.sides[index], people.name(who))


def comes_of_it(before: Position, after: Position, people: People) -> Iterator[str]:
    """Yield sentences on the generals lost, the cards drawn, paid and lost, and the end of the game."""
    for index in range(2):
        yield from lost_generals(before, after, index)
    yield from on_table(before, after, people)
    if after.winner_name is not None and before.winner is None:
        yield _victory(after, people.name(after.winner_name))


def _pile_changes(was: Side, now: Side, who: str) -> Iterator[str]:
    """Yield what a side drew and what it moved from its resources and its hand to the expended zone."""
    lost, drawn = was.resources - now.resources, 0
    expended = now.expended - was.expended
    if lost > 0:
        drawn = max(0, min(lost, now.hand - was.hand))
    if drawn:
        yield _("{who} draws {cards}.").format(who=who, cards=card_count(drawn))
    if (burnt := min(lost - drawn, expended)) > 0:
        form = _("{who} moves {cards} from their resources to the Expended zone.")
        yield form.format(who=who, cards=card_count(burnt))
    paid = min(expended - max(burnt, 0), was.hand + drawn - now.hand)
    if paid > 0:
        yield _("{who} moves {cards} from hand to the Expended zone.").format(who=who, cards=card_count(paid))
