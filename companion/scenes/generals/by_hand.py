"""A side corrected by hand: its piles, its generals with all that is recorded of them, the defeated, who has won.

Every change moves cards, so that none comes or goes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.core.language import _
from companion.scenes.base.panels import Agree
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.disputes.ruling import ruling_on
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
from engine.generals.position import SIDES, Fighter, Position
from engine.generals.steps import Agreed, Step

PILES = ("resources", "hand", "expended")
SWITCHES = ("fresh", "acted", "used")
POINTS = ("military", "intelligence")
ROW = ("zone", *EQUIPMENT, *SWITCHES, *POINTS)


@dataclass(frozen=True)
class SideDraft:
    """A side as corrected so far: the sizes of its piles, its generals by label with their values, the defeated cards.

    index: the side's. winner: the side that the players agree has won, or "".
    """

    position: Position
    index: int
    numbers: Mapping[str, int]
    generals: Mapping[str, Mapping[str, Any]]
    defeated: tuple[str, ...]
    winner: str = ""

    @classmethod
    def of(cls, position: Position, index: int) -> SideDraft:
        """Return the draft of a side as the record has it."""
        side = position.sides[index]
        numbers = {pile: getattr(side, pile) for pile in PILES}
        return cls(
            position, index, numbers, {fighter.label: general_row(fighter) for fighter in side.fighters}, side.defeated
        )

    @property
    def deck(self) -> Mapping[str, Any]:
        """The cards of its deck by name."""
        return self.position.sides[self.index].deck.cards

    @property
    def cards(self) -> int:
        """The number of all the side's cards in this draft."""
        worn = sum(1 + sum(bool(row[kind]) for kind in EQUIPMENT) for row in self.generals.values())
        return sum(self.numbers.values()) + worn + len(self.defeated)

    # ---- changes ------------------------------------------------------------------------------------

    def with_count(self, pile: str, by: int) -> SideDraft:
        """Return the draft with `by` more cards in a pile; fewer if negative, but never below zero."""
        return replace(self, numbers={**self.numbers, pile: max(0, self.numbers[pile] + by)})

    def with_value(self, label: str, key: str, value: Any) -> SideDraft:
        """Return the draft with a value of a general changed; new equipment comes from hand, the old is expended."""
        row = self.generals[label]
        draft = replace(self, generals={**self.generals, label: {**row, key: value}})
        if key in EQUIPMENT and row[key] != value:
            draft = draft.with_count("expended", 1) if row[key] else draft
            return draft.with_count("hand", -1) if value else draft
        return draft

    def without(self, label: str, pile: str) -> SideDraft:
        """Return the draft without a general: its card goes to a pile or "defeated", its equipment is expended."""
        row = self.generals[label]
        draft = replace(self, generals={name: general for name, general in self.generals.items() if name != label})
        draft = draft.with_count("expended", sum(bool(row[kind]) for kind in EQUIPMENT))
        if pile == "defeated":
            return replace(draft, defeated=(*self.defeated, card_name(label)))
        return draft.with_count(pile, 1)

    def with_general(self, card: str) -> SideDraft:
        """Return the draft with this general's card moved from the hand to the battlefield, under a new label.

        Nothing changes where all labels of the card are taken.
        """
        labels = (card, *(f"{card}-{n}" for n in range(2, 9)))
        label = next((label for label in labels if label not in self.generals), None)
        if label is None:
            return self
        row = general_row(Fighter(label, card, self.deck[card].arrives))
        return replace(self, generals={**self.generals, label: row}).with_count("hand", -1)

    def put_back(self, card: str, pile: str) -> SideDraft:
        """Return the draft with a defeated general moved to a pile."""
        defeated = list(self.defeated)
        defeated.remove(card)
        return replace(self, defeated=tuple(defeated)).with_count(pile, 1)

    # ---- the step -----------------------------------------------------------------------------------

    def step(self) -> Agreed | None:
        """Return the step for the players to agree on; None if nothing has changed."""
        before = SideDraft.of(self.position, self.index)
        numbers = {pile: n for pile, n in self.numbers.items() if n != before.numbers[pile]}
        generals: dict[str, Mapping[str, Any] | None] = {
            label: dict(row) for label, row in self.generals.items() if row != before.generals.get(label)
        }
        generals |= {label: None for label in before.generals if label not in self.generals}
        defeated = self.defeated if self.defeated != before.defeated else None
        if not (numbers or generals or self.winner) and defeated is None:
            return None
        return Agreed(SIDES[self.index], numbers, generals, defeated, self.winner, _("set by hand"))


def general_row(fighter: Fighter) -> dict[str, Any]:
    """Return all values recorded about a general, by the keys of an agreed step."""
    return {key: getattr(fighter, key) for key in ROW}


def card_name(label: str) -> str:
    """Return the name of the card that a general's label stands for: "crane" for "crane-2"."""
    return label.partition("-")[0]


MOST_MORE = 20


class WhoseScene(BackScene):
    """The choice of the player whose cards on the table differ from the record."""

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


class SideScene(BackScene):
    """The correction of one side: its piles, and a button for each of its generals."""

    def __init__(self, table: GameTable[Position, Step], index: int, back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.index = index
        self.draft = SideDraft.of(table.position, index)

    @property
    def who(self) -> str:
        """The name of the side's player."""
        return self.table.people.name(SIDES[self.index])

    def show(self) -> Screen:
        """Show the side's piles and generals, and whether the cards add up to the deck."""
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
        """Change a number or a general, ask both players to agree to the changes, or go back."""
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
    number = label.removeprefix(card_name(label)).removeprefix("-")
    title = str(draft.deck[card_name(label)].title)
    return f"{title} {number}" if number else title


class GeneralScene(BackScene):
    """The correction of a general: its zone, equipment and bonuses, its deeds this turn, and whether it is there."""

    back: SideScene

    def __init__(self, back: SideScene, label: str) -> None:
        super().__init__(back)
        self.label = label

    @property
    def draft(self) -> SideDraft:
        """The side as corrected so far."""
        return self.back.draft

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
                self.back.draft = draft.with_value(label, "zone", intent.what)
            case "switch" if intent.what in SWITCHES:
                self.back.draft = draft.with_value(label, intent.what, not draft.generals[label][intent.what])
            case "points" if intent.what in POINTS:
                n = int(draft.generals[label][intent.what]) + intent.n
                self.back.draft = draft.with_value(label, intent.what, min(max(n, 0), MOST_MORE))
            case "wear":
                kind, _slash, name = intent.what.partition("/")
                if kind in EQUIPMENT and (not name or name in draft.deck):
                    self.back.draft = draft.with_value(label, kind, name)
            case "gone" if intent.what in ("defeated", "hand"):
                self.back.draft = draft.without(label, intent.what)
                return self.back
        return super().touch(intent)


def _look(chosen: bool) -> Look:
    return "chosen" if chosen else "plain"


class AddGeneralScene(BackScene):
    """The choice of a general to add to the battlefield from the hand."""

    back: SideScene

    def show(self) -> Screen:
        """Offer every general of the deck."""
        cards = [card for card in self.back.draft.deck.values() if card.kind == "general"]
        buttons = tuple(Button(card.title, Intent("card", card.name)) for card in cards)
        return Screen(_("Which other general is there?"), (Buttons(buttons, 3),), (back_button(),), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Add the general that was touched, or go back."""
        if intent.verb != "card":
            return super().touch(intent)
        if intent.what in self.back.draft.deck:
            self.back.draft = self.back.draft.with_general(intent.what)
        return self.back
