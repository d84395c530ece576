"""The panels that a touch on the battlefield opens: a general and all it may do, a zone, a side's piles."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.language import _, plural
from companion.scenes.base.panels import Face, Offer, Open, Panel, Reply, Why
from companion.scenes.base.rules import rule_button
from companion.scenes.generals.deeds import DeedPanel, attack_deed, begin_deed, effect_deed, points_text
from companion.scenes.generals.duel import Duel, DuelMarks, DuelPanel, split_side, zone_at, zone_place
from companion.text.generals import deck_title, pile_title, state_words, way_title, zone_title
from companion.text.orders import card_count, join_words
from companion.ui.screen import Block, Button, Buttons, Grid, Intent, Look, Text, back_button, live_first
from engine.generals.cards import ZONES
from engine.generals.effects import are_together
from engine.generals.position import SIDES, Fighter, Position
from engine.generals.steps import Activate, Attack, Move, Step
from engine.generals.tally import UPKEEP, features, passage_of, points_of, upkeep_of
from engine.generals.words import effect_words, feature_words, zone_words


class GeneralPanel(DuelPanel):
    """A general: its points with their reasons, and, if its side is to move, where it may go and whom it may attack."""

    def __init__(self, duel: Duel, index: int, label: str) -> None:
        super().__init__(duel)
        self.index = index
        fighter = duel.position.sides[index].fighter(label)
        assert fighter is not None
        self.fighter: Fighter = fighter
        self.acts = index == duel.mover and duel.position.winner is None
        self.owner = duel.mover if self.acts else None

    def show(self) -> Face:
        """Show all about the general."""
        points = points_text(self.duel, self.index, self.fighter)
        return self._face((self.duel.name(self.index),), live_first(self._ways()), points)

    def show_to(self, _seat: str) -> Face:
        """Show in half the room what the general may do; a touch on the battlefield says why not the rest."""
        whose = () if self.acts else (self.duel.name(self.index),)
        points = points_text(self.duel, self.index, self.fighter, all_of_them=False)
        return self._face(whose, [way for way in self._ways() if way.look != "off"], points)

    def _face(self, whose: tuple[str, ...], ways: Sequence[Button], points: tuple[Text, ...]) -> Face:
        back = back_button(verb="cancel")
        states = state_words(self.fighter.fresh, self.fighter.acted, self.fighter.used) if self.acts else ""
        facts = " · ".join(filter(None, (*whose, zone_words(self.fighter.zone), states)))
        blocks = (
            Text(self.duel.title(self.index, self.fighter.label), "title"),
            Text(facts[:1].upper() + facts[1:]),
            *((Buttons(tuple(ways), 2),) if ways else ()),
            *points,
            *self._besides(),
        )
        return Face(blocks, (back, rule_button("movement")), picture=self.duel.picture(self._marks()))

    def _ways(self) -> tuple[Button, ...]:
        """Return buttons for everything that a general of the side to move might do."""
        return (*self._attacks(), *self._moves(), *self._effect()) if self.acts else ()

    def _besides(self) -> tuple[Block, ...]:
        """Return the general's equipment, effect and features."""
        position = self.duel.position
        card = position.card(self.index, self.fighter.card)
        worn = [position.card(self.index, name).title for name in self.fighter.equipment]
        parts = [_("Equipment: {what}.").format(what=join_words(worn))] if worn else []
        if card.effect is not None:
            parts.append(_("Special effect: {what}.").format(what=effect_words(card.effect).rstrip(".")))
        holding = tuple(features(position, self.index, self.fighter))
        for name in (card.name, *self.fighter.equipment):
            if feature := position.card(self.index, name).feature:
                form = _("Active: {what}.") if feature in holding else _("Not active: {what}.")
                parts.append(form.format(what=feature_words(feature).rstrip(".")))
        parts += [card.text] if card.text else []
        return (Text(" ".join(parts), "quiet"),) if parts else ()

    # ---- what it may do -----------------------------------------------------------------------------

    def _targets(self) -> list[str]:
        return [fighter.label for fighter in self.duel.fighters(1 - self.index) if are_together(self.fighter, fighter)]

    def _attacks(self) -> list[Button]:
        """Return buttons to attack each opposing general in the same zone, and the castle from in front of it."""
        mine = self._mine()
        buttons = [
            Button(
                _("Attack {target}").format(target=self.duel.title(1 - self.index, label)),
                Intent("attack", label), self._look(Attack(self.fighter.label, label)), "military",
                self._foretold(mine, label),
            )
            for label in sorted(self._targets(), key=self._other)
        ]  # fmt: skip
        if self.fighter.zone == "siege":
            look, note = self._look(Attack(self.fighter.label)), _("damage {n}").format(n=mine)
            buttons.append(Button(_("Attack the castle"), Intent("attack"), look, "castle", note))
        return buttons

    def _foretold(self, mine: int, label: str) -> str:
        theirs = self._other(label)
        ends = {1: _("it is defeated"), 0: _("both defeated"), -1: _("yours is defeated")}[
            (mine > theirs) - (mine < theirs)
        ]
        return _("{mine} against {theirs}: {end}").format(mine=mine, theirs=theirs, end=ends)

    def _mine(self) -> int:
        """Return the military points of this general."""
        return points_of(self.duel.position, self.index, self.fighter, "military").total

    def _other(self, label: str) -> int:
        """Return an opposing general's military points, which sort the weakest, likeliest target first."""
        other = self.duel.position.sides[1 - self.index].fighter(label)
        assert other is not None
        return points_of(self.duel.position, 1 - self.index, other, "military").total

    def _moves(self) -> list[Button]:
        """Return a button for each other zone that a general may stand in."""
        return [
            Button(
                way_title(zone), Intent("go", zone),
                self._look(Move(self.fighter.label, zone)), "advance", self._passage(zone),
            )
            for zone in ZONES if zone != self.fighter.zone
        ]  # fmt: skip

    def _passage(self, zone: str) -> str:
        """Return how many of the enemies on the way to the opponent are blocked; "" if none need to be."""
        way = passage_of(self.duel.position, self.fighter)
        if zone != "siege" or not way.enemies:
            return ""
        return _("{n} of {all} blocked").format(n=min(len(way.blockers), len(way.enemies)), all=len(way.enemies))

    def _effect(self) -> list[Button]:
        effect = self.duel.position.card(self.index, self.fighter.card).effect
        if effect is None:
            return []
        may = self.fighter.label in self.duel.legal.activate
        note = _("cost {n}").format(n=effect.cost) if effect.cost else ""
        return [Button(_("Special effect"), Intent("effect"), "plain" if may else "off", "effect", note)]

    def _look(self, step: Step) -> Look:
        return "plain" if self.duel.may(step) else "off"

    def _marks(self) -> DuelMarks:
        """Return the marks for the general, for whom it may attack, and for where it may go."""
        own, other = SIDES[self.index], SIDES[1 - self.index]
        cards, zones = {f"{own}/{self.fighter.label}": "chosen"}, {}
        if self.acts:
            attacked = (label for label in self._targets() if self.duel.may(Attack(self.fighter.label, label)))
            cards |= {f"{other}/{label}": "target" for label in attacked}
            zones = {
                zone_place(self.index, zone): "live" for zone in ZONES if self.duel.may(Move(self.fighter.label, zone))
            }
            if self.duel.may(Attack(self.fighter.label)):
                zones[f"{other}/city"] = "live"
        return DuelMarks(cards, zones)

    # ---- touches --------------------------------------------------------------------------------------

    def touch(self, intent: Intent) -> Reply[Step]:
        """Move, attack or use the effect, by button or on the battlefield, or go back."""
        if not self.acts or intent.verb == "cancel":
            return super().touch(intent)
        if intent.verb == "go" and intent.what in ZONES:
            return self._take(Move(self.fighter.label, intent.what))
        if intent.verb == "attack":
            return self._attack(intent.what)
        if intent.verb == "effect":
            if self.fighter.label not in self.duel.legal.activate:
                return Why(Activate(self.fighter.label))
            return begin_deed(self.duel, effect_deed(self.duel, self.fighter.label))
        return self._on_battlefield(intent)

    def _on_battlefield(self, intent: Intent) -> Reply[Step]:
        """Handle a touch on the battlefield: attack a general or the castle behind its zone, or move to a zone."""
        index, name = split_side(intent.what)
        if intent.verb == "general" and index == 1 - self.index and name in self._targets():
            return self._attack(name)
        if intent.verb == "zone":
            goal = zone_at(self.index, intent.what)
            if goal and goal != self.fighter.zone:
                return self._take(Move(self.fighter.label, goal))
            if not goal and self.fighter.zone == "siege":
                return self._attack("")
        return self.duel.open_touched(intent)

    def _take(self, step: Step) -> Reply[Step]:
        return Offer(step) if self.duel.may(step) else Why(step)

    def _attack(self, target: str) -> Reply[Step]:
        """Attack at once if that costs nothing; if the general itself would fall, open the comparison first."""
        step = Attack(self.fighter.label, target)
        if not self.duel.may(step):
            return Why(step)
        if target and self._mine() <= self._other(target):
            return Open(DeedPanel(self.duel, attack_deed(self.duel, self.fighter.label, target), target=target))
        return Offer(step)


