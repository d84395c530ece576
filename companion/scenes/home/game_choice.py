"""Which of the three games is played next: each leads to its own set-up in one touch, the one played last first."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.language import _
from companion.games.shelf import Saved, last_system, shelf
from companion.scenes.base.stage import Demonstrate, Scene, Stage
from companion.text.saved_games import system_title
from companion.ui.screen import Block, Button, Intent, Screen, Slip, Text
from engine.systems import SYSTEMS


def in_order(games: Iterable[Saved]) -> tuple[str, ...]:
    """The systems, the one that was played last first."""
    last = last_system(games)
    return tuple(sorted(SYSTEMS, key=lambda one: one != last))


def told(system: str) -> str:
    """A system in a few words, for who has never heard of it."""
    return {
        "sonae": _("A battle with miniatures on any table: the ruler, the dice and the orders."),
        "generals": _("A card game for two: your own decks, or the practice ones."),
    }.get(system, _("The board game: Sengoku Jidai or World War II, with its map, commanders and cards."))


class GamesScene:
    """A slip for each game; a touch leads to its set-up."""

    def __init__(self, stage: Stage, home: Scene, back: Scene) -> None:
        self.stage = stage
        self.home = home
        self.back = back

    def show(self) -> Screen:
        """The games, the one that was played last first."""
        slips: tuple[Block, ...] = tuple(
            Slip(system_title(one), told(one), intent=Intent("system", one)) for one in in_order(shelf().look().games)
        )
        return Screen(_("Which game?"), slips, (Button(_("Back"), Intent("back"), "quiet"),))

    def touch(self, intent: Intent) -> Scene | None:
        """To a game's set-up, or back."""
        if intent.verb == "system" and intent.what in SYSTEMS:
            return setup_of(intent.what, self.stage, self.home)
        return self.back if intent.verb == "back" else None


class DemonstrationsScene:
    """Of which game a demonstration is watched."""

    def __init__(self, stage: Stage, back: Scene) -> None:
        self.stage = stage
        self.back = back

    def show(self) -> Screen:
        """A slip for each."""
        slips: tuple[Block, ...] = tuple(
            Slip(system_title(one), told(one), intent=Intent("demo", one)) for one in in_order(shelf().look().games)
        )
        quiet = Text(_("It plays both sides by itself; a touch takes over at any time."), "quiet")
        return Screen(_("Watch a demonstration"), (*slips, quiet), (Button(_("Back"), Intent("back"), "quiet"),))

    def touch(self, intent: Intent) -> Scene | None:
        """Ask the app for one, or go back."""
        if intent.verb == "demo" and intent.what in SYSTEMS:
            return Demonstrate(intent.what)
        return self.back if intent.verb == "back" else None


def setup_of(system: str, stage: Stage, home: Scene) -> Scene:
    """The set-up of a system, loaded when it is first asked for."""

    def games(other: str, back: Scene) -> Scene:
        return setup_of(other, stage, home) if other else GamesScene(stage, home, back)

    if system == "sonae":
        from companion.scenes.sonae.setup import BattleSetupScene

        return BattleSetupScene(stage, home, games)
    if system == "generals":
        from companion.scenes.generals.setup import DuelSetupScene

        return DuelSetupScene(stage, home, games)
    from companion.scenes.setup.setup import SetupScene

    return SetupScene(stage, home, games)
