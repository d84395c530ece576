"""The desk in the settings: buttons on the pins, what is a long press, devices, and how to try and to learn it."""

from __future__ import annotations

from companion.core.language import _, plural
from companion.scenes.base.stage import Scene
from companion.scenes.base.sub_scene import StageScene, SubScene
from companion.scenes.settings.desk_devices import DevicesScene
from companion.scenes.settings.desk_try import TryScene
from companion.scenes.settings.pages import Flip, Pick
from companion.scenes.settings.tags import TagsScene
from companion.settings.layers import Settings
from companion.text.faults import fault_words
from companion.ui.screen import Block, Button, Buttons, Columns, Intent, Screen, Text, back_button
from engine.words import decimal

HALF = 5  # rows in each of the two columns


def desk_summary(settings: Settings) -> str:
    """Return what the desk consists of, in a few words."""
    parts = [_("buttons")] if settings.desk_pins else []
    parts += [_("controller")] if settings.controller else []
    parts += [plural("{n} reader", "{n} readers", len(settings.readers))] if settings.readers else []
    return " · ".join(parts) or _("none")


def _long_press() -> Pick:
    return Pick("long_press_s", _("A long press lasts"), tuple((n, f"{decimal(n)} s") for n in (0.5, 0.7, 1.0, 1.5)))


class DeskScene(StageScene):
    """Where all of the desk is found."""

    def show(self) -> Screen:
        """Show the choices, and the ways on."""
        now, fault = self.stage.settings, fault_words(self.stage.desk.devices.fault)
        ways = (
            Button(_("Devices"), Intent("devices"), sign="supply", note=_("readers and controller")),
            Button(_("Card tags"), Intent("tags"), sign="plan", note=self.stage.board.mode.title),
            Button(_("Test the buttons"), Intent("try"), sign="hand", note=_("and lamps and readers")),
            Button(_("What the buttons do"), Intent("help"), sign="question"),
        )
        wiring = _("Wired as in the diagram; the pin numbers are in the settings file.")
        blocks: tuple[Block, ...] = (
            *((Text(fault, "bad"),) if fault else ()),
            Buttons(ways, 2),
            Flip("desk_pins", _("GPIO buttons"), wiring).block(now),
            _long_press().block(now),
        )
        actions = (back_button("primary"),)
        return Screen(title=_("Buttons and readers"), blocks=blocks, actions=actions, page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Change a setting, open what was touched, or go back."""
        match intent.verb:
            case "flip":
                self.stage.change(desk_pins=not self.stage.settings.desk_pins)
            case "pick" if intent.n < len(_long_press().values):
                self.stage.change(long_press_s=_long_press().values[intent.n][0])
            case "devices":
                return DevicesScene(self.stage, self)
            case "tags":
                return TagsScene(self.stage, self)
            case "try":
                return TryScene(self.stage, self)
            case "help":
                return DeskHelpScene(self)
        return super().touch(intent)


def rows() -> tuple[tuple[str, str], ...]:
    """Return (what is pressed, what it does) for each control."""
    return (
        (_("Confirm"), _("touches the ringed button, or else the bright one")),
        (_("Pass"), _("says no: no card, something else; to pass, press it twice or hold it")),
        (_("Undo"), _("goes back: closes what's open, or undoes the last step")),
        (_("Hold Undo"), _("lists everything you can undo or redo")),
        (_("Turn the knob or use the arrows"), _("moves the ring; hold an arrow to turn the page")),
        (_("Push the knob or both arrows"), _("touches the ringed button")),
        (_("Hold the knob"), _("goes back")),
        (_("Both Confirm"), _("both agree when both are asked; unlocks a locked screen")),
        (_("Both Undo"), _("opens the menu")),
        (_("Both Pass"), _("settles an argument")),
    )


def _stack(part: tuple[tuple[str, str], ...]) -> tuple[Block, ...]:
    return tuple(text for what, does in part for text in (Text(what, "strong"), Text(does)))


class DeskHelpScene(SubScene):
    """What the buttons beside the board do, on one page: few things, the same on every screen."""

    def show(self) -> Screen:
        """Show what each button does."""
        intro = _("Your buttons work while the game waits for your side. They wake the screen and act at once.")
        return Screen(
            title=_("Buttons beside the board"),
            blocks=(Text(intro, "quiet"), Columns(_stack(rows()[:HALF]), _stack(rows()[HALF:]))),
            actions=(back_button("primary"),),
            page=self.page,
        )
