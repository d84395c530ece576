"""A game against Gunbai, which thinks in a process of its own, in the sandbox of the app's unit."""

from __future__ import annotations

from tests.lab.trial import APP, Lab, Trial, ensure
from tests.lab.trials.touch import begin, check_app, check_saved, follow, plug_in, read_taps, recorded

NAME = "alone"
SETTINGS = "[screen]\nmotion = false\n"
WORKER = "[c]ompanion.thinking.worker"
SEEN = "/run/lab/thought"


def turn(lab: Lab) -> str:
    """After a turn by touches Gunbai takes its own: the one that it takes here, by a thought in the sandbox."""
    machine = lab.machine()
    folder = recorded(lab, "alone", SETTINGS)
    begin(machine, folder)
    plug_in(machine)
    machine.begin("lab-thought", f"/bin/sh -c 'until cat /proc/$(pgrep -f {WORKER})/cgroup >{SEEN}; do sleep 1; done'")
    taps = read_taps(folder)
    same = follow(lab, taps, "alone")
    lab.keep_picture("alone")
    ensure(APP in machine.run(f"cat {SEEN}"), "no process of the app's has thought")
    told = machine.try_run(f"journalctl -b -u {APP} --no-pager | grep thinking:")[1]
    ensure(not told, told)
    steps = check_saved(lab, folder, "alone")
    check_app(machine)
    return f"{len(taps)} touches, {steps} steps, the last one Gunbai's; {same} pictures as expected"


TRIALS: tuple[tuple[str, Trial], ...] = (("turn", turn),)
