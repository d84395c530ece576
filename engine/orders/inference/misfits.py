"""Why no legal turn explains what is seen in a place: the ruling that forbids it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.areas import members
from engine.orders import game
from engine.orders.board import Space
from engine.orders.describe import describe_space, describe_step
from engine.orders.inference.case import may_end_round
from engine.orders.inference.evidence import Difference, Differences, Sight, differences
from engine.orders.position import Outlook, Position, outlook_of
from engine.orders.steps import Deploy, Load, Pass, Step
from engine.ruling import Finding
from engine.words import count_words, mark, say, side


@dataclass(frozen=True, slots=True)
class Misfit:
    """One thing that no legal turn explains.

    `area` is where it is: an area, or a space of the support board. `finding` is the objection that decides it, where
    the rules have one.
    """

    area: str
    message: str
    finding: Finding | None = None


class Mismatch(NamedTuple):
    """What differs between a position and what is seen, and the spaces that a commander may have been placed on.

    `nearest_step`: what begins the nearest legal turn, None where nothing was done; `why`: that turn in words.
    """

    outlook: Outlook
    sight: Sight
    differences: Differences
    spaces: Sequence[Space]
    nearest_step: Step | None
    why: str

    @property
    def nearest_space(self) -> Space | None:
        """The space that the nearest legal turn uses."""
        step = self.nearest_step
        return self.outlook.board.space(step.space) if isinstance(step, Deploy) else None

    @property
    def new_commanders(self) -> int:
        """The spaces that show a commander of the mover which is not recorded, as a set."""
        shown = self.sight.commanders or (0, 0)
        return shown[self.outlook.me] & ~self.outlook.position.commanders[self.outlook.me] & self.sight.spaces


def mismatch_of(position: Position, sight: Sight, nearest_step: Step | None = None, why: str = "") -> Mismatch:
    """Compare a position with what is seen on the table.

    No window for cards may be open in the position: a turn begins, something is owed, or the game is over.
    """
    outlook = outlook_of(position, position.to_move)
    return Mismatch(outlook, sight, differences(position, sight), candidate_spaces(outlook, sight), nearest_step, why)


def place_of(space: Space) -> str:
    """Return the area of a space, or the space's own name if it is on the support board."""
    return space.area or space.name


Reason = tuple[str, Finding | None]


# --- commanders -------------------------------------------------------------------------

_ABOUT_THE_SPACE = ("occupied", "faction", "one-per-round", "supply", "armed", "not-controlled", "units")
"""The last words of the rules that say whether a commander may stand on a space, whatever else the step says."""


def commander_reason(case: Mismatch, placed: tuple[int, Space]) -> Reason:
    """Explain why a faction's commander that is seen on a space may not have been placed there."""
    outlook, (faction, space) = case.outlook, placed
    who, mover = side(outlook.board.factions[faction]), side(outlook.board.factions[outlook.me])
    head = say("{who} has a new commander on “{space}”", who=who, space=describe_space(space))
    stop = _blocking_finding(outlook.position)
    if stop is not None:
        return _take_off(head, stop.message), stop
    if faction != outlook.me:
        return say("{head}, but it's {who}'s turn: take it off", head=head, who=mover), None
    if case.new_commanders.bit_count() > 1:
        return _take_off(head, say("a turn places one commander, not {n}", n=case.new_commanders.bit_count())), None
    step, whole = _fullest_deployment(case, space)
    objections = game.judge(outlook.position, step).objections
    about = [objection for objection in objections if objection.rule.rpartition(".")[2] in _ABOUT_THE_SPACE]
    nearest = case.nearest_space
    if not about and nearest is not None and nearest is not space:
        return _take_off(head, say("the closest legal turn is different: {why}", why=case.why)), None
    for finding in about or (objections if whole else ()):
        return _take_off(head, finding.message), finding
    return _take_off(head, say("nothing that changed fits that space")), None


def _fullest_deployment(case: Mismatch, space: Space) -> tuple[Deploy, bool]:
    """Return the deployment to a space that explains most of what changed, and whether that is anything."""
    outlook, found, action = case.outlook, case.differences, space.action
    moved, placed = (loads_of(outlook, _in_areas_of(case, some, action.kind)) for some in (found.lost, found.gained))
    hit = [outlook.name(change.area) for change in (found.gained if action.verb == "drop" else found.foe_lost)]
    if action.verb == "move":
        return Deploy(space.name, moves=moved), bool(moved)
    if action.verb == "place":
        return Deploy(space.name, place=placed), bool(placed)
    return Deploy(space.name, target=hit[0] if hit else None, payload=_payload(case, space)), bool(hit)


