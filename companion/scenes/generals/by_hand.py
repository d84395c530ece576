"""A side set right by hand: its piles, its generals with all that is told of them, who lies defeated, who has won."""

from __future__ import annotations

from dataclasses import replace

from companion.core.language import _
from companion.scenes.base.panels import Agree
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.disputes.ruling import ruling_on
from companion.scenes.generals.side_draft import POINTS, SWITCHES, SideDraft, card_of
from companion.scenes.story.tables import GameTable
from companion.text.generals import goal_words, kind_title, pile_title
from companion.text.orders import card_count
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
    cancel_button,
    confirm_button,
)
from engine.generals import game
from engine.generals.cards import EQUIPMENT, ZONES
from engine.generals.position import SIDES, Position
from engine.generals.steps import Step

MOST_MORE = 20


class WhoseScene(SubScene):
    """The choice of the player whose cards on the table differ from the record."""

    whole = False

    def __init__(self, table: GameTable[Position, Step], back: Scene) -> None:
        super().__init__(back)
        self.table = table

    def show(self) -> Screen:
        """Offer one button for each side."""
        people = self.table.people
        buttons = tuple(Button(_("{who}'s cards").format(who=people.name(who)), Intent("whose", who)) for who in SIDES)
        return Screen(
            title=_("What's different on the table?"),
            blocks=(Buttons(buttons, 1), Text(_("Both players confirm before anything is logged."), "quiet")),
            actions=(back_button(),),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Open the cards of the side that was touched, or go back."""
        if intent.verb == "whose" and intent.what in SIDES:
            return SideScene(self.table, SIDES.index(intent.what), self)
        return super().touch(intent)


class SideScene(SubScene):
    """A side's numbers, and a button for each of its generals."""

    whole = False

    def __init__(self, table: GameTable[Position, Step], index: int, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.index = index
        self.draft = SideDraft.of(table.position, index)

    @property
    def who(self) -> str:
        """The side's player."""
        return self.table.people.name(SIDES[self.index])

    def show(self) -> Screen:
        """Show the side's piles and generals, and what forbids the changes."""
        step = self.draft.step()
        may = step is not None and game.judge(self.table.position, step).legal
        actions = (
            cancel_button("back"),
            confirm_button(_("Set by hand"), "primary" if may else "off", Intent("record")),
        )
        n, size = self.draft.cards, self.table.position.sides[self.index].deck.size
        piles = tuple(Stepper(pile_title(pile), n, size, "count", pile) for pile, n in self.draft.numbers.items())
        total = _("Total: {cards}. The deck has {n}.").format(cards=card_count(n), n=size)
        return Screen(
            title=_("{who}'s cards").format(who=self.who),
            blocks=(Steppers(piles), Text(total, "quiet" if n == size else "bad"), self._generals()),
            actions=actions,
            page=self.page,
        )

    def _generals(self) -> Block:
        """Show each general with its zone, a way to add one, the defeated generals, and the winner."""
        deck, draft = self.draft.deck, self.draft
        generals = tuple(
            Button(_name(draft, label), Intent("general", label), note=goal_words(str(row["zone"])))
            for label, row in draft.generals.items()
        )
        fallen = tuple(
            Button(deck[card].title, Intent("fallen", "", n), note=_("defeated: back to hand"))
            for n, card in enumerate(draft.defeated)
        )
        look: Look = "chosen" if draft.winner else "quiet"
        more = (
            Button(_("Add a general"), Intent("more"), "quiet", "plus"),
            Button(_("{who} has won").format(who=self.who), Intent("winner"), look, "points"),
        )
        return Buttons((*generals, *fallen, *more), 2)

    def touch(self, intent: Intent) -> Scene | None:
        """Handle a touch: change a number or a general, record the changes, or leave."""
        match intent.verb:
            case "record" if (step := self.draft.step()) is not None:
                legal = game.judge(self.table.position, step).legal
                return self.table.follow(Agree(step)) if legal else ruling_on(self.table, step, self)
            case "count" if intent.what in self.draft.numbers:
                self.draft = self.draft.with_count(intent.what, intent.n)
            case "winner":
                self.draft = replace(self.draft, winner="" if self.draft.winner else SIDES[self.index])
            case "fallen" if 0 <= intent.n < len(self.draft.defeated):
                self.draft = self.draft.put_back(self.draft.defeated[intent.n], "hand")
            case "general" if intent.what in self.draft.generals:
                return GeneralScene(self, intent.what)
            case "more":
                return AddGeneralScene(self)
        return super().touch(intent)


def _name(draft: SideDraft, label: str) -> str:
    number = label.removeprefix(card_of(label)).removeprefix("-")
    title = str(draft.deck[card_of(label)].title)
    return f"{title} {number}" if number else title


class GeneralScene(SubScene):
    """A general: where it stands, what it wears, what it has done this turn, and whether it is there at all."""

    whole = False

    def __init__(self, before: SideScene, label: str) -> None:
        super().__init__(before)
        self.before = before
        self.label = label

    @property
    def draft(self) -> SideDraft:
        """The side as it is to be."""
        return self.before.draft

    def show(self) -> Screen:
        """Show a choice for each value of the general."""
        row = self.draft.generals[self.label]
        zones = tuple(Button(goal_words(zone), Intent("zone", zone), _look(row["zone"] == zone)) for zone in ZONES)
        names = {"fresh": _("deployed"), "acted": _("acted"), "used": _("effect used")}
        switches = tuple(Button(names[key], Intent("switch", key), _look(bool(row[key]))) for key in SWITCHES)
        steppers = tuple(
            Stepper(text, max(0, int(row[key])), MOST_MORE, "points", key)
            for key, text in zip(POINTS, (_("military bonus"), _("intelligence bonus")), strict=True)
        )
        gone = (
            Button(_("Defeated"), Intent("gone", "defeated"), "quiet", "fallen"),
            Button(_("Back to hand"), Intent("gone", "hand"), "quiet", "hand"),
        )
        blocks = (
            Choice(_("Position"), zones), *self._worn(), Choice(_("This turn"), switches), Steppers(steppers),
            Buttons(gone, 2),
        )  # fmt: skip
        return Screen(_name(self.draft, self.label), blocks, (back_button("primary"),), page=self.page)

    def _worn(self) -> tuple[Block, ...]:
        """Return a choice for each kind of equipment in the deck."""
        found = []
        for kind in EQUIPMENT:
            names = [name for name, card in self.draft.deck.items() if card.kind == kind]
            now = self.draft.generals[self.label][kind]
            buttons = [Button(_("none"), Intent("wear", f"{kind}/"), _look(not now))]
            buttons += [
                Button(self.draft.deck[name].title, Intent("wear", f"{kind}/{name}"), _look(now == name))
                for name in names
            ]
            if names:
                found.append(Choice(kind_title(kind), tuple(buttons)))
        return tuple(found)

    def touch(self, intent: Intent) -> Scene | None:
        """Change one value of the general, or go back."""
        draft, label = self.draft, self.label
        match intent.verb:
            case "zone" if intent.what in ZONES:
                self.before.draft = draft.with_value(label, "zone", intent.what)
            case "switch" if intent.what in SWITCHES:
                self.before.draft = draft.with_value(label, intent.what, not draft.generals[label][intent.what])
            case "points" if intent.what in POINTS:
                n = int(draft.generals[label][intent.what]) + intent.n
                self.before.draft = draft.with_value(label, intent.what, min(max(n, 0), MOST_MORE))
            case "wear":
                kind, _slash, name = intent.what.partition("/")
                if kind in EQUIPMENT and (not name or name in draft.deck):
                    self.before.draft = draft.with_value(label, kind, name)
            case "gone" if intent.what in ("defeated", "hand"):
                self.before.draft = draft.without(label, intent.what)
                return self.before
        return super().touch(intent)


def _look(chosen: bool) -> Look:
    return "chosen" if chosen else "plain"


class AddGeneralScene(SubScene):
    """One more general for the battlefield, from the hand."""

    whole = False

    def __init__(self, before: SideScene) -> None:
        super().__init__(before)
        self.before = before

    def show(self) -> Screen:
        """Offer every general of the deck."""
        cards = [card for card in self.before.draft.deck.values() if card.kind == "general"]
        buttons = tuple(Button(card.title, Intent("card", card.name)) for card in cards)
        return Screen(_("Which other general is there?"), (Buttons(buttons, 3),), (back_button(),), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Add the general that was touched to the side, or go back."""
        if intent.verb != "card":
            return super().touch(intent)
        if intent.what in self.before.draft.deck:
            self.before.draft = self.before.draft.with_general(intent.what)
        return self.before
