"""The cards that the app's side has drawn, told to it: laid on a reader or before the camera, or touched by a person.

They are shown nowhere, so that they may be told unseen, and lie beside the game (`companion.games.private_hand`).
"""

from __future__ import annotations

from companion.core.language import _, plural
from companion.games.match import Match
from companion.games.opponent import NAME
from companion.games.position_facts import hand_size
from companion.games.private_hand import HandNote, copies_out_of_sight, keep_told
from companion.perception.sync.state import CardsTaken
from companion.scenes.base.stage import Scene, Stage
from companion.ui.screen import Button, Buttons, Intent, Screen, Text
from hardware.events import CodeRead, Event


def untold(stage: Stage, match: Match, side: str) -> int:
    """Count the cards of a side's hand that nobody has entered yet."""
    position = match.position
    return hand_size(position, side) - sum(stage.services.private.of(match, position, side).values())


class ToldHandScene:
    """A button for each kind of card: the last one that is told leads back. What is not told, it can't play."""

    def __init__(self, stage: Stage, match: Match, side: str, back: Scene) -> None:
        self.stage = stage
        self.match = match
        self.side = side
        self.back = back
        self.page = 0
        self._laid: set[str] = set()

    @property
    def _left(self) -> int:
        return untold(self.stage, self.match, self.side)

    def show(self) -> Screen:
        """Show how many cards are left to enter, and a button for each kind."""
        left, held = self._left, hand_size(self.match.position, self.side)
        cards = self.match.board.mode.cards.values()
        buttons = tuple(Button(card.heading, Intent("note", card.name)) for card in cards)
        asked = plural("{n} card left to enter.", "{n} cards left to enter.", left)
        how = _(
            "Lay each on the card reader, or look and touch its name. {who} can only play cards you've told it about."
        )
        again = Button(_("Start over"), Intent("again"), "quiet" if left < held else "off")
        return Screen(
            title=_("{name}'s hand").format(name=NAME),
            blocks=(
                Text(how.format(who=NAME)),
                Text(asked, "strong"),
                Buttons(buttons, 3),
            ),
            actions=(Button(_("Leave them face down"), Intent("back")), again),
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Enter a card, start over, or leave; the last card entered leads back."""
        if intent.verb == "page":
            self.page += intent.n
        elif intent.verb == "note":
            self._tell(intent.what)
        elif intent.verb == "again":
            self._note(HandNote({}, self.match.position.discard))
        return self.back if intent.verb == "back" or not self._left else None

    def hear(self, event: Event) -> bool:
        """Enter a card that is laid on a reader, each tag once.

        Return False for a code that is not a known card, so that another listener can report it.
        """
        card = self.stage.desk.tags.card(self.match.board.mode, event.code) if isinstance(event, CodeRead) else None
        if card is None or not isinstance(event, CodeRead):
            return False
        if event.code not in self._laid:
            self._laid.add(event.code)
            self._tell(card)
        return True

    def tick(self, _now_s: float) -> Scene | None:
        """Tell what was laid face up before the camera; back once all of them were."""
        monitor = self.stage.senses.monitor
        laid = monitor.state.cards.fresh(self.match.board.mode)
        monitor.advance(CardsTaken())
        for card in laid:
            self._tell(card)
        if not self._left:
            return self.back
        return self if laid else None

    def _tell(self, name: str) -> None:
        """Enter one more copy of a card, if there can be one."""
        private, position = self.stage.services.private, self.match.position
        told = private.of(self.match, position, self.side)
        if self._left and told.get(name, 0) < copies_out_of_sight(position, name):
            private.put(self.match, position, self.side, name)
            self._note(private.notes[self.side])

    def _note(self, note: HandNote) -> None:
        """Keep what the app was told of its hand, so that it survives a restart."""
        self.stage.services.private.remember(self.match, self.side, note)
        keep_told(self.match.path, note)
