"""A battle as one frozen value: where each unit stands and how it is, whose activation it is, and what is owed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal

from engine.sonae.field import NEAR, Measure, Place
from engine.sonae.scenario import Army, Division, Ground, Scenario

Status = Literal["fresh", "wavering", "brittle"]
STATUSES: tuple[Status, ...] = ("fresh", "wavering", "brittle")
"""From best to worst; a brittle unit that fails again breaks, and leaves the battle."""
MODES = ("encamped", "mobile")
FATIGUED, RESTING = 1, 2
WIDE_CONTACT = 0.1
"""How near bases in contact are at most, in Movements, by the other answer of the reading contact."""

DueKind = Literal[
    "settle",
    "messenger",
    "intercept",
    "token",
    "activate",
    "orders",
    "fire",
    "reply",
    "morale",
    "opportunity",
    "opportunity-fire",
    "nerve",
    "closing",
    "closing-fire",
    "closing-morale",
    "retreat",
    "strain",
    "rally",
    "melee",
    "blocked",
    "shock",
    "heir",
    "regent",
    "loyalty",
]


@dataclass(frozen=True, slots=True)
class Due:
    """One thing that the table owes: what, by which side, about which units and against which.

    less: dice fewer, of a morale test after several hits. heard: successes of the roll that this one answers.
    """

    kind: DueKind
    by: int
    units: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    less: int = 0
    heard: int = 0
    to: Place | None = field(default=None, hash=False)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the table. fatigue: FATIGUED until its next activation, RESTING in that one, when it takes no action.

    orders: how many it had in this activation.
    charged: it came into contact by charging in this activation; delayed: it used Closing Fire in vain, one die less in
    the next Melee. mired: it moved on difficult ground in this activation, by the reading difficult-ends.
    """

    name: str
    place: Place = field(hash=False)
    status: Status = "fresh"
    fatigue: int = 0
    orders: int = 0
    charged: bool = False
    delayed: bool = False
    mired: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """A battle. acted: divisions that have acted this turn; messages: divisions that a messenger reached.

    acting: the division whose activation it is, "" for none; orders: how many it has left. bonus: units of which one
    may use an order at once, after Shock; spare: how many more of these. due: what the table owes, first thing first.
    fighting: the activation's orders are over, and its melees are fought; fought: units that have. heirs: (unit, its
    successor) for each commander and Army General that was lost and has one.
    """

    scenario: Scenario
    units: tuple[Unit, ...]
    modes: tuple[str, str]
    turn: int = 1
    acted: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    acting: str = ""
    orders: int = 0
    bonus: tuple[str, ...] = ()
    spare: int = 0
    due: tuple[Due, ...] = ()
    fighting: bool = False
    fought: tuple[str, ...] = ()
    heirs: tuple[tuple[str, str], ...] = ()
    winner: int | None = None
    reason: str = ""
    readings: frozenset[str] = frozenset()

    @property
    def winner_name(self) -> str | None:
        """The army that has won; None while the battle goes on."""
        return None if self.winner is None else self.scenario.sides[self.winner]

    def unit(self, name: str) -> Unit | None:
        """Return the unit of that name; None if it is not in the battle."""
        for unit in self.units:
            if unit.name == name:
                return unit
        return None

    def here(self, name: str) -> Unit:
        """Return the unit of that name, which must be in the battle."""
        found = self.unit(name)
        assert found is not None
        return found

    def side(self, name: str) -> int:
        """Return the index of the side whose unit this is."""
        return self.scenario.units[name].side

    def division(self, unit: str) -> Division:
        """Return the division that a unit belongs to."""
        return self.scenario.divisions[self.scenario.units[unit].division]

    def army(self, side: int) -> Army:
        """Return a side's army."""
        return self.scenario.armies[side]

    def has(self, reading: str) -> bool:
        """Return whether a reading is switched to its other answer."""
        return reading in self.readings

    @property
    def measure(self) -> Measure:
        """How this table measures, by its grid and readings."""
        contact = WIDE_CONTACT if self.has("contact") else NEAR
        return _measure(self.scenario.grid, not self.has("grid-corner"), contact)

    def is_on(self, ground: Ground, place: Place) -> bool:
        """Return whether a base is on a piece of ground.

        The base's middle counts, or by the reading ground-under any part of it.
        """
        return ground.is_under(place) if self.has("ground-under") else ground.contains(place.at)

    def is_high(self, place: Place) -> bool:
        """Return whether a base is on a hill."""
        return any(ground.kind == "hill" and self.is_on(ground, place) for ground in self.scenario.ground)

    def grounds(self, place: Place) -> frozenset[str]:
        """Return the kinds of ground under a base.

        The ground under its middle counts, or by the reading ground-under that under any part of it.
        """
        if self.has("ground-under"):
            return self.scenario.grounds_under(place)
        return frozenset({self.scenario.ground_at(place.at)})

    def heir_of(self, name: str) -> str:
        """Return the unit that holds a commander's or general's place now: the last successor, or the unit itself."""
        for was, heir in self.heirs:
            name = heir if was == name else name
        return name

    def general(self, side: int) -> Unit | None:
        """Return the Army General of a side, or the successor; None if that unit is not in the battle."""
        return self.unit(self.heir_of(self.army(side).general))

    def leader(self, division: str) -> Unit | None:
        """Return who leads a division: its commander or a successor, or else the Army General.

        The Army General leads only the general's own division.
        """
        led = self.scenario.divisions[division]
        commander = self.unit(self.heir_of(led.commander))
        general = self.army(led.side).general
        return commander if commander is not None or general not in led.units else self.unit(general)

    def is_commanded(self, division: str) -> bool:
        """Return whether a division has a commander in the battle, besides the Army General."""
        leader = self.leader(division)
        return leader is not None and leader.name != self.army(self.scenario.divisions[division].side).general

    def divisions_to_act(self, side: int) -> tuple[str, ...]:
        """Return the divisions of a side that can still be activated this turn: they have units and have not acted."""
        standing = {self.scenario.units[unit.name].division for unit in self.units} - {*self.acted, self.acting}
        return tuple(name for name in self.army(side).divisions if name in standing)

    @property
    def tokens(self) -> tuple[int, int]:
        """The tokens of each side in the bag: one for each division that may still act, less one that is drawn."""
        drawn = self.due[0].by if self.due and self.due[0].kind == "activate" else None
        first, second = (max(0, len(self.divisions_to_act(side)) - (side == drawn)) for side in (0, 1))
        return first, second

    def authority(self, division: str) -> int:
        """Return the Authority that a division acts by: its commander's, or its general's; 0 if it has neither."""
        leader, led = self.leader(division), self.scenario.divisions[division]
        if leader is None:
            return 0
        army = self.army(led.side)
        return army.authority if leader.name == army.general else led.authority

    def is_camp(self, name: str) -> bool:
        """Return whether a unit is an Army General that is encamped."""
        kind = self.scenario.units[name]
        return kind.type == "general" and self.modes[kind.side] == "encamped"

    def is_mounted(self, name: str) -> bool:
        """Return whether a unit is an Army General that is mobile."""
        kind = self.scenario.units[name]
        return kind.type == "general" and self.modes[kind.side] == "mobile"

    def enemies(self, name: str) -> tuple[Unit, ...]:
        """Return the units of the other side."""
        kinds = self.scenario.units
        side = kinds[name].side
        return tuple([unit for unit in self.units if kinds[unit.name].side != side])

    def with_unit(self, name: str, **changes: Any) -> Position:
        """Return the position with some of a unit's values replaced."""
        units = tuple(replace(unit, **changes) if unit.name == name else unit for unit in self.units)
        return replace(self, units=units)

    def without(self, name: str) -> Position:
        """Return the position once a unit has left the battle."""
        return replace(self, units=tuple(unit for unit in self.units if unit.name != name))

    def owing(self, *due: Due) -> Position:
        """Return the position with these things owed before all others."""
        return replace(self, due=(*due, *self.due))

    def without_due(self) -> Position:
        """Return the position without the first thing that is owed."""
        return replace(self, due=self.due[1:])


_measure = cache(Measure)
