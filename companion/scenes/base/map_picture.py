"""A position as the map and the status of the screen, with what the last turn left behind as arrows and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from companion.core.language import _
from companion.games.match import Match
from companion.games.position_facts import hand_size, is_supplied
from companion.perception.adapters import Difference
from companion.perception.sync.status import SyncStatus
from companion.settings.layers import Settings
from companion.text.faults import camera_words, unseen_words
from companion.text.orders import place_label, sentence, side_name
from companion.ui.screen import AreaPicture, MapPicture, Side, SpacePicture, Stack, Status, SupplyChain, Trace
from companion.ui.small_map import SmallArea, SmallMap
from engine.orders.board import Board
from engine.orders.cards import deck_size
from engine.orders.position import Position
from engine.orders.score import score
from engine.orders.steps import RESERVE, Agreed, Deploy, Pass, Step
from engine.orders.supply import chains


@dataclass(frozen=True, slots=True)
class Marks:
    """What an open form marks on the map: areas ("live", "chosen", "target"), units moved, and the space in use."""

    areas: Mapping[str, str] = field(default_factory=dict)
    changes: Mapping[tuple[str, str], int] = field(default_factory=dict)  # (area, unit) -> more or less
    space: str | None = None
    live: frozenset[str] = frozenset()
    supply: Mapping[str, str] = field(default_factory=dict)  # area -> "gained" or "cut" by what the form would do
    counted: frozenset[str] = frozenset()  # areas where every touch counts: one more, then from the start again
    traces: tuple[Trace, ...] = ()  # arrows of what is to be done, in place of those of the last turn


@dataclass(frozen=True, slots=True)
class Overlay:
    """Extra layers over the map, each of which the players can switch off.

    These are supply lines, areas' names, who earns the points, what the last turn changed, and where the camera
    sees something else.
    """

    supply: bool = False
    names: bool = True
    points: bool = False
    traces: tuple[Trace, ...] = ()
    camera: bool = True


PLAIN = Overlay()


def overlay_of(settings: Settings, match: Match) -> Overlay:
    """Return the layers that the settings ask for, with the traces of the match's last turn."""
    traces = turn_traces(match.positions, match.steps) if settings.show_changes else ()
    shown = (settings.show_supply, settings.show_names, settings.show_points)
    return Overlay(*shown, traces, settings.show_camera)


def map_picture(
    position: Position, marks: Marks, differences: Sequence[Difference] | None, overlay: Overlay = PLAIN
) -> MapPicture:
    """Return the map of a position with the form's marks and the layers the players want to see.

    differences: what the camera sees beside what the game has; None without a camera. While a form marks areas or
    changes units, the traces of the last turn are left out to make room.
    """
    board = position.board
    earning = {area: faction for faction, found in score(position).areas.items() for area in found}
    seen = (differences or ()) if overlay.camera else ()
    checks: dict[str, str] = {
        area_of_difference(difference): difference.state for difference in seen if difference.state == "hidden"
    }
    checks.update(
        {area_of_difference(difference): difference.state for difference in seen if difference.state == "differs"}
    )
    areas = tuple(
        AreaPicture(
            name=area.name,
            stacks=_stacks(position, area.name, marks),
            controller=position.controller(area.name),
            supplied=is_supplied(position, area.name),
            bonus=bonuses(position).get(area.slot) if area.slot else None,
            mark=marks.areas.get(area.name, ""),
            check=checks.get(area.name, ""),
            change=marks.supply.get(area.name, ""),
            earns=earning.get(area.name, "") if overlay.points else "",
            repeats=area.name in marks.counted,
        )
        for area in board.areas
    )
    traces = marks.traces or (() if marks.changes or marks.areas else overlay.traces)
    supply = supply_lines(position) if overlay.supply else ()
    return MapPicture(board, areas, _spaces(position, marks), supply=supply, traces=traces, names=overlay.names)