def _take_off(head: str, why: str) -> str:
    return say("{head}: take it off; {why}", head=head, why=why)


# --- units ------------------------------------------------------------------------------


def _blocking_finding(position: Position) -> Finding | None:
    """Return what rules out any turn now: the game is over, or something is still owed."""
    objections = game.judge(position, Pass()).objections
    return objections[0] if objections else None


def unit_reason(case: Mismatch, change: Difference) -> Reason:
    """Explain why no legal turn makes this change, by the objections to each deployment that could."""
    outlook, stop = case.outlook, _blocking_finding(case.outlook.position)
    if stop is not None:
        return stop.message, stop
    me, who = side(outlook.board.factions[outlook.me]), side(outlook.board.factions[change.faction])
    ground = outlook.board.areas[change.area].kind
    if change.units > 0 and change.kind not in outlook.mode.kinds_on[ground]:
        one_unit = count_words(1, outlook.mode.units[change.kind].name)
        return say(_CANNOT_STAND[ground], n_unit=one_unit), None
    if change in case.differences.foe_gained:
        return say("it's {mover}'s turn, so {who} gets no units", mover=me, who=who), None
    none = _NO_MORE if change.units > 0 else _NO_FEWER
    return _verdict(case, list(_trials(case, change)), say(none, who=me))


_NO_MORE = mark("{who} has no legal turn that adds units there")
_NO_FEWER = mark("{who} has no legal turn that takes units from there")


_CANNOT_STAND = {
    "land": mark("{n_unit} can't be on land"),
    "water": mark("{n_unit} can't be on water"),
    "air": mark("{n_unit} can't be in an air zone"),
}


def _trials(case: Mismatch, change: Difference) -> Iterator[Deploy]:
    """Yield the deployment nearest to what is seen, for each space that could have made a change."""
    if change in case.differences.foe_lost:
        yield from _shots(case, change)
        yield from _attacks(case, change)
    elif change in case.differences.gained:
        for space in case.spaces:
            if space.action.verb == "place" and space.action.kind == case.outlook.board.areas[change.area].kind:
                yield Deploy(space.name, place=loads_of(case.outlook, (change,)))
        yield from _attacks(case, change)
    else:
        yield from _departures(case, change)


def _verdict(case: Mismatch, trials: Sequence[Deploy], head: str) -> Reason:
    """Summarise the rulings on the trials: for each action the ruling nearest to legal."""
    nearest: dict[str, tuple[str, tuple[Finding, ...]]] = {}
    for trial in trials:
        objections = game.judge(case.outlook.position, trial).objections
        if not objections:
            return _why_not(case, trial, head)
        action = case.outlook.board.space(trial.space).action.name
        if action not in nearest or len(objections) < len(nearest[action][1]):
            nearest[action] = trial.space, objections
    if not nearest:
        return _why_no_trial(case, head), None
    rulings = "; ".join(_sentence(case, space, found[0]) for space, found in nearest.values())
    return f"{head}: {rulings}", next(found[0] for _, found in nearest.values())


def _sentence(case: Mismatch, space: str, finding: Finding) -> str:
    """Return in words what rules out a deployment to a space: "Bombard from c2: c2 is empty"."""
    return say("{place}: {why}", place=describe_space(case.outlook.board.space(space)), why=finding.message)


def _why_not(case: Mismatch, trial: Deploy, head: str) -> Reason:
    """Explain why a deployment that would make this change is no explanation.

    Either something speaks against all placements together, or the deployment is not all that changed.
    """
    outlook, action, nearest = case.outlook, case.outlook.board.space(trial.space).action, case.nearest_space
    if nearest is not None and nearest.action is not action:
        return say("that would be a second turn: {deed}", deed=describe_step(trial, outlook.position)), None
    whole = (
        replace(trial, place=loads_of(outlook, _in_areas_of(case, case.differences.gained, action.kind)))
        if trial.place
        else trial
    )
    objections = game.judge(outlook.position, whole).objections
    if objections:
        return f"{head}: {_sentence(case, whole.space, objections[0])}", objections[0]
    deed = describe_step(trial, outlook.position)
    return say("“{deed}” would be legal, but not with everything else that changed", deed=deed), None


def _why_no_trial(case: Mismatch, head: str) -> str:
    who = side(case.outlook.board.factions[case.outlook.me])
    if not case.spaces:
        none, not_so = (
            mark("{head}: {who} hasn't placed a commander"),
            mark("{head}: no turn places commanders like that"),
        )
        return say(not_so if case.new_commanders else none, head=head, who=who)
    if len(case.spaces) > 1:
        return say("{head}: no free action space does that", head=head)
    return say("{head}: {who} used “{place}”", head=head, who=who, place=describe_space(case.spaces[0]))


