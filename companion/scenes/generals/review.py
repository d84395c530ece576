"""Looking back on a card game: what became of each side's cards. It has no dice, so there is no luck to count there."""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.generals.score import duel_figures
from companion.scenes.story.tables import GameTable
from companion.ui.screen import Grid, Screen, Text, back_button
from engine.generals.position import Position
from engine.generals.steps import Step


class DuelReview(SubScene):
    """What was deployed and played of how many cards, and what was left in hand and resources."""

    shared = True

    def __init__(self, table: GameTable[Position, Step], back: Scene) -> None:
        super().__init__(back)
        self.table = table

    def show(self) -> Screen:
        """Show both sides' cards by what became of them."""
        match, people = self.table.match, self.table.people
        last = match.position
        done = [duel_figures(match.steps, match.positions, side) for side in (0, 1)]
        rows = (
            (_("Generals deployed"), *(str(figures.deployed) for figures in done)),
            (_("Cards played"), *(str(figures.used) for figures in done)),
            (_("Unplayed in hand"), *(str(side.hand) for side in last.sides)),
            (_("Generals lost"), *(str(len(side.defeated)) for side in last.sides)),
            (_("Paid as upkeep"), *(str(figures.upkeep) for figures in done)),
            (_("Resources left"), *(str(side.resources) for side in last.sides)),
        )
        notes = (
            _("Generals Order has no dice: the only luck is in the draw, and hands are secret."),
            _("Gunbai doesn't play Generals Order, so it can't say which play was better."),
        )
        return Screen(
            title=_("What became of the cards"),
            blocks=(
                Grid(("", *(people.name(side) for side in people.factions)), rows),
                *(Text(note, "quiet") for note in notes),
            ),
            actions=(back_button("primary"),),
            page=self.page,
        )
