"""What a step did between two pictures of a map, as motion tells it: journeys of units, and areas cut off in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.ui.screen import AreaPicture, MapPicture

Kinds = Mapping[tuple[str, str], int]
"""{(faction, unit): how many}."""


@dataclass(frozen=True, slots=True)
class Journey:
    """So many units of a kind that went from an area to another."""

    faction: str
    unit: str
    n: int
    start: str
    end: str


def journeys(before: MapPicture, after: MapPicture) -> tuple[Journey, ...]:
    """Return who went where: units missing in one area that are more in another.

    What came from the reserve goes nowhere.
    """
    was, now = _standing(before), _standing(after)
    left = {(area, kind): n - now[area, kind] for (area, kind), n in was.items() if n > now[area, kind]}
    came = {(area, kind): n - was[area, kind] for (area, kind), n in now.items() if n > was[area, kind]}
    return tuple(_matched(left, came))


def _standing(picture: MapPicture) -> Counter[tuple[str, tuple[str, str]]]:
    """Count the units of a picture: {(area, (faction, unit)): how many}."""
    return Counter(
        {
            (area.name, (stack.faction, stack.unit)): stack.n
            for area in picture.areas
            for stack in area.stacks
            if stack.n
        }
    )


def _matched(
    left: dict[tuple[str, tuple[str, str]], int], came: Mapping[tuple[str, tuple[str, str]], int]
) -> Iterator[Journey]:
    for (end, kind), all_ in came.items():
        rest = all_
        for (start, other), there in left.items():
            n = min(rest, there) if other == kind else 0
            if n:
                left[start, other] -= n
                rest -= n
                yield Journey(*kind, n, start, end)


def gone_out(before: MapPicture, after: MapPicture) -> tuple[str, ...]:
    """Return the areas that have lost their supply while their holder kept them, from where the chain broke outward."""
    was = {area.name: area for area in before.areas}
    dark = [area.name for area in after.areas if _is_cut(was.get(area.name), area)]
    changed = [area.name for area in after.areas if area.name in was and was[area.name].controller != area.controller]
    return tuple(sorted(dark, key=lambda name: _way(after, changed, name)))


def _is_cut(was: AreaPicture | None, now: AreaPicture) -> bool:
    kept = was is not None and was.controller == now.controller and was.controller is not None
    return kept and was is not None and was.supplied and not now.supplied


def _way(picture: MapPicture, sources: list[str], name: str) -> int:
    """Return how many borders lie between an area and the nearest one that changed hands."""
    board = picture.board
    reached, edge, steps = set(sources), set(sources), 0
    while edge and name not in reached:
        edge = {other for area in edge for other in board.area(area).adjacent} - reached
        reached |= edge
        steps += 1
    return steps
