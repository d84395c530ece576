"""Setting up the camera, second half: a photo of the starting position, what was learned from it, and saving."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.errors import CalibrationError
from companion.core.language import _
from companion.perception.calibration import GRAVE, Calibration
from companion.scenes.base.map_picture import start_picture
from companion.scenes.base.stage import Scene
from companion.text.devices import CalibrationFault, fault_text, first_fault
from companion.text.faults import fault_words
from companion.ui.screen import (
    AreaPicture,
    Block,
    Button,
    Buttons,
    Intent,
    MapPicture,
    Photo,
    Screen,
    SpacePicture,
    Stack,
    Text,
    Tone,
    cancel_button,
)

LIVE_PT = 165.0


class CalibrationStep:
    """The base of the steps of setting up the camera; "Cancel" releases it and changes nothing."""

    def __init__(self, work: Calibration, back: Scene) -> None:
        self.work = work
        self.back = back
        self.banner = ""

    def touch(self, intent: Intent) -> Scene | None:
        """Cancel the set-up and go back."""
        if intent.verb != "cancel":
            return None
        self.work.close()
        return self.back


class StartScene(CalibrationStep):
    """The starting position to set up, as a map beside the live picture. empty: opens the first photo's step anew."""

    def __init__(self, work: Calibration, back: Scene, empty: Callable[[], Scene]) -> None:
        super().__init__(work, back)
        self.empty = empty
        self.waiting = False
        work.ask("start")

    def show(self) -> Screen:
        """Show the starting position to set up, the live picture, and what is wrong with it."""
        hint, tone = self._hint()
        blocks: list[Block] = [Text(_("Set up all pieces and bonus tokens as on the map. No commanders yet."))]
        blocks.append(Text(hint, tone))
        if self.work.shown:
            blocks.append(Photo(self.work.shown.jpeg, self.work.shown.size_px, most_pt=LIVE_PT))
        ready = Button(_("Hands off the board") if self.waiting else _("All set up"), Intent("ready"), "primary")
        return Screen(
            title=_("Starting position"),
            blocks=tuple(blocks),
            actions=(cancel_button(), Button(_("Skip"), Intent("skip"), "quiet", note=_("standard pieces")), ready),
            banner=self.banner,
            banner_tone="bad",
            map=start_picture(self.work.board),
        )

    def _hint(self) -> tuple[str, Tone]:
        work = self.work
        if work.fault:
            return fault_words(work.fault), "bad"
        fault = first_fault(work.judged.faults) if work.judged else ""
        if fault:
            return fault, "warn"
        if self.waiting:
            return _("Hands off the board: the photo is taken as soon as nothing moves."), "good"
        return _("The camera learns your pieces and your lighting from this photo."), "quiet"

    def tick(self, now_s: float) -> Scene | None:
        """Take in what the camera sees; once all is set up, take a good photo. Return the scene to show."""
        changed = self.work.look(now_s)
        if self.waiting and self.work.steady(now_s):
            return self._learn()
        return self if changed else None

    def _learn(self, with_start: bool = True) -> Scene:
        self.work.learn(with_start)
        return LearningScene(self.work, self.back, self.empty)

    def touch(self, intent: Intent) -> Scene | None:
        """Wait for a good photo once all is set up, at a second touch use any but the worst; skip; or cancel."""
        self.banner = ""
        if intent.verb == "skip":
            return self._learn(with_start=False)
        return self._ready() if intent.verb == "ready" else super().touch(intent)

    def _ready(self) -> Scene | None:
        judged = self.work.judged
        if not self.waiting or judged is None:
            self.waiting = True
            self.work.settle_anew()
            return None
        grave = [fault for fault in judged.faults if fault.kind in GRAVE]
        if grave:
            self.banner = first_fault(grave)
            return None
        return self._learn()


