"""Areas whose contents are known from a confirmed board: what has changed in them since tells what they hold now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.perception.adapters import SURE, compare
from companion.perception.area_questions import standing_in
from companion.perception.mistaken_commanders import THERE, Commanders
from engine.orders.board import Area, Board
from engine.orders.position import Position
from vision.geometry import Grid
from vision.reading.count import NOT_SURE, SURE_FROM, Combo, CountBelief, UsualForce, commanders_of, not_sure, units_of
from vision.reading.read import Reading
from vision.reading.since import Changes, belief_since, commander_since


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What an area held when it looked as in this reading, and the factions of the commanders on its spaces."""

    units: Combo
    commanders: Mapping[str, Sequence[str]]
    reading: Reading


@dataclass(frozen=True, slots=True, eq=False)
class KnownAreas:
    """The areas of one board whose contents are known, each with the last reading of which that is so."""

    areas: Mapping[str, _Known] = field(default_factory=dict)
    board: str = ""

    def confirm(
        self, position: Position, reading: Reading, commanders: Commanders, but: Collection[str] = ()
    ) -> KnownAreas:
        """Record that the board stands as the game has it.

        So it does in every area of which the eye is not sure that it is otherwise. but: the areas of which that is
        disputed. commanders: those on the action spaces, also what still has to go home, which may have gone already:
        it is known to be there only where it is seen.
        """
        areas = dict(self.areas) if self.board == position.board.name else {}
        on_board = replace(position, commanders=commanders)

        def held(space: str) -> Sequence[str]:
            due, seen = position.commanders_on(space), reading.leaders.get(space, {})
            return tuple(side for side in on_board.commanders_on(space) if side in due or seen.get(side, 0.0) >= THERE)

        for difference in compare(position, reading) if reading.board_image is not None else ():
            area = difference.area
            if area not in reading.counts or area in but or area in reading.unreadable or difference.state == "differs":
                continue
            spaces = [space.name for space in position.board.spaces if space.area == area]
            areas[area] = _Known(standing_in(position, area), {space: held(space) for space in spaces}, reading)
        return KnownAreas(areas, position.board.name)

    def recount(self, reading: Reading, board: Board) -> Reading:
        """Return the reading with the areas that are known counted by what has changed in them since.

        Where a piece has come to stand on a border, nobody can be sure of the areas on both sides.
        """
        if reading.board_image is None or board.name != self.board:
            return reading
        known = {area: kept for area, kept in self.areas.items() if area not in reading.unreadable}
        changes = _changes_since({id(kept.reading): kept.reading for kept in known.values()}.values(), reading, board)
        counts: dict[str, CountBelief] = {}
        sure: dict[str, float] = {}
        leaders: dict[str, Mapping[str, float]] = {}
        for name, kept in known.items():
            since = changes[id(kept.reading)]
            if since.comparable:
                belief = _belief(kept, reading, board.area(name), since, board)
                if belief is not None and name in reading.at_a_line and name not in kept.reading.at_a_line:
                    belief = not_sure(belief)
                if belief is not None:
                    counts[name], sure[name] = belief, _confidence(belief, kept, reading.counts[name])
            leaders |= _leaders(kept, reading, since, board)
        return with_leaders(with_counts(reading, counts, sure), leaders)


def _changes_since(before: Iterable[Reading], now: Reading, board: Board) -> dict[int, Changes]:
    """Return {id of an earlier reading: how much has changed since}."""
    grid = Grid(board.size_mm)
    return {
        id(earlier): Changes(earlier.board_image, now.board_image, grid)
        for earlier in before
        if earlier.board_image is not None and now.board_image is not None
    }


def _belief(known: _Known, reading: Reading, area: Area, changes: Changes, board: Board) -> CountBelief | None:
    """Return what an area holds; None where that can't be told."""
    usual = UsualForce(board.mode.caps.get(area.kind), shared=False)
    before, now = ((piece for piece in seen.pieces if piece.place == area.name) for seen in (known.reading, reading))
    return belief_since(known.units, before, now, changes, usual)


def _confidence(belief: CountBelief, known: _Known, own: CountBelief) -> float:
    """Return how sure a count may be called, of another than before only on good grounds.

    They are that the eye is sure too, or that little is left to doubt. own: what the eye makes of it. How often
    that is right: docs/measurements.md.
    """
    agrees = own.confidence >= SURE and tuple(sorted(own.best)) == belief.best
    sure = belief.best == known.units or belief.confidence >= SURE_FROM or agrees
    return round(belief.confidence if sure else min(belief.confidence, NOT_SURE), 4)


def _leaders(known: _Known, reading: Reading, changes: Changes, board: Board) -> dict[str, Mapping[str, float]]:
    """Return {space: {faction: probability of its commander there}} of an area's spaces."""
    found: dict[str, Mapping[str, float]] = {}
    for name, held in known.commanders.items():
        seen, was = (source.leaders.get(name, {}) for source in (reading, known.reading))
        at_mm = board.space(name).at_mm
        if at_mm is not None and (seen or held):
            change = changes.at(at_mm)
            who = dict.fromkeys((*seen, *held))
            found[name] = {
                faction: commander_since(seen.get(faction, 0.0), was.get(faction, 0.0), faction in held, change)
                for faction in who
            }
    return found


def with_counts(reading: Reading, counts: Mapping[str, CountBelief], confidence: Mapping[str, float]) -> Reading:
    """Return the reading with these areas counted so, and so sure."""
    rest = {area: units for area, units in reading.units.items() if area not in counts}
    return replace(
        reading,
        units={**rest, **units_of(counts)},
        confidence={**reading.confidence, **confidence},
        counts={**reading.counts, **counts},
    )


def with_leaders(reading: Reading, leaders: Mapping[str, Mapping[str, float]]) -> Reading:
    """Return the reading with the commanders on these action spaces: {space: {faction: probability}}."""
    if not leaders:
        return reading
    rest = {space: who for space, who in reading.commanders.items() if space not in leaders}
    there = commanders_of({space: chances for space, chances in leaders.items() if chances})
    return replace(
        reading,
        leaders=dict(sorted({**reading.leaders, **leaders}.items())),
        commanders=dict(sorted({**rest, **there}.items())),
    )
