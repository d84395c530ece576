"""What every device of a desk does, be it real or simulated."""

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
    """How a device stands, for the self-check.

    address: its pin factory or its path; fault: why it is absent or refused, one sentence; counts: numbers worth
    knowing, such as {"frames": 12, "skipped_bytes": 3, "reopened": 1}; ails: controls or things that are not well now.
    """

    name: str
    kind: Kind
    state: State
    address: str = ""
    fault: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    ails: tuple[str, ...] = ()


class Device(Protocol):
    """A part of the desk. No call blocks or raises HardwareError: what goes wrong is an event, and in `health`."""

    @property
    def name(self) -> str:
        """Its name among the desk's devices."""

    def poll(self, now_s: float) -> tuple[Event, ...]:
        """What has happened since the last call; `now_s` is monotonic and never goes back."""

    def show(self, lights: Lights) -> None:
        """Light its lamps so, as far as it has them."""

    def buzz(self, pattern: Buzz) -> None:
        """Begin this pattern on its buzzer, where it has one; `poll` carries it on."""

    def health(self) -> Health:
        """How it stands."""

    def close(self) -> None:
        """Lamps dark, buzzer still, everything let go of."""
