"""Fingers on a multi-touch screen of the kernel's, read by SDL from /dev/input without a desktop.

A game is played here on a screen that isn't there (`tests.lab.plays`), and then by the same touches in the machine,
which has to show the same picture after each.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.games.journal import read_journal
from tests.lab.machine import SIZE_PX, LabError, Machine, read_picture, run_here
from tests.lab.trial import APP, APP_S, BEGUN, SETTINGS, Lab, ensure, wait_for_app
from vision.geometry import Picture

FIFO = "/run/lab/touch"
UNIT = "lab-touch"
GAMES = "/var/lib/gunbai/games"
OWN = f"{GAMES} /var/lib/gunbai/config"  # what makes a start no first one
NEW = 0.97  # of what a touch changes has to be there before the next one
OLD = 0.98  # of the rest: a word may differ, such as one about the machine
SAME = 0.999  # of a picture that is the same
LEADS_ON = 0.9  # of a picture stays at most where another page comes
SHOWN_S = 600.0  # until a touch shows, on a slow and busy processor
READ_S = 1.0  # nobody who reads what is there touches sooner, and the app ignores who does
TURNED_TAPS = 25
SHARED = '[screen]\nlayout = "two"\nmotion = false\nrotation = {}\n'


@dataclass(frozen=True, slots=True)
class Tap:
    """Fingers that go down at once; `before` and `after`: what the screen shows."""

    fingers: Sequence[tuple[float, float]]
    before: Picture
    after: Picture


def game(lab: Lab) -> str:
    """Play a whole game of Rivers in halves, with the screen pulled and plugged in again in the middle."""
    machine = lab.machine()
    folder = recorded(lab, "whole", SHARED.format(0))
    taps = read_taps(folder)
    begin(machine, folder)
    plug_in(machine)
    half = len(taps) // 2
    same = follow(lab, taps[:half], "touch-game")
    machine.run(f"systemctl stop {UNIT}; sleep 3")
    plug_in(machine)
    same += follow(lab, taps[half:], "touch-game")
    lab.keep_picture("touch-game")
    steps = check_saved(lab, folder, "touch-game")
    check_app(machine)
    shared = sum(len(tap.fingers) > 1 for tap in taps)
    return (
        f"{len(taps)} touches, {shared} of them in both halves at once, {steps} steps saved as they were played; "
        f"{same} pictures as expected to {1 - SAME:.1%}; a replug after {half}"
    )


def turned(lab: Lab) -> str:
    """On a screen turned by a quarter the same touches begin the game."""
    machine = lab.machine()
    folder = recorded(lab, "whole", SHARED.format(90))
    begin(machine, folder)
    plug_in(machine)
    same = follow(lab, read_taps(folder)[:TURNED_TAPS], "touch-turned")
    lab.keep_picture("touch-turned")
    check_app(machine)
    return f"{TURNED_TAPS} touches; {same} pictures as expected to {1 - SAME:.1%}"


def recorded(lab: Lab, what: str, settings: str) -> Path:
    """Play a game here with `tests.lab.plays` and return its folder."""
    folder, owners = lab.results / f"recording-{what}", lab.results / "recording.toml"
    owners.write_text(settings, encoding="utf-8")
    size = "{}x{}".format(*SIZE_PX)
    run_here(sys.executable, "-m", "tests.lab.plays", what, str(owners), str(folder), size)
    shutil.copyfile(owners, folder / "settings.toml")
    return folder


def read_taps(folder: Path) -> list[Tap]:
    """Read the taps that `tests.lab.plays` wrote; pictures are read when they are needed."""
    lines = (folder / "taps.jsonl").read_text(encoding="utf-8").splitlines()
    fingers: list[Any] = [json.loads(line)["fingers"] for line in lines]
    pictures = [folder / f"{number}.png" for number in range(len(fingers) + 1)]
    return [
        Tap(places, read_picture(before), read_picture(after))
        for places, before, after in zip(fingers, pictures, pictures[1:], strict=False)
    ]


def begin(machine: Machine, folder: Path) -> None:
    """Start the app with the recording's settings and the game that it had begun, if any, but no other."""
    machine.changed = True
    machine.push(SETTINGS, (folder / "settings.toml").read_bytes())
    machine.run(f"systemctl reset-failed {APP}; systemctl stop {APP}; rm -rf {OWN}", APP_S)
    begun = folder / BEGUN
    if begun.exists():
        machine.push(f"{GAMES}/{begun.name}", begun.read_bytes())
        machine.run(f"chown -R gunbai: {GAMES}")
    machine.run(f"systemctl start {APP}", APP_S)
    wait_for_app(machine)


