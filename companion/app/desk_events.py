"""Events of the desk other than presses: cards and dice at the table, devices that come, go and fail.

Presses are not done here: they mean what the screen shows, and the window does them
(`companion.view.window.desk_presses`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple, Protocol

from companion.core.errors import CompanionError
from companion.core.language import _, plural
from companion.scenes.base.panels import Open, Panel, Why
from companion.scenes.base.stage import HearingScene, Scene, Stage, Table
from companion.scenes.orders.answers import RollPanel
from companion.scenes.orders.card_panels import CardsPanel, PlayPanel, RerollPanel, open_card
from companion.scenes.orders.forms import DeployForm
from companion.scenes.orders.placing import PlanForm
from companion.scenes.table.board_table import BoardTable
from companion.text.devices import ailing_sentence, plugged_sentence
from companion.text.faults import table_fault_words
from companion.ui.screen import Intent, Screen
from engine.errors import EngineError
from engine.orders import game
from engine.orders.board import Board
from engine.orders.position import Position
from engine.orders.steps import Play, Reroll, Step
from hardware.events import SIDES, Ailing, Chord, CodeRead, Event, Plugged, Press, Thrown, Turned

NOTICE_S = 7.0
"""How long a notice stays, unless something is touched or pressed before."""

AGAIN_S = 60.0
"""How long the same sentence about a device is not repeated."""


class HearingApp(Protocol):
    """What DeskEvents needs of the app."""

    scene: Scene
    version: int

    @property
    def stage(self) -> Stage:
        """What all scenes share."""

    @property
    def table(self) -> Table | None:
        """The table of the game that is played; None without one."""

    def on_stage(self) -> tuple[Scene, ...]:
        """Return the scene that both players share, then those that each half has opened for itself."""

    def show_scene(self, seat: str, following: Scene) -> None:
        """Show a scene that no touch asked for."""


class DeskEvents:
    """The app's answers to events of the desk: scenes, or a notice that is shown for a while."""

    def __init__(self, app: HearingApp) -> None:
        self._app = app
        self._text = ""
        self._to = ""
        self._until_s: float | None = None
        self._said_s: dict[str, float] = {}

    # ---- whose buttons ------------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """The board of the game at the table, or else of new games."""
        table = self._app.table
        return table.match.board if isinstance(table, BoardTable) else self._app.stage.board

    def faction_of(self, side: str) -> str:
        """Return the faction of side "one" or "two"; "" for neither."""
        return self.sides[SIDES.index(side)] if side in SIDES else ""

    @property
    def sides(self) -> tuple[str, ...]:
        """Both sides of the game at the table, or else of new games."""
        return self._app.table.sides if self._app.table is not None else self._app.stage.board.factions

    @property
    def asked_side(self) -> str:
        """The faction that the table waits for; "" without a game."""
        return self._app.table.asked_side if self._app.table is not None else ""

    # ---- notices ------------------------------------------------------------------------------

    def say(self, text: str, faction: str = "") -> None:
        """Show a notice for a while, to one player or, without a faction, to both."""
        self._text, self._to, self._until_s = text, faction, None
        self._app.version += 1

    def hush(self) -> None:
        """Take the notice away."""
        if self._text:
            self._text = ""
            self._app.version += 1

    def tick(self, now_s: float) -> None:
        """Take the notice away once its time is over."""
        if self._text and self._until_s is None:
            self._until_s = now_s + NOTICE_S
        elif self._text and self._until_s is not None and now_s >= self._until_s:
            self.hush()

    def with_notice(self, screen: Screen, seat: str) -> Screen:
        """Return the screen with the notice, if it is meant for that seat and the screen has no banner of its own."""
        if not self._text or screen.banner or (seat and self._to not in ("", seat)):
            return screen
        return replace(screen, banner=self._text, banner_tone="warn")

    # ---- events -------------------------------------------------------------------------------

    def hear(self, event: Event) -> bool:
        """Answer an event; return False for a press, turn or chord that no scene took."""
        for scene in self._app.on_stage():
            if isinstance(scene, HearingScene) and scene.hear(event):
                self._app.version += 1
                return True
        if isinstance(event, Press | Turned | Chord):
            return False
        try:
            heard = self._answer_event(event)
        except (CompanionError, EngineError, OSError) as error:
            heard = DeskReply(table_fault_words(error))
        if heard.following is not None:
            self._app.show_scene(heard.seat, heard.following)
        if heard.text:
            self.say(heard.text, heard.seat)
        self._app.version += 1
        return True

    def _answer_event(self, event: Event) -> DeskReply:
        match event:
            case CodeRead():
                return self._card(event)
            case Thrown(dice):
                if isinstance(self._app.scene, BoardTable):
                    return dice_thrown(self._app.scene, dice)
                if isinstance(self._app.scene, Table) and dice:
                    return DeskReply(_("This game doesn't read the dice tray: touch what the dice show."))
                return DeskReply()
            case Plugged():
                return DeskReply(self._unless_recent(plugged_sentence(event), event.at_s))
            case Ailing():
                return DeskReply(self._unless_recent(ailing_sentence(event), event.at_s))
        return DeskReply()

    def _unless_recent(self, text: str, at_s: float) -> str:
        """Return a notice about a device; "" if it was given not long ago, as a bad cable comes and goes."""
        last_s = self._said_s.get(text)
        self._said_s[text] = at_s
        return text if last_s is None or at_s - last_s >= AGAIN_S else ""

    def _card(self, event: CodeRead) -> DeskReply:
        """Answer a card on a reader; the settings tell whose reader it is."""
        if self._app.table is not None and not isinstance(self._app.table, BoardTable):
            return DeskReply(_("This game doesn't use the card readers: enter your move by touch."))
        sides: Mapping[str, str] = self._app.stage.settings.reader_sides
        holder = self.faction_of(sides.get(event.reader, ""))
        mode, scene = self.board.mode, self._app.scene
        name = self._app.stage.desk.tags.card(mode, event.code)
        if name is None:
            told = _("This tag ({code}) isn't linked to a card yet: Settings, Buttons and readers, Card tags.")
            return DeskReply(told.format(code=event.code), holder)
        if isinstance(scene, BoardTable):
            return card_laid(scene, Card(event.code, name, holder))
        if self._app.table is not None:
            return DeskReply(_("Card read. Go back to the table to play it."), holder)
        return DeskReply(_("Card read, but no game is open."), holder)


