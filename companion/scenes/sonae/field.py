"""The picture of a battlefield, with what a step would do drawn on it, and the panels beside it.

A panel that is a form gathers one step, and judges it after every touch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.core.language import _
from companion.scenes.base.panels import Close, Face, Offer, Reply, Why
from companion.scenes.base.reasons import bare_message
from companion.text.orders import sentence
from companion.text.sonae import sign_meanings, sign_of, with_titles
from companion.ui.battlefield_picture import FieldPicture, LineSight, RingSight, UnitSight
from companion.ui.screen import Block, Button, Intent, Prompt, confirm_button
from companion.ui.small_map import GroundSight, Point, SmallField
from engine.ruling import Finding, Ruling
from engine.sonae import game
from engine.sonae.field import Place
from engine.sonae.game import new_game
from engine.sonae.orders import end_of
from engine.sonae.pools import FIRE_RANGE
from engine.sonae.position import Position, Unit
from engine.sonae.scenario import Ground, Scenario
from engine.sonae.steps import Advance, FallBack, Fire, Step, Wheel

SEATS = ("red", "blue")
"""The colours of both armies: the first one's sign is a disc, the second one's a square."""
_LOOKS = (  # words in a ground's name, and how it is drawn
    (("forest", "wood", "grove"), "forest"),
    (("marsh", "swamp", "paddy", "bog"), "marsh"),
    (("river", "stream", "lake", "water", "sea", "ford"), "water"),
    (("bridge",), "bridge"),
)
_KINDS = {"difficult": "rough", "blocked": "rocks", "hill": "hill", "road": "road", "open": "open"}


@dataclass(frozen=True, slots=True)
class Sketch:
    """What a panel draws on the field.

    marks: {unit: mark}. ghosts: (unit, place where it would stand, whether that is allowed). focus: a unit to show
    enlarged. rings: a unit whose range of fire is shown, with the reach of its division's commander. quarters: a unit
    whose quarters are shown. drags, touch: whether a finger can drag a base, or choose one.
    """

    marks: Mapping[str, str] = field(default_factory=dict)
    ghosts: tuple[tuple[str, Place, bool], ...] = ()
    lines: tuple[LineSight, ...] = ()
    focus: str = ""
    rings: str = ""
    quarters: str = ""
    drags: bool = False
    touch: bool = False


PLAIN = Sketch()


def battle_picture(scenario: Scenario) -> SmallField:
    """Return the small picture of how a battle begins, for a button or slip."""
    picture = field_picture(new_game(scenario))
    return SmallField(picture.size, picture.grounds, tuple((unit.seat, unit.place) for unit in picture.units))


def field_picture(position: Position, sketch: Sketch = PLAIN) -> FieldPicture:
    """Return the picture of the field as it stands, with the sketch drawn on top."""
    scenario = position.scenario
    grounds = [_ground(terrain) for terrain in scenario.ground]
    if scenario.objective is not None:
        grounds.append(GroundSight("objective", scenario.objective.title, scenario.objective.outline))
    units = [unit_sight(position, unit, sketch.marks.get(unit.name, "")) for unit in position.units]
    units += [_ghost(position, *ghost) for ghost in sketch.ghosts]
    return FieldPicture(
        size=scenario.size,
        grounds=tuple(grounds),
        units=tuple(units),
        rings=_rings(position, sketch),
        lines=sketch.lines,
        grid=scenario.grid,
        focus=_focus(position, sketch),
        drags=sketch.drags,
        touch=sketch.touch,
        quarters=sketch.quarters,
        legend=legend(position),
    )


def legend(position: Position) -> tuple[tuple[str, str], ...]:
    """Return (sign, meaning) for the kinds of units on the field, then for their conditions."""
    there = {sign_of(position, unit.name) for unit in position.units}
    states = (("wavering", _("wavering")), ("brittle", _("brittle")), ("fatigued", _("fatigued")))
    return (*((sign, text) for sign, text in sign_meanings().items() if sign in there), *states)


def _ground(ground: Ground) -> GroundSight:
    look = next((look for words, look in _LOOKS if any(word in ground.name for word in words)), _KINDS[ground.kind])
    return GroundSight("hill" if ground.kind == "hill" else look, ground.title, ground.outline)


def unit_sight(position: Position, unit: Unit, mark: str = "") -> UnitSight:
    """Return the picture of a unit's base where it stands."""
    place = unit.place
    return UnitSight(
        name=unit.name,
        seat=SEATS[position.side(unit.name)],
        sign=sign_of(position, unit.name),
        place=place.at,
        facing_deg=place.facing_deg,
        depth=place.depth,
        status=unit.status,
        fatigued=unit.fatigue > 0,
        mark=mark,
    )


def _ghost(position: Position, name: str, place: Place, allowed: bool) -> UnitSight:
    seat = SEATS[position.side(name)]
    mark = "ghost" if allowed else "bad"
    return UnitSight(name, seat, sign_of(position, name), place.at, place.facing_deg, place.depth, mark=mark)


