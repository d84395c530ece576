"""The helper that mounts memory sticks, and udev's rule that calls it."""

import re
import subprocess
from pathlib import Path

import pytest

from companion.appliance import layout
from companion.core import sticks
from tests.systemd.units.unit_files import SYSTEMD, Command


def test_udev_mounts_for_the_app_alone_what_can_do_no_harm() -> None:
    rules = (SYSTEMD / "udev/71-gunbai-stick.rules").read_text()
    kinds = dict(re.findall(r'ENV\{ID_FS_TYPE\}=="(\w+)", ENV\{SYSTEMD_MOUNT_OPTIONS\}="([^"]+)"', rules))
    assert kinds.keys() == sticks.KNOWN
    for options in kinds.values():
        given = set(options.split(","))
        assert {"nosuid", "nodev", "noexec", f"uid={layout.USER}", f"gid={layout.USER}", "umask=0077"} <= given
    assert 'ENV{SYSTEMD_WANTS}+="gunbai-stick@$kernel.service"' in rules
    assert "|".join(kinds) in rules
    assert 'ENV{ID_BUS}!="usb"' in rules
    assert f"place={sticks.OWN}/" in (SYSTEMD / "stick.sh").read_text()


STICK_TOOLS = {
    "lsblk": 'cat "$ROOM/mounts"',
    "systemd-mount": 'echo "mount $*" >>"$ROOM/asked"',
    "systemd-umount": 'echo "umount $*" >>"$ROOM/asked"; [ ! -e "$ROOM/busy" ] && rm -f "$ROOM/mounted"',
    "mountpoint": '[ -e "$ROOM/mounted" ]',
    "sleep": 'echo x >>"$ROOM/slept"; [ "$(wc -l <"$ROOM/slept")" -lt 3 ] || rm -f "$ROOM/busy"',
}


class Helper:
    """The helper in a room of its own, with tools that note what they are asked for."""

    def __init__(self, room: Path) -> None:
        self.room = room
        (room / "devices/sda/sda1").mkdir(parents=True)
        (room / "devices/sda/sda1/partition").write_text("1")
        (room / "class").mkdir()
        for name in ("sda", "sda/sda1"):
            (room / "class" / Path(name).name).symlink_to(room / "devices" / name)
        (room / "mounts").write_text("\n")
        for name, told in STICK_TOOLS.items():
            Command._program(room / "tools" / name, f"#!/bin/sh\n{told}\n".replace("$ROOM", str(room)))
        text = (SYSTEMD / "stick.sh").read_text().replace("/sys/class/block", str(room / "class"))
        Command._program(room / "stick.sh", text)

    def __call__(self, *words: str) -> subprocess.CompletedProcess[str]:
        path = {"PATH": f"{self.room}/tools:/usr/bin:/bin"}
        return subprocess.run(
            [self.room / "stick.sh", *words], env=path, check=False, capture_output=True, text=True, timeout=60
        )

    @property
    def asked(self) -> list[str]:
        return (self.room / "asked").read_text().splitlines() if (self.room / "asked").exists() else []


def test_a_stick_is_mounted_under_its_own_name(tmp_path: Path) -> None:
    helper = Helper(tmp_path)
    assert helper("in", "sda1").returncode == 0
    assert len(helper.asked) == 1
    assert helper.asked[0].endswith(" --discover /dev/sda1 /media/gunbai/sda1")


def test_one_that_could_not_be_unmounted_is_taken_as_it_is(tmp_path: Path) -> None:
    helper = Helper(tmp_path)
    (tmp_path / "mounted").touch()
    assert helper("in", "sda1").returncode == 0
    assert helper.asked == []


@pytest.mark.parametrize("mounts", ["/\n", "\n[SWAP]\n", "/media/gunbai/sda2\\x0a/boot/firmware\n", "/media/ana\n"])
def test_a_disk_that_the_system_uses_is_no_stick(tmp_path: Path, mounts: str) -> None:
    helper = Helper(tmp_path)
    (tmp_path / "mounts").write_text(mounts)
    done = helper("in", "sda1")
    assert done.returncode == 0
    assert "on a disk that the system uses" in done.stdout
    assert helper.asked == []


def test_another_partition_of_a_stick_is_mounted_too(tmp_path: Path) -> None:
    helper = Helper(tmp_path)
    (tmp_path / "mounts").write_text("\n/media/gunbai/sda2\n")
    assert helper("in", "sda1").returncode == 0
    assert len(helper.asked) == 1


@pytest.mark.parametrize("name", ["../sda", "", "sda 1", "sda;x", "SDA"])
def test_what_is_no_name_of_a_disk_is_refused(tmp_path: Path, name: str) -> None:
    helper = Helper(tmp_path)
    assert helper("in", name).returncode == 2
    assert helper.asked == []


def test_a_stick_that_is_held_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    helper = Helper(tmp_path)
    assert helper("out", "sda1").returncode == 0
    assert helper.asked == [], "it was not mounted"
    for mark in ("mounted", "busy"):
        (tmp_path / mark).touch()
    assert helper("out", "sda1").returncode == 0
    assert len(helper.asked) == 4
    (tmp_path / "mounted").touch()
    (tmp_path / "tools/sleep").write_text("#!/bin/sh\n")
    (tmp_path / "busy").touch()
    done = helper("out", "sda1")
    assert done.returncode == 1
    assert "still in use" in done.stdout
