"""A hand that touches what is on the screen, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Self, TypeVar

from companion.app.app import App
from companion.scenes.orders.placing import PlaceForm
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.round_end import RoundEndScene
from companion.ui import screen as scr
from companion.ui.screen import Button, Intent
from engine.orders.position import Position

Shown = TypeVar("Shown", bound=scr.Block)
TOKENS = ("sun/barracks", "moon/war_room", "star/shipyard")


def buttons(blocks: tuple[scr.Block, ...]) -> Iterator[Button]:
    """All buttons in the blocks."""
    for block in blocks:
        if isinstance(block, scr.Buttons | scr.Choice):
            yield from block.buttons
        elif isinstance(block, scr.Columns):
            yield from buttons((*block.left, *block.right))


def steppers(blocks: tuple[scr.Block, ...]) -> list[scr.Stepper]:
    """All steppers in the blocks."""
    return [stepper for block in blocks if isinstance(block, scr.Steppers) for stepper in block.steppers]


def words(blocks: tuple[scr.Block, ...]) -> str:
    """All paragraphs and log lines in the blocks."""
    inner = ((*block.left, *block.right) if isinstance(block, scr.Columns) else (block,) for block in blocks)
    blocks = tuple(block for part in inner for block in part)
    texts = [block.text for block in blocks if isinstance(block, scr.Text)]
    texts += [f"{block.text}\n{block.hint}" for block in blocks if isinstance(block, scr.Prompt)]
    texts += [f"{block.title}\n{block.text}" for block in blocks if isinstance(block, scr.Laurels)]
    texts += [line for block in blocks if isinstance(block, scr.Log) for line in block.lines]
    lists = [block for block in blocks if isinstance(block, scr.Checklist)]
    texts += [block.head.text for block in lists if block.head]
    texts += [line.text for block in lists for line in block.lines]
    return "\n".join(texts)


class Hand:
    """Touches the app by what it shows."""

    def __init__(self, app: App) -> None:
        self.app = app

    @property
    def screen(self) -> scr.Screen:
        return self.app.screen()

    @property
    def picture(self) -> scr.MapPicture:
        """The map on the screen, which is made anew each time that it is asked for."""
        picture = self.screen.map
        assert picture is not None
        return picture

    @property
    def board_table(self) -> BoardTable:
        """The table of General Orders that is on stage."""
        assert isinstance(self.app.scene, BoardTable)
        return self.app.scene

    @property
    def position(self) -> Position:
        return self.board_table.match.position

    def blocks(self, kind: type[Shown]) -> list[Shown]:
        """Return the blocks of a kind that are on the screen."""
        return [block for block in self.screen.blocks if isinstance(block, kind)]

    @property
    def labels(self) -> list[str]:
        """What all buttons say."""
        return [button.label for button in self.all_buttons()]

    def all_buttons(self) -> list[Button]:
        screen = self.screen
        return [*buttons(screen.blocks), *screen.actions]

    def button(self, label: str) -> Button:
        found = [button for button in self.all_buttons() if button.label == label]
        assert found, f"no button {label!r} among {self.labels}"
        return found[0]

    def stepper(self, label: str) -> scr.Stepper:
        return next(stepper for stepper in steppers(self.screen.blocks) if stepper.label.casefold() == label.casefold())

    def press(self, *labels: str) -> Self:
        for label in labels:
            self.app.touch(self.button(label).intent)
        return self

    def area(self, *names: str) -> Self:
        for name in names:
            assert name in {area.name for area in self.picture.areas}
            self.app.touch(Intent("area", name))
        return self

    def count(self, label: str, n: int) -> Self:
        for _ in range(abs(n)):
            stepper = self.stepper(label)
            self.app.touch(Intent(stepper.verb, stepper.what, 1 if n > 0 else -1))
        return self

    def space(self, *names: str) -> Self:
        """Touch action spaces on the map."""
        for name in names:
            assert name in {space.name for space in self.picture.spaces}
            self.app.touch(Intent("space", name))
        return self

    def put(self, **numbers: int) -> Self:
        """Set steppers by their labels to these numbers."""
        for label, n in numbers.items():
            self.count(label, n - self.stepper(label).value)
        return self

    def dice(self, *faces: int) -> Self:
        assert any(isinstance(block, scr.Dice) for block in self.screen.blocks)
        for face in faces:
            self.app.touch(Intent("die", "", face))
        return self

    def start(self, initiative: str = "red", tokens: tuple[str, ...] = TOKENS) -> Self:
        """Begin a new game by touches: who begins, "slot/token" each, and the board is laid already."""
        self.press("New game", "Next")
        self.intent(Intent("initiative", initiative.lower()))
        board = self.picture.board
        for slot, token in (pair.split("/") for pair in tokens):
            self.area(*(area.name for area in board.areas if area.slot == slot))
            self.intent(Intent("token", token))
        return self.press("Next", "Skip to the game")

    def write(self, text: str) -> Self:
        """Touch the letters of a keyboard, however they are written on it."""
        for letter in text:
            self.app.touch(Intent("type", letter))
        return self

    def consent(self, *sides: str) -> Self:
        """Let these sides say that they agree, one after the other."""
        for side in sides:
            self.app.touch(Intent("agree", side))
        return self

    def intent(self, intent: Intent) -> Self:
        """Touch the button that means this."""
        assert intent in [button.intent for button in self.all_buttons()], f"no button means {intent}"
        self.app.touch(intent)
        return self

    def intent_live(self, action: str) -> Self:
        """Touch the first space of this action that may be deployed to, on the map."""
        live = [space.name for space in self.picture.spaces if space.live and space.action == action]
        assert live, f"no {action} is live"
        return self.space(live[0])

    def text(self) -> str:
        return words(self.screen.blocks)


class Player:
    """Plays by touching live things at random; confirms a form as soon as it may."""

    def __init__(self, hand: Hand, seed: int) -> None:
        self.hand = hand
        self.rng = random.Random(seed)

    def play(self, most: int) -> int:
        """Touch until the game is over, at most so often; how often."""
        for touches in range(most):
            if isinstance(self.hand.app.scene, RoundEndScene):
                self.hand.intent(Intent("on"))
            if not isinstance(self.hand.app.scene, BoardTable):
                return touches
            self.hand.app.touch(self.rng.choice(self.choices()))
        return most

    def choices(self) -> list[Intent]:
        """Return what a sensible finger would touch now."""
        screen = self.hand.screen
        primary = [action.intent for action in screen.actions if action.look == "primary"]
        if primary and self.rng.random() < 0.85:
            return primary
        found = [
            button.intent
            for button in buttons(screen.blocks)
            if button.look == "plain" and button.intent.verb != "named"
        ]
        found += [
            Intent(stepper.verb, stepper.what, 1) for stepper in steppers(screen.blocks) if stepper.value < stepper.most
        ]
        found += [Intent("die", "", n) for block in screen.blocks if isinstance(block, scr.Dice) for n in range(3)]
        return found + self._areas(screen) or self._ways_on(screen)

    def _ways_on(self, screen: scr.Screen) -> list[Intent]:
        """Return the live actions, but for the one that stops the game for an argument."""
        return [action.intent for action in screen.actions if action.look != "off" and action.intent.verb != "dispute"]

    def _areas(self, screen: scr.Screen) -> list[Intent]:
        assert screen.map is not None
        assert isinstance(self.hand.app.scene, BoardTable)
        if isinstance(self.hand.app.scene.panel, PlaceForm):
            return []
        live = {space.name.partition(":")[2] for space in screen.map.spaces if space.live}
        return [Intent("area", area.name) for area in screen.map.areas if area.mark == "live" or area.name in live]


def two_sided(app: App) -> App:
    """Begin a game by touches, with a half of the screen for each player."""
    Hand(app).start()
    app.stage.settings = replace(app.stage.settings, layout="two")
    return app
