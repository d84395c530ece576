"""A turn that was seen, and the cards that were spent to roll again: nobody sees those on the map."""

from __future__ import annotations

from companion.core.language import _
from companion.games.position_facts import hand_size, may_hold
from companion.scenes.base.panels import Close, Face, Reply, Take
from companion.text.orders import faction_name
from companion.ui.screen import Button, Buttons, Intent, Prompt, cancel_button
from engine.errors import Illegal
from engine.orders import game
from engine.orders.inference.infer import Explanation
from engine.orders.position import Position
from engine.orders.steps import Reroll, Roll, Step


def last_roll(turn: Explanation) -> tuple[int, Roll] | None:
    """The number of the last roll of a turn among its steps, and the roll."""
    rolls = [(number, step) for number, step in enumerate(turn.steps) if isinstance(step, Roll)]
    return rolls[-1] if rolls else None


def may_be_rerolled(turn: Explanation, position: Position) -> bool:
    """Whether somebody rolled last who has a card to spend for another roll."""
    found = last_roll(turn)
    return found is not None and hand_size(position, found[1].by) > 0


def with_rerolls(turn: Explanation, cards: tuple[str, ...]) -> tuple[Step, ...]:
    """The steps of a turn that rolled again for each of these cards. What was thrown before is told by nobody: the
    faces that came last stand for it.
    """
    found = last_roll(turn)
    assert found is not None
    number, roll = found
    again = (step for card in cards for step in (roll, Reroll(card, roll.by)))
    return (*turn.steps[:number], *again, *turn.steps[number:])


class RerolledPanel:
    """Which cards were spent to roll again: a touch a card, and one for the turn."""

    def __init__(self, position: Position, turn: Explanation) -> None:
        found = last_roll(turn)
        assert found is not None
        self.position = position
        self.turn = turn
        self.faction = found[1].by
        self.spent: tuple[str, ...] = ()

    def show(self) -> Face:
        """The cards that this side has or may have, the spent ones marked."""
        cards = tuple(
            Button(
                card.heading,
                Intent("spend", card.name),
                "chosen" if card.name in self.spent else "plain",
                "plan",
                note=f"× {self.spent.count(card.name)}" if self.spent.count(card.name) > 1 else "",
            )
            for card in self.position.board.mode.cards.values()
            if may_hold(self.position, self.faction, card.name)
        )
        asked = _("Which cards did {who} spend to reroll?").format(who=faction_name(self.faction))
        yes = Button(_("Yes, that's right"), Intent("confirm"), "primary" if self.spent else "off")
        return Face((Prompt(self.faction, asked), Buttons(cards, 3)), (cancel_button(), yes))

    def touch(self, intent: Intent) -> Reply[Step]:
        """One card more, as far as the hand goes, else from the start again; then the turn."""
        if intent.verb == "cancel":
            return Close()
        if intent.verb == "spend":
            more = (*self.spent, intent.what)
            self.spent = more if self._is_legal(more) else tuple(one for one in self.spent if one != intent.what)
        if intent.verb == "confirm" and self.spent:
            return Take(with_rerolls(self.turn, self.spent))
        return None

    def _is_legal(self, cards: tuple[str, ...]) -> bool:
        try:
            game.fold(self.position, with_rerolls(self.turn, cards))
        except Illegal:
            return False
        return True
