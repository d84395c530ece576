"""Orders of an activation: a unit is chosen, then what it does; the field shows it before it is confirmed."""

from __future__ import annotations

from companion.core.language import _, plural
from companion.scenes.base.halves import undo_button
from companion.scenes.base.panels import Close, Face, Offer, Open, Reply, Why
from companion.scenes.base.rules import rule_button
from companion.scenes.sonae.moving import MovePanel
from companion.scenes.sonae.panels import FieldPanel, prompt, why_words, without
from companion.scenes.sonae.picture import Sketch, sketch_of
from companion.text.orders import listed, sentence
from companion.text.percent import chance_percent
from companion.text.sonae import division_title, kind_words, movements, pool_words, short_title, status_words, title
from companion.ui.battlefield_picture import Point, is_near, place_of
from companion.ui.screen import Block, Button, Buttons, Intent, Look, Text, back_button, confirm_button
from engine.sonae import game
from engine.sonae.options import SHORTER, Option, UnitOptions, options, unit_options
from engine.sonae.pools import pool_of
from engine.sonae.position import Position, Unit
from engine.sonae.ranges import in_command, melees
from engine.sonae.steps import Done, Fire, Rally, Step

FEW = 4
REACH = 1.2
"""A finger so near to a base, in Movements, means it."""


class OrdersPanel(FieldPanel):
    """The division's units, each with what it may do; touched here or on the field.

    watched: a camera may measure the field; else there is the ruler.
    """

    def __init__(self, position: Position, watched: bool = False) -> None:
        super().__init__(position)
        self.options = options(position)
        self.watched = watched

    def show(self) -> Face:
        """How many orders are left, the units, and the end of the activation."""
        position = self.position
        names = {one.unit for one in self.options.units}
        marks = {
            name: "live" if any(one.may for one in self.options.units if one.unit == name) else "spent"
            for name in names
        }
        units = tuple(self._button(one) for one in self.options.units)
        done = Button(_("No more orders") if not position.bonus else _("Skip it"), Intent("done"), sign="tick")
        blocks: tuple[Block, ...] = (self._prompt(), Buttons(units, 2 if len(units) <= FEW else 3))
        ruler = Button(_("Ruler"), Intent("ruler"), "quiet", "recon_post")
        if self.watched:
            ruler = Button(_("Measure"), Intent("measure"), sign="camera")
        return self.face(blocks, (undo_button(), ruler, done), Sketch(marks=marks, touch=True))

    def show_to(self, seat: str) -> Face:
        """In half the room the ruler is found where an argument is settled."""
        del seat
        return without(self.show(), "ruler")

    def _prompt(self) -> Block:
        position = self.position
        if position.bonus:
            side = position.side(position.bonus[0])
            hint = _("Touch the unit to use it.")
            if position.spare:
                hint += " " + _("{n} more after this.").format(n=position.spare)
            return prompt(side, _("Bonus order from Shock – use it now"), hint)
        division = position.scenario.divisions[position.acting]
        left = plural("{n} order left", "{n} orders left", position.orders)
        text = f"{division_title(position, position.acting)}: {left}"
        fights = sum(bool(set(division.units) & set(group)) for group in melees(position))
        hint = _("Touch a unit, here or on the field.")
        if fights:
            hint += " " + plural("{n} melee to fight at the end.", "{n} melees to fight at the end.", fights)
        return prompt(division.side, text, hint)

    def _button(self, one: UnitOptions) -> Button:
        unit = self.position.here(one.unit)
        look: Look = "plain" if one.may else "off"
        return Button(
            short_title(self.position, one.unit), Intent("unit", one.unit), look, note=_note(self.position, unit)
        )

    def change(self, intent: Intent) -> Reply[Step]:
        """Open a unit, or end the activation."""
        if intent.verb == "done":
            return Offer(Done())
        if intent.verb == "unit":
            return opened(self.position, intent.what)
        return None


