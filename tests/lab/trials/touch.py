"""Fingers on a multi-touch screen of the kernel's, read by SDL from /dev/input without a desktop.

A game is played here on a screen that isn't there (`tests.lab.recording`), and then by the same touches in the machine,
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
from tests.lab.trial import APP, APP_S, SETTINGS, Lab, Trial, ensure, wait_for_app
from vision.geometry import Picture

NAME = "touch"
FIFO = "/run/lab/touch"
UNIT = "lab-touch"
GAMES = "/var/lib/gunbai/games"
OWN = f"{GAMES} /var/lib/gunbai/config"  # what makes a start no first one
NEW = 0.97  # of what a touch changes has to be there before the next one
OLD = 0.98  # of the rest: a word may differ, such as one about the machine
SAME = 0.999  # of a picture that is the same
SHOWN_S = 600.0  # until a touch shows, on a slow and busy processor
READ_S = 1.0  # nobody who reads what is there touches sooner, and the app ignores who does
TURNED_TAPS = 25


@dataclass(frozen=True, slots=True)
class Tap:
    """Fingers that go down at once; `before` and `after`: what the screen shows."""

    fingers: Sequence[tuple[float, float]]
    before: Picture
    after: Picture


def game(lab: Lab) -> str:
    """A whole game of Rivers in halves; the screen is pulled and plugged in again in the middle."""
    machine = lab.machine()
    folder = _recorded(lab, 0)
    taps = read_taps(folder)
    _begin(machine, folder)
    _plug_in(machine)
    half = len(taps) // 2
    same = _follow(lab, taps[:half], "touch-game")
    machine.run(f"systemctl stop {UNIT}; sleep 3")
    _plug_in(machine)
    same += _follow(lab, taps[half:], "touch-game")
    lab.keep_picture("touch-game")
    played = lab.results / "touch-game.jsonl"
    played.write_text(machine.run(f"cat {GAMES}/*.jsonl") + "\n", encoding="utf-8")
    steps = read_journal(played).steps
    ensure(steps == read_journal(folder / "game.jsonl").steps, "the saved game is another one")
    _check_app(machine)
    shared = sum(len(tap.fingers) > 1 for tap in taps)
    return (
        f"{len(taps)} touches, {shared} of them in both halves at once, {len(steps)} steps saved as they were played; "
        f"{same} pictures as expected to {1 - SAME:.1%}; a replug after {half}"
    )


def turned(lab: Lab) -> str:
    """On a screen turned by a quarter the same touches begin the game."""
    machine = lab.machine()
    folder = _recorded(lab, 90)
    _begin(machine, folder)
    _plug_in(machine)
    same = _follow(lab, read_taps(folder)[:TURNED_TAPS], "touch-turned")
    lab.keep_picture("touch-turned")
    _check_app(machine)
    return f"{TURNED_TAPS} touches; {same} pictures as expected to {1 - SAME:.1%}"


def _recorded(lab: Lab, rotation: int) -> Path:
    """The folder of the game as it is played here."""
    folder = lab.results / f"recording-{rotation}"
    settings = lab.results / f"touch-{rotation}.toml"
    settings.write_text(f'[screen]\nlayout = "two"\nmotion = false\nrotation = {rotation}\n', encoding="utf-8")
    size = "{}x{}".format(*SIZE_PX)
    run_here(sys.executable, "-m", "tests.lab.recording", str(settings), str(folder), size)
    shutil.copyfile(settings, folder / "settings.toml")
    return folder


def read_taps(folder: Path) -> list[Tap]:
    """What `tests.lab.recording` wrote; pictures are read when they are needed."""
    lines = (folder / "taps.jsonl").read_text(encoding="utf-8").splitlines()
    fingers: list[Any] = [json.loads(line)["fingers"] for line in lines]
    pictures = [folder / f"{number}.png" for number in range(len(fingers) + 1)]
    return [
        Tap(places, read_picture(before), read_picture(after))
        for places, before, after in zip(fingers, pictures, pictures[1:], strict=False)
    ]


def _begin(machine: Machine, folder: Path) -> None:
    """Start the app with the recording's settings, as if nobody had played yet."""
    machine.changed = True
    machine.push(SETTINGS, (folder / "settings.toml").read_bytes())
    machine.run(f"systemctl reset-failed {APP}; systemctl stop {APP}; rm -rf {OWN}; systemctl start {APP}", APP_S)
    wait_for_app(machine)


def _follow(lab: Lab, taps: Sequence[Tap], name: str) -> int:
    """Touch, and wait until that shows, again and again: how often the picture was the same."""
    same = 0
    for tap in taps:
        _wait(lab, tap.before, tap.before, name)
        lab.machine().run(f"sleep {READ_S}; echo '{json.dumps(tap.fingers)}' >{FIFO}")
        same += _wait(lab, tap.before, tap.after, name)
    return same


def _wait(lab: Lab, before: Picture, after: Picture, name: str) -> bool:
    """Wait until the screen shows it: whether the picture is the same."""
    until_s = time.monotonic() + SHOWN_S
    while not shows(now := lab.machine().picture(), before, after):
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


def _plug_in(machine: Machine) -> None:
    """Plug the touch screen in."""
    machine.run("modprobe uinput")
    machine.begin(UNIT, f"/usr/bin/python3 {machine.helper('touch')} {FIFO}")
    machine.wait_for(f"test -p {FIFO} && grep -q 'Lab touch' /proc/bus/input/devices", 120, "no device appears")
    machine.run("udevadm settle; sleep 3")


def _check_app(machine: Machine) -> None:
    machine.run(f"systemctl stop {UNIT}")
    ensure(machine.property(APP, "NRestarts") == "0", "the app was started again")


TRIALS: tuple[tuple[str, Trial], ...] = (("turned", turned), ("game", game))
