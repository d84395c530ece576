"""A new game in few touches: which board, who plays which side, how the app plays; or a rematch."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.content.board_choice import PRACTICE, boards
from companion.core.errors import MatchError
from companion.core.language import _, plural
from companion.games.match import Match
from companion.games.opponent import HEAD_STARTS, LEVELS, LOOKING, NAME, PACES
from companion.scenes.base.map_picture import small_map, start_picture
from companion.scenes.base.new_game import (
    NAME_MOST,
    NAMES_SHOWN,
    GameChoice,
    HouseRulesScene,
    answers_summary,
    name_buttons,
)
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.setup.layout import ChanceScene, LayoutScene
from companion.scenes.setup.state import BY_APP, SetUp, SetupPage
from companion.scenes.story.tables import OrdersTable
from companion.scenes.systems import card_picture
from companion.scenes.table.solo_table import orders_table
from companion.systems.orders import SYSTEM
from companion.text.advice import (
    commander_name,
    commander_note,
    head_start_name,
    head_start_note,
    head_start_worth,
    level_name,
    level_note,
    pace_name,
    pace_note,
)
from companion.text.faults import fault_words
from companion.text.orders import board_title, faction_name, practice_note
from companion.text.saved_games import kind, system_title
from companion.ui.screen import Block, Button, Buttons, Columns, Intent, Look, Prompt, Screen, Text, back_button
from engine.errors import EngineError
from engine.orders.board import Board
from engine.orders.player.levels import head_start_results
from engine.systems import SYSTEMS


class SetupScene(SubScene):
    """The first page of the set-up: who plays which side, with names from earlier games; all of it can be skipped."""

    def __init__(self, stage: Stage, home: Scene, games: GameChoice) -> None:
        super().__init__(home)
        self.stage = stage
        self.home = home
        self.games = games
        self.setup = SetUp(stage)
        self.banner = ""

    def show(self) -> Screen:
        """Show both sides with their players, and the buttons for board, house rules and start."""
        board = self.setup.board
        other = practice_note(board) or _("touch to change")
        which = Button(board_title(board), Intent("boards"), sign="castle", note=other)
        left, right = (self._side(faction) for faction in board.factions)
        below = [Button(_("House rules"), Intent("house"), "quiet", note=answers_summary(self.setup.switched))]
        if self.setup.app_side:
            how = Button(_("How Gunbai plays"), Intent("style"), "quiet", note=style_summary(self.setup))
            below.insert(0, how)
        if any(self.setup.players.values()):
            below.insert(0, Button(_("Swap sides"), Intent("swap")))
        seats: tuple[Block, ...] = ()
        if self.stage.settings.layout == "two":  # they sit opposite one another
            turn = Button(_("Swap seats: rotate the screen"), Intent("turn"), "quiet")
            seats = (Buttons((turn,), 1),)
        actions = (
            back_button(),
            Button(_("Quick start"), Intent("begin"), note=_("Gunbai sets it up")),
            Button(_("Next"), Intent("next"), "primary"),
        )
        return Screen(
            title=_("Who plays?"),
            blocks=(Buttons((which,), 1), Columns(left, right), Buttons(tuple(below), len(below)), *seats),
            actions=actions,
            banner=self.banner or self.setup.camera_note,
            banner_tone="bad" if self.banner else "good",
            map=start_picture(board),
            page=self.page,
        )

    def tick(self, now_s: float) -> Scene | None:
        """Let the camera look for the empty board; return this scene if today's board gets a new stage, else None."""
        return self if self.setup.look(now_s) else None

    def _side(self, faction: str) -> tuple[Block, ...]:
        """Show a side's player, and the names to choose from."""
        if faction == self.setup.app_side:
            return self._app_side(faction)
        chosen = self.setup.players[faction]
        app = Button(NAME, Intent("against", faction), "quiet", note=_("Gunbai plays"))
        names = name_buttons(faction, chosen, self.setup.names)
        return (_seat(faction, chosen), Buttons((*names, app), 2))

    def _app_side(self, faction: str) -> tuple[Block, ...]:
        """Show the side that the app plays: its levels, and a button for two people instead."""
        levels = tuple(
            Button(
                level_name(level),
                Intent("level", level),
                "chosen" if level == self.setup.level else "plain",
                note=level_note(level),
            )
            for level in LEVELS
        )
        commander = self.setup.commander
        strength = (level_name(self.setup.level), *((commander_name(commander),) if commander else ()))
        return (
            _seat(faction, NAME, " · ".join(strength)),
            Buttons((*levels, Button(_("Two players"), Intent("against"), "quiet")), 2),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Choose players, a level or seats, open another page, begin the game, or go back."""
        self.banner = ""
        match intent.verb:
            case "boards":
                return BoardScene(self.setup, self.games, self)
            case "name" | "swap" | "against" | "level":
                self._sit(intent)
            case "type-name" if len(self.setup.names) > NAMES_SHOWN:
                return KnownNamesScene(self, intent.what)
            case "type-name":
                return self.keyboard(intent.what, self)
            case "turn":
                self.stage.change(rotation_degrees=(self.stage.settings.rotation_degrees + 180) % 360)
            case "style":
                return StyleScene(self.setup, self)
            case "house":
                return HouseRulesScene(self.setup, self)
            case "next":
                self.setup.apply_head_start()
                return ChanceScene(self.setup, self)
            case "begin":
                return self._begin()
        return super().touch(intent)

    def _sit(self, intent: Intent) -> None:
        """Change who sits where, or how well the app plays."""
        if intent.verb == "swap":
            self.setup.swap()
        elif intent.verb == "against":
            self.setup.let_app_play(intent.what)
        elif intent.verb == "level":
            self.setup.level = intent.what
        else:  # touching the chosen name again takes it away
            faction, _slash, name = intent.what.partition("/")
            self.setup.name_player(faction, "" if self.setup.players[faction] == name else name)

    def keyboard(self, faction: str, back: Scene) -> Scene:
        """Return the keyboard to type a new name for this side's player; back: where cancelling leads."""

        def done(name: str) -> Scene:
            self.setup.names = tuple(dict.fromkeys((name, *self.setup.names)))
            self.setup.name_player(faction, name)
            return self

        return TypingScene(Ask(who_plays(faction), most=NAME_MOST, names=True), done, back)

    def _begin(self) -> Scene | None:
        """Skip everything: straight to the table."""
        try:
            return orders_table(self.stage, self.setup.start(), self.home)
        except (EngineError, MatchError) as error:
            self.banner = fault_words(error)
            return None


def who_plays(faction: str) -> str:
    """Return the question "Who plays …?" for this side."""
    return _("Who plays {who}?").format(who=faction_name(faction))


def _seat(faction: str, player: str, level: str = "") -> Prompt:
    """Show whose seat this is, in its side's colour and with its mark: the player, the side, and the app's level."""
    side = faction_name(faction)
    if not player:
        return Prompt(faction, side, _("a person plays"))
    return Prompt(faction, player, f"{side} · {level}" if level else side)


class KnownNamesScene(SubScene):
    """The choice of a side's player from everybody who has played here."""

    back: SetupScene

    def __init__(self, back: SetupScene, faction: str) -> None:
        super().__init__(back)
        self.faction = faction

    def show(self) -> Screen:
        """Show a button for each known name, and one for the keyboard."""
        names = sorted(self.back.setup.names, key=str.casefold)
        buttons = tuple(Button(name, Intent("name", name)) for name in names)
        type_it = Button(_("Type a name"), Intent("type-name"))
        return Screen(who_plays(self.faction), (Buttons(buttons, 3),), (back_button(), type_it))

    def touch(self, intent: Intent) -> Scene | None:
        """Choose a name, open the keyboard, or go back."""
        if intent.verb == "name":
            self.back.setup.name_player(self.faction, intent.what)
            return self.back
        if intent.verb == "type-name":
            return self.back.keyboard(self.faction, self)
        return super().touch(intent)


class BoardScene(SubScene):
    """The choice of a board, shown as it is touched, or of another system's game."""

    def __init__(self, setup: SetUp, games: GameChoice, back: Scene) -> None:
        super().__init__(back)
        self.setup = setup
        self.games = games

    def show(self) -> Screen:
        """Show a button for each board and system, and the map of the board chosen."""
        board = self.setup.board
        buttons = []
        for choice in boards():
            look: Look = "chosen" if choice is board else "plain"
            intent, picture = Intent("board", choice.name), small_map(start_picture(choice))
            buttons.append(Button(board_title(choice), intent, look, note=board_note(choice), picture=picture))
        others = tuple(
            Button(system_title(system), Intent("system", system), note=kind(system), picture=card_picture(system))
            for system in SYSTEMS
            if system != SYSTEM.name
        )
        invented = _("Practice map: we don't have the printed one, so this one is invented.")
        facts = f"{board_facts(board)} {invented}" if board.known == PRACTICE else board_facts(board)
        return Screen(
            title=_("Which game?"),
            blocks=(
                Buttons(tuple(buttons), 2),
                Buttons(others, 2),
                Text(facts),
            ),
            actions=(back_button("primary"),),
            map=start_picture(board),
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Choose a board, open another system's set-up, turn the page, or go back."""
        if intent.verb == "board":
            self.setup.choose_board(intent.what)
        elif intent.verb == "system" and intent.what in SYSTEMS:
            return self.games(intent.what, self.back)
        return super().touch(intent)


def board_note(board: Board) -> str:
    """Return a few words on where a board's map comes from, such as "as printed"."""
    return practice_note(board) or {"printed": _("as printed"), "owner": _("real printed map")}[board.known]


def board_facts(board: Board) -> str:
    """Sum up a board in a sentence: land areas, victory points and commanders."""
    land = sum(area.kind == "land" for area in board.areas)
    points = sum(board.vps)
    form = _("{areas}, {points}, {commanders} for each player.")
    return form.format(
        areas=plural("{n} land area", "{n} land areas", land),
        points=plural("{n} victory point", "{n} victory points", points),
        commanders=plural("{n} commander", "{n} commanders", board.mode.commanders),
    )


ENOUGH = 20
"""The fewest games from which to quote what a head start is worth."""


class StyleScene(SubScene):
    """The choice of how the app plays: temperament, time to think, and the person's head start."""

    def __init__(self, setup: SetUp, back: Scene) -> None:
        super().__init__(back)
        self.setup = setup

    def show(self) -> Screen:
        """Show a row of buttons for each choice, each with a note, and what the head start is worth."""
        head_start = (
            Text(_("Your head start"), "strong"),
            _row("head-start", HEAD_STARTS, self.setup.head_start, head_start_name, head_start_note),
        )
        blocks = (*self._commanders(), *self._paces(), *head_start, *self._worth())
        return Screen(title=_("How Gunbai plays"), blocks=blocks, actions=(back_button("primary"),), page=self.page)

    def _commanders(self) -> tuple[Block, ...]:
        if not self.setup.commanders:
            return ()
        offered = ("", *self.setup.commanders)
        return Text(_("Temperament"), "strong"), _row(
            "commander", offered, self.setup.commander, commander_name, commander_note
        )

    def _paces(self) -> tuple[Block, ...]:
        """Offer more time to think, to a level that makes something of it."""
        if self.setup.level not in LOOKING:
            return (Text(_("At this level it doesn't think ahead, so more time wouldn't help it."), "quiet"),)
        return Text(_("Time to think"), "strong"), _row("pace", PACES, self.setup.pace, pace_name, pace_note)

    def _worth(self) -> tuple[Block, ...]:
        """Say what the head start was worth in games of the level below against this one, if enough were played."""
        stronger = self.setup.level
        weaker = LEVELS[max(0, LEVELS.index(stronger) - 1)]
        known = {given: worth for given, worth in head_start_results(weaker, stronger).items() if worth.games >= ENOUGH}
        if self.setup.head_start == "none" or not known.keys() >= {"none", self.setup.head_start}:
            return ()
        worth = {str(given): counted for given, counted in known.items()}
        told = head_start_worth(weaker, stronger, worth["none"], worth[self.setup.head_start])
        return (Text(told, "quiet"),)

    def touch(self, intent: Intent) -> Scene | None:
        """Choose a value, or go back."""
        if intent.verb == "pace":
            self.setup.pace = intent.what
        elif intent.verb == "commander":
            self.setup.commander = intent.what
        elif intent.verb == "head-start":
            self.setup.head_start = intent.what
        return super().touch(intent)


def _row(
    verb: str, offered: Iterable[str], chosen: str, name: Callable[[str], str], note: Callable[[str], str]
) -> Buttons:
    """Return a button for each thing that may be chosen."""
    buttons = tuple(
        Button(name(what), Intent(verb, what), "chosen" if what == chosen else "plain", note=note(what))
        for what in offered
    )
    return Buttons(buttons, len(buttons))


def style_summary(setup: SetUp) -> str:
    """Sum up in a few words how the app will play: its time to think and the head start."""
    pace = setup.pace if setup.level in LOOKING else PACES[0]
    told = [
        *([pace_name(pace)] if pace != PACES[0] else []),
        *([head_start_name(setup.head_start)] if setup.head_start != HEAD_STARTS[0] else []),
    ]
    return " · ".join(told) or pace_name(PACES[0])


class RematchSetUp(SetUp):
    """The set-up of another game like the one just finished; swap: the players change sides."""

    def __init__(self, table: OrdersTable, swap: bool) -> None:
        super().__init__(table.stage)
        self.before = table.match
        self.choose_board(self.before.board.name)
        self.switched = self.before.positions[0].readings
        self.players = {faction: self.before.players.get(faction, "") for faction in self.board.factions}
        if (opponent := self.before.opponent) is not None:
            self.app_side, self.level, self.pace = opponent.side, opponent.level, opponent.pace
            self.commander, self.head_start = opponent.commander, opponent.head_start
        if swap:
            self.swap()
        self.apply_head_start()

    def start(self) -> Match:
        """Begin the next game and close the one before; EngineError or MatchError if it can't begin."""
        match = super().start()
        self.before.close()
        return match


def rematch(table: OrdersTable, back: SetupPage, swap: bool) -> Scene:
    """Return the scene in which the next game is set up after one that has ended.

    If the app flipped the marker and drew the tokens before, it does so again, and begins the game to lay out the
    board; otherwise players say first how these fell. EngineError or MatchError if the game can't begin.
    """
    setup = RematchSetUp(table, swap)
    by_app = all(table.match.chance.get(what) == BY_APP for what in ("initiative", "bonuses"))
    return LayoutScene(table.stage, setup.start(), back) if by_app else ChanceScene(setup, back)
