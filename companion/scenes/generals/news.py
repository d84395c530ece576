"""What people would tell one another of a step, besides the step itself: who fell, what was lost, who has won."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.language import _
from companion.text.orders import card_count, faction_name
from engine.generals.changes import general_words
from engine.generals.position import SIDES, Position
from engine.generals.words import reason_words


def news(before: Position, after: Position) -> Iterator[str]:
    """Generals that have gone, resources that were lost, and the end; what cards were drawn or paid goes unsaid."""
    for index, who in enumerate(SIDES):
        yield from gone(before, after, index)
        lost = before.sides[index].resources - after.sides[index].resources
        expended = after.sides[index].expended - before.sides[index].expended
        if (n := min(lost, expended)) > 0:
            form = _("{who} loses {cards} of the resources.")
            yield form.format(who=faction_name(who), cards=card_count(n))
    if after.winner_name is not None and before.winner is None:
        form = _("{who} has won: {reason}.")
        yield form.format(who=faction_name(after.winner_name), reason=reason_words(after.reason))


def gone(before: Position, after: Position, index: int) -> Iterator[str]:
    """A side's generals that have left the battlefield."""
    was, now = before.sides[index], after.sides[index]
    fallen = now.defeated[len(was.defeated) :]
    for one in was.fighters:
        if now.fighter(one.label) is None:
            form = _("{general} is defeated.") if one.card in fallen else _("{general} leaves the battlefield.")
            yield form.format(general=general_words(before, index, one))
