"""A side set right by hand: its piles, its generals with all that is told of them, who lies defeated, who has won."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.core.language import _
from companion.scenes.base.panels import Agree
from companion.scenes.base.stage import Scene
from companion.scenes.disputes.ruling import ruling_on
from companion.scenes.generals.side_draft import POINTS, SWITCHES, SideDraft, card_of
from companion.scenes.story.tables import GameTable
from companion.text.generals import goal_words, kind_title, pile_title
from companion.text.orders import card_count
from companion.ui.screen import Block, Button, Buttons, Choice, Intent, Look, Screen, Stepper, Steppers, Text
from engine.generals import game
from engine.generals.cards import EQUIPMENT, ZONES
from engine.generals.position import SIDES, Position
from engine.generals.steps import Step

MOST_MORE = 20


class WhoseScene:
    """Whose cards are different at the table?"""

    def __init__(self, table: GameTable[Position, Step], back: Scene) -> None:
        self.table = table
        self.back = back

    def show(self) -> Screen:
        """A button a side."""
        people = self.table.people
        buttons = tuple(
            Button(_("The cards of {who}").format(who=people.name(who)), Intent("whose", who)) for who in SIDES
        )
        return Screen(
            title=_("What is different at the table?"),
            blocks=(Buttons(buttons, 1), Text(_("Both players are asked before anything is recorded."), "quiet")),
            actions=(Button(_("Back"), Intent("back"), "quiet"),),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Lead on."""
        if intent.verb == "whose" and intent.what in SIDES:
            return SideScene(self.table, SIDES.index(intent.what), self)
        return self.back if intent.verb == "back" else None


class SideScene:
    """A side's numbers, and a button for each of its generals."""

    def __init__(self, table: GameTable[Position, Step], index: int, back: Scene) -> None:
        self.table = table
        self.index = index
        self.back = back
        self.draft = SideDraft.of(table.position, index)
        self.page = 0

    @property
    def who(self) -> str:
        """The side's player."""
        return self.table.people.name(SIDES[self.index])

    def show(self) -> Screen:
        """Numbers, generals, and what stands against it."""
        step = self.draft.step()
        may = step is not None and game.judge(self.table.position, step).legal
        actions = (
            Button(_("Cancel"), Intent("back"), "quiet"),
            Button(_("Set by hand"), Intent("record"), "primary" if may else "off"),
        )
        title = _("The cards of {who}").format(who=self.who)
        return Screen(title, (self._piles(), self._total(), *self._generals()), actions, page=self.page)

    def _piles(self) -> Block:
        most = self.table.position.sides[self.index].deck.size
        numbers = self.draft.numbers.items()
        return Steppers(tuple(Stepper(pile_title(pile), n, most, "count", pile) for pile, n in numbers))

    def _total(self) -> Text:
        """Whether every card of the deck is somewhere."""
        n, size = self.draft.cards, self.table.position.sides[self.index].deck.size
        told = _("{cards} in all; the deck has {n}.").format(cards=card_count(n), n=size)
        return Text(told, "quiet" if n == size else "bad")

    def _generals(self) -> tuple[Block, ...]:
        """Each general with where it stands; one more; the defeated; the winner."""
        deck, draft = self.draft.deck, self.draft
        generals = tuple(
            Button(_name(draft, label), Intent("general", label), note=goal_words(str(row["zone"])))
            for label, row in draft.generals.items()
        )
        fallen = tuple(
            Button(deck[card].title, Intent("fallen", "", n), note=_("defeated: back to the hand"))
            for n, card in enumerate(draft.defeated)
        )
        look: Look = "chosen" if draft.winner else "quiet"
        more = (
            Button(_("One more general"), Intent("more"), "quiet", "plus"),
            Button(_("{who} has won").format(who=self.who), Intent("winner"), look, "points"),
        )
        return (Buttons((*generals, *fallen, *more), 2),)

    def touch(self, intent: Intent) -> Scene | None:
        """A number, a general, done or back."""
        if intent.verb == "page":
            self.page += intent.n
        if intent.verb == "record" and (step := self.draft.step()) is not None:
            return self.table.follow(Agree(step)) if self._may(step) else self._why(step)
        do = self._doings().get(intent.verb)
        return do(intent) if do is not None else None

    def _why(self, step: Step) -> Scene:
        """The ruling on it; back from there the numbers are as they were set."""
        return ruling_on(self.table, step, self)

    def _may(self, step: Step) -> bool:
        return game.judge(self.table.position, step).legal

    def _doings(self) -> Mapping[str, Callable[[Intent], Scene | None]]:
        return {
            "back": lambda intent: self.back,
            "count": self._count,
            "winner": lambda intent: self._winner(),
            "fallen": self._fallen,
            "general": lambda intent: GeneralScene(self, intent.what) if intent.what in self.draft.generals else None,
            "more": lambda intent: AddGeneralScene(self),
        }

    def _count(self, intent: Intent) -> None:
        if intent.what in self.draft.numbers:
            self.draft = self.draft.counted(intent.what, intent.n)

    def _winner(self) -> None:
        self.draft = replace(self.draft, winner="" if self.draft.winner else SIDES[self.index])

    def _fallen(self, intent: Intent) -> None:
        if 0 <= intent.n < len(self.draft.defeated):
            self.draft = self.draft.back(self.draft.defeated[intent.n], "hand")


