"""Setting up the camera, first half: which camera, the empty board, and whether the map lies where it should.

Each step is a scene. All of them work on one `Calibration`; leaving any of them loses nothing that was there before.
"""

from __future__ import annotations

from dataclasses import replace

from companion.core.errors import CalibrationError
from companion.core.language import _
from companion.perception.calibration import GRAVE, Calibration, Corners
from companion.scenes.base.ports import Cameras
from companion.scenes.base.stage import Scene
from companion.scenes.camera.calibration_start import CalibrationStep, StartScene
from companion.text.calibration import first_fault
from companion.text.faults import fault_words
from companion.ui.intents import Place
from companion.ui.screen import Button, Buttons, Intent, Look, PhotoPicture, Screen, Text, Tone, cancel_button

REACH = 0.11  # of the photo's width: how near a corner a finger has to come down
NUDGE_PX = 1.0
NO_PICTURE_PX = (640, 480)
STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def begin(cameras: Cameras, back: Scene) -> Scene:
    """The first step: which camera, where there are several; CalibrationError where there is none."""
    names = cameras.names()
    if not names:
        raise CalibrationError(_("No camera is there. Plug one in, then try again."))
    return EmptyScene(cameras.begin(names[0]), back) if len(names) == 1 else CameraScene(cameras, names, back)


