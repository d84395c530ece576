"""The app in a process of its own, the hand that touches it, and what is expected; what was confirmed is kept."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core.errors import CompanionError, MatchError
from companion.games.journal import read_journal
from engine.orders.wire import step_to_json

# ---- what is expected -----------------------------------------------------------------------------


LOOK_S = 0.1  # between two looks at what is waited for


class DrillFailed(CompanionError):
    """Something did not go as it should; its message is one sentence."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """How the app recovered. told: what was seen, in a sentence; after_s: seconds from the fault until all was well."""

    told: str
    after_s: float = 0.0


def ensure(so: object, otherwise: str) -> None:
    """Raise DrillFailed with this sentence unless the condition holds."""
    if not so:
        raise DrillFailed(otherwise)


def until(true: Callable[[], object], limit_s: float, otherwise: str) -> float:
    """Poll until the condition holds; return how long that took, in seconds. DrillFailed after `limit_s`."""
    began_s = time.monotonic()
    while not true():
        if time.monotonic() - began_s > limit_s:
            raise DrillFailed(f"{otherwise} (waited {limit_s:g} s)")
        time.sleep(LOOK_S)
    return time.monotonic() - began_s


# ---- the app --------------------------------------------------------------------------------------


START_S = 60.0
ANSWER_S = 20.0
END_S = 20.0
GRAINS = 1 << 16
APP = (sys.executable, "-P", "-m", "companion.drill")
TRACEBACK = "Traceback"
OWN_WORDS = "gunbai: "

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class GlassReport:
    """What the app shows and holds: scenes, texts on the screen, what can be touched, the camera's sign, steps."""

    missing: tuple[str, ...]
    scenes: tuple[str, ...]
    texts: tuple[str, ...]
    touch: tuple[str, ...]
    sign: str
    fault: str
    game: str | None
    steps: tuple[Json, ...]
    unsaved: int
    crash: str

    def says(self, words: str) -> bool:
        """Return whether these words are on the screen, over however many lines."""
        return words in " ".join(self.texts)


def glass_of(told: Json) -> GlassReport:
    """Return the report in an answer of the app."""
    missing, scenes, texts, touch, steps = (
        tuple(told[key]) for key in ("missing", "scenes", "texts", "touch", "steps")
    )
    sign, fault, game, unsaved = told["sign"], told["fault"], told["game"], told["unsaved"]
    return GlassReport(missing, scenes, texts, touch, sign, fault, game, steps, unsaved, told["crash"])


