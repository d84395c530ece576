"""What hangs is started again: the app, the camera's service, and the machine itself."""

from __future__ import annotations

from tests.lab.machine import Machine
from tests.lab.trial import APP, Cannot, Lab, Trial, ensure, in_guest_s, wait_for_app

NAME = "watchdog"
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


TRIALS: tuple[tuple[str, Trial], ...] = (("app", app), ("camera", camera), ("kernel", kernel))
