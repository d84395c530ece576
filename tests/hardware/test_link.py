"""A port that comes and goes: when it is tried again, and what is told of it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from hardware.errors import PortLost, PortRefused
from hardware.events import Ailing, Plugged
from hardware.ports import STEADY_S, Link, Port

STEP_S = 0.05


class Socket:
    """Where something may be plugged in; notes when it was tried."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.fault: PortLost | None = PortLost("nothing is there")
        self.tried_s: list[float] = []
        self.link = Link("reader", self.open)

    def open(self) -> Port:
        self.tried_s.append(round(self.now_s, 2))
        if self.fault is not None:
            raise self.fault
        return self

    def read(self) -> bytes:
        if self.fault is not None:
            raise self.fault
        return b"x"

    def write(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        pass

    def run(self, seconds: float) -> list[float]:
        """Poll for so long; when it was tried meanwhile."""
        before = len(self.tried_s)
        for _ in range(round(seconds / STEP_S)):
            self.now_s += STEP_S
            self.link.poll(self.now_s)
            self.link.read(self.now_s)
        return self.tried_s[before:]


@pytest.fixture
def socket() -> Socket:
    return Socket()


def test_what_is_not_there_is_tried_after_pauses_that_grow_to_two_seconds(socket: Socket) -> None:
    tried_s = socket.run(12.0)
    pauses_s = [after - before for before, after in pairwise(tried_s)]
    assert pauses_s == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0, 2.0], abs=1.01 * STEP_S)
    assert (socket.link.take_events(), socket.link.state, socket.link.fault) == ((), "absent", "nothing is there")


def test_what_was_there_for_long_is_tried_soon_after_it_was_pulled(socket: Socket) -> None:
    socket.run(12.0)
    socket.fault = None
    socket.run(2.0 + STEADY_S + 2 * STEP_S)
    assert (socket.link.state, socket.link.reopened) == ("present", 0)
    socket.fault = PortLost("pulled")
    pulled_s = socket.now_s + STEP_S
    first_s, second_s, *_ = socket.run(1.0)
    assert first_s - pulled_s == pytest.approx(0.1)
    assert second_s - first_s == pytest.approx(0.2)
    assert [event.present for event in socket.link.take_events() if isinstance(event, Plugged)] == [True, False]


def test_what_falls_out_again_and_again_is_not_tried_all_the_time(socket: Socket) -> None:
    socket.run(12.0)
    tried_s: list[float] = []
    for _ in range(4):
        socket.fault = None
        tried_s += socket.run(2.05)
        socket.fault = PortLost("a loose plug")
        tried_s += socket.run(STEP_S)
    assert len(tried_s) == 4, "it was open for a moment each time, and waited for two seconds"
    assert socket.link.reopened == 3


def test_three_refusals_in_a_row_are_told_once(socket: Socket) -> None:
    def told() -> list[str]:
        return [event.kind for event in socket.link.take_events() if isinstance(event, Ailing)]

    socket.fault = PortRefused("it belongs to a group such as dialout")
    assert len(socket.run(0.2)) == 2
    assert (told(), socket.link.state) == ([], "refused")
    assert len(socket.run(0.2)) == 1
    assert told() == ["refused"]
    socket.run(20.0)
    assert told() == []
    socket.fault = None
    socket.run(3.0)
    socket.fault = PortRefused("again")
    socket.run(0.25)
    assert told() == [], "the first refusals after it was open may be a device that has just been plugged in"
    socket.run(2.0)
    assert told() == ["refused"]


def test_closed_for_good_it_is_not_tried_again(socket: Socket) -> None:
    socket.link.close()
    assert socket.run(10.0) == []