class LearningScene(CalibrationStep):
    """Waits while the camera's table is made; can be cancelled."""

    def __init__(self, work: Calibration, back: Scene, empty: Callable[[], Scene]) -> None:
        super().__init__(work, back)
        self.empty = empty
        self.began_s: float | None = None
        self.seconds = 0

    def show(self) -> Screen:
        """Show that learning takes some seconds."""
        return Screen(
            title=_("Learning your pieces") + "." * (1 + self.seconds % 3),
            blocks=(
                Text(_("Give it a few seconds to learn their look, their size and your light.")),
                Text(_("{n} s").format(n=self.seconds), "quiet"),
            ),
            actions=(cancel_button(),),
            map=start_picture(self.work.board),
        )

    def tick(self, now_s: float) -> Scene | None:
        """Return the result's scene once learning is done, the photo's if it failed; else this one each second."""
        self.began_s = now_s if self.began_s is None else self.began_s
        try:
            done = self.work.take_learned()
        except CalibrationError as error:
            again = StartScene(self.work, self.back, self.empty)
            again.banner = fault_words(error)
            return again
        if done:
            return ResultScene(self.work, self.back, self.empty)
        before, self.seconds = self.seconds, int(now_s - self.began_s)
        return self if self.seconds != before else None


class ResultScene(CalibrationStep):
    """What the camera reads of the starting position, compared with the printed one, before the table is saved."""

    def __init__(self, work: Calibration, back: Scene, empty: Callable[[], Scene]) -> None:
        super().__init__(work, back)
        self.empty = empty

    def show(self) -> Screen:
        """Show how many areas were read correctly, and what to do about the others."""
        assert self.work.learned is not None
        faults = self.work.learned.faults
        blocks: list[Block] = [Text(fault_text(fault), "warn") for fault in faults]
        advice = _("Save it, and the camera starts watching the table.")
        if self.work.learned.was_full:
            blocks.append(Buttons((Button(_("Retake empty board"), Intent("empty"), "primary"),), 1))
            advice = ""
        elif faults:
            advice = _("Fix it and retake the photo, or save it as it is.")
        if advice:
            blocks.append(Text(advice, "quiet"))
        return Screen(
            title=self._verdict(),
            blocks=tuple(blocks),
            actions=(
                cancel_button(),
                Button(_("Retake photo"), Intent("again")),
                Button(_("Save"), Intent("save"), "quiet" if self.work.learned.was_full else "primary"),
            ),
            banner=self.banner,
            banner_tone="bad",
            map=self._map(),
        )

    def _verdict(self) -> str:
        assert self.work.learned is not None
        if self.work.learned.reading is None:
            return _("Board learned")
        all_areas = len(self.work.board.areas)
        return _("{n} of {all} areas match").format(
            n=all_areas - len(_doubted_areas(self.work.learned.faults)), all=all_areas
        )

    def _map(self) -> MapPicture:
        """Return the board as the camera reads it, marked where it differs from the printed set-up."""
        assert self.work.learned is not None
        seen, board = self.work.learned.reading, self.work.board
        if seen is None:
            return start_picture(board)
        checks = dict.fromkeys(_doubted_areas(self.work.learned.faults), "differs")
        checks.update(dict.fromkeys(seen.unreadable, "hidden"))
        areas = tuple(
            AreaPicture(name, _stacks(seen.units.get(name, {})), None, supplied=True, check=checks.get(name, ""))
            for name in (area.name for area in board.areas)
        )
        spaces = tuple(SpacePicture(s.name, s.action.name, (), live=False) for s in board.spaces if s.area is not None)
        return MapPicture(board, areas, spaces)

    def touch(self, intent: Intent) -> Scene | None:
        """Save the table, retake one of the photos, or cancel, which keeps the old table."""
        self.banner = ""
        if intent.verb == "empty":
            return self.empty()
        if intent.verb == "again":
            return StartScene(self.work, self.back, self.empty)
        if intent.verb == "save":
            try:
                self.work.save()
            except CalibrationError as error:
                self.banner = _("Couldn't save; still using the old set-up: {fault}").format(fault=fault_words(error))
                return None
            self.work.close()
            return self.back
        return super().touch(intent)


def _stacks(units: Mapping[str, Mapping[str, int]]) -> tuple[Stack, ...]:
    return tuple(Stack(faction, unit, n) for faction, kinds in units.items() for unit, n in kinds.items())


def _doubted_areas(faults: tuple[CalibrationFault, ...]) -> frozenset[str]:
    return frozenset(name for fault in faults for name in fault.places)