def _name(draft: SideDraft, label: str) -> str:
    number = label.removeprefix(card_of(label)).removeprefix("-")
    title = str(draft.deck[card_of(label)].title)
    return f"{title} {number}" if number else title


class GeneralScene:
    """A general: where it stands, what it wears, what it has done this turn, and whether it is there at all."""

    def __init__(self, before: SideScene, label: str) -> None:
        self.before = before
        self.label = label
        self.page = 0

    @property
    def draft(self) -> SideDraft:
        """The side as it is to be."""
        return self.before.draft

    def show(self) -> Screen:
        """A choice for each thing."""
        row = self.draft.generals[self.label]
        zones = tuple(Button(goal_words(zone), Intent("zone", zone), _look(row["zone"] == zone)) for zone in ZONES)
        switches = tuple(Button(_switch(key), Intent("switch", key), _look(bool(row[key]))) for key in SWITCHES)
        steppers = tuple(
            Stepper(text, max(0, int(row[key])), MOST_MORE, "points", key)
            for key, text in zip(POINTS, (_("military more"), _("intelligence more")), strict=True)
        )
        gone = (
            Button(_("It is defeated"), Intent("gone", "defeated"), "quiet", "fallen"),
            Button(_("Back in the hand"), Intent("gone", "hand"), "quiet", "hand"),
        )
        blocks = (
            Choice(_("Where it stands"), zones), *self._worn(), Choice(_("This turn"), switches), Steppers(steppers),
            Buttons(gone, 2),
        )  # fmt: skip
        return Screen(
            _name(self.draft, self.label), blocks, (Button(_("Done"), Intent("back"), "primary"),), page=self.page
        )

    def _worn(self) -> tuple[Block, ...]:
        """A choice for each kind of equipment that the deck has."""
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
        """Change one thing, or back."""
        draft, label = self.draft, self.label
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "zone" and intent.what in ZONES:
            self.before.draft = draft.told(label, "zone", intent.what)
        elif intent.verb == "switch" and intent.what in SWITCHES:
            self.before.draft = draft.told(label, intent.what, not draft.generals[label][intent.what])
        elif intent.verb == "points" and intent.what in POINTS:
            n = int(draft.generals[label][intent.what]) + intent.n
            self.before.draft = draft.told(label, intent.what, min(max(n, 0), MOST_MORE))
        elif intent.verb == "wear":
            self._wear(intent.what)
        elif intent.verb == "gone" and intent.what in ("defeated", "hand"):
            self.before.draft = draft.gone(label, intent.what)
            return self.before
        return self.before if intent.verb == "back" else None

    def _wear(self, what: str) -> None:
        kind, _slash, name = what.partition("/")
        if kind in EQUIPMENT and (not name or name in self.draft.deck):
            self.before.draft = self.draft.told(self.label, kind, name)


def _look(chosen: bool) -> Look:
    return "chosen" if chosen else "plain"


def _switch(key: str) -> str:
    names = {"fresh": _("deployed"), "acted": _("has acted"), "used": _("effect used")}
    return names[key]


class AddGeneralScene:
    """One more general for the battlefield, from the hand."""

    def __init__(self, before: SideScene) -> None:
        self.before = before
        self.page = 0

    def show(self) -> Screen:
        """The generals of the deck."""
        cards = [card for card in self.before.draft.deck.values() if card.kind == "general"]
        buttons = tuple(Button(card.title, Intent("card", card.name)) for card in cards)
        back = Button(_("Back"), Intent("back"), "quiet")
        return Screen(_("Which general stands there too?"), (Buttons(buttons, 3),), (back,), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Put it there, or back."""
        if intent.verb == "page":
            self.page += intent.n
        if intent.verb == "card" and intent.what in self.before.draft.deck:
            self.before.draft = self.before.draft.come(intent.what)
        return self.before if intent.verb in ("card", "back") else None
