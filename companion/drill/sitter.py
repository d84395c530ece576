"""The app of the drill: the whole of `gunbai play` in a process of its own, and somebody who sits at it.

    python -m companion.drill ORDERS ANSWERS [what `gunbai play` takes]

ORDERS and ANSWERS are descriptors of pipes; a line of JSON on each. What is to be touched is touched by the events of a
finger at its place on the glass, and the answer is given once the window has drawn what came of it: what the app then
says is what people have seen. The orders:

    {"tap": [verb, what, n]}   a finger on what means this, on whatever page it stands
    {"look": true}             nothing but the answer
    {"hang": true}             the window's loop never comes back from here, the other threads live on
    {"disk": errno or 0}       the disk refuses every change with this error, or takes them again
    {"clock": seconds}         the wall clock is so far ahead of the machine's
"""

from __future__ import annotations

import argparse
import json
import os
import select
import threading
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from companion import bootstrap
from companion.drill.shims import SimulatedMachine
from companion.scenes.home.crash import CrashScene
from companion.ui.screen import Intent
from companion.view.window import finger
from companion.view.window.display import TICK_MS
from companion.view.window.window import Window, run_window
from engine.orders.wire import step_to_json

MOST_PAGES = 12
NEXT_PAGE = Intent("page", "", 1)
LOOKS = 5  # how often in a tick the display is asked while no order comes
GRAINS = 65536

Json = dict[str, Any]


class Sitter:
    """Supplies the window's events: those of the display, and the touches that are ordered through a pipe."""

    def __init__(self, window: Window, machine: SimulatedMachine, pipes: tuple[int, int]) -> None:
        self._window, self._machine = window, machine
        self._orders, self._answers = pipes
        self._heard = b""
        self._wanted: Intent | None = None
        self._pages = 0
        self._answer(())

    def __call__(self) -> finger.Events:
        """Return the events within a tick. A tap is answered at a later call, once its picture is drawn."""
        if self._wanted is not None:
            return self._reach(self._wanted)
        for _look in range(LOOKS):
            events = finger.own_events()
            if events:
                return events
            if select.select([self._orders], [], [], TICK_MS / 1000 / LOOKS)[0]:
                return self._obey()
        return []

    # ---- orders -----------------------------------------------------------------------------------

    def _obey(self) -> finger.Events:
        """Obey the orders in the pipe; at its end, when no more can come, close the window."""
        data = os.read(self._orders, GRAINS)
        if not data:
            return finger.closing()
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            self._do(json.loads(line))
        return self._reach(self._wanted) if self._wanted is not None else []

    def _do(self, order: Json) -> None:
        if "tap" in order:
            verb, what, n = order["tap"]
            self._wanted, self._pages = Intent(verb, what, n), 0
            return
        if "disk" in order:
            self._machine.refuses = order["disk"]
        if "clock" in order:
            self._machine.ahead_s = order["clock"]
        if "hang" in order:
            threading.Event().wait()
        self._answer(())

    # ---- touches ----------------------------------------------------------------------------------

    def _reach(self, wanted: Intent) -> finger.Events:
        """Touch what is wanted, or turn the page towards it; answer once that is done or impossible."""
        touch = finger.touch_on(self._window, wanted) if self._pages >= 0 else []
        page = finger.touch_on(self._window, NEXT_PAGE) if not touch and 0 <= self._pages < MOST_PAGES else []
        if finger.is_early(self._window, touch or page):
            time.sleep(TICK_MS / 1000 / LOOKS)
            return []
        if touch:
            self._pages = -1
            return touch
        if page:
            self._pages += 1
            return page
        self._wanted = None
        self._answer(() if self._pages < 0 else (f"{wanted.verb} {wanted.what}".strip(),))
        return []

    # ---- answers ----------------------------------------------------------------------------------

    def _answer(self, missing: Sequence[str]) -> None:
        """Report what the app shows now; missing: what was to be touched and isn't there."""
        app = self._window.app
        match = app.table.match if app.table is not None else None
        sheets = finger.sheets(self._window)
        told: Json = {
            "missing": list(missing),
            "crash": next((scene.crash.trace for scene in app.on_stage() if isinstance(scene, CrashScene)), ""),
            "scenes": [type(scene).__name__ for scene in app.on_stage()],
            "texts": [label.text for sheet in sheets for label in sheet.labels],
            "touch": sorted({target.intent.verb for sheet in sheets for target in sheet.targets}),
            "sign": app.stage.sense.sign,
            "fault": app.stage.sense.fault,
            "game": None if match is None else str(match.path),
            "steps": [] if match is None else [step_to_json(step) for step in match.steps],
            "unsaved": 0 if match is None else match.unsaved,
        }
        data = json.dumps(told).encode() + b"\n"
        while data:
            data = data[os.write(self._answers, data) :]


def sit(machine: SimulatedMachine, arguments: Sequence[str]) -> int:
    """Run the app under the player's orders; return its exit status, as of `gunbai play`."""
    orders, answers, *asked = arguments
    parser = argparse.ArgumentParser()
    for name in ("--size", "--game", "--table", "--camera"):
        parser.add_argument(name)
    options = parser.parse_args(asked, argparse.Namespace(demo=False))
    return bootstrap.play(
        options, partial(run_window, sitting=lambda window: Sitter(window, machine, (int(orders), int(answers))))
    )