def _note(position: Position, unit: Unit) -> str:
    """How a unit is, in few words."""
    words = [] if unit.status == "fresh" and not unit.fatigue else [status_words(unit)]
    if unit.orders:
        words.append(plural("{n} order", "{n} orders", unit.orders))
    if not in_command(position, unit.name):
        words.append(_("out of command"))
    return ", ".join(words)


def opened(position: Position, name: str) -> Reply[Step]:
    """The panel of a unit; of one that has no orders now, what it is and why not."""
    return Open(UnitPanel(position, name)) if position.unit(name) is not None else None


def may_have(position: Position, name: str) -> bool:
    """Whether a unit is of those that may be given orders now."""
    if position.due or position.winner is not None:
        return False
    names = position.bonus or (position.scenario.divisions[position.acting].units if position.acting else ())
    return name in names


class UnitPanel(FieldPanel):
    """One unit, enlarged, and all that it might be ordered; what it may not says why."""

    def __init__(self, position: Position, name: str) -> None:
        super().__init__(position)
        self.name = name
        self.options = unit_options(position, position.here(name)) if may_have(position, name) else None
        self._down: Point | None = None

    def show(self) -> Face:
        """Its state, and a button an order."""
        position, unit = self.position, self.position.here(self.name)
        facts = [kind_words(position, self.name), status_words(unit)]
        if unit.orders:
            facts.append(plural("{n} order so far", "{n} orders so far", unit.orders))
        if not in_command(position, self.name):
            facts.append(_("out of command: one order only"))
        head = prompt(position.side(self.name), title(position, self.name), sentence(", ".join(facts)))
        if self.options is not None:
            orders: Block = Buttons(self._buttons(), 2)
        else:
            ruling = game.judge(position, Rally(self.name))  # why it has no orders now
            orders = Text(why_words(position, ruling.objections[0]) if ruling.objections else "", "quiet")
        back = Button(_("Back"), Intent("cancel"), "quiet")
        legal = self.options.may if self.options is not None else ()
        marks = {self.name: "chosen"} | {one.target: "target" for one in legal if one.target}
        drags = self.options is not None
        sketch = Sketch(marks, (), (), self.name, self.name, self.name, drags, touch=not drags)
        return self.face((head, orders), (back, rule_button("orders")), sketch)

    def _buttons(self) -> tuple[Button, ...]:
        """Moves, charges, fire, rally; of the turns one button, which leads to the form."""
        assert self.options is not None
        shown = [one for one in self.options.orders if one.kind != "turn" or one.aside == "right"]
        ordered = sorted(shown, key=lambda one: not one.legal)
        return tuple(self._button(one, self.options.orders.index(one)) for one in ordered)

    def _button(self, one: Option, index: int) -> Button:
        assert self.options is not None
        legal = one.legal or (
            one.kind == "turn" and any(other.kind == "turn" and other.legal for other in self.options.orders)
        )
        note = self._note(one) if legal else why_words(self.position, one.objections[0])
        return Button(
            self._label(one), Intent("order", one.kind, index), "plain" if legal else "off", SIGNS[one.kind], note
        )

    def _label(self, one: Option) -> str:
        labels = {
            "advance": _("Advance"),
            "charge": _("Charge {enemy}"),
            "fall_back": _("Fall back"),
            "turn": _("Turn"),
            "fire": _("Fire at {enemy}"),
            "rally": _("Rally"),
        }
        return labels[one.kind].format(enemy=title(self.position, one.target) if one.target else "")

    def _note(self, one: Option) -> str:
        """What it comes to: how far, or with what chance."""
        assert self.options is not None
        if one.kind in ("advance", "fall_back"):
            length = self.options.ahead if one.kind == "advance" else self.options.back
            return _("up to {far}").format(far=movements(length))
        if one.kind in ("fire", "rally"):
            return _("{chance} to hit").format(chance=self._chance(one)) if one.kind == "fire" else self._chance(one)
        return ""

    def _chance(self, one: Option) -> str:
        after = game.apply(self.position, one.step)
        return chance_percent(pool_of(after, after.due[0]).chance) if after.due else ""

    def change(self, intent: Intent) -> Reply[Step]:
        """An order, another unit, or a place on the field to go to."""
        if intent.verb == "order" and self.options is not None:
            return self._chosen(self.options.orders[intent.n])
        if intent.verb == "unit":
            return opened(self.position, intent.what)
        if intent.verb == "cancel":
            return Close()
        if intent.verb == "field":
            return self._touched(intent)
        return None

    def _chosen(self, one: Option) -> Reply[Step]:
        if one.kind == "turn":
            return Open(MovePanel(self.position, self.name, one.step, self))
        if one.kind in ("advance", "charge", "fall_back"):
            return (
                Open(MovePanel(self.position, self.name, one.step, self))
                if one.legal or all(objection.rule in SHORTER for objection in one.objections)
                else Why(one.step)
            )
        return Open(ConfirmPanel(self.position, one.step, self)) if one.legal else Why(one.step)

    def _touched(self, intent: Intent) -> Reply[Step]:
        """A finger on the field: on another unit, it opens that one; anywhere else the unit is to go there."""
        at = place_of(intent)
        if intent.n == 0:
            self._down = at
        if self._down is None or intent.n == 0:
            return None
        begun_here = is_near(self._down, self.position.here(self.name).place.at, REACH)
        if intent.n == 1 and not (begun_here and not is_near(self._down, at, 0.4)):
            return None
        other = nearest(self.position, at, self.name)
        if intent.n == 2 and not begun_here and other is not None:
            return self._met(other)
        if is_near(at, self.position.here(self.name).place.at, 0.5):
            return None
        return Open(MovePanel.towards(self.position, self.name, at, self))

    def _met(self, other: Unit) -> Reply[Step]:
        """Another unit was touched: an enemy is charged or fired at, where there is one way only."""
        assert self.options is not None
        ways = [one for one in self.options.may if one.target == other.name]
        return self._chosen(ways[0]) if len(ways) == 1 else opened(self.position, other.name)


