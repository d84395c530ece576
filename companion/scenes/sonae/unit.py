"""A unit that is given orders: what it may do by one touch, and where a finger drags it on the field."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from companion.core.language import _, plural
from companion.scenes.base.panels import Face, Offer, Open, Reply, Why, undo_button
from companion.scenes.sonae.field import FieldPanel, Sketch, prompt, why_words
from companion.scenes.sonae.moving import MovePanel
from companion.text.orders import sentence
from companion.text.percent import chance_percent
from companion.text.sonae import kind_words, short_title, status_words, title
from companion.ui.battlefield_picture import is_near, place_of
from companion.ui.screen import Block, Button, Buttons, Intent, Text, back_button
from companion.ui.small_map import Point
from engine.sonae import game
from engine.sonae.game import SHORTER, Option, unit_options
from engine.sonae.orders import end_of
from engine.sonae.pools import pool_of
from engine.sonae.position import Position, Unit
from engine.sonae.ranges import is_flanked, is_in_command
from engine.sonae.steps import Advance, Done, FallBack, Rally, Step
from engine.words import decimal

REACH = 1.2
"""A finger within three quarters of this from a base, in Movements, means it."""
STRAYS = 0.4
"""A finger that moves so far over the field, in Movements, drags the unit it came down on."""
FEW, MOST_SHOTS = 4, 2
SIGNS = {"advance": "advance", "charge": "shell", "fall_back": "undo", "turn": "redo", "fire": "bow", "rally": "flower"}
RANK = {"fire": 0, "charge": 1, "rally": 2, "advance": 3, "turn": 4, "fall_back": 5}
"""The kinds of order, the likeliest to be given first: a unit that may fire or charge seldom marches."""


def nearest_unit(position: Position, at: Point) -> Unit | None:
    """Return the unit nearest to a finger at this place; None if no unit is near enough."""
    near = [unit for unit in position.units if is_near(at, unit.place.at, REACH * 0.75)]
    return min(near, key=lambda unit: (unit.place.x - at[0]) ** 2 + (unit.place.y - at[1]) ** 2, default=None)


def first_roll_chance(position: Position, order: Option) -> Fraction:
    """Return the chance that the roll of an order to fire or rally succeeds; 0 for other orders."""
    if order.kind not in ("fire", "rally"):
        return Fraction(0)
    after = game.apply(position, order.step)
    return pool_of(after, after.due[0]).chance if after.due else Fraction(0)


def may_be_ordered(position: Position, name: str) -> bool:
    """Return whether a unit belongs to those that can be given orders now."""
    if position.due or position.winner is not None:
        return False
    names = position.bonus or (position.scenario.divisions[position.acting].units if position.acting else ())
    return name in names


def done_button(position: Position) -> Button:
    """Make the button that ends the activation, or forgoes a bonus order."""
    return Button(_("No more orders") if not position.bonus else _("Skip it"), Intent("done"), sign="tick")


class DragPanel(FieldPanel):
    """A panel beside a field on which a finger drags any unit that may be ordered, and a tap opens any unit."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self._down: Point | None = None
        self._held = ""

    def show(self) -> Face:
        """Return what the panel shows beside the field."""
        raise NotImplementedError

    def panel_of(self, name: str) -> UnitPanel:
        """Return the panel of a unit."""
        raise NotImplementedError

    def tap_ground(self, at: Point) -> Reply[Step]:
        """Decide what a tap beside all units means."""
        raise NotImplementedError

    def touch(self, intent: Intent) -> Reply[Step]:
        """Open a unit, or follow a finger on the field."""
        if intent.verb == "unit":
            return self.open_unit(intent.what)
        return self._led(intent) if intent.verb == "field" else None

    def open_unit(self, name: str) -> Reply[Step]:
        """Open the panel of a unit; that of a unit that can't be ordered now says why."""
        return Open(self.panel_of(name)) if self.position.unit(name) is not None else None

    def _led(self, intent: Intent) -> Reply[Step]:
        at = place_of(intent)
        if intent.n == 0:
            near = nearest_unit(self.position, at)
            self._down, self._held = at, near.name if near and may_be_ordered(self.position, near.name) else ""
            return None
        if self._down is None:
            return None
        if not is_near(self._down, at, STRAYS) and self._held:
            return Open(MovePanel.towards(self.position, self._held, at, self.panel_of(self._held), led=intent.n == 1))
        return self._lifted(at) if intent.n == 2 else None

    def _lifted(self, at: Point) -> Reply[Step]:
        near = nearest_unit(self.position, at)
        return self.tap_ground(at) if near is None else self.open_unit(near.name)


