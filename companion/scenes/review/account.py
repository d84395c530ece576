"""Where every point of a game's chances went: each side's choices, cards and dice, from the first to the last."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.language import _
from companion.games.orders import orders_throws
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.story.tables import OrdersTable
from companion.text.luck import luck_lines
from companion.text.people import People
from companion.text.percent import chance_percent
from companion.text.review import CurvePart, curve_parts, points_words
from companion.ui.screen import Bar, Bars, Columns, Screen, Text, back_button
from engine.orders.player.review import ReviewedTurn, chances


class AccountScene(BackScene):
    """A bar for each part, beginning where the last one ended; then how lucky the dice were."""

    shared = True

    def __init__(self, table: OrdersTable, turns: Sequence[ReviewedTurn], back: Scene) -> None:
        super().__init__(back)
        self.table = table
        self.turns = turns

    def show(self) -> Screen:
        """Show both sides' parts, and the luck with dice."""
        people, match = self.table.people, self.table.match
        first = people.name(people.factions[0])
        luck = tuple(Text(line, "quiet") for line in luck_lines(orders_throws(match.positions, match.steps), people))
        return Screen(
            title=_("{who}'s chance to win, point by point").format(who=first),
            blocks=(Columns(*((bars,) for bars in account_bars(self.turns, people))), *luck),
            actions=(back_button("primary"),),
            page=self.page,
        )


def account_bars(turns: Sequence[ReviewedTurn], people: People) -> tuple[Bars, Bars]:
    """Return the parts of the first side's chance: from the start through its own, then the other's to the end."""
    parts = curve_parts(turns, people.factions)
    ends = [0.0, 1.0, *(part.begin for part in parts), *(part.end for part in parts)]
    low, high = min(ends), max(ends)

    def bar(part: CurvePart) -> Bar:
        begin, end = sorted((part.begin, part.end))
        name, wide = part.name[:1].upper() + part.name[1:], high - low
        return Bar(name, (end - begin) / wide, points_words(part.points), part.side, (begin - low) / wide)

    def mark(name: str, chance: float) -> Bar:
        return Bar(name, chance / (high - low), chance_percent(chance), begin=-low / (high - low))

    first, second = people.factions
    own, others = ([bar(part) for part in parts if part.side == side] for side in people.factions)
    return (
        Bars(people.name(first), (mark(_("At the start"), parts[0].begin), *own)),
        Bars(people.name(second), (*others, mark(_("In the end"), chances(turns, first)[-1]))),
    )
