"""The interface of every device of a desk, real or simulated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from hardware.events import Event
from hardware.lights import Buzz, Lights

Kind = Literal["pins", "reader", "controller"]
State = Literal["present", "absent", "refused"]


@dataclass(frozen=True, slots=True)
class Health:
    """A device's state, for the self-check.

    address: its pin factory or its path; fault: why it is absent or refused, one sentence; counts: numbers for
    people, such as {"frames": 12, "skipped_bytes": 3, "reopened": 1}; ails: controls or parts that aren't working now.
    """

    name: str
    kind: Kind
    state: State
    address: str = ""
    fault: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    ails: tuple[str, ...] = ()


class Device(Protocol):
    """A part of the desk. No call blocks or raises HardwareError: faults come as events, and `health` tells them."""

    @property
    def name(self) -> str:
        """Its name among the desk's devices."""

    def poll(self, now_s: float) -> tuple[Event, ...]:
        """Return the events since the last call; `now_s` is monotonic."""

    def show(self, lights: Lights) -> None:
        """Set the device's lamps, as far as it has any: at once, or with the next `poll`."""

    def buzz(self, pattern: Buzz) -> None:
        """Start this pattern with the next `poll`, if the device has a buzzer."""

    def health(self) -> Health:
        """Return the device's state."""

    def close(self) -> None:
        """Turn off lamps and buzzer and release everything."""
