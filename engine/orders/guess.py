"""Deployments that could have made the changes seen, built from the changes for each space that may have been used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.areas import members
from engine.orders.actions import VERBS
from engine.orders.board import Space
from engine.orders.outlook import Option, Outlook
from engine.orders.sight import Change, Changes, Sight, areas_of
from engine.orders.steps import Deploy, Load

Found = tuple[Change, ...]

SHOOTS_AT_NOBODY = 0.02
"""How likely people shoot at an area without enemies, against any other deployment."""
PLACES_FEWER = 0.05
"""How likely they place fewer units than they may."""
GOES_OVER_THE_LIMIT = 0.5
"""How likely they place units that the limit sends home again."""
PLACES_NOTHING = 0.001
"""How likely they place no unit at all."""


class Guess(NamedTuple):
    """A deployment that may explain what is seen, and how likely people choose it, against others that do."""

    step: Deploy
    weight: float


def guesses(seen: Outlook, found: Changes, sight: Sight) -> Iterator[Guess]:
    """Deployments without cards that may explain the changes, as far as those alone tell; none need be legal."""
    if not found.foe_gained:
        for space in candidates(seen, sight):
            yield from _GUESS[space.action.verb](seen, space, found, sight)


def candidates(seen: Outlook, sight: Sight) -> list[Space]:
    """The free action spaces on which the acting faction may have placed a commander, by what is seen of them."""
    mine, theirs = seen.position.commanders[seen.me], seen.position.commanders[seen.foe]
    return [
        space
        for space in seen.board.spaces
        if not (mine | theirs) >> space.index & 1
        and not seen.board.twins[space.index] & mine
        and shows_deployed(seen, sight, space)
    ]


def shows_deployed(seen: Outlook, sight: Sight, space: Space) -> bool:
    """Whether the commanders seen are those after a deployment to a space, or none as the round has ended with it."""
    sides = list(seen.position.commanders)
    sides[seen.me] |= 1 << space.index
    ends_round = sum(seen.position.commanders_left) == 1
    return sight.shows((sides[0], sides[1])) or (ends_round and sight.shows((0, 0)))


def _move(seen: Outlook, space: Space, found: Changes, sight: Sight) -> Iterator[Guess]:
    """All own losses are the moves, whatever became of the units where they went."""
    del sight
    elsewhere = (areas_of(found.gained) | areas_of(found.foe_lost)) & ~(1 << space.area_index)
    if found.lost and not elsewhere:
        yield Guess(Deploy(space.name, moves=loads(seen, found.lost)), 1.0)


def loads(seen: Outlook, found: Found) -> tuple[Load, ...]:
    """The units of some changes as the moves or placements of a step."""
    return tuple((seen.name(change.area), seen.mode.units[change.kind].name, abs(change.units)) for change in found)


def _shot(seen: Outlook, space: Space, found: Changes, sight: Sight) -> Iterator[Guess]:
    """The area that lost enemies was the target; where none did, it may have been any."""
    del sight
    offer = VERBS["shoot"].option(seen, space)
    if offer is None or found.gained or found.lost:
        return
    hit = areas_of(found.foe_lost)
    for targets, weight in ((offer.areas & seen.enemy, 1.0), (offer.areas & ~seen.enemy, SHOOTS_AT_NOBODY)):
        for target in members(targets):
            if not hit & ~(1 << target):
                yield Guess(Deploy(space.name, target=seen.name(target)), weight / targets.bit_count())


def _placement(seen: Outlook, space: Space, found: Changes, sight: Sight) -> Iterator[Guess]:
    """Own gains were placed and own losses recalled; what the limit sent home again went into a full area."""
    offer = VERBS["place"].option(seen, space)
    if offer is None or found.foe_lost or areas_of(found.gained) & ~offer.areas:
        return
    recalled = tuple(change for change in found.lost if not _made_room(seen, found, sight, change))
    kind, over = _over(seen, offer, found.gained, recalled)
    full = _full(seen, offer, found.gained, sight)
    if over < 0 or (over and full is None and recalled):
        return
    place = loads(seen, found.gained)
    if over and full is not None:
        place = _more(place, (full, seen.mode.units[kind].name, over))
    step = Deploy(space.name, place=place, recall=loads(seen, recalled))
    yield Guess(step, _placing(found.gained, over, full))


def _made_room(seen: Outlook, found: Changes, sight: Sight, lost: Change) -> bool:
    """Whether units went home as the limit of their area sent them, for those of another kind placed there."""
    cap = seen.mode.caps[seen.board.areas[lost.area].kind]
    return bool(areas_of(found.gained) >> lost.area & 1) and sight.standing(seen.me, lost.area) == cap


def _over(seen: Outlook, offer: Option, gained: Found, recalled: Found) -> tuple[int, int]:
    """Units placed that are not seen there, as kind and number.

    People place as many as they may; a recall demands it, as it brings no more back than is placed.
    """
    kind = recalled[0].kind if recalled else seen.mode.kinds_on[offer.space.action.kind][0]
    back = -sum(change.units for change in recalled if change.kind == kind)
    placed = sum(change.units for change in gained if change.kind == kind)
    more = seen.position.reserve(seen.me, kind) + back - placed
    if recalled:
        return kind, more
    return kind, max(0, min(more, offer.amount - sum(change.units for change in gained)))


def _full(seen: Outlook, offer: Option, gained: Found, sight: Sight) -> str | None:
    """A placement area seen at its limit, one that gained units before others."""
    cap = seen.mode.caps[offer.space.action.kind]
    at_cap = [area for area in members(offer.areas) if sight.standing(seen.me, area) == cap]
    best = min(at_cap, key=lambda area: not areas_of(gained) >> area & 1, default=None)
    return None if best is None else seen.name(best)


def _more(place: tuple[Load, ...], load: Load) -> tuple[Load, ...]:
    """Loads with one added, put together with another of its area and kind."""
    area, unit, added = load
    others = tuple(other for other in place if other[:2] != (area, unit))
    same = sum(n for name, kind, n in place if (name, kind) == (area, unit))
    return (*others, (area, unit, same + added))


def _placing(gained: Found, over: int, full: str | None) -> float:
    if not gained:
        return PLACES_NOTHING
    if not over:
        return 1.0
    return PLACES_FEWER if full is None else GOES_OVER_THE_LIMIT


def _draw(seen: Outlook, space: Space, found: Changes, sight: Sight) -> Iterator[Guess]:
    del sight
    offer = VERBS["draw"].option(seen, space)
    if offer is not None and not found.all:
        yield Guess(Deploy(space.name, draw=offer.amount), 1.0)


_GUESS: dict[str, Callable[[Outlook, Space, Changes, Sight], Iterator[Guess]]] = {
    "move": _move,
    "shoot": _shot,
    "place": _placement,
    "draw": _draw,
}
