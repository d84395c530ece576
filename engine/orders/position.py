"""The position: one frozen value, and how the faction that acts sees it.

Control, supply, reserves and score are derived from it, never stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import compress
from typing import NamedTuple, Protocol

from engine.orders.board import Board, Space
from engine.orders.mode import Bonus, Mode

Hand = tuple[str, ...] | int
"""The cards in a hand by name, sorted, or only their number where they are hidden."""


Rows = Sequence[Sequence[int]]
"""The units of a faction, [unit kind][area]."""


class Stage(Enum):
    """A stage of a turn, by what the table owes next."""

    JOIN = "join"
    """Units are in; cards may add more."""
    DEFENCE = "defence"
    """The defender owes the defence roll."""
    SHOT = "shot"
    """The shooter owes the roll."""
    ROLLED = "rolled"
    """The dice lie on the table; cards may be spent to roll again."""
    LOSSES = "losses"
    """Units are removed; owners with a choice have yet to make it."""
    AGAIN = "again"
    """A shot is over; cards may let it happen again."""
    RETURN = "return"
    """A lost bonus takes commanders back to standby; owners with a choice have yet to make it."""


class Next(Enum):
    """What follows when the losses of a turn are settled."""

    ATTRITION = "attrition"
    CONFLICT = "conflict"
    AGAIN = "again"
    END = "end"


class Loss(NamedTuple):
    """Units that a faction still has to remove from an area, by number."""

    faction: int
    area: int
    units: int


class Turn(NamedTuple):
    """A turn in progress: the space deployed to, and how far its action is settled."""

    space: int
    stage: Stage
    area: int = -1
    """The contested area, or the target of a shot."""
    contested: tuple[int, ...] = ()
    """Conflicts still to come, in the attacker's order."""
    dice: int = 0
    """The number of dice owed, or lying on the table."""
    faces: tuple[int, ...] = ()
    losses: tuple[Loss, ...] = ()
    then: Next = Next.END
    open: bool = True
    """Whether the window for cards is still open at this stage."""
    places: int = 0
    """The areas that this action's placements may use, judged as it started."""
    seizable: int = 0
    """The enemy areas that a card may open to placements."""
    begun: tuple[int, int] = (0, 0)
    """The commanders that area bonuses gave as the turn began, by faction."""
    payload: int = 0
    """The units that were spent for the dice of a shot."""
    returns: tuple[int, ...] = ()
    """The factions that still have a commander to take back to standby, once for each."""
    entered: int = 0
    """The areas that the acting faction has entered in this action: it didn't control them as the action started."""
    again: bool = False
    """Whether the roll that is owed is a reroll."""


class Survey(NamedTuple):
    """What follows from the units: who controls and who supplies which areas, as sets, by faction."""

    control: tuple[int, int]
    supply: tuple[int, int]


class Field(Protocol):
    """What control and supply follow from: a position, or a draft of one."""

    @property
    def board(self) -> Board:
        """The board."""

    @property
    def units(self) -> Sequence[Sequence[Sequence[int]]]:
        """The units, [faction][unit kind][area]."""

    @property
    def readings(self) -> frozenset[str]:
        """The readings switched to their other answer."""


@dataclass(frozen=True, slots=True)
class Position:
    """A game at one moment.

    Inside the engine areas, spaces, factions and unit kinds are numbers in the board's order; the methods take and
    give names. `units` is [faction][unit kind][area]; `commanders` is a set of action spaces for each faction.
    """

    board: Board
    round: int
    initiative: int
    to_move: int
    bonuses: tuple[str, ...]
    units: tuple[tuple[tuple[int, ...], ...], ...]
    commanders: tuple[int, int]
    commanders_left: tuple[int, int]
    standby: tuple[int, int]
    hands: tuple[Hand, Hand]
    discard: tuple[str, ...] = ()
    spent: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    turn: Turn | None = None
    winner: int | None = None
    reason: str | None = None
    readings: frozenset[str] = frozenset()
    """The readings that the table has switched to their other answer."""
    passed: tuple[bool, bool] = (False, False)
    """Who has passed for the rest of the round, where a pass is final."""
    last_spent: tuple[tuple[str, ...], tuple[str, ...]] = field(default=((), ()), compare=False)
    """Special effects resolved in the turn that has just ended, by faction, until the next one begins."""
    rolled: int | None = field(default=None, compare=False)
    """Who rolled the dice that lie on the table; None once the next turn has begun."""
    _survey: Survey | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def survey(self) -> Survey:
        """Control and supply, worked out once (Supply)."""
        survey = self._survey
        if survey is None:
            survey = survey_of(self)
            # the one write to a frozen position: what follows from its units alone, kept for the next question
            object.__setattr__(self, "_survey", survey)
        return survey

    @property
    def initiative_name(self) -> str:
        """The faction with the initiative."""
        return self.board.factions[self.initiative]

    @property
    def to_move_name(self) -> str:
        """The faction whose turn it is."""
        return self.board.factions[self.to_move]

    @property
    def winner_name(self) -> str | None:
        """The faction that has won, in a finished game."""
        return None if self.winner is None else self.board.factions[self.winner]

    def units_in(self, area: str) -> dict[str, dict[str, int]]:
        """Return the units in an area, by faction and kind; factions without any are left out."""
        index = self.board.area_index[area]
        here = {}
        for name, rows in zip(self.board.factions, self.units, strict=True):
            counts = {kind.name: rows[kind.index][index] for kind in self.board.mode.units if rows[kind.index][index]}
            if counts:
                here[name] = counts
        return here

    def controller(self, area: str) -> str | None:
        """Return the faction that controls an area; None if it is empty or contested."""
        holders = list(self.units_in(area))
        return holders[0] if len(holders) == 1 else None

    def commanders_on(self, space: str) -> tuple[str, ...]:
        """Return the factions with a commander in an action space."""
        bit = 1 << self.board.space_index[space]
        return tuple(f for f, spaces in zip(self.board.factions, self.commanders, strict=True) if spaces & bit)

    def left(self, faction: str) -> int:
        """Count the commanders still in the reserve, which can be deployed this round."""
        return self.commanders_left[self.board.mode.faction_index[faction]]

    def standing_by(self, faction: str) -> int:
        """Count the commanders in the standby area."""
        return self.standby[self.board.mode.faction_index[faction]]

    def hand(self, faction: str) -> Hand:
        """Return the cards in hand, or their number if they are hidden."""
        return self.hands[self.board.mode.faction_index[faction]]

    def reserve(self, faction: int, kind: int) -> int:
        """Count the units of a kind that a faction has in its reserve."""
        return self.board.mode.units[kind].reserve - sum(self.units[faction][kind])


