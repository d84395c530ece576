"""The choices made for a new game before it begins."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Protocol

from companion.core.errors import SettingsError
from companion.core.language import _
from companion.games.match import Match
from companion.games.opponent import HEAD_STARTS, KEY, NAME, USUAL, Opponent
from companion.games.saved.shelf import known_names, shelf
from companion.scenes.base.new_game import with_people
from companion.scenes.base.stage import Scene, Stage
from engine.orders.board import board_names, load_board
from engine.orders.player import temperaments
from engine.orders.player.levels import extra_troops_step
from engine.rulebook import Reading

BY_APP, BY_TABLE = "app", "table"
SEED_DIGITS = 9


class SetupPage(Scene, Protocol):
    """A page of the set-up, which knows where leaving the set-up leads."""

    @property
    def home(self) -> Scene:
        """The scene that leaving the set-up leads to."""


class SetUp:
    """The choices made for a new game so far; the app can decide by chance what is left open."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.board = stage.board
        self.switched = stage.game_defaults.readings & self.board.mode.readings.keys()
        games = shelf().look().games
        self.names = known_names(games)
        last = next((game.players for game in games if not game.demo and game.players), stage.game_defaults.players)
        self.usual = {side: name for side, name in {**stage.game_defaults.players, **last}.items() if name != NAME}
        self.players: dict[str, str] = self._usual_players()
        self.app_side = ""  # the side that the app plays; "" where two people play
        self.level = USUAL
        self.pace = stage.settings.opponent_pace
        self.commander, self.head_start = "", HEAD_STARTS[0]
        self._gave_initiative = False
        self.initiative = ""
        self.tokens: dict[str, str] = {}
        self.chance = {"initiative": BY_TABLE, "bonuses": BY_TABLE}
        if stage.today is not None:  # before a game, the board is likely to be empty
            stage.today.await_board()

    def look(self, now_s: float) -> bool:
        """Let the camera look for the empty board; return whether today's board gets a new stage."""
        return self.stage.today is not None and self.stage.today.see_empty(now_s)

    @property
    def camera_note(self) -> str:
        """A sentence that says that the camera has seen today's board; "" if it hasn't."""
        seen = self.stage.today is not None and self.stage.today.stage in ("empty", "start")
        return _("The camera has seen today's board.") if seen else ""

    @property
    def readings(self) -> Mapping[str, Reading]:
        """The questions that the rules leave open, by name."""
        return self.board.mode.readings

    @property
    def commanders(self) -> tuple[str, ...]:
        """The commanders of the board's era whose temperament the app can take on."""
        return tuple(temperaments(self.board.mode.rulebook))

    @property
    def person(self) -> str:
        """The side of the person who plays against the app; "" if two people play."""
        return next((side for side in self.board.factions if self.app_side and side != self.app_side), "")

    @property
    def empty_slots(self) -> list[str]:
        """The slots without a token."""
        return [slot for slot in self.board.slots if slot not in self.tokens]

    def choose_board(self, board: str) -> None:
        """Choose the board by name; on another one than before, initiative and tokens are open again."""
        if board in board_names() and board != self.board.name:
            before, sides = tuple(self.players.values()), self.board.factions
            self.board, self.tokens, self.initiative = load_board(board), {}, ""
            self.players = dict(zip(self.board.factions, before, strict=True))
            self.app_side = dict(zip(sides, self.board.factions, strict=True)).get(self.app_side, "")
            self.switched &= self.board.mode.readings.keys()
            self.commander = self.commander if self.commander in self.commanders else ""

    def _usual_players(self) -> dict[str, str]:
        """Return the usual player of each side, "" if unknown; those of another board take the same seats as there."""
        if any(self.usual.get(faction) for faction in self.board.factions):
            return {faction: self.usual.get(faction, "") for faction in self.board.factions}
        names = [*self.usual.values(), "", ""]
        return dict(zip(self.board.factions, names, strict=False))

    def name_player(self, faction: str, name: str) -> None:
        """Set a side's player, "" for nobody; if the other side has that name, the two swap names."""
        for other, has in self.players.items():
            if other != faction and name and has == name:
                self.players[other] = self.players[faction]
        self.players[faction] = name

    def let_app_play(self, side: str) -> None:
        """Let the app play this side; whoever sat there moves to the other side if that is free.

        side: "" if two people play.
        """
        if side and side != self.app_side:
            one, other = self.board.factions
            free, person = (other if side == one else one), self.players[side]
            self.players[free] = self.players[free] if self.players[free] not in ("", NAME) else person
        self.players = {who: "" if name == NAME else name for who, name in self.players.items()}
        self.players.update({side: NAME} if side else {})
        self.app_side = side

    def swap(self) -> None:
        """Swap the two players, the app included."""
        one, other = self.board.factions
        self.players = {one: self.players[other], other: self.players[one]}
        self.app_side = {one: other, other: one}.get(self.app_side, "")

    def apply_head_start(self) -> None:
        """Give the person the initiative if that is their head start; open it again if it no longer is."""
        given = bool(self.app_side) and self.head_start == "initiative"
        if given:
            self.set_first(self.person)
        elif self._gave_initiative:
            self.initiative = ""
        self._gave_initiative = given

    def set_first(self, faction: str) -> None:
        """Record that this side begins, as flipped at the table."""
        self.initiative, self.chance["initiative"] = faction, BY_TABLE

    def put_token(self, slot: str, token: str) -> None:
        """Put a token on a slot, taking it off any other slot."""
        self.tokens = {other: lies for other, lies in self.tokens.items() if lies != token}
        self.tokens[slot] = token

    def flip_marker(self) -> None:
        """Choose by chance who begins."""
        self.initiative = self.stage.services.chance.one(self.board.factions)
        self.chance["initiative"] = BY_APP

    def draw_tokens(self) -> None:
        """Draw a token by chance for every empty slot, after the one that has to stay in the box, if any."""
        left = [token for token in self.board.mode.tokens if token not in self.tokens.values()]
        if apart := [token for token in left if token in self.board.mode.one_stays_out]:
            left.remove(self.stage.services.chance.one(apart))
        empty = self.empty_slots
        self.tokens.update(zip(empty, self.stage.services.chance.some(left, len(empty)), strict=True))
        self.chance["bonuses"] = BY_APP

    def request(self) -> dict[str, object]:
        """Return the `new` request for this game."""
        request: dict[str, object] = {
            "board": self.board.name,
            "initiative": self.initiative,
            "bonuses": dict(self.tokens),
            "chance": dict(self.chance),
        }
        if self.app_side:
            seed = int("".join(self.stage.services.chance.one("0123456789") for _digit in range(SEED_DIGITS)))
            request[KEY] = Opponent(
                self.app_side, self.level, seed, self.pace, self.commander, self.head_start
            ).to_request()
        return with_people(request, self.switched, self.players)

    def start(self) -> Match:
        """Begin the game, choosing by chance what is still open; its board and the app's pace become the defaults.

        EngineError or MatchError if it can't begin.
        """
        if not self.initiative:
            self.apply_head_start()
        if not self.initiative:
            self.flip_marker()
        if self.empty_slots:
            self.draw_tokens()
        match = self.stage.services.games.start(self.request())
        assert isinstance(match, Match)
        if self.app_side and self.head_start == "troops":
            match.offer(extra_troops_step(match.position, self.person))
        chosen = {"board": self.board.name} | ({"opponent_pace": self.pace} if self.app_side else {})
        new = {name: value for name, value in chosen.items() if getattr(self.stage.settings, name) != value}
        if new:
            with suppress(SettingsError):  # they hold until Gunbai ends; the game itself says if the disk refuses
                self.stage.change(**new)
        return match