class AppPlayer:
    """Starts the app and plays by touch; `confirmed` are the steps that the screen has shown as taken."""

    def __init__(
        self, folder: Path, options: Sequence[str], env: Mapping[str, str], command: Sequence[str] = APP
    ) -> None:
        self.errors = folder / f"errors-{time.monotonic_ns()}.txt"
        orders, self._orders = os.pipe()
        self._answers, answers = os.pipe()
        with self.errors.open("wb") as errors:
            self._child = subprocess.Popen(
                [*command, str(orders), str(answers), "--size", "800x480", *options],
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                env=dict(env),
                pass_fds=(orders, answers),
                start_new_session=True,
            )
        os.close(orders)
        os.close(answers)
        self._heard = b""
        self.confirmed: tuple[Json, ...] = ()
        self.glass = self._answer(START_S)

    @property
    def pid(self) -> int:
        """The id of the app's process."""
        return self._child.pid

    # ---- to look and to touch ---------------------------------------------------------------------

    def look(self) -> GlassReport:
        """Return what the app shows now."""
        return self._order({"look": True})

    def tap(self, verb: str, what: str = "", n: int = 0) -> GlassReport:
        """Touch whatever has this intent; return what is shown afterwards. DrillFailed if it is not on the screen."""
        glass = self._order({"tap": [verb, what, n]})
        ensure(not glass.missing, f"not on the glass: {', '.join(glass.missing)}; it shows {' / '.join(glass.texts)}")
        return glass

    def wait(self, true: Callable[[GlassReport], object], limit_s: float, otherwise: str) -> float:
        """Poll until the report satisfies `true`; return the seconds that took. DrillFailed after `limit_s`."""
        began_s = time.monotonic()
        while not true(self.look()):
            if time.monotonic() - began_s > limit_s:
                glass = self.glass
                shows = f"sign {glass.sign}, {glass.fault or 'no fault'}, {'+'.join(glass.scenes)}"
                raise DrillFailed(f"{otherwise} (waited {limit_s:g} s; {shows})")
            time.sleep(LOOK_S)
        return time.monotonic() - began_s

    def refuse_disk(self, number: int) -> None:
        """Make the disk refuse all writes with this errno; 0: accept them again."""
        self._order({"disk": number})

    def set_clock_ahead(self, seconds: float) -> None:
        """Set how many seconds the wall clock is ahead of the machine's."""
        self._order({"clock": seconds})

    def hang(self) -> None:
        """Make the window's loop hang for ever; no answer is awaited."""
        os.write(self._orders, b'{"hang": true}\n')

    def send(self, number: int) -> None:
        """Send a signal to the app's process."""
        os.kill(self.pid, number)

    def _order(self, order: Json) -> GlassReport:
        with suppress(BrokenPipeError):
            os.write(self._orders, json.dumps(order).encode() + b"\n")
        self.glass = self._answer(ANSWER_S)
        return self.glass

    def _answer(self, limit_s: float) -> GlassReport:
        until_s = time.monotonic() + limit_s
        while b"\n" not in self._heard:
            if not select.select([self._answers], [], [], max(0.0, until_s - time.monotonic()))[0]:
                raise DrillFailed(f"the app did not answer for {limit_s:g} s{self._last_words()}")
            data = os.read(self._answers, GRAINS)
            if not data:
                raise DrillFailed(f"the app ended by itself with {self._child.wait(END_S)}{self._last_words()}")
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        glass = glass_of(json.loads(line))
        self.confirmed = glass.steps
        ensure(not glass.crash, f"the app made a mistake of its own: {' | '.join(glass.crash.split(chr(10)))}")
        ensure(not glass.says(TRACEBACK), "a traceback on the screen")
        return glass

    # ---- the end ----------------------------------------------------------------------------------

    def wait_for_end(self, limit_s: float = END_S) -> int:
        """Wait for the process to end by itself; return its exit status, or minus the signal that ended it."""
        try:
            status = self._child.wait(limit_s)
        except subprocess.TimeoutExpired:
            raise DrillFailed(f"the app did not end within {limit_s:g} s") from None
        for handle in (self._orders, self._answers):
            if handle >= 0:
                os.close(handle)
        self._orders = self._answers = -1
        return status

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Kill the app with this signal, if it still runs, and wait for its end."""
        if self._child.poll() is None:
            self.send(number)
        self.wait_for_end()

    def close(self) -> None:
        """Close the window as people do; DrillFailed unless the app ends with 0 and a clean terminal."""
        os.close(self._orders)
        self._orders = -1
        status = self.wait_for_end()
        ensure(status == 0, f"the app ended with {status} when its window was closed{self._last_words()}")
        self.check_quiet()

    def check_quiet(self) -> None:
        """Raise DrillFailed if the app wrote a traceback, or anything but its own lines, to its terminal."""
        lines = self.errors.read_text(errors="replace").splitlines()
        own = all(line.startswith(OWN_WORDS) for line in lines) and TRACEBACK not in "".join(lines)
        ensure(own, f"the app wrote to its terminal{self._last_words()}")

    def _last_words(self) -> str:
        """Return the end of what the app wrote to its terminal, on one line behind a colon; "" for nothing."""
        told = " | ".join(self.errors.read_text(errors="replace").split("\n")).strip(" |")
        return f": {told[-600:]}" if told else ""

    # ---- what is kept -----------------------------------------------------------------------------

    def check_kept(self) -> None:
        """Raise DrillFailed unless the saved game has exactly the steps that the screen has confirmed."""
        ensure_kept(self.game, self.confirmed)

    @property
    def game(self) -> Path:
        """The path of the saved game at the table; DrillFailed without one."""
        if self.glass.game is None:
            raise DrillFailed("no game is on the table")
        return Path(self.glass.game)


def steps_on_disk(path: Path) -> tuple[Json, ...]:
    """Return the steps of a saved game as JSON; DrillFailed if it is unreadable or damaged."""
    try:
        journal = read_journal(path)
    except (MatchError, OSError) as error:
        raise DrillFailed(f"the saved game can't be read: {error}") from error
    ensure(journal.fault is None and not journal.mended, f"the saved game is damaged: {journal.fault}")
    return tuple(step_to_json(step) for step in journal.steps)


def ensure_kept(path: Path, confirmed: Sequence[Json]) -> None:
    """Raise DrillFailed unless a saved game has exactly these steps."""
    found = steps_on_disk(path)
    ensure(
        found == tuple(confirmed),
        f"steps confirmed on the screen: {len(confirmed)}, on the disk: {len(found)}"
        + (", others" if len(found) == len(confirmed) else ""),
    )
