"""The same two decks once more; chance says who moves first."""

from __future__ import annotations

from companion.core.language import _
from companion.scenes.base.stage import Scene
from companion.scenes.generals.setup import DuelSetUp
from companion.scenes.generals.table import DuelTable
from companion.scenes.story.tables import GameTable
from engine.generals.position import SIDES, Position
from engine.generals.steps import Step


def rematch(table: GameTable[Position, Step], _back: Scene, swap: bool) -> Scene:
    """Return the table of the next game; with `swap`, each player takes the other's deck."""
    match, setup = table.match, DuelSetUp(table.stage)
    names = [match.players.get(who, "") for who in SIDES]
    setup.players = dict(zip(SIDES, reversed(names) if swap else names, strict=True))
    setup.decks = {who: side.deck.name for who, side in zip(SIDES, match.position.sides, strict=True)}
    setup.switched = match.positions[0].readings
    following = DuelTable(table.stage, setup.start(), table.home)
    match.close()
    form = _("Shuffle both decks and draw new hands. {who} moves first.")
    following.banner = form.format(who=following.people.name(setup.first))
    return following
