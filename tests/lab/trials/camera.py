"""A V4L2 camera of the kernel's (vivid's test picture) in the camera's own service: seen, pulled, plugged in again."""

from __future__ import annotations

import time

from tests.lab.machine import Machine
from tests.lab.trial import APP, Cannot, Lab, Trial, ensure, settle, wait_for_app
from tests.lab.trials.inside import checks

NAME = "camera"
SERVICE = "gunbai-camera.service"
SEEN_S = 300.0
BUS = "/sys/bus/platform/drivers/vivid"


def picture(lab: Lab) -> str:
    """Check that the health check takes a picture with the service's rights, and says when the camera is missing."""
    machine = lab.machine()
    if machine.try_run("modprobe vivid n_devs=1 node_types=0x1 input_types=0")[0]:
        raise Cannot("this kernel has no vivid")
    machine.wait_for("test -c /dev/video0", 120, "vivid makes no camera")
    machine.run("udevadm settle")
    until_s = time.monotonic() + SEEN_S
    while "×" not in (seen := _camera_line(machine))["told"]:  # a busy host lets its ten seconds go by
        ensure(time.monotonic() < until_s, f"the health check says: {seen['told']}")
    ensure(seen["state"] in ("ok", "note"), f"the health check says: {seen['told']}")
    settle(machine, 'camera = "/dev/video0"\n')
    wait_for_app(machine)
    ensure(machine.property(SERVICE, "ActiveState") == "active", "its service isn't active")
    machine.run(f"echo vivid.0 >{BUS}/unbind; sleep 5")
    ensure(machine.property(APP, "NRestarts") == "0", "the app was started again when it was pulled")
    ensure(machine.property(SERVICE, "ActiveState") == "active", "its service ended when it was pulled")
    gone = _camera_line(machine)
    ensure(gone["state"] == "bad", f"pulled, the health check says: {gone['told']}")
    return f"{seen['told']}; pulled: {gone['told']}"


def _camera_line(machine: Machine) -> dict[str, str]:
    return next(check for check in checks(machine) if check["name"] == "camera")


TRIALS: tuple[tuple[str, Trial], ...] = (("picture", picture),)
