"""The only translator between the rules and the eye: boards become plans, readings become positions.

Both sides speak area names; this is where they are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from companion.core.errors import AdapterError
from companion.games.match import Match
from engine.errors import EngineError
from engine.orders.board import Board, Space
from engine.orders.position import Position
from engine.orders.steps import Pass, Step
from engine.orders.turn import ready
from engine.orders.wire import position_from_json, position_to_json
from vision.plan import AreaPlan, BoardPlan, SpacePlan
from vision.reading.experience import TRUST, with_expectation
from vision.reading.read import Reading

SURE = 0.9  # the confidence from which a count is taken for certain; how often that is right: docs/measurements.md

Force = Mapping[str, Mapping[str, int]]
"""The units in a place: {faction: {unit: n}}."""
Units = Mapping[str, Force]
State = Literal["agrees", "differs", "hidden"]


def plan_of(board: Board) -> BoardPlan:
    """Return a board's map as the eye needs it; only a table's photos tell where the support board lies."""
    mode = board.mode
    kinds = {area.kind for area in board.areas}
    units = {kind: tuple(unit.name for unit in mode.units if unit.place == kind) for kind in sorted(kinds)}
    return BoardPlan(
        board=board.name,
        size_mm=board.size_mm,
        areas=tuple(AreaPlan(area.name, area.kind, area.polygon_mm, area.centres_mm) for area in board.areas),
        spaces=tuple(
            SpacePlan(space.name, space.area, space.at_mm)
            for space in board.spaces
            if space.area is not None and space.at_mm is not None
        ),
        space_side_mm=board.space_side_mm,
        factions=board.factions,
        units=tuple(units.items()),
        start=tuple((area.name, faction, unit, n) for area in board.areas for faction, unit, n in area.start),
        most=tuple((kind, mode.caps[kind]) for kind in sorted(kinds) if kind in mode.caps),
        shared=False,
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """What the game has in one area or action space, beside what the eye saw there.

    state: "hidden" if the eye couldn't tell: covered, or less sure than `SURE`; expected_force, seen_force:
    {faction: {unit: n}}, a commander on a space as {faction: {"commander": 1}}.
    """

    area: str
    state: State
    expected_force: Force
    seen_force: Force
    confidence: float


class Seen(Protocol):
    """What `compare` needs of a reading; the eye's own Reading has these fields."""

    @property
    def units(self) -> Units:
        """{area: {faction: {unit: n}}}."""

    @property
    def commanders(self) -> Mapping[str, str]:
        """{action space: faction}."""

    @property
    def confidence(self) -> Mapping[str, float]:
        """{area: 0 to 1}: how likely its whole count is right."""

    @property
    def unreadable(self) -> tuple[str, ...]:
        """The areas that something covers."""

    @property
    def support(self) -> tuple[str, ...]:
        """The spaces of the support board that are in sight."""


def is_same_force(one: Force, other: Force) -> bool:
    """Return whether two places hold the same units; kinds that number zero make no difference."""
    return _without_zeros(one) == _without_zeros(other)


def _without_zeros(force: Force) -> dict[str, dict[str, int]]:
    """Return the units of a place without the kinds that number zero."""
    plain = {faction: {unit: n for unit, n in units.items() if n} for faction, units in force.items()}
    return {faction: units for faction, units in plain.items() if units}


def sure_of(seen: Seen, area: str) -> bool:
    """Return whether the eye is sure of its count of this area."""
    return area not in seen.unreadable and seen.confidence.get(area, 0.0) >= SURE


def compare(position: Position, seen: Seen) -> tuple[Difference, ...]:
    """Compare every area, then every action space where a commander is expected or seen, in the board's order.

    Of the support board's spaces, only those in sight are compared.
    """
    areas = []
    for name in (area.name for area in position.board.areas):
        expected, found = position.units_in(name), _without_zeros(seen.units.get(name, {}))
        agrees: State = "agrees" if is_same_force(expected, found) else "differs"
        state = agrees if sure_of(seen, name) else "hidden"
        areas.append(Difference(name, state, expected, found, seen.confidence.get(name, 0.0)))
    spaces = [
        _space_difference(position, seen, space)
        for space in position.board.spaces
        if (space.area is not None or is_in_sight(space, seen))
        and (position.commanders_on(space.name) or space.name in seen.commanders)
    ]
    return (*areas, *spaces)


def is_in_sight(space: Space, seen: Seen) -> bool:
    """Return whether an action space could be seen: covering an area hides its spaces, too."""
    return space.name in seen.support if space.area is None else space.area not in seen.unreadable


