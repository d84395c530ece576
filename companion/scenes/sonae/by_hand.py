"""The record corrected by hand: where a unit stands and faces, its condition, whether it is there; the orders left.

Everything that was changed is one *agreed* step, which both players confirm.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.core.language import _
from companion.scenes.base.consent import ConsentScene
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.disputes.ruling import ruling_on
from companion.scenes.sonae.field import Sketch, field_picture, objection_words
from companion.scenes.sonae.moving import ARROWS, HANDLE, fine_steps
from companion.scenes.sonae.unit import nearest_unit
from companion.scenes.story.tables import GameTable
from companion.text.sonae import short_title, step_words, title
from companion.ui.battlefield_picture import is_near, place_of
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Choice,
    Intent,
    Look,
    Screen,
    Stepper,
    Steppers,
    Text,
    back_button,
    confirm_button,
)
from companion.ui.small_map import Point
from engine.sonae import game
from engine.sonae.field import SIDES_DEG
from engine.sonae.position import FATIGUED, STATUSES, Position, Unit
from engine.sonae.steps import Agreed, Step

Table = GameTable[Position, Step]
Row = dict[str, object]
TURN_DEG = 15.0
MOST_ORDERS = 20


class ByHandScene(BackScene):
    """The field, to correct units by touch; units that have left the battle can be brought back."""

    def __init__(self, table: Table, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.changes: dict[str, Row | None] = {}
        self.orders = table.position.orders
        self.name = ""
        self._offset: Point | None = None

    @property
    def position(self) -> Position:
        """The battle as the record has it."""
        return self.table.position

    def step(self) -> Agreed | None:
        """Return the step with all changes; None if nothing has changed."""
        orders = self.orders if self.position.acting and self.orders != self.position.orders else None
        if not self.changes and orders is None:
            return None
        return Agreed(dict(self.changes), orders, note=_("set by hand"))

    # ---- what it shows -----------------------------------------------------------------------------

    def show(self) -> Screen:
        """Show the chosen unit, or what to touch first, followed by the changes made so far."""
        step = self.step()
        objections = () if step is None else game.judge(self.position, step).objections
        wrong = tuple(Text(objection_words(self.position, objection), "bad") for objection in objections[:1])
        look: Look = "primary" if step is not None and not objections else "off"
        marks = {name: "live" for name, row in self.changes.items() if row is not None} | {self.name: "chosen"}
        sketch = Sketch(marks, focus=self.name, quarters=self.name, drags=True)
        return Screen(
            title=title(self.position, self.name) if self.name else _("Fix by hand"),
            blocks=(*(self._unit() if self.name else self._all()), *wrong),
            actions=(back_button(), confirm_button(_("Set by hand"), look, Intent("record"))),
            page=self.page,
            board=field_picture(self._as_set(), sketch),
        )

    def _as_set(self) -> Position:
        """Return the battle as it would be after the changes; illegal ones are left as recorded."""
        step = self.step()
        if step is None or not game.judge(self.position, step).legal:
            return self.position
        return game.apply(self.position, replace(step, winner=""))

    def _all(self) -> tuple[Block, ...]:
        """Show what to touch, the units that have left, and the orders of the acting division."""
        blocks: list[Block] = [Text(_("Touch the unit that needs correcting."))]
        if self.position.acting:
            blocks.append(Steppers((Stepper(_("Orders left"), self.orders, MOST_ORDERS, "orders", ""),)))
        gone = [name for name in self.position.scenario.units if self.position.unit(name) is None]
        if gone:
            buttons = tuple(Button(title(self.position, name), Intent("gone", name)) for name in gone)
            blocks += [Text(_("Out of the battle – touch to bring back:"), "quiet"), Buttons(buttons, 2)]
        step = self.step()
        return (*blocks, *((Text(step_words(step, self.position), "warn"),) if step is not None else ()))

    def _unit(self) -> tuple[Block, ...]:
        """Show the unit's status and fatigue, the arrows, and a way to take the unit away."""
        unit = self._now()
        if unit is None:
            text = _("{unit} has left the battle.").format(unit=short_title(self.position, self.name))
            back = Button(_("Put it back"), Intent("keep"))
            return Text(text), Buttons((back,), 1)
        labels = {"fresh": _("fresh"), "wavering": _("wavering"), "brittle": _("brittle")}
        statuses = tuple(
            Button(labels[status], Intent("status", status), "chosen" if unit.status == status else "plain")
            for status in STATUSES
        )
        tired = Button(_("Fatigued"), Intent("tired"), "chosen" if unit.fatigue else "plain", "moon")
        lost = Button(_("Out of the battle"), Intent("lost"), "danger", "cross")
        arrows = tuple(Button("", Intent("key", way), sign=f"arrow-{way}", repeats=True) for way in ARROWS)
        angle = _("{n}°").format(n=f"{self._turn():.0f}")
        turns = tuple(
            Button(angle, Intent("turn", "", n), sign=sign, repeats=True) for n, sign in ((-1, "undo"), (1, "redo"))
        )
        return Choice(_("Status"), statuses), Buttons((tired, lost), 2), Buttons((*arrows, *turns), 4)

    # ---- what is set -------------------------------------------------------------------------------

    def _now(self) -> Unit | None:
        """Return the unit as set so far; None if it has left the battle."""
        row = self.changes.get(self.name, {})
        if row is None:
            return None
        before = self.position.unit(self.name) or Unit(self.name, self.position.scenario.units[self.name].start)
        kept: dict[str, Any] = {key: row[key] for key in ("status", "fatigue") if key in row}
        where = {"x": "x", "y": "y", "facing": "facing_deg"}
        place = replace(before.place, **{name: float(str(row[key])) for key, name in where.items() if key in row})
        return replace(before, place=place, **kept)

    def _set(self, **values: object) -> None:
        if self.name:
            self.changes[self.name] = {**(self.changes.get(self.name) or {}), **values}

    def _turn(self) -> float:
        return SIDES_DEG.get(self.position.scenario.grid, TURN_DEG)

    # ---- touches -----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Scene | None:
        """Choose a unit, change something, record the changes, or go back."""
        match intent.verb:
            case "back" if self.name:
                self.name = ""
            case "back" | "page":
                return super().touch(intent)
            case "record":
                return self._record()
            case "unit" | "gone":
                self.name = intent.what
                if intent.verb == "gone":
                    self._set()
            case "field":
                self._lead(intent)
            case "orders":
                self.orders = min(max(self.orders + intent.n, 0), MOST_ORDERS)
            case _:
                self._change(intent)
        return None

    def _change(self, intent: Intent) -> None:
        unit = self._now() if self.name else None
        if intent.verb == "keep":
            self.changes.pop(self.name, None)
        if unit is None:
            return
        match intent.verb:
            case "status":
                self._set(status=intent.what)
            case "tired":
                self._set(fatigue=0 if unit.fatigue else FATIGUED)
            case "lost":
                self.changes[self.name] = None
            case "turn":
                self._set(facing=(unit.place.facing_deg + intent.n * self._turn()) % 360.0)
            case "key" if intent.what in ARROWS:
                (across, along), (dx, dy) = fine_steps(self.position), ARROWS[intent.what]
                self._go((unit.place.x + dx * across, unit.place.y + dy * along))

    def _go(self, at: Point) -> None:
        self._set(x=round(at[0], 2), y=round(at[1], 2))

    def _lead(self, intent: Intent) -> None:
        """Drag the chosen base with the finger, or choose another base that was touched."""
        at, unit = place_of(intent), self._now() if self.name else None
        if intent.n == 0:
            near = unit is not None and is_near(at, unit.place.at, HANDLE)
            self._offset = (unit.place.x - at[0], unit.place.y - at[1]) if near and unit is not None else None
        elif self._offset is not None:
            self._go((at[0] + self._offset[0], at[1] + self._offset[1]))
        elif intent.n == 2 and (other := nearest_unit(self._as_set(), at)) is not None:
            self.name = other.name

    def _record(self) -> Scene | None:
        """Ask both players to agree; an impossible change opens its ruling instead."""
        step = self.step()
        if step is None:
            return None
        if not game.judge(self.position, step).legal:
            return ruling_on(self.table, step, self.table)
        asked = _("Set by hand?"), step_words(step, self.position)
        return ConsentScene(asked, self.table.people, lambda: self.table.offer(step) or self.table, self)
