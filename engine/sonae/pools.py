"""Pools of hit dice, each part with its reason and where it is written, and the exact chance of their sixes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from engine.dice import Odds, pool_odds
from engine.ruling import Citation, Part, Tally
from engine.sonae.field import NEAR
from engine.sonae.position import Due, Position, Unit
from engine.words import mark, say

STANDARD = 4
"""Dice of any pool before its modifiers (introduction; Ranged Combat)."""
SIX = (0, 0, 0, 0, 0, 1)
"""A hit die: a six is a success."""
CLOSE = 1.0
"""Close range, in Movements, by the reading close-range."""
FIRE_RANGE = 2.0
"""How far a unit fires, in Movements (Ranged Combat)."""
MESSENGER_STRIDE = 4.0
"""A messenger has a die less for each distance of this many Movements, by the reading messenger-range."""
WAVERING = {"fresh": 0, "wavering": -1, "brittle": -2}
"""Dice less in close combat, by the reading status-dice."""

CORE, COMMAND, MOVING = Citation("Core Mechanics"), Citation("Command and Control"), Citation("Movement")
RANGED, CLOSING, MORALE = Citation("Ranged Combat"), Citation("Close Combat"), Citation("Morale")
REPORT = Citation("Battle Report")


@dataclass(frozen=True, slots=True)
class Pool(Tally):
    """The dice of one roll, each part with its reason; never below 0."""

    @property
    def dice(self) -> int:
        """How many dice there are."""
        return self.total

    @property
    def odds(self) -> Odds:
        """The exact chance of each number of successes."""
        return pool_odds(SIX, self.dice)

    @property
    def chance(self) -> Fraction:
        """The exact chance of at least one success."""
        return 1 - Fraction(5, 6) ** self.dice


def skill_dice(position: Position, unit: Unit, name: str) -> int:
    """Count the dice that a unit's type and skills add, or take away if below 0.

    `name` is "fire", "melee", "shock" or "resilience".
    """
    kind = position.scenario.units[unit.name]
    type_ = position.modes[kind.side] if kind.type == "general" else kind.type
    return position.scenario.types[type_].get(name, 0) + kind.skills.get(name, 0)


def _standard(citation: Citation) -> Part:
    return Part(STANDARD, say(mark("standard")), citation)


# --- the pools ----------------------------------------------------------------------------


def pool_of(position: Position, due: Due) -> Pool:
    """Return the pool of a roll that is owed.

    The die for orders has no pool: it is rolled for its number.
    """
    return _POOLS[due.kind](position, due)


def _fire(position: Position, due: Due) -> Pool:
    unit, target = position.here(due.units[0]), position.here(due.against[0])
    parts = [
        _standard(RANGED),
        Part(skill_dice(position, unit, "fire"), say(mark("this unit's firing")), RANGED),
        Part(int(position.measure.is_near(unit.place, target.place, CLOSE)), say(mark("close range")), RANGED),
        Part(-int(_uphill(position, unit, target)), say(mark("uphill")), RANGED),
    ]
    return Pool.of([*parts, *_flank_parts(position, unit, target, sum(part.n for part in parts))])


def _uphill(position: Position, unit: Unit, target: Unit) -> bool:
    return position.is_high(target.place) and not position.is_high(unit.place)


def _flank_parts(position: Position, unit: Unit, target: Unit, dice: int) -> Iterator[Part]:
    """Yield what a unit loses in fire from the flank or rear: half of its dice, or all but one.

    Source: the reading flank-fire.
    """
    facing_unit, other = (target, unit) if position.has("flank-fire") else (unit, target)
    quarter = facing_unit.place.quarter(other.place.at)
    if quarter in ("left", "right"):
        half = (dice + 1) // 2 if position.has("half") else dice // 2
        yield Part(half - dice, say(mark("halved from the flank")), RANGED)
    elif quarter == "rear":
        yield Part(min(0, 1 - dice), say(mark("only one die from the rear")), RANGED)


def _morale(position: Position, due: Due) -> Pool:
    unit = position.here(due.units[0])
    near = is_general_near(position, unit)
    parts = (
        _standard(MORALE),
        Part(skill_dice(position, unit, "resilience"), say(mark("this unit's resilience")), MORALE),
        Part(int(near), say(mark("Army General nearby")), COMMAND),
        Part(-due.less, say(mark("hits beyond the first")), RANGED),
    )
    return Pool.of(parts)


def is_general_near(position: Position, unit: Unit) -> bool:
    """Return whether the unit is in the Command Radius of its side's Army General, who is in the battle.

    The general itself doesn't count as near, except by the reading own-presence.
    """
    side = position.side(unit.name)
    general = position.general(side)
    if general is None or (general.name == unit.name and not position.has("own-presence")):
        return False
    return is_in_radius(position, general, unit, position.army(side).authority)


def is_in_radius(position: Position, leader: Unit, unit: Unit, authority: int) -> bool:
    """Return whether a unit stands in the Command Radius of a leader (reading radius-from)."""
    reach, measure = position.scenario.radius + authority, position.measure
    if position.has("radius-from"):
        far = measure.gap(leader.place, unit.place)
    else:
        far = measure.distance(leader.place.at, unit.place.at)
    return leader.name == unit.name or far <= reach + NEAR


def _melee_extras(position: Position, unit: Unit, against: tuple[Unit, ...]) -> Iterator[Part]:
    yield Part(int(unit.charged), say(mark("charge")), CLOSING)
    met = (enemy.place for enemy in against if position.measure.touches(unit.place, enemy.place))
    rear = any(enemy.quarter(unit.place.at) == "rear" for enemy in met)
    yield Part(int(rear), say(mark("rear attack")), CLOSING)
    yield Part(-int(unit.delayed), say(mark("Closing Fire")), CLOSING)


def _shock_extras(position: Position, unit: Unit, against: tuple[Unit, ...]) -> Iterator[Part]:
    """Yield what the ground takes from a victor, by the reading shock-ground."""
    if position.has("shock-ground"):
        return
    met = [enemy for enemy in against if position.measure.touches(unit.place, enemy.place)]
    yield Part(-int(any(_uphill(position, unit, enemy) for enemy in met)), say(mark("uphill")), CLOSING)
    rough = any("difficult" in position.grounds(base.place) for base in (unit, *met))
    yield Part(-int(rough), say(mark("difficult ground")), CLOSING)


Extras = Callable[[Position, Unit, tuple[Unit, ...]], Iterator[Part]]


def _melee_pool(position: Position, due: Due, name: str, extras: Extras) -> Pool:
    """Return all dice of a side in one melee, or of the victor in a Shock (Close Combat)."""
    against = tuple(position.here(enemy) for enemy in due.against)
    parts: list[Part] = []
    for unit in map(position.here, due.units):
        title = position.scenario.units[unit.name].title
        whose = say(mark("standard, {unit}"), unit=title) if len(due.units) > 1 else say(mark("standard"))
        parts.append(Part(STANDARD, whose, CLOSING))
        why = {"melee": say(mark("this unit's melee")), "shock": say(mark("this unit's shock"))}[name]
        more = [
            Part(skill_dice(position, unit, name), why, CLOSING),
            Part(WAVERING[unit.status], say(unit.status), MORALE),
            *extras(position, unit, against),
        ]
        parts += [part for part in more if part.n]
    return Pool(tuple(parts))


def _messenger(position: Position, due: Due) -> Pool:
    """Return the messenger's pool: four dice and the general's Authority.

    By the reading messenger-range, fewer over longer distances.
    """
    authority = position.army(due.by).authority
    parts = [_standard(COMMAND), Part(authority, say(mark("Authority")), COMMAND)]
    general, commander = position.general(due.by), position.leader(due.against[0])
    if position.has("messenger-range") and general is not None and commander is not None:
        far = int(position.measure.distance(general.place.at, commander.place.at) / MESSENGER_STRIDE)
        parts.append(Part(-far, say(mark("messenger's distance")), COMMAND))
    return Pool.of(parts)


_POOLS: dict[str, Callable[[Position, Due], Pool]] = {
    "messenger": _messenger,
    "intercept": lambda position, due: Pool((_standard(COMMAND),)),
    **dict.fromkeys(("fire", "reply", "closing-fire", "opportunity-fire"), _fire),
    **dict.fromkeys(("morale", "nerve", "closing-morale", "retreat", "strain", "rally", "blocked"), _morale),
    **dict.fromkeys(("heir", "regent", "loyalty"), _morale),
    "melee": lambda position, due: _melee_pool(position, due, "melee", _melee_extras),
    "shock": lambda position, due: _melee_pool(position, due, "shock", _shock_extras),
}
ROLLED = (*_POOLS, "orders")
"""The kinds of dues that are rolls."""
