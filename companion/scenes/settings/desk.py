"""The desk in the settings: buttons on the pins, the long press, devices, and pages to test or explain them."""

from __future__ import annotations

from collections import deque

from companion.core.language import _, plural
from companion.desk.in_use import FACTIONS
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import StageScene, SubScene
from companion.scenes.settings.desk_devices import DevicesScene, TagsScene
from companion.scenes.settings.pages import Flip, Pick
from companion.settings.layers import Settings
from companion.text.devices import ailing_sentence, control_name, device_name, plugged_sentence
from companion.text.faults import fault_words
from companion.ui.screen import Block, Button, Buttons, Columns, Intent, Log, Look, Screen, Text, back_button
from engine.words import decimal
from hardware.events import Ailing, Chord, CodeRead, Event, Plugged, Press, Thrown, Turned
from hardware.lights import OFF, Lights

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
    """The page of the desk: its settings, and buttons to devices, tags, tests and help."""

    def show(self) -> Screen:
        """Show the desk's settings, and buttons to its other pages."""
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


def control_rows() -> tuple[tuple[str, str], ...]:
    """Return (what is pressed, what that does) for each control."""
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
    """Help on one page: what the buttons beside the board do, which is the same on every screen."""

    def show(self) -> Screen:
        """Show what each button does."""
        intro = _("Your buttons work while the game waits for your side. They wake the screen and act at once.")
        return Screen(
            title=_("Buttons beside the board"),
            blocks=(Text(intro, "quiet"), Columns(_stack(control_rows()[:HALF]), _stack(control_rows()[HALF:]))),
            actions=(back_button("primary"),),
            page=self.page,
        )


SHOWN = 8
STRIP = 8
LEAVES = ("undo-one", "undo-two", "choose")
"""Holding one of these leads back, so that nobody needs the screen for that."""


def event_text(event: Event) -> str:
    """Return an event of the desk in words."""
    match event:
        case Press(control, kind):
            form = _("{control}: held") if kind == "long" else _("{control}: pressed")
            return form.format(control=control_name(control))
        case Chord(controls):
            return _("Together: {controls}").format(controls=" + ".join(map(control_name, sorted(controls))))
        case Turned(steps):
            clicks = plural("{n} click", "{n} clicks", abs(steps))
            return (_("Knob: {clicks} forward") if steps > 0 else _("Knob: {clicks} back")).format(clicks=clicks)
        case CodeRead(reader, code):
            return _("{reader} read {code}").format(reader=device_name(reader), code=code)
        case Thrown(dice):
            return _("Dice in the tray: {dice}").format(dice=" ".join(map(str, dice)) or _("unreadable"))
        case Plugged():
            return plugged_sentence(event)
        case Ailing():
            return ailing_sentence(event)


class TryScene(StageScene):
    """A test of the desk: its events, the newest first, and buttons to light its lamps."""

    def __init__(self, stage: Stage, back: Scene) -> None:
        super().__init__(stage, back)
        self.lines: deque[str] = deque(maxlen=SHOWN)
        self.lit = ""
        self._leaves = False

    def show(self) -> Screen:
        """Show the events so far, and a button for each lamp."""
        looks: dict[str, Look] = {self.lit: "chosen"}
        buttons = (Button(name, Intent("lamp", lamp), looks.get(lamp, "plain")) for lamp, name in lamp_names().items())
        lines = (
            Log(tuple(self.lines))
            if self.lines
            else Text(_("Nothing yet: press a button, turn the knob or put a card on the reader."))
        )
        there = (
            _("Hold Undo or the knob to leave.")
            if self.stage.desk.devices.is_there
            else _("No buttons or readers are connected.")
        )
        return Screen(
            title=_("Test the buttons"),
            blocks=(Buttons(tuple(buttons), 3), Text(there, "quiet"), lines),
            actions=(Button(_("Beep"), Intent("beep")), back_button("primary")),
        )

    def hear(self, event: Event) -> bool:
        """Add an event of the desk to the list; return True, so that it does nothing else."""
        self.lines.appendleft(event_text(event))
        self._leaves = isinstance(event, Press) and event.kind == "long" and event.control in LEAVES
        return True

    def touch(self, intent: Intent) -> Scene | None:
        """Light one lamp alone, beep, or go back."""
        if intent.verb == "lamp":
            self.lit = "" if self.lit == intent.what else intent.what
            self.stage.desk.devices.trial = lamps().get(self.lit, OFF)
        elif intent.verb == "beep":
            self.stage.desk.devices.buzz("attention", asked=True)
        return self._leave() if intent.verb == "back" else None

    def tick(self, _now_s: float) -> Scene | None:
        """Leave if a button was held long enough for that."""
        return self._leave() if self._leaves else None

    def _leave(self) -> Scene:
        self.stage.desk.devices.trial = None
        return self.back


def lamp_names() -> dict[str, str]:
    """Return {key in `lamps`: name} of everything that can be lit."""
    return {
        "turn": _("Turn"),
        "initiative": _("Initiative"),
        "strip": _("LED strip"),
        "unsure": _("Camera unsure"),
        "out_of_sync": _("Board differs"),
        "all": _("All"),
    }


def lamps() -> dict[str, Lights]:
    """Return the lights to set for each lamp's button; RGB lamps are white, so that all their parts light up."""
    white = FACTIONS["black"]
    strip = tuple(list(FACTIONS.values())[n % len(FACTIONS)] for n in range(STRIP))
    return {
        "turn": Lights(turn=white),
        "initiative": Lights(initiative=white),
        "strip": Lights(strip=strip),
        "unsure": Lights(unsure=True),
        "out_of_sync": Lights(out_of_sync=True),
        "all": Lights(white, white, True, True, strip),
    }
