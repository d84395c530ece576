"""One suite for table controllers: the simulated one and the sketch, on simulated cables and on pseudo-terminals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from hardware.controller import TableController
from hardware.events import BUTTONS, CONTROLS, Ailing, Chord, Event, Plugged, Press, Thrown, Turned
from hardware.lights import OFF, Lights
from hardware.simulated_ports import FarEnd, Faults, SimulatedController
from hardware.wire import VERSION, Levels, line, lines_of
from tests.hardware import sketch_rig
from tests.hardware.serial_rig import STEP_S, PtyCable, Rig
from tests.hardware.sketch_rig import MicroPythonController, SketchController

RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
Make = type[SimulatedController]


MAKES = [SimulatedController, SketchController, *([MicroPythonController] if sketch_rig.FOLDER else [])]


@pytest.fixture(params=MAKES)
def make(request: pytest.FixtureRequest) -> Iterator[Make]:
    """All have the same calls; the sketch's tray cannot read its dice."""
    with pytest.MonkeyPatch.context() as patch:
        sketch_rig.put_in(patch)
        yield cast(Make, request.param)


def controller_on(rig: Rig, far_end: FarEnd, run_s: float = 0.0) -> TableController:
    controller = TableController("controller", rig.cable(far_end).open)
    rig.run(controller, run_s)
    return controller


@pytest.fixture
def far_end(make: Make) -> SimulatedController:
    return make()


@pytest.fixture
def controller(rig: Rig, far_end: SimulatedController) -> TableController:
    """Return the usual controller, known for half a second."""
    return controller_on(rig, far_end, 0.5)


def only(told: list[Event], *kinds: type[Event]) -> list[Event]:
    return [event for event in told if isinstance(event, kinds)]


def turned(told: list[Event]) -> int:
    return sum(event.steps for event in told if isinstance(event, Turned))


def pressed(told: list[Event]) -> list[tuple[str, str]]:
    return [(event.control, event.kind) for event in told if isinstance(event, Press)]


def press(
    rig: Rig, controller: TableController, far_end: SimulatedController, control: str, held_s: float
) -> list[Event]:
    """Hold a control for so long; what was told from then until it is well let go."""
    far_end.press(control)
    told = rig.run(controller, held_s)
    far_end.release(control)
    return told + rig.run(controller, 0.5)


def test_a_controller_says_what_it_has(rig: Rig, make: Make) -> None:
    controller = controller_on(rig, make(lamps=30, controls=BUTTONS), 0.5)
    assert controller.hello is not None
    assert controller.hello.controls == frozenset(BUTTONS)
    assert (controller.hello.lamps, controller.hello.dice_tray, controller.hello.encoder) == (30, True, True)


@pytest.mark.parametrize("control", CONTROLS)
def test_every_control_is_pressed_short_and_long(rig: Rig, make: Make, control: str) -> None:
    far_end = make(controls=CONTROLS)
    controller = controller_on(rig, far_end, 0.5)
    for held_s, kind in ((0.1, "short"), (1.5, "long")):
        assert pressed(press(rig, controller, far_end, control, held_s)) == [(control, kind)]


def test_a_chord_and_turning(rig: Rig, far_end: SimulatedController, controller: TableController) -> None:
    for button in ("undo-one", "undo-two"):
        far_end.press(button)
    told = rig.run(controller, 1)
    assert [event.controls for event in told if isinstance(event, Chord)] == [frozenset({"undo-one", "undo-two"})]
    for button in ("undo-one", "undo-two"):
        far_end.release(button)
    assert pressed(rig.run(controller, 1)) == []
    for steps in (3, -5, 1):
        far_end.turn(steps)
        assert turned(rig.run(controller, 0.5)) == steps


def test_what_is_held_when_it_comes_is_no_press(rig: Rig, make: Make) -> None:
    far_end = make()
    far_end.press("confirm-one")
    far_end.turn(7)
    controller = controller_on(rig, far_end)
    told = rig.run(controller, 3)
    far_end.release("confirm-one")
    assert only(told + rig.run(controller, 1), Press, Turned) == []
    assert pressed(press(rig, controller, far_end, "confirm-one", 0.2)) == [("confirm-one", "short")]


def test_a_throw_is_told_once_however_often_it_is_repeated(
    rig: Rig, far_end: SimulatedController, controller: TableController
) -> None:
    for dice in ((3, 1, 6), (3, 1, 6), ()):
        far_end.throw(*dice)
        (thrown,) = only(rig.run(controller, 5), Thrown)
        assert isinstance(thrown, Thrown)
        assert thrown.dice == (dice if type(far_end) is SimulatedController else ())
    assert b"THR" not in far_end.speak(rig.clock.now_s + 1), "it has been answered"
    far_end.throw(1)
    assert b"THR" in far_end.speak(rig.clock.now_s + 2)


