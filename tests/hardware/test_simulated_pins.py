"""Simulated pins misbehave as they are asked to, and what comes out is as if they did not."""

from __future__ import annotations

import pytest

from hardware.errors import PinsError
from hardware.events import Ailing, Press
from hardware.wiring import NOT_WIRED, Wiring
from tests.hardware.rigs import SimulatedRig, Table


@pytest.fixture
def table() -> Table:
    return Table(SimulatedRig(Wiring()))


@pytest.fixture
def rig(table: Table) -> SimulatedRig:
    assert isinstance(table.rig, SimulatedRig)
    return table.rig


@pytest.mark.parametrize("samples", [1, 2, 4])
def test_contacts_that_bounce_make_one_press_each(table: Table, rig: SimulatedRig, samples: int) -> None:
    rig.pins.bounce(samples)
    told = [event for _ in range(50) for event in table.press("confirm-one", 0.3)]
    assert [(event.control, event.kind) for event in told if isinstance(event, Press)] == [
        ("confirm-one", "short")
    ] * 50
    assert len(told) == 50


def test_spikes_of_noise_are_no_presses(table: Table, rig: SimulatedRig) -> None:
    for _ in range(100):
        rig.pins.spike("pass-one")
        assert table.run(0.1) == []


def test_a_spike_opens_a_contact_that_is_held_and_makes_no_second_press(table: Table, rig: SimulatedRig) -> None:
    rig.hold("pass-one")
    table.run(0.1)
    rig.pins.spike("pass-one")
    table.run(0.1)
    rig.let_go("pass-one")
    assert len(table.run(0.2)) == 1


def test_a_contact_that_flickers_is_noise_until_it_rests(table: Table, rig: SimulatedRig) -> None:
    rig.pins.flicker("choose")
    told = table.run(20.0)
    assert [event.kind for event in told if isinstance(event, Ailing)] == ["noise"]
    assert sum(isinstance(event, Press) for event in told) <= 5
    assert rig.device.health().ails == ("choose",)
    rig.pins.flicker("choose", flickers=False)
    table.run(2.5)
    assert rig.device.health().ails == ()


def test_a_stuck_contact_stays_closed_whatever_the_finger_does(table: Table, rig: SimulatedRig) -> None:
    rig.pins.stick("undo-one")
    told = table.press("undo-one") + table.run(12.0)
    assert [event.kind for event in told if isinstance(event, Press | Ailing)] == ["long", "stuck"]
    rig.pins.stick("undo-one", stuck=False)
    table.run(2.5)
    assert len(table.press("undo-one")) == 1


def test_what_is_not_wired_cannot_be_pressed() -> None:
    rig = SimulatedRig(Wiring(encoder_a=NOT_WIRED, encoder_b=NOT_WIRED, choose=NOT_WIRED))
    for call in (rig.pins.press, rig.pins.release, rig.pins.stick, rig.pins.flicker, rig.pins.spike):
        with pytest.raises(ValueError, match="choose is not wired"):
            call("choose")
    with pytest.raises(ValueError, match="no encoder is wired"):
        rig.pins.turn(1)


def test_closed_pins_are_of_no_more_use(rig: SimulatedRig) -> None:
    rig.pins.close()
    with pytest.raises(PinsError, match="closed"):
        rig.pins.held()


def test_the_same_seed_misbehaves_in_the_same_way() -> None:
    def samples() -> list[frozenset[str]]:
        rig = SimulatedRig(Wiring())
        rig.pins.flicker("choose")
        return [rig.pins.held() for _ in range(100)]

    assert samples() == samples()
