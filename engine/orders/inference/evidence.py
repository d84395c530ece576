"""What an eye makes of the table: for each area the counts that may stand there, with probabilities.

Inside, chances are natural logarithms. What was counted for certain is the special case: one count with all the chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, log1p
from typing import NamedTuple

from engine.errors import BadPosition
from engine.orders.board import Board
from engine.orders.position import Position
from engine.orders.steps import Step, cards_of
from engine.orders.wire.positions import Rows, read_commanders, read_faction, read_units

Options = Sequence[tuple[Mapping[str, Mapping[str, int]], float]]
"""What may stand in an area, each with its probability: ({faction: {unit: n}}, probability)."""
Force = tuple[int, ...]
"""The units in an area in one row: those of the first faction by kind, then those of the second."""

NEVER = -1e9
"""The logarithm for what has no chance at all: finite, so that it can be subtracted again."""
_DOUBT = 1e-6
"""The least chance left for a count one unit away from those that the eye named."""
_PER_UNIT = 2.0
"""How much less likely each further unit makes a count (a logarithm)."""
_BLIND = 0.002
"""The least probability, either way, that the eye is wrong about a commander."""
_UNPLAYED = log(0.001)
"""The log-probability that a card that isn't played is laid face up beside the board."""
_UNSEEN = log(0.1)
"""The log-probability that a played card isn't seen, though another one is."""
_OTHER = 0.02
"""How likely an area changes in a way that is no part of a legal turn."""
_WAYS = 0.25
"""The share of each single way in which an area may change."""


def is_possible(score: float) -> bool:
    """Return whether a sum of logarithms has any chance at all."""
    return score > NEVER / 2


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What may stand in an area: the logarithm of each count's chance; `totals` of each pair of sums, by faction.

    A count that is not listed has `floor`, less `per_unit` for each unit that it differs from the best one.
    """

    logs: Mapping[Force, float]
    totals: Mapping[tuple[int, int], float]
    best: Force
    floor: float
    per_unit: float

    def log(self, force: Force) -> float:
        """Return the logarithm of a count's chance."""
        known = self.logs.get(force)
        if known is not None:
            return known
        away = sum(abs(n - other) for n, other in zip(force, self.best, strict=True))
        return self.floor - self.per_unit * away

    def total(self, sums: tuple[int, int]) -> float:
        """Return the logarithm of the chance of the likeliest count with these sums of units, by faction."""
        known = self.totals.get(sums)
        if known is not None:
            return known
        away = sum(abs(n - other) for n, other in zip(sums, sums_of(self.best), strict=True))
        return self.floor - self.per_unit * away


def sums_of(force: Force) -> tuple[int, int]:
    """Return the number of units of each faction in a count."""
    half = len(force) // 2
    return sum(force[:half]), sum(force[half:])


def make_belief(logs: Mapping[Force, float], floor: float, per_unit: float) -> Belief:
    """Build a belief from {count: log-probability}, with at least one count."""
    totals: dict[tuple[int, int], float] = {}
    for force, chance in logs.items():
        sums = sums_of(force)
        totals[sums] = max(chance, totals.get(sums, NEVER))
    return Belief(logs, totals, max(logs, key=logs.__getitem__), floor, per_unit)


