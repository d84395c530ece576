"""Steps: what the table tells us, one thing at a time. A game is the list of them.

Names are the table's: areas, spaces, factions, units and cards by name. Chance is reported, never made here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Load = tuple[str, str, int]
"""Units of a kind from or into an area: (area, unit, number); from the reserve, the area is "reserve"."""

RESERVE = "reserve"


def merge_loads(loads: Sequence[Load]) -> Sequence[Load]:
    """Merge units so that each kind is named once for each area.

    >>> merge_loads([("d5", "troop", 1), ("d3", "troop", 2), ("d5", "troop", 3)])
    (('d5', 'troop', 4), ('d3', 'troop', 2))
    """
    if len(loads) < 2:
        return loads
    whole = Counter[tuple[str, str]]()
    for area, unit, n in loads:
        whole[area, unit] += n
    return tuple((area, unit, n) for (area, unit), n in whole.items())


@dataclass(frozen=True, slots=True)
class Deploy:
    """A commander is placed in an action space and the action performed; `payload`: the units that a Bomb spends."""

    space: str
    moves: tuple[Load, ...] = ()
    place: tuple[Load, ...] = ()
    recall: tuple[Load, ...] = ()
    target: str | None = None
    draw: tuple[str, ...] | int | None = None
    cards: tuple[str, ...] = ()
    payload: int | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """A commander is placed in the standby area; or, if a pass is final, the round is over for the one who passes."""


@dataclass(frozen=True, slots=True)
class Play:
    """A card's special effect, with what it adds in the form of its action."""

    card: str
    by: str
    place: tuple[Load, ...] = ()
    target: str | None = None
    units: int | None = None
    moves: tuple[Load, ...] = ()
    recall: tuple[Load, ...] = ()


@dataclass(frozen=True, slots=True)
class Roll:
    """All the dice of the roll that is owed."""

    dice: tuple[int, ...]
    by: str


@dataclass(frozen=True, slots=True)
class Reroll:
    """A card is spent to roll all the dice again; the next roll replaces the last."""

    card: str
    by: str


@dataclass(frozen=True, slots=True)
class Remove:
    """Units that their owner chooses to lose; `area` says where, if losses are owed in several areas."""

    units: tuple[tuple[str, int], ...]
    by: str
    area: str | None = None


@dataclass(frozen=True, slots=True)
class Return:
    """The commander on a space goes back to standby, chosen by its owner because a bonus was lost."""

    space: str
    by: str


@dataclass(frozen=True, slots=True)
class Accept:
    """A window for cards is passed by."""

    by: str | None = None


@dataclass(frozen=True, slots=True)
class OtherCorrections:
    """What is agreed besides the board; what is not named stays.

    standby, left: commanders on standby and in the reserve, (faction, number); hands: (faction, the cards or their
    number); discard: the whole pile; bonuses: (slot, token or ""); dice: how many the roll owed has; winner: who has
    won, which ends the game; passed: all who have passed for the rest of the round.
    """

    standby: tuple[tuple[str, int], ...] = ()
    left: tuple[tuple[str, int], ...] = ()
    hands: tuple[tuple[str, tuple[str, ...] | int], ...] = ()
    discard: tuple[str, ...] | None = None
    initiative: str | None = None
    round: int | None = None
    bonuses: tuple[tuple[str, str], ...] = ()
    dice: int | None = None
    winner: str | None = None
    passed: tuple[str, ...] | None = None


NO_OTHER_CORRECTIONS = OtherCorrections()


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the players agree is on the board now, however it came there: the table is the truth.

    areas: each area that is put right, with all that is in it as (faction, unit, number); spaces: each action space
    with the factions that have a commander there. All others stay. `to_move` begins a turn, None leaves whose it is.
    A turn in progress ends with it. readings: (reading, "default" or "other") for each open question of the rules that
    is answered differently from here on; other: what is not on the map. Where nothing but these is agreed, a turn in
    progress goes on.
    """

    areas: tuple[tuple[str, tuple[tuple[str, str, int], ...]], ...] = ()
    spaces: tuple[tuple[str, tuple[str, ...]], ...] = ()
    to_move: str | None = None
    note: str = ""
    readings: tuple[tuple[str, str], ...] = ()
    other: OtherCorrections = NO_OTHER_CORRECTIONS


Step = Deploy | Pass | Play | Roll | Reroll | Remove | Return | Accept | Agreed


def cards_of(step: Step) -> tuple[str, ...]:
    """Return the cards that a step plays.

    >>> cards_of(Deploy("advance:c4", cards=("counterattack",))), cards_of(Reroll("ambush", "red")), cards_of(Pass())
    (('counterattack',), ('ambush',), ())
    """
    match step:
        case Deploy(cards=cards):
            return cards
        case Play(card=card) | Reroll(card=card):
            return (card,)
    return ()
