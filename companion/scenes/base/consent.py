"""A question that both players have to agree to: each touches their own button, in their own half if there are two.

Against the app, one person alone is asked: the app agrees to everything.

Used for changes to what chance or the players have settled: a reading, a correction, a roll taken back.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.text.people import People
from companion.ui.screen import Block, Intent, Pledge, Pledges, Screen, Text, cancel_button


class ConsentScene:
    """Asks both players, and acts once both have agreed; if one declines, nothing happens.

    asked: the question, then what they would agree on, if the question doesn't say, then what agreeing does. then:
    acts and returns the scene that follows, None for `back`; what it raises reaches the app, and both are asked again.
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
        """Show a button for each person at the table, far apart."""
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
        """Agree, take the agreement back with a second touch, or decline; nobody can agree from the other's half."""
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
