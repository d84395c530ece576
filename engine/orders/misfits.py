"""Why no legal turn explains what is seen in a place: the ruling that forbids it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.areas import members
from engine.orders import game
from engine.orders.board import Space
from engine.orders.case import may_end_round
from engine.orders.describe import describe_step
from engine.orders.outlook import Outlook, outlook
from engine.orders.position import Position
from engine.orders.sight import Change, Changes, Sight, changes
from engine.orders.steps import Deploy, Load, Pass
from engine.ruling import Finding
from engine.words import mark, say


@dataclass(frozen=True, slots=True)
class Misfit:
    """One thing that no legal turn explains.

    `area` is where it is: an area, or a space of the support board. `finding` is the objection that decides it, where
    the rules have one.
    """

    area: str
    message: str
    finding: Finding | None = None


class Case(NamedTuple):
    """What differs between a position and what is seen, and the spaces that a commander may have been placed on."""

    seen: Outlook
    found: Changes
    spaces: Sequence[Space]


def case_of(position: Position, sight: Sight) -> Case:
    """The differences, for a position at which a turn may begin, or something is owed, or the game is over."""
    seen = outlook(position, position.to_move)
    return Case(seen, changes(position, sight), candidates(seen, sight))


def place_of(space: Space) -> str:
    """The area of a space, or its own name where it is on the support board."""
    return space.area or space.name


Reason = tuple[str, Finding | None]


# --- commanders -------------------------------------------------------------------------

_ABOUT_THE_SPACE = ("occupied", "faction", "one-per-round", "supply", "armed", "not-controlled", "units")
"""The last words of the rules that say whether a commander may stand on a space, whatever else the step says."""


def commander_reason(case: Case, sight: Sight, placed: tuple[int, Space]) -> Reason:
    """Why a faction's commander that is seen on a space may not have been placed there."""
    seen, (faction, space) = case.seen, placed
    who, mover = say(seen.board.factions[faction]), say(seen.board.factions[seen.me])
    head = say("a commander of {who} is new on {space}", who=who, space=space.name)
    stop = _stop(seen.position)
    if stop is not None:
        return _off(head, stop.message), stop
    if faction != seen.me:
        return say("{head}, but it is {who}'s turn: take it off", head=head, who=mover), None
    new = (sight.commanders or (0, 0))[faction] & ~seen.position.commanders[faction] & sight.spaces
    if new.bit_count() > 1:
        return _off(head, say("a turn places one commander, {n} are new", n=new.bit_count())), None
    step = Deploy(space.name, moves=loads(seen, case.found.lost) if space.action.verb == "move" else ())
    for finding in game.judge(seen.position, step).objections:
        if finding.rule.rpartition(".")[2] in _ABOUT_THE_SPACE:
            return _off(head, finding.message), finding
    return _off(head, say("what is seen was not done with it")), None


def _off(head: str, why: str) -> str:
    return say("{head}: take it off; {why}", head=head, why=why)


# --- units ------------------------------------------------------------------------------


def _stop(position: Position) -> Finding | None:
    """What stands against any turn now: the game is over, or something is still owed."""
    objections = game.judge(position, Pass()).objections
    return objections[0] if objections else None


def unit_reason(case: Case, change: Change) -> Reason:
    """Why no legal turn makes this change: the objections to each deployment that could."""
    seen, stop = case.seen, _stop(case.seen.position)
    if stop is not None:
        return stop.message, stop
    me, who = say(seen.board.factions[seen.me]), say(seen.board.factions[change.faction])
    if change in case.found.foe_gained:
        return say("it is {mover}'s turn, which adds no units of {who}", mover=me, who=who), None
    more, fewer = mark("no legal turn of {who} adds units there"), mark("no legal turn of {who} takes them from there")
    return _verdict(case, list(_trials(case, change)), say(more if change.units > 0 else fewer, who=me))


def _trials(case: Case, change: Change) -> Iterator[Deploy]:
    """For each space that could have made a change the deployment that comes nearest to what is seen."""
    if change in case.found.foe_lost:
        yield from _shots(case, change)
        yield from _attacks(case, change)
    elif change in case.found.gained:
        yield from _placements(case, change)
        yield from _attacks(case, change)
    else:
        yield from _departures(case, change)


