"""The appliance by itself: its first picture, sandbox and health check, what it takes, and what hangs starts again."""

from __future__ import annotations

import json

from tests.lab.machine import SIZE_PX, Machine
from tests.lab.trial import APP, Cannot, Lab, ensure, in_guest_s, wait_for_app

US = 1_000_000


def first_picture(lab: Lab) -> str:
    """Check that the app comes up with the machine, and its home screen fills the card's screen."""
    machine = lab.machine()
    wait_for_app(machine)
    picture = lab.wait_for_picture("screen-first")
    shown_s = in_guest_s(machine)
    height_px, width_px, _ = picture.shape
    ensure((width_px, height_px) == SIZE_PX, f"the picture is {width_px} px wide")
    ensure(machine.property(APP, "NRestarts") == "0", "it took more than one start")
    begun_s, ready_s = (
        int(machine.property(APP, f"{when}TimestampMonotonic")) / US for when in ("InactiveExit", "ActiveEnter")
    )
    size = f"{width_px}×{height_px}"
    return f"{size}; unit {begun_s:.0f} s after the kernel, READY after {ready_s:.0f}, shown after {shown_s:.0f}"


def sandbox(lab: Lab) -> str:
    """Check that the drawing process keeps the unit's rights.

    No memory is both written and run, no capability is held, and a system call filter is on.
    """
    machine = lab.machine()
    wait_for_app(machine)
    process = machine.property(APP, "MainPID")
    ensure(machine.property(APP, "MemoryDenyWriteExecute") == "yes", "memory may be written and run")
    facts = machine.run(f"cat /proc/{process}/status")
    for fact in ("CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"):
        ensure(fact in facts, f"not so: {fact}")
    maps = machine.run(f"cat /proc/{process}/maps")
    ensure(" rwx" not in maps, "memory that is written and run")
    ensure("dri" in maps, "Mesa isn't in use")
    return f"holds, with Mesa's {_driver(maps)}"


def _driver(maps: str) -> str:
    names = {line.rpartition("/")[2] for line in maps.splitlines() if "gallium" in line or "_dri.so" in line}
    return ", ".join(sorted(names)) or "own loader"


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


CAMERA = "gunbai-camera.service"
AGAIN_S = 1800.0
RESET_S = 300.0


def app(lab: Lab) -> str:
    """Check that a frozen app is replaced."""
    machine = lab.machine()
    wait_for_app(machine)
    seconds = _frozen(machine, APP)
    wait_for_app(machine)
    ensure("Watchdog timeout" in machine.run(f"journalctl -b -u {APP} --no-pager"), "the journal doesn't say why")
    return f"another app after {seconds:.0f} s"


def camera(lab: Lab) -> str:
    """Check that a frozen camera's service is replaced, while the app runs on."""
    machine = lab.machine()
    wait_for_app(machine)
    process = machine.property(APP, "MainPID")
    seconds = _frozen(machine, CAMERA)
    ensure(machine.property(APP, "MainPID") == process, "the app was started again too")
    return f"another one after {seconds:.0f} s, the app ran on"


def _frozen(machine: Machine, unit: str) -> float:
    """Freeze a service's process: how long, by the guest's clock, until it is another one that runs."""
    process = machine.property(unit, "MainPID")
    ensure(process != "0", f"{unit} doesn't run")
    began_s = in_guest_s(machine)
    machine.run(f"kill -STOP {process}")
    other = f"systemctl is-active --quiet {unit} && [ $(systemctl show -p MainPID --value {unit}) != {process} ]"
    machine.wait_for(other, AGAIN_S, f"{unit} hangs, and nothing happens")
    return in_guest_s(machine) - began_s


def kernel(lab: Lab) -> str:
    """Check that a kernel that has stopped is reset by the machine's own watchdog."""
    machine = lab.machine()
    if machine.try_run("test -e /dev/watchdog0")[0]:
        raise Cannot("this kernel has no driver for QEMU's watchdog")
    armed = machine.run("systemctl show -p RuntimeWatchdogUSec --value")
    ensure(armed not in ("0", "", "infinity"), "nothing feeds the watchdog: a kernel that stops stays as it is")
    machine.monitor("watchdog-set-action", action="reset")
    machine.freeze_kernel()
    seconds = machine.event("WATCHDOG", RESET_S)
    lab.end()
    return f"armed with {armed}; reset {seconds:.0f} s after the kernel's end"