def forces_of(position: Position) -> list[Force]:
    """Return each area's units, in the order of the board's areas."""
    return list(zip(*(row for side in position.units for row in side), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What is known of a table: a belief for each area, None where it is hidden.

    `spaces` has for each action space, None where nobody looked, the logarithms of: nobody there, the first faction,
    the second, both. `late`: after a turn that ends the round, commanders may not have been taken off yet. `face_up`:
    the cards that were laid face up meanwhile.
    others: what the eye may have mistaken for this, each with its log-odds against this.
    """

    areas: tuple[Belief | None, ...]
    spaces: tuple[tuple[float, float, float, float] | None, ...]
    late: bool
    face_up: tuple[str, ...] = ()
    others: tuple[tuple[float, Evidence], ...] = ()

    @property
    def views(self) -> tuple[tuple[float, Evidence], ...]:
        """This evidence and all that the eye may have mistaken for it, each after its log-odds against this."""
        return (0.0, self), *self.others

    def at(self, area: int, force: Force) -> float:
        """Return the log-likelihood of an area's appearance with these units in it."""
        belief = self.areas[area]
        return 0.0 if belief is None else belief.log(force)

    def total(self, area: int, sums: tuple[int, int]) -> float:
        """Return the log-likelihood of an area's appearance with these sums of units by faction, at most."""
        belief = self.areas[area]
        return 0.0 if belief is None else belief.total(sums)

    def units(self, position: Position) -> float:
        """Return the log-likelihood of the table's appearance with the units of a position."""
        return sum(map(self.at, range(len(self.areas)), forces_of(position)))

    def commanders(self, sides: tuple[int, int]) -> float:
        """Return the log-likelihood of the action spaces' appearance with these commanders."""
        first, second = sides
        return sum(
            logs[(first >> at & 1) + 2 * (second >> at & 1)] for at, logs in enumerate(self.spaces) if logs is not None
        )

    def cards(self, steps: Iterable[Step]) -> float:
        """Return the log-likelihood of the cards that lie face up if these steps were taken.

        Each was played by one of the steps, or lies there by chance.
        """
        if not self.face_up:
            return 0.0
        played, lying_cards = Counter(name for step in steps for name in cards_of(step)), Counter(self.face_up)
        return _UNPLAYED * (lying_cards - played).total() + _UNSEEN * (played - lying_cards).total()

    def otherwise(self, position: Position) -> float:
        """Return the log-likelihood of the table's appearance after some change that is no legal turn.

        Any number of places may have changed, each by itself.
        """
        first, second = position.commanders
        scores = [self.at(area, force) for area, force in enumerate(forces_of(position))]
        scores += [
            logs[(first >> at & 1) + 2 * (second >> at & 1)] for at, logs in enumerate(self.spaces) if logs is not None
        ]
        # Each place shows what is recorded, or else, with _OTHER, any of the other ways it could look, _WAYS for each.
        # Taken off is the case in which nothing changed anywhere, log(e**either - e**same): that is no other change.
        # exp(-700) is about the least that a float holds, and log1p needs more than -1.
        same = sum(log(1 - _OTHER) + score for score in scores)
        either = sum(log((1 - _OTHER) * exp(max(score, -700.0)) + _OTHER * _WAYS) for score in scores)
        return either + log1p(-exp(min(same - either, -1e-12))) + self.cards(())


# --- what was seen, held against a position ------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sight:
    """What stands on the table, by number: `units` is [faction][unit kind][area].

    `commanders` is a set of action spaces for each faction, None where nobody looked; `spaces` are the action spaces
    that were looked at, as a set.
    """

    units: Rows
    commanders: tuple[int, int] | None
    spaces: int

    def shows(self, commanders: tuple[int, int]) -> bool:
        """Return whether these commanders are those that were seen."""
        shown = self.commanders
        return shown is None or all(
            (side ^ other) & self.spaces == 0 for side, other in zip(shown, commanders, strict=True)
        )


def sight_of(board: Board, units: object, commanders: object = None, support: bool = True) -> Sight:
    """Build a sight from what was counted, by name.

    units: {area: {faction: {unit: n}}}; commanders: {space: faction or factions}. Without `support` the spaces of the
    support board were not looked at. Raises BadPosition with one clear line.
    """
    looked = sum(1 << space.index for space in board.spaces if support or space.support is None)
    return Sight(
        read_units(board, units, "seen", anywhere=True),
        None if commanders is None else read_commanders(board, commanders),
        looked,
    )


class Difference(NamedTuple):
    """How many more units of a kind (fewer, if negative) stand in an area than the game says."""

    faction: int
    kind: int
    area: int
    units: int


@dataclass(frozen=True, slots=True)
class Differences:
    """All differences in units, seen from the side that moves: its gains and losses, and its foe's."""

    all: tuple[Difference, ...]
    gained: tuple[Difference, ...]
    lost: tuple[Difference, ...]
    foe_gained: tuple[Difference, ...]
    foe_lost: tuple[Difference, ...]


def differences(position: Position, sight: Sight) -> Differences:
    """Return what differs between a position and what is seen."""
    me = position.to_move
    found = tuple(
        Difference(faction, kind, area, now - was)
        for faction, kinds in enumerate(zip(position.units, sight.units, strict=True))
        for kind, rows in enumerate(zip(*kinds, strict=True))
        if rows[0] != rows[1]
        for area, (was, now) in enumerate(zip(*rows, strict=True))
        if now != was
    )
    return Differences(
        all=found,
        gained=tuple(change for change in found if change.faction == me and change.units > 0),
        lost=tuple(change for change in found if change.faction == me and change.units < 0),
        foe_gained=tuple(change for change in found if change.faction != me and change.units > 0),
        foe_lost=tuple(change for change in found if change.faction != me and change.units < 0),
    )


# --- made from what was seen ------------------------------------------------------------


def evidence_of(
    board: Board, counts: Mapping[str, Options], commanders: Mapping[str, Mapping[str, float]] | None = None
) -> Evidence:
    """Build evidence from an eye's probabilities, by name.

    counts: {area: options}; areas left out are hidden. commanders: {space: {faction: probability of its commander
    there}}; spaces left out were not looked at, without `commanders` none was. Raises BadPosition for a name that is
    not on this board, or a number that is no probability.
    """
    for area in counts:
        if area not in board.area_index:
            raise BadPosition(f"counts.{area}: no such area on this board")
    areas = tuple(
        _belief_of(board, area.name, counts[area.name]) if area.name in counts else None for area in board.areas
    )
    looked = commanders or {}
    for space in looked:
        if space not in board.space_index:
            raise BadPosition(f"commanders.{space}: no such action space on this board")
    spaces = tuple(
        _holders(board, space.name, looked[space.name]) if space.name in looked else None for space in board.spaces
    )
    return Evidence(areas, spaces, late=True)


def _belief_of(board: Board, area: str, options: Options) -> Belief | None:
    """Return the belief from an eye's options; None if it has none."""
    at = board.area_index[area]
    chances: dict[Force, float] = {}
    for units, chance in options:
        named = {faction: dict(kinds) for faction, kinds in units.items()}
        rows = read_units(board, {area: named}, "counts", anywhere=True)
        force = tuple(row[at] for side in rows for row in side)
        chances[force] = chances.get(force, 0.0) + _probability(chance, f"counts.{area}")
    # what the eye leaves open is spread thinly over all other counts
    left = max(1 - sum(chances.values()), 0.0)
    logs = {force: log(chance) for force, chance in chances.items() if chance > 0}
    # the floor lies _PER_UNIT higher, so that a count one unit away has just that chance
    return make_belief(logs, log(_DOUBT + left / 10) + _PER_UNIT, _PER_UNIT) if logs else None


def _probability(value: float, key: str) -> float:
    if not 0 <= value <= 1.001:
        raise BadPosition(f"{key}: a probability from 0 to 1, not {value!r}")
    return value


def _holders(board: Board, space: str, chances: Mapping[str, float]) -> tuple[float, float, float, float]:
    held = [0.0, 0.0]
    for who, chance in chances.items():
        held[read_faction(board, who, f"commanders.{space}")] = _probability(chance, f"commanders.{space}.{who}")
    first, second = (min(max(chance, _BLIND), 1 - _BLIND) for chance in held)
    # the commanders of both sides are taken as independent; nobody, first, second, both, as in Evidence.spaces
    no_first, no_second = log1p(-first), log1p(-second)
    return no_first + no_second, log(first) + no_second, no_first + log(second), log(first) + log(second)


def certain_evidence(board: Board, sight: Sight) -> Evidence:
    """Build evidence that allows for nothing but exactly what was counted."""
    areas = tuple(make_belief({force: 0.0}, NEVER, 0.0) for force in _forces(sight))
    return Evidence(areas, tuple(_space_logs(sight, at, NEVER) for at in range(len(board.spaces))), late=False)


# Logarithms, for each piece that differs: where the table has changed, where it is as the game says, on a space
# that nobody touched, and on such a space where the side that moves may have forgotten its commander.
_UNLIKE, _ALIKE, _ELSEWHERE, _FORGOTTEN = -3.0, -9.0, -6.0, -4.0
_UNDONE = -1.0
"""The same where the table is as the game says, but a second turn may have undone what the first did there."""


def tolerant_evidence(sight: Sight, position: Position, *, undone: bool = False) -> Evidence:
    """Build evidence from what was counted that also allows for whatever is near to it.

    Each unit more or less counts against it, and thrice where the table is as the game says: nobody touched it. A
    commander more or less counts as much, twice where nobody touched the space, and little more where the side that
    moves placed none: it is easily forgotten. undone: another turn followed, which may have taken off what came.
    """
    alike = _UNDONE if undone else _ALIKE
    pairs = zip(_forces(sight), forces_of(position), strict=True)
    areas = tuple(make_belief({force: 0.0}, 0.0, -(alike if force == was else _UNLIKE)) for force, was in pairs)
    seen, held = sight.commanders or (0, 0), position.commanders
    changed = (seen[0] ^ held[0]) | (seen[1] ^ held[1])
    placed = seen[position.to_move] & ~held[position.to_move] & sight.spaces
    untouched = _ELSEWHERE if placed else _FORGOTTEN
    costs = (_UNLIKE if changed >> at & 1 else untouched for at in range(len(position.board.spaces)))
    return Evidence(areas, tuple(_space_logs(sight, at, cost) for at, cost in enumerate(costs)), late=True)


def _space_logs(sight: Sight, at: int, cost: float) -> tuple[float, float, float, float] | None:
    """Return the log-likelihoods of who is on a space; each commander more or less than seen counts `cost`."""
    if sight.commanders is None or not sight.spaces >> at & 1:
        return None
    here = sum((side >> at & 1) << faction for faction, side in enumerate(sight.commanders))
    nobody, first, second, both = (cost * (here ^ held).bit_count() for held in range(4))
    return nobody, first, second, both


def _forces(sight: Sight) -> list[Force]:
    return list(zip(*(row for side in sight.units for row in side), strict=True))


def likely_sight(position: Position, evidence: Evidence) -> Sight:
    """Return the likeliest count of each area and space; where nobody looked, what the game says."""
    recorded = forces_of(position)
    forces = [was if area is None else area.best for was, area in zip(recorded, evidence.areas, strict=True)]
    rows = list(map(tuple, zip(*forces, strict=True)))
    kinds = len(rows) // 2
    sides, looked = list(position.commanders), 0
    for at, logs in enumerate(evidence.spaces):
        if logs is not None:
            here, looked = logs.index(max(logs)), looked | 1 << at
            sides = [side & ~(1 << at) | (here >> faction & 1) << at for faction, side in enumerate(sides)]
    commanders = (sides[0], sides[1]) if looked else None
    return Sight((tuple(rows[:kinds]), tuple(rows[kinds:])), commanders, looked)
