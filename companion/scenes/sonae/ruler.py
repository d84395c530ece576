"""The ruler: two units touched, and everything that the rules ask of where they stand, each with its citation."""

from __future__ import annotations

from dataclasses import replace

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.sonae.measure import MeasureScene
from companion.scenes.sonae.panels import why_words
from companion.scenes.sonae.picture import Sketch, field_picture
from companion.scenes.story.tables import GameTable
from companion.text.orders import sentence
from companion.text.sonae import kind_words, movements, status_words, title
from companion.ui.battlefield_picture import LineSight
from companion.ui.screen import Block, Button, Intent, Screen, Slip, Text, back_button
from engine.sonae import game
from engine.sonae.field import Place
from engine.sonae.options import charge
from engine.sonae.position import Position
from engine.sonae.ranges import Ruler, measure_unit
from engine.sonae.steps import Advance, Step

Table = GameTable[Position, Step]


class RulerScene(SubScene):
    """A ruler laid from one unit to another one; the third touch begins anew."""

    whole = False

    def __init__(self, table: Table, back: Scene, units: tuple[str, ...] = ()) -> None:
        super().__init__(back)
        self.table = table
        self.units = units

    @property
    def position(self) -> Position:
        """The battle as it stands."""
        return self.table.position

    def show(self) -> Screen:
        """Show what was measured, or what to touch first."""
        self.units = tuple(name for name in self.units if self.position.unit(name) is not None)
        actions = [back_button("primary")]
        if self.table.stage.senses.field_eye is not None:
            actions.append(Button(_("Measure"), Intent("measure"), sign="camera"))
        if len(self.units) == 2:
            actions.append(Button(_("Swap direction"), Intent("swap"), sign="redo"))
        return Screen(
            title=_("Ruler"),
            blocks=self._blocks(),
            actions=tuple(actions),
            page=self.page,
            board=field_picture(self.position, self._sketch()),
        )

    def _blocks(self) -> tuple[Block, ...]:
        if not self.units:
            return (Text(_("Touch two units.")),)
        unit = self.position.here(self.units[0])
        measured = measure_unit(self.position, *self.units)
        if len(self.units) == 1:
            text = f"{title(self.position, unit.name)}: {kind_words(self.position, unit.name)}, {status_words(unit)}"
            return (Text(text, "strong"), Text(_("Now touch the second unit."), "quiet"), *_slips(measured))
        start, end = (title(self.position, name) for name in self.units)
        heading = Text(_("From {one} to {other}").format(one=start, other=end), "strong")
        return (heading, *_slips(measured), *self._may_charge())

    def _may_charge(self) -> tuple[Block, ...]:
        """Show whether the first unit could charge the second one as they stand."""
        one, other = map(self.position.here, self.units)
        found = (
            charge(self.position, one, other) if self.position.side(one.name) != self.position.side(other.name) else ()
        )
        if not found:
            return ()
        step = found[0].step
        assert isinstance(step, Advance)
        ruling = game.judge(self.position, step)
        gone = movements(self.position.measure.distance(one.place.at, (step.x, step.y)))
        if ruling.legal:
            return (Slip(_("It can charge: {far} straight ahead.").format(far=gone), mark="yes"),)
        first = ruling.objections[0]
        text = why_words(self.position, first)
        return (Slip(_("It can't charge now: {why}").format(why=text), cite=str(first.citation), mark="no"),)

    def _sketch(self) -> Sketch:
        if not self.units:
            return Sketch(touch=True)
        first = self.units[0]
        sketch = Sketch({first: "chosen"}, focus=first, rings=first, quarters=first, touch=True)
        if len(self.units) < 2:
            return sketch
        one, other = (self.position.here(name).place for name in self.units)
        line = LineSight("ruler", *nearest_points(one, other), movements(self.position.measure.gap(one, other)))
        return replace(sketch, marks={first: "chosen", self.units[1]: "target"}, lines=(line,))

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch: choose a unit, swap the direction, use the camera, or go back."""
        if intent.verb == "unit":
            self.units = (intent.what,) if len(self.units) != 1 else tuple(dict.fromkeys((*self.units, intent.what)))
        elif intent.verb == "swap":
            self.units = self.units[::-1]
        elif intent.verb == "measure" and self.table.stage.senses.field_eye is not None:
            return MeasureScene(self.table, self.table.stage.senses.field_eye, self)
        return super().touch(intent)


def _slips(measured: Ruler) -> tuple[Block, ...]:
    """Return one slip for each thing that was measured."""
    signs = ("in_range", "in_command", "general_near")
    between = [fact for fact in measured.facts if fact.name not in signs[1:]]
    facts = (*between, *(fact for fact in measured.facts if fact not in between))
    return tuple(
        Slip(
            sentence(fact.text),
            cite=str(fact.citation),
            mark=("yes" if fact.holds else "no") if fact.name in signs else "",
        )
        for fact in facts
    )


def nearest_points(one: Place, other: Place) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ends of a ruler laid between two bases, from edge to edge."""
    return _edge(one, _edge(other, one.at)), _edge(other, _edge(one, other.at))


def _edge(base: Place, point: tuple[float, float]) -> tuple[float, float]:
    """Return the point of a base that is nearest to the given one."""
    right, forward = base.inside(point)
    return base.outside(min(max(right, -0.5), 0.5), min(max(forward, -base.depth / 2), base.depth / 2))
