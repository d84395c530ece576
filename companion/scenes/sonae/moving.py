"""A Move Order: where the base goes and how it faces, set by finger or with arrows, and judged at every change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import atan2, degrees
from typing import Protocol

from companion.core.language import _
from companion.scenes.base.panels import Face, Offer, Open, Panel, Reply
from companion.scenes.sonae.field import BattleForm, Sketch, objection_words, prompt
from companion.text.sonae import movements, title, titles
from companion.ui.battlefield_picture import LineSight, is_near, place_of
from companion.ui.screen import Block, Button, Buttons, Intent, Look, Text, Tone, back_button
from companion.ui.small_map import Point
from engine.sonae.field import COLUMN, SIDES_DEG, Place
from engine.sonae.orders import Move, end_of, reach
from engine.sonae.position import Position
from engine.sonae.ranges import enemies_touched, is_flanked
from engine.sonae.steps import Advance, FallBack, Step, Wheel
from engine.words import decimal

FINE, TURN_DEG, QUARTER_DEG = 0.1, 15.0, 90.0
FAR = 2.2
"""A finger farther than this from a unit that turns, in Movements, shows where it is to face."""
HANDLE = 1.3
"""A finger that comes down so near to where the base would stand, in Movements, drags it."""
ONTO = 0.55
"""A finger that lifts so near to the middle of an enemy, in Movements, means the enemy."""
ARROWS = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "up": (0.0, 1.0), "down": (0.0, -1.0)}
KINDS: Sequence[type[Move]] = (Advance, FallBack)


def fine_steps(position: Position) -> tuple[float, float]:
    """Return how far an arrow key moves a base across and along the field: a fine step, or a cell on a grid."""
    grid = position.scenario.grid
    return (FINE, FINE) if grid == "free" else (COLUMN if grid == "hex" else 1.0, 1.0)


class UnitBehind(Panel[Step], Protocol):
    """The panel of the unit that is being dragged, to which the move's form goes back."""

    def meet_enemy(self, enemy: str) -> Reply[Step]:
        """Decide what dragging the unit onto this enemy means; None if nothing can be done to the enemy."""


