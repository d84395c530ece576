"""Whatever is plugged in: when its port is tried, and readers; on simulated cables and on pseudo-terminals."""

from __future__ import annotations

from itertools import pairwise

import pytest

from hardware.card_reader import PAUSE_S, CardReader
from hardware.controller import TableController
from hardware.device import Device
from hardware.errors import PortLost, PortRefused
from hardware.events import Ailing, CodeRead, Event, Plugged
from hardware.frames import tag_frame
from hardware.lights import Lights
from hardware.ports import STEADY_S, Link, Port
from hardware.simulated_ports import Cable, FarEnd, Faults, SimulatedController, SimulatedTags
from tests.hardware.serial_rig import Rig, SimulatedScanner

TAG, OTHER_TAG = "0F00A1B2C3", "0F00D4E5F6"


def reader_on(rig: Rig, far_end: FarEnd, run_s: float = 0.5) -> CardReader:
    reader = CardReader("reader", rig.cable(far_end).open)
    rig.run(reader, run_s)
    return reader


@pytest.fixture
def tags() -> SimulatedTags:
    return SimulatedTags()


@pytest.fixture
def reader(rig: Rig, tags: SimulatedTags) -> CardReader:
    """Return a reader of tags, known for half a second."""
    return reader_on(rig, tags)


def codes(told: list[Event]) -> list[str]:
    return [event.code for event in told if isinstance(event, CodeRead)]


def only(told: list[Event], *kinds: type[Event]) -> list[Event]:
    return [event for event in told if isinstance(event, kinds)]


def came(told: list[Event]) -> list[bool]:
    return [event.present for event in told if isinstance(event, Plugged)]


# ---- coming, going, refused --------------------------------------------------------------------


Connected = tuple[Device, Cable]


@pytest.fixture(params=[0, 1], ids=["reader", "controller"])
def connected(rig: Rig, request: pytest.FixtureRequest) -> Connected:
    """Each kind of device, and its cable."""
    cables = rig.cable(SimulatedTags()), rig.cable(SimulatedController())
    devices = CardReader("reader", cables[0].open), TableController("controller", cables[1].open)
    return devices[request.param], cables[request.param]


def test_a_device_is_told_when_it_comes_goes_and_comes_again(rig: Rig, connected: Connected) -> None:
    device, cable = connected
    assert came(rig.run(device, 1)) == [True]
    for times in (1, 2, 3):
        cable.unplug()
        assert came(rig.run(device, 3)) == [False]
        assert device.health().state == "absent"
        assert device.health().fault
        cable.plug()
        assert came(rig.run(device, 2.1)) == [True]
        assert device.health().counts["reopened"] == times
        assert (device.health().state, device.health().fault) == ("present", "")
    device.close()
    assert rig.run(device, 3) == []
    assert device.health().state == "absent"


def test_a_device_that_is_not_there_at_first_is_waited_for(rig: Rig, connected: Connected) -> None:
    device, cable = connected
    cable.unplug()
    assert rig.run(device, 60) == []
    cable.plug()
    assert only(rig.run(device, 2.1), Plugged) != []


def test_a_refusal_is_told_once_and_ends_when_it_may(rig: Rig, connected: Connected) -> None:
    device, cable = connected
    cable.refused = True
    (ailing,) = rig.run(device, 30)
    assert isinstance(ailing, Ailing)
    assert ailing.kind == "refused"
    assert device.health().state == "refused"
    cable.refused = False
    assert only(rig.run(device, 2.1), Plugged) != []


def test_a_device_that_is_not_there_can_be_closed(rig: Rig, connected: Connected) -> None:
    device, cable = connected
    cable.unplug()
    rig.run(device, 0.5)
    device.close()
    cable.plug()
    assert rig.run(device, 5) == []


def test_rights_that_come_a_moment_after_the_device_are_waited_for(rig: Rig) -> None:
    device = reader_on(rig, SimulatedTags(), 0.0)
    rig.cables[0].refused = True
    assert rig.run(device, 0.25) == []
    rig.cables[0].refused = False
    assert [type(event) for event in rig.run(device, 1)] == [Plugged]


# ---- readers -----------------------------------------------------------------------------------


def test_a_tag_is_read_once_for_each_time_that_it_is_laid_down(
    rig: Rig, tags: SimulatedTags, reader: CardReader
) -> None:
    tags.lay(TAG.lower())
    told = rig.run(reader, 30)
    assert codes(told) == [TAG]
    assert told[0].at_s == pytest.approx(100.51)
    tags.lift()
    rig.run(reader, 0.5)
    tags.lay(TAG)
    assert codes(rig.run(reader, 2)) == []  # it only wobbled
    tags.lift()
    rig.run(reader, 1.2)
    tags.lay(TAG)
    assert codes(rig.run(reader, 2)) == [TAG]


def test_another_tag_is_read_at_once(rig: Rig, tags: SimulatedTags, reader: CardReader) -> None:
    tags.lay(TAG)
    rig.run(reader, 0.2)
    tags.lay(OTHER_TAG)
    assert codes(rig.run(reader, 0.2)) == [OTHER_TAG]


