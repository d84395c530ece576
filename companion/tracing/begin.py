"""A draft begun from what the eye proposes: areas, their kinds, and the action spaces with a guess at what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.tracing.draft import Draft, DraftSpace, Patch
from companion.tracing.hexes import BoardGrid, Cell, Point, in_order
from engine.orders.mode import Mode, load_mode

ON_MAP = ("move", "shoot", "drop")
"""The verbs of actions whose spaces lie on the map; those of the others are on the support board."""


@dataclass(frozen=True, slots=True)
class SeenSpace:
    """A small hex that was seen on the board: where, in which hex, and a number for those whose pictogram is alike."""

    at_mm: Point
    cell: Cell
    group: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the eye makes of a straight board: areas with their kind ("land" or "water"), spaces, and their size.

    places: where anything like a space was seen, doubtful ones too; a touch beside one means it.
    """

    areas: tuple[tuple[tuple[Cell, ...], str], ...]
    spaces: tuple[SeenSpace, ...]
    space_side_mm: float
    places: tuple[Point, ...] = ()


def with_areas(draft: Draft, grid: BoardGrid, proposal: Proposal) -> Draft:
    """Return the draft with the proposed areas instead of its own; all land where the mode has no water."""
    places = {unit.place for unit in load_mode(draft.mode).units}
    patches = tuple(Patch(in_order(cells), kind if kind in places else "land") for cells, kind in proposal.areas)
    side = proposal.space_side_mm or draft.space_side_mm
    return replace(draft, grid=grid, patches=patches, spots=(), sections=(), links=(), space_side_mm=side)


def with_spaces(draft: Draft, spaces: Sequence[SeenSpace], mode: Mode) -> Draft:
    """Return the draft with an action guessed for every space that was seen, unless it has spaces already."""
    if draft.spots:
        return draft
    kinds = {cell: patch.kind for patch in draft.patches for cell in patch.cells}
    spots: list[DraftSpace] = []
    for kind in dict.fromkeys(kinds.values()):
        here = [space for space in spaces if kinds.get(space.cell) == kind]
        spots += _guess_spaces(here, linked_actions(mode, kind))
    known: dict[tuple[str, int], DraftSpace] = {}
    for spot in spots:
        patch = draft.patch_at(spot.on) if not isinstance(spot.on, str) else None
        if patch is not None:
            known.setdefault((spot.action, draft.patches.index(patch)), spot)
    return replace(draft, spots=tuple(known.values()))


def linked_actions(mode: Mode, kind: str) -> list[str]:
    """Return the actions whose spaces lie on areas of a kind, in the mode's order."""
    return [action.name for action in mode.actions.values() if action.kind == kind and action.verb in ON_MAP]


def _guess_spaces(spaces: Sequence[SeenSpace], actions: Sequence[str]) -> Iterable[DraftSpace]:
    """Guess each space's action: the commonest pictogram means the first action, the next one the second.

    Of two pictograms as common, the one further left comes first.
    """
    if not actions:
        return
    counts = Counter(space.group for space in spaces)
    lefts = {group: min(space.at_mm[0] for space in spaces if space.group == group) for group in counts}
    ranked = sorted(counts, key=lambda group: (-counts[group], lefts[group]))
    for space in spaces:
        rank = min(ranked.index(space.group), len(actions) - 1)
        yield DraftSpace(actions[rank], space.cell, space.at_mm)
