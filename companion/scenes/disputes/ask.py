"""The question "May I …?" about any space, area or card, for either side, with all the reasons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.language import _, plural
from companion.games.position_facts import may_hold
from companion.scenes.base.map_picture import Marks, map_picture
from companion.scenes.base.reasons import sort_findings
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.disputes.questions import as_mover, card_question, space_question
from companion.scenes.disputes.reasons import chain_of, criterion_words
from companion.scenes.disputes.ruling import RulingScene
from companion.scenes.story.tables import OrdersTable
from companion.text.orders import area_label, card_title, faction_name, join_words, space_title
from companion.ui.screen import (
    Block,
    Button,
    Buttons,
    Choice,
    Intent,
    MapPicture,
    Screen,
    Slip,
    Text,
    Verdict,
    back_button,
)
from engine.orders import game
from engine.orders.board import Space
from engine.orders.cards import hand_size
from engine.orders.game import Offer
from engine.orders.position import Position
from engine.orders.supply import chains


def open_answer(table: OrdersTable, faction: str, what: str, back: Scene) -> Scene:
    """Return the scene that says whether this faction may use something now.

    what: "space:advance:b3", "area:b3" or "card:ambush".
    """
    kind, _colon, name = what.partition(":")
    if kind == "space":
        return RulingScene(table.presenter, space_question(table.match.position, faction, name), back, table)
    if kind == "card":
        return RulingScene(table.presenter, card_question(table.match.position, faction, name), back, table)
    return AreaScene(table, faction, name, back)


class AskScene(BackScene):
    """Asks which side wants to know, and about which area, support space or card."""

    def __init__(self, table: OrdersTable, back: Scene, faction: str = "") -> None:
        super().__init__(back)
        self.table = table
        self.faction = faction or table.match.position.to_move_name

    def show(self) -> Screen:
        """Show buttons for the sides, the support spaces and the cards, beside the map for the areas."""
        position = self.table.match.position
        open_now = frozenset(game.legal(as_mover(position, self.faction)).spaces)
        blocks = (self._sides(), Text(_("Touch an area on the map, or:")), self._support(open_now))
        return self._screen(blocks, map_picture(position, Marks(live=open_now), None))

    def show_to(self, _seat: str) -> Screen:
        """Show the same with a button for each area instead of a map, which half the screen has no room for."""
        position = self.table.match.position
        open_now = frozenset(game.legal(as_mover(position, self.faction)).spaces)
        names = sorted(area.name for area in position.board.areas)
        areas = tuple(Button(area_label(name), Intent("area", name)) for name in names)
        blocks = (self._sides(), self._support(open_now), Text(_("Which area?"), "quiet"), Buttons(areas, 3))
        return self._screen(blocks, None)

    def _screen(self, blocks: tuple[Block, ...], picture: MapPicture | None) -> Screen:
        actions = (back_button(), Button(_("About a card"), Intent("cards"), sign="plan"))
        return Screen(title=_("May I …?"), blocks=blocks, actions=actions, page=self.page, map=picture)

    def _sides(self) -> Block:
        sides = tuple(
            Button(faction_name(faction), Intent("who", faction), "chosen" if faction == self.faction else "plain")
            for faction in self.table.match.position.board.factions
        )
        return Choice(_("Who's asking?"), sides)

    def _support(self, open_now: frozenset[str]) -> Block:
        """Return a button for each support space, with a note on whether it is open."""
        buttons = (
            Button(
                space_title(space),
                Intent("space", space.name),
                sign=space.action.name,
                note=_("yes") if space.name in open_now else _("no – why?"),
            )
            for space in self.table.match.position.board.spaces
            if space.area is None
        )
        return Buttons(tuple(buttons), 2)

    def touch(self, intent: Intent) -> Scene | None:
        """Choose who asks or what about, or go back."""
        if intent.verb == "who":
            self.faction = intent.what
        elif intent.verb in ("area", "space"):
            return open_answer(self.table, self.faction, f"{intent.verb}:{intent.what}", self)
        elif intent.verb == "cards":
            return CardsAskedScene(self.table, self.faction, self)
        return super().touch(intent)


class CardsAskedScene(BackScene):
    """Asks which card the question is about."""

    def __init__(self, table: OrdersTable, faction: str, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.faction = faction

    def show(self) -> Screen:
        """Show a slip for each kind of card, those that the side may hold first."""
        position = self.table.match.position
        hand = hand_size(position.hand(self.faction))
        held = [card for card in position.board.mode.cards.values() if may_hold(position, self.faction, card.name)]
        rest = [card for card in position.board.mode.cards.values() if card not in held]
        slips = tuple(
            Slip(
                card_title(position.board, card.name),
                _(card.text),
                _("playable now") if card_question(position, self.faction, card.name).ruling.legal else "",
                Intent("card", card.name),
            )
            for card in (*held, *rest)
        )
        form = plural("{n} card in hand", "{n} cards in hand", hand)
        return Screen(
            title=_("{who}: which card?").format(who=faction_name(self.faction)),
            blocks=(Text(form, "quiet"), *slips),
            actions=(back_button(),),
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch on a card, the page buttons, or Back."""
        if intent.verb == "card" and intent.what in self.table.match.position.board.mode.cards:
            return open_answer(self.table, self.faction, f"card:{intent.what}", self)
        return super().touch(intent)


