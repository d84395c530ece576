"""The forms of Reinforce, Embark and Plan: how many units where, and how many cards."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.language import _
from companion.games.position_facts import reserve
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Face, Reply
from companion.scenes.orders.forms import (
    Counts,
    DeployForm,
    Key,
    key_of,
    key_text,
    listed_reserve,
    recall_blocks,
    recallable,
)
from companion.scenes.orders.targeting import enemies
from companion.text.orders import area_label, card_count, card_title, short_units, unit_count
from companion.ui.screen import Block, Button, Buttons, Intent, Stepper, Steppers, Text
from engine.orders import game
from engine.orders.actions.draw import takes_initiative
from engine.orders.mode import PLACING
from engine.orders.position import Position
from engine.orders.steps import Deploy, Load, Step


class PlaceForm(DeployForm):
    """The form of Reinforce and Embark: how many units where, and what to recall if the reserve is short.

    A touch on an area adds one unit; a button places the rest, or all units as last time.
    earlier: where the mover last placed units by this action.
    """

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        self.counts = Counts()
        self.back = Counts()
        self.suggested = False
        self.earlier: tuple[Load, ...] = ()
        self._touched: list[Key] = []
        self._places: list[Key] | None = None
        self.units = [kind.name for kind in self.board.mode.units if kind.place == self.space.action.kind]

    def amount(self) -> int:
        """Return how many units may be placed, with bonuses and the cards added."""
        offer = game.legal(self.position).spaces.get(self.space.name)
        return (offer.amount if offer else self.space.amount_for(self.mover)) + sum(
            card.amount for card in self.added("place")
        )

    def begin(self, _area: str = "") -> None:
        """Fill in a suggestion: units near the enemy, as far as areas have room and the reserve lasts."""
        unit = self.units[0]
        left = min(self.amount(), reserve(self.position, self.mover, unit))
        while left and (key := self._neediest(unit)) is not None:
            self.counts.next(key, left + self.counts.of.get(key, 0))
            left -= 1
        self.suggested = self.counts.total() > 0

    def fill(self, step: Deploy) -> None:
        """Fill in the placements of a step and what is recalled for them."""
        self.counts.of = {(area, unit): n for area, unit, n in step.place}
        self.back.of = {(area, unit): n for area, unit, n in step.recall}

    def _neediest(self, unit: str) -> Key | None:
        """Return the area with room that most needs a unit, by enemies near and units there; None if none has room."""
        open_to = [key for key in self.places() if key[1] == unit and self._room(key) > 0]
        return max(open_to, key=lambda key: 3 * self._threat(key[0]) - 2 * self._standing(key), default=None)

    def _standing(self, key: Key) -> int:
        here = self.position.units_in(key[0]).get(self.mover, {})
        return sum(here.values()) + self.counts.of.get(key, 0)

    def _room(self, key: Key) -> int:
        """Return how many more units an area can take within its limit."""
        return self.board.mode.caps[self.space.action.kind] - self._standing(key)

    def _threat(self, area: str) -> int:
        """Return a score for the danger to an area: enemies in adjacent areas, points and headquarters at stake."""
        here = self.board.area(area)
        near = sum(enemies(self.position, self.mover, name) for name in here.adjacent)
        return near + here.vp + 2 * bool(here.hq)

    def places(self) -> list[Key]:
        """Return (area, unit) for each kind of unit that the rules allow in an area, whatever the reserve."""
        if self._places is not None:
            return self._places
        self._places = []
        for area in self.board.areas:
            for unit in self.units if area.kind == self.space.action.kind else ():
                step = Deploy(self.space.name, place=((area.name, unit, 1),), cards=self.cards)
                broken = {objection.rule for objection in game.judge(self.position, step).objections}
                if not broken - {"reserve.short", "place.whole"}:
                    self._places.append((area.name, unit))
        return self._places

    def _limit(self, key: Key) -> int:
        """Return how many more units of a kind may be placed in an area while the form is filled in.

        The limit of units in an area counts only if it binds as they are placed. For all kinds but the first the
        space says how many.
        """
        if self.space.action.limit == PLACING:
            return max(0, self._room(key))
        if key[1] == self.units[0] or self.space.support is None:
            return self.amount()
        return self.space.support.siege - sum(n for (_area, kind), n in self.counts.of.items() if kind != self.units[0])

    def _limit_text(self) -> tuple[Text, ...]:
        """Return a line on the limit of the second kind of unit; empty if there is none."""
        if len(self.units) < 2 or self.space.support is None:
            return ()
        text = _("Including at most {units}.").format(units=unit_count(self.units[1], self.space.support.siege))
        return (Text(text, "quiet"),)

    def short(self, unit: str) -> int:
        """Return how many units of this kind the reserve lacks for what is placed."""
        placed = sum(n for (_area, kind), n in self.counts.of.items() if kind == unit)
        return max(0, placed - reserve(self.position, self.mover, unit))

    def recallable(self) -> dict[Key, int]:
        """Return the most units to recall from each area while the reserve is short: {(area, unit): number}.

        If an area's limit binds as units are placed, areas where some are placed are left out.
        """
        found = recallable(self.position, self.mover, filter(self.short, self.units))
        if self.space.action.limit != PLACING:
            return found
        filled = {area for (area, _unit), n in self.counts.of.items() if n}
        return {key: most for key, most in found.items() if key[0] not in filled}

    def step(self) -> Deploy:
        """Return the deployment as filled in so far."""
        place = self.counts.loads(self.places())
        return Deploy(self.space.name, place=place, recall=self.back.loads(self.recallable()), cards=self.cards)

    def ready(self) -> bool:
        """Return whether any unit is placed."""
        return self.counts.total() > 0

    def touch(self, intent: Intent) -> Reply[Step]:
        """Open the ruling if the touched area takes no unit; handle any other touch as every form does."""
        if intent.verb == "area" and all(area != intent.what for area, _unit in self.places()):
            return self.why(Deploy(self.space.name, place=((intent.what, self.units[0], 1),), cards=self.cards))
        return super().touch(intent)

    def change(self, intent: Intent) -> None:
        """Place units (one, the rest, or as last time), recall units, or add or remove a card."""
        if intent.verb == "area" and self.suggested:
            self.counts = Counts()
        self.suggested = self.suggested and intent.verb not in ("area", "count", "rest", "again")
        room = self._left()
        match intent.verb:
            case "rest":
                self._deal_rest()
            case "again":
                self._deal_again()
            case "card":
                self.toggle(intent.what)
                self._places = None
            case "count" if key_of(intent.what) in self.places():
                self._touch_last(key_of(intent.what))
                more = intent.n if intent.n < 0 or min(room, self._limit(key_of(intent.what))) > 0 else 0
                self.counts.change(intent.what, more, self.amount())
            case "back":
                self.back.change(intent.what, intent.n, self.recallable().get(key_of(intent.what), 0))
            case "area":
                for key in [key for key in self.places() if key[0] == intent.what][:1]:
                    self.counts.next(key, self.counts.of.get(key, 0) + min(room, self._limit(key)))
                    self._touch_last(key)

    def _touch_last(self, key: Key) -> None:
        self._touched = [key, *(touched for touched in self._touched if touched != key)]

    def _left(self) -> int:
        """Return how many more units may be placed."""
        return self.amount() - self.counts.total()

    def _open_to_rest(self) -> list[Key]:
        """Return the keys to place the rest at: all in use if each has one unit, else the one touched last."""
        some = [key for key in self.places() if self.counts.of.get(key)]
        order = {key: n for n, key in enumerate(self._touched)}
        some.sort(key=lambda key: order.get(key, len(order)))
        if any(self.counts.of[key] > 1 for key in some):
            some = some[:1]
        return [key for key in some if self._limit(key) > 0]

    def _deal_rest(self) -> None:
        """Place the rest one by one, each in the area with the fewest units, as far as there is room."""
        areas = self._open_to_rest()
        while self._left() > 0 and (some := [key for key in areas if self._limit(key) > 0]):
            self._add(min(some, key=lambda key: self.counts.of[key]))

    def _deal_again(self) -> None:
        """Place units as last time, as far as that is allowed now."""
        self.counts = Counts()
        for area, unit, n in self.earlier:
            for _once in range(n):
                if (area, unit) in self.places() and min(self._left(), self._limit((area, unit))) > 0:
                    self._add((area, unit))

    def _add(self, key: Key) -> None:
        self.counts.of[key] = self.counts.of.get(key, 0) + 1

    def actions(self, label: str) -> tuple[Button, ...]:
        """Return every form's buttons, with one to place the rest, or all units as last time, if possible."""
        cancel, *others = super().actions(label)
        where, deal = self._open_to_rest(), []
        if self._left() > 0 and where:
            alone = _("Rest in {area}").format(area=area_label(where[0][0]))
            deal = [Button(alone if len(where) == 1 else _("Rest evenly"), Intent("rest"))]
        elif self.earlier and self.suggested:
            deal = [Button(_("As last time"), Intent("again"))]
        return (cancel, *deal, *others)

    def show(self) -> Face:
        """Show a stepper for each area, how many units remain, and the recall if it is needed."""
        amount, total = self.amount(), self.counts.total()
        places, left = self.places(), amount - total
        steppers = tuple(
            Stepper(
                f"{area_label(area)} · {short_units(unit)}" if len(self.units) > 1 else area_label(area),
                n := self.counts.of.get((area, unit), 0),
                n + min(left, self._limit((area, unit))),
                "count",
                key_text((area, unit)),
            )
            for area, unit in places
        )
        stock = listed_reserve(self.position, self.mover, self.units)
        remaining = _("{placed} of {amount} placed · reserve: {reserve}")
        hint = _("Suggested near the enemy. Touch the map to place your own.")
        blocks: tuple[Block, ...] = (
            self.title(hint if self.suggested else _("Touch an area to add one.")),
            Text(remaining.format(placed=total, amount=amount, reserve=stock), "strong"),
            *self._limit_text(),
            *(recall_blocks(self.recallable(), self.back) or self.objection()),
            Steppers(steppers),
            *self.forecast(),
        )
        changes = dict(self.counts.of)
        for area, unit, n in self.back.loads(self.recallable()):
            changes[area, unit] = changes.get((area, unit), 0) - n
        areas = {area: "chosen" if self.counts.of.get((area, unit)) else "live" for area, unit in places}
        marks = Marks(areas, changes, self.space.name, supply=self.supply(), counted=frozenset(areas))
        return Face(blocks, self.actions(_("Deploy")), marks)


