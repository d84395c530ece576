"""What a trial is given, and how it ends: with a sentence, with `LabError` (FAIL), or with `Cannot`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np

from tests.lab.machine import LabError, Machine, flatten, from_state, overlay
from vision.geometry import Picture

APP = "gunbai.service"
APP_S = 1800.0  # the app's start on a slow and busy processor, from the boot's end
PICTURE_S, PICTURE_EVERY_S = 120.0, 1.0
FEWEST_COLOURS = 40  # of a screen of ours; a console's has some twenty
SETTINGS = "/etc/gunbai/settings.toml"
BEGUN = "begun.jsonl"  # a game that is among the saved ones when the app starts
PORTS = ("reader", "controller")
TOLD = "told"
"""A port of the guest's, and the file here that has what was written to it, however suddenly the guest ended."""


def colours(picture: Picture) -> int:
    """How many different ones there are."""
    return len(np.unique(picture.reshape(-1, 3), axis=0))


class Cannot(Exception):
    """It can't be tried here; the message says why."""


@dataclass
class Lab:
    """A Debian machine's image, and where its results go. One machine runs at a time."""

    image: Path
    results: Path
    cuts: int
    seed: int
    _machine: Machine | None = field(default=None, init=False)

    def machine(self) -> Machine:
        """Return the machine that trials share, with the app READY; a new one if the last is gone."""
        if self._machine is None or not self._machine.runs:
            self.make_ready()
            disk = overlay(self.ready_disk, self.results / "shared.qcow2")
            folder = self.results / "machine"
            words = (*devices(folder), *from_state(self.ready_state))
            self._machine = Machine(self.image, disk, folder, words)
            self._machine.go_on()
            self._machine.boot()
        return self._machine

    @property
    def ready_disk(self) -> Path:
        """The disk of the machine once its app was READY for the first time."""
        return self.image / "ready.raw"

    @property
    def ready_state(self) -> Path:
        """Its memory at that moment."""
        return self.image / "ready.state"

    @property
    def parts(self) -> Path:
        """The folder with what Debian lacks for pins and a camera; none where it couldn't be made."""
        return self.image.with_name(f"{self.image.name.partition('-')[0]}.parts")

    def make_ready(self) -> None:
        """Boot the image until its app is READY, and keep that; every machine starts from there in a few seconds."""
        if self.ready_state.exists():
            return
        booted, folder = self.image / "booted.qcow2", self.results / "machine"
        with Machine(self.image, overlay(self.image / "disk.raw", booted), folder, devices(folder)) as machine:
            machine.boot()
            wait_for_app(machine)
            machine.keep(self.ready_state)
        flatten(booted, self.ready_disk)

    def end_changed(self) -> None:
        """Take a machine's power away whose settings a trial has changed: no other goes on with them."""
        if self._machine is not None and self._machine.changed:
            self.end()

    def end(self) -> None:
        """Take the shared machine's power away; the next one starts where this one did."""
        if self._machine is not None:
            self._machine.cut()
        self._machine = None

    def keep_picture(self, name: str) -> Picture:
        """Return a picture of the screen, also kept as NAME.png."""
        picture = self.machine().picture()
        cv2.imwrite(str(self.results / f"{name}.png"), picture)
        return picture

    def wait_for_picture(self, name: str, limit_s: float = PICTURE_S) -> Picture:
        """Wait until the screen shows one of ours, which is kept as NAME.png."""
        until_s = time.monotonic() + limit_s
        while colours(picture := self.keep_picture(name)) < FEWEST_COLOURS:
            ensure(time.monotonic() < until_s, f"the picture has {colours(picture)} colours: it isn't Gunbai's")
            time.sleep(PICTURE_EVERY_S)
        return picture

    def keep_journal(self, name: str, since: str) -> None:
        """Keep what the guest's journal says since then as NAME.journal; a guest that doesn't answer is given up."""
        if self._machine is None or not self._machine.runs:
            return
        try:
            told = self._machine.run(f"journalctl -b --no-pager -o short-precise --since '{since}'")
        except LabError as error:
            told = f"none: {error}"
            self.end()
        (self.results / f"{name}.journal").write_text(told, encoding="utf-8")

    def guest_now(self) -> str:
        """Return the guest's wall clock as its journal takes it; "yesterday" if the guest isn't up or answering."""
        if self._machine is not None and self._machine.runs:
            try:
                return self._machine.run("date '+%F %T'")
            except LabError:
                self.end()
        return "yesterday"


def devices(folder: Path) -> tuple[str, ...]:
    """QEMU's words for what a machine has besides: a watchdog, lines for serial devices to be plugged in, and TOLD."""
    lines = [f"socket,id={port},path={folder / port},server=on,wait=off" for port in PORTS]
    lines += [f"file,id=told,path={folder / TOLD}"]
    # It goes by the host's clock, and a busy host may not let the guest feed it: it resets where that is what is tried.
    watchdog = ("-device", "i6300esb", "-watchdog-action", "none")
    port = ("-device", f"virtserialport,chardev=told,name=gunbai.{TOLD}")
    return (*watchdog, *(word for line in lines for word in ("-chardev", line)), *port)


def settle(machine: Machine, settings: str) -> None:
    """Start the app anew with these settings of the machine's owner."""
    machine.changed = True
    machine.push(SETTINGS, settings.encode())
    machine.run(f"systemctl reset-failed {APP}; systemctl restart {APP}", APP_S)


Trial: TypeAlias = Callable[[Lab], str]


def wait_for_app(machine: Machine, limit_s: float = APP_S) -> None:
    """Wait until the app is READY."""
    machine.wait_for(f"systemctl is-active --quiet {APP}", limit_s, "the app does not become READY")


def in_guest_s(machine: Machine) -> float:
    """Return the guest's own clock, in seconds since its start."""
    return float(machine.run("cut -d ' ' -f 1 /proc/uptime"))


def ensure(true: object, otherwise: str) -> None:
    """LabError where it is not so."""
    if not true:
        raise LabError(otherwise)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a trial went. state: ok, FAIL or cannot."""

    state: str
    told: str
    seconds: float


def judge(trial: Trial, lab: Lab) -> Verdict:
    """Try it."""
    began_s = time.monotonic()
    try:
        state, told = "ok", trial(lab)
    except LabError as error:
        state, told = "FAIL", str(error)
    except Cannot as error:
        state, told = "cannot", str(error)
    return Verdict(state, told, time.monotonic() - began_s)


class Verdicts:
    """Those of one image, in a file, so that a run that was cut short goes on where it was."""

    def __init__(self, path: Path, image: str) -> None:
        self._path, self._image = path, image
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        self._known: dict[str, list[str]] = known["verdicts"] if known.get("image") == image else {}

    def passed(self, name: str) -> str | None:
        """Return what was told of a trial that went well; None for any other."""
        state, told = self._known.get(name, ["", ""])
        return told if state == "ok" else None

    def forget(self, names: Iterable[str]) -> None:
        """Try these again, whatever was known of them."""
        for name in names:
            self._known.pop(name, None)

    def add(self, name: str, verdict: Verdict) -> None:
        """Keep it."""
        self._known[name] = [verdict.state, verdict.told]
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps({"image": self._image, "verdicts": self._known}, indent=1), encoding="utf-8")
        part.replace(self._path)