def supply_lines(position: Position) -> tuple[SupplyChain, ...]:
    """Return the supply chains of all areas that either faction controls."""
    return tuple(
        SupplyChain(faction, way, "" if way[-1] in ways else way[-1])
        for faction, ways in chains(position).items()
        for way in ways.values()
        if len(way) > 1
    )


def area_of_difference(difference: Difference) -> str:
    """Return the name of the area that a difference is in; for an action space, the area it belongs to."""
    return difference.area.partition(":")[2] or difference.area


def bonuses(position: Position) -> dict[str, str]:
    """Return the bonus tokens of a position by slot."""
    return dict(zip(position.board.slots, position.bonuses, strict=False))


def _stacks(position: Position, area: str, marks: Marks) -> tuple[Stack, ...]:
    """List the units in an area, including those that the open form would bring there."""
    mover = position.to_move_name
    stacks = [
        Stack(faction, unit, n, marks.changes.get((area, unit), 0) if faction == mover else 0)
        for faction, units in position.units_in(area).items()
        for unit, n in units.items()
    ]
    here = {(stack.faction, stack.unit) for stack in stacks}
    stacks += [
        Stack(mover, unit, 0, change)
        for (place, unit), change in marks.changes.items()
        if place == area and change and (mover, unit) not in here
    ]
    return tuple(stacks)


def _spaces(position: Position, marks: Marks) -> tuple[SpacePicture, ...]:
    return tuple(
        SpacePicture(
            space.name,
            space.action.name,
            position.commanders_on(space.name),
            space.name in marks.live,
            space.name == marks.space,
        )
        for space in position.board.spaces
        if space.area is not None
    )


def start_picture(board: Board) -> MapPicture:
    """Return the map of a board with its printed starting units, for scenes before a game."""
    areas = tuple(
        AreaPicture(
            area.name,
            tuple(Stack(faction, unit, n) for faction, unit, n in area.start),
            area.start[0][0] if area.start else None,
            supplied=True,
        )
        for area in board.areas
    )
    spaces = tuple(SpacePicture(s.name, s.action.name, (), live=False) for s in board.spaces if s.area is not None)
    return MapPicture(board, areas, spaces)


def small_map(picture: MapPicture) -> SmallMap:
    """Reduce a map to what a button has room for: who controls each area, and whose units stand there."""
    areas = (
        SmallArea(
            area.name, area.controller, area.supplied, tuple(dict.fromkeys(stack.faction for stack in area.stacks))
        )
        for area in picture.areas
    )
    return SmallMap(picture.board, tuple(areas))


def status(position: Position, players: Mapping[str, str], live: tuple[str, str] = ("", "")) -> Status:
    """Sum up a position for the status line: each side's points, commanders and cards, and the round.

    live: the camera's verdict, as `verdict` returns it.
    """
    counted = score(position)
    leader = position.winner_name or counted.winner
    sides = tuple(
        Side(
            faction=faction,
            label=side_name(faction, players),
            player=players.get(faction, ""),
            points=counted.vp[faction],
            commanders_left=position.left(faction),
            standby=position.standing_by(faction),
            commanders=position.board.mode.commanders,
            hand=hand_size(position, faction),
            initiative=position.initiative_name == faction,
            to_move=position.to_move_name == faction and position.winner_name is None,
            ahead=faction == leader,
        )
        for faction in position.board.factions
    )
    rounds, discard = position.board.mode.rounds, len(position.discard)
    return Status(position.round, rounds, deck_size(position), sides, *live, discard=discard)