def placed_last(form: PlaceForm, steps: Sequence[Step], positions: Sequence[Position]) -> tuple[Load, ...]:
    """Return where the form's mover last placed units by the same action; nothing if that never happened.

    positions: before each of the steps, and after the last one.
    """
    for step, before in zip(reversed(steps), reversed(positions[:-1]), strict=True):
        if not isinstance(step, Deploy) or before.to_move_name != form.mover:
            continue
        if step.place and before.board.space(step.space).action.name == form.space.action.name:
            return step.place
    return ()


class PlanForm(DeployForm):
    """The form of Plan: how many cards are drawn, and their names if hands are open."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        hand = position.hand(self.mover)
        self.named: list[str] | None = [] if isinstance(hand, tuple) and hand else None
        self.laid_cards: set[str] = set()

    def lay(self, code: str, card: str) -> bool:
        """Count a drawn card laid on the reader, and name it if hands are open.

        Return False for a tag that was counted before, or once all cards are drawn.
        """
        if code in self.laid_cards or len(self.laid_cards) >= self.cards_due():
            return False
        self.laid_cards.add(code)
        if self.named is not None:
            self.change(Intent("draw", card))
        return True

    def cards_due(self) -> int:
        """Return how many cards to draw."""
        offer = game.legal(self.position).spaces.get(self.space.name)
        return offer.draw if offer else self.space.amount_for(self.mover)

    def step(self) -> Deploy:
        """Return the deployment as filled in so far."""
        drawn = self.cards_due() if self.named is None else tuple(self.named)
        return Deploy(self.space.name, draw=drawn, cards=self.cards)

    def change(self, intent: Intent) -> None:
        """Keep the cards hidden or name them, draw a named card, or add or remove a card to play."""
        match intent.verb:
            case "hidden":
                self.named = None
            case "named":
                self.named = []
            case "card":
                self.toggle(intent.what)
            case "draw" if self.named is not None:
                if len(self.named) < self.cards_due():
                    self.named.append(intent.what)
                else:
                    self.named = [intent.what] if self.cards_due() else []

    def show(self) -> Face:
        """Show how many cards to draw, the choice to name them or keep them hidden, and the names."""
        due = card_count(self.cards_due())
        hidden = self.named is None
        name = Button(_("Name the cards (open hands)"), Intent("named"), "quiet")
        switch = (name,) if hidden else (Button(_("Keep hidden"), Intent("hidden"), "quiet"),)
        text = _("Draw {cards} from the deck.").format(cards=due)
        text = f"{text} {self._marker()}".strip()
        read = _("{n} of {due} on the reader").format(n=len(self.laid_cards), due=due)
        on_reader = (Text(read, "strong"),) if self.laid_cards else ()
        blocks: tuple[Block, ...] = (self.title(), Text(text), *on_reader, Buttons(switch, 2))
        if not hidden:
            blocks = (self.title(), Buttons(switch, 2), *self._names())
        return Face((*blocks, *self.objection()), self.actions(_("Deploy")), Marks({}, {}, self.space.name))

    def _marker(self) -> str:
        """Return what to do with the round marker; "" if the space does not concern it."""
        if takes_initiative(self.position, self.space, self.position.to_move):
            return _("Flip the round marker: you have the initiative.")
        if self.space.support is None or not self.space.support.initiative:
            return ""
        return _("Leave the round marker as it is.")

    def ready(self) -> bool:
        """Return whether as many cards are named as are due, or none need be."""
        return self.named is None or len(self.named) >= self.cards_due()

    def _names(self) -> tuple[Block, ...]:
        drawn = self.named or []
        names = ", ".join(card_title(self.board, card) for card in drawn) or _("none yet")
        buttons = tuple(
            Button(card.heading, Intent("draw", card.name), "chosen" if card.name in drawn else "plain")
            for card in self.board.mode.cards.values()
        )
        form = _("Draw {n}. Drawn: {cards}")
        return Text(form.format(n=card_count(self.cards_due()), cards=names), "strong"), Buttons(buttons, 3)