class AreaScene(BackScene):
    """All about one area: who holds it, its supply chain and points, and what either side may do there."""

    def __init__(self, table: OrdersTable, faction: str, area: str, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.faction = faction
        self.area = area

    def show(self) -> Screen:
        """Show who holds the area, its spaces for the side that asks, and what both sides could do here."""
        position = self.table.match.position
        linked = [space for space in position.board.spaces if space.area == self.area]
        other = next(faction for faction in position.board.factions if faction != self.faction)
        switch = Button(_("Ask for {who}").format(who=faction_name(other)), Intent("who", other))
        facts = tuple(Text(line) for line in area_facts(position, self.area))
        picture = map_picture(position, Marks({self.area: "target"}), None)
        return Screen(
            title=_("{area} · {who} asks").format(area=self.area, who=faction_name(self.faction)),
            blocks=(area_verdict(position, self.area), *map(self._space, linked), *facts),
            actions=(back_button("primary"), switch),
            page=self.page,
            map=area_chain(picture, position, self.area),
        )

    def _space(self, space: Space) -> Block:
        """Return a slip saying whether the side may deploy to this space; a touch on it shows the reasons."""
        asked = space_question(self.table.match.position, self.faction, space.name)
        legal = asked.ruling.legal
        why = "" if legal else criterion_words(sort_findings(asked.ruling)[0], asked)
        mark = "yes" if legal else "no"
        return Slip(f"{space_title(space)}?", why or _("Yes."), "", Intent("space", space.name), mark)

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch on a space for its reasons, on another area, on the other side, or on Back."""
        if intent.verb == "who":
            self.faction = intent.what
        elif intent.verb == "area":
            self.area, self.page = intent.what, 0
        elif intent.verb == "space":
            return open_answer(self.table, self.faction, f"space:{intent.what}", self)
        return super().touch(intent)


def area_verdict(position: Position, area: str) -> Verdict:
    """Return who holds an area and whether it is in supply, with the chain in words."""
    holder = position.controller(area)
    if holder is None:
        contested = len(position.units_in(area)) > 1
        return Verdict(None, _("Conflict: both have units in {area}.").format(area=area) if contested else
                       _("{area} is empty.").format(area=area))  # fmt: skip
    way = chains(position)[holder][area]
    chain = chain_of(position, holder, area)
    if chain is not None and chain.gap:
        form = _("{who} controls {area}, but it is cut off.")
        return Verdict(False, form.format(who=faction_name(holder), area=area), _gap(position, way))
    text = _("{who} controls {area}, in supply.").format(who=faction_name(holder), area=area)
    where = _("This is the headquarters.") if len(way) == 1 else _("Chain: {way}").format(way=" – ".join(way))
    return Verdict(True, text, where)


def _gap(position: Position, way: tuple[str, ...]) -> str:
    """Return a sentence on where the chain breaks, and who controls that area, if anybody."""
    holder = position.controller(way[-1])
    if holder is None:
        return _("The chain breaks at {gap}, which is empty.").format(gap=way[-1])
    form = _("The chain breaks at {gap}, which {who} controls.")
    return form.format(gap=way[-1], who=faction_name(holder))


def area_chain(picture: MapPicture, position: Position, area: str) -> MapPicture:
    """Return the map with the supply chain of whoever holds the area; unchanged if nobody does."""
    holder = position.controller(area)
    chain = chain_of(position, holder, area) if holder else None
    return replace(picture, chains=(chain,)) if chain else picture


def area_facts(position: Position, area: str) -> tuple[str, ...]:
    """Return sentences on an area's points and what either side could do there; mid-turn, one to finish it first."""
    facts = [*_points(position, area)]
    if position.turn is not None and as_mover(position, position.to_move_name).turn is not None:
        return (*facts, _("Finish this turn to see what each side can do here."))
    for faction in position.board.factions:
        ways = _ways(as_mover(position, faction), area)
        form = _("{who} can: {ways}.") if ways else _("{who} has no action here.")
        facts.append(form.format(who=faction_name(faction), ways="; ".join(ways)))
    return tuple(facts)


def _points(position: Position, area: str) -> Iterator[str]:
    vp, holder = position.board.area(area).vp, position.controller(area)
    if not vp:
        return
    points = plural("{n} point", "{n} points", vp)
    if holder is None:
        contested = len(position.units_in(area)) > 1
        form = _("Worth {points}: undecided.") if contested else _("Worth {points}; nobody scores it now.")
        yield form.format(points=points)
        return
    chain = chain_of(position, holder, area)
    cut = chain is not None and chain.gap
    form = _("Worth {points}, but cut off: not scored.") if cut else _("Worth {points}, scored by {who}.")
    yield form.format(points=points, who=faction_name(holder))


def _ways(position: Position, area: str) -> list[str]:
    """Return the deployments, without cards, that the mover may make into or against an area, a phrase each.

    Shooting at an area without enemies is legal, but listed only if there is nothing better to do.
    """
    nobody = position.units_in(area).keys() <= {position.to_move_name}
    useful, useless = [], []
    for name, offer in game.legal(position).spaces.items():
        space = position.board.space(name)
        words = _way(offer, space_title(space), area, linked=space.area == area)
        if words and nobody and offer.verb == "shoot":
            useless.append(_("{way} (it would hit nobody)").format(way=words))
        elif words:
            useful.append(words)
    return useful or useless


def _way(offer: Offer, title: str, area: str, linked: bool) -> str:
    if linked and offer.sources:
        return _("{space} from {areas}").format(space=title, areas=join_words(offer.sources))
    if area in offer.targets and offer.payload:
        dice = plural("up to {n} die", "up to {n} dice", offer.dice + offer.payload)
        return _("{space} with {dice}").format(space=title, dice=dice)
    if area in offer.targets and offer.dice:
        return _("{space} with {dice}").format(space=title, dice=plural("{n} die", "{n} dice", offer.dice))
    return title if area in (*offer.targets, *offer.areas) else ""
