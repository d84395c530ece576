"""Questions and measuring: the ruler, the field by camera, what a unit may do and why, why so many dice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.core.background import Errand
from companion.core.language import _, plural
from companion.measuring.field import MovedUnit, Sighting, corner_name, misplaced_words
from companion.measuring.live_markers import FieldEye
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.disputes.ruling import ruling_on
from companion.scenes.sonae.field import Sketch, field_picture, why_words
from companion.scenes.sonae.rolls import chances, pool_blocks
from companion.scenes.story.presenter import ArgumentQuestion, with_picture
from companion.scenes.story.tables import GameTable
from companion.text.orders import join_words, sentence
from companion.text.sonae import (
    brief_question,
    division_title,
    kind_words,
    movements,
    roll_title,
    status_words,
    step_words,
    title,
)
from companion.ui.battlefield_picture import LineSight
from companion.ui.screen import Block, Button, Intent, Photo, Screen, Slip, Text, back_button
from engine.sonae import game
from engine.sonae.field import Place
from engine.sonae.game import Option, charge_options, owed, unit_options
from engine.sonae.orders import end_of
from engine.sonae.position import Position
from engine.sonae.ranges import Ruler, measure_unit
from engine.sonae.steps import Advance, Step
from intake.jpeg import size_px

Table = GameTable[Position, Step]


class MeasureScene(BackScene):
    """Measures the field by camera at once, and again when asked; the screen changes when the look is done.

    laying: the field is being laid out, so a unit that stands elsewhere hasn't moved, but needs putting right.
    """

    def __init__(self, table: Table, eye: FieldEye, back: Scene, laying: bool = False) -> None:
        super().__init__(back)
        self.table = table
        self.laying = laying
        self.eye = eye
        self.seen: Sighting | None = None
        self.photo = False
        self._errand: Errand[Sighting | None] = Errand("measure")
        self.look()

    def look(self) -> None:
        """Start measuring the table as it is now."""
        position, eye = self.table.position, self.eye
        self.seen, self._asked_of = None, position
        self._errand.begin(lambda: eye.look(position))

    def tick(self, _now_s: float) -> Scene | None:
        """Collect what was seen once the look is done; return this scene then, else None."""
        if self._errand.idle:
            return None
        self.seen = self._errand.fetch()
        return self if self._looked else None

    # ---- what it shows -----------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show what the camera saw, one difference after another."""
        picture = Button(_("The field") if self.photo else _("The picture"), Intent("photo"), "quiet", "camera")
        again = Button(_("Look again"), Intent("look"), "primary" if self._looked else "off", "recon_post")
        actions = (back_button(), picture, again)
        blocks = self._photo() if self.photo else self._blocks()
        board = field_picture(self.table.position, self._sketch())
        return Screen(title=_("Camera measurement"), blocks=blocks, actions=actions, page=self.page, board=board)

    @property
    def _looked(self) -> bool:
        return self._errand.idle

    def _photo(self) -> tuple[Block, ...]:
        data = self.eye.picture()
        size = size_px(data) if data else None
        return (Photo(data, size),) if data and size else (Text(_("No picture yet."), "quiet"),)

    def _blocks(self) -> tuple[Block, ...]:
        if not self._looked:
            return (Text(_("Looking …"), "quiet"),)
        seen = self.seen
        if seen is None or seen.fault:
            why = seen.fault if seen is not None else self.eye.fault
            return (Text(_("Couldn't measure: {why}").format(why=sentence(why)), "bad"),)
        if seen.in_sync:
            many = plural("{n} base is", "{n} bases are", len(seen.places))
            return (Text(_("{bases} where the game has it.").format(bases=many), "good"), *self._asides(seen))
        moved = tuple(self._slip(i, moved_unit) for i, moved_unit in enumerate(seen.moved))
        return (*moved, *self._asides(seen))

    def _slip(self, index: int, moved_unit: MovedUnit) -> Slip:
        """Return the slip of a moved unit with the order that explains it; a touch records that, or says why not."""
        position = self.table.position
        if self.laying:
            facts = {
                "unit": title(position, moved_unit.unit),
                "far": movements(moved_unit.gone),
                "deg": f"{moved_unit.turned_deg:.0f}",
            }
            return Slip(_("{unit} is {far} off its place and turned {deg}°.").format(**facts), mark="no")
        text = self._orders_words(moved_unit)
        if moved_unit.legal or moved_unit.orders:
            return Slip(text, _("Touch to make this move."), intent=Intent("take", "", index), mark="yes")
        first = moved_unit.ruling.objections[0]
        why = why_words(position, first)
        return Slip(text, why, str(first.citation), Intent("take", "", index), "no")

    def _orders_words(self, moved_unit: MovedUnit) -> str:
        """Return the order, or the two orders, that explain where a unit was seen."""
        position, lines = self.table.position, []
        for step in moved_unit.orders or (moved_unit.step,):
            lines.append(step_words(step, position))
            position = position.with_unit(moved_unit.unit, place=end_of(position, position.here(moved_unit.unit), step))
        return " ".join(lines)

    def _asides(self, seen: Sighting) -> tuple[Block, ...]:
        """Return what was not seen, was seen only doubtfully, or should not be on the table."""
        forms = (
            (seen.unseen, _("Can't see: {units}. A hand or another base may be in the way.")),
            (seen.doubtful, _("Not sure of {units}: please check.")),
            (seen.left, _("Out of the battle but still on the table: {units}.")),
        )
        remarks = [
            form.format(units=join_words(title(self.table.position, name) for name in names))
            for names, form in forms
            if names
        ]
        marks = (
            (seen.strangers, _("Unknown markers: {numbers}.")),
            (seen.twice, _("Markers seen twice, so ignored: {numbers}.")),
        )
        remarks += [form.format(numbers=join_words(map(str, numbers))) for numbers, form in marks if numbers]
        if seen.missing:
            form = _("Can't see corner markers: {corners}. Measured without them, less accurately.")
            remarks.append(form.format(corners=join_words(map(corner_name, seen.missing))))
        wrong = [misplaced_words(number, how) for number, how in seen.misplaced.items()]
        remarks += [_("{what} Measured without it; fix it and look again.").format(what=fault) for fault in wrong]
        return tuple(Text(text, "warn") for text in remarks)

    def _sketch(self) -> Sketch:
        """Return the sketch of where moved bases were seen."""
        moved = self.seen.moved if self.seen is not None else ()
        unseen = self.seen.unseen if self.seen is not None else ()
        lines = tuple(LineSight("move", moved_unit.was.at, moved_unit.now.at) for moved_unit in moved)
        marks = dict.fromkeys((moved_unit.unit for moved_unit in moved), "chosen") | dict.fromkeys(unseen, "spent")
        focus = moved[0].unit if moved else ""
        return Sketch(
            marks,
            tuple(
                (moved_unit.unit, moved_unit.now, moved_unit.legal or bool(moved_unit.orders)) for moved_unit in moved
            ),
            lines,
            focus,
        )

    # ---- touches -----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Record a move, show the picture, look again, or go back."""
        match intent.verb:
            case "photo":
                self.photo = not self.photo
            case "look" if self._looked:
                self.look()
            case "take" if self.seen is not None and 0 <= intent.n < len(self.seen.moved):
                return self._take(self.seen.moved[intent.n])
            case "back":
                self._errand.close()
        return super().touch(intent)

    def _take(self, moved_unit: MovedUnit) -> Scene | None:
        """Record a legal move unless the game has gone on since; otherwise open the ruling on it."""
        if self.laying:
            return None
        if not (moved_unit.legal or moved_unit.orders) or self.table.position is not self._asked_of:
            return ruling_on(self.table, moved_unit.step, self)
        self._errand.close()
        for step in moved_unit.orders or (moved_unit.step,):
            following = self.table.offer(step)
            if following is not None:
                return following
        return self.table


def questions(table: Table, back: Scene) -> tuple[ArgumentQuestion, ...]:
    """Return the questions that an argument about this battle can ask now."""
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
    """Whether a unit may be given each order now: each answer leads to its ruling."""

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
        """Choose a unit, open the ruling on one of its orders, or go back."""
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
            blocks = (*pool_blocks(now.pool), chances(now.pool))
        picture = self.table.presenter.picture(self.table.position)
        return with_picture(Screen(heading, blocks, (back_button("primary"),), page=self.page), picture)


class RulerScene(BackScene):
    """A ruler from one unit to another; a third touch starts over."""

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
        """Choose a unit, swap the direction, measure by camera, or go back."""
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
