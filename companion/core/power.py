"""Shuts the machine down or restarts it: asks logind over the system bus, as the user that the app runs as.

The system decides whether that user may (a polkit rule comes with the appliance); nobody is asked for a password.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from typing import Literal

from companion.core.background import Errand
from companion.core.errors import CompanionError

PowerAction = Literal["off", "restart"]
METHODS: Mapping[PowerAction, str] = {"off": "PowerOff", "restart": "Reboot"}
LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
TIMEOUT_S = 10.0


class PowerError(CompanionError):
    """The system did not switch off or restart; the message says why."""


def ask_logind(action: PowerAction) -> None:
    """Ask logind to switch off or restart the machine; PowerError if it refuses or doesn't answer in time."""
    command = ["busctl", "--system", "call", *LOGIND, METHODS[action], "b", "false"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise PowerError("no answer") from error
    except OSError as error:
        raise PowerError(f"{error.filename}: {error.strerror}") from error
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [f"busctl: {done.returncode}"]
        raise PowerError(said[-1].removeprefix("Call failed: ").rstrip("."))


class Power:
    """Switches the machine off or restarts it, asking in a thread so that the screen doesn't wait."""

    def __init__(self, ask: Callable[[PowerAction], None] = ask_logind) -> None:
        self._ask = ask
        self._errand: Errand[None] = Errand("power")

    def begin(self, action: PowerAction) -> None:
        """Start asking for this in a thread; `tick` raises if that fails."""
        self._errand.begin(lambda: self._ask(action))

    def tick(self) -> None:
        """Raise PowerError, once, if what `begin` asked for has failed."""
        self._errand.fetch()
