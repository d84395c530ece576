"""Updates on a memory stick, installed by the root unit as the screen asks for it, on the booted machine."""

from __future__ import annotations

import time
from pathlib import Path

from companion.appliance.archive import read_head
from tests.lab.machine import Machine
from tests.lab.trial import APP, Cannot, Lab, Trial, ensure, wait_for_app
from tests.lab.trials.power import AS_USER, HOME
from tests.lab.trials.stick import STICK, plug_in

NAME = "update"
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


TRIALS: tuple[tuple[str, Trial], ...] = (("taken", taken),)
