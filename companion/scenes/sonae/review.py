"""Looking back on a battle: the luck of its dice, and each charge with the odds it had when it was declared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.language import _
from companion.games.sonae import sonae_throws
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.sonae.picture import SEATS
from companion.scenes.story.tables import GameTable
from companion.text.luck import luck_lines
from companion.text.percent import chance_percent
from companion.text.sonae import title, titles
from companion.ui.screen import Block, Intent, Screen, Slip, Text, back_button
from engine.dice import Throw
from engine.sonae.position import Position
from engine.sonae.prospects import charge_chance
from engine.sonae.steps import Advance, Step


class BattleReview(SubScene):
    """The luck first, then the charges; a touch on one leads to its moment."""

    shared = True

    def __init__(self, table: GameTable[Position, Step], back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self._blocks = (*self._lucky(), Text(_("Charges and their odds"), "title"), *self._charged())

    def show(self) -> Screen:
        """Show how lucky both armies were, and the charges."""
        no_better = Text(_("Gunbai doesn't play Sonae, so it can't say which order was better."), "quiet")
        return Screen(
            title=_("Luck in this battle"),
            blocks=(*self._blocks, no_better),
            actions=(back_button("primary"),),
            page=self.page,
        )

    def _lucky(self) -> Iterator[Block]:
        lines = tuple(luck_lines(self.throws, self.table.people))
        yield from (Text(line) for line in lines or (_("No hit dice were rolled."),))

    @property
    def throws(self) -> list[Throw]:
        """All rolls of hit dice, by the sides as the screen has them."""
        match = self.table.match
        seats = dict(zip(match.positions[0].scenario.sides, SEATS, strict=True))
        return [replace(throw, by=seats[throw.by]) for throw in sonae_throws(match.positions, match.steps)]

    def _charged(self) -> Iterator[Block]:
        """Yield a slip for each charge."""
        match, none = self.table.match, True
        for number, step in enumerate(match.steps):
            before = match.positions[number]
            against, chance = charge_chance(before, step) if isinstance(step, Advance) else ((), 0)
            if isinstance(step, Advance) and against:
                none = False
                told = _("{unit} charges {enemy}. It wins the melee in {percent} of rolls.").format(
                    unit=title(before, step.unit), enemy=titles(before, against), percent=chance_percent(chance)
                )
                yield Slip(_("Turn {n}").format(n=before.turn), told, intent=Intent("moment", "", number))
        if none:
            yield Text(_("Nobody charged."))

    def touch(self, intent: Intent) -> Scene | None:
        """Open a charge's moment, or go back."""
        if intent.verb == "moment":
            return self.table.moment(intent.n, self)
        return super().touch(intent)
