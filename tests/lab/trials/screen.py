"""The picture on a real graphics card: KMSDRM, with the SDL of the service's own wheel and the system's Mesa."""

from __future__ import annotations

from tests.lab.machine import SIZE_PX
from tests.lab.trial import APP, Lab, Trial, ensure, in_guest_s, wait_for_app

NAME = "screen"
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


TRIALS: tuple[tuple[str, Trial], ...] = (("first-picture", first_picture), ("sandbox", sandbox))
