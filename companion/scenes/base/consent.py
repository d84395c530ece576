"""What both players have to want: each touches their own button, in their own half where there are two.

The app agrees to whatever the person wants that it plays against.

Used where a step changes what chance or the players have settled: a reading, a correction, a roll taken back.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.text.people import People
from companion.ui.screen import Block, Intent, Pledge, Pledges, Screen, Text, cancel_button


class ConsentScene:
    """Asks both players; does the thing once both have touched, and not at all when one declines.

    asked: (the question, what it does) as the players read them; between them what they agree on, where the question
    does not name it. then: what is done; the scene that follows, None for `back`. What it raises reaches the app, and
    both are asked again.
    """

    shared = True  # it concerns both players: it is shown in both halves, whoever opened it

    def __init__(self, asked: tuple[str, ...], people: People, then: Callable[[], Scene | None], back: Scene) -> None:
        self.question, *self.terms, self.effect = asked
        self.people = people
        self.then = then
        self.back = back
        self.agreed_sides: set[str] = set()
        self.page = 0

    def show(self) -> Screen:
        """Show both players' buttons, far apart."""
        return self._screen(self.people.at_table)

    def show_to(self, faction: str) -> Screen:
        """Show this player's own button and whether the other player has agreed."""
        return self._screen((faction,))

    def _screen(self, factions: tuple[str, ...]) -> Screen:
        return Screen(
            title=self.question,
            blocks=(
                *(Text(term, "strong") for term in self.terms),
                Text(self.effect),
                Pledges(tuple(map(self._pledge, factions))),
                *((self._waiting(),) if len(self.people.at_table) > 1 else ()),
            ),
            actions=(cancel_button("decline"),),
            page=self.page,
        )

    def _pledge(self, faction: str) -> Pledge:
        given = faction in self.agreed_sides
        note = _("agreed") if given else _("touch to agree")
        return Pledge(faction, self.people.name(faction), note, Intent("agree", faction), given)

    def _waiting(self) -> Block:
        """Say who has not agreed yet."""
        if not self.agreed_sides:
            return Text(_("Each player touches their own button."), "quiet")
        other = next(faction for faction in self.people.factions if faction not in self.agreed_sides)
        return Text(_("Waiting for {name}.").format(name=self.people.name(other)), "warn")

    def touch(self, intent: Intent) -> Scene | None:
        """Agree (a second touch takes it back), or decline; nobody agrees from the other's half."""
        if intent.verb == "page":
            self.page += intent.n
        if intent.verb == "decline":
            return self.back
        if intent.verb != "agree" or intent.seat not in ("", intent.what):
            return None
        self.agreed_sides ^= {intent.what}
        if len(self.agreed_sides) < len(self.people.at_table):
            return None
        self.agreed_sides = set()
        return self.then() or self.back
