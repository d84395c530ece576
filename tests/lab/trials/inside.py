"""The appliance as its owner finds it: the health check, what it takes when nobody plays, what isn't here."""

from __future__ import annotations

import json

from tests.lab.machine import Machine
from tests.lab.trial import APP, Cannot, Lab, Trial, ensure, wait_for_app

NAME = "inside"
DOCTOR_S = 1800.0
IDLE_S = 30
NS, MB = 1_000_000_000, 1_000_000


def checks(machine: Machine) -> list[dict[str, str]]:
    """The lines of the health check, with the service's rights."""
    told = json.loads(machine.run("gunbai doctor --json || [ $? = 1 ]", DOCTOR_S).splitlines()[-1])
    return list(told["checks"])


def doctor(lab: Lab) -> str:
    """The health check runs to its end; what it finds to do is what this machine lacks."""
    machine = lab.machine()
    wait_for_app(machine)
    found = checks(machine)
    states = [check["state"] for check in found]
    bad = [f"{check['name']}: {check['told']}" for check in found if check["state"] == "bad"]
    ensure(not bad, f"to do: {'; '.join(bad)}")
    return f"{len(states)} checks: {states.count('ok')} OK, {states.count('note')} notes"


def idle(lab: Lab) -> str:
    """Memory of both services, and the processor's time while the home screen is shown."""
    machine = lab.machine()
    wait_for_app(machine)
    machine.run("sleep 20")
    before = int(machine.property(APP, "CPUUsageNSec"))
    machine.run(f"sleep {IDLE_S}")
    busy = (int(machine.property(APP, "CPUUsageNSec")) - before) / NS / IDLE_S
    app, camera = (int(machine.property(unit, "MemoryCurrent")) / MB for unit in (APP, "gunbai-camera.service"))
    ensure(app + camera < 450, f"{app:.0f} and {camera:.0f} MB are too much for 1 GB")
    return f"app {app:.0f} MB, camera {camera:.0f} MB; the app takes {busy:.1%} of the processor"


def pins(lab: Lab) -> str:
    """The kernel's own pins, as the health check sees them with the service's rights."""
    machine = lab.machine()
    machine.try_run("modprobe gpio-sim || modprobe gpio-mockup")
    if machine.try_run("ls /dev/gpiochip*")[0]:
        raise Cannot("Debian's kernel has neither gpio-sim nor gpio-mockup, and this machine has no pins")
    line = next(check for check in checks(machine) if check["name"] == "pins")
    ensure(line["state"] != "bad", line["told"])
    return line["told"]


TRIALS: tuple[tuple[str, Trial], ...] = (("doctor", doctor), ("idle", idle), ("pins", pins))
