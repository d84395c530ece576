"""What is asked in an argument about a battle: the ruler, what one unit may do and why, why so many dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.disputes.ruling import ruling_on
from companion.scenes.sonae.field import Sketch, field_picture, why_words
from companion.scenes.sonae.measure import MeasureScene
from companion.scenes.sonae.rolls import chances, parts_of
from companion.scenes.story.presenter import ArgumentQuestion, with_picture
from companion.scenes.story.tables import GameTable
from companion.text.orders import sentence
from companion.text.sonae import brief_question, division_title, kind_words, movements, roll_title, status_words, title
from companion.ui.battlefield_picture import LineSight
from companion.ui.screen import Block, Button, Intent, Screen, Slip, Text, back_button
from engine.sonae import game
from engine.sonae.field import Place
from engine.sonae.game import Option, charge_options, owed, unit_options
from engine.sonae.position import Position
from engine.sonae.ranges import Ruler, measure_unit
from engine.sonae.steps import Advance, Step

Table = GameTable[Position, Step]


def questions(table: Table, back: Scene) -> tuple[ArgumentQuestion, ...]:
    """Return the questions that can be asked now."""
    asked = [
        ArgumentQuestion(
            _("Ruler"), lambda: RulerScene(table, back), "recon_post", _("in range? in command? which quarter?")
        ),
        ArgumentQuestion(
            _("Can this unit …?"),
            lambda: MayScene(table, back),
            "shell",
            _("charge, fire, move or rally – and why not"),
        ),
    ]
    now = owed(table.position)
    if now is not None and now.pool is not None:
        asked.append(ArgumentQuestion(_("Why so many dice?"), lambda: DiceScene(table, back), "question"))
    return tuple(asked)


class MayScene(BackScene):
    """What a unit may do now, and why not: each answer leads to its ruling."""

    def __init__(self, table: Table, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.name = ""

    def show(self) -> Screen:
        """Show the unit's orders as questions, or what to touch first."""
        return self._screen(self._slip)

    def show_to(self, _seat: str) -> Screen:
        """Show only yes and no, as there is half the room; each answer leads to its reasons."""
        return self._screen(lambda n, option: replace(self._slip(n, option), text="", cite=""))

    def _screen(self, slip: Callable[[int, Option], Slip]) -> Screen:
        position = self.table.position
        unit = position.unit(self.name)
        sketch = Sketch({self.name: "chosen"}, (), (), self.name, self.name, self.name) if unit else Sketch()
        blocks: tuple[Block, ...] = (Text(_("Touch a unit on the field.")),)
        if unit is not None:
            division = division_title(position, position.division(self.name).name)
            facts = f"{division} · {kind_words(position, self.name)}"
            slips = (slip(n, option) for n, option in enumerate(self._options()))
            blocks = (Text(f"{facts} · {status_words(unit)}", "quiet"), *slips)
        heading = title(position, self.name) if unit is not None else _("Can this unit …?")
        back = (back_button("primary"),)
        return Screen(
            title=heading,
            blocks=blocks,
            actions=back,
            page=self.page,
            board=field_picture(position, replace(sketch, touch=True)),
        )

    def _options(self) -> tuple[Option, ...]:
        unit = self.table.position.unit(self.name)
        return unit_options(self.table.position, unit).orders if unit is not None else ()

    def _slip(self, index: int, option: Option) -> Slip:
        position = self.table.position
        why, cite = _("Yes."), ""
        if option.objections:
            first = option.objections[0]
            why, cite = why_words(position, first), str(first.citation)
        mark = "yes" if option.legal else "no"
        return Slip(brief_question(option.step, position), why, cite, Intent("ask", "", index), mark)

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch: choose a unit, ask a question, or go back."""
        if intent.verb == "unit":
            self.name, self.page = intent.what, 0
        elif intent.verb == "ask" and 0 <= intent.n < len(self._options()):
            step = self._options()[intent.n].step
            return ruling_on(self.table, step, self)
        return super().touch(intent)


class DiceScene(BackScene):
    """Why the roll that is owed has so many dice, and its chances."""

    def __init__(self, table: Table, back: Scene) -> None:
        super().__init__(back)
        self.table = table

    def show(self) -> Screen:
        """Show the parts of the dice pool, each with its source."""
        now = owed(self.table.position)
        blocks: tuple[Block, ...] = (Text(_("No roll right now."), "quiet"),)
        heading = _("Why so many dice?")
        if now is not None and now.pool is not None:
            heading = sentence(roll_title(self.table.position, now.due)).rstrip(".")
            blocks = (*parts_of(now.pool), chances(now.pool))
        picture = self.table.presenter.picture(self.table.position)
        return with_picture(Screen(heading, blocks, (back_button("primary"),), page=self.page), picture)


class RulerScene(BackScene):
    """A ruler laid from one unit to another one; the third touch begins anew."""

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
            charge_options(self.position, one, other)
            if self.position.side(one.name) != self.position.side(other.name)
            else ()
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
        start, end = _edge(one, _edge(other, one.at)), _edge(other, _edge(one, other.at))
        line = LineSight("ruler", start, end, movements(self.position.measure.gap(one, other)))
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
    facts = sorted(measured.facts, key=lambda fact: fact.name in signs[1:])  # what is between the two comes first
    return tuple(
        Slip(
            sentence(fact.text),
            cite=str(fact.citation),
            mark=("yes" if fact.holds else "no") if fact.name in signs else "",
        )
        for fact in facts
    )


def _edge(base: Place, point: tuple[float, float]) -> tuple[float, float]:
    """Return the point of a base that is nearest to the given one."""
    right, forward = base.offset_of(point)
    return base.point_at(min(max(right, -0.5), 0.5), min(max(forward, -base.depth / 2), base.depth / 2))
