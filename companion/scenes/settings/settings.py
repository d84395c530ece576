"""The settings: a list of pages, each choice applied and saved at once; a rotated screen has to be confirmed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.content.board_choice import factions
from companion.core.language import _, languages
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import StageScene
from companion.scenes.base.typing import Ask, TypingScene
from companion.scenes.settings.checkup import CheckScene
from companion.scenes.settings.desk import DeskScene, desk_summary
from companion.scenes.settings.pages import Flip, Pick, SettingsPage, pages
from companion.settings.layers import EDITIONS
from companion.text.orders import faction_name
from companion.ui.screen import Button, Buttons, Intent, Option, Options, Screen, Text, back_button

TRIAL_S = 15.0
TRIED = ("rotation_degrees",)  # could leave people with a screen that they can't use
LONGEST_NAME = 16
SIGNS = {
    "look": "drop", "size": "letter", "seats": "seats", "sound": "sound", "rest": "moon", "clock": "clock",
    "camera": "camera", "play": "gear", "map": "castle", "bases": "objective",
}  # fmt: skip


class SettingsScene(StageScene):
    """The list of the settings' pages."""

    def show(self) -> Screen:
        """Show a button for each page, with its present state."""
        now = self.stage.settings
        spoken = languages().get(now.language, now.language)
        buttons = [Button(_("Language"), Intent("language"), sign="speech", note=spoken)]
        for name, page in pages().items():
            buttons.append(Button(page.title, Intent("open", name), sign=SIGNS[name], note=page.summary(now)))
        names = " · ".join(filter(None, self.stage.game_defaults.players.values()))
        buttons.append(Button(_("Default names"), Intent("names"), sign="pencil", note=names or _("none yet")))
        buttons.append(Button(_("Buttons and readers"), Intent("desk"), sign="hand", note=desk_summary(now)))
        if self.stage.services.doctor is not None:
            buttons.append(Button(_("Health check"), Intent("check"), sign="tick", note=_("is everything OK?")))
        actions = [back_button("primary")]
        if self.stage.services.choices is not None:
            actions.insert(0, Button(_("Reset settings"), Intent("forget"), "quiet"))
        return Screen(title=_("Settings"), blocks=(Buttons(tuple(buttons), 3),), actions=tuple(actions), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Open a page, or go back."""
        match intent.verb:
            case "open" if intent.what in pages():
                return PageScene(self.stage, intent.what, self)
            case "language":
                return LanguageScene(self.stage, self)
            case "names":
                return PlayerNamesScene(self.stage, self)
            case "desk":
                return DeskScene(self.stage, self)
            case "forget" if self.stage.services.choices is not None:
                return ForgetScene(self.stage, self)
            case "check" if self.stage.services.doctor is not None:
                return CheckScene(self.stage, self)
        return super().touch(intent)


class PageScene(StageScene):
    """One page of choices and switches."""

    def __init__(self, stage: Stage, name: str, back: Scene) -> None:
        super().__init__(stage, back)
        self.name = name

    @property
    def _page(self) -> SettingsPage:
        return pages()[self.name]

    def show(self) -> Screen:
        """Show the page's settings in their present state."""
        page, now = self._page, self.stage.settings
        return Screen(
            title=page.title,
            blocks=tuple(item.block(now) if isinstance(item, Pick | Flip) else item for item in page.items),
            actions=(back_button("primary"),),
            page=self.page,
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Change the setting that was touched, or go back."""
        if intent.verb == "flip":
            self.stage.change(**{intent.what: not getattr(self.stage.settings, intent.what)})
        elif intent.verb == "pick":
            return self._pick(intent)
        return super().touch(intent)

    def _pick(self, intent: Intent) -> Scene | None:
        """Set a value; one that may leave the screen unusable has to be confirmed."""
        item = next(item for item in self._page.items if isinstance(item, Pick) and item.field == intent.what)
        if intent.n >= len(item.values):
            return None  # a value from the settings file that isn't listed: it is chosen already
        change = {item.field: item.values[intent.n][0]}
        if item.field in TRIED and change[item.field] != getattr(self.stage.settings, item.field):
            return KeepChangeScene(self.stage, change, self)
        self.stage.change(**change)
        return None


class KeepChangeScene(StageScene):
    """Makes a change and asks whether to keep it; without an answer, it is undone after TRIAL_S seconds."""

    def __init__(self, stage: Stage, change: dict[str, Any], back: Scene) -> None:
        super().__init__(stage, back)
        self._change = change
        self._before = {name: getattr(stage.settings, name) for name in change}
        self._since_s: float | None = None
        self._left_s = int(TRIAL_S)
        stage.apply(replace(stage.settings, **change))

    def show(self) -> Screen:
        """Ask whether the change looks right, with the seconds left to answer."""
        note = _("Touch Keep, or it changes back by itself.")
        actions = (Button(_("Change it back"), Intent("back")), Button(_("Keep"), Intent("keep"), "primary"))
        return Screen(
            title=_("Does this look right?"), blocks=(Text(note), Text(str(self._left_s), "hero")), actions=actions
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Keep the change, or undo it."""
        if intent.verb == "keep":
            self.stage.change(**self._change)
            return self.back
        return self._undo() if intent.verb == "back" else None

    def tick(self, now_s: float) -> Scene | None:
        """Count down, returning this scene once a second, to be drawn again; at zero, undo the change and go back."""
        if self._since_s is None:
            self._since_s = now_s
        left_s = TRIAL_S - (now_s - self._since_s)
        if left_s <= 0:
            return self._undo()
        shown, self._left_s = self._left_s, int(-(-left_s // 1))
        return self if self._left_s != shown else None

    def _undo(self) -> Scene:
        self.stage.apply(replace(self.stage.settings, **self._before))
        return self.back


class LanguageScene(StageScene):
    """The choice of the language, and of the edition of the rulebook that rulings cite."""

    def show(self) -> Screen:
        """Offer one card for each language and each edition."""
        now = self.stage.settings
        cards = tuple(
            Option(name, Intent("speak", code), chosen=code == now.language) for code, name in languages().items()
        )
        printed = {"en": _("English edition"), "pt": _("Portuguese edition")}
        editions = tuple(
            Option(name, Intent("edition", code), chosen=code == now.edition) for code, name in printed.items()
        )
        return Screen(
            title=_("Language"),
            blocks=(
                Options("", cards, text_pt=18.0),
                Options(_("Your World War II rulebook: rulings cite its sections and pages"), editions),
            ),
            actions=(back_button("primary"),),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Switch to the language or edition that was touched, or go back."""
        if intent.verb == "speak" and intent.what in languages():
            self.stage.change(language=intent.what)
        if intent.verb == "edition" and intent.what in EDITIONS:
            self.stage.change(edition=intent.what)
        return super().touch(intent)


class PlayerNamesScene(StageScene):
    """The names that new games start with, one for each faction."""

    def show(self) -> Screen:
        """Offer one button for each faction."""
        players = self.stage.game_defaults.players
        buttons = tuple(
            Button(faction_name(faction), Intent("name", faction), note=players.get(faction) or _("no name"))
            for faction in factions()
        )
        return Screen(
            title=_("Default names"),
            blocks=(Text(_("New games start with these names."), "quiet"), Buttons(buttons, 2)),
            actions=(back_button("primary"),),
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Ask for a player's name, or go back."""
        if intent.verb == "name":
            prompt = _("Who plays {faction}?").format(faction=faction_name(intent.what))
            now = self.stage.game_defaults.players.get(intent.what, "")

            def keep(name: str) -> Scene:
                self.stage.change(players={**self.stage.game_defaults.players, intent.what: name})
                return self

            return TypingScene(Ask(prompt, text=now, most=LONGEST_NAME, names=True, empty=True), keep, self)
        return super().touch(intent)


class ForgetScene(StageScene):
    """The question before all settings are reset."""

    def show(self) -> Screen:
        """Show what resetting would do."""
        warning = _("Everything you chose here goes back to your settings file, or to Gunbai's defaults.")
        actions = (back_button(), Button(_("Reset"), Intent("forget"), "danger"))
        return Screen(title=_("Reset all settings?"), blocks=(Text(warning),), actions=actions)

    def touch(self, intent: Intent) -> Scene | None:
        """Reset all settings, or go back."""
        if intent.verb == "forget" and self.stage.services.choices is not None:
            self.stage.apply(self.stage.services.choices.forget())
            return self.back
        return super().touch(intent)