def _space_difference(position: Position, seen: Seen, space: Space) -> Difference:
    """Compare the commanders seen on an action space with the recorded ones."""
    name = space.name
    expected = {faction: {"commander": 1} for faction in position.commanders_on(name)}
    found = {seen.commanders[name]: {"commander": 1}} if name in seen.commanders else {}
    one_of_two = len(expected) == 2 and len(found) == 1 and set(found) <= set(expected)  # they stand on each other
    agrees: State = "agrees" if is_same_force(expected, found) or one_of_two else "differs"
    state = agrees if is_in_sight(space, seen) else "hidden"
    return Difference(name, state, expected, found, seen.confidence.get(space.area or "", 0.0))


def with_game(reading: Reading, position: Position) -> Reading:
    """Return the reading weighed with what the game has, as likely but not certain; AdapterError on another board."""
    missing = {area.name for area in position.board.areas} - set(reading.confidence)
    if missing:
        raise AdapterError(f"the game is played on {position.board.name}, which is not the table's board")
    return with_expectation(reading, {area.name: position.units_in(area.name) for area in position.board.areas})


def compare_idle(position: Position, reading: Reading) -> tuple[Difference, ...]:
    """Compare as `compare` does, where most likely nothing was done: only clear evidence makes an area differ."""
    return tuple(
        replace(difference, state="agrees")
        if difference.area not in reading.unreadable
        and (
            is_same_force(difference.expected_force, difference.seen_force)
            or (not difference.seen_force and _may_be_there(difference, reading))
        )
        else difference
        for difference in compare(position, with_game(reading, position))
    )


def _may_be_there(difference: Difference, reading: Reading) -> bool:
    """Return whether this is a space of whose expected commanders the eye all but rules out none."""
    seen = reading.leaders.get(difference.area, {})
    return ":" in difference.area and all(seen.get(faction, 0.0) >= 1 - TRUST for faction in difference.expected_force)


def unsure(board: Board, seen: Seen) -> dict[str, float]:
    """Return {area: confidence} of the areas that the eye isn't sure of, the least sure first."""
    doubtful = {area.name: seen.confidence.get(area.name, 0.0) for area in board.areas if not sure_of(seen, area.name)}
    return dict(sorted(doubtful.items(), key=lambda pair: pair[1]))


def position_from_reading(board: Board, seen: Seen, game: Position | None = None) -> Position:
    """Return the position on the table: units as seen, all the rest from the game.

    Without a game it is the last round's, and the board's first faction stands in for the unknown initiative.
    AdapterError if what was seen can be no position, or the game is played on another board.
    """
    if game is not None and game.board.name != board.name:
        raise AdapterError(f"the game is played on {game.board.name}, but the table is set up for {board.name}")
    first = board.factions[0]
    last_round = {"board": board.name, "round": board.mode.rounds, "initiative": first, "to_move": first}
    data: dict[str, Any] = position_to_json(game) if game is not None else last_round
    for gone in ("winner", "reason", "turn"):
        data.pop(gone, None)
    data["units"] = {area: _without_zeros(force) for area, force in seen.units.items() if _without_zeros(force)}
    try:
        return position_from_json(data)
    except EngineError as error:
        raise AdapterError(f"what the eye saw can't be a position of the game: {error}") from error


def reading_json(frame: str, seen: Reading) -> dict[str, Any]:
    """Return a reading in the form that other programs rely on.

    why: {area: reasons} where the confidence might be higher, the weightiest first; light: how far its brightness is
    from that of the empty board's photo, as a fraction, and whether that counts as other light. The last three entries
    are only there if they name any area.
    """
    return {
        "frame": frame,
        "units": {area: {f: dict(units) for f, units in force.items()} for area, force in seen.units.items()},
        "commanders": dict(seen.commanders),
        "confidence": dict(seen.confidence),
        "unreadable": list(seen.unreadable),
        "ms": seen.ms,
        "why": {area: list(reasons) for area, reasons in seen.why.items()},
        "light": {"change": seen.light, "other": seen.is_in_other_light},
        **{name: list(areas) for name in ("strange", "cut_off", "at_a_line") if (areas := getattr(seen, name))},
    }


# ---- a game at one moment -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class GameRecord:
    """The steps so far, the start and the position after each of them, and the position that the next turn begins in.

    Playing on closes windows that only cards hold open, so `turn_start` may lie beyond the last position.
    """

    steps: tuple[Step, ...]
    positions: tuple[Position, ...]
    turn_start: Position

    @property
    def position(self) -> Position:
        """The position after the last step."""
        return self.positions[-1]


def record_of(match: Match) -> GameRecord:
    """Return the record of a match as it stands now."""
    return GameRecord(match.steps, match.positions, ready(match.position, Pass()))
