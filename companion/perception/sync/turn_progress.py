"""Whether a turn is still being played: hands pause between two pieces, and dice take longer than a pause."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from math import log

from companion.perception.adapters import SURE, Difference
from companion.perception.dice import share_out
from companion.perception.mistaken_commanders import taken_for_units
from companion.perception.sync.status import SyncStatus, items_of
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Deploy, Pass
from engine.orders.turn import ready
from vision.reading.read import Reading

PAUSE_S = 1.5
"""How long a turn that may be the beginning of another one is left alone before it is proposed."""
PLAUSIBLE = 0.55
"""The odds of a fuller turn from which one that may be its beginning is left alone at all."""
MORE_S = 0.5
"""By so much longer for each time e that they are higher: so much rarer are pauses between two pieces by then."""
CAME = 0.5
"""The probability from which a commander seems to have come."""
THINKING_S = 30.0
"""How long the pieces of half a turn may lie there before they are called wrong: people throw dice, and think."""
FOUGHT = 20.0
"""How much likelier a turn is that fought where both sides were seen, against one that didn't."""
LIKELY = 0.5
"""The probability from which both sides are taken to be in one area."""


def sharpen(chance: float) -> float:
    """Return the probability of a commander with its log odds doubled.

    It is wider and higher than any unit, and action spaces are small: the eye is right more often than it says.
    """
    there, not_there = chance * chance, (1 - chance) * (1 - chance)
    return there / (there + not_there)


def has_come(position: Position, reading: Reading) -> bool:
    """Return whether a commander of the moving side seems to have come, in an area that has changed."""
    mover = position.to_move_name
    return any(
        reading.leaders.get(space.name, {}).get(mover, 0.0) >= CAME
        and reading.confidence.get(space.area or "", 1.0) < 1.0  # of what has not changed it is 1
        and not position.commanders_on(space.name)
        for space in position.board.spaces
    )


def clashes(position: Position, reading: Reading) -> frozenset[str]:
    """Return the areas that probably hold both sides: units have moved in, and the dice are to decide.

    How many units each side has there may be in doubt.
    """
    foe = position.board.factions[1 - position.to_move]
    return frozenset(
        area
        for area, belief in reading.counts.items()
        if area not in reading.unreadable
        and foe in position.units_in(area)
        and sum(chance for combo, chance in belief.options if len({who for who, _unit, _n in combo}) > 1) >= LIKELY
    )


def with_clashes(turns: Sequence[Explanation], position: Position, clashed: frozenset[str]) -> tuple[Explanation, ...]:
    """Return the turns, likeliest first, raising those that fought where both sides were seen; the sum stays."""
    if not clashed:
        return tuple(turns)
    odds = (FOUGHT if clashed & _entered(turn, position) else 1.0 for turn in turns)
    found = (replace(turn, likelihood=turn.likelihood * more) for turn, more in zip(turns, odds, strict=True))
    return share_out(found, sum(turn.likelihood for turn in turns))


def _entered(turn: Explanation, position: Position) -> frozenset[str]:
    """Return the areas that units enter in a turn; of two deployments, in the first."""
    first = turn.steps[0] if turn.steps else None
    if not isinstance(first, Deploy):
        return frozenset()
    space = position.board.space(first.space)
    target = space.area if space.action.verb == "move" else first.target
    placed = (area for area, _unit, _n in first.place)
    return frozenset(placed) | (frozenset() if target is None else {target})


def may_be_half_done(position: Position, differences: Iterable[Difference]) -> bool:
    """Return whether the moving side may be halfway through a turn.

    Then something is not as recorded, all that is surplus is its own, no commander has left, and at most one has come.
    """
    mover, items = ready(position, Pass()).to_move_name, items_of(differences)
    commanders = [item.more for item in items if item.unit == "commander"]
    own = all(item.faction == mover for item in items if item.more > 0)
    return bool(items) and own and commanders in ([], [1])


def missed_shots(turns: Iterable[Explanation], position: Position, reading: Reading) -> tuple[Explanation, ...]:
    """Return the turns in which a commander came to shoot or to drop units, and nothing else changed.

    Nothing was hit, none of the dropped units are left, or dice are still to be rolled.
    """
    mistaken = taken_for_units(position, reading)
    return tuple(turn for turn in turns if _may_have_missed(turn, position, reading, mistaken))


def _may_have_missed(turn: Explanation, position: Position, reading: Reading, mistaken: Container[str]) -> bool:
    first, *_rest = turn.steps
    if not isinstance(first, Deploy) or position.board.space(first.space).action.verb not in ("shoot", "drop"):
        return False
    here, space = ready(position, first), position.board.space(first.space)
    there, foe = reading.leaders.get(first.space, {}).get(here.to_move_name, 0.0), 1 - here.to_move
    if space.action.verb == "drop" and turn.position.units != here.units:
        return False
    spent = first.payload is not None and turn.likelihood >= LIKELY  # units that it costs tell of it as well
    came = spent or sharpen(there) >= SURE or first.space in mistaken
    return came and turn.position.units[foe] == here.units[foe]


def pause_s(turn: Explanation, fuller: float, position: Position) -> float:
    """Return how long to wait before a turn is proposed, in seconds, as it may be the beginning of another.

    0 unless a fuller turn is likely enough, or the turn places nothing at all. fuller: the odds of a fuller turn, as
    `Inference` has them.
    """
    first, *_rest = turn.steps
    if not isinstance(first, Deploy):
        return 0.0
    if position.board.space(first.space).action.verb == "place" and not first.place:
        return THINKING_S
    return PAUSE_S + MORE_S * log(fuller / PLAUSIBLE) if fuller >= PLAUSIBLE else 0.0


def status_in_window(position: Position, after: Position, meant: SyncStatus) -> SyncStatus:
    """Return what may be shown while a window for cards is open: only what is amiss outside the areas it may change.

    after: the position once the window has passed; meant: the status by that position.
    """
    open_areas = {area for area in position.board.area_index if position.units_in(area) != after.units_in(area)}
    amiss = tuple(item for item in meant.items if item.place not in open_areas)
    if meant.sign == "out" and amiss:
        return replace(meant, items=amiss, taken_back=None)
    return SyncStatus("turn", disputed=meant.disputed)
