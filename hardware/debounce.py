"""Turns levels of contacts, sampled on our clock, into presses: one each, however the contact bounces.

A level counts once it has been stable for `settle_s`. Time here is *watched* time: at most `watched_s` passes between
two samples, less than `settle_s`, so a late thread never takes two samples for a stable level, a short press for a long
one, or a busy button for a stuck one.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal

from hardware.events import Ailing, Chord, Event, Press

Ailment = Literal["stuck", "noise"]


@dataclass(frozen=True, slots=True)
class Timing:
    """All limits, in seconds of watched time.

    settle_s: a level counts after this long (contacts bounce for 1 to 10 ms, worn ones for 20); watched_s: the most
    that passes between two samples; long_s: a long press; window_s, together_s: a chord starts within the one and is
    held for the other; stuck_s: nobody holds a button that long; calm_s: an ailing control has recovered after this
    long without a press; changes, presses: more level changes, or more presses, within restless_s are noise (nobody
    presses faster than 8 times a second, and bounce makes 6 changes per press).
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
    """One control: its raw and its settled level, each with its start in watched time.

    Its latest changes and presses are kept in clock time, so that a late thread doesn't crowd them together.
    spent: this hold makes no more presses. ill: it makes no presses at all.
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
        """Whether it is released, settled and well, so that nothing changes until somebody touches it."""
        return self._settled and not (self.down or self.ill)

    def settle(self, held: bool, watched_s: float, now_s: float) -> bool:
        """Take a sample; return whether the settled level has just changed."""
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
        """Return what has just gone wrong with the control; None if nothing has."""
        if self.down and watched_s - self.down_since_s >= self._timing.stuck_s:
            return "stuck"
        return "noise" if any(map(self._crowded, (self._changes_s, self._downs_s))) else None

    def _crowded(self, moments_s: deque[float]) -> bool:
        return len(moments_s) == moments_s.maxlen and moments_s[-1] - moments_s[0] <= self._timing.restless_s

    def recover(self, watched_s: float) -> None:
        """End the ailment of a control that has been released for long enough."""
        if not self.down and watched_s - self._raw_since_s >= self._timing.calm_s:
            self.ill = None
            self._changes_s.clear()
            self._downs_s.clear()


class Debouncer:
    """Turns samples of one device's controls into presses, chords and ailments (`device` is named in the ailments)."""

    def __init__(self, device: str, controls: tuple[str, ...], timing: Timing = USUAL) -> None:
        self._device = device
        self._controls = controls
        self._timing = timing
        self._contacts: list[_Contact] = []
        self._watched_s = 0.0
        self._last_s: float | None = None
        self._rests = False

    def ails(self) -> tuple[str, ...]:
        """Return the controls that are ignored because they are stuck or noisy."""
        return tuple(contact.name for contact in self._contacts if contact.ill is not None)

    def sample(self, held: frozenset[str], now_s: float) -> tuple[Event, ...]:
        """Take the set of controls held now; return the events. One held since the first sample makes no press."""
        if self._last_s is None:
            self._contacts = [_Contact(name, name in held, self._timing) for name in self._controls]
        else:
            self._watched_s += min(max(now_s - self._last_s, 0.0), self._timing.watched_s)
        self._last_s = now_s
        if self._rests and not held:
            return ()
        busy = [contact for contact in self._contacts if contact.name in held or not contact.rests]
        events = [event for contact in busy for event in self._look(contact, contact.name in held, now_s)]
        group = self._together()
        events += self._chord(group, now_s)
        events += [event for contact in busy if contact not in group for event in self._long(contact, now_s)]
        self._rests = all(contact.rests for contact in busy)
        return tuple(events)

    def _look(self, contact: _Contact, held: bool, now_s: float) -> list[Event]:
        changed = contact.settle(held, self._watched_s, now_s)
        if contact.ill is not None:
            contact.recover(self._watched_s)
            return []
        contact.ill = contact.sickens(self._watched_s)
        if contact.ill is not None:
            contact.spent = True
            return [Ailing(self._device, contact.ill, contact.name, now_s)]
        if not changed:
            return []
        # A press counts when the control is let go of, unless it was spent: held for long, or together with another.
        was_spent, contact.spent = contact.spent, False
        return [] if contact.down or was_spent else [Press(contact.name, "short", now_s)]

    def _together(self) -> list[_Contact]:
        """Return the held controls pressed within one window, in order, if two or more."""
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
