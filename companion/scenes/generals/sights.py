"""The battlefield of the card game as a picture: zones with the generals that stand there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CardSight:
    """A general on the battlefield. points: military and intelligence; mark: "", "chosen", "live" or "target"."""

    label: str
    seat: str
    title: str
    points: tuple[int, int]
    worn: tuple[str, ...] = ()
    state: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class ZoneSight:
    """A zone between the two cities, seen from the near side. mark: "" or "live"."""

    name: str
    title: str
    cards: tuple[CardSight, ...]
    mark: str = ""


@dataclass(frozen=True, slots=True)
class PileSight:
    """What lies beside the battlefield: resources, hand, expended, defeated, by number."""

    kind: str
    seat: str
    title: str
    n: int


@dataclass(frozen=True, slots=True)
class DuelPicture:
    """The battlefield, the far side's city first. A touch on a general is Intent("general", label), on a zone
    Intent("zone", name), on a pile Intent("pile", "seat/kind").
    """

    zones: tuple[ZoneSight, ...]
    piles: tuple[PileSight, ...]
