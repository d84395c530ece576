"""The forms of a deployment: Advance and Sail, Bombard and Shell, Reinforce and Embark, Plan."""

from __future__ import annotations

from collections.abc import Iterable

from companion.language import _
from companion.scenes import forecast
from companion.scenes.counts import Counts, Key, joined, split
from companion.scenes.facts import may_hold, reserve
from companion.scenes.panels import Face, Form, Panel
from companion.scenes.picture import Marks
from companion.scenes.screen import Block, Button, Buttons, Intent, Stepper, Steppers, Text
from companion.scenes.words import card_count, card_title, space_title, unit_count
from engine.orders import game
from engine.orders.board import Space
from engine.orders.mode import Card
from engine.orders.position import Position
from engine.orders.steps import RESERVE, Deploy


def form_for(position: Position, space: str, cards: tuple[str, ...] = ()) -> Panel:
    """The form that a deployment to this space needs."""
    forms: dict[str, type[DeployForm]] = {"move": MoveForm, "shoot": ShotForm, "place": PlaceForm, "draw": PlanForm}
    return forms[position.board.space(space).action.verb](position, space, cards)


class DeployForm(Form):
    """What all deployments share: the space, and the cards that change them."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position)
        self.space: Space = self.board.space(space)
        self.cards = cards
        self.mover = position.to_move_name

    def title(self) -> Text:
        """The space by its name."""
        return Text(space_title(self.space), "title")

    def helpful(self) -> list[Card]:
        """The cards that the mover may have and that go with this deployment."""
        shared = bool(self.position.commanders_on(self.space.name))
        return [
            card
            for card in self.board.mode.cards.values()
            if card.action == self.space.action.name
            and card.by == "mover"
            and (card.moment == "join" or (card.verb == "share" and shared))
            and may_hold(self.position, self.mover, card.name)
        ]

    def asked(self) -> frozenset[str]:
        """The cards that this form has a switch for."""
        return frozenset(card.name for card in self.helpful())

    def card_buttons(self) -> tuple[Block, ...]:
        """A switch for each card that goes with it."""
        buttons = tuple(
            Button(card.title, Intent("card", card.name), "chosen" if card.name in self.cards else "plain", "plan")
            for card in self.helpful()
        )
        return (Buttons(buttons, 2),) if buttons else ()

    def added(self, verb: str) -> list[Card]:
        """The named cards with this effect."""
        return [card for name in self.cards if (card := self.board.mode.cards[name]).verb == verb]

    def toggle(self, card: str) -> None:
        """Name a card, or not."""
        self.cards = tuple(one for one in self.cards if one != card) if card in self.cards else (*self.cards, card)


class MoveForm(DeployForm):
    """Advance and Sail: how many units from where."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        self.counts = Counts()

    def most(self) -> dict[Key, int]:
        """The most that each source can send, by asking the rules for one unit of each."""
        found = {}
        for area in self.board.areas:
            units = self.position.units_in(area.name).get(self.mover, {})
            spare = sum(units.values()) - 1
            for unit, n in units.items():
                step = Deploy(self.space.name, moves=((area.name, unit, 1),), cards=self.cards)
                if spare and game.judge(self.position, step).legal:
                    found[area.name, unit] = min(n, spare)
        for card in self.added("join"):
            found[RESERVE, card.unit] = min(card.amount, reserve(self.position, self.mover, card.unit))
        return found

    def step(self) -> Deploy:
        """The deployment as filled in."""
        return Deploy(self.space.name, moves=self.counts.loads(self.most()), cards=self.cards)

    def ready(self) -> bool:
        """Something moves."""
        return bool(self.step().moves)

    def change(self, intent: Intent) -> None:
        """Steppers, areas of the map, cards."""
        most = self.most()
        if intent.verb == "card":
            self.toggle(intent.what)
        elif intent.verb == "count" and split(intent.what) in most:
            self.counts.change(intent.what, intent.n, most[split(intent.what)])
        elif intent.verb == "area":
            for key in [key for key in most if key[0] == intent.what][:1]:
                self.counts.next(key, most[key])

    def show(self) -> Face:
        """Steppers for the sources, the forecast, and the cards."""
        most = self.most()
        steppers = tuple(
            Stepper(_source_label(key, most), self.counts.of.get(key, 0), n, "count", joined(key))
            for key, n in most.items()
        )
        blocks: tuple[Block, ...] = (
            self.title(),
            Text(_("From where, and how many? Touch the map or count here."), "quiet"),
            Steppers(steppers),
            *forecast.of_step(self.position, self.step()),
            *self.objection(),
            *self.card_buttons(),
        )
        return Face(blocks, self.actions(_("Deploy")), self._marks(most))

    def _marks(self, most: dict[Key, int]) -> Marks:
        moved = self.counts.loads(most)
        areas = {area: "live" for area, _unit in most}
        areas.update({area: "chosen" for area, _unit, _n in moved})
        areas[self.space.area or ""] = "target"
        changes = {(area, unit): -n for area, unit, n in moved}
        for _source, unit, n in moved:
            key = (self.space.area or "", unit)
            changes[key] = changes.get(key, 0) + n
        return Marks(areas, changes, self.space.name)


