"""A new game in few touches: who plays which side; then the marker and the tokens; then the board is laid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import cast

from companion.core.errors import MatchError, SettingsError
from companion.games.match import Match
from companion.games.shelf import known_names, shelf
from companion.scenes.base.house_rules import HouseRulesScene, told
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.table.table import TableScene
from companion.text.catalogue import _
from companion.text.faults import fault_words
from companion.text.orders import board_title, faction_name, practice_note
from companion.ui.screen import Block, Button, Buttons, Columns, Intent, Prompt, Screen
from engine.errors import EngineError
from engine.orders.board import board_names, load_board
from engine.rulebook import Reading

NAMES_SHOWN = 3
NAME_MOST = 18
BY_APP, BY_TABLE = "app", "table"


class SetUp:
    """What is said of a new game so far; whatever is left open the app may decide by chance."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.board = stage.board
        self.switched = stage.house.readings & self.board.mode.readings.keys()
        games = shelf().look().games
        self.names = known_names(games)
        last = next((one.players for one in games if not one.demo and one.players), stage.house.players)
        self.usual = {**stage.house.players, **last}
        self.players: dict[str, str] = self._seated()
        self.initiative = ""
        self.tokens: dict[str, str] = {}
        self.chance = {"initiative": BY_TABLE, "bonuses": BY_TABLE}

    @property
    def readings(self) -> Mapping[str, Reading]:
        """What the rules leave open."""
        return self.board.mode.readings

    @property
    def empty_slots(self) -> list[str]:
        """The slots without a token."""
        return [slot for slot in self.board.slots if slot not in self.tokens]

    def play(self, board: str) -> None:
        """Another board: what lay on the slots of the one before is taken off."""
        if board in board_names() and board != self.board.name:
            before = tuple(self.players.values())
            self.board, self.tokens, self.initiative = load_board(board), {}, ""
            self.players = dict(zip(self.board.factions, before, strict=True))
            self.switched &= self.board.mode.readings.keys()

    def _seated(self) -> dict[str, str]:
        """Who plays which side, as far as is known; who played on another board sits where they sat there."""
        if any(self.usual.get(faction) for faction in self.board.factions):
            return {faction: self.usual.get(faction, "") for faction in self.board.factions}
        names = [*self.usual.values(), "", ""]
        return dict(zip(self.board.factions, names, strict=False))

    def name(self, faction: str, name: str) -> None:
        """A player's name; who had it on the other side takes this one's."""
        for other, has in self.players.items():
            if other != faction and name and has == name:
                self.players[other] = self.players[faction]
        self.players[faction] = name

    def swap(self) -> None:
        """The two players change sides."""
        one, other = self.board.factions
        self.players = {one: self.players[other], other: self.players[one]}

    def begins(self, faction: str) -> None:
        """The marker was flipped at the table."""
        self.initiative, self.chance["initiative"] = faction, BY_TABLE

    def put(self, slot: str, token: str) -> None:
        """A token lies on a slot; it lies on no other one then."""
        self.tokens = {other: lies for other, lies in self.tokens.items() if lies != token}
        self.tokens[slot] = token

    def flip(self) -> None:
        """The app flips the marker."""
        self.initiative = self.stage.chance.one(self.board.factions)
        self.chance["initiative"] = BY_APP

    def draw(self) -> None:
        """The app draws a token for each slot that has none; where one is to stay in the box, that is drawn first."""
        left = [token for token in self.board.mode.tokens if token not in self.tokens.values()]
        if apart := [token for token in left if token in self.board.mode.one_stays_out]:
            left.remove(self.stage.chance.one(apart))
        empty = self.empty_slots
        self.tokens.update(zip(empty, self.stage.chance.some(left, len(empty)), strict=True))
        self.chance["bonuses"] = BY_APP

    def request(self) -> dict[str, object]:
        """What the saved game begins with: the `new` request, and who flipped and drew."""
        request: dict[str, object] = {
            "board": self.board.name,
            "initiative": self.initiative,
            "bonuses": dict(self.tokens),
            "chance": dict(self.chance),
        }
        if self.switched:
            request["readings"] = dict.fromkeys(sorted(self.switched), "other")
        players = {faction: name for faction, name in self.players.items() if name}
        return request | ({"players": players} if players else {})

    def start(self) -> Match:
        """Begin the game; what nobody has said is left to chance. EngineError or MatchError where it cannot begin."""
        if not self.initiative:
            self.flip()
        if self.empty_slots:
            self.draw()
        match = cast(Match, self.stage.games.start(self.request()))
        if self.stage.settings.board != self.board.name:
            with suppress(SettingsError):  # the board holds until Gunbai ends; the game's own sign tells of the disk
                self.stage.change(board=self.board.name)
        return match


