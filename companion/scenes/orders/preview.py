"""What a deployment would come to, worked out by applying it to the engine's position: nothing is ruled here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from engine.dice import pool_odds
from engine.errors import Illegal
from engine.orders import game
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import Accept, Pass, Remove, Return, Roll, Step
from engine.orders.turn import ready

MOST_ROLLS = 3
"""Beyond so many rolls one after the other the ends are no longer told."""


@dataclass(frozen=True, slots=True)
class End:
    """How a deployment may end: how likely, the position then, and what it changes for each faction by name.

    points: (faction, points then, how many more than now); gained, cut: areas that come into supply or go out of it.
    """

    chance: Fraction
    position: Position
    points: tuple[tuple[str, int, int], ...]
    gained: tuple[tuple[str, tuple[str, ...]], ...]
    cut: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def winner(self) -> str | None:
        """Who has won then, where the game ends with it."""
        return self.position.winner_name

    @property
    def leader(self) -> str:
        """Who would win if the game ended then."""
        return self.position.winner_name or score(self.position).winner


def ends(position: Position, step: Step) -> tuple[End, ...]:
    """Return the different ends of a legal step, the likeliest first; nothing if the step is not legal.

    Cards and rerolls that may come between are left out. Losses that the owner may choose are taken from the
    first kind on.
    """
    now = ready(position, step)
    try:
        after = game.apply(now, step)
    except Illegal:
        return ()
    found: dict[tuple[object, ...], tuple[Fraction, Position]] = {}
    for chance, end in _played_out(after, Fraction(1), MOST_ROLLS):
        key = (end.survey.control, end.survey.supply, end.winner)
        so_far = found.get(key, (Fraction(0), end))[0]
        found[key] = (so_far + chance, end)
    results = (_end(now, chance, end) for chance, end in found.values())
    return tuple(sorted(results, key=lambda result: -result.chance))


def _played_out(position: Position, chance: Fraction, rolls: int) -> Iterator[tuple[Fraction, Position]]:
    """Yield each position in which the turn may end, with its chance."""
    owed = game.owed(position)
    if owed is None:
        yield chance, position
    elif owed.wants == "accept":
        yield from _played_out(_without_cards(position), chance, rolls)
    elif owed.wants == "remove":
        yield from _played_out(game.apply(position, _first_units(position, owed)), chance, rolls)
    elif owed.wants == "return":
        yield from _played_out(game.apply(position, Return(owed.spaces[0], owed.by)), chance, rolls)
    elif rolls:
        for pips, share in pool_odds(position.board.mode.die, owed.dice).items():
            rolled = game.apply(position, Roll(_faces(position, owed.dice, pips), owed.by))
            yield from _played_out(rolled, chance * share, rolls - 1)


def _without_cards(position: Position) -> Position:
    """Return the position after nobody has played a card."""
    passed = ready(position, Pass())
    return passed if passed is not position else game.apply(position, Accept())


def _first_units(position: Position, owed: game.Owed) -> Remove:
    """Choose legal losses: from the first kind of unit on."""
    left, units = owed.units, []
    for unit, n in position.units_in(owed.area or "")[owed.by].items():
        units.append((unit, min(n, left)))
        left -= min(n, left)
    return Remove(tuple(pair for pair in units if pair[1]), owed.by, owed.area)


def _faces(position: Position, dice: int, pips: int) -> tuple[int, ...]:
    """Return faces of this many dice that add up to these pips."""
    most = max(position.board.mode.die)
    faces = []
    for _die in range(dice):
        faces.append(min(most, pips))
        pips -= faces[-1]
    return tuple(faces)


def _end(now: Position, chance: Fraction, end: Position) -> End:
    before, after = score(now).vp, score(end).vp
    factions = now.board.factions
    points = tuple((who, after[who], after[who] - before[who]) for who in factions)
    mine = list(zip(factions, now.survey.supply, end.survey.supply, strict=True))
    return End(
        chance,
        end,
        points,
        gained=tuple((who, names) for who, was, is_ in mine if (names := _names(now, is_ & ~was))),
        cut=tuple((who, names) for who, was, is_ in mine if (names := _names(now, was & ~is_))),
    )


def _names(position: Position, areas: int) -> tuple[str, ...]:
    return tuple(area.name for area in position.board.areas if areas >> area.index & 1)
