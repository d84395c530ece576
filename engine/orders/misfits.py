"""What no legal turn explains, area by area, with the ruling that forbids it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.areas import members
from engine.orders import game
from engine.orders.board import Space
from engine.orders.describe import counted, describe_step
from engine.orders.guess import candidates, loads
from engine.orders.outlook import Outlook, outlook
from engine.orders.position import Position
from engine.orders.sight import Change, Changes, Sight, changes
from engine.orders.steps import Deploy, Pass
from engine.ruling import Finding


@dataclass(frozen=True, slots=True)
class Misfit:
    """One thing that no legal turn explains.

    `area` is where it is: an area, or a space of the support board. `finding` is the objection that decides it, where
    the rules have one.
    """

    area: str
    message: str
    finding: Finding | None = None


def misfits(position: Position, sight: Sight) -> tuple[Misfit, ...]:
    """Everything that differs between a position and what is seen, where no legal turn explains it.

    The position is one at which a turn may begin, or something is owed, or the game is over.
    """
    found = changes(position, sight)
    seen = outlook(position, position.to_move)
    units = (_unit_misfit(seen, found, sight, change) for change in found.all)
    return (*_commander_misfits(seen, found, sight), *units)


def not_recalled(position: Position, sight: Sight) -> tuple[Misfit, ...]:
    """Every commander seen, where the turn has ended the round: they all go back."""
    return tuple(
        Misfit(_place(space), f"the round has ended: the commander of {who} on {space.name} goes back to the reserve")
        for who, spaces in zip(position.board.factions, sight.commanders or (0, 0), strict=True)
        for space in map(position.board.spaces.__getitem__, members(spaces))
    )


def _place(space: Space) -> str:
    return space.area or space.name


# --- commanders -------------------------------------------------------------------------

_ABOUT_THE_SPACE = ("occupied", "one-per-round", "supply", "armed", "not-controlled", "units")
"""The last words of the rules that say whether a commander may stand on a space, whatever else the step says."""


def _commander_misfits(seen: Outlook, found: Changes, sight: Sight) -> Iterator[Misfit]:
    if sight.commanders is None:
        return
    for faction, (was, now) in enumerate(zip(seen.position.commanders, sight.commanders, strict=True)):
        changed = (was ^ now) & sight.spaces
        new = changed & now
        for index in members(changed):
            space = seen.board.spaces[index]
            misfit = _placed(seen, found, (faction, new), space) if new >> index & 1 else _gone(seen, faction, space)
            if misfit is not None:
                yield misfit


def _gone(seen: Outlook, faction: int, space: Space) -> Misfit:
    who = seen.board.factions[faction]
    return Misfit(_place(space), f"the commander of {who} on {space.name} is gone, but the round is not over")


def _placed(seen: Outlook, found: Changes, placed: tuple[int, int], space: Space) -> Misfit | None:
    """Why a commander may not have been placed on a space: `placed` are its faction and all spaces new to it."""
    faction, new = placed
    head = f"a commander of {seen.board.factions[faction]} is new on {space.name}"
    stop = _stop(seen.position)
    if stop is not None:
        return Misfit(_place(space), f"{head}: {stop.message}", stop)
    if faction != seen.me:
        return Misfit(_place(space), f"{head}, but it is {seen.board.factions[seen.me]}'s turn")
    if new.bit_count() > 1:
        return Misfit(_place(space), f"{head}: a turn places one commander, {new.bit_count()} are new")
    step = Deploy(space.name, moves=loads(seen, found.lost) if space.action.verb == "move" else ())
    for finding in game.judge(seen.position, step).objections:
        if finding.rule.rpartition(".")[2] in _ABOUT_THE_SPACE:
            return Misfit(_place(space), f"{head}: {finding.message}", finding)
    return None


# --- units ------------------------------------------------------------------------------

Reason = tuple[str, Finding | None]


def _unit_misfit(seen: Outlook, found: Changes, sight: Sight, change: Change) -> Misfit:
    who, unit = seen.board.factions[change.faction], seen.mode.units[change.kind].name
    n, more = counted(abs(change.units), unit, who), "many" if change.units > 0 else "few"
    why, finding = _reason(seen, found, sight, change)
    return Misfit(seen.name(change.area), f"{seen.name(change.area)} has {n} too {more}: {why}", finding)


def _stop(position: Position) -> Finding | None:
    """What stands against any turn now: the game is over, or something is still owed."""
    objections = game.judge(position, Pass()).objections
    return objections[0] if objections else None


def _reason(seen: Outlook, found: Changes, sight: Sight, change: Change) -> Reason:
    """Why no legal turn makes this change: the objections to each deployment that could."""
    stop = _stop(seen.position)
    if stop is not None:
        return stop.message, stop
    me, who = seen.board.factions[seen.me], seen.board.factions[change.faction]
    if change in found.foe_gained:
        return f"it is {me}'s turn, which adds no units of {who}", None
    spaces = candidates(seen, sight)
    trials = list(_trials(seen, spaces, found, change))
    return _verdict(seen, spaces, trials, "adds units there" if change.units > 0 else "takes them from there")


def _trials(seen: Outlook, spaces: Sequence[Space], found: Changes, change: Change) -> Iterator[Deploy]:
    """For each space that could have made a change the deployment that comes nearest to what is seen."""
    if change in found.foe_lost:
        yield from _shots(seen, spaces, change)
        yield from _attacks(seen, spaces, found, change)
    elif change in found.gained:
        yield from _placements(seen, spaces, change)
        yield from _attacks(seen, spaces, found, change)
    else:
        yield from _departures(seen, spaces, found, change)


def _verdict(seen: Outlook, spaces: Sequence[Space], trials: Sequence[Deploy], what: str) -> Reason:
    """The rulings on the trials, for each action the one that is nearest to legal."""
    head = f"no legal turn of {seen.board.factions[seen.me]} {what}"
    nearest: dict[str, tuple[Finding, ...]] = {}
    for trial in trials:
        objections = game.judge(seen.position, trial).objections
        if not objections:
            return f"{describe_step(trial, seen.position)} would be legal, but it does not make all that is seen", None
        action = seen.board.space(trial.space).action.name
        nearest[action] = min(objections, nearest.get(action, objections), key=len)
    findings = [objections[0] for objections in nearest.values()]
    if not findings:
        return f"{head}{_from_where(spaces)}", None
    return f"{head}: {'; '.join(finding.message for finding in findings)}", findings[0]


def _from_where(spaces: Sequence[Space]) -> str:
    if not spaces:
        return ", as no commander was placed on a space that is free to it"
    return f" from {spaces[0].name}" if len(spaces) == 1 else " from any space that is free"


def _shots(seen: Outlook, spaces: Iterable[Space], change: Change) -> Iterator[Deploy]:
    area = seen.board.areas[change.area]
    for space in spaces:
        if space.action.verb == "shoot" and space.action.target == area.kind and space.area in area.adjacent:
            yield Deploy(space.name, target=area.name)


def _attacks(seen: Outlook, spaces: Iterable[Space], found: Changes, change: Change) -> Iterator[Deploy]:
    """A move into the area of all units that are missed elsewhere."""
    for space in spaces:
        if space.action.verb == "move" and space.area_index == change.area:
            yield Deploy(space.name, moves=loads(seen, found.lost))


def _placements(seen: Outlook, spaces: Iterable[Space], change: Change) -> Iterator[Deploy]:
    for space in spaces:
        if space.action.verb == "place" and space.action.kind == seen.board.areas[change.area].kind:
            yield Deploy(space.name, place=loads(seen, (change,)))


def _departures(seen: Outlook, spaces: Iterable[Space], found: Changes, change: Change) -> Iterator[Deploy]:
    """Moves of the missed units to where units were gained, or where none were, to anywhere."""
    gained = {gain.area for gain in found.gained}
    for space in spaces:
        fits = space.action.verb == "move" and space.action.kind == seen.board.areas[change.area].kind
        if fits and (not gained or space.area_index in gained):
            yield Deploy(space.name, moves=loads(seen, (change,)))