class SetupScene:
    """Who plays which side. Names of earlier games are one touch away, and everything may be skipped."""

    def __init__(self, stage: Stage, home: Scene) -> None:
        self.stage = stage
        self.home = home
        self.setup = SetUp(stage)
        self.banner = ""

    def show(self) -> Screen:
        """A column a side."""
        left, right = (self._side(faction) for faction in self.setup.board.factions)
        actions = (
            Button(_("Back"), Intent("back"), "quiet"),
            Button(_("Begin at once"), Intent("begin"), note=_("the app flips and draws")),
            Button(_("Next"), Intent("next"), "primary"),
        )
        return Screen(
            title=_("Who plays?"),
            blocks=(*self._game(), Columns(left, right), Buttons(tuple(self._others()), 2), *self._seats()),
            actions=actions,
            banner=self.banner,
            banner_tone="bad",
        )

    def _game(self) -> tuple[Block, ...]:
        """The game and its board, with the way to another one."""
        board = self.setup.board
        note = practice_note(board) or _("another game or board")
        return (Buttons((Button(board_title(board), Intent("boards"), sign="castle", note=note),), 1),)

    def _side(self, faction: str) -> tuple[Block, ...]:
        """The side in its colour with its player, and the names to choose from."""
        chosen = self.setup.players[faction]
        names = list(dict.fromkeys([*((chosen,) if chosen else ()), *self.setup.names]))[:NAMES_SHOWN]
        buttons = [
            Button(name, Intent("name", f"{faction}/{name}"), "chosen" if name == chosen else "plain")
            for name in sorted(names, key=str.casefold)
        ]
        label = _("Another name") if names else _("Type a name")
        buttons.append(Button(label, Intent("type-name", faction), "quiet"))
        return (Prompt(faction, chosen or faction_name(faction)), Buttons(tuple(buttons), 2))

    def _others(self) -> list[Button]:
        rules = Button(_("House rules"), Intent("house"), "quiet", note=told(self.setup.switched))
        named = any(self.setup.players.values())
        return [Button(_("Change sides"), Intent("swap")), rules] if named else [rules]

    def _seats(self) -> tuple[Block, ...]:
        """Who sits where, where the screen has two sides: it is turned round for the other seats."""
        if self.stage.settings.layout != "two":
            return ()
        return (Buttons((Button(_("Change seats: turn the screen round"), Intent("turn"), "quiet"),), 1),)

    def touch(self, intent: Intent) -> Scene | None:
        """Choose, lead on, or go back."""
        self.banner = ""
        lead = self._leads().get(intent.verb)
        return lead(intent.what) if lead is not None else None

    def _leads(self) -> Mapping[str, Callable[[str], Scene | None]]:
        return {
            "back": lambda _what: self.home,
            "boards": lambda _what: self._boards(),
            "name": self._name,
            "type-name": self._another,
            "swap": lambda _what: self.setup.swap(),
            "turn": lambda _what: self._turn(),
            "house": lambda _what: HouseRulesScene(self.setup, self),
            "next": lambda _what: self._next(),
            "begin": lambda _what: self._begin(),
        }

    def _name(self, what: str) -> None:
        """Choose a name; a second touch takes it away again."""
        faction, _slash, name = what.partition("/")
        self.setup.name(faction, "" if self.setup.players[faction] == name else name)

    def _another(self, faction: str) -> Scene:
        """All names that are known, or straight to the keyboard where they all stand here already."""
        if len(self.setup.names) > NAMES_SHOWN:
            return NamesScene(self, faction)
        return self.keyboard(faction, self)

    def keyboard(self, faction: str, back: Scene) -> Scene:
        """A new name, typed."""

        def done(name: str) -> Scene:
            self.setup.names = tuple(dict.fromkeys((name, *self.setup.names)))
            self.setup.name(faction, name)
            return self

        return TypingScene(Ask(asked(faction), most=NAME_MOST, names=True), done, back)

    def _turn(self) -> None:
        self.stage.change(rotation_degrees=(self.stage.settings.rotation_degrees + 180) % 360)

    def _boards(self) -> Scene:
        from companion.scenes.setup.board import BoardScene

        return BoardScene(self.setup, self)

    def _next(self) -> Scene:
        from companion.scenes.setup.chance import ChanceScene

        return ChanceScene(self.setup, self)

    def _begin(self) -> Scene | None:
        """Skip everything: straight to the table."""
        try:
            return TableScene(self.stage, self.setup.start(), self.home)
        except (EngineError, MatchError) as error:
            self.banner = fault_words(error)
            return None


def asked(faction: str) -> str:
    """Who plays a side?"""
    return _("Who plays {who}?").format(who=faction_name(faction))


class NamesScene:
    """Everybody who has played here, for one side."""

    def __init__(self, before: SetupScene, faction: str) -> None:
        self.before = before
        self.faction = faction

    def show(self) -> Screen:
        """A button a name, and the keyboard."""
        names = sorted(self.before.setup.names, key=str.casefold)
        buttons = tuple(Button(name, Intent("name", name)) for name in names)
        back = Button(_("Back"), Intent("back"), "quiet")
        type_it = Button(_("Type a name"), Intent("type-name"))
        return Screen(asked(self.faction), (Buttons(buttons, 3),), (back, type_it))

    def touch(self, intent: Intent) -> Scene | None:
        """Choose, type, or go back."""
        if intent.verb == "name":
            self.before.setup.name(self.faction, intent.what)
        if intent.verb == "type-name":
            return self.before.keyboard(self.faction, self)
        return self.before if intent.verb in ("name", "back") else None