def verdict(sense: SyncStatus) -> tuple[str, str]:
    """Return the camera's verdict as (sign, words); both empty without a camera or inside a turn."""
    areas = _areas(difference.area for difference in sense.differences or () if difference.state != "agrees")
    out = _areas(item.place for item in sense.items)
    go_home = all(item.unit == "commander" and item.more > 0 for item in sense.items)
    behind = _("Take back: {areas}") if go_home else _("Move the pieces: {areas}")
    words = {
        "lost": unseen_words(sense.fault) if sense.blind else sentence(camera_words(sense.fault)).rstrip("."),
        "ignored": _("Camera ignored"),
        "waiting": _("Looking…"),
        "hand": _("Hand on the board"),
        "moving": _("Hands on the board…"),
        "sync": _("Board matches"),
        "unsure": _("Can't see {areas} clearly").format(areas=areas),
        "playing": _("Turn in progress"),
        "dice": _("Dice?"),
        "proposal": _("Turn seen"),
        "behind": behind.format(areas=out),
        "out": _("Board differs: {areas}").format(areas=out),
    }
    return (sense.sign, words[sense.sign]) if sense.sign in words else ("", "")


def _areas(places: Iterable[str]) -> str:
    """Name the areas of these places: all of them up to four, else the first three and how many more."""
    areas = list(dict.fromkeys(map(place_label, places)))
    return " ".join(areas if len(areas) <= 4 else [*areas[:3], f"+{len(areas) - 3}"])


Balance = Counter[tuple[str, str]]
"""{(faction, area): units more or less}."""


def turn_traces(positions: Sequence[Position], steps: Sequence[Step]) -> tuple[Trace, ...]:
    """Return the arrows and counts that show the last turn, or the one in progress.

    positions: the start, and the one after each step.
    """
    begun = next((i for i in reversed(range(len(steps))) if isinstance(steps[i], Deploy | Pass | Agreed)), None)
    if begun is None:
        return ()
    before, step = positions[begun], steps[begun]
    left = unit_balance(before, positions[-1])
    return (*_moves(before, step, left), *_shot(before, step, left), *_rest(left))


def undo_traces(gone: Sequence[tuple[Position, Step, Position]]) -> tuple[Trace, ...]:
    """Return the arrows and counts that show which pieces to move back after an undo.

    gone: each undone step with the positions before and after it.
    """
    if not gone:
        return ()
    left = unit_balance(gone[-1][2], gone[0][0])
    arrows = [arrow for before, step, _after in reversed(gone) for arrow in _moves(before, step, left, back=True)]
    return (*arrows, *_rest(left))


def _rest(left: Balance) -> list[Trace]:
    """Return traces for units that came or went other than by moves and shots."""
    others = sorted((key, n) for key, n in left.items() if n)
    return [Trace("more" if n > 0 else "less", faction, "", area, abs(n)) for (faction, area), n in others]


def unit_balance(before: Position, after: Position) -> Balance:
    """Return how many units each faction has gained or lost in each area."""
    balance: Balance = Counter()
    for position, sign in ((before, -1), (after, 1)):
        for area in position.board.areas:
            for faction, units in position.units_in(area.name).items():
                balance[faction, area.name] += sign * sum(units.values())
    return balance


def _moves(before: Position, step: Step, left: Balance, *, back: bool = False) -> Iterator[Trace]:
    """Yield the arrows of a deployment, or of taking it back, and take what they show out of the balance."""
    here = before.board.space(step.space).area if isinstance(step, Deploy) else None
    if not isinstance(step, Deploy) or here is None:
        return
    mover, moved = before.to_move_name, Counter[str]()
    for area, _unit, n in step.moves:
        if area != RESERVE:
            moved[area] += n
    for area, n in moved.items():
        source, target = (here, area) if back else (area, here)
        left[mover, source] += n
        left[mover, target] -= n
        yield Trace("move", mover, source, target, n)


def _shot(before: Position, step: Step, left: Balance) -> Iterator[Trace]:
    """Yield the line of fire with the target's losses, and take these out of the balance."""
    here = before.board.space(step.space).area if isinstance(step, Deploy) else None
    if not isinstance(step, Deploy) or here is None or not step.target:
        return
    mover = before.to_move_name
    foe = next(faction for faction in before.board.factions if faction != mover)
    lost = max(-left[foe, step.target], 0)
    left[foe, step.target] += lost
    yield Trace("fire", mover, here, step.target, lost)
