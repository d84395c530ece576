"""Home: go on with the last game, begin a new one, or watch; and the form of a new game."""

from __future__ import annotations

from pathlib import Path

from companion.errors import MatchError
from companion.language import _
from companion.scenes.calibration import begin
from companion.scenes.house import HouseRulesScene, readings, told
from companion.scenes.menu import PagesScene
from companion.scenes.picture import start_picture
from companion.scenes.screen import Block, Button, Buttons, Choice, Intent, Look, Screen, Text
from companion.scenes.stage import Scene, Stage
from companion.scenes.table import TableScene
from companion.scenes.words import bonus_title, faction_name, slot_name
from engine.errors import EngineError
from engine.orders.board import load_board

BOARD = "sengoku-rivers"


class HomeScene:
    """Where the app begins."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.banner = ""
        self.refused: set[Path] = set()  # files that are no games: the one before is offered next

    def show(self) -> Screen:
        """The board, and what can be done."""
        board = load_board(BOARD)
        last = self._last()
        buttons = [last] if last else []
        buttons.append(Button(_("New game"), Intent("new"), "plain" if last and last.look == "primary" else "primary"))
        if self.stage.has_demo:
            buttons.append(Button(_("Watch a demonstration"), Intent("demo")))
        if self.stage.cameras is not None:
            note = _("the camera knows the table") if self.stage.cameras.ready else _("not set up yet")
            buttons.append(Button(_("Set up the camera"), Intent("calibrate"), note=note))
        buttons.append(Button(_("Open questions of the rules"), Intent("readings"), "quiet"))
        buttons.append(Button(_("Leave"), Intent("quit"), "quiet"))
        return Screen(
            title="Gunbai",
            tone="hero",
            blocks=(
                Text(board.mode.title, "strong"),
                Text(_("Watches the table, knows the rules, keeps the score."), "quiet"),
                Buttons(tuple(buttons), 1),
            ),
            banner=self.banner,
            banner_tone="bad",
            map=start_picture(board),
        )

    def _last(self) -> Button | None:
        """The last game, with where it stands; one that is over is only looked at."""
        path = self.stage.games.latest(self.refused)
        if path is None:
            return None
        position = self.stage.games.glance(path)
        label, intent = _("Go on with the last game"), Intent("resume")
        if position is None:
            return Button(label, intent, "primary", note=path.stem)
        if position.winner_name:
            text = _("{name} · {who} has won").format(name=path.stem, who=faction_name(position.winner_name))
            return Button(_("Look at the last game"), intent, note=text)
        text = _("{name} · round {n}, {who} to move")
        who = faction_name(position.to_move_name)
        return Button(label, intent, "primary", note=text.format(name=path.stem, n=position.round, who=who))

    def touch(self, intent: Intent) -> Scene | None:
        """Lead on."""
        self.banner = ""
        if intent.verb == "quit":
            self.stage.quitting = True
        elif intent.verb == "demo":
            self.stage.demo_wanted = True
        elif intent.verb == "resume":
            return self._resume()
        elif intent.verb == "new":
            return NewGameScene(self.stage, self)
        elif intent.verb == "calibrate" and self.stage.cameras is not None:
            return begin(self.stage.cameras, self)
        elif intent.verb == "readings":
            told_as = readings(load_board(BOARD), self.stage.house.readings)
            return PagesScene(_("Open questions of the rules"), told_as, self)
        return None

    def _resume(self) -> Scene | None:
        path = self.stage.games.latest(self.refused)
        if path is None:
            return None
        try:
            match = self.stage.games.open(path)
        except MatchError as error:
            self.banner = str(error)
            if self.stage.games.glance(path) is None:
                self.refused.add(path)
            return None
        return TableScene(self.stage, match, self)


class NewGameScene:
    """What the table reports of the set-up: the initiative, and the token on each slot."""

    def __init__(self, stage: Stage, home: HomeScene) -> None:
        self.stage = stage
        self.home = home
        self.board = load_board(BOARD)
        self.initiative: str | None = None
        self.tokens: dict[str, str] = {}
        self.switched = stage.house.readings
        self.banner = ""

    def show(self) -> Screen:
        """The choices, top to bottom as at the table."""
        factions = tuple(
            Button(faction_name(f), Intent("initiative", f), "chosen" if f == self.initiative else "plain")
            for f in self.board.factions
        )
        blocks: tuple[Block, ...] = (
            Choice(_("The round marker was flipped: who has the initiative?"), factions),
            *(self._slot(slot) for slot in self.board.slots),
            Text(self._missing(), "quiet" if self._ready() else "warn"),
        )
        start = Button(_("Start"), Intent("start"), "primary" if self._ready() else "off")
        house = Button(_("House rules"), Intent("house"), note=told(self.switched))
        return Screen(
            title=_("New game"),
            blocks=blocks,
            actions=(Button(_("Back"), Intent("back"), "quiet"), house, start),
            banner=self.banner,
            banner_tone="bad",
        )

    def _slot(self, slot: str) -> Choice:
        """The tokens for a slot; one that lies elsewhere moves when it is touched."""
        buttons = []
        for token in self.board.mode.bonuses:
            elsewhere = any(other != slot and lies == token for other, lies in self.tokens.items())
            look: Look = "chosen" if self.tokens.get(slot) == token else "off" if elsewhere else "plain"
            buttons.append(Button(bonus_title(self.board, token), Intent("token", f"{slot}/{token}"), look))
        return Choice(_("Token on the {slot} slot").format(slot=slot_name(slot)), tuple(buttons))

    def _ready(self) -> bool:
        return self.initiative is not None and len(self.tokens) == len(self.board.slots)

    def _missing(self) -> str:
        missing = [slot_name(slot) for slot in self.board.slots if slot not in self.tokens]
        if self.initiative is None:
            missing.insert(0, _("initiative"))
        if missing:
            return _("Still to say: {what}").format(what=", ".join(missing))
        return _("Set the units as printed, and the round marker on 1.")

    def touch(self, intent: Intent) -> Scene | None:
        """Fill in, start, or go back."""
        self.banner = ""
        if intent.verb == "initiative":
            self.initiative = intent.what
        elif intent.verb == "token":
            self._put(*intent.what.split("/"))
        elif intent.verb == "start" and self._ready():
            return self._start()
        elif intent.verb == "house":
            return HouseRulesScene(self)
        return self.home if intent.verb == "back" else None

    def _put(self, slot: str, token: str) -> None:
        self.tokens = {other: lies for other, lies in self.tokens.items() if lies != token}
        self.tokens[slot] = token

    def _request(self) -> dict[str, object]:
        """What is reported, as the `new` request of the saved game."""
        request: dict[str, object] = {"board": BOARD, "initiative": self.initiative, "bonuses": self.tokens}
        if self.switched:
            request["readings"] = dict.fromkeys(sorted(self.switched), "other")
        if self.stage.house.players:
            request["players"] = dict(self.stage.house.players)
        return request

    def _start(self) -> Scene | None:
        try:
            match = self.stage.games.start(self._request())
        except (EngineError, MatchError) as error:
            self.banner = str(error)
            return None
        return TableScene(self.stage, match, self.home)
