"""A position of the card game as a picture, with what a step would do on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.text.generals import general_title, pile_title, zone_title
from companion.ui.duel_picture import CardSight, DuelPicture, PileSight, ZoneSight
from engine.generals.cards import ZONES
from engine.generals.position import SIDES, Fighter, Position
from engine.generals.steps import Activate, Attack, Deploy, Equip, Move, Step, Use
from engine.generals.tally import points_of, upkeep_of


@dataclass(frozen=True, slots=True)
class DuelMarks:
    """What is marked: cards by "red/label" ("chosen", "live", "target"), zones by "red/city" ("chosen", "live")."""

    cards: Mapping[str, str] = field(default_factory=dict)
    zones: Mapping[str, str] = field(default_factory=dict)


def place_of(index: int, zone: str) -> str:
    """Return the place on the battlefield where a side's general stands in a zone: "red/city"."""
    return f"{SIDES[1 - index]}/outside" if zone == "siege" else f"{SIDES[index]}/{zone}"


def zone_of(index: int, place: str) -> str:
    """Return the zone that a place on the battlefield is for a side; "" for the inside of the opponent's city."""
    return next((zone for zone in ZONES if place_of(index, zone) == place), "")


def duel_picture(position: Position, marks: DuelMarks | None = None) -> DuelPicture:
    """Return the battlefield with the red side near."""
    marks = marks or DuelMarks()
    places = (("black", "city"), ("black", "outside"), ("red", "outside"), ("red", "city"))
    return DuelPicture(
        zones=tuple(_zone(position, seat, kind, marks) for seat, kind in places),
        piles=(_piles(position, 0), _piles(position, 1)),
        to_move=position.to_move_name if position.winner is None else "",
    )


def _zone(position: Position, seat: str, kind: str, marks: DuelMarks) -> ZoneSight:
    name = f"{seat}/{kind}"
    cards = tuple(
        _card(position, index, fighter, marks)
        for index, side in enumerate(position.sides)
        for fighter in side.fighters
        if place_of(index, fighter.zone) == name
    )
    return ZoneSight(name, seat, kind, zone_title(kind, seat), cards, marks.zones.get(name, ""))


def _card(position: Position, index: int, fighter: Fighter, marks: DuelMarks) -> CardSight:
    card = position.card(index, fighter.card)
    points = tuple(points_of(position, index, fighter, form).total for form in ("military", "intelligence"))
    states = [name for name in ("fresh", "acted", "used") if getattr(fighter, name)]
    if card.effect is not None:
        states.append("effect")
    return CardSight(
        label=fighter.label,
        seat=SIDES[index],
        title=general_title(position, index, fighter.label),
        points=(points[0], points[1]),
        more=(points[0] - card.military, points[1] - card.intelligence),
        worn=tuple(kind for kind in ("item", "troop") if getattr(fighter, kind)),
        states=tuple(states),
        mark=marks.cards.get(f"{SIDES[index]}/{fighter.label}", ""),
    )


def _piles(position: Position, index: int) -> tuple[PileSight, ...]:
    side, end = position.sides[index], upkeep_of(position, index)
    over = end.over if index == position.to_move else 0
    going = position.winner is None
    return (
        PileSight("resources", pile_title("resources"), side.resources, end.generals * going, end.lost and going),
        PileSight("hand", pile_title("hand"), side.hand, over * going),
        PileSight("expended", pile_title("expended"), side.expended),
        PileSight("defeated", pile_title("defeated"), len(side.defeated)),
    )


def marks_of(position: Position, step: Step | None) -> DuelMarks:
    """Return the marks that show what a step is about, on the picture of the position before it."""
    index = position.to_move
    own, other = SIDES[index], SIDES[1 - index]
    match step:
        case Deploy(card) if card in position.sides[index].deck.cards:
            return DuelMarks(zones={place_of(index, position.card(index, card).arrives): "live"})
        case Equip(_, general):
            return DuelMarks({f"{own}/{general}": "chosen"})
        case Move(general, to) if to in ZONES:
            return DuelMarks({f"{own}/{general}": "chosen"}, {place_of(index, to): "live"})
        case Attack(general, target) if target:
            return DuelMarks({f"{own}/{general}": "chosen", f"{other}/{target}": "target"})
        case Attack(general):
            return DuelMarks({f"{own}/{general}": "chosen"}, {f"{other}/city": "live"})
        case Use(_, by, general, target):
            index = SIDES.index(by) if by in SIDES else index
            return DuelMarks(_effect_marks(index, general, target))
        case Activate(general, to, target):
            return DuelMarks({f"{own}/{general}": "chosen", **_effect_marks(index, to, target)})
    return DuelMarks()


def _effect_marks(index: int, general: str, target: str) -> dict[str, str]:
    marks = {f"{SIDES[index]}/{general}": "chosen"} if general else {}
    return {**marks, f"{SIDES[1 - index]}/{target}": "target"} if target else marks