def _source_label(key: Key, most: dict[Key, int]) -> str:
    area, unit = key
    several = sum(1 for other, _unit in most if other == area) > 1
    name = _("Reserve") if area == RESERVE else area
    return f"{name} {unit}" if several else name


class ShotForm(DeployForm):
    """Bombard, Shell, Siege: the target."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        targets = self.targets()
        held = [area for area in targets if self._enemies(area)]
        self.target = held[0] if len(held) == 1 else None

    def targets(self) -> tuple[str, ...]:
        """The areas that may be shot at."""
        areas = self.board.area(self.space.area or "").adjacent
        steps = {area: Deploy(self.space.name, target=area) for area in areas}
        return tuple(area for area, step in steps.items() if game.judge(self.position, step).legal)

    def _enemies(self, area: str) -> int:
        here = self.position.units_in(area)
        return sum(sum(units.values()) for faction, units in here.items() if faction != self.mover)

    def step(self) -> Deploy:
        """The deployment as filled in."""
        return Deploy(self.space.name, target=self.target, cards=self.cards)

    def ready(self) -> bool:
        """A target is chosen."""
        return self.target is not None

    def change(self, intent: Intent) -> None:
        """A target, on the map or by its button."""
        if intent.verb in ("area", "target"):
            self.target = intent.what

    def show(self) -> Face:
        """A button for each target, and what the shot may do."""
        targets = self.targets()
        buttons = tuple(
            Button(area, Intent("target", area), "chosen" if area == self.target else "plain", note=self._note(area))
            for area in targets
        )
        blocks: tuple[Block, ...] = (
            self.title(),
            Text(_("Which area is the target?"), "quiet"),
            Buttons(buttons, 3),
            *forecast.of_step(self.position, self.step()),
            *self.objection(),
        )
        areas = dict.fromkeys(targets, "live")
        if self.target:
            areas[self.target] = "target"
        return Face(blocks, self.actions(_("Deploy")), Marks(areas, {}, self.space.name))

    def _note(self, area: str) -> str:
        enemies = self._enemies(area)
        unit = next(kind.name for kind in self.board.mode.units if kind.place == self.board.area(area).kind)
        return _("{units} there").format(units=unit_count(unit, enemies)) if enemies else _("no enemy there")


class PlaceForm(DeployForm):
    """Reinforce and Embark: how many units where, and what is recalled where the reserve is short."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        self.counts = Counts()
        self.back = Counts()
        self.units = [kind.name for kind in self.board.mode.units if kind.place == self.space.action.kind]

    def amount(self) -> int:
        """The units that may be placed, bonuses and named cards included."""
        offer = game.legal(self.position).spaces.get(self.space.name)
        return (offer.amount if offer else self.space.amount) + sum(card.amount for card in self.added("place"))

    def places(self) -> list[Key]:
        """The areas that may take a unit, by asking the rules for one unit in each."""
        found = []
        for area in self.board.areas:
            for unit in self.units if area.kind == self.space.action.kind else ():
                step = Deploy(self.space.name, place=((area.name, unit, 1),), cards=self.cards)
                broken = {one.rule for one in game.judge(self.position, step).objections}
                if not broken - {"reserve.short", "place.whole"}:
                    found.append((area.name, unit))
        return found

    def short(self, unit: str) -> int:
        """How many units of this kind the reserve lacks for what is placed."""
        placed = sum(n for (_area, kind), n in self.counts.of.items() if kind == unit)
        return max(0, placed - reserve(self.position, self.mover, unit))

    def recallable(self) -> dict[Key, int]:
        """What may be recalled, while the reserve is short: all but the last unit of areas under control."""
        short = [unit for unit in self.units if self.short(unit)]
        found = {}
        for area in self.board.areas:
            if self.position.controller(area.name) == self.mover:
                units = self.position.units_in(area.name)[self.mover]
                spare = sum(units.values()) - 1
                found.update({(area.name, u): min(n, spare) for u, n in units.items() if u in short and spare})
        return found

    def step(self) -> Deploy:
        """The deployment as filled in."""
        place = self.counts.loads(self.places())
        return Deploy(self.space.name, place=place, recall=self.back.loads(self.recallable()), cards=self.cards)

    def ready(self) -> bool:
        """Something is placed."""
        return self.counts.total() > 0

    def change(self, intent: Intent) -> None:
        """Steppers, areas of the map, cards."""
        room = self.amount() - self.counts.total()
        if intent.verb == "card":
            self.toggle(intent.what)
        elif intent.verb == "count" and split(intent.what) in self.places():
            self.counts.change(intent.what, intent.n if intent.n < 0 or room > 0 else 0, self.amount())
        elif intent.verb == "back":
            self.back.change(intent.what, intent.n, self.recallable().get(split(intent.what), 0))
        elif intent.verb == "area":
            for key in [key for key in self.places() if key[0] == intent.what][:1]:
                self.counts.next(key, self.counts.of.get(key, 0) + room)

    def show(self) -> Face:
        """Steppers for the areas, what remains, and the recall where it is needed."""
        amount, total = self.amount(), self.counts.total()
        places = self.places()
        steppers = tuple(
            Stepper(area, n := self.counts.of.get((area, unit), 0), n + amount - total, "count", joined((area, unit)))
            for area, unit in places
        )
        left = amount - total
        stock = listed_reserve(self.position, self.mover, self.units)
        remaining = _("{left} of {amount} left to place · reserve: {reserve}")
        blocks: tuple[Block, ...] = (
            self.title(),
            Text(remaining.format(left=left, amount=amount, reserve=stock), "strong"),
            *self.objection(),
            *self._recall_blocks(),
            Steppers(steppers),
            *self.card_buttons(),
        )
        changes = dict(self.counts.of)
        for area, unit, n in self.back.loads(self.recallable()):
            changes[area, unit] = changes.get((area, unit), 0) - n
        areas = {area: "chosen" if self.counts.of.get((area, unit)) else "live" for area, unit in places}
        return Face(blocks, self.actions(_("Deploy")), Marks(areas, changes, self.space.name))

    def _recall_blocks(self) -> tuple[Block, ...]:
        sources = self.recallable()
        if not sources:
            return ()
        steppers = tuple(
            Stepper(
                _("from {area}").format(area=area),
                self.back.of.get((area, unit), 0),
                most,
                "back",
                joined((area, unit)),
            )
            for (area, unit), most in sources.items()
        )
        return Text(_("The reserve is short. Recall from:"), "warn"), Steppers(steppers)


