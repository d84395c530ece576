"""The desk in the settings: buttons on the pins, what is a long press, devices, and how to try and to learn it."""

from __future__ import annotations

from companion.core.language import _, plural
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.settings.desk_devices import DevicesScene
from companion.scenes.settings.desk_help import DeskHelpScene
from companion.scenes.settings.desk_try import TryScene
from companion.scenes.settings.pages import Flip, Pick
from companion.scenes.settings.tags import TagsScene
from companion.settings.layers import Settings
from companion.text.faults import fault_words
from companion.ui.screen import Block, Button, Buttons, Intent, Screen, Text


def told_of(settings: Settings) -> str:
    """The desk in a few words: what it is made of."""
    parts = [_("buttons")] if settings.desk_pins else []
    parts += [_("controller")] if settings.controller else []
    parts += [plural("{n} reader", "{n} readers", len(settings.readers))] if settings.readers else []
    return " · ".join(parts) or _("none")


def _pins() -> Flip:
    return Flip(
        "desk_pins", _("Buttons on the pins"), _("As in the wiring picture; the pins are in the settings file.")
    )


def _long() -> Pick:
    return Pick("long_press_s", _("A long press takes"), tuple((n, f"{n:g} s") for n in (0.5, 0.7, 1.0, 1.5)))


class DeskScene:
    """Where all of the desk is found."""

    whole = True

    def __init__(self, stage: Stage, back: Scene) -> None:
        self.stage = stage
        self.back = back
        self.page = 0

    def show(self) -> Screen:
        """The choices, and the ways on."""
        now, fault = self.stage.settings, fault_words(self.stage.desk.devices.fault)
        ways = (
            Button(_("Devices"), Intent("devices"), sign="supply", note=_("readers, a controller")),
            Button(_("Tags on the cards"), Intent("tags"), sign="plan", note=self.stage.board.mode.title),
            Button(_("Try the buttons"), Intent("try"), sign="hand", note=_("and lamps, and readers")),
            Button(_("What the buttons do"), Intent("help"), sign="question"),
        )
        blocks: tuple[Block, ...] = (
            *((Text(fault, "bad"),) if fault else ()),
            Buttons(ways, 2),
            _pins().block(now),
            _long().block(now),
        )
        actions = (Button(_("Done"), Intent("back"), "primary"),)
        return Screen(title=_("The desk"), blocks=blocks, actions=actions, page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Choose, lead on, or go back."""
        match intent.verb:
            case "page":
                self.page += intent.n
            case "flip":
                self.stage.change(desk_pins=not self.stage.settings.desk_pins)
            case "pick" if intent.n < len(_long().values):
                self.stage.change(long_press_s=_long().values[intent.n][0])
            case "devices":
                return DevicesScene(self.stage, self)
            case "tags":
                return TagsScene(self.stage, self)
            case "try":
                return TryScene(self.stage, self)
            case "help":
                return DeskHelpScene(self)
            case "back":
                return self.back
        return None
