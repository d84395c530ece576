"""One suite for whatever is plugged in, and for readers: on simulated cables, and on pseudo-terminals."""

from __future__ import annotations

import pytest

from hardware.card_reader import PAUSE_S, CardReader
from hardware.controller import TableController
from hardware.device import Device
from hardware.events import Ailing, CodeRead, Event, Plugged
from hardware.frames import tag_frame
from hardware.lights import Lights
from hardware.simulated_ports import FarEnd, Faults, SimulatedController, SimulatedTags
from tests.hardware.serial_rig import Rig, SimulatedScanner

TAG, OTHER_TAG = "0F00A1B2C3", "0F00D4E5F6"
RED, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def reader_on(rig: Rig, far_end: FarEnd) -> CardReader:
    return CardReader("reader", rig.cable(far_end).open)


def controller_on(rig: Rig, far_end: FarEnd) -> TableController:
    return TableController("controller", rig.cable(far_end).open)


def codes(told: list[Event]) -> list[str]:
    return [event.code for event in told if isinstance(event, CodeRead)]


def only(told: list[Event], *kinds: type[Event]) -> list[Event]:
    return [event for event in told if isinstance(event, kinds)]


def came(told: list[Event]) -> list[bool]:
    return [event.present for event in told if isinstance(event, Plugged)]


# ---- coming, going, refused --------------------------------------------------------------------


def devices(rig: Rig) -> list[Device]:
    return [reader_on(rig, SimulatedTags()), controller_on(rig, SimulatedController())]


@pytest.mark.parametrize("which", [0, 1])
def test_a_device_is_told_when_it_comes_goes_and_comes_again(rig: Rig, which: int) -> None:
    device, cable = devices(rig)[which], rig.cables[which]
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


@pytest.mark.parametrize("which", [0, 1])
def test_a_device_that_is_not_there_at_first_is_waited_for(rig: Rig, which: int) -> None:
    device, cable = devices(rig)[which], rig.cables[which]
    cable.unplug()
    assert rig.run(device, 60) == []
    cable.plug()
    assert only(rig.run(device, 2.1), Plugged) != []


@pytest.mark.parametrize("which", [0, 1])
def test_a_refusal_is_told_once_and_ends_when_it_may(rig: Rig, which: int) -> None:
    device, cable = devices(rig)[which], rig.cables[which]
    cable.refused = True
    (ailing,) = rig.run(device, 30)
    assert isinstance(ailing, Ailing)
    assert ailing.kind == "refused"
    assert device.health().state == "refused"
    cable.refused = False
    assert only(rig.run(device, 2.1), Plugged) != []


@pytest.mark.parametrize("which", [0, 1])
def test_a_device_that_is_not_there_can_be_closed(rig: Rig, which: int) -> None:
    device, cable = devices(rig)[which], rig.cables[which]
    cable.unplug()
    rig.run(device, 0.5)
    device.close()
    cable.plug()
    assert rig.run(device, 5) == []


def test_rights_that_come_a_moment_after_the_device_are_waited_for(rig: Rig) -> None:
    device = reader_on(rig, SimulatedTags())
    rig.cables[0].refused = True
    assert rig.run(device, 0.25) == []
    rig.cables[0].refused = False
    assert [type(event) for event in rig.run(device, 1)] == [Plugged]


# ---- readers -----------------------------------------------------------------------------------


def test_a_tag_is_read_once_for_each_time_that_it_is_laid_down(rig: Rig) -> None:
    tags = SimulatedTags()
    reader = reader_on(rig, tags)
    rig.run(reader, 0.5)
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


def test_another_tag_is_read_at_once(rig: Rig) -> None:
    tags = SimulatedTags()
    reader = reader_on(rig, tags)
    rig.run(reader, 0.5)
    tags.lay(TAG)
    rig.run(reader, 0.2)
    tags.lay(OTHER_TAG)
    assert codes(rig.run(reader, 0.2)) == [OTHER_TAG]


def test_a_tag_that_lies_there_while_nobody_polls_is_not_read_again(rig: Rig) -> None:
    tags = SimulatedTags()
    reader = reader_on(rig, tags)
    rig.run(reader, 0.5)
    tags.lay(TAG)
    rig.run(reader, 1)
    rig.clock.now_s += 20
    assert codes(rig.run(reader, 1)) == []


