"""The appliance as its owner finds it: the health check, what it takes when nobody plays."""

from __future__ import annotations

import json

from tests.lab.machine import Machine
from tests.lab.trial import APP, Lab, Trial, ensure, wait_for_app

NAME = "inside"
DOCTOR_S = 1800.0
IDLE_S = 30
NS, MB = 1_000_000_000, 1_000_000
MOST_MB = 450
OWN = ("anon", "kernel", "shmem")


def checks(machine: Machine) -> list[dict[str, str]]:
    """Return the lines of the health check, run with the service's rights."""
    told = json.loads(machine.run("gunbai doctor --json || [ $? = 1 ]", DOCTOR_S).splitlines()[-1])
    return list(told["checks"])


def doctor(lab: Lab) -> str:
    """Check that the health check runs to its end and finds only what this machine lacks."""
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
    app, camera = (_own_mb(machine, unit) for unit in (APP, "gunbai-camera.service"))
    ensure(app + camera < MOST_MB, f"{app:.0f} and {camera:.0f} MB are too much for 1 GB")
    return f"app {app:.0f} MB, camera {camera:.0f} MB of their own; the app takes {busy:.1%} of the processor"


def _own_mb(machine: Machine, unit: str) -> float:
    """Return a service's memory in MB without the files it has read, which the kernel drops when it needs room."""
    facts = machine.run(f"cat /sys/fs/cgroup/system.slice/{unit}/memory.stat").splitlines()
    return sum(int(size) for name, size in map(str.split, facts) if name in OWN) / MB


TRIALS: tuple[tuple[str, Trial], ...] = (("doctor", doctor), ("idle", idle))
