"""A player's own hand behind a cover: shown for a short while, and nowhere else.

What is noted here stays in memory (`companion.games.private_hand`); a screen that shows it says so (`Screen.private`),
and no picture of it may be kept.
"""

from __future__ import annotations

from companion.core.language import _, plural
from companion.games.match import Match
from companion.games.position_facts import hand_size
from companion.scenes.base.stage import Scene, Stage
from companion.text.orders import card_count, faction_name
from companion.ui.screen import Button, Buttons, CardBacks, Intent, Screen, Text, back_button
from engine.orders.cards import WITH_DEPLOY, playable_cards
from hardware.events import CodeRead, Event

OPEN_S = 20.0
"""A hand that nobody touches for so long is covered again."""


class CoverScene:
    """Who is about to look: everybody else looks away. It tells nothing."""

    def __init__(self, stage: Stage, match: Match, whose: tuple[str, Scene]) -> None:
        self.stage = stage
        self.match = match
        self.faction, self.back = whose

    def show(self) -> Screen:
        """Cover the hand until its owner touches "Show"."""
        return Screen(
            title=_("{name}'s hand").format(name=self.name),
            blocks=(
                Text(_("For {name}'s eyes only.").format(name=self.name), "strong"),
                CardBacks(hand_size(self.match.position, self.faction)),
                Text(_("Hides after {n} seconds. Never saved.").format(n=round(OPEN_S))),
            ),
            actions=(back_button(), Button(_("Show"), Intent("show"), "primary")),
        )

    @property
    def name(self) -> str:
        """The player's name, or the faction's."""
        return self.match.players.get(self.faction) or faction_name(self.faction)

    def touch(self, intent: Intent) -> Scene | None:
        """Lift the cover, or go back; the other player's half cannot lift it."""
        if intent.verb == "show" and intent.seat in ("", self.faction):
            return HandScene(self)
        return self.back if intent.verb == "back" else None


class HandScene:
    """The cards as far as they are known, each a button: a touch notes one more, and past the last one none."""

    def __init__(self, cover: CoverScene) -> None:
        self.cover = cover
        self.page = 0
        self._touched = True
        self._since_s = 0.0
        self._laid: set[str] = set()

    def show(self) -> Screen:
        """Show the hand: a button for each kind of card, those noted marked."""
        position, faction = self.cover.match.position, self.cover.faction
        noted = self.cover.stage.services.private.of(self.cover.match, position, faction)
        now = {card.name for who, card in playable_cards(position) if position.board.factions[who] == faction}
        buttons = tuple(
            Button(
                card.heading,
                Intent("note", card.name),
                "chosen" if noted.get(card.name, 0) else "plain",
                note=self._note(card.name, now),
            )
            for card in position.board.mode.cards.values()
        )
        return Screen(
            title=_("{name}'s hand").format(name=self.cover.name),
            blocks=(self._count_text(sum(noted.values())), Buttons(buttons, 2)),
            actions=(Button(_("Hide"), Intent("cover"), "primary"),),
            page=self.page,
            private=True,
        )

    def _count_text(self, noted: int) -> Text:
        """Say how many cards of the hand have been noted here."""
        held = hand_size(self.cover.match.position, self.cover.faction)
        if noted < held:
            told = plural(
                "You have {cards}, {n} noted here. Touch the ones you have.",
                "You have {cards}, {n} noted here. Touch the ones you have.",
                noted,
                cards=card_count(held),
            )
            return Text(told, "quiet")
        return Text(_("You have {cards}.").format(cards=card_count(held)), "quiet")

    def _note(self, name: str, now: set[str]) -> str:
        """Say how many copies of a card are held, and whether it may be played now."""
        match = self.cover.match
        card = match.position.board.mode.cards[name]
        held = self.cover.stage.services.private.of(match, match.position, self.cover.faction).get(name, 0)
        if not held:
            return ""
        if name in now:
            return _("{n} × · playable now").format(n=held)
        mine = match.position.to_move_name == self.cover.faction
        if mine and card.by == "mover" and card.moment in WITH_DEPLOY:
            return _("{n} × · {condition}").format(n=held, condition=_(card.condition))
        return _("{n} ×").format(n=held)

    def touch(self, intent: Intent) -> Scene | None:
        """Note a card, or cover the hand."""
        self._touched = True
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "note" and intent.seat in ("", self.cover.faction):
            match = self.cover.match
            self.cover.stage.services.private.put(match, match.position, self.cover.faction, intent.what)
        return self.cover if intent.verb in ("cover", "back") else None

    def hear(self, event: Event) -> bool:
        """Note a card that is laid on a reader, each tag once.

        Return False for a code that is not a known card, so that another listener can report it.
        """
        match, stage = self.cover.match, self.cover.stage
        name = stage.desk.tags.card(match.board.mode, event.code) if isinstance(event, CodeRead) else None
        if name is None or not isinstance(event, CodeRead):
            return False
        self._touched = True
        if event.code not in self._laid:
            self._laid.add(event.code)
            stage.services.private.put(match, match.position, self.cover.faction, name)
        return True

    def tick(self, now_s: float) -> Scene | None:
        """Cover the hand once nobody has touched it for a while."""
        if self._touched:
            self._touched, self._since_s = False, now_s
        return self.cover if now_s - self._since_s >= OPEN_S else None
