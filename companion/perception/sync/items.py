"""What on the board is not as recorded, piece by piece, and whether hands are only following the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.perception.adapters import Difference, compare, with_game
from companion.perception.area_questions import standing_in
from companion.perception.game_record import GameRecord
from engine.orders.inference.repair import Fix
from engine.orders.position import Position
from engine.orders.turn import commanders_before_homecoming, ready
from engine.ruling import Finding

if TYPE_CHECKING:
    from vision.reading.read import Reading

BEHIND_MOST = 12
"""How many steps back the board may be while the game was entered by touch."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing on the board that is not as recorded: so many units (or a "commander") too many, or missing below 0.

    why, finding: what forbids it, where no legal turn explains it.
    """

    place: str
    faction: str
    unit: str
    more: int
    why: str = field(default="", compare=False)
    finding: Finding | None = field(default=None, compare=False)


def items_of(differences: Iterable[Difference]) -> tuple[Item, ...]:
    """Return what the table has more or less than the game, one item for each kind of piece."""
    return tuple(
        Item(difference.area, faction, unit, more)
        for difference in differences
        if difference.state == "differs"
        for (faction, unit), more in sorted(_more(difference).items())
        if more
    )


def _more(difference: Difference) -> dict[tuple[str, str], int]:
    more = {(faction, unit): n for faction, units in difference.seen_force.items() for unit, n in units.items()}
    for faction, units in difference.expected_force.items():
        for unit, n in units.items():
            more[faction, unit] = more.get((faction, unit), 0) - n
    return more


def items_of_fixes(fixes: Iterable[Fix]) -> tuple[Item, ...]:
    """Return what has to be taken off or put on the board, one item for each kind of piece, with what forbids it."""
    return tuple(
        Item(fix.place, faction, unit, sign * n, fix.message.partition("; ")[2], fix.finding)
        for fix in sorted(fixes, key=lambda fix: ":" in fix.place)
        for sign, pieces in ((1, fix.take), (-1, fix.put))
        for faction, unit, n in pieces
    )


def items_insisted_on(items: tuple[Item, ...], position: Position, reading: Reading) -> tuple[Item, ...]:
    """Return the items that the eye insists on against all that the game expects; all if it insists on none.

    position: what the table has to show.
    """
    seen = with_game(reading, position)
    firm = (
        _is_leader_sure(item, reading) if item.unit == "commander" else _is_count_other(item, position, seen)
        for item in items
    )
    return tuple(item for item, insists in zip(items, firm, strict=True) if insists) or items


def _is_leader_sure(item: Item, reading: Reading) -> bool:
    from vision.reading.prior import TRUST

    chance = reading.leaders.get(item.place, {}).get(item.faction, 0.0)
    return chance > TRUST if item.more > 0 else chance < 1 - TRUST


def _is_count_other(item: Item, position: Position, seen: Reading) -> bool:
    belief = seen.counts.get(item.place)
    return belief is None or tuple(sorted(belief.best)) != standing_in(position, item.place)


def is_behind(
    game: GameRecord,
    differences: Iterable[Difference],
    reading: Reading,
    agreed: int = 0,
    accepted: Reading | None = None,
) -> bool:
    """Return whether hands are only following the game: what differs is as one of the last steps left it.

    Each place is looked at by itself, as hands move one piece after the other. agreed: the steps after which the
    board was last as recorded; before these it was followed already. accepted: the reading by which people took the
    last turn: where more is to follow, a place that looks as it did then is no matter.
    """
    left = differing = _differing(differences)
    for moment in _recent(game, agreed):
        left = left & _differing(compare(moment, reading))
    if accepted is not None and left != differing:
        left = {place for place in left if not _looks_alike(place, reading, accepted)}
    return bool(differing) and not left


def _looks_alike(place: str, one: Reading, other: Reading) -> bool:
    if ":" in place:
        return one.commanders.get(place) == other.commanders.get(place)
    return one.units.get(place) == other.units.get(place)


def _differing(differences: Iterable[Difference]) -> set[str]:
    return {difference.area for difference in differences if difference.state == "differs"}


def _recent(game: GameRecord, agreed: int) -> Iterator[Position]:
    """Yield the positions before the last steps, and where a round ended the board before its commanders went home.

    Those of `agreed` steps are the first, but a round that ended with these steps may still be cleared away.
    """
    for number in range(len(game.steps) - 1, max(0, len(game.steps) - BEHIND_MOST, agreed - 1) - 1, -1):
        was, step, now = game.positions[number], game.steps[number], game.positions[number + 1]
        if number >= agreed:
            yield was
        if was.round != now.round:
            yield replace(now, commanders=commanders_before_homecoming(ready(was, step), step))