class ZonePanel(DuelPanel):
    """A zone, with a button for each general that stands there."""

    def __init__(self, duel: Duel, place: str) -> None:
        super().__init__(duel)
        self.place = place

    def show(self) -> Face:
        """Show the generals in the zone."""
        seat, _slash, kind = self.place.partition("/")
        buttons = tuple(
            Button(
                self.duel.title(index, fighter.label), Intent("general", f"{SIDES[index]}/{fighter.label}"),
                note=f"{self.duel.name(index)} · {self._points(index, fighter)}",
            )
            for index in (self.duel.mover, 1 - self.duel.mover) for fighter in self.duel.fighters(index)
            if zone_place(index, fighter.zone) == self.place
        )  # fmt: skip
        found: Block = Buttons(buttons, 2) if buttons else Text(_("No generals here."), "quiet")
        back = back_button(verb="cancel")
        picture = self.duel.picture(DuelMarks(zones={self.place: "chosen"}))
        return Face((Text(zone_title(kind, seat), "title"), found), (back,), picture=picture)

    def _points(self, index: int, fighter: Fighter) -> str:
        forms = ("military", "intelligence")
        return "/".join(str(points_of(self.duel.position, index, fighter, form).total) for form in forms)


class PilesPanel(DuelPanel):
    """The sizes of a side's piles, what the end of its turn costs, and its defeated generals."""

    def __init__(self, duel: Duel, index: int) -> None:
        super().__init__(duel)
        self.index = index

    def show(self) -> Face:
        """Show the number of cards in each pile."""
        side = self.duel.position.sides[self.index]
        title = Text(_("{who}'s cards").format(who=self.duel.name(self.index)), "title")
        return self._face((title, Text(deck_title(side.deck), "quiet"), self._piles((_("Pile"), _("Cards")))))

    def show_to(self, _seat: str) -> Face:
        """Show the piles without a title of their own, as there is half the room."""
        return self._face((self._piles((_("{who}'s cards").format(who=self.duel.name(self.index)), "")),))

    def _piles(self, heads: tuple[str, str]) -> Grid:
        side = self.duel.position.sides[self.index]
        numbers = {"resources": side.resources, "hand": side.hand, "expended": side.expended,
                   "defeated": len(side.defeated)}  # fmt: skip
        return Grid(heads, tuple((pile_title(pile), str(n)) for pile, n in numbers.items()))

    def _face(self, piles: tuple[Block, ...]) -> Face:
        back = back_button(verb="cancel")
        other = Button(_("Correct"), Intent("by-hand", SIDES[self.index]), "plain", "pencil")
        blocks = (*piles, *upkeep_texts(self.duel.position, self.index), *self._fallen())
        return Face(blocks, (back, rule_button("upkeep"), other))

    def _fallen(self) -> tuple[Block, ...]:
        side = self.duel.position.sides[self.index]
        names = [side.deck.cards[name].title for name in side.defeated]
        factions = plural("{n} faction", "{n} factions", len(side.deck.factions))
        limit = _("Hand limit: {n} for {factions} ({names}).").format(
            n=side.deck.hand_limit, factions=factions, names=", ".join(side.deck.factions)
        )
        fallen = (Text(_("Defeated: {names}.").format(names=", ".join(names)), "quiet"),) if names else ()
        return (*fallen, Text(limit, "quiet"))


