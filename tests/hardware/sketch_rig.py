"""The sketch for a microcontroller, run here: its pins and lamps are faked, everything else is the file as it is.

Where .ci/micropython/run has put MicroPython itself, the sketch runs under that, too, in a process of its own.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import pytest

from hardware.lights import OFF, Lights
from hardware.simulated_ports import Shown
from hardware.sketches import table_controller as sketch
from hardware.sketches.table_controller import Board, Controller


class Pin:
    """A pin whose level the test sets; an input that nothing is connected with reads 1."""

    IN, PULL_UP = 0, 1
    levels: ClassVar[dict[int, int]] = {}

    def __init__(self, number: int, *_: int) -> None:
        self.number = number

    def value(self) -> int:
        return self.levels.get(self.number, 1)


class PWM:
    """A buzzer."""

    sounding = False
    changes = 0

    def __init__(self, pin: Pin) -> None:
        self.pin = pin

    def freq(self, hertz: int) -> None:
        assert 100 < hertz < 10_000

    def duty_u16(self, duty: int) -> None:
        PWM.sounding = duty > 0
        PWM.changes += 1


class NeoPixel:
    """A chain of lamps; what is set counts once it is written."""

    lit: ClassVar[list[tuple[int, ...]]] = []

    def __init__(self, _pin: Pin, count: int) -> None:
        self.set = [(0, 0, 0)] * count

    def __setitem__(self, place: int, colour: tuple[int, int, int]) -> None:
        self.set[place] = colour

    def write(self) -> None:
        NeoPixel.lit[:] = self.set


def put_in(patch: pytest.MonkeyPatch) -> None:
    """Let the sketch import these instead of MicroPython's."""
    machine, neopixel = ModuleType("machine"), ModuleType("neopixel")
    machine.__dict__.update(Pin=Pin, PWM=PWM)
    neopixel.__dict__.update(NeoPixel=NeoPixel)
    patch.setitem(sys.modules, "machine", machine)
    patch.setitem(sys.modules, "neopixel", neopixel)
    patch.setattr(sketch, "BRIGHTNESS", 1.0)
    for name in ("STRIP_LAMPS", "BUTTONS", "VERSION"):
        patch.setattr(sketch, name, getattr(sketch, name))  # SketchController sets them
    Pin.levels.clear()
    PWM.sounding, PWM.changes = False, 0


def shown(lit: list[tuple[int, ...]], sounding: bool) -> Shown:
    """Return what a chain of lamps and a buzzer show."""
    turn, initiative, unsure, out_of_sync, *strip = [(red / 255, green / 255, blue / 255) for red, green, blue in lit]
    lights = Lights(turn, initiative, unsure=unsure != OFF.turn, out_of_sync=out_of_sync != OFF.turn)
    return Shown(lights, list(strip), buzz_ms=(1,) if sounding else ())


class SketchController:
    """The sketch as a far end, with what SimulatedController has."""

    def __init__(self, lamps: int = 16, version: int = 1, controls: tuple[str, ...] | None = None) -> None:
        if controls is not None:
            sketch.BUTTONS = {control: pin for pin, control in enumerate(controls, 20)}
        self.set_up(lamps, version)
        self.frozen = False
        self.run = 0
        self.start(0.0)

    # ---- fingers

    def press(self, control: str) -> None:
        self.set_level(sketch.BUTTONS[control], 0)

    def release(self, control: str) -> None:
        self.set_level(sketch.BUTTONS[control], 1)

    def turn(self, steps: int) -> None:
        """Turn it: four changes a click, the first contact leads clockwise."""
        first, second = (sketch.ENCODER_A, sketch.ENCODER_B)[:: 1 if steps > 0 else -1]
        for _ in range(abs(steps)):
            for pin, level in ((first, 0), (second, 0), (first, 1), (second, 1)):
                self.set_level(pin, level)
                self.step(2)

    def throw(self, *_dice: int) -> None:
        """Let a throw come to rest: the contact bounces."""
        for level in (0, 1, 0, 1):
            self.set_level(sketch.TRAY, level)
            self.step(3)

    # ---- the far end of a cable

    def start(self, now_s: float) -> None:
        self.run = (self.run + 1) % 256
        self.start_s, self.now_ms = now_s, 0
        self.begin()

    def speak(self, now_s: float) -> bytes:
        if self.frozen:
            self.start_s = now_s - self.now_ms / 1000
            return b""
        self.step(min(4000, max(0, round(1000 * (now_s - self.start_s)) - self.now_ms)))
        return self.said()

    def hear(self, data: bytes, now_s: float) -> None:
        if not self.frozen:
            self.take(data)

    # ---- the sketch

    def set_up(self, lamps: int, version: int) -> None:
        sketch.STRIP_LAMPS, sketch.VERSION = lamps, version

    def set_level(self, pin: int, level: int) -> None:
        Pin.levels[pin] = level

    @property
    def shown(self) -> Shown:
        return shown(NeoPixel.lit, PWM.sounding)

    def begin(self) -> None:
        self.controller = Controller(Board(), self.run)

    def said(self) -> bytes:
        return self.controller.said().encode("ascii")

    def take(self, data: bytes) -> None:
        self.controller.hear(data)

    def step(self, time_ms: int) -> None:
        for _ in range(time_ms):
            self.now_ms += 1
            self.controller.step(self.now_ms)


FOLDER = os.environ.get("GUNBAI_MICROPYTHON", "")
ROOT = Path(__file__).resolve().parents[2]


@cache
def process() -> subprocess.Popen[str]:
    """One for all tests; it ends with its standard input."""
    serve = ROOT / ".ci/micropython/serve.mjs"
    command = ["node", str(serve), FOLDER, str(ROOT / "hardware/sketches/table_controller.py")]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def run(code: str) -> str:
    """Run code there; what it printed."""
    node = process()
    assert node.stdin is not None
    assert node.stdout is not None
    node.stdin.write(json.dumps(code) + "\n")
    node.stdin.flush()
    printed, fault = json.loads(node.stdout.readline())
    assert fault is None, fault
    return str(printed)


class MicroPythonController(SketchController):
    """The sketch there as a far end."""

    def set_up(self, lamps: int, version: int) -> None:
        run(f"sketch.STRIP_LAMPS, sketch.VERSION, sketch.BRIGHTNESS = {lamps}, {version}, 1.0")
        run(f"sketch.BUTTONS = {sketch.BUTTONS!r}; machine.levels.clear()")

    def set_level(self, pin: int, level: int) -> None:
        run(f"machine.levels[{pin}] = {level}")

    @property
    def shown(self) -> Shown:
        return shown(ast.literal_eval(run("print(neopixel.lit)")), ast.literal_eval(run("print(machine.PWM.sounding)")))

    def begin(self) -> None:
        run(f"controller = sketch.Controller(sketch.Board(), {self.run})")

    def said(self) -> bytes:
        return str(ast.literal_eval(run("print(repr(controller.said()))"))).encode("ascii")

    def take(self, data: bytes) -> None:
        run(f"controller.hear({data!r})")

    def step(self, time_ms: int) -> None:
        run(f"steps(controller, {self.now_ms}, {self.now_ms + time_ms})")
        self.now_ms += time_ms
