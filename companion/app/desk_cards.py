"""A card laid on a reader at the table, and dice thrown into a tray: what they mean there now.

Nothing is played by it alone: a card opens its panel, a throw fills in the dice, and a confirm does the rest. Cards
that are drawn into a hidden hand are counted and never named.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.core.language import _, plural
from companion.scenes.base.panels import Open, Panel, Why
from companion.scenes.base.stage import Scene
from companion.scenes.orders.answers import RollPanel
from companion.scenes.orders.card_panels import CardsPanel, PlayPanel, RerollPanel, may_announce, open_card
from companion.scenes.orders.deploying import DeployForm
from companion.scenes.orders.placing import PlanForm
from companion.scenes.table.board_table import BoardTable
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.position import Position
from engine.orders.steps import Play, Reroll, Step


class DeskReply(NamedTuple):
    """The app's reply to an event: a sentence, whom it is for ("" both), and a scene that follows."""

    text: str = ""
    seat: str = ""
    following: Scene | None = None


class Card(NamedTuple):
    """A card on a reader: its code, its name, and the faction whose reader it is ("" for one that is shared)."""

    code: str
    name: str
    holder: str = ""


def card_laid(table: BoardTable, card: Card) -> DeskReply:
    """What a card on the reader means at the table: drawn, named with the open deployment, or to be played."""
    panel = table.panel
    if isinstance(panel, PlanForm) and card.holder in ("", panel.mover):
        if panel.lay(card.code, card.name):
            return DeskReply()
        told = _("That card is counted already.") if card.code in panel.laid else _("All cards that are due are drawn.")
        return DeskReply(told, panel.mover)
    switches = [one.name for one in panel.helpful()] if isinstance(panel, DeployForm) else []
    if isinstance(panel, DeployForm) and card.holder in ("", panel.mover) and card.name in switches:
        if card.name not in panel.cards:  # only ever switched on: taking it back needs a touch
            panel.touch(Intent("card", card.name))
        return DeskReply()
    if isinstance(panel, RerollPanel) and card.holder in ("", panel.faction):
        return _open_panel(table, PlayPanel(panel.position, Reroll(card.name, panel.faction)))
    return _offer_card(table, card)


def _offer_card(table: BoardTable, card: Card) -> DeskReply:
    """Open the card's panel for the side that may play it; ask which side if both may; else say why nobody may now."""
    position = table.match.position
    who = [one for one in may_play(position, card.name) if card.holder in ("", one)]
    if len(who) > 1:
        return _open_panel(table, CardsPanel(position, [(one, card.name) for one in who]))
    if who:
        return _open_panel(table, _panel(position, who[0], card.name))
    owed = game.owed(position)
    by = card.holder or (owed.by if owed is not None else position.to_move_name)
    return DeskReply(seat=card.holder, following=table.follow(Why(Play(card.name, by))))


def may_play(position: Position, card: str) -> list[str]:
    """The factions that may play this card now, in the order of the board."""
    owed = game.owed(position)
    open_to = {*(owed.cards if owed is not None else ()), *may_announce(position)}
    return [faction for faction in position.board.factions if (faction, card) in open_to]


def _panel(position: Position, faction: str, name: str) -> Panel[Step]:
    if position.board.mode.cards[name].verb == "dice":
        return PlayPanel(position, Play(name, faction))
    reply = open_card(position, f"{faction}/{name}")
    assert isinstance(reply, Open)
    return reply.panel


def _open_panel(table: BoardTable, panel: Panel[Step]) -> DeskReply:
    table.follow(Open(panel))
    return DeskReply()


def unknown_tag_text(code: str) -> str:
    """What to do about a tag that nobody has bound."""
    told = _("This tag ({code}) is no card yet: Settings, The desk, Tags on the cards.")
    return told.format(code=code)


def dice_thrown(table: BoardTable, dice: tuple[int, ...]) -> DeskReply:
    """Fill in the roll that is owed, to be confirmed; else say why these dice are not it."""
    owed = game.owed(table.position)
    if owed is None or owed.wants != "roll":
        return DeskReply(_("The tray tells of dice, and no roll is owed.") if dice else "")
    if not dice:
        return DeskReply(_("The dice in the tray lie still: touch what they show."), owed.by)
    if not isinstance(table.panel, RollPanel):
        table.refresh()
    panel = table.panel
    if isinstance(panel, RollPanel) and panel.thrown(dice):
        return DeskReply()
    told = plural(
        "The tray tells {dice}; {n} die is owed. Throw again, or touch it.",
        "The tray tells {dice}; {n} dice are owed. Throw again, or touch them.",
        owed.dice,
        dice=" ".join(map(str, dice)),
    )
    return DeskReply(told, owed.by)
