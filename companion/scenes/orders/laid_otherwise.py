"""What hands have left out or laid elsewhere of what they were asked to do, as far as the camera is sure of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from companion.core.language import plural
from companion.perception.adapters import compare
from companion.perception.mistaken_commanders import NOTHING, THERE
from companion.perception.sync.items import Item, items_of
from companion.text.orders import area_name, problem, sentence
from engine.orders import game
from engine.orders.position import Position
from engine.words import count_words
from vision.reading.read import Reading


def laid_otherwise(before: Position, after: Position, reading: Reading) -> tuple[str, ...]:
    """Describe each piece that is missing or misplaced; nothing until hands have begun to move units.

    before, after: the positions that the board showed and has to show. Units that dice may have removed since do
    not count as missing.
    """
    begun = any(difference.state == "differs" and ":" not in difference.area for difference in compare(before, reading))
    if not begun:
        return ()
    owed = game.owed(after)
    rolled_for = owed.area if owed is not None else None
    items = [
        item
        for item in items_of(compare(after, reading))
        if not (item.more < 0 and item.place == rolled_for) and (item.unit != "commander" or _is_sure(item, reading))
    ]
    return tuple(_sentences(items, after, before.to_move_name))


def _is_sure(commander: Item, reading: Reading) -> bool:
    chance = reading.leaders.get(commander.place, {}).get(commander.faction, 0.0)
    return chance < NOTHING if commander.more < 0 else chance > THERE


def _sentences(items: list[Item], after: Position, mover: str) -> Iterator[str]:
    """Yield sentences on misplaced pieces with the place where they belong, then on what else is wrong."""
    left = {(item.place, item.faction, item.unit): item.more for item in items if item.unit != "commander"}
    pairs = [(here, there) for here, there in product(left, left) if here[1:] == there[1:]]
    for here, there in sorted(pairs, key=lambda pair: abs(left[pair[0]] + left[pair[1]])):  # as many before others
        n = min(left[here], -left[there])
        if n > 0:
            left[here] -= n
            left[there] += n
            (place, faction, unit), other = here, there[0]
            told = plural(
                "{units} in {place} belongs in {other}",
                "{units} in {place} belong in {other}",
                n,
                units=_units(faction, unit, n, mover),
                place=area_name(place),
                other=area_name(other),
            )
            yield sentence(told)
    for (place, faction, unit), more in left.items():
        if more < 0:
            units, at = _units(faction, unit, -more, mover), area_name(place)
            told = plural("{place} still needs {units}", "{place} still needs {units}", -more, place=at, units=units)
            yield sentence(told)
        elif more > 0:
            yield sentence(problem(Item(place, faction, unit, more), after.board))
    yield from (sentence(problem(item, after.board)) for item in items if item.unit == "commander")


def _units(faction: str, unit: str, n: int, mover: str) -> str:
    """Count units in words, and name their side unless it is the mover's."""
    return count_words(n, unit, "" if faction == mover else faction)
