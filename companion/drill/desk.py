"""Faults of the desk: noise on its serial lines, a button that sticks, a controller that is unplugged.

One app has a table controller and a card reader for all of them, each behind a pseudo-terminal. All is well once a turn
was passed by the controller's buttons, and its lamp shows whose turn it is.
"""

from __future__ import annotations

import os
import random
import threading
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.drill.place import SETTINGS, Place, pass_turn, roll
from companion.drill.player import GlassReport, Recovery, ensure, until
from companion.games.journal import read_journal
from hardware.events import SIDES
from hardware.lights import DARK
from hardware.simulated_ports import FarEnd, SimulatedController, SimulatedTags

NOISE = 1_000_000
TAG = "0F00A1B2C3"
PRESS_S, BETWEEN_S = 0.15, 0.45
PRESSES = 3  # a controller that was plugged in just now is listened to once it has said the same twice
NOTICE_S = 20.0
STUCK_S = 20.0
CALM_S = 3.0  # a button that was stuck counts again after it was let go of for two
TAKEN_S = 60.0  # for all of the noise, on a busy machine too
LINE_PERIOD_S = 0.005
LINE_BYTES = 4096


class Line:
    """A serial line with a simulated device at its far end; `link` is the stable path under which it is plugged in."""

    def __init__(self, link: Path, far_end: FarEnd) -> None:
        self.link, self.far_end = link, far_end
        self._unsent = b""
        self._lock, self._over = threading.Lock(), threading.Event()
        self._master = -1
        self.plug()
        self._thread = threading.Thread(target=self._work, name=f"line {link.name}", daemon=True)
        self._thread.start()

    def plug(self) -> None:
        """Plug the device in: it restarts, under the same path."""
        self.far_end.start(time.monotonic())
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        with self._lock:
            self._master, self._slave = master, slave
            self.link.symlink_to(os.ttyname(slave))

    def unplug(self) -> None:
        """Unplug the device."""
        with self._lock:
            self.link.unlink(missing_ok=True)
            for handle in (self._master, self._slave):
                os.close(handle)
            self._master, self._unsent = -1, b""

    def inject(self, data: bytes) -> None:
        """Put these bytes on the line unchanged, as fast as they are taken."""
        with self._lock:
            self._unsent += data

    def is_drained(self) -> bool:
        """Return whether everything put on the line has been taken."""
        with self._lock:
            return not self._unsent

    def close(self) -> None:
        """Unplug the device and end its thread."""
        self._over.set()
        self._thread.join()
        if self._master >= 0:
            self.unplug()

    def _work(self) -> None:
        while not self._over.wait(LINE_PERIOD_S):
            with self._lock:
                if self._master >= 0:
                    now_s = time.monotonic()
                    with suppress(BlockingIOError):
                        self.far_end.hear(os.read(self._master, LINE_BYTES), now_s)
                    self._unsent += self.far_end.speak(now_s)
                    with suppress(BlockingIOError):
                        self._unsent = self._unsent[os.write(self._master, self._unsent[:LINE_BYTES]) :]


