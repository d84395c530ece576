"""From the levels of contacts, sampled on our clock, to presses: one for each, however the contact bounces.

A level counts once it has stayed the same for `settle_s`. Time here is *watched* time: between two samples at most
`watched_s` passes, which is less than `settle_s`, so that a late thread never takes two glances for a settled level, a
short press for a long one, or a busy button for a stuck one.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal

from hardware.events import Ailing, Chord, Event, Press

Ailment = Literal["stuck", "noise"]


@dataclass(frozen=True, slots=True)
class Timing:
    """How long is what, in seconds of watched time.

    settle_s: a level counts after this long (contacts bounce for 1 to 10 ms, worn ones for 20); watched_s: the most
    that passes between two samples; long_s: a press is long; window_s, together_s: a chord is begun within the one and
    held for the other; stuck_s: nobody holds a button that long; calm_s: an ailing control is well after being let go
    for so long; changes, presses: more changes of level, or more presses, within restless_s are noise (nobody presses
    faster than 8 times a second, and bounce makes 6 changes of a press).
    """

    settle_s: float = 0.025
    watched_s: float = 0.020
    long_s: float = 0.7
    window_s: float = 0.2
    together_s: float = 0.3
    stuck_s: float = 10.0
    calm_s: float = 2.0
    restless_s: float = 1.0
    changes: int = 35
    presses: int = 10


USUAL = Timing()


class _Contact:
    """One control: its raw level and since when, its settled level and since when, in watched time.

    When it changed and went down lately is kept by the clock, so that a late thread crowds nothing together.
    spent: this holding makes no more presses. ill: as long as it is, it makes none at all.
    """

    def __init__(self, name: str, held: bool, timing: Timing) -> None:
        self.name = name
        self.down = self.spent = held
        self.down_since_s = 0.0
        self.ill: Ailment | None = None
        self._timing = timing
        self._raw, self._raw_since_s = held, 0.0
        self._settled = False
        self._changes_s: deque[float] = deque(maxlen=timing.changes + 1)
        self._downs_s: deque[float] = deque(maxlen=timing.presses + 1)

    @property
    def rests(self) -> bool:
        """Whether it has been let go of, is settled and well: nothing about it changes while nobody touches it."""
        return self._settled and not (self.down or self.ill)

    def settle(self, held: bool, watched_s: float, now_s: float) -> bool:
        """Take a sample; True when the settled level has just changed."""
        if held != self._raw:
            self._raw, self._raw_since_s = held, watched_s
            self._changes_s.append(now_s)
        self._settled = watched_s - self._raw_since_s >= self._timing.settle_s
        if not self._settled or self._raw == self.down:
            return False
        self.down = self._raw
        if self.down:
            self.down_since_s = watched_s
            self._downs_s.append(now_s)
        return True

    def sickens(self, watched_s: float) -> Ailment | None:
        """What is wrong with it as of now."""
        if self.down and watched_s - self.down_since_s >= self._timing.stuck_s:
            return "stuck"
        return "noise" if any(map(self._crowded, (self._changes_s, self._downs_s))) else None

    def _crowded(self, moments_s: deque[float]) -> bool:
        return len(moments_s) == moments_s.maxlen and moments_s[-1] - moments_s[0] <= self._timing.restless_s

    def recover(self, watched_s: float) -> None:
        """An ailing control that has been let go of for long enough is well again."""
        if not self.down and watched_s - self._raw_since_s >= self._timing.calm_s:
            self.ill = None
            self._changes_s.clear()
            self._downs_s.clear()


class Debouncer:
    """Presses, chords and ailments of the controls of one device (`device` is named in its ailments)."""

    def __init__(self, device: str, controls: tuple[str, ...], timing: Timing = USUAL) -> None:
        self._device = device
        self._controls = controls
        self._timing = timing
        self._contacts: list[_Contact] = []
        self._watched_s = 0.0
        self._last_s: float | None = None
        self._rests = False

    def ails(self) -> tuple[str, ...]:
        """The controls that are ignored at present."""
        return tuple(contact.name for contact in self._contacts if contact.ill is not None)

    def sample(self, held: frozenset[str], now_s: float) -> tuple[Event, ...]:
        """What follows from these controls being held now; what was held at the first sample makes no press."""
        if self._last_s is None:
            self._contacts = [_Contact(name, name in held, self._timing) for name in self._controls]
        self._pass_time(now_s)
        if self._rests and not held:
            return ()
        busy = [contact for contact in self._contacts if contact.name in held or not contact.rests]
        events = [event for contact in busy for event in self._look(contact, contact.name in held, now_s)]
        group = self._together()
        events += self._chord(group, now_s)
        events += [event for contact in busy if contact not in group for event in self._long(contact, now_s)]
        self._rests = all(contact.rests for contact in busy)
        return tuple(events)

    def _pass_time(self, now_s: float) -> None:
        if self._last_s is not None:
            self._watched_s += min(max(now_s - self._last_s, 0.0), self._timing.watched_s)
        self._last_s = now_s

    def _look(self, contact: _Contact, held: bool, now_s: float) -> list[Event]:
        changed = contact.settle(held, self._watched_s, now_s)
        if contact.ill is not None:
            contact.recover(self._watched_s)
            return []
        contact.ill = contact.sickens(self._watched_s)
        if contact.ill is not None:
            contact.spent = True
            return [Ailing(self._device, contact.ill, contact.name, now_s)]
        return self._edge(contact, now_s) if changed else []

    def _edge(self, contact: _Contact, now_s: float) -> list[Event]:
        was_spent, contact.spent = contact.spent, False
        if contact.down or was_spent:
            return []
        return [Press(contact.name, "short", now_s)]

    def _together(self) -> list[_Contact]:
        """The controls that are held and went down within one window, if they are two or more; the last one last."""
        held = sorted((each for each in self._contacts if each.down and not each.spent), key=lambda c: c.down_since_s)
        for first in held:
            group = [each for each in held if 0 <= each.down_since_s - first.down_since_s <= self._timing.window_s]
            if len(group) > 1:
                return group
        return []

    def _chord(self, group: list[_Contact], now_s: float) -> list[Event]:
        if not group or self._watched_s - group[-1].down_since_s < self._timing.together_s:
            return []
        for contact in group:
            contact.spent = True
        return [Chord(frozenset(contact.name for contact in group), now_s)]

    def _long(self, contact: _Contact, now_s: float) -> list[Event]:
        held_s = self._watched_s - contact.down_since_s
        if not contact.down or contact.spent or held_s < self._timing.long_s:
            return []
        contact.spent = True
        return [Press(contact.name, "long", now_s)]
