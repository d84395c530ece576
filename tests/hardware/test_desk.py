"""The desk: one thread for all devices, lamps at once, a broken device alone, and nothing dies silently."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import Queue

import pytest

from hardware import desk as desks
from hardware.card_reader import CardReader
from hardware.controller import TableController
from hardware.debounce import USUAL
from hardware.desk import Desk, DeskPlan, open_desk
from hardware.device import Health
from hardware.errors import PortLost
from hardware.events import Ailing, Event, Press
from hardware.lights import OFF, Buzz, Lights
from hardware.pins import PinDevice
from hardware.simulated_pins import SimulatedPins
from hardware.wiring import Wiring
from tests.patience import PATIENCE_S

UNSURE = Lights(unsure=True)


class Fussy:
    """A device that does what it is told to, raising whatever it was given."""

    def __init__(self, name: str = "fussy") -> None:
        self.name = name
        self.raises: BaseException | None = None
        self.polls = 0
        self.shown: list[Lights] = []
        self.buzzed: list[Buzz] = []
        self.closed = 0
        self.holds = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def _maybe(self) -> None:
        if self.raises is not None:
            raise self.raises

    def poll(self, now_s: float) -> tuple[Event, ...]:
        self.polls += 1
        self.holds.set()
        self.go_on.wait(PATIENCE_S)
        self._maybe()
        return (Press("choose", "short", now_s),)

    def show(self, lights: Lights) -> None:
        self._maybe()
        self.shown.append(lights)

    def buzz(self, pattern: Buzz) -> None:
        self.buzzed.append(pattern)

    def health(self) -> Health:
        return Health(self.name, "reader", "present")

    def close(self) -> None:
        self.closed += 1
        self._maybe()


@pytest.fixture
def fussy() -> Fussy:
    return Fussy()


@pytest.fixture
def simulated() -> Iterator[tuple[Desk, SimulatedPins]]:
    desk = open_desk(DeskPlan(Wiring(), pins="simulated"))
    pins = desk.devices[0].pins  # type: ignore[attr-defined]
    yield desk, pins
    desk.close()


def test_a_plan_names_its_devices_and_opens_no_port_yet(tmp_path: Path) -> None:
    plan = DeskPlan(
        Wiring(), (f"{tmp_path}/reader", f"scanner:{tmp_path}/scanner"), f"{tmp_path}/table", 1.2, "simulated"
    )
    desk = open_desk(plan)
    assert [type(device) for device in desk.devices] == [PinDevice, CardReader, CardReader, TableController]
    assert [health.state for health in desk.health()] == ["present", "absent", "absent", "absent"]
    desk.close()


def test_nothing_planned_is_a_desk_without_a_thread() -> None:
    desk = open_desk(DeskPlan())
    desk.start(lambda event: None)
    assert (desk.devices, desk.health(), desk.poll(1.0)) == ((), (), ())
    assert "desk" not in {thread.name for thread in threading.enumerate()}
    desk.close()


def test_a_machine_without_pins_has_a_desk_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "gpiozero.pins.lgpio", None)
    desk = open_desk(DeskPlan(Wiring()))
    (ailing,) = desk.poll(1.0)
    assert ailing == Ailing("pins", "refused", desk.health()[0].fault, 1.0)
    desk.close()


class CountedPins(SimulatedPins):
    """Simulated pins that tell how often they were looked at."""

    def __init__(self, wiring: Wiring) -> None:
        super().__init__(wiring)
        self.looks = threading.Semaphore(0)

    def held(self) -> frozenset[str]:
        self.looks.release()
        return super().held()

    def wait(self, looks: int) -> None:
        for _ in range(looks):
            assert self.looks.acquire(timeout=PATIENCE_S)


def test_a_finger_on_a_button_reaches_whoever_listens() -> None:
    pins = CountedPins(Wiring())
    desk = Desk((PinDevice(Wiring(), lambda _wiring: pins, replace(USUAL, long_s=600.0, stuck_s=600.0)),))
    told: Queue[Event] = Queue()
    desk.start(told.put)
    pins.wait(5)
    pins.press("confirm-one")
    pins.wait(8)
    assert told.empty()
    pins.release("confirm-one")
    event = told.get(timeout=PATIENCE_S)
    desk.close()
    assert isinstance(event, Press)
    assert (event.control, event.kind) == ("confirm-one", "short")
    assert told.empty()


def test_lamps_are_lit_at_once_and_dark_when_it_is_closed(simulated: tuple[Desk, SimulatedPins]) -> None:
    desk, pins = simulated
    desk.show(Lights(turn=(0, 0, 1)))
    assert pins.lit() == {"turn_blue"}
    desk.buzz(((9.0, 0.0),))
    desk.poll(1.0)
    assert pins.lit() == {"turn_blue", "buzzer"}
    desk.close()
    desk.close()
    assert pins.lit() == frozenset()
    assert not any(thread.name == "desk" for thread in threading.enumerate())


def test_whoever_shows_never_waits_for_a_device_that_is_being_polled(fussy: Fussy) -> None:
    desk = Desk((fussy,))
    fussy.go_on.clear()
    polling = threading.Thread(target=desk.poll, args=(1.0,))
    polling.start()
    assert fussy.holds.wait(PATIENCE_S)
    desk.show(OFF)
    desk.show(UNSURE)
    desk.buzz(((1.0, 0.0),))
    assert fussy.shown == []
    fussy.go_on.set()
    polling.join(PATIENCE_S)
    desk.poll(2.0)
    assert (fussy.shown, fussy.buzzed) == ([UNSURE], [((1.0, 0.0),)])


@pytest.mark.parametrize("error", [PortLost("it is gone"), OSError(5, "Input/output error")])
def test_a_device_that_fails_is_closed_and_told_once_and_the_others_go_on(fussy: Fussy, error: Exception) -> None:
    other = Fussy("other")
    desk = Desk((fussy, other))
    fussy.raises = error
    assert desk.poll(1.0) == (Ailing("fussy", "broken", desk.health()[0].fault, 1.0), Press("choose", "short", 1.0))
    fussy.raises = None
    desk.show(UNSURE)
    assert desk.poll(2.0) == (Press("choose", "short", 2.0),)
    assert (fussy.polls, fussy.closed, fussy.shown, other.shown) == (1, 1, [], [UNSURE])
    assert [health.state for health in desk.health()] == ["refused", "present"]
    desk.close()
    assert (fussy.closed, other.closed) == (1, 1)


def test_a_device_that_fails_while_it_is_shown_is_told_by_the_next_poll(fussy: Fussy) -> None:
    desk = Desk((fussy,))
    fussy.raises = OSError(28, "No space left on device")
    desk.show(UNSURE)
    (ailing,) = desk.poll(1.0)
    assert isinstance(ailing, Ailing)
    assert (ailing.kind, desk.poll(2.0), fussy.polls) == ("broken", (), 0)
    assert "No space left" in ailing.what
    assert "could not be closed" in ailing.what


def test_a_fault_of_our_own_ends_the_thread_aloud(fussy: Fussy, monkeypatch: pytest.MonkeyPatch) -> None:
    screams: Queue[str] = Queue()
    monkeypatch.setattr(threading, "excepthook", lambda args: screams.put(args.exc_type.__name__))
    desk = Desk((fussy,))
    fussy.raises = ZeroDivisionError()
    told: Queue[Event] = Queue()
    desk.start(told.put)
    ailing = told.get(timeout=PATIENCE_S)
    assert isinstance(ailing, Ailing)
    assert (ailing.device, ailing.kind) == ("desk", "broken")
    assert screams.get(timeout=PATIENCE_S) == "ZeroDivisionError"
    fussy.raises = None
    desk.close()


def test_a_device_that_hangs_does_not_keep_the_desk_from_closing(fussy: Fussy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desks, "JOIN_S", 0.05)
    other = Fussy("other")
    desk = Desk((other, fussy))
    fussy.go_on.clear()
    desk.start(lambda event: None)
    assert fussy.holds.wait(PATIENCE_S)
    desk.close()
    assert (other.closed, fussy.closed) == (1, 0)
    fussy.go_on.set()


def test_the_thread_looks_now_and_then_whether_there_still_are_contacts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desks, "LOOK_S", 0.0)
    pins = CountedPins(Wiring())
    desk = Desk((PinDevice(Wiring(), lambda _wiring: pins),))
    told: Queue[Event] = Queue()
    desk.start(told.put)
    pins.wait(3)
    pins.vanish("the pins have gone")
    event = told.get(timeout=PATIENCE_S)
    desk.close()
    assert isinstance(event, Ailing)
    assert (event.what, desk.period_s) == ("the pins have gone", desks.READERS_PERIOD_S)


def test_contacts_are_polled_often_and_readers_alone_seldom(fussy: Fussy) -> None:
    assert Desk((fussy,)).period_s == desks.READERS_PERIOD_S
    assert Desk((fussy, PinDevice(Wiring(), SimulatedPins))).period_s == desks.PERIOD_S
