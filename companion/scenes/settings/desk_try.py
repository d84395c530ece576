"""The desk tried out: each press is shown as it comes and does nothing else; lamps are lit, the buzzer sounds."""

from __future__ import annotations

from collections import deque

from companion.core.language import _, plural
from companion.desk.lights import FACTIONS
from companion.scenes.base.stage import Scene, Stage
from companion.scenes.base.sub_scene import StageScene
from companion.text.devices import ailing, control_name, device_name, plugged_sentence
from companion.ui.screen import Button, Buttons, Intent, Log, Look, Screen, Text, back_button
from hardware.events import Ailing, Chord, CodeRead, Event, Plugged, Press, Thrown, Turned
from hardware.lights import OFF, Lights

SHOWN = 8
STRIP = 8
LEAVES = ("undo-one", "undo-two", "choose")
"""Held, each of these leads back, so that nobody needs the screen for that."""


def event_text(event: Event) -> str:
    """Return an event in words."""
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
            return ailing(event)


class TryScene(StageScene):
    """What comes from the desk, the newest first, and buttons for what it can show."""

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
        """Show it; nothing else comes of it."""
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
    """Return the names of everything that can be lit."""
    return {
        "turn": _("Turn"),
        "initiative": _("Initiative"),
        "strip": _("LED strip"),
        "unsure": _("Camera unsure"),
        "out_of_sync": _("Board differs"),
        "all": _("All"),
    }


def lamps() -> dict[str, Lights]:
    """Return the lights for each lamp's button; RGB lamps are white, so that all their parts can be seen."""
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
