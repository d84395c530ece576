"""The screen shown when the app has failed to start several times: what happened, and what to do.

Run by the system's Python as a program of its own (`python3 -P failure_screen.py`), with its standard library alone:
the app, its packages or the whole of its environment may be what is broken. It says everything in both languages, in
letters as large as the console has them, and ends with 0 when somebody touches the screen or presses a key, whereupon
its unit starts the app again. Before that the service manager would refuse to, so it counts the seconds.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import textwrap
import time
import tty
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

INPUTS = Path("/dev/input")
FONTS = ("Uni2-TerminusBold32x16", "Uni2-TerminusBold28x14", "Uni2-TerminusBold24x12", "Uni2-TerminusBold20x10")
"""Console fonts of the system, the largest first; it brings them in the package console-setup."""
EVENT = struct.Struct("llHHi")  # struct input_event of linux/input.h: seconds, microseconds, type, code, value
EV_KEY, EV_ABS, ABS_MT_TRACKING_ID = 1, 3, 0x39
KDSETMODE, KD_TEXT, KDSKBMODE, K_UNICODE = 0x4B3A, 0, 0x4B45, 3  # linux/kd.h
KEYS, SCREEN = 0, 1
WAIT_S = 200  # StartLimitIntervalSec of gunbai.service: earlier it refuses to start
BEGIN = "\033%G\033[9;0]\033[14]\033[?25l\033[0m\033[2J\033[H"
"""UTF-8, never blank the screen, light it, no cursor, plain letters, an empty screen."""
BOLD, PLAIN, REST_OF_LINE, REST_OF_SCREEN = "\033[1m", "\033[0m", "\033[K", "\033[J"

Happened = tuple[str, str]
"""In English and in Portuguese."""
HAPPENED: Mapping[str, Happened] = {
    "exit-code": ("It ended with a fault (status {status}).", "Terminou com uma falha (código {status})."),
    "signal": ("It was ended by a signal ({status}).", "Foi encerrado por um sinal ({status})."),
    "core-dump": ("It was ended by a signal ({status}).", "Foi encerrado por um sinal ({status})."),
    "watchdog": ("It hung.", "Ficou travado."),
    "timeout": ("It did not get ready in time.", "Não ficou pronto a tempo."),
    "oom-kill": ("There was not enough memory.", "Faltou memória."),
    "resources": ("The system could not start it.", "O sistema não conseguiu iniciá-lo."),
}
AGAIN: Happened = ("It ended again and again.", "Terminou várias vezes seguidas.")
PAGE: tuple[Happened, ...] = (
    (
        "Your games are safe: every step that was confirmed is on the memory card.",
        "As partidas estão salvas: cada passo confirmado está no cartão de memória.",
    ),
    (
        "You may pull the plug at any time, and put it in again.",
        "A tomada pode ser puxada a qualquer momento, e ligada de novo.",
    ),
    (
        "Should it stay so: `sudo gunbai doctor` tells what is wrong, `sudo gunbai update --back` takes the last "
        "update back.",
        "Se continuar assim: `sudo gunbai doctor` diz o que há, `sudo gunbai update --back` desfaz a última "
        "atualização.",
    ),
)
TITLE: Happened = ("GUNBAI HAS STOPPED", "O GUNBAI PAROU")
TOUCH: Happened = (
    "Touch the screen or press a key to start it again.",
    "Toque na tela ou aperte uma tecla para iniciar de novo.",
)
SOON: Happened = ("It can be started again in {n} s.", "Pode ser iniciado de novo em {n} s.")


def what_happened(environment: Mapping[str, str]) -> Happened:
    """Say what the service manager reports of the unit that failed, in English and in Portuguese."""
    result, status = environment.get("MONITOR_SERVICE_RESULT", ""), environment.get("MONITOR_EXIT_STATUS", "?")
    english, portuguese = HAPPENED.get(result, AGAIN)
    return english.format(status=status), portuguese.format(status=status)


def page(happened: Happened, waiting: Happened, columns: int) -> list[str]:
    """Return the lines of the screen, wrapped to these columns: all of it in English, then in Portuguese."""
    lines: list[str] = []
    for language, title in enumerate(TITLE):
        lines += [f"{BOLD}{title}{PLAIN}"]
        for text in (happened, *PAGE):
            lines += textwrap.wrap(text[language], columns - 1)
        lines += [f"{BOLD}{line}{PLAIN}" for line in textwrap.wrap(waiting[language], columns - 1)]
        lines += [""] * (language == 0)
    return lines


def waiting_for(left_s: int) -> Happened:
    """Say what the screen waits for: that a start is allowed, with the seconds left, then a touch."""
    return TOUCH if left_s <= 0 else (SOON[0].format(n=left_s), SOON[1].format(n=left_s))


class Console:
    """The text console on standard output."""

    def __init__(self, happened: Happened) -> None:
        self._happened = happened
        self._shown: list[str] = []
        with suppress(OSError):
            fcntl.ioctl(SCREEN, KDSETMODE, KD_TEXT)  # an app that died may have left it to its graphics
        with suppress(OSError):
            fcntl.ioctl(SCREEN, KDSKBMODE, K_UNICODE)
        with suppress(OSError, termios.error):
            tty.setcbreak(KEYS)  # a key counts at once, and is not printed

    def begin(self) -> None:
        """Clear the console, and set the largest letters that leave room for everything."""
        for font in FONTS:
            if set_font(font) and len(page(self._happened, TOUCH, self._columns())) < self._rows():
                break
        self._print(BEGIN)

    def show(self, waiting: Happened) -> None:
        """Update the screen with what is waited for; only lines that have changed are written."""
        lines = page(self._happened, waiting, self._columns())
        for row, line in enumerate(lines, 1):
            if self._shown[row - 1 : row] != [line]:
                self._print(f"\033[{row};1H{line}{REST_OF_LINE}")
        if len(lines) != len(self._shown):
            self._print(f"\033[{len(lines) + 1};1H{REST_OF_SCREEN}")
        self._shown = lines

    @staticmethod
    def _columns() -> int:
        return max(20, shutil.get_terminal_size((80, 25)).columns)

    @staticmethod
    def _rows() -> int:
        return shutil.get_terminal_size((80, 25)).lines

    @staticmethod
    def _print(text: str) -> None:
        with suppress(OSError):
            os.write(SCREEN, text.encode())


def set_font(name: str) -> bool:
    """Set the console's font; return whether that worked."""
    program = shutil.which("setfont", path="/usr/bin:/bin:/usr/sbin:/sbin")
    if program is None:
        return False
    try:
        done = subprocess.run([program, name], stderr=subprocess.DEVNULL, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def is_press(events: bytes) -> bool:
    """Return whether any of the kernel's input events is a key or button going down, or a finger arriving."""
    whole = len(events) // EVENT.size * EVENT.size
    for _s, _us, kind, code, value in EVENT.iter_unpack(events[:whole]):
        if (kind == EV_KEY and value == 1) or (kind == EV_ABS and code == ABS_MT_TRACKING_ID and value >= 0):
            return True
    return False


class TouchInputs:
    """All inputs that people may touch: screens, keyboards, mice, and the console's own keyboard."""

    def __init__(self, inputs: Path = INPUTS) -> None:
        self._inputs = inputs
        self._open: dict[Path, int] = {}

    def wait_for_touch(self, wait_s: float) -> bool:
        """Wait up to this many seconds for a touch; return whether there was one.

        Devices plugged in meanwhile count from the next call on.
        """
        for path in self._inputs.glob("event*"):
            if path not in self._open:
                with suppress(OSError):
                    self._open[path] = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        devices = {descriptor: path for path, descriptor in self._open.items()}
        console = [KEYS] if os.isatty(KEYS) else []
        found = select.select([*devices, *console], [], [], wait_s)[0]
        # All of them are read: what is left would count later.
        touched = [self._read(descriptor, devices.get(descriptor)) for descriptor in found]
        return any(touched)

    def _read(self, descriptor: int, path: Path | None) -> bool:
        """Read a device's events and return whether one is a press; close a device that is gone."""
        try:
            come = os.read(descriptor, 64 * EVENT.size)
        except OSError:
            come = b""
        if path is None:
            return bool(come)
        if not come:
            os.close(self._open.pop(path))
        return is_press(come)


def stay(console: Console, hands: TouchInputs, wait_s: int, clock: Callable[[], float] = time.monotonic) -> None:
    """Show the screen until `wait_s` seconds are over and somebody has then touched something."""
    until_s = clock() + wait_s
    while True:
        left_s = round(until_s - clock())
        console.show(waiting_for(left_s))
        if hands.wait_for_touch(1.0) and left_s <= 0:
            return


def main(arguments: list[str] | None = None) -> int:
    """Show the screen; return 0 once the app is to be started again. arguments: [--wait SECONDS]."""
    parser = argparse.ArgumentParser(prog="fallen", description=__doc__)
    parser.add_argument("--wait", type=int, default=WAIT_S, metavar="SECONDS")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    console = Console(what_happened(os.environ))
    console.begin()
    stay(console, TouchInputs(), options.wait)
    return 0


if __name__ == "__main__":
    sys.exit(main())
