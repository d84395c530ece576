"""A new game in few touches: who plays which side; then the marker and the tokens; then the board is laid."""

from __future__ import annotations

from companion.core.errors import MatchError
from companion.core.language import _
from companion.games.opponent import LEVELS, NAME
from companion.scenes.base.map_picture import start_picture
from companion.scenes.base.new_game import GameChoice, HouseRulesScene, answers_summary
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.setup.board import BoardScene
from companion.scenes.setup.chance import ChanceScene
from companion.scenes.setup.state import SetUp
from companion.scenes.setup.style import StyleScene, style_summary
from companion.scenes.table.solo_table import orders_table
from companion.text.faults import fault_words
from companion.text.opponent import commander_name, level_name, level_note
from companion.text.orders import board_title, faction_name, practice_note
from companion.ui.screen import Block, Button, Buttons, Columns, Intent, Prompt, Screen, back_button
from engine.errors import EngineError

NAMES_SHOWN = 2
NAME_MOST = 18


class SetupScene(SubScene):
    """Who plays which side. Names of earlier games are one touch away, and everything may be skipped."""

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
            banner=self.banner or self.setup.seen,
            banner_tone="bad" if self.banner else "good",
            map=start_picture(board),
            page=self.page,
        )

    def tick(self, now_s: float) -> Scene | None:
        """Look at the empty board by the way; this scene where there is something new to say."""
        return self if self.setup.look(now_s) else None

    def _side(self, faction: str) -> tuple[Block, ...]:
        """Show a side's player, and the names to choose from."""
        if faction == self.setup.app_side:
            return self._app_side(faction)
        chosen = self.setup.players[faction]
        names = list(dict.fromkeys([*((chosen,) if chosen else ()), *self.setup.names]))[:NAMES_SHOWN]
        buttons = [
            Button(name, Intent("name", f"{faction}/{name}"), "chosen" if name == chosen else "plain")
            for name in sorted(names, key=str.casefold)
        ]
        label = _("New name") if names else _("Type a name")
        buttons.append(Button(label, Intent("type-name", faction), "quiet"))
        app = Button(NAME, Intent("against", faction), "quiet", note=_("Gunbai plays"))
        return (_seat(faction, chosen), Buttons((*buttons, app), 2))

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
        return (
            _seat(faction, NAME, " · ".join(self._strength())),
            Buttons((*levels, Button(_("Two players"), Intent("against"), "quiet")), 2),
        )

    def _strength(self) -> tuple[str, ...]:
        """Return the level that the app plays at, and as whom."""
        commander = self.setup.commander
        return (level_name(self.setup.level), *((commander_name(commander),) if commander else ()))

    def touch(self, intent: Intent) -> Scene | None:
        """Choose, lead on, or go back."""
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
                self.setup.keep_promise()
                return ChanceScene(self.setup, self)
            case "begin":
                return self._begin()
        return super().touch(intent)

    def _sit(self, intent: Intent) -> None:
        """Change who sits where, or how well the app plays."""
        if intent.verb == "swap":
            self.setup.swap()
        elif intent.verb == "against":
            self.setup.against(intent.what)
        elif intent.verb == "level":
            self.setup.level = intent.what
        else:  # a second touch takes it away again
            faction, _slash, name = intent.what.partition("/")
            self.setup.name(faction, "" if self.setup.players[faction] == name else name)

    def keyboard(self, faction: str, back: Scene) -> Scene:
        """Open the keyboard to type a new name for this side's player."""

        def done(name: str) -> Scene:
            self.setup.names = tuple(dict.fromkeys((name, *self.setup.names)))
            self.setup.name(faction, name)
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
    """Return the question of who plays this side."""
    return _("Who plays {who}?").format(who=faction_name(faction))


def _seat(faction: str, player: str, level: str = "") -> Prompt:
    """Show whose seat this is, in its side's colour and with its mark: the player, the side, and the app's level."""
    side = faction_name(faction)
    if not player:
        return Prompt(faction, side, _("a person plays"))
    return Prompt(faction, player, f"{side} · {level}" if level else side)


class KnownNamesScene(SubScene):
    """Everybody who has played here, for one side."""

    def __init__(self, before: SetupScene, faction: str) -> None:
        super().__init__(before)
        self.before = before
        self.faction = faction

    def show(self) -> Screen:
        """Show a button for each known name, and one for the keyboard."""
        names = sorted(self.before.setup.names, key=str.casefold)
        buttons = tuple(Button(name, Intent("name", name)) for name in names)
        type_it = Button(_("Type a name"), Intent("type-name"))
        return Screen(who_plays(self.faction), (Buttons(buttons, 3),), (back_button(), type_it))

    def touch(self, intent: Intent) -> Scene | None:
        """Choose, type, or go back."""
        if intent.verb == "name":
            self.before.setup.name(self.faction, intent.what)
            return self.before
        if intent.verb == "type-name":
            return self.before.keyboard(self.faction, self)
        return super().touch(intent)
