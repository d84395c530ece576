"""A whole game by touches alone, as two people play it: turns made up, dice and draws given by seeded chance."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from companion.app.app import App
from companion.core.language import use_language
from companion.demo.autoplayer import Autoplayer
from companion.games.journal import read_journal
from companion.games.match import Match
from companion.scenes.orders.answers import RollPanel
from companion.scenes.table.board_table import BoardTable
from companion.scenes.table.round_end import RoundEndScene
from companion.ui.screen import Intent
from engine.orders import game
from engine.orders.board import load_board
from engine.orders.position import Position
from engine.orders.steps import Accept, Deploy, Load, Pass, Play, Remove, Reroll, Return, Roll, Step
from tests.companion.fingers import Fingers
from tests.companion.sample_games import BOARD

WHOLE = 10_000  # steps: more than any game has
AGAIN = 0.5  # how often a card is spent to roll again where that is offered


class Setting(NamedTuple):
    """A table to play at."""

    size_px: tuple[int, int] = (800, 480)
    layout: str = "one"
    rotation_degrees: int = 0
    language: str = "en"
    board: str = BOARD

    def __str__(self) -> str:
        width, height = self.size_px
        return f"{self.board}-{width}x{height}-{self.layout}-{self.rotation_degrees}-{self.language}"


class Driver:
    """Both players."""

    def __init__(self, fingers: Fingers, seed: int) -> None:
        self.fingers = fingers
        self.player = Autoplayer(seed)
        self.rng = random.Random(seed)
        self.hidden = self.rng.random() < 0.5  # cards are drawn without telling their names
        self.told: list[Step] = []  # what was entered, in order
        self.needed: dict[str, list[int]] = {}  # touches for each kind of step

    @property
    def match(self) -> Match:
        """The game at the table."""
        assert isinstance(self.fingers.app.table, BoardTable)
        return self.fingers.app.table.match

    def begin(self, name: str = BOARD) -> None:
        """Begin a new game from home on this board, set up as it lies on the table."""
        hand, board = self.fingers, load_board(name)
        hand.press("New game")
        if name != hand.app.stage.board.name:
            hand.tap("boards")
            hand.tap("board", name)
            hand.press("Back")
        hand.press("Next")
        hand.tap("initiative", self.rng.choice(board.factions))
        for slot, token in zip(board.slots, self.rng.sample(board.mode.tokens, len(board.slots)), strict=True):
            hand.tap("area", next(area.name for area in board.areas if area.slot == slot))
            hand.tap("token", token)
        hand.press("Next")
        hand.press("Skip to the game")

    def play(self, most: int = WHOLE) -> None:
        """Until the game is over, or so many steps are entered."""
        while isinstance(self.fingers.app.scene, BoardTable | RoundEndScene) and most > 0:
            if self.match.position.winner_name is not None:
                return
            self.enter(self.next_step())
            most -= 1

    def next_step(self) -> Step:
        """Return what the two players do now."""
        return self.step_at(self.match.position)

    def step_at(self, position: Position) -> Step:
        """Return what is done at a position, as whoever does it knows it."""
        spend = [
            button.intent.what
            for button in self.fingers.buttons()
            if button.intent.verb == "spend" and button.look == "plain"
        ]
        owed = game.owed(position)
        if spend and owed is not None:
            return Reroll(self.rng.choice(spend), owed.by)
        step = self.player.step(position)
        if isinstance(step, Deploy) and step.draw is not None and self.hidden:
            return replace(step, draw=step.draw if isinstance(step.draw, int) else len(step.draw))
        return step

    def enter(self, step: Step) -> None:
        """Enter a step by touches; the game must have it then, with nothing else but windows closed by themselves."""
        if isinstance(self.fingers.app.scene, RoundEndScene):
            self.fingers.tap("on")
        before, touches = len(self.match.steps), self.fingers.touches
        self.fingers.seat = self._who(step)
        match = self.match
        self.touch(step)
        new = [new_step for new_step in match.steps[before:] if not isinstance(new_step, Accept)]
        expected = [] if isinstance(step, Accept) else [step]
        assert [same(new_step) for new_step in new] == [same(wanted_step) for wanted_step in expected], (
            f"entered {step}, the game has {new}"
        )
        assert len(match.steps) > before, f"nothing came of {step}"
        self.told += match.steps[before:]
        self.needed.setdefault(kind_of(step), []).append(self.fingers.touches - touches)

    def touch(self, step: Step) -> None:
        """Enter a step by touches."""
        {
            Deploy: self._deploy,
            Pass: self._pass,
            Roll: self._roll,
            Play: self._card,
            Reroll: self._reroll,
            Remove: self._remove,
            Accept: self._accept,
            Return: self._return,
        }[type(step)](step)  # type: ignore[operator]

    def _who(self, step: Step) -> str:
        """Whose fingers: where two sit opposite, everybody touches the own half."""
        if self.fingers.app.stage.settings.layout != "two":
            return ""
        owed = game.owed(self.match.position)
        by = getattr(step, "by", None)
        return by or (owed.by if owed is not None and isinstance(step, Accept) else self.match.position.to_move_name)

    # ---- one kind of step each ------------------------------------------------------------------

    def _pass(self, _step: Step) -> None:
        self.fingers.tap("pass")

    def _accept(self, _step: Step) -> None:
        self.fingers.tap("accept")

    def _return(self, step: Return) -> None:
        self.fingers.tap("return", step.space)

    def _roll(self, step: Roll) -> None:
        """Dice that the camera has put in stay where they are right."""
        missing = Counter(step.dice)
        for number, face in reversed(list(enumerate(self._entered()))):
            if missing[face]:
                missing[face] -= 1
            else:
                self.fingers.tap("undie", "", number)
        for face in missing.elements():
            self.fingers.tap("die", "", face)
        again = self.fingers.has("reroll") and self.rolls_again()
        self.fingers.tap("reroll" if again else "confirm")

    def _entered(self) -> list[int]:
        """Return the faces that the roll's panel has already."""
        table = self.fingers.app.table
        assert isinstance(table, BoardTable)
        assert isinstance(table.panel, RollPanel)
        return table.panel.faces

    def rolls_again(self) -> bool:
        """Whether a card is spent to roll again, where that is offered."""
        return self.rng.random() < AGAIN

    def _reroll(self, step: Reroll) -> None:
        if not self.fingers.has("spend"):
            self.fingers.tap("reroll")
        self.fingers.tap("spend", step.card)

    def _remove(self, step: Remove) -> None:
        owed = game.owed(self.match.position)
        assert owed is not None
        self._count("count", tuple((owed.area or "", unit, n) for unit, n in step.units))
        self.fingers.tap("confirm")

    def _deploy(self, step: Deploy) -> None:
        self._open(step)
        for card in step.cards:
            self._switch_on(card)
        if step.target is not None:
            self._aim(step.target)
        if step.payload is not None:
            self._set("spend", step.payload)
        if step.moves or step.place:
            self._count("count", (*step.moves, *step.place))
        if step.recall:
            self._count("back", step.recall)
        if step.draw is not None:
            if not (self.fingers.has("named") or self.fingers.has("hidden")):
                return  # beside a camera cards are drawn at once, unseen
            if isinstance(step.draw, tuple) and step.draw:
                self._name(step.draw)
            elif self.fingers.has("hidden"):
                self.fingers.tap("hidden")
        self.fingers.tap("confirm")

    def _aim(self, target: str) -> None:
        """By its button, where it has one, or on the map."""
        listed = Intent("target", target) in [button.intent for button in self.fingers.buttons()]
        self.fingers.tap("target" if listed and self.rng.random() < 0.5 else "area", target)

    def _open(self, step: Deploy) -> None:
        """Open the form of the space: by the map, or by the button of the space."""
        space = self.match.board.space(step.space)
        if space.area is None:
            self.fingers.tap("space", space.name)
            return
        self.fingers.tap("area", space.area)
        shared = [button.intent for button in self.fingers.buttons() if button.intent.verb == "shared"]
        wanted = [intent for intent in shared if intent.what in [f"{space.name}/{card}" for card in step.cards]]
        if wanted:
            self.fingers.tap("shared", wanted[0].what)
        elif not (self.fingers.has("confirm") and self.fingers.chosen_space() == space.name):
            self.fingers.tap("space", space.name)

    def _switch_on(self, card: str) -> None:
        found = [
            button for button in self.fingers.buttons() if button.intent.verb == "card" and button.intent.what == card
        ]
        if found and found[0].look != "chosen":
            self.fingers.tap("card", card)

    def _name(self, cards: tuple[str, ...]) -> None:
        """Name the cards drawn."""
        if self.fingers.has("named"):
            self.fingers.tap("named")
        for card in cards:
            self.fingers.tap("draw", card)

    def _count(self, verb: str, loads: tuple[Load, ...]) -> None:
        """Set the numbers: those that are too high first, for they may hold the others back."""
        wanted = {f"{verb} {area}/{unit}": n for area, unit, n in loads}
        for n in (-1, 1):
            for key in [key for key in self.fingers.steppers() if key.startswith(f"{verb} ")]:
                missing = wanted.get(key, 0) - self.fingers.steppers()[key].value
                for _once in range(max(0, missing * n)):
                    self.fingers.tap(verb, key.removeprefix(f"{verb} "), n)

    def _card(self, step: Play) -> None:
        """Play a card, where it has to be opened first or asks for more."""
        position = self.match.position
        if not self.fingers.has("play"):
            self.fingers.tap("window")
        self.fingers.tap("play", f"{step.by}/{step.card}")
        if self.match.position is not position:
            return
        if step.target is not None:
            self.fingers.tap("target", step.target)
        if step.place:
            self._count("count", step.place)
        if step.units is not None:
            self._set("units", step.units)
        self.fingers.tap("announce" if self.fingers.has("announce") else "confirm")

    def _set(self, verb: str, number: int) -> None:
        """Set the one number that this verb is for."""
        key, stepper = next((key, stepper) for key, stepper in self.fingers.steppers().items() if stepper.verb == verb)
        for _once in range(abs(number - stepper.value)):
            self.fingers.tap(verb, key.removeprefix(f"{verb} "), 1 if number > stepper.value else -1)