def _focus(position: Position, sketch: Sketch) -> Point | None:
    """Return the centre of the enlarged part: the unit, where it would go, or midway between both."""
    if not sketch.focus:
        return None
    ghost = next((place for name, place, _allowed in sketch.ghosts if name == sketch.focus), None)
    unit = position.unit(sketch.focus)
    if ghost is not None and unit is not None:
        return (ghost.x + unit.place.x) / 2, (ghost.y + unit.place.y) / 2
    return ghost.at if ghost is not None else unit.place.at if unit is not None else None


def _rings(position: Position, sketch: Sketch) -> tuple[RingSight, ...]:
    """Return rings for the reach of the division's commander, an Army General's presence, and the unit's fire.

    They lie where bases would stand. Where the Command Radius is measured from edge to edge, the command ring is drawn
    so that bases inside it are in command.
    """
    for ghost, place, _allowed in sketch.ghosts:
        position = position.with_unit(ghost, place=place)
    name = sketch.rings
    unit = position.unit(name)
    if unit is None:
        return ()
    division = position.division(name).name
    rings, edge = [], 0.5 if position.has("radius-from") else 0.0
    leader = position.leader(division)
    if leader is not None:
        reach = position.scenario.radius + position.authority(division) + edge
        rings.append(RingSight("command", leader.place.at, reach, SEATS[position.side(name)]))
    if position.scenario.units[name].type == "general":
        army = position.army(position.side(name))
        reach = position.scenario.radius + army.authority + edge
        rings.append(RingSight("general", unit.place.at, reach, SEATS[position.side(name)]))
    return (*rings, RingSight("fire", unit.place.at, FIRE_RANGE + 0.5))


def step_sketch(position: Position, step: Step | None) -> Sketch:
    """Return the sketch of a move or a shot; for any other step, of the units that the next owed step is about."""
    if isinstance(step, Advance | FallBack | Wheel):
        return _moving(position, step)
    if isinstance(step, Fire):
        return _firing(position, step.unit, step.target)
    due = position.due[0] if position.due else None
    if due is None:
        return PLAIN
    marks = dict.fromkeys(due.units, "chosen") | dict.fromkeys(due.against, "target")
    known = {name: mark for name, mark in marks.items() if position.unit(name) is not None}
    return Sketch(marks=known, focus=next(iter(known), ""))


def _moving(position: Position, step: Advance | FallBack | Wheel) -> Sketch:
    unit = position.unit(step.unit)
    if unit is None:
        return PLAIN
    end = end_of(position, unit, step)
    line = LineSight("move", unit.place.at, end.at)
    return Sketch({unit.name: "chosen"}, ((unit.name, end, True),), (line,), unit.name, unit.name)


def _firing(position: Position, name: str, target: str) -> Sketch:
    unit, enemy = position.unit(name), position.unit(target)
    if unit is None or enemy is None:
        return PLAIN
    line = LineSight("fire", unit.place.at, enemy.place.at)
    return Sketch({name: "chosen", target: "target"}, (), (line,), name, name)


def objection_words(position: Position, finding: Finding) -> str:
    """Return the reason against a step, with its citation."""
    return f"{why_words(position, finding)} ({finding.citation})"


def why_words(position: Position, finding: Finding) -> str:
    """Return the reason against a step, with the units' titles in place of their names."""
    return sentence(with_titles(position, bare_message(finding)))


def prompt(side: int, text: str, hint: str = "") -> Prompt:
    """Return the heading of a panel in the colour of the side that the table waits for.

    A panel that waits for either side has a plain title instead.
    """
    return Prompt(SEATS[side], text, hint)


class FieldPanel:
    """A panel beside the field."""

    def __init__(self, position: Position) -> None:
        self.position = position

    def face(self, blocks: tuple[Block, ...], actions: tuple[Button, ...], sketch: Sketch) -> Face:
        """Return the panel's blocks and buttons, with the picture of the field and the sketch on it."""
        return Face(blocks, actions, picture=field_picture(self.position, sketch))


class BattleForm(FieldPanel):
    """A panel beside the field that gathers one step."""

    _ruled: tuple[Step, Ruling] | None = None

    def step(self) -> Step:
        """Return the step as filled in so far."""
        raise NotImplementedError

    def ruling(self) -> Ruling:
        """Judge the step as filled in so far; the same step isn't judged twice."""
        step = self.step()
        if self._ruled is None or self._ruled[0] != step:
            self._ruled = step, game.judge(self.position, step)
        return self._ruled[1]

    def step_button(self, label: str) -> Button:
        """Return the button that takes the step; greyed out while the step is illegal, it leads to the ruling."""
        return confirm_button(label, "primary" if self.ruling().legal else "off")

    def touch(self, intent: Intent) -> Reply[Step]:
        """Take the step, cancel the form, or change what is filled in."""
        if intent.verb == "cancel":
            return Close()
        if intent.verb == "confirm":
            return Offer(self.step()) if self.ruling().legal else Why(self.step())
        return self.change(intent)

    def change(self, intent: Intent) -> Reply[Step]:
        """Handle a touch that fills something in or leads on."""
        raise NotImplementedError