class AtDesk:
    """An app with a table controller and a card reader."""

    def __init__(self, place: Place) -> None:
        folder = place.folder / f"desk-{time.monotonic_ns()}"
        folder.mkdir()
        self.box, self.tags = SimulatedController(), SimulatedTags()
        self.lines = (Line(folder / "controller", self.box), Line(folder / "reader", self.tags))
        for line in self.lines:
            place.at_end(line.close)
        settings = folder / "settings.toml"
        desk = f'[desk]\ncontroller = "{self.lines[0].link}"\nreaders = ["{self.lines[1].link}"]\n'
        settings.write_text(SETTINGS + desk)
        self.player = place.play_game(place.mid_turn_game(), {"GUNBAI_SETTINGS": str(settings)})
        roll(self.player)
        self.pass_by_buttons()

    @property
    def side(self) -> str:
        """Whose turn it is: "one" or "two"."""
        position = read_journal(self.player.game).last
        return SIDES[position.board.factions.index(position.to_move_name)]

    def press(self, control: str) -> None:
        """Press and release a button of the controller."""
        self.box.press(control)
        time.sleep(PRESS_S)
        self.box.release(control)
        time.sleep(BETWEEN_S)

    def pass_by_buttons(self) -> None:
        """Pass the turn with the pass button, pressed twice as the app asks for."""
        until(lambda: self.box.shown.lights.turn != DARK, NOTICE_S, "the controller's lamp for the turn is dark")
        before, button = len(self.player.confirmed), f"pass-{self.side}"

        def passed(glass: GlassReport) -> bool:
            return len(glass.steps) > before

        def asked(glass: GlassReport) -> bool:
            return glass.says("Pass? Press again") or passed(glass)

        self._press_until(button, asked, "a press of a button was not heard")
        if not passed(self.player.glass):
            self._press_until(button, passed, "a pass by its button was not taken")
        ensure(len(self.player.glass.steps) == before + 1, "one pass by a button made more than one step")
        self.player.check_kept()

    def _press_until(self, button: str, taken: Callable[[GlassReport], bool], otherwise: str) -> None:
        """Press a button up to PRESSES times until it takes effect: a very busy machine may miss a short press."""
        for _press in range(PRESSES):
            self.press(button)
            if taken(self.player.look()):
                return
        self.player.wait(taken, NOTICE_S, otherwise)

    def wait_for_words(self, words: str) -> float:
        """Wait until these words are on the screen; return how long that took, in seconds."""
        return self.player.wait(lambda glass: glass.says(words), NOTICE_S, f"the screen does not say “{words}”")


def send_noise(place: Place) -> Recovery:
    """Send a million random bytes on each line, as a bad cable does, while a turn is played by touch."""
    desk = place.shared(AtDesk)
    before = len(desk.player.confirmed)
    began_s = time.monotonic()
    for seed, line in enumerate(desk.lines):
        line.inject(random.Random(seed).randbytes(NOISE))
    desk.wait_for_words("sends garbled data")
    touched_s = time.monotonic()
    pass_turn(desk.player)
    touch_s = time.monotonic() - touched_s
    for line in desk.lines:
        until(line.is_drained, TAKEN_S, "the noise is not read away")
    steps = len(desk.player.look().steps)
    ensure(steps == before + 1, f"1 step was played, and noise made {steps - before - 1} more")
    desk.pass_by_buttons()
    desk.tags.lay(TAG)
    desk.wait_for_words(TAG)
    desk.tags.lift()
    told = f"nothing was pressed by it; a touch meanwhile took {touch_s:.1f} s; a card was read after it"
    return _well(desk, told, time.monotonic() - began_s)


def jam_button(place: Place) -> Recovery:
    """Jam the pass button of the side to move, and release it once the app has noticed."""
    desk = place.shared(AtDesk)
    before, button = len(desk.player.confirmed), f"pass-{desk.side}"
    began_s = time.monotonic()
    desk.box.press(button)
    noticed_s = desk.player.wait(lambda glass: glass.says("is stuck"), STUCK_S, "a button that sticks was not noticed")
    steps = len(desk.player.glass.steps)
    ensure(steps <= before + 1, f"presses of a button that sticks: {steps - before}")
    pass_turn(desk.player)
    desk.box.release(button)
    time.sleep(CALM_S)
    desk.pass_by_buttons()
    told = f"held for long, it passed {steps - before} turn; after {noticed_s:.0f} s it was left out, and said so"
    return _well(desk, told, time.monotonic() - began_s)


def unplug_controller(place: Place) -> Recovery:
    """Unplug the controller during a game, and plug it in again."""
    desk = place.shared(AtDesk)
    desk.player.wait(lambda glass: not glass.says("You can play by touch"), NOTICE_S, "a notice stays on the screen")
    desk.lines[0].unplug()
    began_s = time.monotonic()
    noticed_s = desk.wait_for_words("You can play by touch")
    pass_turn(desk.player)
    desk.lines[0].plug()
    desk.pass_by_buttons()
    told = f"after {noticed_s:.1f} s the screen said so; plugged in again, its lamps and buttons worked"
    return _well(desk, told, time.monotonic() - began_s)


def _well(desk: AtDesk, told: str, after_s: float) -> Recovery:
    desk.player.check_kept()
    desk.player.check_quiet()
    return Recovery(told, after_s)
