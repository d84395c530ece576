"""The header's pins: lgpio on a chip of the kernel's (gpio-sim), whose levels are set and read from outside."""

from __future__ import annotations

from pathlib import Path

from hardware.wiring import Wiring
from tests.lab.machine import Machine
from tests.lab.trial import APP, Cannot, Lab, ensure, settle, wait_for_app
from tests.lab.trials.power import AS_US, HOME
from tests.lab.trials.touch import wait_for_page

UNIT = "lab-pins"
HEADER = 28  # lines of a chip that has BCM 0 to 27, as a Pi's
BANK = "/sys/kernel/config/gpio-sim/lab"
LINES = "/sys/devices/platform/gpio-sim.0/gpiochip*"
REVISION = "/run/lab/cpuinfo"  # by which gpiozero knows a Pi, this one a Pi 4; the app's unit sees it (.ci/lab)
SEEN_S = 600.0
WIRED = Wiring()


def header(lab: Lab) -> str:
    """Check a button, the knob and a lamp with the service's user and packages."""
    machine = lab.machine()
    _make_header(machine, lab.parts)
    machine.begin(UNIT, f"{AS_US} {machine.helper('pins')}")
    _wait_said(machine, "state='present'")
    ensure(_level(machine, WIRED.turn_red) == "1", "the lamp isn't lit")
    ensure(_level(machine, WIRED.turn_green) == "0", "another lamp is lit")
    _press(machine, WIRED.confirm_one)
    _wait_said(machine, "Press(control='confirm-one'")  # held for long, where the machine is slow to let go
    _turn_knob(machine)
    _wait_said(machine, "Turned(steps=1")
    machine.run(f"systemctl stop {UNIT}")
    return "a button, the knob and a lamp, by lgpio on the kernel's chip"


def app(lab: Lab) -> str:
    """In the app's sandbox a button leads on."""
    machine = lab.machine()
    _make_header(machine, lab.parts)
    settle(machine, "[desk]\npins = true\n")
    wait_for_app(machine)
    holds = f"ls -l /proc/$(systemctl show -p MainPID --value {APP})/fd | grep -q gpiochip0"
    machine.wait_for(holds, SEEN_S, "the app doesn't open the chip")
    before = lab.wait_for_picture("pins")
    _press(machine, WIRED.confirm_one)
    wait_for_page(lab, before, "pins", "a button does nothing in the app")
    return "a button leads on in the app, in its sandbox"


def _make_header(machine: Machine, parts: Path) -> None:
    """Make a chip like a Pi's, and what the service needs to take it for one."""
    if not parts.exists():
        raise Cannot("no gpio-sim was built for this kernel")
    if not machine.try_run("test -e /dev/gpiochip0")[0]:
        return
    machine.push("/run/lab/gpio-sim.ko", (parts / "gpio-sim.ko").read_bytes())
    machine.run("modprobe configfs && insmod /run/lab/gpio-sim.ko")
    machine.run(
        f"mkdir -p {BANK}/bank && echo {HEADER} >{BANK}/bank/num_lines && echo 1 >{BANK}/live && udevadm settle"
    )
    chip = machine.run("stat -c '%U %G %a' /dev/gpiochip0")
    ensure(chip == "root gpio 660", f"the chip is {chip}")
    packages = machine.run(f"echo {HOME}/.venv/lib/python3*/site-packages")
    for part in sorted(parts.glob("*lgpio*")):
        machine.push(f"{packages}/{part.name}", part.read_bytes())
    machine.push(REVISION, b"Revision : c03115\n")
    machine.run(f"mount --bind {REVISION} /proc/cpuinfo")


def _wait_said(machine: Machine, words: str) -> None:
    machine.wait_for(f'journalctl -b -u {UNIT} | grep -qF "{words}"', SEEN_S, f"not seen: {words}")


def _level(machine: Machine, pin: int) -> str:
    return machine.run(f"cat {LINES}/sim_gpio{pin}/value")


def _press(machine: Machine, pin: int) -> None:
    """Close a button's contact, and open it again."""
    line = f"{LINES}/sim_gpio{pin}/pull"
    machine.run(f"echo pull-down >$(echo {line}); sleep 0.4; echo pull-up >$(echo {line}); sleep 0.4")


def _turn_knob(machine: Machine) -> None:
    """One click clockwise: contact a closes first, and opens first."""
    a, b = (f"$(echo {LINES}/sim_gpio{pin}/pull)" for pin in (WIRED.encoder_a, WIRED.encoder_b))
    steps = (f"pull-down >{a}", f"pull-down >{b}", f"pull-up >{a}", f"pull-up >{b}")
    machine.run(" && ".join(f"echo {step} && sleep 0.1" for step in steps))
