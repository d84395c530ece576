"""Which of the games is played next: each leads to its own set-up in one touch, the one played last first."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.core.language import _
from companion.games.saved.shelf import Saved, last_system, shelf
from companion.scenes.base.games import GameChoice
from companion.scenes.base.stage import Demonstrate, Scene, Stage
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.systems import card_picture
from companion.systems.game_system import Slot, game_system
from companion.ui.screen import Block, Intent, Screen, Slip, Text, back_button
from engine.systems import SYSTEMS


def in_order(games: Iterable[Saved]) -> tuple[str, ...]:
    """Sort the names of the systems: the one played last comes first."""
    last = last_system(games)
    return tuple(sorted(SYSTEMS, key=lambda system: system != last))


def _slips(verb: str) -> tuple[Block, ...]:
    """Return a slip for each system, the one played last first; a touch sends this verb with its name."""
    systems = map(game_system, in_order(shelf().look().games))
    return tuple(
        Slip(_(system.title), _(system.blurb), intent=Intent(verb, system.name), picture=card_picture(system.name))
        for system in systems
    )


class GamesScene(SubScene):
    """A slip for each game; a touch leads to its set-up."""

    def __init__(self, stage: Stage, home: Scene, back: Scene) -> None:
        super().__init__(back)
        self.stage = stage
        self.home = home

    def show(self) -> Screen:
        """List the systems to choose from, the one played last first."""
        return Screen(_("Which game?"), _slips("system"), (back_button(),))

    def touch(self, intent: Intent) -> Scene | None:
        """Open the set-up of a system, or go back."""
        if intent.verb == "system" and intent.what in SYSTEMS:
            return setup_of(intent.what, self.stage, self.home)
        return super().touch(intent)


class DemonstrationsScene(SubScene):
    """Of which game a demonstration is watched."""

    def show(self) -> Screen:
        """List the systems whose demo can be watched."""
        quiet = Text(_("Plays both sides by itself; touch the screen to take over."), "quiet")
        return Screen(_("Watch a demo"), (*_slips("demo"), quiet), (back_button(),))

    def touch(self, intent: Intent) -> Scene | None:
        """Ask the app for one, or go back."""
        if intent.verb == "demo" and intent.what in SYSTEMS:
            return Demonstrate(intent.what)
        return super().touch(intent)


SETUPS = Slot[Callable[[Stage, Scene, GameChoice], Scene]]("setup")
"""Makes a system's set-up of a new game, with the scene to leave it for and the way to the other games."""


def setup_of(system: str, stage: Stage, home: Scene) -> Scene:
    """Open the set-up of a new game of this system."""

    def games(other: str, back: Scene) -> Scene:
        return setup_of(other, stage, home) if other else GamesScene(stage, home, back)

    return SETUPS.of(system)(stage, home, games)