def test_a_tag_that_lies_there_while_nobody_polls_is_not_read_again(
    rig: Rig, tags: SimulatedTags, reader: CardReader
) -> None:
    tags.lay(TAG)
    rig.run(reader, 1)
    rig.clock.now_s += 20
    assert codes(rig.run(reader, 1)) == []


@pytest.mark.parametrize("ending", ["\r", "\n", "\r\n", "\t"])
def test_a_scanned_code_is_read_as_it_is_printed(rig: Rig, ending: str) -> None:
    scanner = SimulatedScanner(ending)
    reader = reader_on(rig, scanner)
    scanner.scan("Ambush #3: 2 of 4")
    scanner.scan("4006381333931")
    assert codes(rig.run(reader, 1)) == ["Ambush #3: 2 of 4", "4006381333931"]
    assert reader.health().counts == {"frames": 2, "skipped_bytes": 0, "bad_checksums": 0, "reopened": 0}


def test_a_code_that_nothing_ends_is_read_after_a_pause(rig: Rig) -> None:
    scanner = SimulatedScanner("")
    reader = reader_on(rig, scanner)
    rig.cables[0].faults = Faults(split=3)
    for code in ("Ambush #3: 2 of 4", "4006381333931", "4006381333931"):
        scanner.scan(code)
        assert codes(rig.run(reader, PAUSE_S / 2)) == []
        assert codes(rig.run(reader, 2)) == [code]
    assert reader.health().counts["skipped_bytes"] == 0


def test_a_scanner_that_ends_its_codes_is_not_cut_short(rig: Rig) -> None:
    scanner = SimulatedScanner("\t")
    reader = reader_on(rig, scanner)
    scanner.scan("FIRST")
    assert codes(rig.run(reader, 1)) == ["FIRST"]
    rig.cables[0].inject(b"AMBU")
    assert codes(rig.run(reader, 5)) == []
    rig.cables[0].inject(b"SH\t")
    assert codes(rig.run(reader, 1)) == ["AMBUSH"]


def test_a_thread_that_is_late_is_no_pause(rig: Rig) -> None:
    reader = reader_on(rig, SimulatedScanner(""))
    rig.cables[0].inject(b"AMBU")
    assert codes(rig.run(reader, PAUSE_S / 3)) == []
    rig.clock.now_s += 20
    rig.cables[0].inject(b"SH")
    assert codes(rig.run(reader, 1)) == ["AMBUSH"]


def test_a_bad_line_is_counted_and_tags_are_still_read(rig: Rig, tags: SimulatedTags, reader: CardReader) -> None:
    rig.cables[0].faults = Faults(noise=0.02, lost=0.02, flipped=0.02)
    for _ in range(10):
        for tag in (TAG, OTHER_TAG):
            tags.lay(tag)
            assert codes(rig.run(reader, 1.5)) == [tag]
        tags.lift()
        rig.run(reader, 1.5)
    counts = reader.health().counts
    assert counts["skipped_bytes"] > 100
    assert counts["bad_checksums"] > 0


def test_on_a_bad_line_a_tag_has_to_come_twice(rig: Rig, reader: CardReader) -> None:
    for data, told in ((TAG, [TAG]), ("", []), (OTHER_TAG, []), (OTHER_TAG, [OTHER_TAG]), (TAG, [])):
        rig.cables[0].inject(tag_frame(data) if data else b"?")
        assert codes(rig.run(reader, 0.5)) == told
        rig.run(reader, 1 if told else 0)
    rig.run(reader, 60)
    rig.cables[0].inject(tag_frame(TAG))
    assert codes(rig.run(reader, 1)) == [TAG]


def test_noise_is_told_once_until_a_frame_comes(rig: Rig) -> None:
    scanner = SimulatedScanner()
    reader = reader_on(rig, scanner)
    for _ in range(2):
        rig.cables[0].inject(bytes(range(0x80, 0x100)) * 20)
        assert [event.kind for event in rig.run(reader, 5) if isinstance(event, Ailing)] == ["noise"]
        assert reader.health().ails == ("noise",)
        scanner.scan("\r\nWELL")
        rig.run(reader, 1)
        assert reader.health().ails == ()


def test_a_half_frame_from_before_a_replug_is_forgotten(rig: Rig) -> None:
    scanner = SimulatedScanner()
    reader = reader_on(rig, scanner)
    rig.cables[0].inject(b"HALF")
    rig.run(reader, PAUSE_S / 2)
    rig.cables[0].unplug()
    rig.run(reader, 0.5)
    rig.cables[0].plug()
    rig.run(reader, 2)
    scanner.scan("WHOLE")
    assert codes(rig.run(reader, 1)) == ["WHOLE"]


def test_a_reader_shows_and_sounds_nothing(rig: Rig) -> None:
    reader = reader_on(rig, SimulatedTags(), 0.0)
    reader.show(Lights(unsure=True))
    reader.buzz(((0.1, 0.1),))
    assert [type(event) for event in rig.run(reader, 1)] == [Plugged]
    assert (reader.health().kind, reader.health().name) == ("reader", reader.name)


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
