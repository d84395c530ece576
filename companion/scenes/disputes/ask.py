"""May I …? Any space, area or card, for either side, answered with all that was looked at."""

from __future__ import annotations

from companion.core.language import _, plural
from companion.games.position_facts import may_hold
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.reasons import ordered
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.disputes.areas import area_chain, area_facts, area_verdict
from companion.scenes.disputes.questions import as_mover, card_question, space_question
from companion.scenes.disputes.reasons import spoken
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.story.presenter import OrdersTable
from companion.text.orders import card_title, faction_name, space_title
from companion.ui.screen import Block, Button, Buttons, Choice, Intent, Screen, Slip, Text, back_button
from engine.orders import game
from engine.orders.board import Space
from engine.orders.cards import size


def ask(table: OrdersTable, faction: str, what: str, back: Scene) -> Scene:
    """The answer to "may this faction … now?"; `what` is "space:advance:b3", "area:b3" or "card:ambush"."""
    kind, _colon, name = what.partition(":")
    if kind == "space":
        return RulingScene(table.presenter, space_question(table.match.position, faction, name), back, table)
    if kind == "card":
        return RulingScene(table.presenter, card_question(table.match.position, faction, name), back, table)
    return AreaScene(table, faction, name, back)


class AskScene(BackScene):
    """Who asks, and what about: a touch on the map, on a support space, or a card."""

    def __init__(self, table: OrdersTable, back: Scene, faction: str = "") -> None:
        super().__init__(back)
        self.table = table
        self.faction = faction or table.match.position.to_move_name

    def show(self) -> Screen:
        """The two sides, the support spaces and the cards; the map for all else."""
        position = self.table.match.position
        sides = tuple(
            Button(faction_name(one), Intent("who", one), "chosen" if one == self.faction else "plain")
            for one in position.board.factions
        )
        open_now = frozenset(game.legal(as_mover(position, self.faction)).spaces)
        support = tuple(_support(space, open_now) for space in position.board.spaces if space.area is None)
        return Screen(
            title=_("May I …?"),
            blocks=(
                Choice(_("Who asks?"), sides),
                Text(_("Touch the map: what about this area? Or:")),
                Buttons(support, 2),
            ),
            actions=(
                back_button(),
                Button(_("About a card"), Intent("cards"), sign="plan"),
            ),
            page=self.page,
            map=map_picture(position, Marks(live=open_now), None),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Who asks, what about, or back."""
        if intent.verb == "who":
            self.faction = intent.what
        elif intent.verb in ("area", "space"):
            return ask(self.table, self.faction, f"{intent.verb}:{intent.what}", self)
        elif intent.verb == "cards":
            return CardsAskedScene(self.table, self.faction, self)
        return super().touch(intent)


def _support(space: Space, open_now: frozenset[str]) -> Button:
    """A support space with the answer at once."""
    note = _("yes") if space.name in open_now else _("no: why?")
    return Button(space_title(space), Intent("space", space.name), "plain", space.action.name, note)


class CardsAskedScene(BackScene):
    """Every kind of card, for the side that asks."""

    def __init__(self, table: OrdersTable, faction: str, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.faction = faction

    def show(self) -> Screen:
        """A slip for each kind, those that the side may have first."""
        position = self.table.match.position
        hand = size(position.hand(self.faction))
        held = [card for card in position.board.mode.cards.values() if may_hold(position, self.faction, card.name)]
        rest = [card for card in position.board.mode.cards.values() if card not in held]
        slips = tuple(
            Slip(card_title(position.board, card.name), _(card.text), self._now(card.name), Intent("card", card.name))
            for card in (*held, *rest)
        )
        form = plural("{n} card in hand", "{n} cards in hand", hand)
        return Screen(
            title=_("{who}: which card?").format(who=faction_name(self.faction)),
            blocks=(Text(form, "quiet"), *slips),
            actions=(back_button(),),
            page=self.page,
        )

    def _now(self, card: str) -> str:
        """Said of a card that can be played now."""
        legal = card_question(self.table.match.position, self.faction, card).ruling.legal
        return _("can be played now") if legal else ""

    def touch(self, intent: Intent) -> Scene | None:
        """A card, the page, or back."""
        if intent.verb == "card" and intent.what in self.table.match.position.board.mode.cards:
            return ask(self.table, self.faction, f"card:{intent.what}", self)
        return super().touch(intent)


class AreaScene(BackScene):
    """All about one area: whose it is and by what chain, what it counts, what may be done there, and by whom."""

    def __init__(self, table: OrdersTable, faction: str, area: str, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.faction = faction
        self.area = area

    def show(self) -> Screen:
        """The verdict, the spaces of the area for the side that asks, and what both sides could do here."""
        position = self.table.match.position
        linked = [space for space in position.board.spaces if space.area == self.area]
        facts = tuple(Text(line) for line in area_facts(position, self.area))
        picture = map_picture(position, Marks({self.area: "target"}), None)
        return Screen(
            title=_("{area} · {who} asks").format(area=self.area, who=faction_name(self.faction)),
            blocks=(area_verdict(position, self.area), *map(self._space, linked), *facts),
            actions=(back_button("primary"), self._other()),
            page=self.page,
            map=area_chain(picture, position, self.area),
        )

    def _other(self) -> Button:
        """The same for the other side."""
        other = next(one for one in self.table.match.position.board.factions if one != self.faction)
        return Button(_("Ask for {who}").format(who=faction_name(other)), Intent("who", other))

    def _space(self, space: Space) -> Block:
        """May the side deploy here? The answer at once, its reasons by touch."""
        asked = space_question(self.table.match.position, self.faction, space.name)
        legal = asked.ruling.legal
        why = "" if legal else spoken(ordered(asked.ruling)[0], asked)
        mark = "yes" if legal else "no"
        return Slip(f"{space_title(space)}?", why or _("Yes."), "", Intent("space", space.name), mark)

    def touch(self, intent: Intent) -> Scene | None:
        """A space for its reasons, another area, the other side, or back."""
        if intent.verb == "who":
            self.faction = intent.what
        elif intent.verb == "area":
            self.area, self.page = intent.what, 0
        elif intent.verb == "space":
            return ask(self.table, self.faction, f"space:{intent.what}", self)
        return super().touch(intent)