def listed_reserve(position: Position, faction: str, units: Iterable[str]) -> str:
    """What a faction has in its reserve, in words."""
    return ", ".join(unit_count(unit, reserve(position, faction, unit)) for unit in units)


class PlanForm(DeployForm):
    """Plan: the number of cards, or their names where the table plays with open hands."""

    def __init__(self, position: Position, space: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(position, space, cards)
        self.named: list[str] | None = [] if self._open_hand() else None

    def _open_hand(self) -> bool:
        hand = self.position.hand(self.mover)
        return isinstance(hand, tuple) and bool(hand)

    def due(self) -> int:
        """The cards to draw."""
        offer = game.legal(self.position).spaces.get(self.space.name)
        return offer.draw if offer else self.space.amount

    def step(self) -> Deploy:
        """The deployment as filled in."""
        return Deploy(self.space.name, draw=self.due() if self.named is None else tuple(self.named))

    def change(self, intent: Intent) -> None:
        """Hidden or named, and which cards."""
        if intent.verb == "hidden":
            self.named = None
        elif intent.verb == "named":
            self.named = []
        elif intent.verb == "draw" and self.named is not None:
            if len(self.named) < self.due():
                self.named.append(intent.what)
            else:
                self.named = [intent.what] if self.due() else []

    def show(self) -> Face:
        """The number, the choice between hidden and named, and the names."""
        due = card_count(self.due())
        hidden = self.named is None
        switch = (
            Button(_("Keep hidden"), Intent("hidden"), "chosen" if hidden else "plain"),
            Button(_("Name them"), Intent("named"), "plain" if hidden else "chosen"),
        )
        text = _("Draw {cards} from the deck.").format(cards=due)
        if self.space.support and self.space.support.initiative:
            text += " " + _("Turn the round marker: the initiative is yours.")
        blocks: tuple[Block, ...] = (self.title(), Text(text), Buttons(switch, 2))
        if not hidden:
            blocks = (self.title(), Buttons(switch, 2), *self._names())
        return Face((*blocks, *self.objection()), self.actions(_("Deploy")), Marks({}, {}, self.space.name))

    def ready(self) -> bool:
        """As many are named as are due, or none need be."""
        return self.named is None or len(self.named) >= self.due()

    def _names(self) -> tuple[Block, ...]:
        drawn = self.named or []
        told = ", ".join(card_title(self.board, card) for card in drawn) or _("none yet")
        buttons = tuple(
            Button(card.title, Intent("draw", card.name), "chosen" if card.name in drawn else "plain")
            for card in self.board.mode.cards.values()
        )
        form = _("Draw {n} – drawn: {cards}")
        return Text(form.format(n=card_count(self.due()), cards=told), "strong"), Buttons(buttons, 3)