class DeskReply(NamedTuple):
    """The app's reply to an event: a notice, whom it is for ("" both), and a scene to show."""

    text: str = ""
    seat: str = ""
    following: Scene | None = None


class Card(NamedTuple):
    """A card on a reader: its code, its name, and the faction whose reader it is ("" for a shared one)."""

    code: str
    name: str
    holder: str = ""


def card_laid(table: BoardTable, card: Card) -> DeskReply:
    """Take a card on the reader: as drawn, as one for the deployment being entered, or as one to be played."""
    panel = table.panel
    if isinstance(panel, PlanForm) and card.holder in ("", panel.mover):
        if panel.lay(card.code, card.name):
            return DeskReply()
        told = (
            _("That card is already counted.")
            if card.code in panel.laid_cards
            else _("You've already drawn all your cards.")
        )
        return DeskReply(told, panel.mover)
    switches = [addable.name for addable in panel.addable_cards()] if isinstance(panel, DeployForm) else []
    if isinstance(panel, DeployForm) and card.holder in ("", panel.mover) and card.name in switches:
        if card.name not in panel.cards:  # only ever switched on: taking it back needs a touch
            panel.touch(Intent("card", card.name))
        return DeskReply()
    if isinstance(panel, RerollPanel) and card.holder in ("", panel.faction):
        return _open_panel(table, PlayPanel(panel.position, Reroll(card.name, panel.faction)))
    return _offer_card(table, card)


def _offer_card(table: BoardTable, card: Card) -> DeskReply:
    """Open a card's panel for the side that may play it; ask which if both may; else say why nobody may now."""
    position = table.match.position
    who = [faction for faction in may_play(table, card.name) if card.holder in ("", faction)]
    if len(who) > 1:
        return _open_panel(table, CardsPanel(position, [(faction, card.name) for faction in who]))
    if who:
        return _open_panel(table, _panel(position, who[0], card.name))
    owed = game.owed(position)
    by = card.holder or (owed.by if owed is not None else position.to_move_name)
    return DeskReply(seat=card.holder, following=table.follow(Why(Play(card.name, by))))


def may_play(table: BoardTable, card: str) -> list[str]:
    """Return the factions that may play this card now, in the board's order."""
    position = table.match.position
    owed = table.owed(position)
    open_to = {*(owed.cards if owed is not None else ()), *table.cards_to_announce(position)}
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


def dice_thrown(table: BoardTable, dice: tuple[int, ...]) -> DeskReply:
    """Enter thrown dice as the roll that is owed, to be confirmed; else say why they don't fit."""
    owed = game.owed(table.position)
    if owed is None or owed.wants != "roll":
        return DeskReply(_("The tray sees dice, but there's nothing to roll for.") if dice else "")
    if not dice:
        return DeskReply(_("The dice have landed: touch what they show."), owed.by)
    if not isinstance(table.panel, RollPanel):
        table.refresh()
    panel = table.panel
    if isinstance(panel, RollPanel) and panel.enter_dice(dice):
        return DeskReply()
    told = plural(
        "The tray shows {dice}, but you need {n} die. Roll again, or touch it.",
        "The tray shows {dice}, but you need {n} dice. Roll again, or touch them.",
        owed.dice,
        dice=" ".join(map(str, dice)),
    )
    return DeskReply(told, owed.by)