def survey_of(position: Field) -> Survey:
    """Work out control and supply from the units (reading hq-zone-lost).

    An area is controlled by having units there; supply is a chain of control from the headquarters.
    """
    board = position.board
    mine, theirs = position.units
    first, second = _occupied(mine, board.bits), _occupied(theirs, board.bits)
    homes = board.open_homes if "hq-zone-lost" in position.readings else board.homes
    flood, (home, other_home) = board.adjacency.flood, homes
    return Survey((first, second), (flood(home, first), flood(other_home, second)))


def _occupied(rows: Sequence[Sequence[int]], bits: tuple[int, ...]) -> int:
    occupied = 0
    for row in rows:
        occupied |= sum(compress(bits, row))
    return occupied


# --- a position as the faction that acts sees it ---------------------------------------------

# 1 < n, called for every area in the innermost loop of the engine: a bound method is faster than a lambda
_MORE_THAN_ONE = (1).__lt__


class Outlook(NamedTuple):
    """A position as the acting faction sees it: as sets, the areas it controls and supplies, and its enemy's.

    `spare` holds the areas with more than one of its units: the last never leaves by a move or a recall.
    """

    position: Position
    board: Board
    mode: Mode
    me: int
    foe: int
    control: int
    supply: int
    enemy: int
    spare: int
    bonuses: Mapping[str, Bonus]
    """The area bonuses that work for the acting faction now, by action: it supplies the land area with the token."""

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The acting faction's units, [kind][area]."""
        return self.position.units[self.me]

    def name(self, area: int) -> str:
        """Return an area's name."""
        return self.board.areas[area].name


class Option(NamedTuple):
    """What a space offers now: source, target or placement areas as a set, and an amount (units or cards)."""

    space: Space
    areas: int
    amount: int


def outlook_of(position: Position, faction: int) -> Outlook:
    """Return the position with all that is computed for `faction`: its control, supply, spare units and bonuses."""
    control, supply = position.survey
    board, foe, supplied = position.board, 1 - faction, supply[faction]
    spare = _spare(board, position.units[faction])
    bonuses = _bonuses(position, supplied)
    return Outlook(position, board, board.mode, faction, foe, control[faction], supplied, control[foe], spare, bonuses)


def _bonuses(position: Position, supplied: int) -> dict[str, Bonus]:
    tokens = position.board.mode.bonuses
    slots = zip(position.bonuses, position.board.slot_areas, strict=True)
    here = [tokens[name] for name, area in slots if name and supplied >> area & 1]
    if position.board.printed:
        here += [tokens[name] for area, name in position.board.printed if supplied >> area & 1]
    return {bonus.action: bonus for bonus in here if bonus.action}


def _spare(board: Board, rows: tuple[tuple[int, ...], ...]) -> int:
    several = 0
    for row in rows:
        several |= sum(compress(board.bits, map(_MORE_THAN_ONE, row)))
    for kinds in board.mode.kinds_on.values():
        if len(kinds) > 1:
            several |= _mixed(board, [rows[kind] for kind in kinds])
    return several


def _mixed(board: Board, rows: list[tuple[int, ...]]) -> int:
    # one unit each of two kinds are two units, though neither row shows it
    once, twice = 0, 0
    for row in rows:
        here = sum(compress(board.bits, row))
        twice |= once & here
        once |= here
    return twice


def movable_units(outlook: Outlook, area: int) -> dict[str, int]:
    """Return {unit: how many may leave} for an area of more than one unit: one unit stays behind."""
    units = outlook.mode.units
    counts = [(kind, outlook.rows[kind][area]) for kind in outlook.mode.kinds_on[outlook.board.areas[area].kind]]
    spare_units = sum(n for _, n in counts) - 1
    return {units[kind].name: min(n, spare_units) for kind, n in counts if n}


def count_recallable(rows: Sequence[Sequence[int]], kind: int) -> int:
    """Count how many of a faction's units of a kind could be recalled in all; each area keeps its last unit.

    `rows` are its units, [kind][area].
    """
    others = [row for index, row in enumerate(rows) if index != kind]
    return sum(n if any(row[area] for row in others) else n - 1 for area, n in enumerate(rows[kind]) if n)
