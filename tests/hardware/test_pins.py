"""One conformance suite for all pins: our real code on gpiozero's pins for a Pi, and the simulated ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from hardware.errors import PinsError
from hardware.events import BUTTONS, Ailing, Chord, Event, Press, Turned
from hardware.lights import OFF, Colour, Lights, levels
from hardware.pins import PinDevice
from hardware.wiring import NOT_WIRED, Wiring
from tests.hardware.rigs import ChipRig, Rig, SimulatedRig, Table, no_pins


@pytest.fixture(params=[ChipRig, SimulatedRig])
def make(request: pytest.FixtureRequest) -> Iterator[Callable[[Wiring], Rig]]:
    rigs: list[Rig] = []

    def maker(wiring: Wiring) -> Rig:
        rigs.append(request.param(wiring))
        return rigs[-1]

    yield maker
    for rig in rigs:
        rig.leave()


@pytest.fixture(params=[(), ("buttons", "lamps", "buzzer")], ids=["usual", "inverted"])
def table(request: pytest.FixtureRequest, make: Callable[[Wiring], Rig]) -> Table:
    return Table(make(Wiring(inverted=request.param)))


def presses(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.control, event.kind) for event in events if isinstance(event, Press)]


@pytest.mark.parametrize("control", [*BUTTONS, "choose"])
def test_each_button_makes_one_short_press_when_let_go(table: Table, control: str) -> None:
    table.rig.hold(control)
    assert table.run(0.2) == []
    table.rig.let_go(control)
    assert presses(table.run(0.2)) == [(control, "short")]


def test_arrows_stand_in_for_the_encoder(make: Callable[[Wiring], Rig]) -> None:
    wiring = Wiring(encoder_a=NOT_WIRED, encoder_b=NOT_WIRED, previous=19, next=26)
    table = Table(make(wiring))
    assert presses(table.press("previous") + table.press("next")) == [("previous", "short"), ("next", "short")]


def test_a_long_press_comes_while_the_button_is_held_and_only_once(table: Table) -> None:
    table.rig.hold("pass-two")
    assert presses(table.run(2.0)) == [("pass-two", "long")]
    table.rig.let_go("pass-two")
    assert table.run(0.5) == []


def test_two_held_together_are_a_chord_and_no_presses(table: Table) -> None:
    table.rig.hold("confirm-one")
    table.run(0.1)
    table.rig.hold("confirm-two")
    told = table.run(2.0)
    table.rig.let_go("confirm-one")
    table.rig.let_go("confirm-two")
    told += table.run(0.5)
    assert [event.controls for event in told if isinstance(event, Chord)] == [frozenset({"confirm-one", "confirm-two"})]
    assert len(told) == 1


def test_two_players_who_press_at_the_same_time_press_each_for_themselves(table: Table) -> None:
    table.rig.hold("confirm-one")
    table.rig.hold("undo-two")
    told = table.run(0.15)
    table.rig.let_go("confirm-one")
    table.rig.let_go("undo-two")
    assert sorted(presses(told + table.run(0.2))) == [("confirm-one", "short"), ("undo-two", "short")]


def test_the_encoder_counts_clicks_both_ways(table: Table) -> None:
    table.rig.turn(3)
    assert [event.steps for event in table.run(0.02) if isinstance(event, Turned)] == [3]
    table.rig.turn(-1)
    table.rig.turn(-1)
    assert [event.steps for event in table.run(0.02) if isinstance(event, Turned)] == [-2]


def test_a_stuck_button_is_told_once_and_the_others_work_on(table: Table) -> None:
    table.rig.hold("confirm-one")
    told = table.run(12.0)
    assert [event for event in told if isinstance(event, Ailing)] == [
        Ailing("pins", "stuck", "confirm-one", pytest.approx(110.13, abs=0.05))  # type: ignore[arg-type]
    ]
    assert table.rig.device.health().ails == ("confirm-one",)
    assert presses(table.press("confirm-two")) == [("confirm-two", "short")]


def test_a_stuck_button_is_ignored_until_it_has_been_let_go_for_a_while(table: Table) -> None:
    table.press("confirm-one", 11.0)
    assert table.press("confirm-one") == []
    table.run(2.5)
    assert table.rig.device.health().ails == ()
    assert presses(table.press("confirm-one")) == [("confirm-one", "short")]


def test_what_was_held_when_the_desk_began_is_no_press(make: Callable[[Wiring], Rig]) -> None:
    rig = make(Wiring())
    rig.hold("pass-one")
    table = Table(rig)
    assert table.run(3.0) == []
    rig.let_go("pass-one")
    assert table.run(0.5) == []
    assert presses(table.press("pass-one")) == [("pass-one", "short")]


def test_lamps_follow_at_once_without_a_poll(table: Table) -> None:
    table.rig.device.show(Lights(turn=(1, 0.6, 0), initiative=(0, 0, 1), unsure=True))
    assert table.rig.lit() == {"turn_red", "turn_green", "initiative_blue", "unsure"}
    table.rig.device.show(Lights(out_of_sync=True))
    assert table.rig.lit() == {"out_of_sync"}
    table.rig.device.show(OFF)
    assert table.rig.lit() == frozenset()


def test_what_is_inverted_may_stand_beside_what_is_not(make: Callable[[Wiring], Rig]) -> None:
    table = Table(make(Wiring(inverted=("turn", "undo_one"))))
    assert presses(table.press("undo-one") + table.press("confirm-one")) == [
        ("undo-one", "short"),
        ("confirm-one", "short"),
    ]
    table.rig.device.show(Lights(turn=(1, 0, 0), initiative=(0, 0, 1)))
    assert table.rig.lit() == {"turn_red", "initiative_blue"}


def test_the_buzzers_pattern_is_carried_on_by_polls(table: Table) -> None:
    table.rig.device.buzz(((0.05, 0.05), (0.1, 0.0)))
    sounds = []
    for _ in range(25):
        table.run(0.01)
        sounds.append("buzzer" in table.rig.lit())
    assert sounds == [True] * 5 + [False] * 5 + [True] * 10 + [False] * 5


def test_a_new_pattern_takes_the_old_ones_place_and_none_is_silence(table: Table) -> None:
    table.rig.device.buzz(((5.0, 0.0),))
    table.run(0.02)
    table.rig.device.buzz(())
    table.run(0.02)
    assert table.rig.lit() == frozenset()


def test_closing_leaves_everything_dark_and_still(table: Table) -> None:
    table.rig.device.show(Lights(turn=(1, 1, 1), unsure=True))
    table.rig.device.buzz(((1.0, 0.0),))
    table.run(0.02)
    table.rig.device.close()
    table.rig.device.close()
    assert table.rig.lit() == frozenset()
    assert table.run(0.1) == []


def test_what_is_not_wired_is_passed_over(make: Callable[[Wiring], Rig]) -> None:
    table = Table(make(Wiring(buzzer=NOT_WIRED, turn_blue=NOT_WIRED, encoder_a=NOT_WIRED, encoder_b=NOT_WIRED)))
    table.rig.device.show(Lights(turn=(1, 1, 1)))
    table.rig.device.buzz(((1.0, 0.0),))
    assert table.run(0.1) == []
    assert table.rig.lit() == {"turn_red", "turn_green"}


def test_pins_that_are_lost_are_told_once_and_raise_nothing(table: Table) -> None:
    table.rig.break_down()
    told = table.run(0.5)
    assert [(event.kind, event.device) for event in told if isinstance(event, Ailing)] == [("refused", "pins")]
    assert table.rig.device.health().state == "refused"
    assert "the pins can no longer be read: " in table.rig.device.health().fault
    table.rig.device.show(Lights(unsure=True))
    table.rig.device.close()


def test_pins_that_are_lost_while_lamps_are_set_raise_nothing_either(table: Table) -> None:
    table.rig.break_down()
    table.rig.device.show(Lights(unsure=True))
    assert [type(event) for event in table.run(0.1)] == [Ailing]


def test_health_counts_what_was_told(table: Table) -> None:
    table.press("confirm-one")
    health = table.rig.device.health()
    assert (health.name, health.kind, health.state, dict(health.counts)) == ("pins", "pins", "present", {"events": 1})
    assert health.address in ("simulated", "LGPIOFactory")


def test_without_pins_the_device_says_why_and_does_nothing() -> None:
    device = PinDevice(Wiring(), no_pins)
    device.show(Lights(unsure=True))
    device.buzz(((0.1, 0.1),))
    told = [*device.poll(1.0), *device.poll(2.0)]
    assert told == [Ailing("pins", "refused", "this machine isn't a Raspberry Pi, so it has no pins", 1.0)]
    assert (device.health().state, device.health().fault) == (
        "refused",
        "this machine isn't a Raspberry Pi, so it has no pins",
    )
    device.close()
    assert device.pins is None


def lit(lights: Lights) -> set[str]:
    return {name for name, on in levels(lights).items() if on}


@pytest.mark.parametrize(
    ("colour", "parts"),
    [((1, 0, 0), "red"), ((0.9, 0.5, 0.49), "red green"), ((0, 0, 1), "blue"), ((1, 1, 1), "red green blue")],
)
def test_each_part_of_a_colour_is_lit_from_one_half_on(colour: Colour, parts: str) -> None:
    assert lit(Lights(turn=colour)) == {f"turn_{part}" for part in parts.split()}
    assert lit(Lights(initiative=colour)) == {f"initiative_{part}" for part in parts.split()}


@pytest.fixture
def simulated() -> Table:
    return Table(SimulatedRig(Wiring()))


@pytest.fixture
def rig(simulated: Table) -> SimulatedRig:
    assert isinstance(simulated.rig, SimulatedRig)
    return simulated.rig


@pytest.mark.parametrize("samples", [1, 2, 4])
def test_contacts_that_bounce_make_one_press_each(simulated: Table, rig: SimulatedRig, samples: int) -> None:
    rig.pins.bounce(samples)
    told = [event for _ in range(50) for event in simulated.press("confirm-one", 0.3)]
    assert [(event.control, event.kind) for event in told if isinstance(event, Press)] == [
        ("confirm-one", "short")
    ] * 50
    assert len(told) == 50


def test_spikes_of_noise_are_no_presses(simulated: Table, rig: SimulatedRig) -> None:
    for _ in range(100):
        rig.pins.spike("pass-one")
        assert simulated.run(0.1) == []
    rig.hold("pass-one")
    simulated.run(0.1)
    rig.pins.spike("pass-one")
    simulated.run(0.1)
    rig.let_go("pass-one")
    assert len(simulated.run(0.2)) == 1


def test_a_contact_that_flickers_is_noise_until_it_rests(simulated: Table, rig: SimulatedRig) -> None:
    rig.pins.flicker("choose")
    told = simulated.run(20.0)
    assert [event.kind for event in told if isinstance(event, Ailing)] == ["noise"]
    assert sum(isinstance(event, Press) for event in told) <= 5
    assert rig.device.health().ails == ("choose",)
    rig.pins.flicker("choose", flickers=False)
    simulated.run(2.5)
    assert rig.device.health().ails == ()


def test_a_stuck_contact_stays_closed_whatever_the_finger_does(simulated: Table, rig: SimulatedRig) -> None:
    rig.pins.stick("undo-one")
    told = simulated.press("undo-one") + simulated.run(12.0)
    assert [event.kind for event in told if isinstance(event, Press | Ailing)] == ["long", "stuck"]
    rig.pins.stick("undo-one", stuck=False)
    simulated.run(2.5)
    assert len(simulated.press("undo-one")) == 1


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
