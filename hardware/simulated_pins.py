"""Simulated pins: pressed by calls instead of fingers, and able to misbehave on request as real contacts do."""

from __future__ import annotations

import random
from collections.abc import Mapping
from threading import Lock

from hardware.errors import PinsError
from hardware.wiring import Wiring

CHATTER = 0.5
"""How often a contact that bounces or flickers is found closed."""


class SimulatedPins:
    """Pins controlled by calls: `press` and `release`, `turn`; `bounce`, `stick`, `spike`, `flicker`, `vanish`.

    Controls have their names from hardware.events; ValueError for one that isn't wired. What a wiring inverts makes no
    difference: fingers and lamps are simulated, not levels. All calls are thread-safe.
    Randomness comes from `seed`.
    """

    def __init__(self, wiring: Wiring, seed: int = 0) -> None:
        self.wiring = wiring
        self._controls = tuple(wiring.controls())
        self._encoder = wiring.encoder()
        self._random = random.Random(seed)
        self._lock = Lock()
        self._pressed: set[str] = set()
        self._bouncing: dict[str, int] = {}
        self._bounce_samples = 0
        self._stuck: set[str] = set()
        self._flickering: set[str] = set()
        self._spikes: set[str] = set()
        self._clicks = 0
        self._levels = dict.fromkeys(wiring.outputs(), False)
        self._gone = ""
        self.closed = False

    @property
    def address(self) -> str:
        """What the self-check calls these pins."""
        return "simulated"

    # ---- fingers ------------------------------------------------------------------------------

    def press(self, control: str) -> None:
        """Hold this control until `release`."""
        with self._lock:
            self._pressed.add(self._wired(control))
            self._bouncing[control] = self._bounce_samples

    def release(self, control: str) -> None:
        """Release this control."""
        with self._lock:
            self._pressed.discard(self._wired(control))
            self._bouncing[control] = self._bounce_samples

    def turn(self, clicks: int) -> None:
        """Turn the encoder, clockwise positive; ValueError without one."""
        if self._encoder is None:
            raise ValueError("no encoder is wired")
        with self._lock:
            self._clicks += clicks

    # ---- faults -------------------------------------------------------------------------------

    def bounce(self, samples: int) -> None:
        """Make every contact chatter for this many samples after each change; 0 is a perfect contact."""
        with self._lock:
            self._bounce_samples = samples

    def stick(self, control: str, stuck: bool = True) -> None:
        """Make a contact stay closed whatever the finger does, or end that."""
        with self._lock:
            self._mark(self._stuck, control, stuck)

    def flicker(self, control: str, flickers: bool = True) -> None:
        """Make a contact close and open by itself all the time, or end that."""
        with self._lock:
            self._mark(self._flickering, control, flickers)

    def spike(self, control: str) -> None:
        """Close a contact for a single sample, as noise does."""
        with self._lock:
            self._spikes.add(self._wired(control))

    def vanish(self, fault: str = "the pins have gone") -> None:
        """Make every further use of the pins raise PinsError with this sentence."""
        self._gone = fault

    # ---- what is to be seen -------------------------------------------------------------------

    def lit(self) -> frozenset[str]:
        """Return the lamps that are lit, and "buzzer" while it sounds."""
        with self._lock:
            return frozenset(name for name, on in self._levels.items() if on)

    # ---- Pins ---------------------------------------------------------------------------------

    def held(self) -> frozenset[str]:
        """Return the controls that one sample finds held, faults included."""
        self._check()
        with self._lock:
            spikes, self._spikes = self._spikes, set()
            return frozenset(name for name in self._controls if self._contact(name) != (name in spikes))

    def clicks_turned(self) -> int:
        """Return the clicks since the last call, clockwise positive."""
        self._check()
        with self._lock:
            clicks, self._clicks = self._clicks, 0
            return clicks

    def drive(self, outputs: Mapping[str, bool]) -> None:
        """Switch these outputs on or off; ignore those that aren't wired."""
        self._check()
        with self._lock:
            self._levels.update({name: on for name, on in outputs.items() if name in self._levels})

    def close(self) -> None:
        """Turn all lamps off; further calls raise PinsError."""
        with self._lock:
            self._levels = dict.fromkeys(self._levels, False)
            self.closed = True

    def _wired(self, control: str) -> str:
        if control not in self._controls:
            raise ValueError(f"{control} is not wired")
        return control

    def _mark(self, marked: set[str], control: str, on: bool) -> None:
        if on:
            marked.add(self._wired(control))
        else:
            marked.discard(self._wired(control))

    def _contact(self, control: str) -> bool:
        left = self._bouncing.get(control, 0)
        if left > 0:
            self._bouncing[control] = left - 1
        if left > 0 or control in self._flickering:
            return self._random.random() < CHATTER
        return control in self._pressed or control in self._stuck

    def _check(self) -> None:
        if self._gone or self.closed:
            raise PinsError(self._gone or "the pins are closed")
