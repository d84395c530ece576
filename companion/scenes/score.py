"""The score: points, the winner, and the reasons area by area."""

from __future__ import annotations

from collections.abc import Mapping

from companion.language import _
from companion.scenes.facts import supplied
from companion.scenes.screen import Block, Button, Columns, Grid, Intent, Prompt, Screen, Tally, TallySide, Text
from companion.scenes.stage import Scene
from companion.scenes.words import faction_name, sentence, side_name
from engine.orders.position import Position
from engine.orders.score import score


class ScoreScene:
    """The final score, or the score as if the game ended now."""

    def __init__(self, played: tuple[Position, Mapping[str, str]], back: Scene, home: Scene) -> None:
        self.position, self.players = played
        self.back = back
        self.home = home
        self.page = 0

    def show(self) -> Screen:
        """Figures and reasons on the left, the areas on the right."""
        counted = score(self.position)
        winner = self.position.winner_name
        leader = winner or counted.winner
        sides = tuple(
            TallySide(faction, side_name(faction, self.players), counted.vp[faction], faction == leader)
            for faction in self.position.board.factions
        )
        why = [sentence(text) for text in counted.why]
        left: tuple[Block, ...] = (
            Tally(sides),
            Prompt(leader, self._verdict(leader)),
            *(Text(text) for text in ([*self._fallen(), *why] if winner else why)),
        )
        return Screen(
            title=_("Final score") if winner else _("The score as it stands"),
            blocks=(Columns(left, (self._areas(counted.areas),)),),
            actions=self._actions(),
            page=self.page,
        )

    def _verdict(self, leader: str) -> str:
        if self.position.winner_name is None:
            return _("{who} would win now").format(who=faction_name(leader))
        return _("{who} wins").format(who=faction_name(leader))

    def _fallen(self) -> list[str]:
        if self.position.reason != "hq_lost":
            return []
        return [_("A headquarters stands without units: that ends the game at once, whatever the points.")]

    def _areas(self, areas: Mapping[str, Mapping[str, int]]) -> Grid:
        """A row for each area with points: who scores them, and what nobody does."""
        factions = self.position.board.factions
        rows = [
            (self._area_label(area.name), *(str(areas[f].get(area.name, "")) for f in factions))
            for area in self.position.board.areas
            if area.vp
        ]
        total = (_("Total"), *(str(sum(areas[faction].values())) for faction in factions))
        return Grid((_("Area"), *(faction_name(f) for f in factions)), (*rows, total))

    def _area_label(self, name: str) -> str:
        controller = self.position.controller(name)
        area = self.position.board.area(name)
        label = f"{name} ({area.vp})"
        if controller is None:
            return f"{label}  {_('nobody')}"
        if not supplied(self.position, name):
            return f"{label}  {_('{who}, cut off').format(who=faction_name(controller))}"
        return label

    def _actions(self) -> tuple[Button, ...]:
        return Button(_("Back to the table"), Intent("back"), "plain"), Button(_("Home"), Intent("home"), "quiet")

    def touch(self, intent: Intent) -> Scene | None:
        """Back, or home."""
        if intent.verb == "page":
            self.page += intent.n
        return {"back": self.back, "home": self.home}.get(intent.verb)
