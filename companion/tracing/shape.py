"""What follows from a draft's hexes: names, borders, outlines. Worked out once, for all that need them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.tracing.draft import Draft, Home, Patch
from companion.tracing.hexes import Cell, NotOnePiece, Point, area_name, box, hex_names, outline, touching

ZONE = "zone-"


@dataclass(frozen=True, slots=True)
class Shape:
    """A draft's areas by name, in the order of their names; their hexes' names; which borders which.

    near: the areas that each borders; zones by the names that board files call them.
    """

    draft: Draft
    names: Mapping[Cell, str]
    areas: Mapping[str, Patch]
    near: Mapping[str, tuple[str, ...]]

    def name_of(self, home: Home) -> str:
        """Return the name of a zone or of a hex's area; "" for a hex of no area."""
        if isinstance(home, str):
            return f"{ZONE}{home}"
        return next((name for name, patch in self.areas.items() if home in patch.cells), "")

    def outline(self, name: str) -> tuple[Point, ...]:
        """Return the outline of an area or a section; raises NotOnePiece."""
        section = self.draft.section_of(name.removeprefix(ZONE))
        if name not in self.areas and section is not None:
            return box(section.centre_mm, section.size_mm)
        if self.draft.grid is None or name not in self.areas:
            raise NotOnePiece("these hexes do not hang together")
        return outline(self.draft.grid, self.areas[name].cells)

    def ports(self, patch: Patch) -> tuple[str, ...]:
        """Return the waters that an area has piers to."""
        return tuple(sorted({name for cell in patch.piers if (name := self.name_of(cell))}))


def shape_of(draft: Draft) -> Shape:
    """Work out everything that follows from the draft's hexes."""
    names = hex_names(cell for patch in draft.patches for cell in patch.cells)
    areas = {area_name(patch.cells, names): patch for patch in draft.patches}
    areas = dict(sorted(areas.items()))
    flat = draft.grid.flat if draft.grid else True
    near = touching(flat, {name: patch.cells for name, patch in areas.items()})
    return Shape(draft, names, areas, {**near, **_zones_near(draft, areas, near)})


def _zones_near(
    draft: Draft, areas: Mapping[str, Patch], near: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """Return the air zones that border each: those above adjacent land, but for what the owner turned round."""
    found = {tuple(sorted(pair)) for pair in _meeting(areas, near)}
    found ^= {tuple(sorted(pair)) for pair in draft.links}
    return {
        f"{ZONE}{zone}": tuple(
            sorted(f"{ZONE}{other}" for pair in found if zone in pair for other in pair if other != zone)
        )
        for zone in draft.zones
    }


def _meeting(areas: Mapping[str, Patch], near: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    for name, others in near.items():
        for other in others:
            zones = areas[name].zone, areas[other].zone
            if all(zones) and zones[0] != zones[1]:
                yield zones
