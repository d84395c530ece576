"""A card whose text only the players can carry out: they do what it says, and record what came of it."""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.panels import Close, Face, Reply
from companion.scenes.generals.duel import Duel
from companion.ui.screen import Button, Buttons, Intent, Prompt, Text
from engine.generals.cards import Card
from engine.generals.position import SIDES
from engine.generals.steps import Step


class ResolvePanel:
    """What the card says, and the ways to record what the players did."""

    def __init__(self, duel: Duel, whose: int, card: Card) -> None:
        self.duel = duel
        self.whose = whose
        self.card = card

    def show(self) -> Face:
        """The card's words; each side's numbers; done."""
        effect = self.card.effect
        words = (effect.text if effect is not None else "") or self.card.text or _("Do what the card says.")
        buttons = tuple(
            Button(
                _("Change what {who} has").format(who=self.duel.name(index)),
                Intent("by-hand", SIDES[index]),
                sign="pencil",
            )
            for index in (self.whose, 1 - self.whose)
        )
        blocks = (
            Prompt(SIDES[self.whose], self.card.title, _("the players carry it out")),
            Text(words, "strong"),
            Text(_("Do that with your cards. Then record what has changed, if anything has."), "quiet"),
            Buttons(buttons, 1),
        )
        return Face(blocks, (Button(_("All done"), Intent("resolved"), "primary"),))

    def touch(self, intent: Intent) -> Reply[Step]:
        """The table's own buttons do the rest."""
        return Close() if intent.verb == "cancel" else self.duel.looked_at(intent)