def upkeep_texts(position: Position, index: int) -> tuple[Text, ...]:
    """Return texts on what the end of a side's turn costs, and whether that loses the game."""
    end = upkeep_of(position, index)
    whole = plural("{n} resource card", "{n} resource cards", end.resources)
    form = _("End-of-turn upkeep: {n} of {cards} ({cite}).")
    parts = [Text(form.format(n=end.generals, cards=whole, cite=UPKEEP))]
    if end.over:
        form = _("{cards} over the hand limit: discard to the Expended zone (Game Play 17).")
        parts.append(Text(form.format(cards=card_count(end.over)), "warn"))
    if end.lost:
        text = _("Too few resource cards for the upkeep: ending the turn loses the game (Winning Criteria 3).")
        parts.append(Text(text, "bad"))
    return tuple(parts)


def look(duel: Duel, intent: Intent) -> Reply[Step]:
    """Return the reply that opens the panel of the touched general, zone or pile; None for any other touch."""
    found: Panel[Step] | None = None
    index, name = split_side(intent.what)
    if intent.verb == "general" and index >= 0 and duel.position.sides[index].fighter(name) is not None:
        found = GeneralPanel(duel, index, name)
    elif intent.verb == "zone" and index >= 0:
        found = ZonePanel(duel, intent.what)
    elif intent.verb in ("pile", "side") and intent.what in SIDES:
        found = PilesPanel(duel, SIDES.index(intent.what))
    return Open(found) if found is not None else None