SIGNS = {"advance": "advance", "charge": "shell", "fall_back": "undo", "turn": "redo", "fire": "bow", "rally": "flower"}


def nearest(position: Position, at: Point, but: str = "") -> Unit | None:
    """The unit that a finger at a place means."""
    near = [one for one in position.units if one.name != but and is_near(at, one.place.at, REACH * 0.75)]
    return min(near, key=lambda one: (one.place.x - at[0]) ** 2 + (one.place.y - at[1]) ** 2, default=None)


class ConfirmPanel(FieldPanel):
    """Fire or a rally, shown on the field with its dice, before it is confirmed."""

    def __init__(self, position: Position, step: Step, back: UnitPanel) -> None:
        super().__init__(position)
        self.step = step
        self.back = back

    def show(self) -> Face:
        """What is rolled then, and by the enemy too."""
        after = game.apply(self.position, self.step)
        rolls = [due for due in after.due if due.kind in ("fire", "reply", "rally")]
        facts: list[Block] = []
        for due in rolls:
            heading = listed(title(self.position, name) for name in due.units)
            facts += [Text(heading, "strong"), Text(pool_words(pool_of(after, due)))]
        step = self.step
        if isinstance(step, Fire):
            text = _("Fire at {enemy}").format(enemy=title(self.position, step.target))
            hint = _("Both roll; a unit that is hit tests Morale.")
        else:
            text, hint = _("Rally"), _("Morale test: on a success it recovers one status.")
        head = prompt(self.position.side(self.back.name), text, hint)
        rule = rule_button("ranged-combat" if isinstance(step, Fire) else "rally")
        ways = (back_button(), rule, confirm_button(_("Confirm")))
        return self.face((head, *facts), ways, sketch_of(self.position, step))

    def change(self, intent: Intent) -> Reply[Step]:
        """Do it, or back."""
        if intent.verb == "confirm":
            return Offer(self.step)
        return Open(self.back) if intent.verb in ("back", "cancel") else None
