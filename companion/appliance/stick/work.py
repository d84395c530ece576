"""What the screen does with memory sticks: asks systemd to unmount one, or to install an update from it.

The app's own user asks over the system bus; a polkit rule allows these units and no others (systemd/polkit). Each of
these calls may take its time, so scenes have them done in a thread.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from companion.appliance import releases
from companion.appliance.host import Host, RunResult
from companion.appliance.layout import Layout
from companion.appliance.stick.updates import Offer, look
from companion.appliance.tree import NAME
from companion.core.errors import ApplianceError
from companion.core.sticks import Stick, plugged_in
from intake.errors import Unreadable
from intake.files import read_text

LOG = Path("/run/gunbai-update.log")
MOST_LOG = 200_000
SWITCHED = "/current → releases/"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an update is: whether it goes on, and its last line; over and not `well` where it was refused."""

    running: bool
    well: bool = False
    line: str = ""


class StickWork:
    """The sticks that are plugged in, and what systemd does with them."""

    def __init__(self, host: Host | None = None, log: Path = LOG) -> None:
        self._host = host or Host(Layout())
        self._log = log

    @property
    def version(self) -> str:
        """The release in use; "" where this isn't an installed Gunbai, which can't be updated from here."""
        release = releases.in_use(self._host.layout)
        return release.name if release is not None else ""

    def plugged_in(self) -> tuple[Stick, ...]:
        """Return all sticks that are plugged in."""
        return plugged_in()

    def updates(self, stick: Stick) -> list[Offer]:
        """Return the updates on a stick; none where Gunbai isn't installed."""
        return look(self._host, stick.folder) if stick.folder is not None and self.version else []

    def mount(self, stick: Stick) -> None:
        """Mount a stick that was taken out and is still plugged in. ApplianceError where that can't be done."""
        self._begin(stick)
        if not any(plugged.device == stick.device and plugged.folder is not None for plugged in self.plugged_in()):
            raise ApplianceError(f"{stick.name}: the system uses this disk, so it isn't taken for a memory stick")

    def _begin(self, stick: Stick) -> None:
        self._ask(f"{stick.name}: can't be mounted; it may be damaged", "start", f"gunbai-stick@{stick.device}.service")

    def take_out(self, stick: Stick) -> None:
        """Write what is still to be written, and unmount it: it may be pulled then. ApplianceError where it may not."""
        os.sync()
        self._begin(stick)  # a unit that failed to unmount before would not be stopped again
        busy = f"{stick.name}: still in use"
        self._ask(busy, "stop", f"gunbai-stick@{stick.device}.service")
        if stick.folder is not None and stick.folder.is_mount():
            raise ApplianceError(busy)

    def begin_update(self, offer: Offer) -> None:
        """Have root check and install an update. ApplianceError where systemd refuses to begin."""
        self._ask("", "--no-block", "start", unit_of(offer.release))

    def progress(self, offer: Offer) -> Progress:
        """Return how far an update is."""
        state, lines = self._state(offer.release), self._lines()
        if state.get("ActiveState") == "activating":
            return Progress(running=True, line=lines[-1] if lines else "")
        return Progress(False, state.get("Result") == "success" and bool(lines), lines[-1] if lines else "")

    def _ask(self, why: str, *words: str) -> None:
        """Have systemd do it; ApplianceError `why` where the unit failed, systemd's words where it refused."""
        ran: RunResult = self._host.run("systemctl", "--no-ask-password", *words)
        if not ran.well:
            raise ApplianceError(why if why and "Job for " in ran.output else ran.last)

    def _lines(self) -> list[str]:
        try:
            text = read_text(self._log, MOST_LOG)
        except (OSError, Unreadable):
            return []
        return [line.strip().removeprefix("gunbai: ") for line in text.splitlines() if line.strip()]

    def outcome(self) -> str | None:
        """Return the release that an update is changing over to as the app starts; None where no update does.

        The update waits until the app has started, so it still runs then. Where another release is in use, this one
        didn't start.
        """
        release = self.switched_to()
        return release if release and self._state(release).get("ActiveState") == "activating" else None

    def switched_to(self) -> str:
        """Return the release that the last update changed over to, by its log; "" where it has changed over to none."""
        switched = [line.rpartition(SWITCHED)[2] for line in self._lines() if SWITCHED in line and "done" in line]
        return switched[-1] if switched and NAME.fullmatch(switched[-1]) else ""

    def _state(self, release: str) -> dict[str, str]:
        """Return what systemd knows of the unit that installs a release."""
        shown = self._host.run("systemctl", "show", "-p", "ActiveState,Result", unit_of(release)).output
        return dict(line.partition("=")[::2] for line in shown.splitlines())


def unit_of(release: str) -> str:
    """Return the name of the unit that installs this release."""
    return f"gunbai-update@{release}.service"
