"""A whole card game by touches alone: the steps of a player that plays by itself, entered as two people would."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from companion.app.app import App
from companion.demo.generals_player import GeneralsPlayer
from companion.games.match import AnyMatch
from companion.scenes.generals.deeds import DeedPanel
from companion.scenes.generals.duel import zone_place
from companion.scenes.generals.table import DuelTable, ResolvePanel
from engine.generals.position import SIDES, Position
from engine.generals.steps import Activate, Attack, Deploy, End, Equip, Move, Step, Use
from tests.companion.fingers import Fingers, NotThere


class DuelDriver:
    """Both players."""

    def __init__(self, fingers: Fingers, seed: int) -> None:
        self.fingers = fingers
        self.player = GeneralsPlayer(seed)
        self.told: list[Step] = []

    @property
    def app(self) -> App:
        return self.fingers.app

    @property
    def table(self) -> DuelTable:
        assert isinstance(self.app.table, DuelTable)
        return self.app.table

    @property
    def match(self) -> AnyMatch:
        return self.table.match

    @property
    def position(self) -> Position:
        return self.table.position

    def begin(self) -> None:
        """Begin a new game from home, by the set-up guide."""
        self.fingers.tap("new", "generals")
        self.fingers.press("Next")
        self.fingers.tap("cut", "black", 1)
        self.fingers.tap("first", "black")
        self.fingers.press("Next")
        self.fingers.tap("did", "", 0)
        self.fingers.tap("begin")

    def play(self, most: int = 10_000) -> None:
        """Until the game is over, or so many steps are entered."""
        while self.position.winner is None and most > 0:
            step = self.player.step(self.position)
            assert step is not None
            self.enter(step)
            most -= 1

    def enter(self, step: Step) -> None:
        """Enter a step by touches; the game must have it then, and nothing else."""
        before, match = len(self.match.steps), self.match
        self.fingers.seat = self._seat(step)
        _ENTER[type(step)](self, step)
        new = list(match.steps[before:])
        assert new == [step], f"entered {step}, the game has {new}"
        self.told.append(step)
        if isinstance(self.app.table, DuelTable) and isinstance(self.app.table.panel, ResolvePanel):
            self.fingers.tap("resolved")

    def _seat(self, step: Step) -> str:
        if self.app.stage.settings.layout != "two":
            return ""
        return step.by if isinstance(step, Use) else self.position.to_move_name

    # ---- one kind of step each --------------------------------------------------------------------

    def deploy(self, step: Deploy) -> None:
        self._card("deploy", step.card)

    def equip(self, step: Equip) -> None:
        self._card("equip", step.card)
        self._named(step.general, "")

    def use(self, step: Use) -> None:
        own = SIDES.index(step.by) == self.position.to_move
        self._card("event" if own else "special", step.card)
        self._named(step.general, step.target)

    def activate(self, step: Activate) -> None:
        self._general(step.general)
        self.fingers.tap("effect")
        self._named(step.to, step.target)

    def move(self, step: Move) -> None:
        self._general(step.general)
        self.fingers.tap("go", step.to)

    def attack(self, step: Attack) -> None:
        self._general(step.general)
        self.fingers.tap("attack", step.target)
        if isinstance(self.table.panel, DeedPanel):  # the own general falls: that is asked about
            self.fingers.tap("confirm")

    def end(self, _step: End) -> None:
        before = len(self.match.steps)
        self.fingers.tap("end")
        if len(self.match.steps) == before:
            self.fingers.tap("confirm")

    def _card(self, verb: str, card: str) -> None:
        self.fingers.tap(verb)
        self.fingers.tap("card", card)

    def _named(self, general: str, target: str) -> None:
        """Name the generals that are not named yet, and do it where the last of them doesn't."""
        for what, label in (("general", general), ("target", target)):
            if not isinstance(self.table.panel, DeedPanel):
                return
            chosen = [button.intent.what for button in self.fingers.buttons() if button.look == "chosen"]
            if label and f"{what}/{label}" not in chosen:
                self.fingers.tap("name", f"{what}/{label}")
        if isinstance(self.table.panel, DeedPanel):
            self.fingers.tap("confirm")

    def _general(self, label: str) -> None:
        """Touch the general on the battlefield, or its zone and then its name."""
        index = self.position.to_move
        seat, fighter = SIDES[index], self.position.sides[index].fighter(label)
        assert fighter is not None
        with suppress(NotThere):
            self.fingers.tap("general", f"{seat}/{label}")
            return
        self.fingers.tap("zone", zone_place(index, fighter.zone))
        self.fingers.tap("general", f"{seat}/{label}")


_ENTER: dict[type[Step], Callable[[DuelDriver, Any], None]] = {
    Deploy: DuelDriver.deploy, Equip: DuelDriver.equip, Use: DuelDriver.use, Activate: DuelDriver.activate,
    Move: DuelDriver.move, Attack: DuelDriver.attack, End: DuelDriver.end,
}  # fmt: skip
