"""Cameras in their own service: a test picture seen, pulled and plugged in again; a turn seen on a rendered table."""

from __future__ import annotations

import time
from pathlib import Path

import cv2

from tests.lab.machine import Machine, read_picture
from tests.lab.trial import APP, Cannot, Lab, ensure, settle, wait_for_app
from tests.lab.trials.appliance import checks
from tests.lab.trials.power import HOME
from tests.lab.trials.touch import begin, check_app, check_saved, follow, plug_in, read_taps, recorded, wait_for_shown

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


SETTINGS = "[screen]\nmotion = false\ndim_after_s = 0\n"
DEVICE, NUMBER = "/dev/video9", 9
FRAME, TABLE = "/run/lab/frame", "/var/lib/gunbai/lab.table"
SEES_S = 3000.0  # the eye's networks take a hundred times as long as on the host
PATIENCE = ("app/service.py", "perception/camera_process.py")  # where it is said for how long the eye may be silent


def turn(lab: Lab) -> str:
    """Check that the start is found right, a turn is seen and offered, and a touch confirms it and has it saved."""
    machine = lab.machine()
    folder = recorded(lab, "seen", SETTINGS)
    (folder / "settings.toml").write_text(f'camera = "{DEVICE}"\ntable = "{TABLE}"\n{SETTINGS}', encoding="utf-8")
    _make_camera(machine, lab.parts, folder / "seen" / "0.png")
    machine.push(TABLE, (folder / "lab.table").read_bytes())
    _wait_longer(machine)
    begin(machine, folder)
    plug_in(machine)
    taps = read_taps(folder)
    go_on, agrees, offered, confirm, agrees_again = taps
    same = follow(lab, [go_on], "eye") + wait_for_shown(lab, agrees, "eye", SEES_S)
    _show(machine, folder / "seen" / "1.png")
    same += wait_for_shown(lab, offered, "eye", SEES_S)
    lab.keep_picture("eye-offered")
    same += follow(lab, [confirm], "eye", SEES_S) + wait_for_shown(lab, agrees_again, "eye", SEES_S)
    lab.keep_picture("eye")
    check_saved(lab, folder, "eye")
    ensure(machine.property(SERVICE, "NRestarts") == "0", "the camera's service was started again")
    check_app(machine)
    return f"a turn seen, offered, confirmed by a touch and saved; {same} of {len(taps)} pictures as expected"


def _make_camera(machine: Machine, parts: Path, picture: Path) -> None:
    """Plug a camera in that sees this picture."""
    module = parts / "v4l2loopback.ko"
    if not module.exists():
        raise Cannot("no v4l2loopback was built for this kernel")
    machine.push("/run/lab/v4l2loopback.ko", module.read_bytes())
    machine.run(f"modprobe videodev && insmod /run/lab/v4l2loopback.ko video_nr={NUMBER} exclusive_caps=1")
    machine.wait_for(f"test -c {DEVICE}", 120, "no camera appears")
    height, width, _ = read_picture(picture).shape
    _show(machine, picture)
    machine.begin("lab-camera", f"/usr/bin/python3 {machine.helper('camera')} {DEVICE} {FRAME} {width}x{height}")
    machine.run("udevadm settle")


def _show(machine: Machine, picture: Path) -> None:
    """Let the camera see this picture."""
    machine.push(f"{FRAME}.part", cv2.cvtColor(read_picture(picture), cv2.COLOR_BGR2YUV_YUYV).tobytes())
    machine.run(f"mv {FRAME}.part {FRAME}")


def _wait_longer(machine: Machine) -> None:
    """Make the app and systemd wait much longer before they take a slow eye for a dead one."""
    for unit in (APP, SERVICE):
        machine.push(f"/run/systemd/system/{unit}.d/60-eye.conf", f"[Service]\nWatchdogSec={SEES_S:.0f}\n".encode())
    files = " ".join(f"{HOME}/companion/{name}" for name in PATIENCE)
    longer = f"sed -i -E 's/^(CAMERA_S|STARTING_S|SILENT_S) = .*/\\1 = {SEES_S}/' {files}"
    machine.run(f"{longer} && [ $(cat {files} | grep -c ' = {SEES_S}$') = 3 ] && systemctl daemon-reload")