@pytest.mark.parametrize("ending", ["\r", "\n", "\r\n", "\t"])
def test_a_scanned_code_is_read_as_it_is_printed(rig: Rig, ending: str) -> None:
    scanner = SimulatedScanner(ending)
    reader = reader_on(rig, scanner)
    rig.run(reader, 0.5)
    scanner.scan("Ambush #3: 2 of 4")
    scanner.scan("4006381333931")
    assert codes(rig.run(reader, 1)) == ["Ambush #3: 2 of 4", "4006381333931"]
    assert reader.health().counts == {"frames": 2, "skipped_bytes": 0, "bad_checksums": 0, "reopened": 0}


def test_a_code_that_nothing_ends_is_read_after_a_pause(rig: Rig) -> None:
    scanner = SimulatedScanner("")
    reader = reader_on(rig, scanner)
    rig.cables[0].faults = Faults(split=3)
    rig.run(reader, 0.5)
    for code in ("Ambush #3: 2 of 4", "4006381333931", "4006381333931"):
        scanner.scan(code)
        assert codes(rig.run(reader, PAUSE_S / 2)) == []
        assert codes(rig.run(reader, 2)) == [code]
    assert reader.health().counts["skipped_bytes"] == 0


def test_a_scanner_that_ends_its_codes_is_not_cut_short(rig: Rig) -> None:
    scanner = SimulatedScanner("\t")
    reader = reader_on(rig, scanner)
    rig.run(reader, 0.5)
    scanner.scan("FIRST")
    assert codes(rig.run(reader, 1)) == ["FIRST"]
    rig.cables[0].inject(b"AMBU")
    assert codes(rig.run(reader, 5)) == []
    rig.cables[0].inject(b"SH\t")
    assert codes(rig.run(reader, 1)) == ["AMBUSH"]


def test_a_thread_that_is_late_is_no_pause(rig: Rig) -> None:
    reader = reader_on(rig, SimulatedScanner(""))
    rig.run(reader, 0.5)
    rig.cables[0].inject(b"AMBU")
    assert codes(rig.run(reader, PAUSE_S / 3)) == []
    rig.clock.now_s += 20
    rig.cables[0].inject(b"SH")
    assert codes(rig.run(reader, 1)) == ["AMBUSH"]


def test_split_bytes_give_the_same_codes(rig: Rig) -> None:
    tags = SimulatedTags()
    reader = reader_on(rig, tags)
    rig.cables[0].faults = Faults(split=3)
    rig.run(reader, 0.5)
    tags.lay(TAG)
    assert codes(rig.run(reader, 2)) == [TAG]
    assert reader.health().counts["skipped_bytes"] == 0


def test_a_bad_line_is_counted_and_tags_are_still_read(rig: Rig) -> None:
    tags = SimulatedTags()
    reader = reader_on(rig, tags)
    rig.cables[0].faults = Faults(noise=0.02, lost=0.02, flipped=0.02)
    rig.run(reader, 0.5)
    for _ in range(10):
        for tag in (TAG, OTHER_TAG):
            tags.lay(tag)
            assert codes(rig.run(reader, 1.5)) == [tag]
        tags.lift()
        rig.run(reader, 1.5)
    counts = reader.health().counts
    assert counts["skipped_bytes"] > 100
    assert counts["bad_checksums"] > 0


def test_on_a_bad_line_a_tag_has_to_come_twice(rig: Rig) -> None:
    reader = reader_on(rig, SimulatedTags())
    rig.run(reader, 0.5)
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
    rig.run(reader, 0.5)
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
    rig.run(reader, 0.5)
    rig.cables[0].inject(b"HALF")
    rig.run(reader, PAUSE_S / 2)
    rig.cables[0].unplug()
    rig.run(reader, 0.5)
    rig.cables[0].plug()
    rig.run(reader, 2)
    scanner.scan("WHOLE")
    assert codes(rig.run(reader, 1)) == ["WHOLE"]


def test_a_reader_shows_and_sounds_nothing(rig: Rig) -> None:
    reader = reader_on(rig, SimulatedTags())
    reader.show(Lights(turn=RED))
    reader.buzz(((0.1, 0.1),))
    assert [type(event) for event in rig.run(reader, 1)] == [Plugged]
    assert (reader.health().kind, reader.health().name) == ("reader", reader.name)
