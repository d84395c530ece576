"""Orders of an activation: the division's units, likely orders, and one order for all units by one touch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from companion.core.language import _, plural
from companion.scenes.base.panels import Face, Offer, Reply, Take, undo_button
from companion.scenes.sonae.field import Sketch, prompt
from companion.scenes.sonae.unit import RANK, DragPanel, UnitPanel, done_button, first_roll_chance, order_button
from companion.text.sonae import division_title, short_title, status_words
from companion.ui.screen import Block, Button, Buttons, Intent, Look
from companion.ui.small_map import Point
from engine.sonae import game
from engine.sonae.field import Place
from engine.sonae.game import Option, immediate_orders, may_move, orderable_units, straight_ahead
from engine.sonae.position import Position, Unit
from engine.sonae.ranges import is_in_command, melees
from engine.sonae.steps import Done, Order, Step

FEW = 4
WORTH_GOING = 0.5
"""A unit that could go less far, in Movements, stays where it is when all go."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A unit with its shots, charges and rally that the rules allow. may: whether it may be given any order."""

    unit: str
    quick: tuple[Option, ...]
    may: bool


def ready_units(position: Position) -> tuple[Ready, ...]:
    """Return the units of the acting division; a path to move along is searched only for units with no other order."""
    found = []
    for unit in orderable_units(position):
        quick = tuple(order for order in immediate_orders(position, unit) if order.legal)
        found.append(Ready(unit.name, quick, bool(quick) or may_move(position, unit)))
    return tuple(found)


def likely_orders(position: Position, units: Iterable[Ready]) -> list[Option]:
    """Return the shots, charges and rallies of a division, the likeliest to succeed first."""
    found = [order for unit in units for order in unit.quick]
    return sorted(found, key=lambda order: (RANK[order.kind], -first_roll_chance(position, order)))


def straight_advances(position: Position) -> tuple[Order, ...]:
    """Return advances straight ahead, foremost unit first, for units not ordered yet that can go far enough.

    Stops after an advance that leaves something owed.
    """
    division = position.scenario.divisions.get(position.acting)
    units = [unit for unit in map(position.unit, division.units if division else ()) if unit and not unit.orders]
    found: list[Order] = []
    for unit in sorted(units, key=lambda unit: -_how_far_in_front(unit.place)):
        option = straight_ahead(position, unit)
        if option.legal and not position.due:
            start, after = position.here(unit.name).place, game.apply(position, option.step)
            if position.measure.distance(start.at, after.here(unit.name).place.at) >= WORTH_GOING:
                found.append(option.step)
                position = after
    return tuple(found)


def _how_far_in_front(place: Place) -> float:
    """Return how far along its own facing a base is."""
    ahead = replace(place, x=0.0, y=0.0).moved(0.0, 1.0)
    return place.x * ahead.x + place.y * ahead.y


class OrdersPanel(DragPanel):
    """The division's units, each with its condition; touch one here or on the field, or drag it there at once.

    watched: a camera can measure the field; otherwise there is the ruler.
    """

    def __init__(self, position: Position, watched: bool = False) -> None:
        super().__init__(position)
        self.watched = watched

    @cached_property
    def units(self) -> tuple[Ready, ...]:
        """The division's units with what they may do, searched once, and not while a unit's panel is open."""
        return ready_units(self.position)

    @cached_property
    def likely(self) -> list[Option]:
        """The orders likely to be given, ready for one touch."""
        return likely_orders(self.position, self.units)

    @cached_property
    def straight_orders(self) -> tuple[Order, ...]:
        """The orders that send all units straight ahead, as far as the orders last, searched once."""
        return straight_advances(self.position)

    def show(self) -> Face:
        """Show how many orders are left, the units, likely orders, and the end of the activation."""
        measure = self._measure or (Button(_("Ruler"), Intent("ruler"), "quiet", "recon_post"),)
        return self._face(self._quick(), measure)

    def show_to(self, _seat: str) -> Face:
        """Show in half the room the units alone: likely orders are given on the field, the ruler is under "Ask"."""
        return self._face((), self._measure)

    @property
    def _measure(self) -> tuple[Button, ...]:
        """The button for measuring by camera, if a camera watches the field."""
        return (Button(_("Measure"), Intent("measure"), sign="camera"),) if self.watched else ()

    def _face(self, quick: tuple[Block, ...], measure: tuple[Button, ...]) -> Face:
        """Return the panel. quick: orders by one touch; measure: what measures the field."""
        position = self.position
        names = [ready.unit for ready in self.units]
        marks = {ready.unit: "live" if ready.may else "spent" for ready in self.units}
        units = tuple(self._button(ready) for ready in self.units)
        ways = undo_button(), *measure, done_button(position)
        sketch = Sketch(marks=marks, focus=middle_unit(position, names), drags=True, touch=True)
        return self.face((self._prompt(), Buttons(units, 2 if len(units) <= FEW else 3), *quick), ways, sketch)

    def _quick(self) -> tuple[Block, ...]:
        """Return two orders to give by one touch: the likeliest, and one for all units or else the next likeliest."""
        buttons = [
            order_button(self.position, order, Intent("likely", "", n), whose=True)
            for n, order in enumerate(self.likely[:2])
        ]
        if len(self.straight_orders) > 1:
            note = plural("{n} order", "{n} orders", len(self.straight_orders))
            buttons[1:] = [Button(_("All straight ahead"), Intent("ahead"), sign="advance", note=note)]
        return (Buttons(tuple(buttons), 2),) if buttons else ()

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
        hint = "" if self.likely else _("Touch a unit, or drag it across the field.")
        if fights:
            hint += " " + plural("{n} melee to fight at the end.", "{n} melees to fight at the end.", fights)
        return prompt(division.side, text, hint.strip())

    def _button(self, ready: Ready) -> Button:
        unit = self.position.here(ready.unit)
        look: Look = "plain" if ready.may else "off"
        return Button(
            short_title(self.position, ready.unit), Intent("unit", ready.unit), look, note=_note(self.position, unit)
        )

    # ---- touches -----------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Reply[Step]:
        """Open a unit, drag one, give an order at once, or end the activation."""
        if intent.verb == "done":
            return Offer(Done())
        if intent.verb == "likely" and 0 <= intent.n < len(self.likely):
            return Offer(self.likely[intent.n].step)
        if intent.verb == "ahead" and self.straight_orders:
            return Take(self.straight_orders)
        return super().touch(intent)

    def panel_of(self, name: str) -> UnitPanel:
        """Return the panel of a unit, which leads back here."""
        return UnitPanel(self.position, name, self)

    def tap_ground(self, _at: Point) -> Reply[Step]:
        """Ignore a tap beside all units."""
        return None


def _note(position: Position, unit: Unit) -> str:
    """Return a unit's condition in a few words."""
    words = [] if unit.status == "fresh" and not unit.fatigue else [status_words(unit)]
    if unit.orders:
        words.append(plural("{n} order", "{n} orders", unit.orders))
    if not is_in_command(position, unit.name):
        words.append(_("out of command"))
    return ", ".join(words)


def middle_unit(position: Position, names: list[str]) -> str:
    """Return the unit nearest to the middle of these, to enlarge the field around; "" for none."""
    places = {name: position.here(name).place for name in names}
    if not places:
        return ""
    x = sum(place.x for place in places.values()) / len(places)
    y = sum(place.y for place in places.values()) / len(places)
    return min(places, key=lambda name: (places[name].x - x) ** 2 + (places[name].y - y) ** 2)
