"""Setting up the camera, first half: which camera, the empty board, and whether the map lies where it should.

Each step is a scene. All of them work on one `Calibration`; leaving any of them loses nothing that was there before.
Without a camera it may be tried on pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from companion.core.language import _, plural
from companion.perception.calibration import GRAVE, Calibration, Corners
from companion.scenes.base.ports import Cameras
from companion.scenes.base.stage import Scene, TryCamera
from companion.scenes.base.sub_scene import SubScene
from companion.scenes.camera.calibration_start import CalibrationStep, StartScene
from companion.scenes.camera.handles import HandlesStep, photo
from companion.text.devices import first_fault
from companion.text.faults import fault_words
from companion.text.orders import place_label
from companion.ui.intents import Place
from companion.ui.screen import (
    Button,
    Buttons,
    Intent,
    Look,
    PhotoPicture,
    Screen,
    Text,
    Tone,
    back_button,
    cancel_button,
)


def begin(cameras: Cameras, back: Scene, *, trial: bool = False) -> Scene:
    """Open the first step: the empty board, the choice among several cameras, or what to do without one.

    trial: whether to offer practice pictures without a camera. CalibrationError or VisionError if a camera can't be
    opened.
    """
    names = cameras.names()
    if not names:
        return NoCameraScene(cameras, back, trial)
    return EmptyScene(cameras.begin(next(iter(names))), back) if len(names) == 1 else CameraScene(cameras, names, back)


class NoCameraScene(SubScene):
    """Says that no camera was found, and may offer practice pictures instead."""

    def __init__(self, cameras: Cameras, back: Scene, trial: bool) -> None:
        super().__init__(back)
        self.cameras = cameras
        self.trial = trial

    def show(self) -> Screen:
        """Say how to plug in a camera, with a button to try again."""
        words = [
            Text(_("No camera found. Plug one in and try again."), "strong"),
            Text(_("With a ribbon cable, switch the Pi off first, push the cable in straight, and close the lock.")),
        ]
        ways = [back_button(), Button(_("Try again"), Intent("again"), "primary")]
        if self.trial:
            words.append(Text(_("Or try it on pictures of a practice table: no camera, no board."), "quiet"))
            ways.insert(1, try_button())
        return Screen(title=_("Set up the camera"), blocks=(*words,), actions=(*ways,), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Look for a camera again, explain the trial on pictures, or go back."""
        if intent.verb == "again":
            return begin(self.cameras, self.back, trial=self.trial)
        return TrialScene(self) if intent.verb == "try-camera" else super().touch(intent)


class CameraScene:
    """Asks which camera sees the board."""

    def __init__(self, cameras: Cameras, names: Mapping[str, str], back: Scene) -> None:
        self.cameras = cameras
        self.names = names
        self.back = back

    def show(self) -> Screen:
        """Show a button for each camera."""
        buttons = tuple(Button(name, Intent("camera", camera)) for camera, name in self.names.items())
        return Screen(
            title=_("Which camera sees the board?"), blocks=(Buttons(buttons, 1),), actions=(cancel_button(),)
        )

    def touch(self, intent: Intent) -> Scene | None:
        """Open the touched camera, or go back."""
        if intent.verb == "camera" and intent.what in self.names:
            return EmptyScene(self.cameras.begin(intent.what), self.back)
        return self.back if intent.verb == "cancel" else None