class MovePanel(BattleForm):
    """The form of a move: a ghost of the base on the field, moved by finger or with arrows."""

    def __init__(self, position: Position, name: str, step: Step, back: UnitBehind) -> None:
        super().__init__(position)
        assert isinstance(step, Advance | FallBack | Wheel)
        self.name = name
        self.back = back
        self.unit = position.here(name)
        self.kind: type[Move] = type(step)
        end = end_of(position, self.unit, step)
        self.x, self.y, self.facing_deg = end.x, end.y, end.facing_deg
        self._offset: Point | None = None
        self._led_here = False

    @classmethod
    def towards(cls, position: Position, name: str, at: Point, back: UnitBehind, led: bool = False) -> MovePanel:
        """Return the form for a move to the place touched: ahead, back, or a turn to the side where it lies.

        led: the finger is still moving, with the base under it; the form drags the base on from there.
        """
        unit = position.here(name)
        quarter = unit.place.quarter(at)
        side = SIDES_DEG.get(position.scenario.grid, 90.0)
        step: Step = Advance(name, *at)
        if quarter == "rear":
            step = FallBack(name, *at)
        elif quarter != "front":
            facing_deg = (unit.place.facing_deg + (side if quarter == "right" else -side)) % 360.0
            step = Wheel(name, facing_deg, *at)
        panel = cls(position, name, step, back)
        panel.go(at)
        panel._offset, panel._led_here = (0.0, 0.0), led
        return panel

    def step(self) -> Move:
        """Return the order as dragged so far."""
        x, y = round(self.x, 3), round(self.y, 3)
        if self.kind is Wheel:
            return Wheel(self.name, self.facing_deg % 360.0, x, y)
        return Advance(self.name, x, y) if self.kind is Advance else FallBack(self.name, x, y)

    def end(self) -> Place:
        """Return the place where the move ends."""
        return end_of(self.position, self.unit, self.step())

    # ---- what it shows -----------------------------------------------------------------------------

    def show(self) -> Face:
        """Show the kinds of move, the arrows, and what follows from the move."""
        position = self.position
        head = prompt(position.side(self.name), self._measured(), self._consequence())
        blocks: tuple[Block, ...] = (
            head,
            Buttons(self._kinds(), 4),
            Buttons(tuple(Button("", Intent("key", way), sign=f"arrow-{way}", repeats=True) for way in ARROWS), 4),
        )
        ways = (back_button(), self.step_button(_("Confirm")))
        return self.face(blocks, ways, self._sketch())

    def show_to(self, _seat: str) -> Face:
        """Show the form in half the room, with what forbids the move or whom it charges on top, and no hints."""
        face, head = self.show(), prompt(self.position.side(self.name), self._measured())
        tone: Tone = "warn" if self.ruling().legal else "bad"
        follows = (Text(self._consequence(), tone),) if tone == "bad" or self._met() else ()
        return replace(face, blocks=(head, *follows, *face.blocks[1:]))

    def _met(self) -> tuple[str, ...]:
        """Return the enemies that the move charges."""
        return enemies_touched(self.position, self.unit, self.end()) if self.kind is Advance else ()

    def _measured(self) -> str:
        """Return how far the move goes, out of how far it may go."""
        end = self.end()
        gone = self.position.measure.distance(self.unit.place.at, end.at)
        most = movements(reach(self.position, self.unit, end, self.kind))
        form = {Advance: _("Advance: {gone} of {most}"), FallBack: _("Fall back: {gone} of {most}")}.get(
            self.kind, _("Turn: {gone} of {most}")
        )
        return form.format(gone=decimal(gone, 1), most=most)

    def _kinds(self) -> tuple[Button, ...]:
        labels = {Advance: _("Advance"), FallBack: _("Fall back")}
        ways = tuple(
            Button(labels[kind], Intent("kind", "", n), "chosen" if kind is self.kind else "plain")
            for n, kind in enumerate(labels)
        )
        look: Look = "chosen" if self.kind is Wheel else "plain"
        turns = ((-1, _("Left"), "undo"), (1, _("Right"), "redo"))
        return (*ways, *(Button(label, Intent("turn", "", n), look, sign, repeats=True) for n, label, sign in turns))

    def _consequence(self) -> str:
        """Return what forbids the move, or what a charge brings, or else how to drag the unit."""
        ruling = self.ruling()
        if not ruling.legal:
            return objection_words(self.position, ruling.objections[0])
        if met := self._met():
            return self._charge(met)
        hint = _("Drag it on the field; fine-tune with the arrows.")
        if self.kind is Wheel:
            hint = _("Touch where it should face, or keep dragging.")
        return f"{title(self.position, self.name)}. {hint}"

    def _charge(self, met: tuple[str, ...]) -> str:
        words = [_("Charges {enemy}.").format(enemy=titles(self.position, met))]
        if self.unit.status == "wavering":
            words.append(_("Wavering: it tests Morale first."))
        after = self.position.with_unit(self.name, place=self.end())
        aside = [enemy for enemy in met if is_flanked(after, enemy, [self.name])]
        if len(aside) < len(met):
            words.append(_("The enemy can use Closing Fire."))
        if aside:
            words.append(_("Flank or rear charge: no Closing Fire."))
        words.append(_("Melee is fought at the end of the activation."))
        return " ".join(words)

    def _sketch(self) -> Sketch:
        end, legal = self.end(), self.ruling().legal
        met = self._met()
        kind = "charge" if met else "move"
        gone = self.position.measure.distance(self.unit.place.at, end.at)
        line = LineSight(kind, self.unit.place.at, end.at, decimal(gone, 1))
        marks = {self.name: "chosen"} | dict.fromkeys(met, "target")
        return Sketch(marks, ((self.name, end, legal),), (line,), self.name, self.name, self.name, True)

    # ---- touches -----------------------------------------------------------------------------------

    def change(self, intent: Intent) -> Reply[Step]:
        """Drag or turn the base, choose the kind of move, or go back."""
        match intent.verb:
            case "back" | "cancel":
                return Open(self.back)
            case "kind":
                place, self.kind = self.unit.place, KINDS[intent.n]
                self.facing_deg, (self.x, self.y) = place.facing_deg, place.at
                self.go(place.moved(0.0, 1.0 if self.kind is Advance else -1.0).at)
            case "key" if intent.what in ARROWS:
                (across, along), (dx, dy) = ARROWS[intent.what], fine_steps(self.position)
                self.x, self.y = self.x + across * dx, self.y + along * dy
                self.x, self.y = self.end().at  # on a grid, the middle of a cell
            case "turn":
                self._turn(1 if intent.n > 0 else -1)
            case "field":
                return self._lead(intent)
        return None

    def _turn(self, way: int) -> None:
        """Turn the base: first to the next quarter on the spot, then finely; on a grid, side by side."""
        grid, place = self.position.scenario.grid, self.unit.place
        step = TURN_DEG
        if self.kind is not Wheel:
            self.kind, self.x, self.y, self.facing_deg, step = Wheel, place.x, place.y, place.facing_deg, QUARTER_DEG
        self.facing_deg = (self.facing_deg + way * SIDES_DEG.get(grid, step)) % 360.0

    def _lead(self, intent: Intent) -> Reply[Step]:
        """Drag the ghost with a finger that starts on it; any other finger sends it to where it lifts."""
        at = place_of(intent)
        if intent.n == 0:
            near = is_near(at, (self.x, self.y), HANDLE)
            self._offset = (self.x - at[0], self.y - at[1]) if near else None
        elif self._offset is not None:
            self.go((at[0] + self._offset[0], at[1] + self._offset[1]))
        elif intent.n == 2 and self.kind is Wheel and not is_near(at, self.unit.place.at, FAR):
            self.facing_deg = round(degrees(atan2(at[0] - self.x, at[1] - self.y)), 1) % 360.0
        elif intent.n == 2:
            self.go(at)
        return self._let_go(at) if intent.n == 2 else None

    def _let_go(self, at: Point) -> Reply[Step]:
        """End the drag that brought the base here.

        Over an enemy, that enemy is meant; on a grid, a legal move to one cell is offered at once.
        """
        led, self._offset, self._led_here = self._led_here, None, False
        if not led:
            return None
        for enemy in self.position.enemies(self.name):
            if is_near(at, enemy.place.at, ONTO):
                return self.back.meet_enemy(enemy.name)
        plain = self.position.scenario.grid != "free" and self.ruling().legal
        return Offer(self.step()) if plain else None

    def go(self, at: Point) -> None:
        """Move the ghost there, or as far in that direction as the order allows."""
        place = self.unit.place
        end = replace(place, x=at[0], y=at[1], facing_deg=self.facing_deg)
        gone = self.position.measure.distance(place.at, end.at)
        most = reach(self.position, self.unit, end, self.kind)
        part = min(1.0, most / gone) if gone > 0 else 1.0
        self.x = round(place.x + (at[0] - place.x) * part, 2)
        self.y = round(place.y + (at[1] - place.y) * part, 2)
