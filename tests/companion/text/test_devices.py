"""What is wrong at the desk, in sentences."""

from __future__ import annotations

import pytest

from companion.text.devices import ailing, standing
from hardware.device import Health
from hardware.events import Ailing


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            Ailing("pins", "stuck", "confirm-one", 1.0),
            "The buttons: Confirm, side one is stuck and is ignored until it's released.",
        ),
        (
            Ailing("pins", "noise", "choose", 1.0),
            "The buttons: Knob push flickers and is ignored until it settles: check its wires.",
        ),
        (
            Ailing("/dev/reader", "noise", "/dev/reader", 1.0),
            "reader sends garbled data: check its cable.",
        ),
        (Ailing("desk", "broken", "it has stopped", 1.0), "Buttons and readers: it has stopped"),
    ],
)
def test_an_ailment_names_what_is_wrong(event: Ailing, told: str) -> None:
    assert ailing(event) == told


def test_a_control_that_is_left_out_makes_its_device_bad() -> None:
    health = Health("pins", "pins", "present", "LGPIOFactory", counts={"events": 7}, ails=("undo-two",))
    assert standing(health) == (
        "bad",
        "LGPIOFactory, Undo, side two is ignored: it sticks or flickers, 7 presses and turns",
    )
    assert standing(Health("pins", "pins", "present", "LGPIOFactory")) == ("ok", "LGPIOFactory")