def same(step: Step) -> Step:
    """Return the step with its loads and dice sorted, so that equal steps compare equal."""
    if isinstance(step, Deploy):
        moves, place, recall = (tuple(sorted(loads)) for loads in (step.moves, step.place, step.recall))
        return replace(step, moves=moves, place=place, recall=recall, cards=tuple(sorted(step.cards)))
    if isinstance(step, Remove):
        return replace(step, units=tuple(sorted(step.units)), area=None)
    if isinstance(step, Play):
        return replace(step, place=tuple(sorted(step.place)), moves=tuple(sorted(step.moves)))
    return replace(step, dice=tuple(sorted(step.dice))) if isinstance(step, Roll) else step


def kind_of(step: Step) -> str:
    """Return what people call the kind of this step."""
    return step.space.partition(":")[0] if isinstance(step, Deploy) else type(step).__name__.lower()


def driven(setting: Setting, seed: int, *, looks: bool = True, most: int = WHOLE) -> Driver:
    """Play a game in that setting; check that the app's game is what the engine makes of what was entered."""
    use_language(setting.language)
    app = App()
    app.stage.apply(
        replace(
            app.stage.settings,
            layout=setting.layout,
            rotation_degrees=setting.rotation_degrees,
            language=setting.language,
        )
    )
    size = setting.size_px if setting.rotation_degrees in (0, 180) else setting.size_px[::-1]
    driver = Driver(Fingers(app, size, looks=looks), seed)
    try:
        driver.begin(setting.board)
        match = driver.match
        driver.play(most)
    finally:
        use_language("en")
    check_kept(match, driver)
    return driver


def check_kept(match: Match, driver: Driver) -> None:
    """Check that app, engine and disk have what was entered."""
    match.close()
    assert match.position == game.fold(match.positions[0], driver.told)
    assert list(map(same, read_journal(match.path).steps)) == list(map(same, driver.told))
