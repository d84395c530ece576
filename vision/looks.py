"""How this owner's pieces look: sizes in mm and colours, learned from the photo of the starting position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vision.errors import TableError

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class FactionLook:
    """The colours of a faction's pieces: a few BGR values (0 to 255) in the light of the reference picture.

    strength: how much of the evidence that a piece could give it gave in the photo of the starting position;
    single_rise: mean and spread of what single discs showed there of a disc on top.
    """

    faction: str
    colours: tuple[Colour, ...]
    strength: float = 1.0
    single_rise: tuple[float, float] = (0.1, 0.4)


@dataclass(frozen=True, slots=True)
class Looks:
    """Sizes in mm and colours of the pieces.

    Troops are discs; ships are taken as boxes (length, width, height); commanders are hexagonal prisms, given by
    the radius of a disc of the same surface. shade: the share of blue, green and red light left in full shadow.
    noise: how far board pixels (0 to 255) stray between two pictures of the same thing; learned: whether there was a
    photo of the starting position.
    """

    troop_radius_mm: float
    troop_height_mm: float
    ship_mm: tuple[float, float, float]
    commander_radius_mm: float
    commander_height_mm: float
    factions: tuple[FactionLook, ...]
    shade: Colour
    noise: float
    learned: bool

    def of(self, faction: str) -> FactionLook:
        """How a faction's pieces look; KeyError for a faction that the table does not know."""
        return {look.faction: look for look in self.factions}[faction]


def _numbers(value: Any, count: int) -> tuple[float, ...]:
    numbers = tuple(float(part) for part in value)
    if len(numbers) != count:
        raise ValueError(f"{count} numbers expected")
    return numbers


def _faction(value: Mapping[str, Any]) -> FactionLook:
    colours = tuple((b, g, r) for b, g, r in (_numbers(colour, 3) for colour in value["colours"]))
    if not colours:
        raise ValueError("a faction without colours")
    rise, spread = _numbers(value["single_rise"], 2)
    return FactionLook(str(value["faction"]), colours, float(value["strength"]), (rise, spread))


def looks_from_data(data: Mapping[str, Any]) -> Looks:
    """The looks from a table file's JSON data; TableError where something is missing or of the wrong form."""
    try:
        blue, green, red = _numbers(data["shade"], 3)
        length, width, height = _numbers(data["ship_mm"], 3)
        return Looks(
            troop_radius_mm=float(data["troop_radius_mm"]),
            troop_height_mm=float(data["troop_height_mm"]),
            ship_mm=(length, width, height),
            commander_radius_mm=float(data["commander_radius_mm"]),
            commander_height_mm=float(data["commander_height_mm"]),
            factions=tuple(map(_faction, data["factions"])),
            shade=(blue, green, red),
            noise=float(data["noise"]),
            learned=bool(data["learned"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise TableError(f"the looks of the pieces are broken ({error})") from error