class UnitPanel(DragPanel):
    """One unit, enlarged, with a button for each order; a greyed-out one says why the rules forbid it.

    against: an enemy that was touched, and that the unit can charge or fire at; only those orders are shown.
    """

    def __init__(self, position: Position, name: str, back: DragPanel, against: str = "") -> None:
        super().__init__(position)
        self.name = name
        self.division = back
        self.against = against
        self.options = unit_options(position, position.here(name)) if may_be_ordered(position, name) else None

    def show(self) -> Face:
        """Show the unit's state, and one button for each order."""
        return self._face(MOST_SHOTS)

    def show_to(self, _seat: str) -> Face:
        """Show one shot and one charge at most, as there is half the room; other enemies are touched on the field."""
        return self._face(1, brief=True)

    def _face(self, shots: int, *, brief: bool = False) -> Face:
        position = self.position
        if self.options is not None:
            buttons = self._buttons(shots, brief)
            orders: Block = Buttons(buttons, 2 if len(buttons) <= FEW else 3)
        else:
            ruling = game.judge(position, Rally(self.name))  # why it has no orders now
            orders = Text(why_words(position, ruling.objections[0]) if ruling.objections else "", "quiet")
        all_units = back_button(verb="cancel")
        ends = (undo_button(), all_units, done_button(position)) if self.options is not None else (all_units,)
        legal = self.options.may if self.options is not None else ()
        marks = {self.name: "chosen"} | {order.target: "target" for order in legal if order.target}
        drags = self.options is not None
        sketch = Sketch(marks, (), (), self.name, self.name, self.name, drags, touch=True)
        return self.face((self._head(), orders), ends, sketch)

    def _head(self) -> Block:
        position, unit = self.position, self.position.here(self.name)
        facts = [kind_words(position, self.name), status_words(unit)]
        if unit.orders:
            facts.append(plural("{n} order so far", "{n} orders so far", unit.orders))
        if not is_in_command(position, self.name):
            facts.append(_("out of command: one order only"))
        return prompt(position.side(self.name), title(position, self.name), sentence(", ".join(facts)))

    def _buttons(self, most_shots: int, brief: bool) -> tuple[Button, ...]:
        """Return the unit's orders as buttons, the likely ones first; illegal moves too, with the reason.

        most_shots: the most enemies to offer as targets of fire. At most one charge is offered.
        """
        assert self.options is not None
        index = {id(order): n for n, order in enumerate(self.options.orders)}
        shown = [order for order in self.options.orders if self._is_shown(order)]
        aimed = sorted(
            (order for order in shown if order.target), key=lambda order: -first_roll_chance(self.position, order)
        )
        shots, charges = ([order for order in aimed if order.kind == kind] for kind in ("fire", "charge"))
        kept = *shots[:most_shots], *charges[:1]
        plain = [order for order in shown if not order.target]
        likely = sorted((*kept, *plain), key=lambda order: (not order.legal, RANK[order.kind]))
        return tuple(self._button(order, index[id(order)], brief) for order in likely)

    def _is_shown(self, order: Option) -> bool:
        """Return whether an order gets a button.

        One button for turns leads to their form; a fresh unit has nothing to rally from.
        """
        if self.against:
            return order.legal and order.target == self.against
        if order.kind == "turn":
            return order.aside == "right"
        may_need = order.kind == "rally" and self.position.here(self.name).status != "fresh"
        return order.legal or order.kind in ("advance", "fall_back") or may_need

    def _button(self, order: Option, index: int, brief: bool) -> Button:
        assert self.options is not None
        legal = order.legal or (
            order.kind == "turn" and any(other.kind == "turn" and other.legal for other in self.options.orders)
        )
        made = brief_order if brief else order_button
        button = replace(made(self.position, order, Intent("order", order.kind, index)), sign="")
        if legal:
            return button
        return replace(button, look="off", note=_("why not?"))

    # ---- touches -----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Reply[Step]:
        """Give an order, open another unit, move to a place on the field, go back, or end the activation."""
        match intent.verb:
            case "order" if self.options is not None:
                return self._chosen(self.options.orders[intent.n])
            case "done" if self.options is not None:
                return Offer(Done())
            case "cancel":
                return Open(self.division)
            case "unit" if intent.what == self.name:
                return None
            case "field" if self.options is None:
                return None
        return super().touch(intent)

    def panel_of(self, name: str) -> UnitPanel:
        """Return the panel of a unit, or this panel for its own unit; all lead back to the division."""
        return self if name == self.name else UnitPanel(self.position, name, self.division)

    def _chosen(self, order: Option) -> Reply[Step]:
        """Give a plain order at once, as it can be taken back; open the form for one that needs a place."""
        if order.kind == "turn":
            return self._form(order)
        if order.legal:
            return Offer(order.step)
        is_short = order.kind != "fire" and all(objection.rule in SHORTER for objection in order.objections)
        return self._form(order) if is_short else Why(order.step)

    def _form(self, order: Option) -> Reply[Step]:
        return Open(MovePanel(self.position, self.name, order.step, self))

    def open_unit(self, name: str) -> Reply[Step]:
        """Charge or fire at an enemy if possible; otherwise open the touched unit."""
        return self.meet_enemy(name) or super().open_unit(name)

    def meet_enemy(self, enemy: str) -> Reply[Step]:
        """Charge or fire at an enemy at once if only one order allows that; if several do, show them; None if none."""
        ways = [order for order in self.options.may if order.target == enemy] if self.options is not None else []
        if len(ways) == 1:
            return Offer(ways[0].step)
        return Open(UnitPanel(self.position, self.name, self.division, enemy)) if ways else None

    def tap_ground(self, at: Point) -> Reply[Step]:
        """Open the form for a move to the tapped place; ignore a tap on the unit itself."""
        if is_near(at, self.position.here(self.name).place.at, 0.5):
            return None
        return Open(MovePanel.towards(self.position, self.name, at, self))

    def _lifted(self, at: Point) -> Reply[Step]:
        """Handle a lifted finger: so near to this unit that no other is meant, the unit goes there."""
        near = nearest_unit(self.position, at)
        return self.tap_ground(at) if near is None or near.name == self.name else self.open_unit(near.name)


