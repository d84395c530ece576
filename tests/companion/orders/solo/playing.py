"""One person at a table against the app: by what the screen shows, before a camera, and whole games by touches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.app.app import App
from companion.games.chance import Thrown
from companion.games.match import Match
from companion.scenes.orders.announced import AnnouncedPanel, AppRollPanel
from companion.scenes.orders.cards import ToldHandScene
from companion.scenes.table.solo_table import SoloTable
from companion.thinking.thought import InlineThought, State, Thought, Work
from companion.ui.screen import Dice, Intent, Screen
from engine.orders.board import load_board
from engine.orders.steps import Deploy, Step
from tests.companion.driver import Driver
from tests.companion.equip import equip
from tests.companion.fingers import Fingers, NotThere
from tests.companion.orders.camera.desk import WatchedHand
from tests.companion.sample_games import BOARD, BONUSES
from tests.companion.touching import buttons, steppers

Alone = Callable[..., "SoloHand"]
"""Sits down against the app, which plays the side named."""
ADVANCE = Deploy("advance:c4", moves=(("d5", "troop", 2),))
GUARDS = Deploy("reinforce:2", place=(("a3", "troop", 2), ("b3", "troop", 3)))
RAID = Deploy("advance:b5", moves=(("c4", "troop", 1),))


def request(side: str, level: str = "child", board: str = BOARD) -> dict[str, object]:
    """Return a request for a game in which the app plays this side; the first side has the initiative."""
    factions, slots = load_board(board).factions, load_board(board).slots
    tokens = dict(zip(slots, load_board(board).mode.tokens, strict=False))
    return {
        "board": board,
        "initiative": factions[0],
        "bonuses": BONUSES if board == BOARD else tokens,
        "players": {side: "Gunbai"},
        "opponent": {"side": side, "level": level, "seed": 4},
    }


class SoloHand(WatchedHand):
    """A hand at a table against the app, watched where it has an eye."""

    def __init__(self, path: Path, side: str = "black", *, board: str = BOARD, watched: bool = False) -> None:
        begun = request(side, board=board)
        super().__init__(Match.open(path) if path.exists() else Match.begin(path, begun), watched=watched)
        equip(self.app.stage, chance=Thrown(1))

    @property
    def table(self) -> SoloTable:
        """The table."""
        found = self.app.table
        assert isinstance(found, SoloTable)
        return found

    @property
    def announced(self) -> AnnouncedPanel:
        """What the app announces."""
        panel = self.panel
        assert isinstance(panel, AnnouncedPanel), panel
        return panel

    def forced(self, *steps: Step) -> SoloHand:
        """Take these steps of either side, so that the test knows them."""
        for step in steps:
            assert self.match.offer(step).legal, step
        self.table.refresh()
        return self

    def play(self, step: Step) -> SoloHand:
        """Take a step of the person's own, however it was entered."""
        self.table.offer(step)
        return self


class SoloDriver(Driver):
    """A person who plays a whole game against the app by touches."""

    def __init__(self, fingers: Fingers, seed: int, side: str) -> None:
        super().__init__(fingers, seed)
        self.side = side
        self.app_turns: list[int] = []  # touches that each of the app's turns took, with its dice and cards
        self.shown: Counter[str] = Counter()

    def one_touch(self) -> None:
        """Do what is on the glass: what the app announces or has rolled, a round's end, or a step of one's own."""
        scene = self.fingers.app.scene
        panel = scene.panel if isinstance(scene, SoloTable) else scene
        self.shown[type(panel).__name__] += 1
        if isinstance(scene, ToldHandScene):
            self.fingers.tap("note", self.rng.choice([card.name for card in self.match.board.mode.cards.values()]))
        elif not isinstance(scene, SoloTable):
            self.fingers.tap("on")
        elif isinstance(panel, AnnouncedPanel):
            self.fingers.tap("confirm")
        elif isinstance(panel, AppRollPanel):
            self.fingers.tap("app-roll")
        else:
            self.touch(self.next_step())

    def next_step(self) -> Step:
        """Return what the person does: the app's hand is unknown, so nothing of it is played for the app."""
        position = self.match.position
        seat = position.board.mode.faction_index[self.side]
        hands = ((), position.hands[1]) if seat == 0 else (position.hands[0], ())
        return self.step_at(replace(position, hands=hands))

    def play(self, most: int = 10_000) -> None:
        """Until the game is over."""
        while self.match.position.winner is None and most > 0:
            turn, touches = self._app_moves(), self.fingers.touches
            self.one_touch()
            if turn:
                self.app_turns.append(self.fingers.touches - touches)
            most -= 1

    def _app_moves(self) -> bool:
        """Whether the app has something on the glass that it asks for."""
        scene = self.fingers.app.scene
        own = isinstance(scene, SoloTable) and isinstance(scene.panel, AnnouncedPanel | AppRollPanel)
        return own or isinstance(scene, ToldHandScene)


class BareFingers(Fingers):
    """Fingers without glass: what is on the screen is touched by what it means, and nothing is drawn."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.faults = []
        self.touches = 0
        self.seat = ""

    def screens(self) -> list[Screen]:
        """Return the whole screen, as there is one person."""
        return [self.app.screen()]

    def chosen_space(self) -> str:
        """Return the action space that the map shows as the one in question, or ""."""
        shown = self.app.screen().map
        return next((space.name for space in (shown.spaces if shown is not None else ()) if space.chosen), "")

    def tap(self, verb: str, what: str = "", n: int = 0) -> None:
        """Touch what means this, where it is on the screen."""
        screen = self.app.screen()
        offered = {button.intent for button in (*buttons(screen.blocks), *screen.actions)}
        offered |= {Intent(stepper.verb, stepper.what, by) for stepper in steppers(screen.blocks) for by in (-1, 1)}
        dice = any(isinstance(block, Dice) for block in screen.blocks)
        on_map = verb in ("area", "space") and screen.map is not None
        if Intent(verb, what, n) not in offered and not on_map and not (dice and verb in ("die", "undie")):
            raise NotThere(f"{Intent(verb, what, n)} is not on the screen")
        self.touches += 1
        self.app.touch(Intent(verb, what, n))


class SlowThought(InlineThought):
    """A thought that is over once the test says so; found: what it has found on the way."""

    ready = False
    stopped = False
    fails = False
    found: tuple[Any, ...] = ()

    @property
    def state(self) -> State:
        return "failed" if self.fails else super().state

    def news(self) -> tuple[Any, ...]:
        found, self.found = self.found, ()
        return super().news() if self.ready else found

    def stop(self) -> None:
        self.stopped = True


class SlowThinking:
    """Keeps the thoughts for the test."""

    def __init__(self) -> None:
        self.thoughts: list[SlowThought] = []

    def begin(self, work: Work[Any]) -> Thought[Any]:
        self.thoughts.append(SlowThought(work))
        return self.thoughts[-1]
