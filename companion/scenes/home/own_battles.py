"""The shelf of owners' Sonae battles in the app."""

from __future__ import annotations

from dataclasses import replace

from companion.content.shelves import BATTLES
from companion.core.language import _, plural
from companion.scenes.base.shelf_scenes import OwnFileScene, ShelfScene, ShelfWords
from companion.scenes.base.stage import Scene
from companion.scenes.sonae.field import battle_picture
from companion.scenes.sonae.presenter import SONAE
from companion.ui.screen import Button, Intent, Screen, Text
from engine.sonae.game import new_game
from engine.sonae.scenario import Scenario, load_scenario, scenario_names


class OwnBattlesScene(ShelfScene[Scenario]):
    """The shelf of the owners' battles, with files to import."""

    def __init__(self, back: Scene) -> None:
        super().__init__(BATTLES, back)

    def words(self) -> ShelfWords:
        """Return the shelf's title and sentences, which always say how battles get here: none are made in the app."""
        about = _(
            "A battle is a text file with its armies and its field. Put it on a memory stick and it shows up here."
        )
        return ShelfWords(_("Your battles"), _("{file} isn't a battle"), about)

    def with_example(self, screen: Screen) -> Screen:
        """Add the field of the battle that comes with Gunbai."""
        return replace(screen, board=SONAE.picture(new_game(load_scenario(scenario_names()[0]))))

    def thing_button(self, thing: Scenario) -> Button:
        """Make the button that opens a battle; its note names the armies."""
        return Button(thing.title, Intent("battle", thing.name), note=_armies(thing), picture=battle_picture(thing))

    def lead(self, intent: Intent) -> Scene | None:
        """Return the scene of the touched battle."""
        if intent.verb == "battle":
            return OneBattleScene(BATTLES.load(BATTLES.path_of(intent.what)), self)
        return None


def _armies(battle: Scenario) -> str:
    one, other = (army.title for army in battle.armies)
    return _("{one} vs {other}").format(one=one, other=other)


class OneBattleScene(OwnFileScene[Scenario]):
    """An owner's battle, to look at, share or remove."""

    def __init__(self, battle: Scenario, back: Scene) -> None:
        super().__init__(BATTLES, battle, back)

    def show(self) -> Screen:
        """Show the battle's field with both armies."""
        battle = self.thing
        question = _("Remove it? You can still continue battles already started with it.")
        size = plural("{n} unit", "{n} units", len(battle.units))
        blocks = [Text(_armies(battle)), Text(size, "quiet"), *([Text(battle.note, "quiet")] if battle.note else [])]
        screen = self.screen(battle.title, question, tuple(blocks))
        return replace(screen, board=SONAE.picture(new_game(battle)))
