"""Short, soft sounds, made when they are first wanted: 16-bit samples, one channel. No device, no files.

Each is a few struck notes, as of a small wooden bar: a quick start, a fast fading, few overtones.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping
from typing import NamedTuple

RATE_HZ = 16000
PEAK = 32767
ATTACK_S = 0.004
OVERTONES = ((1.0, 1.0, 1.0), (3.93, 0.22, 2.6), (9.2, 0.06, 5.0))
"""Partials of a struck bar tuned as a marimba's is (1 : 3.93 : 9.2): frequency, strength, how much faster it fades."""
WHOLE = sum(strength for _times, strength, _faster in OVERTONES)


class Strike(NamedTuple):
    """When it is struck, its pitch, how loud (0 to 1), and how long until it has faded to a third."""

    at_s: float
    pitch_hz: float
    loud: float
    fades_s: float


CUES: Mapping[str, tuple[Strike, ...]] = {
    "step": (Strike(0.0, 392.0, 0.5, 0.05),),
    "turn": (Strike(0.0, 392.0, 0.5, 0.08), Strike(0.11, 523.3, 0.55, 0.14)),
    "objection": (Strike(0.0, 233.1, 0.6, 0.09), Strike(0.12, 196.0, 0.6, 0.14)),
    "attention": (Strike(0.0, 523.3, 0.5, 0.1), Strike(0.16, 523.3, 0.5, 0.16)),
    "low": (Strike(0.0, 659.3, 0.45, 0.07), Strike(0.14, 587.3, 0.45, 0.07), Strike(0.28, 523.3, 0.5, 0.16)),
}
"""A step was taken; the other player's turn; an objection; the table is asked for something; little time is left."""


def samples(cue: str) -> array[int]:
    """The sound of a cue: signed 16-bit samples, RATE_HZ of them a second; KeyError for an unknown cue."""
    notes = CUES[cue]
    length_s = max(note.at_s + 5 * note.fades_s for note in notes)
    mixed = [0.0] * int(length_s * RATE_HZ)
    for note in notes:
        _strike(mixed, note)
    most = max(1.0, *(abs(value) for value in mixed))
    return array("h", (int(value / most * PEAK) for value in mixed))


def _strike(mixed: list[float], note: Strike) -> None:
    """Add a note to what sounds already."""
    start = int(note.at_s * RATE_HZ)
    for times, strength, faster in OVERTONES:
        turn = 2 * math.pi * note.pitch_hz * times / RATE_HZ
        fade = math.exp(-faster / (note.fades_s * RATE_HZ))
        level = note.loud * strength / WHOLE
        for i in range(min(len(mixed) - start, int(5 * note.fades_s * RATE_HZ))):
            mixed[start + i] += level * min(1.0, i / (ATTACK_S * RATE_HZ)) * math.sin(turn * i)
            level *= fade
