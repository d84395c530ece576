"""The machine, its clock, its power, its disk and its units, as made-up systems under a folder tell of them."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import pytest

from companion.checks import machine as machines
from companion.checks.check_result import Machine, run
from companion.checks.machine import Times, disk
from companion.core import storage
from tests.companion.refusing import refusing
from tests.patience import PATIENCE_S

NOW = Times(1.79e9, 1000.0)  # a day in 2026


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def made(root: Path, files: Mapping[str, str], says: Mapping[str, str] | None = None) -> Machine:
    """Build a machine with these files.

    says: what its commands print, by their first word or their first two.
    """
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    told = says or {}

    def answer(command: Sequence[str]) -> str:
        return told.get(" ".join(command[:2]), told.get(command[0], ""))

    return Machine(root, answer)


def test_commands_that_are_not_there_fail_or_hang_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.checks.check_result.PATIENCE_S", PATIENCE_S)
    assert run(("no-such-command-here",)) == ""
    assert run(("false",)) == ""
    assert run(("echo", "a word")) == "a word"
    monkeypatch.setattr("companion.checks.check_result.PATIENCE_S", 0.05)
    assert run(("sleep", "600")) == ""


def test_a_machine_says_what_it_is(tmp_path: Path) -> None:
    files = {
        "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
        "etc/os-release": 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
        "proc/sys/kernel/osrelease": "6.12.34+rpt-rpi-2712\n",
    }
    told = "Raspberry Pi 5 Model B Rev 1.0, Debian GNU/Linux 13 (trixie), kernel 6.12.34+rpt-rpi-2712"
    assert machines.model(made(tmp_path, files)) == ("ok", told, "")
    assert machines.model(Machine(tmp_path / "nothing"))[0] == "ok"


# ---- the clock --------------------------------------------------------------------------------------


def test_a_clock_that_the_network_has_set_is_well(tmp_path: Path) -> None:
    machine = made(tmp_path, {}, {"timedatectl": "yes"})
    state, told, remedy = machines.clock(machine, NOW)
    assert (state, remedy) == ("ok", "")
    assert told.startswith("2026-")
    assert told.endswith("set by the network, no battery clock")
    assert machines.clock(made(tmp_path / "other", {"run/systemd/timesync/synchronized": ""}), NOW)[0] == "ok"


def test_what_the_system_says_of_its_clock_counts_before_a_file_that_was_left(tmp_path: Path) -> None:
    machine = made(tmp_path, {"run/systemd/timesync/synchronized": ""}, {"timedatectl": "no"})
    assert machines.clock(machine, NOW)[0] == "note"


def test_without_the_network_the_time_is_a_label_only(tmp_path: Path) -> None:
    machine = made(tmp_path, {"sys/class/rtc/rtc0/battery_voltage": "3012000"}, {"timedatectl": "no"})
    state, told, remedy = machines.clock(machine, NOW)
    assert state == "note"
    assert told.endswith("not set by the network, has a battery clock")
    assert "Doesn't affect your games." in remedy
    (tmp_path / "sys/class/rtc/rtc0/battery_voltage").write_text("4000")
    assert "battery clock without a battery" in machines.clock(machine, NOW)[1]


@pytest.mark.parametrize("wall_s", [0.0, 3600.0, -5e9, 5e9, 1e18])
def test_a_year_that_cannot_be_is_told(tmp_path: Path, wall_s: float) -> None:
    state, _told, remedy = machines.clock(made(tmp_path, {}, {"timedatectl": "yes"}), Times(wall_s, 5.0))
    assert state == "note"
    assert remedy.startswith("Connect it to a network")


@pytest.mark.parametrize("year", [machines.FIRST_YEAR, machines.LAST_YEAR - 1])
def test_a_year_that_can_be_is_well(tmp_path: Path, year: int) -> None:
    now = Times(datetime(year, 7, 1).timestamp(), 5.0)
    assert machines.clock(made(tmp_path, {}, {"timedatectl": "yes"}), now)[0] == "ok"


@pytest.mark.parametrize(
    ("by_s", "told"),
    [
        (30.0, ""),
        (600.0, "was set forward by 10 minutes while Gunbai was running"),
        (-3 * 365 * 86_400.0, "was set back by 1095 days while Gunbai was running"),
    ],
)
def test_a_clock_that_was_moved_while_it_ran_is_told(tmp_path: Path, by_s: float, told: str) -> None:
    began = Times(NOW.wall_s - 100 - by_s, NOW.steady_s - 100)
    facts = machines.clock(made(tmp_path, {}, {"timedatectl": "yes"}), NOW, began)[1]
    assert facts.partition("no battery clock")[2].removeprefix(", ") == told


# ---- power ------------------------------------------------------------------------------------------

FIRMWARE = "sys/devices/platform/soc/soc:firmware/get_throttled"
WARM = "sys/class/thermal/thermal_zone0/temp"


@pytest.mark.parametrize(
    ("bits", "degrees", "state", "told"),
    [
        ("0", 48, "ok", "enough power, 48 °C"),
        ("50005", 61, "bad", "now: voltage too low, slowed down, 61 °C"),
        ("50000", 55, "note", "since power-on: voltage too low, slowed down, 55 °C"),
        ("80008", 82, "bad", "now: too hot, 82 °C"),
        ("f0002", 50, "bad", "now: speed limited, since power-on: voltage too low, slowed down, too hot"),
        ("0", 73, "note", "enough power, 73 °C"),
        ("0", 84, "bad", "enough power, 84 °C"),
    ],
)
def test_the_firmware_s_warnings_are_told(tmp_path: Path, bits: str, degrees: int, state: str, told: str) -> None:
    machine = made(tmp_path, {FIRMWARE: f"{bits}\n", WARM: f"{degrees}123\n"})
    looked = machines.power(machine)
    assert (looked[0], looked[1][: len(told)]) == (state, told)
    assert bool(looked[2]) == (state != "ok")


def test_the_firmware_is_asked_by_its_command_where_it_has_no_file(tmp_path: Path) -> None:
    assert machines.power(made(tmp_path, {}, {"vcgencmd": "throttled=0x1"}))[:2] == ("bad", "now: voltage too low")
    assert machines.power(made(tmp_path, {}, {"vcgencmd": "error=1 nonsense"}))[0] == "ok"


@pytest.mark.parametrize(("alarm", "state"), [("0", "ok"), ("1", "bad")])
def test_a_driver_s_alarm_counts_where_the_firmware_says_nothing(tmp_path: Path, alarm: str, state: str) -> None:
    files = {"sys/class/hwmon/hwmon0/name": "cpu", "sys/class/hwmon/hwmon2/name": "rpi_volt\n"}
    files["sys/class/hwmon/hwmon2/in0_lcrit_alarm"] = alarm
    assert machines.power(made(tmp_path, files))[0] == state


def test_another_machine_has_no_warnings_but_may_be_hot(tmp_path: Path) -> None:
    assert machines.power(made(tmp_path, {}))[:2] == ("ok", "this machine doesn't report power problems")
    assert machines.power(made(tmp_path, {WARM: "91000"}))[0] == "bad"


# ---- the disk ---------------------------------------------------------------------------------------


def test_a_read_only_disk_is_told_from_a_full_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = storage.data_dir()
    mounts = f"/dev/root / ext4 rw 0 0\n/dev/mmcblk0p2 {data.parent} ext4 ro,noatime 0 0\nbroken\n"
    machine = made(tmp_path / "root", {"proc/self/mounts": mounts})
    monkeypatch.setattr(storage, "create", refusing(errno.EROFS))
    assert "The disk is read-only" in disk(machine)[2]
    (tmp_path / "root/proc/self/mounts").write_text("/dev/root / ext4 rw 0 0\n")
    assert disk(machine)[2].startswith("Free some space")


def test_a_disk_with_faults_and_a_worn_one_are_told(tmp_path: Path) -> None:
    files = {
        "proc/self/mounts": "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n",
        "sys/fs/ext4/mmcblk0p2/errors_count": "3\n",
        "sys/block/mmcblk0/device/life_time": "0x02 0x0a\n",
    }
    machine = made(tmp_path / "root", files)
    state, told, remedy = disk(machine)
    assert (state, remedy[:13]) == ("bad", "Back up your ")
    assert told.endswith("file system errors: 3")
    (tmp_path / "root/sys/fs/ext4/mmcblk0p2/errors_count").write_text("0\n")
    state, told, _remedy = disk(machine)
    assert (state, told.rpartition(", ")[2]) == ("note", "100% worn")


def test_nothing_is_left_of_a_check_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    storage.data_dir().mkdir(parents=True)
    (storage.data_dir() / f"check-{os.getpid()}").write_text("of a check that was killed")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_bytes", refusing(errno.EIO))
        assert disk()[0] == "bad"
    assert list(storage.data_dir().iterdir()) == []


def ticking(step_s: float) -> Callable[[], float]:
    moments = [0.0]

    def clock() -> float:
        moments[0] += step_s
        return moments[0]

    return clock


def test_a_slow_disk_is_told(tmp_path: Path) -> None:
    assert disk(Machine(tmp_path), ticking(0.02))[1].endswith("saving a step takes 20 ms")
    state, _told, remedy = disk(Machine(tmp_path), ticking(2.0))
    assert (state, remedy[:12]) == ("note", "That's slow,")


# ---- the units and the copies -----------------------------------------------------------------------


def shown(app: str = "active", restarts: int = 0, watched: str = "20s") -> str:
    lines = f"Id=gunbai.service\nActiveState={app}\nNRestarts={restarts}\nWatchdogUSec={watched}"
    camera = "Id=gunbai-camera.service\nActiveState=active\nNRestarts=0\nWatchdogUSec=30s\nResult=success"
    return f"{lines}\n\n{camera}\n\nId=gunbai-backup.timer\nActiveState=active\nodd line"


UNIT = {"etc/systemd/system/gunbai.service": ""}


def test_units_that_run_are_well(tmp_path: Path) -> None:
    assert machines.units(Machine(tmp_path))[1].startswith("not a service")
    machine = made(tmp_path, UNIT, {"systemctl show": shown(), "systemctl is-active": "active"})
    told = "gunbai: active watched, camera: active watched, backup: active"
    assert machines.units(machine) == ("ok", told, "")
    assert machines.is_active(machine)
    assert not machines.is_active(Machine(tmp_path / "other"))


@pytest.mark.parametrize(
    ("says", "state", "what"),
    [
        ("", "note", "systemd doesn't respond"),
        (shown("failed"), "bad", "gunbai: failed watched"),
        (shown("inactive"), "note", "gunbai: inactive watched"),
        (shown(restarts=3), "note", "gunbai: active restarted 3 times watched"),
        (shown(watched="infinity"), "ok", "gunbai: active not watched"),
    ],
)
def test_units_that_do_not_are_told(tmp_path: Path, says: str, state: str, what: str) -> None:
    looked = machines.units(made(tmp_path, UNIT, {"systemctl show": says}))
    assert looked[0] == state
    assert what in looked[1]


def test_the_last_copy_of_the_games_is_told_with_its_age(tmp_path: Path, own_data: Path) -> None:
    machine = made(tmp_path / "root", UNIT)
    assert machines.backups(machine, NOW.wall_s)[0] == "note"
    folder = tmp_path / "root" / machines.BACKUPS
    folder.mkdir(parents=True)
    copy = folder / "gunbai-000007-2026-09-20.tar.gz"
    copy.write_bytes(b"")
    os.utime(copy, (NOW.wall_s - 6 * 86_400,) * 2)
    state, told, _remedy = machines.backups(machine, NOW.wall_s)
    assert (state, told) == ("ok", "gunbai-000007-2026-09-20.tar.gz, 6 days old"), "nothing was played since"
    (own_data / "games").mkdir(parents=True)
    (own_data / "games" / "late.jsonl").write_text("{}")
    os.utime(own_data / "games" / "late.jsonl", (NOW.wall_s,) * 2)
    state, _told, remedy = machines.backups(machine, NOW.wall_s)
    assert state == "note"
    assert "gunbai-backup.timer" in remedy