def _shots(case: Mismatch, change: Difference) -> Iterator[Deploy]:
    """Yield shots from where the mover stands, or from the space that shows the new commander."""
    area = case.outlook.board.areas[change.area]
    for space in case.spaces:
        if space.action.verb != "shoot" or space.action.target != area.kind or not _reaches(case, space, area.index):
            continue
        if case.outlook.control >> space.area_index & 1 or len(case.spaces) == 1:
            yield Deploy(space.name, target=area.name, payload=_payload(case, space))


def _reaches(case: Mismatch, space: Space, area: int) -> bool:
    """Return whether an area is beneath the linked zone, or no further from the linked area than a shot goes."""
    board = case.outlook.board
    if space.action.beneath:
        return bool(board.beneath[space.area_index] >> area & 1)
    near = 1 << space.area_index
    for _ in range(space.action.range):
        near |= board.adjacency.around(near)
    return bool(near >> area & 1)


def _payload(case: Mismatch, space: Space) -> int | None:
    """Return the units missing in the linked area, at least one, for a shot that spends some; otherwise None."""
    if not space.action.payload:
        return None
    kind = case.outlook.mode.unit_index[space.action.payload]
    gone = [-change.units for change in case.differences.lost if (change.area, change.kind) == (space.area_index, kind)]
    return gone[0] if gone else 1


def _attacks(case: Mismatch, change: Difference) -> Iterator[Deploy]:
    """Yield a move into the area of all units that are missed elsewhere, or a drop into it."""
    own = bool(case.outlook.control >> change.area & 1)
    for space in case.spaces:
        used = not own or len(case.spaces) == 1
        if used and space.action.verb == "move" and space.area_index == change.area:
            yield Deploy(
                space.name, moves=loads_of(case.outlook, _in_areas_of(case, case.differences.lost, space.action.kind))
            )
        if space.action.verb == "drop":
            yield Deploy(space.name, target=case.outlook.name(change.area))


def _departures(case: Mismatch, change: Difference) -> Iterator[Deploy]:
    """Yield moves of the missing units to areas that gained some, or else to anywhere; or a shot that spent them."""
    gained = {gain.area for gain in case.differences.gained}
    hit = [case.outlook.name(lost.area) for lost in case.differences.foe_lost]
    for space in case.spaces:
        fits = space.action.verb == "move" and space.action.kind == case.outlook.board.areas[change.area].kind
        if fits and (not gained or space.area_index in gained):
            yield Deploy(space.name, moves=loads_of(case.outlook, (change,)))
        if space.action.payload and space.area_index == change.area:
            beneath = case.outlook.board.beneath[change.area]
            under = hit or [case.outlook.name(area) for area in members(beneath & case.outlook.enemy or beneath)]
            yield from (Deploy(space.name, target=area, payload=-change.units) for area in under[:1])


def _in_areas_of(case: Mismatch, found: Sequence[Difference], kind: str) -> list[Difference]:
    """Return the changes that are in areas of a kind."""
    return [change for change in found if case.outlook.board.areas[change.area].kind == kind]


def loads_of(outlook: Outlook, found: Sequence[Difference]) -> tuple[Load, ...]:
    """Return the units of some changes as the moves or placements of a step."""
    return tuple(
        (outlook.name(change.area), outlook.mode.units[change.kind].name, abs(change.units)) for change in found
    )


def candidate_spaces(outlook: Outlook, sight: Sight) -> list[Space]:
    """List the free action spaces on which the acting faction may have placed a commander, by what is seen."""
    mine, theirs = outlook.position.commanders[outlook.me], outlook.position.commanders[outlook.foe]
    return [
        space
        for space in outlook.board.spaces
        if not (mine | theirs) >> space.index & 1
        and space.faction in (None, outlook.board.factions[outlook.me])
        and not outlook.board.twins[space.index] & mine
        and _shows_deployed(outlook, sight, space)
    ]


def _shows_deployed(outlook: Outlook, sight: Sight, space: Space) -> bool:
    """Return whether the commanders seen are those after a deployment to a space.

    None at all also fit if the round has ended with the deployment.
    """
    sides = list(outlook.position.commanders)
    sides[outlook.me] |= 1 << space.index
    ended = may_end_round(outlook.position) and sight.shows((0, 0))
    return ended or sight.shows((sides[0], sides[1]))