class EmptyScene(CalibrationStep):
    """The live picture of the empty board: hints until it is good, then the photo is taken automatically."""

    def __init__(self, work: Calibration, back: Scene) -> None:
        super().__init__(work, back)
        work.drop_empty()
        work.ask("empty")

    def show(self) -> Screen:
        """Show the live picture, with the map over it as soon as the board is found."""
        work = self.work
        hint, tone = self._hint()
        found = bool(work.judged and work.judged.corners)
        grave = work.judged is not None and any(fault.kind in GRAVE for fault in work.judged.faults)
        label = _("Use it anyway") if grave else _("Take the photo")
        look: Look = "off" if work.judged is None else "plain" if grave or not found else "primary"
        return Screen(
            title=_("Empty board"),
            blocks=(
                Text(_("Take everything off the board: pieces, tokens, cards, hands.")),
                Text(
                    _("Make sure all four corners show. The photo is taken automatically once the picture is good."),
                    "quiet",
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
            return _("Can't find the board yet. Is all of it in the picture?"), "warn"
        return (
            (_("Good. Hold still."), "good")
            if work.judged.still
            else (_("Waiting for everything to hold still."), "quiet")
        )

    def tick(self, now_s: float) -> Scene | None:
        """Take in what the camera sees, and take the photo once that is good for a while; return the scene to show."""
        changed = self.work.look(now_s)
        if self.work.steady(now_s) and self.work.take_empty():
            return MapFitScene(self.work, self.back)
        return self if changed else None

    def touch(self, intent: Intent) -> Scene | None:
        """Take the photo now, or cancel."""
        self.banner = ""
        if intent.verb == "take":
            if self.work.take_empty():
                return MapFitScene(self.work, self.back)
            self.banner = fault_words(self.work.fault or "") or _("No picture yet.")
        return super().touch(intent)


class MapFitScene(HandlesStep):
    """Asks whether the drawn map fits the photo of the empty board; its corners can be dragged."""

    def __init__(self, work: Calibration, back: Scene) -> None:
        super().__init__(work, back)
        self.found = bool(work.judged and work.judged.corners)
        self._warning = ""

    def show(self) -> Screen:
        """Show the photo with the map and its corners, and the buttons."""
        text = (
            _("The lines should follow the printed borders, and the two bright names should sit on the headquarters.")
            if self.found
            else _("Can't find the board. Drag each ring onto a corner.")
        )
        buttons = (
            Button(_("Rotate 90°"), Intent("turn"), note=_("if the map is the wrong way round")),
            Button(_("Retake photo"), Intent("again")),
            *self._support(),
        )
        return Screen(
            title=_("Do the lines fit?"),
            blocks=(
                Text(text, "plain" if self.found else "warn"),
                Text(_("Clear the board first. Drag any corner that's off."), "quiet"),
                Buttons(buttons, 1),
            ),
            actions=(cancel_button(), Button(_("They fit"), Intent("fits"), "primary")),
            banner=self.banner,
            banner_tone="bad",
            photo=self.with_loupe(photo(self.work, "", "plain")),
        )

    def _support(self) -> tuple[Button, ...]:
        """Return the button for the support board, in a tuple; () if the game has none."""
        marked = len(self.work.support)
        note = plural("{n} space marked", "{n} spaces marked", marked) if marked else _("if it's in the picture")
        button = Button(_("Support board"), Intent("support"), "chosen" if marked else "plain", note=note)
        return (button,) if self.work.support_spaces() else ()

    def tick(self, _now_s: float) -> Scene | None:
        """Return this scene once the corners have been aligned to the print after a drag, else None."""
        return self if self.work.take_snapped() else None

    def touch(self, intent: Intent) -> Scene | None:
        """Drag a corner, rotate the map, open the support board, retake the photo, confirm, or cancel."""
        self.banner = ""
        match intent.verb:
            case "turn":
                self.work.turn()
            case "support":
                return SupportScene(self.work, self.back, self)
            case "again":
                return EmptyScene(self.work, self.back)
            case "fits":
                return self._fits()
        return super().touch(intent)

    def let_go(self) -> None:
        """Start aligning the drawn borders to the printed ones."""
        self.found = True
        self.work.snap()

    def _fits(self) -> Scene | None:
        """Return the next step; for a photo too bad to learn from, warn first and return None, once for each fault."""
        faults = [fault for fault in self.work.corner_faults() if fault.kind in GRAVE]
        if faults and first_fault(faults) != self._warning:
            self._warning = self.banner = first_fault(faults)
            return None
        return StartScene(self.work, self.back, lambda: EmptyScene(self.work, self.back))


LABEL_BELOW = 0.045
"""How far below its ring a space's name stands, as a fraction of the photo's height."""


class SupportScene(HandlesStep):
    """Asks for a touch on the centre of each support space in turn; all may be left out."""

    reach: ClassVar[float] = 0.025  # its spaces lie close together in the photo of a whole table

    def __init__(self, work: Calibration, back: Scene, fit: Scene) -> None:
        super().__init__(work, back)
        self.fit = fit

    @property
    def handles(self) -> Corners:
        """Where the spaces marked so far are."""
        return tuple(self.work.support.values())

    def move(self, index: int, to: Place) -> None:
        """Move the mark of the space with this index."""
        self.work.support[list(self.work.support)[index]] = to

    def missed(self, at: Place) -> int | None:
        """Mark the space asked for at this place, and return its index; None if all are marked."""
        asked = self._asked()
        if asked is None:
            return None
        self.work.support[asked] = at
        return len(self.work.support) - 1

    def _asked(self) -> str | None:
        left = (space for space in self.work.support_spaces() if space not in self.work.support)
        return next(left, None)

    def show(self) -> Screen:
        """Show the photo with the spaces marked so far, and which one to mark next."""
        asked, marked = self._asked(), self.work.support
        if asked is not None:
            text = _("Touch the centre of “{place}” on the support board.").format(place=place_label(asked))
        else:
            text = _("All spaces are marked. Drag any ring that's off.")
        undo = Button(_("Undo the last mark"), Intent("undo"), "plain" if marked else "off")
        return Screen(
            title=_("Support board"),
            blocks=(
                Text(text, "plain" if asked is not None else "good"),
                Text(
                    _("Leave the support board in view, so the camera sees Plan too."),
                    "quiet",
                ),
                Buttons((undo,), 1),
            ),
            actions=(
                Button(_("Not in the picture"), Intent("without")),
                Button(_("Done"), Intent("done"), "primary" if marked else "off"),
            ),
            photo=self.with_loupe(self._photo()),
        )

    def _photo(self) -> PhotoPicture:
        labels = {name: place_label(name) for name in self.work.support}  # "P1" fits between two spaces
        names = tuple(
            (labels[name][0] + labels[name][-1], (x, y + LABEL_BELOW), "") for name, (x, y) in self.work.support.items()
        )
        shown = photo(self.work, "", "plain")
        return replace(shown, outlines=shown.outlines[:1], names=names, corners=self.handles, touch=True)

    def touch(self, intent: Intent) -> Scene | None:
        """Mark a space, undo the last mark or remove all, or go back to the map."""
        if intent.verb == "undo" and self.work.support:
            self.work.support.popitem()
            self.held, self.chosen = None, 0
        if intent.verb == "without":
            self.work.support.clear()
        return self.fit if intent.verb in ("done", "without", "cancel") else super().touch(intent)


class TrialScene(SubScene):
    """Explains the trial of the camera on pictures."""

    def show(self) -> Screen:
        """Say what the pictures show and what to do, with a button to start."""
        words = (
            Text(
                _("You need no camera and no board: Gunbai looks at pictures of a practice table, turn by turn."),
                "strong",
            ),
            Text(_("It offers each turn that it sees. Confirm it, and the next picture comes.")),
            Text(_("Touch the sign beside the round to see the board as it is read."), "quiet"),
        )
        start = Button(_("Start"), Intent("start"), "primary")
        return Screen(_("Try the camera"), words, (back_button(), start), page=self.page)

    def touch(self, intent: Intent) -> Scene | None:
        """Have the app start the trial, or go back."""
        return TryCamera() if intent.verb == "start" else super().touch(intent)


def try_button() -> Button:
    """Return the button that opens the trial on pictures."""
    return Button(_("Try the camera"), Intent("try-camera"), sign="camera")


def with_pictures_note(screen: Screen) -> Screen:
    """Return the screen with a banner saying that pictures are shown; unchanged if it has a banner already."""
    if screen.banner:
        return screen
    return replace(screen, banner=_("Pictures of a practice table, not your board"), banner_tone="quiet")