def follow(lab: Lab, taps: Sequence[Tap], name: str, limit_s: float = SHOWN_S) -> int:
    """Touch, and wait until that shows, again and again: how often the picture was the same."""
    same = 0
    for tap in taps:
        wait_for_shown(lab, Tap((), tap.before, tap.before), name, limit_s)
        lab.machine().run(f"sleep {READ_S}; echo '{json.dumps(tap.fingers)}' >{FIFO}")
        same += wait_for_shown(lab, tap, name, limit_s)
    return same


def wait_for_shown(lab: Lab, tap: Tap, name: str, limit_s: float) -> bool:
    """Wait until the screen shows what comes of a touch: whether the picture is the same."""
    until_s, after = time.monotonic() + limit_s, tap.after
    while not shows(now := lab.machine().picture(), tap.before, after):
        if time.monotonic() > until_s:
            lab.keep_picture(name)
            cv2.imwrite(str(lab.results / f"{name}-expected.png"), after)
            raise LabError(f"a touch doesn't show: {name}.png isn't {name}-expected.png")
        time.sleep(0.3)
    return equal_share(now, after) >= SAME


def shows(now: Picture, before: Picture, after: Picture) -> bool:
    """Whether what differs between two pictures is on the screen as in the second, and nearly all of the rest."""
    if now.shape != after.shape:
        return False
    right = (now == after).all(axis=2)
    new = (before != after).any(axis=2)
    return bool(right[new].mean() >= NEW if new.any() else True) and bool(right[~new].mean() >= OLD)


def equal_share(one: Picture, other: Picture) -> float:
    """How much of two pictures of a size is the same."""
    return float(np.mean((one == other).all(axis=2)))


def wait_for_page(lab: Lab, before: Picture, name: str, otherwise: str) -> None:
    """Wait until the screen shows another page than before, which is kept as NAME.png."""
    until_s = time.monotonic() + SHOWN_S
    while equal_share(before, lab.keep_picture(name)) > LEADS_ON:
        ensure(time.monotonic() < until_s, otherwise)
        time.sleep(1.0)


def plug_in(machine: Machine) -> None:
    """Plug the touch screen in."""
    machine.run("modprobe uinput")
    machine.begin(UNIT, f"/usr/bin/python3 {machine.helper('touch')} {FIFO}")
    machine.wait_for(f"test -p {FIFO} && grep -q 'Lab touch' /proc/bus/input/devices", 120, "no device appears")
    machine.run("udevadm settle; sleep 3")


def check_saved(lab: Lab, folder: Path, name: str) -> int:
    """Check that the machine's one game is saved as it was recorded, and return its number of steps.

    The game is kept as NAME.jsonl.
    """
    saved = lab.results / f"{name}.jsonl"
    saved.write_text(lab.machine().run(f"cat {GAMES}/*.jsonl") + "\n", encoding="utf-8")
    steps = read_journal(saved).steps
    ensure(steps == read_journal(folder / "game.jsonl").steps, "the saved game is another one")
    return len(steps)


def check_app(machine: Machine) -> None:
    """Pull the touch screen, and check that the app has run on without a restart."""
    machine.run(f"systemctl stop {UNIT}")
    ensure(machine.property(APP, "NRestarts") == "0", "the app was started again")


ALONE = "[screen]\nmotion = false\n"
WORKER = "[c]ompanion.thinking.worker"
SEEN = "/run/lab/thought"


def turn(lab: Lab) -> str:
    """After a turn by touches Gunbai takes its own: the one that it takes here, by a thought in the sandbox."""
    machine = lab.machine()
    folder = recorded(lab, "alone", ALONE)
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
