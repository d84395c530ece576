"""The battlefield of the card game as a picture: zones with their generals, and the piles beside."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class CardSight:
    """A general on the battlefield. points: military and intelligence; more: how many of them its card does not have.

    worn: kinds of its equipment, "item" and "troop". states: of "fresh", "acted" and "used" (its special effect), and
    "effect" where it has one to use. mark: "", "chosen", "live" or "target".
    """

    label: str
    seat: str
    title: str
    points: tuple[int, int]
    more: tuple[int, int] = (0, 0)
    worn: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ZoneSight:
    """A zone of the battlefield: whose city it belongs to, "city" inside it or "outside" before it.

    name: "red/city"; cards: the near side's first. mark: "", "chosen" or "live".
    """

    name: str
    seat: str
    kind: str
    title: str
    cards: tuple[CardSight, ...]
    mark: str = ""


@dataclass(frozen=True, slots=True)
class PileSight:
    """What lies beside the battlefield, by number: "resources", "hand", "expended" or "defeated".

    less: how many the end of the turn takes from it; warns: that there are too few for that.
    """

    kind: str
    title: str
    n: int
    less: int = 0
    warns: bool = False


@dataclass(frozen=True, slots=True)
class DuelPicture:
    """The battlefield: four zones, the far side's city first, and the piles of the near and of the far side.

    seats: the near and the far side; to_move: whose turn it is, "" once the game is over. A touch on a general is
    Intent("general", "red/label"), on a zone Intent("zone", "red/city"), on the piles of a side Intent("pile", "red").
    """

    zones: tuple[ZoneSight, ...]
    piles: tuple[tuple[PileSight, ...], tuple[PileSight, ...]]
    seats: tuple[str, str] = ("red", "black")
    to_move: str = ""


def turn_picture(picture: DuelPicture) -> DuelPicture:
    """Return the same battlefield as the player opposite sees it."""
    zones = tuple(replace(zone, cards=tuple(reversed(zone.cards))) for zone in reversed(picture.zones))
    near, far = picture.piles
    return replace(picture, zones=zones, piles=(far, near), seats=picture.seats[::-1])
