"""A turn that was seen, and the cards that were spent to roll again: nobody sees those on the map."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.language import _, plural
from companion.games.position_facts import may_hold
from companion.perception.dice import Faces, last_roll, most_rerolls, with_rerolls
from companion.scenes.base.map_picture import Marks
from companion.scenes.base.panels import Close, Face, Reply, Take
from companion.text.orders import area_label, faction_name
from companion.ui.screen import Button, Buttons, Intent, Prompt, cancel_button
from engine.errors import Illegal
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Deploy, Step

MOST_OFFERED = 3
"""So many cards are offered beside a turn; more are named one after the other."""


def rolled_again(turn: Explanation, position: Position) -> tuple[Button, ...]:
    """Return buttons to say how many cards were spent to reroll a turn's dice; none if nobody has any cards."""
    most = min(most_rerolls(turn, position), MOST_OFFERED)
    return tuple(
        Button(_("Rerolled"), Intent("rerolled", "", n), "quiet", note=plural("{n} card", "{n} cards", n))
        for n in range(1, most + 1)
    )


def target_buttons(turns: tuple[Explanation, ...]) -> Buttons:
    """Return a button for the target of each of these shots; a touch takes that shot."""
    return Buttons(
        tuple(
            Button(area_label(target_of(turn)), Intent("take", "", n), "plain", "commander")
            for n, turn in enumerate(turns)
        ),
        2,
    )


def target_of(turn: Explanation) -> str:
    """Return the area that a turn shoots at; "" if it does not shoot."""
    first = turn.steps[0]
    return (first.target if isinstance(first, Deploy) else None) or ""


class RerolledPanel:
    """Which cards were spent to roll again: a touch a card, and the last one takes the turn.

    turns: the turn, or one for each target that a shot may have had: then a touch says which; number: so many cards;
    before: what was seen of the rolls that didn't count.
    """

    def __init__(
        self, position: Position, turns: tuple[Explanation, ...], number: int, before: Sequence[Faces] = ()
    ) -> None:
        found = last_roll(turns[0])
        assert found is not None
        self.position = position
        self.turns = turns
        self.number = number
        self.before = before
        self.faction = found[1].by
        self.spent: tuple[str, ...] = ()

    @property
    def _is_named(self) -> bool:
        return len(self.spent) == self.number

    def show(self) -> Face:
        """Show the cards that may have been spent; once all are named, the targets."""
        marks = Marks(dict.fromkeys(filter(None, map(target_of, self.turns)), "target"))
        if self._is_named:
            blocks = (Prompt(self.faction, _("Which area was the target?")), target_buttons(self.turns))
            return Face(blocks, (cancel_button(),), marks)
        asked = plural(
            "Which card did {who} spend to reroll?",
            "Which {n} cards did {who} spend to reroll?",
            self.number,
            who=faction_name(self.faction),
        )
        more = Button(_("One more card"), Intent("one-more"), "quiet")
        actions = (more,) if self.number < most_rerolls(self.turns[0], self.position) else ()
        return Face((Prompt(self.faction, asked), self.cards()), (cancel_button(), *actions), marks)

    def cards(self) -> Buttons:
        """Return a button for each card that this side holds or may hold, with the spent ones marked."""
        cards = tuple(
            Button(
                card.heading,
                Intent("spend", card.name),
                "chosen" if card.name in self.spent else "plain",
                note=f"× {self.spent.count(card.name)}" if self.spent.count(card.name) > 1 else "",
            )
            for card in self.position.board.mode.cards.values()
            if may_hold(self.position, self.faction, card.name)
        )
        return Buttons(cards, 4)

    def touch(self, intent: Intent) -> Reply[Step]:
        """Name one more spent card, or take the turn once all are named; beyond what a hand can have, begin again."""
        if intent.verb == "cancel":
            return Close()
        if intent.verb == "one-more" and self.number < most_rerolls(self.turns[0], self.position):
            self.number += 1
        if intent.verb == "spend" and not self._is_named:
            return self._spend(intent.what)
        if intent.verb == "take" and self._is_named:
            return self._take(self.turns[intent.n])
        return None

    def _spend(self, card: str) -> Reply[Step]:
        more = (*self.spent, card)
        try:
            with_rerolls(self.turns[0], self.position, more)
        except Illegal:
            more = tuple(kept for kept in self.spent if kept != card)
        self.spent = more
        return self._take(self.turns[0]) if self._is_named and len(self.turns) == 1 else None

    def _take(self, turn: Explanation) -> Reply[Step]:
        return Take(with_rerolls(turn, self.position, self.spent, self.before))
