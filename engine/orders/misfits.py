"""What no legal turn explains, area by area, with the ruling that forbids it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.areas import members
from engine.orders import game
from engine.orders.board import Space
from engine.orders.describe import describe_step
from engine.orders.outlook import Outlook, outlook
from engine.orders.position import Position
from engine.orders.sight import Change, Changes, Sight, changes
from engine.orders.steps import Deploy, Load, Pass
from engine.ruling import Finding
from engine.words import counted


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
    case = _Case(seen, found, candidates(seen, sight))
    return (*_commander_misfits(seen, found, sight), *(_unit_misfit(case, change) for change in found.all))


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


class _Case(NamedTuple):
    """What differs, and the spaces that a commander may have been placed on."""

    seen: Outlook
    found: Changes
    spaces: Sequence[Space]


def _unit_misfit(case: _Case, change: Change) -> Misfit:
    seen = case.seen
    area, who, unit = seen.name(change.area), seen.board.factions[change.faction], seen.mode.units[change.kind].name
    n, more = counted(abs(change.units), unit, who), "many" if change.units > 0 else "few"
    why, finding = _reason(case, change)
    return Misfit(area, f"{area} has {n} too {more}: {why}", finding)


def _stop(position: Position) -> Finding | None:
    """What stands against any turn now: the game is over, or something is still owed."""
    objections = game.judge(position, Pass()).objections
    return objections[0] if objections else None


def _reason(case: _Case, change: Change) -> Reason:
    """Why no legal turn makes this change: the objections to each deployment that could."""
    seen, stop = case.seen, _stop(case.seen.position)
    if stop is not None:
        return stop.message, stop
    me, who = seen.board.factions[seen.me], seen.board.factions[change.faction]
    if change in case.found.foe_gained:
        return f"it is {me}'s turn, which adds no units of {who}", None
    what = "adds units there" if change.units > 0 else "takes them from there"
    return _verdict(case, list(_trials(case, change)), f"no legal turn of {me} {what}")


def _trials(case: _Case, change: Change) -> Iterator[Deploy]:
    """For each space that could have made a change the deployment that comes nearest to what is seen."""
    if change in case.found.foe_lost:
        yield from _shots(case, change)
        yield from _attacks(case, change)
    elif change in case.found.gained:
        yield from _placements(case, change)
        yield from _attacks(case, change)
    else:
        yield from _departures(case, change)


def _verdict(case: _Case, trials: Sequence[Deploy], head: str) -> Reason:
    """The rulings on the trials, for each action the one that is nearest to legal."""
    nearest: dict[str, tuple[Finding, ...]] = {}
    for trial in trials:
        objections = game.judge(case.seen.position, trial).objections
        if not objections:
            return _but(case, trial, head)
        action = case.seen.board.space(trial.space).action.name
        nearest[action] = min(objections, nearest.get(action, objections), key=len)
    findings = [objections[0] for objections in nearest.values()]
    if not findings:
        return f"{head}{_from_where(case.spaces)}", None
    return f"{head}: {'; '.join(finding.message for finding in findings)}", findings[0]


def _but(case: _Case, trial: Deploy, head: str) -> Reason:
    """A deployment would make this change alone: what speaks against all placements together, or that it is not all."""
    seen, kind = case.seen, case.seen.board.space(trial.space).action.kind
    gained = tuple(change for change in case.found.gained if seen.board.areas[change.area].kind == kind)
    whole = replace(trial, place=loads(seen, gained)) if trial.place else trial
    objections = game.judge(seen.position, whole).objections
    if objections:
        return f"{head}: {objections[0].message}", objections[0]
    deed = describe_step(trial, seen.position)
    return f"it would be legal that {deed}, but that does not make all that is seen", None


def _from_where(spaces: Sequence[Space]) -> str:
    if not spaces:
        return ", as no commander was placed on a space that is free to it"
    return f" from {spaces[0].name}" if len(spaces) == 1 else " from any space that is free"


def _shots(case: _Case, change: Change) -> Iterator[Deploy]:
    area = case.seen.board.areas[change.area]
    for space in case.spaces:
        if space.action.verb == "shoot" and space.action.target == area.kind and space.area in area.adjacent:
            yield Deploy(space.name, target=area.name)


def _attacks(case: _Case, change: Change) -> Iterator[Deploy]:
    """A move into the area of all units that are missed elsewhere."""
    for space in case.spaces:
        if space.action.verb == "move" and space.area_index == change.area:
            yield Deploy(space.name, moves=loads(case.seen, case.found.lost))


def _placements(case: _Case, change: Change) -> Iterator[Deploy]:
    for space in case.spaces:
        if space.action.verb == "place" and space.action.kind == case.seen.board.areas[change.area].kind:
            yield Deploy(space.name, place=loads(case.seen, (change,)))


def _departures(case: _Case, change: Change) -> Iterator[Deploy]:
    """Moves of the missed units to where units were gained, or where none were, to anywhere."""
    gained = {gain.area for gain in case.found.gained}
    for space in case.spaces:
        fits = space.action.verb == "move" and space.action.kind == case.seen.board.areas[change.area].kind
        if fits and (not gained or space.area_index in gained):
            yield Deploy(space.name, moves=loads(case.seen, (change,)))


def loads(seen: Outlook, found: Sequence[Change]) -> tuple[Load, ...]:
    """The units of some changes as the moves or placements of a step."""
    return tuple((seen.name(change.area), seen.mode.units[change.kind].name, abs(change.units)) for change in found)


def candidates(seen: Outlook, sight: Sight) -> list[Space]:
    """The free action spaces on which the acting faction may have placed a commander, by what is seen of them."""
    mine, theirs = seen.position.commanders[seen.me], seen.position.commanders[seen.foe]
    return [
        space
        for space in seen.board.spaces
        if not (mine | theirs) >> space.index & 1
        and not seen.board.twins[space.index] & mine
        and _shows_deployed(seen, sight, space)
    ]


def _shows_deployed(seen: Outlook, sight: Sight, space: Space) -> bool:
    """Whether the commanders seen are those after a deployment to a space, or none as the round has ended with it."""
    sides = list(seen.position.commanders)
    sides[seen.me] |= 1 << space.index
    ends_round = sum(seen.position.commanders_left) == 1
    return sight.shows((sides[0], sides[1])) or (ends_round and sight.shows((0, 0)))