def test_lamps_are_lit_as_they_are_told(rig: Rig, make: Make) -> None:
    far_end = make(lamps=20)
    controller = controller_on(rig, far_end, 0.5)
    lights = Lights(turn=RED, initiative=BLUE, unsure=True, out_of_sync=True, strip=(RED, BLUE) * 9)
    controller.show(lights)
    rig.run(controller, 2 * STEP_S)
    assert far_end.shown.lights == Lights(turn=RED, initiative=BLUE, unsure=True, out_of_sync=True)
    assert far_end.shown.strip == [*lights.strip, OFF.turn, OFF.turn]
    controller.buzz(((0.1, 0.05), (0.2, 0.0)))
    rig.run(controller, 2 * STEP_S)
    if make is SimulatedController:
        assert far_end.shown.buzz_ms == (100, 50, 200, 0)
    assert far_end.shown.buzz_ms
    controller.close()
    rig.pump()
    assert far_end.shown.lights == OFF
    assert far_end.shown.strip == [OFF.turn] * 20
    assert not far_end.shown.buzz_ms


def test_lamps_come_back_after_a_replug(rig: Rig, make: Make) -> None:
    far_end = make()
    controller = controller_on(rig, far_end)
    controller.show(Lights(turn=RED, strip=(BLUE,)))
    rig.run(controller, 1)
    rig.cables[0].unplug()
    rig.run(controller, 1)
    rig.cables[0].plug()
    assert far_end.shown.lights == OFF
    rig.run(controller, 3)
    assert far_end.shown.lights == Lights(turn=RED)
    assert far_end.shown.strip[0] == BLUE


def test_a_controller_goes_dark_when_the_app_is_gone(rig: Rig, make: Make) -> None:
    far_end = make()
    controller = controller_on(rig, far_end)
    controller.show(Lights(turn=RED))
    rig.run(controller, 1)
    rig.leave(2)
    assert far_end.shown.lights == Lights(turn=RED)
    rig.leave(2)
    assert far_end.shown.lights == OFF


def test_silence_lets_go_of_everything_without_a_press(
    rig: Rig, far_end: SimulatedController, controller: TableController
) -> None:
    far_end.press("confirm-two")
    rig.run(controller, 0.2)
    far_end.frozen = True
    told = rig.run(controller, 10)
    assert [event.kind for event in told if isinstance(event, Ailing)] == ["silent"]
    assert [event.at_s for event in told if isinstance(event, Ailing)] == [pytest.approx(102.51, abs=0.02)]
    assert pressed(told) == []  # neither short nor long: nobody knows whether it is still held
    assert controller.health().ails == ("silent",)
    far_end.frozen = False
    told = rig.run(controller, 2)
    far_end.release("confirm-two")
    assert pressed(told + rig.run(controller, 1)) == []
    assert controller.health().ails == ()


def test_a_controller_that_never_speaks_is_silent(rig: Rig, make: Make) -> None:
    far_end = make()
    far_end.frozen = True
    controller = controller_on(rig, far_end)
    assert only(rig.run(controller, 4.9), Ailing) == []
    assert [event.kind for event in rig.run(controller, 10) if isinstance(event, Ailing)] == ["silent"]
    assert controller.hello is None


def test_noise_is_told_once_until_a_line_comes(rig: Rig, make: Make) -> None:
    controller = controller_on(rig, make(), 0.6)
    rig.cables[0].inject(bytes(range(0x80, 0x100)) * 4)
    told = rig.run(controller, 3)
    assert [event.kind for event in told if isinstance(event, Ailing)] == ["noise"]
    assert (controller.health().name, controller.health().ails) == (controller.name, ())


def test_a_controller_that_is_not_there_is_not_silent_too(
    rig: Rig, far_end: SimulatedController, controller: TableController
) -> None:
    far_end.frozen = True
    rig.run(controller, 3)
    rig.cables[0].unplug()
    rig.run(controller, 1)
    assert (controller.health().state, controller.health().ails) == ("absent", ())


def test_what_cannot_be_done_is_passed_over(rig: Rig, make: Make) -> None:
    far_end = make(lamps=4)
    far_end.hear(line("LMP", "00FF00", "000000", 0, 0), 0.0)
    for kind in ("LMP", "STR", "BUZ", "GOT", "XYZ"):
        for fields in ((), ("x",), ("99", "FFFFFF"), ("", "", "", ""), ("-1", "FFFFFF")):
            far_end.hear(line(kind, *fields), 0.0)
    assert far_end.shown.lights == Lights(turn=(0.0, 1.0, 0.0))
    assert far_end.shown.strip == [OFF.turn] * 4


