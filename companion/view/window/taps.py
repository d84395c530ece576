"""What stood on the glass a moment ago: nobody means what came under the finger only now.

The second tap of a double tap comes down before its picture has been seen. It does nothing, unless what it is on is
made to be touched fast (`Target.repeats`: keys, faces of dice, more and less, pages) and stood there before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.app.app import App
from companion.ui.screen import Intent
from companion.view.kit.sheet import Target
from companion.view.window.panes import Shown, pane_at

NOWHERE = (0.0, 0.0)
SEEN_S = 0.4
"""How long something must have been shown before a finger that comes down there can have meant it."""

Place = tuple[float, float]
OnStage = tuple[object, ...]
"""Who is on stage: a scene and its panel, or the scenes of both halves and theirs."""


@dataclass(frozen=True, slots=True)
class Glance:
    """Panes as they were shown, and who was on stage in each: the scene and its panel."""

    shown: tuple[Shown, ...] = ()
    stages: tuple[OnStage, ...] = ()

    def at(self, place_px: Place) -> tuple[int, Target] | None:
        """Return the pane's number and the target that a touch at a place of the screen was meant for.

        The place is one of the upright screen. None where it was meant for nothing.
        """
        number = pane_at(self.shown, place_px)
        target = None if number is None else self.shown[number].target_at(place_px)
        return None if number is None or target is None else (number, target)


@dataclass(frozen=True, slots=True)
class Gone:
    """What was shown until a moment. by_itself: the panes where another scene or panel came untouched."""

    glance: Glance
    until_s: float
    by_itself: frozenset[int]


@dataclass(frozen=True, slots=True)
class Tap:
    """What was touched in which pane, and when; once what came of it is drawn, since when that can be seen."""

    pane: int
    intent: Intent
    at_s: float
    drawn: bool = False

    def is_recent(self, now_s: float) -> bool:
        """Return whether the tap is so recent that nobody can have seen yet what came of it."""
        return now_s - self.at_s < SEEN_S


class Taps:
    """Remembers what the glass showed and what was touched, as long as that decides what a finger may mean."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._now = Glance()
        self._gone: tuple[Gone, ...] = ()
        self._done: tuple[Tap, ...] = ()

    def record_shown(self, shown: tuple[Shown, ...], now_s: float) -> None:
        """Record that the glass shows this from now on."""
        before, self._now = self._now, Glance(shown, tuple(self._stage(shown_pane.pane.seat) for shown_pane in shown))
        gone = (*self._gone, Gone(before, now_s, self._changed_untouched(before))) if before.shown else ()
        self._gone = tuple(glance for glance in gone if now_s - glance.until_s < SEEN_S)
        self._done = tuple(tap if tap.drawn else replace(tap, at_s=now_s, drawn=True) for tap in self._done)

    def _stage(self, seat: str) -> OnStage:
        """Return what a pane's touches go to: its scene, and its panel unless a demonstration changes it by itself."""
        scene = self._app.seats.scene_of(seat, self._app.scene)
        return scene, None if self._app.stage.demo_on else getattr(scene, "panel", None)

    def _changed_untouched(self, before: Glance) -> frozenset[int]:
        """Return the panes whose stage changed without a touch on them, or on the picture between two of them."""
        asked = {tap.pane for tap in self._done if not tap.drawn}
        if any(before.shown[pane].pane.between is not None for pane in asked):
            return frozenset()
        pairs = enumerate(zip(before.stages, self._now.stages, strict=False))
        return frozenset(n for n, stages in pairs if n not in asked and not is_same_stage(*stages))

    def record_touch(self, pane: int, target: Target, now_s: float) -> None:
        """Record that a target of a pane was touched now, so that a hasty second tap is not heeded."""
        recent = tuple(tap for tap in self._done if tap.is_recent(now_s))
        self._done = recent if target.repeats else (*recent, Tap(pane, plain(target.intent), now_s))

    def record_wake(self, at_px: Place, now_s: float) -> None:
        """Record a finger on a dark glass: it has seen nothing, and neither has the second tap of a double tap."""
        here = self._now.at(at_px)
        if here is not None:
            self.record_touch(*here, now_s)

    def heeds(self, at_px: Place, now_s: float) -> bool:
        """Return whether a finger that comes down on a place now can mean what is shown there."""
        here = self._now.at(at_px)
        if here is None:
            return True
        recent = (glance for glance in self._gone if now_s - glance.until_s < SEEN_S)
        return not self.is_second(*here, now_s) and all(self._was_there(here, glance, at_px) for glance in recent)

    def is_second(self, pane: int, target: Target, now_s: float) -> bool:
        """Return whether a target was touched in that pane just now, and is not made to be touched fast."""
        last = (tap for tap in self._done if tap.pane == pane and tap.is_recent(now_s))
        return not (target.repeats or target.drag) and any(tap.intent == plain(target.intent) for tap in last)

    def _was_there(self, here: tuple[int, Target], gone: Gone, at_px: Place) -> bool:
        """Return whether the same target stood there then, and its sense has not changed by itself since."""
        before = gone.glance.at(at_px)
        if before is None:
            return False
        (number, target), (_then, was) = here, before
        if target.repeats != was.repeats:
            return False
        if target.repeats:
            return target.intent.verb == was.intent.verb
        return plain(target.intent) == plain(was.intent) and number not in gone.by_itself


def is_same_stage(one: OnStage, other: OnStage) -> bool:
    """Return whether the very same scenes and panels are on stage, not only equal ones."""
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def plain(intent: Intent) -> Intent:
    """Return the intent without the seat and the place it was touched from."""
    return replace(intent, at=NOWHERE, seat="")