# ---- an order as a button --------------------------------------------------------------------------


def order_button(position: Position, order: Option, intent: Intent, whose: bool = False) -> Button:
    """Make an order's button, its note a distance, chance or consequence. whose: note the unit and chance instead."""
    labels = {
        "advance": _("Advance"),
        "charge": _("Charge {enemy}"),
        "fall_back": _("Fall back"),
        "turn": _("Other move"),
        "fire": _("Fire at {enemy}"),
        "rally": _("Rally"),
    }
    label = labels[order.kind].format(enemy=short_title(position, order.target) if order.target else "")
    note = _note(position, order)
    if whose:
        chance = chance_percent(first_roll_chance(position, order)) if order.kind != "charge" else ""
        note = " · ".join(filter(None, (short_title(position, order.step.unit), chance)))
    return Button(label, intent, "plain", SIGNS[order.kind], note)


def brief_order(position: Position, order: Option, intent: Intent) -> Button:
    """Make an order's button for small panels: a short label, with the enemy, chance or distance below."""
    button = order_button(position, order, intent)
    if order.kind in ("charge", "fire"):
        label = _("Fire") if order.kind == "fire" else _("Charge")
        chance = chance_percent(first_roll_chance(position, order)) if order.kind == "fire" else ""
        return replace(button, label=label, note=" ".join(filter(None, (short_title(position, order.target), chance))))
    if order.kind == "turn":
        return replace(button, label=_("Other"), note="")
    if order.legal and order.kind in ("advance", "fall_back"):
        return replace(button, note=decimal(_length(position, order), 1))
    return button


def _note(position: Position, order: Option) -> str:
    if order.kind == "turn":
        return _("turn, or go elsewhere")
    if not order.legal:
        return ""
    if order.kind in ("advance", "fall_back"):
        form = _("{n} straight ahead") if order.kind == "advance" else _("{n} straight back")
        return form.format(n=decimal(_length(position, order), 1))
    if order.kind == "charge":
        return _charge_note(position, order)
    chance = chance_percent(first_roll_chance(position, order))
    return _("{chance} to hit").format(chance=chance) if order.kind == "fire" else chance


def _length(position: Position, order: Option) -> float:
    assert isinstance(order.step, Advance | FallBack)
    unit = position.here(order.step.unit)
    return position.measure.distance(unit.place.at, end_of(position, unit, order.step).at)


def _charge_note(position: Position, order: Option) -> str:
    """Return the first thing that a charge brings about."""
    assert isinstance(order.step, Advance)
    unit = position.here(order.step.unit)
    if unit.status == "wavering":
        return _("tests Morale first")
    after = position.with_unit(unit.name, place=end_of(position, unit, order.step))
    flanked = is_flanked(after, order.target, [unit.name])
    return _("no Closing Fire: flank or rear") if flanked else _("Closing Fire possible")
