"""Memory sticks in a USB port: mounted for the app's user, without programs, gone when pulled; and updates on them."""

from __future__ import annotations

import time
from pathlib import Path

from companion.appliance.archive import read_head
from tests.lab.machine import Machine, run_here
from tests.lab.trial import APP, Cannot, Lab, ensure, wait_for_app
from tests.lab.trials.power import AS_USER, HOME

STICK = "stick"
RULE = "/etc/udev/rules.d/71-gunbai-stick.rules"
PLACE = "/media/gunbai"
SIZE = "64M"
SEEN_S = 180.0
NAMES = {"vfat": ("mkfs.vfat", "-n"), "exfat": ("mkfs.exfat", "-L")}
ODD_NAME = "A B'$&!"  # what a shell could take for more than a name; FAT takes these in a label
OPTIONS = ("nosuid", "nodev", "noexec")


def plain(lab: Lab) -> str:
    """FAT and exFAT with an odd name: mounted, written by the app's user and nobody else, let go when pulled."""
    machine = _able(lab)
    for kind in NAMES:
        with_stick = make(lab, kind)
        place = _plug(machine, with_stick)
        options = machine.run(f"findmnt -no OPTIONS {place}").split(",")
        ensure(set(OPTIONS) <= set(options), f"{kind}: mounted with {','.join(options)}")
        machine.run(f"{AS_USER} sh -c 'echo kept >{place}/trial && sync {place}/trial && cat {place}/trial'")
        stranger = "setpriv --reuid=65534 --regid=65534 --clear-groups"
        ensure(machine.try_run(f"{stranger} ls {place}")[0], f"{kind}: anybody may read it")
        _pull(machine)
        _plug(machine, with_stick)
        ensure(machine.run(f"cat {place}/trial") == "kept", f"{kind}: what was written isn't there")
        _pull(machine)
    return "FAT and exFAT, named oddly: written, pulled, there again"


def refused(lab: Lab) -> str:
    """Check a full stick and a write-protected one: writing ends in an error, and the machine goes on."""
    machine = _able(lab)
    place = _plug(machine, make(lab, "vfat"))
    status, _told = machine.try_run(f"{AS_USER} dd if=/dev/zero of={place}/full bs=1M count=100 status=none")
    ensure(status, "100 MB were written to a stick of 64")
    _pull(machine)
    place = _plug(machine, make(lab, "vfat"), read_only=True)
    ensure(machine.try_run(f"{AS_USER} touch {place}/trial")[0], "a write-protected stick was written")
    _pull(machine)
    return "full and write-protected: an error, and no more"


def pulled(lab: Lab) -> str:
    """Check a stick pulled while it is written: the mount goes, the app runs on, the next stick works."""
    machine = _able(lab)
    process = machine.property(APP, "MainPID")
    place = _plug(machine, make(lab, "vfat"))
    machine.begin(
        "lab-writer", f"{AS_USER} sh -c 'while dd if=/dev/zero of={place}/a bs=64k count=400 conv=fsync; do :; done'"
    )
    machine.run("sleep 2")
    _pull(machine)
    machine.try_run("systemctl stop lab-writer")
    place = _plug(machine, make(lab, "vfat"))
    machine.run(f"{AS_USER} touch {place}/trial")
    _pull(machine)
    ensure(machine.property(APP, "MainPID") == process, "the app was started again")
    return "the mount went, the app ran on, the next stick was written"


def _able(lab: Lab) -> Machine:
    machine = lab.machine()
    if machine.try_run(f"test -e {RULE}")[0]:
        raise Cannot("this release mounts no memory sticks")
    return machine


def make(lab: Lab, kind: str) -> Path:
    """Make a stick's whole disk, without partitions."""
    path = lab.results / f"stick-{kind}.raw"
    path.unlink(missing_ok=True)
    run_here("truncate", "-s", SIZE, str(path))
    tool, name = NAMES[kind]
    run_here(tool, name, ODD_NAME, str(path))
    return path


def _plug(machine: Machine, path: Path, *, read_only: bool = False) -> str:
    machine.add_disk(STICK, path, read_only=read_only)
    return plug_in(machine)


def plug_in(machine: Machine) -> str:
    """Plug the stick in: where it is mounted."""
    machine.plug("usb-storage", "stick-device", drive=STICK, bus="usb.0")
    machine.wait_for(f"findmnt -nro TARGET | grep -q ^{PLACE}/", SEEN_S, "the stick isn't mounted")
    return machine.run(f"findmnt -nro TARGET | grep ^{PLACE}/")


def _pull(machine: Machine) -> None:
    machine.unplug("stick-device")
    machine.wait_for(f"! findmnt -nro TARGET | grep -q ^{PLACE}/", SEEN_S, "it was pulled, and is still mounted")
    machine.remove_disk(STICK)


SIGNERS = "/etc/gunbai/update-signers"
LOG = "/run/gunbai-update.log"
LONGEST_S = 3600.0  # as the unit has it


def taken(lab: Lab) -> str:
    """Check that a newer release takes over, and that one that doesn't start is rolled back by itself."""
    updates = lab.image / "updates"
    if not updates.exists():
        raise Cannot("no updates were packed for this machine")
    machine = lab.machine()
    machine.changed = True
    machine.push(SIGNERS, (updates / "signers").read_bytes())
    machine.add_folder(STICK, updates)
    plug_in(machine)
    newer, newer_s = _update(machine, updates / "newer.update", well=True)
    lab.wait_for_picture("update-newer")
    broken, broken_s = _update(machine, updates / "broken.update", well=False)
    lab.wait_for_picture("update-broken")
    ensure("stays in use" in machine.run(f"cat {LOG}"), "the log doesn't say that it was taken back")
    ensure(_in_use(machine) == newer, f"{_in_use(machine)} is in use after {broken}")
    done = f"{newer} was installed and READY in {newer_s:.0f} s"
    return f"{done}; {broken}, which doesn't start, was taken back in {broken_s:.0f} s"


def _update(machine: Machine, update: Path, *, well: bool) -> tuple[str, float]:
    """Ask for an update as the app's user does, and find the app READY: the release's name, how long it took."""
    began_s, release = time.monotonic(), read_head(update).manifest.release
    asked = f"{AS_USER} systemctl --no-ask-password start gunbai-update@{release}.service"
    status, _told = machine.try_run(asked, LONGEST_S)
    ensure((status == 0) is well, f"{release}: status {status}; {machine.run(f'tail -n 3 {LOG}')}")
    ensure((_in_use(machine) == release) is well, f"{_in_use(machine)} is in use after {release}")
    wait_for_app(machine)
    ensure(machine.property(APP, "NRestarts") == "0", f"{release}: the app took more than one start")
    return release, time.monotonic() - began_s


def _in_use(machine: Machine) -> str:
    return machine.run(f"basename $(readlink {HOME})")
