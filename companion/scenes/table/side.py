"""A side of General Orders in words: what each figure on its panel means, and the way to correct them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core.language import _, plural
from companion.games.position_facts import hand_size, reserve
from companion.scenes.base.panels import Face
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import BackScene
from companion.scenes.orders.by_hand import SidePanel
from companion.scenes.orders.cards import CardsScene
from companion.scenes.table.map_table import MapTable
from companion.text.orders import card_count, join_words, unit_count
from companion.ui.screen import Button, Intent, Screen, Text, back_button
from engine.orders.position import Position
from engine.orders.score import score


class SideScene(BackScene):
    """One side's figures in sentences, beside the table as it stands. Touches on the table go to the table."""

    def __init__(self, table: MapTable, faction: str) -> None:
        super().__init__(table)
        self.table = table
        self.faction = faction

    def show(self) -> Screen:
        """Show the side's figures in sentences, and the buttons for its cards and a correction."""
        return self._screen((self._correct(),))

    def show_to(self, seat: str) -> Screen:
        """Show the figures in a half without the map; only a side that the table waits for can correct something."""
        actions = (self._correct(),) if seat in self.table.waits_for else ()
        return replace(self._screen(actions), map=None)

    def _correct(self) -> Button:
        return Button(_("Correct"), Intent("correct"), "quiet", "pencil")

    def _screen(self, more: tuple[Button, ...]) -> Screen:
        blocks = (
            Text(self.table.people.name(self.faction), "title"),
            *map(Text, facts(self.table.position, self.faction)),
        )
        actions = (back_button("primary"), Button(_("Cards"), Intent("cards"), sign="hand"), *more)
        return replace(self.table.screen(Face(blocks, actions), blocks, actions), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Change to the other side, or open the cards or the correction; pass any other touch to the table."""
        match intent.verb:
            case "side":
                self.faction, self.page = intent.what, 0
            case "cards":
                return CardsScene(self.table.stage, self.table.match, self)
            case "correct" if not intent.seat or intent.seat in self.table.waits_for:
                self.table.open(SidePanel(self.table.position, self.faction))
                return self.back
            case "page" | "back" | "correct" | "hush":
                return super().touch(intent)
            case _:
                return self.table.touch(intent) or self.back
        return None


def facts(position: Position, faction: str) -> Iterator[str]:
    """Yield sentences that explain a side's figures and list its reserve."""
    left, waiting, mode = position.left(faction), position.standing_by(faction), position.board.mode
    supply = position.survey.supply[mode.faction_index[faction]].bit_count()
    yield plural("{n} point if the game ended now.", "{n} points if the game ended now.", score(position).vp[faction])
    yield plural("{n} area in supply; only those count.", "{n} areas in supply; only those count.", supply)
    yield _("{n} of {all} commanders left to deploy.").format(n=left, all=mode.commanders)
    if waiting:
        yield _("On standby until the round ends: {n}.").format(n=waiting)
    yield _("{cards} in hand.").format(cards=card_count(hand_size(position, faction)))
    units = [unit_count(kind.name, n) for kind in mode.units if (n := reserve(position, faction, kind.name))]
    yield _("In reserve: {units}.").format(units=join_words(units)) if units else _("Nothing left in reserve.")
    if position.initiative_name == faction:
        yield _("Has the initiative: starts the next round and wins a tie.")
