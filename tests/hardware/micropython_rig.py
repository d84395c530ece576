"""The sketch under MicroPython itself, in a process of its own; only where .ci/micropython/run has put it."""

from __future__ import annotations

import ast
import json
import os
import subprocess
from functools import cache
from pathlib import Path

from hardware.simulated_ports import Shown
from hardware.sketches import table_controller as sketch
from tests.hardware.sketch_rig import SketchController, shown

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