def test_a_cable_pulled_while_a_button_is_down_makes_no_press(
    rig: Rig, far_end: SimulatedController, controller: TableController
) -> None:
    far_end.press("confirm-one")
    rig.run(controller, 0.2)
    rig.cables[0].unplug()
    told = rig.run(controller, 5)
    far_end.release("confirm-one")
    rig.cables[0].plug()
    assert pressed(told + rig.run(controller, 5)) == []


def test_a_controller_that_starts_anew_turns_and_presses_nothing(
    rig: Rig, far_end: SimulatedController, controller: TableController
) -> None:
    far_end.turn(40)
    far_end.press("undo-one")
    rig.run(controller, 0.5)
    far_end.release("undo-one")
    far_end.start(rig.clock.now_s)
    assert only(rig.run(controller, 2), Press, Turned) == []


@pytest.mark.parametrize(("version", "what"), [(VERSION - 1, "older"), (VERSION + 4, "newer")])
def test_another_version_is_told_and_what_is_known_goes_on(rig: Rig, make: Make, version: int, what: str) -> None:
    far_end = make(version=version)
    controller = controller_on(rig, far_end)
    told = only(rig.run(controller, 10), Ailing)
    assert [(event.kind, event.what) for event in told if isinstance(event, Ailing)] == [("version", what)]
    assert controller.health().ails == ("version",)
    assert pressed(press(rig, controller, far_end, "pass-one", 0.1)) == [("pass-one", "short")]


def test_stray_lines_are_counted_and_passed_over(rig: Rig, controller: TableController) -> None:
    rig.cables[0].inject(line("XYZ", 1) + line("NOW", "1") + line("NOW", "0G", "0000", "0000") + b"MicroPython\r\n")
    rig.cables[0].inject(line("HEL", "-1", "00", "0000", "0", "0", "0") + b"$GPGGA,1*00\r\n" + b"$GPX*1F\r\n")
    assert only(rig.run(controller, 1), Press, Ailing) == []
    counts = controller.health().counts
    assert counts["stray_lines"] == 4
    assert counts["bad_checksums"] == 2
    assert counts["skipped_bytes"] >= len("MicroPython")


def test_one_line_alone_presses_turns_and_begins_nothing(rig: Rig, make: Make) -> None:
    """A line whose checksum holds by chance: another run, a button or a click that the next line knows nothing of."""
    controller = controller_on(rig, make(), 1)
    assert controller.hello is not None
    run = controller.hello.run
    for false in (Levels(run, frozenset(CONTROLS), 0), Levels(run, frozenset(), 9), Levels(run ^ 8, frozenset(), 0)):
        rig.cables[0].inject(lines_of(false))
        assert rig.run(controller, 2) == []
        assert controller.hello is not None


def test_a_bad_line_loses_no_throw_and_presses_nothing_of_its_own(
    rig: Rig, far_end: SimulatedController, controller: TableController
) -> None:
    rig.cables[0].faults = Faults(noise=0.005, lost=0.005, flipped=0.005)
    told: list[Event] = []
    for number in range(20):
        far_end.throw(number)
        far_end.turn(1)
        far_end.press("confirm-one")
        told += rig.run(controller, 2.5)
        far_end.release("confirm-one")
        told += rig.run(controller, 2.5)
    assert len(only(told, Thrown)) == 20
    assert turned(told) == 20
    assert pressed(told) == [("confirm-one", "long")] * 20
    assert only(told, Ailing) == []
    assert controller.health().counts["skipped_bytes"] > 1000


# ---- only a real port can hang -----------------------------------------------------------------


def test_a_device_that_takes_nothing_is_given_up_and_opened_again(tmp_path: Path) -> None:
    rig = Rig("pty", tmp_path)
    far_end = SimulatedController(lamps=144)
    controller = controller_on(rig, far_end, 0.5)
    cable = rig.cables[0]
    assert isinstance(cable, PtyCable)
    cable.stuck = True
    told: list[Event] = []
    for count in range(100):
        controller.show(Lights(strip=(RED, BLUE)[count % 2 :]))
        told += rig.run(controller, 0.1)
    assert next(event.present for event in told if isinstance(event, Plugged)) is False
    assert controller.health().counts["reopened"] >= 1
    controller.close()
    rig.close()