def _verdict(case: Case, trials: Sequence[Deploy], head: str) -> Reason:
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
        return _from_where(head, case.spaces), None
    return f"{head}: {'; '.join(finding.message for finding in findings)}", findings[0]


def _but(case: Case, trial: Deploy, head: str) -> Reason:
    """A deployment would make this change alone: what speaks against all placements together, or that it is not all."""
    seen, kind = case.seen, case.seen.board.space(trial.space).action.kind
    gained = tuple(change for change in case.found.gained if seen.board.areas[change.area].kind == kind)
    whole = replace(trial, place=loads(seen, gained)) if trial.place else trial
    objections = game.judge(seen.position, whole).objections
    if objections:
        return f"{head}: {objections[0].message}", objections[0]
    deed = describe_step(trial, seen.position)
    return say("it would be legal that {deed}, but that does not make all that is seen", deed=deed), None


def _from_where(head: str, spaces: Sequence[Space]) -> str:
    if not spaces:
        return say("{head}, as no commander was placed on a space that is free to it", head=head)
    where = mark("{head} from {space}") if len(spaces) == 1 else mark("{head} from any space that is free")
    return say(where, head=head, space=spaces[0].name)


def _shots(case: Case, change: Change) -> Iterator[Deploy]:
    area = case.seen.board.areas[change.area]
    for space in case.spaces:
        if space.action.verb == "shoot" and space.action.target == area.kind and _reaches(case, space, area.index):
            yield Deploy(space.name, target=area.name, payload=_payload(case, space))


def _reaches(case: Case, space: Space, area: int) -> bool:
    """Whether an area is beneath the linked zone, or no further from the linked area than a shot goes."""
    board = case.seen.board
    if space.action.beneath:
        return bool(board.beneath[space.area_index] >> area & 1)
    near = 1 << space.area_index
    for _ in range(space.action.range):
        near |= board.adjacency.around(near)
    return bool(near >> area & 1)


def _payload(case: Case, space: Space) -> int | None:
    """The units that are missed in the linked area, at least one, where a shot spends some."""
    if not space.action.payload:
        return None
    kind = case.seen.mode.unit_index[space.action.payload]
    gone = [-change.units for change in case.found.lost if (change.area, change.kind) == (space.area_index, kind)]
    return gone[0] if gone else 1


def _attacks(case: Case, change: Change) -> Iterator[Deploy]:
    """A move into the area of all units that are missed elsewhere, or a drop into it."""
    for space in case.spaces:
        if space.action.verb == "move" and space.area_index == change.area:
            yield Deploy(space.name, moves=loads(case.seen, case.found.lost))
        if space.action.verb == "drop":
            yield Deploy(space.name, target=case.seen.name(change.area))


def _placements(case: Case, change: Change) -> Iterator[Deploy]:
    for space in case.spaces:
        if space.action.verb == "place" and space.action.kind == case.seen.board.areas[change.area].kind:
            yield Deploy(space.name, place=loads(case.seen, (change,)))


def _departures(case: Case, change: Change) -> Iterator[Deploy]:
    """Moves of the missed units to where units were gained, or else to anywhere; or a shot that spent them."""
    gained = {gain.area for gain in case.found.gained}
    hit = [case.seen.name(lost.area) for lost in case.found.foe_lost]
    for space in case.spaces:
        fits = space.action.verb == "move" and space.action.kind == case.seen.board.areas[change.area].kind
        if fits and (not gained or space.area_index in gained):
            yield Deploy(space.name, moves=loads(case.seen, (change,)))
        if space.action.payload and space.area_index == change.area:
            beneath = case.seen.board.beneath[change.area]
            under = hit or [case.seen.name(area) for area in members(beneath & case.seen.enemy or beneath)]
            yield from (Deploy(space.name, target=area, payload=-change.units) for area in under[:1])


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
        and space.faction in (None, seen.board.factions[seen.me])
        and not seen.board.twins[space.index] & mine
        and _shows_deployed(seen, sight, space)
    ]


def _shows_deployed(seen: Outlook, sight: Sight, space: Space) -> bool:
    """Whether the commanders seen are those after a deployment to a space, or none as the round has ended with it."""
    sides = list(seen.position.commanders)
    sides[seen.me] |= 1 << space.index
    ended = may_end_round(seen.position) and sight.shows((0, 0))
    return ended or sight.shows((sides[0], sides[1]))
