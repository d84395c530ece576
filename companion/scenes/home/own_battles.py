"""The shelf of owners' battles of Sonae in the app: what is on it, files to take over, sharing, taking one off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.content.battles import SCENARIOS
from companion.core.errors import OwnFileError
from companion.core.language import _, plural
from companion.core.storage import data_dir
from companion.games.shelf import sticks
from companion.scenes.base.stage import Scene
from companion.scenes.sonae.telling import SONAE
from companion.text.faults import fault_words
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Slip, Text
from engine.errors import EngineError
from engine.sonae.game import new_game
from engine.sonae.scenario import Scenario


class OwnBattlesScene:
    """The owners' battles, and files with more of them."""

    whole = True

    def __init__(self, back: Scene) -> None:
        self.back = back
        self.banner = ""
        self.page = 0

    def show(self) -> Screen:
        """Buttons for battles and for files to take over, slips for files that are none."""
        shelf = SCENARIOS.register()
        found = [Button(one.title, Intent("battle", one.name), note=_armies(one)) for one in shelf.things]
        found += [Button(path.name, Intent("take", str(path)), note=_("take it over")) for path in battle_files()]
        about = Text(
            _("A battle is a text file with its armies and its field. Put it on a memory stick, and it shows here."),
            "quiet",
        )
        blocks: list[Block] = [Buttons(tuple(found), 2)] if found else []
        blocks += [_broken(path, why) for path, why in shelf.broken]
        back = Button(_("Back"), Intent("back"), "primary")
        return Screen(_("Your own battles"), (*blocks, about), (back,), self.banner, "bad", page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Look at a battle, take a file over, or go back."""
        self.banner = ""
        if intent.verb == "page":
            self.page += intent.n
        try:
            if intent.verb == "battle":
                return OneBattleScene(SCENARIOS.load(SCENARIOS.path_of(intent.what)), self)
            if intent.verb == "take" and intent.what in map(str, battle_files()):
                SCENARIOS.import_file(Path(intent.what))
        except (OwnFileError, EngineError) as error:
            self.banner = fault_words(error)
        return self.back if intent.verb == "back" else None


def _broken(path: Path, why: str) -> Slip:
    """A file on the shelf that is no battle, with all its faults."""
    return Slip(_("{file} is no battle").format(file=path.name), why.replace(f"{path}: ", ""), mark="no")


def _armies(battle: Scenario) -> str:
    one, other = (army.title for army in battle.armies)
    return _("{one} against {other}").format(one=one, other=other)


def battle_files() -> list[Path]:
    """Files with a battle, on memory sticks and among the shared files, that are not on the shelf yet."""
    return SCENARIOS.offered((*sticks(), data_dir() / "shared"))


class OneBattleScene:
    """An owner's battle: share it, or take it off the shelf."""

    whole = True

    def __init__(self, battle: Scenario, back: Scene) -> None:
        self.battle = battle
        self.back = back
        self.banner = ""
        self.asked = False

    def show(self) -> Screen:
        """The field with both armies, and what can be done with it."""
        return Screen(
            title=self.battle.title,
            blocks=tuple(self._blocks()),
            actions=(
                Button(_("Back"), Intent("back"), "quiet"),
                Button(_("Take off"), Intent("delete"), "danger" if self.asked else "plain"),
                Button(_("Share"), Intent("share"), "primary"),
            ),
            banner=self.banner,
            banner_tone="good",
            board=SONAE.picture(new_game(self.battle)),
        )

    def _blocks(self) -> Iterator[Block]:
        if self.asked:
            yield Text(_("Take it off the shelf? Battles that were begun with it can still be gone on with."), "warn")
            return
        yield Text(_armies(self.battle))
        yield Text(plural("{n} unit", "{n} units", len(self.battle.units)), "quiet")
        if self.battle.note:
            yield Text(self.battle.note, "quiet")

    def touch(self, intent: Intent) -> Scene | None:
        """Share it, or take it off after a second touch."""
        self.banner = ""
        if intent.verb == "share":
            self.banner = _("Written to {file}").format(file=SCENARIOS.share(self.battle.name))
        if intent.verb == "delete" and self.asked:
            SCENARIOS.delete(self.battle.name)
            return self.back
        self.asked = intent.verb == "delete"
        return self.back if intent.verb == "back" else None