class CameraScene:
    """Which camera is it?"""

    def __init__(self, cameras: Cameras, names: tuple[str, ...], back: Scene) -> None:
        self.cameras = cameras
        self.names = names
        self.back = back

    def show(self) -> Screen:
        """A button for each."""
        buttons = tuple(Button(name, Intent("camera", name)) for name in self.names)
        return Screen(
            title=_("Which camera looks at the board?"), blocks=(Buttons(buttons, 1),), actions=(cancel_button(),)
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Open the one that was touched."""
        if intent.verb == "camera" and intent.what in self.names:
            return EmptyScene(self.cameras.begin(intent.what), self.back)
        return self.back if intent.verb == "cancel" else None


class EmptyScene(CalibrationStep):
    """The empty board, live: hints until it is seen well, then its photo is taken by itself."""

    def __init__(self, work: Calibration, back: Scene) -> None:
        super().__init__(work, back)
        work.drop_empty()
        work.ask("empty")

    def show(self) -> Screen:
        """The live picture with the map over it as soon as the board is found."""
        work = self.work
        hint, tone = self._hint()
        found = bool(work.judged and work.judged.corners)
        grave = work.judged is not None and any(fault.kind in GRAVE for fault in work.judged.faults)
        label = _("Take it anyway") if grave else _("Take the photo")
        look: Look = "off" if work.judged is None else "plain" if grave or not found else "primary"
        return Screen(
            title=_("Empty board"),
            blocks=(
                Text(_("Take everything off the board: pieces, tokens, cards, hands.")),
                Text(
                    _("All four corners have to show. The photo is taken by itself once the picture is good."), "quiet"
                ),
            ),
            actions=(cancel_button(), Button(label, Intent("take"), look)),
            banner=self.banner,
            banner_tone="bad",
            photo=photo(work, hint, tone),
        )

    def _hint(self) -> tuple[str, Tone]:
        work = self.work
        if work.fault:
            return fault_words(work.fault), "bad"
        if work.judged is None:
            return (_("Looking for the board.") if work.shown else _("Waiting for the camera.")), "quiet"
        fault = first_fault(work.judged.faults)
        if fault:
            return fault, "warn"
        if work.judged.corners is None:
            return _("The board is not found yet. Is all of it in the picture?"), "warn"
        return (_("Good. Hold still."), "good") if work.judged.still else (_("Waiting until nothing moves."), "quiet")

    def tick(self, now_s: float) -> Scene | None:
        """Follow the camera; once the board has been seen well for a while, its photo is taken."""
        changed = self.work.look(now_s)
        if self.work.steady(now_s) and self.work.take_empty():
            return MapFitScene(self.work, self.back)
        return self if changed else None

    def touch(self, intent: Intent) -> Scene | None:
        """Take the photo now, or leave."""
        self.banner = ""
        if intent.verb == "take":
            if self.work.take_empty():
                return MapFitScene(self.work, self.back)
            self.banner = fault_words(self.work.fault or "") or _("There is no picture yet.")
        return super().touch(intent)


class MapFitScene(CalibrationStep):
    """The photo of the empty board with the drawn map over it: does it fit?"""

    def __init__(self, work: Calibration, back: Scene) -> None:
        super().__init__(work, back)
        self.found = bool(work.judged and work.judged.corners)
        self.held: int | None = None
        self.chosen = 0
        self._shift: Place = (0.0, 0.0)
        self._warning = ""

    def show(self) -> Screen:
        """The photo, its corners to drag, and the ways on."""
        shown = photo(self.work, "", "plain")
        text = (
            _("The lines should lie on the printed borders, the two bright names on the headquarters.")
            if self.found
            else _("I cannot find the board. Drag each ring onto a corner of the board.")
        )
        buttons = (
            Button(_("Turned the wrong way"), Intent("turn"), note=_("turns the map by a quarter")),
            Button(_("Another photo"), Intent("again")),
        )
        return Screen(
            title=_("Does the map fit?"),
            blocks=(
                Text(text, "plain" if self.found else "warn"),
                Text(_("Nothing may lie on the board here. A corner that is off can be dragged."), "quiet"),
                Buttons(buttons, 1),
            ),
            actions=(cancel_button(), Button(_("It fits"), Intent("fits"), "primary")),
            banner=self.banner,
            banner_tone="bad",
            photo=shown if self.held is None else replace(shown, held=self.held, loupe=self.work.loupe(self.held)),
        )

    def tick(self, now_s: float) -> Scene | None:
        """Show the corners once they have been aligned to the print after a drag."""
        del now_s
        return self if self.work.has_snapped() else None

    def touch(self, intent: Intent) -> Scene | None:
        """Drag, turn, confirm, or go back."""
        self.banner = ""
        if intent.verb == "corner":
            self._drag(intent)
        elif intent.verb == "key":
            self._key(intent.what)
        elif intent.verb == "turn":
            self.work.turn()
        elif intent.verb == "again":
            return EmptyScene(self.work, self.back)
        elif intent.verb == "fits":
            return self._fits()
        return super().touch(intent)

    def _drag(self, intent: Intent) -> None:
        """The corner nearest to where the finger came down follows it, without jumping under it."""
        x, y = intent.at
        if intent.n == 0:
            index = _nearest(self.work.corners, intent.at)
            if index is not None:
                self.held = self.chosen = index
                corner = self.work.corners[index]
                self._shift = corner[0] - x, corner[1] - y
        if self.held is None:
            return
        to = min(max(x + self._shift[0], 0.0), 1.0), min(max(y + self._shift[1], 0.0), 1.0)
        self.work.move_corner(self.held, to)
        if intent.n == 2:
            self.held = None
            self.found = True
            self.work.snap()

    def _key(self, key: str) -> None:
        """Arrow keys move the corner chosen last by a pixel; the tabulator chooses the next one."""
        if key == "next":
            self.chosen = (self.chosen + 1) % 4
        shown = self.work.empty_shown
        if key in STEPS and shown:
            (x, y), (dx, dy) = self.work.corners[self.chosen], STEPS[key]
            wide, high = shown.of_px
            self.work.move_corner(self.chosen, (x + dx * NUDGE_PX / wide, y + dy * NUDGE_PX / high))
        self.held = self.chosen

    def _fits(self) -> Scene | None:
        """On to the starting position, unless the photo is too bad to learn from: that is said, once."""
        faults = [fault for fault in self.work.corner_faults() if fault.kind in GRAVE]
        if faults and first_fault(faults) != self._warning:
            self._warning = self.banner = first_fault(faults)
            return None
        return StartScene(self.work, self.back, lambda: EmptyScene(self.work, self.back))


def photo(work: Calibration, caption: str, tone: Tone) -> PhotoPicture:
    """The photo of the empty board with its corners, or the live picture; a dark place before there is any."""
    shown, lines = work.empty_shown or work.shown, work.lines
    if shown is None:
        return PhotoPicture(b"", NO_PICTURE_PX, caption=caption, tone=tone)
    faults = work.judged.faults if work.judged and work.empty is None else ()
    headquarters = {area.name: area.hq for area in work.board.areas if area.hq}
    bad = [name for fault in faults if fault.kind == "glare" for name in fault.places]
    return PhotoPicture(
        shown.jpeg,
        shown.size_px,
        outlines=(lines.edge, *lines.areas.values()) if lines else (),
        names=tuple((name, at, headquarters.get(name, "")) for name, at in lines.names.items()) if lines else (),
        bad=tuple(lines.areas[name] for name in bad) if lines else (),
        corners=work.corners if work.empty is not None else (),
        caption=caption,
        tone=tone,
    )


def _nearest(corners: Corners, at: Place) -> int | None:
    """The corner nearest to a finger, where one is within reach."""
    apart = [((x - at[0]) ** 2 + (0.75 * (y - at[1])) ** 2) ** 0.5 for x, y in corners]
    index = apart.index(min(apart))
    return index if apart[index] < REACH else None
