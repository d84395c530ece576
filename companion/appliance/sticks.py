"""Memory sticks: the updates on them, and what the screen asks systemd for: to unmount one, to install an update.

The screen asks root for a release by its name, never for a file. Root looks for it itself and takes it only with the
signature of somebody whom the machine's owner has named: the app's user alone can't bring a program to be run as root.
It asks over the system bus; a polkit rule allows these units and no others (systemd/polkit). Each of these calls may
take its time, so scenes have them done in a thread.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from companion.appliance import archive, releases, signing
from companion.appliance.host import Host, RunResult
from companion.appliance.layout import Layout
from companion.appliance.tree import NAME, number
from companion.core.errors import ApplianceError
from companion.core.sticks import Stick, mounted_folders, plugged_in
from intake.errors import Unreadable
from intake.files import read_text

PATTERN = "*.update"
MOST_FILES = 8
MOST_NEWS = 8
_HEADLINE = re.compile(r"^- \*\*(.+?)\*\*", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Offer:
    """An update on a stick.

    release: its name; news: the headlines of its change log, in English; fault: why it can't be installed from the
    screen, "" if it can.
    """

    path: Path
    release: str
    news: tuple[str, ...] = ()
    fault: str = ""

    @property
    def version(self) -> str:
        """The version in the release's name, such as 0.3.0."""
        return self.release.partition("-")[0]


def files() -> Iterator[Path]:
    """Yield the files named `*.update` on all mounted sticks, at most `MOST_FILES` of each."""
    for folder in mounted_folders():
        try:
            yield from islice(sorted(path for path in folder.glob(PATTERN) if path.is_file()), MOST_FILES)
        except OSError:
            continue


def look(host: Host, folder: Path) -> list[Offer]:
    """Return the updates on a stick that differ from the release in use, newest first.

    Unreadable ones are left out. Each is read to the end of its change log only: root checks the rest before it changes
    anything.
    """
    now = releases.in_use(host.layout)
    found = [_offer(host, path, now) for path in files() if path.parent == folder]
    offers = [offer for offer in found if offer is not None and (now is None or offer.release != now.name)]
    return sorted(offers, key=lambda offer: number(offer.release), reverse=True)


def _offer(host: Host, path: Path, now: Path | None) -> Offer | None:
    try:
        head, text = archive.head_and_news(path)
    except (ApplianceError, OSError):
        return None
    release = head.manifest.release
    offer = Offer(path, release, headlines(text))
    try:
        require_signers(host.layout)
        signing.check(host, head, path)
    except ApplianceError as error:
        return Offer(path, release, offer.news, str(error))
    if now is not None and number(release) < number(now.name):
        return Offer(path, release, offer.news, f"{path}: {release} is older than {now.name}")
    return offer


def headlines(text: str) -> tuple[str, ...]:
    """Return the bold headline of each point in a change log's first section, at most `MOST_NEWS`."""
    section = text.split("\n## ", 2)[1] if text.count("\n## ") else text
    return tuple(" ".join(found.split()).rstrip(".:") for found in _HEADLINE.findall(section)[:MOST_NEWS])


def require_signers(layout: Layout) -> None:
    """Raise ApplianceError if the owner has named nobody who may sign updates."""
    if signing.signers_of(layout) is None:
        told = layout.settings / signing.SIGNERS
        raise ApplianceError(f"{told}: missing; it has to name whose updates are accepted from a memory stick")


def file_of(release: str, layout: Layout) -> Path:
    """Return the file on a stick that holds this release; ApplianceError if none does, or nobody may sign updates."""
    if not NAME.fullmatch(release):
        raise ApplianceError(f"{release!r}: not a release's name, such as 0.3.0-0123456789")
    require_signers(layout)
    for path in files():
        try:
            if archive.read_head(path).manifest.release == release:
                return path
        except (ApplianceError, OSError):
            continue
    raise ApplianceError(f"no memory stick has an update to {release}")


# ---- what systemd is asked to do with a stick -------------------------------------------------------------


LOG = Path("/run/gunbai-update.log")
MOST_LOG = 200_000
SWITCHED = "/current → releases/"


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of an update: whether it is running, whether it succeeded once it isn't, and its last line."""

    running: bool
    well: bool = False
    line: str = ""


class StickWork:
    """What the screen does with memory sticks and their updates, through systemd."""

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
        """Return the updates on a stick; none if it isn't mounted, or Gunbai isn't installed."""
        return look(self._host, stick.folder) if stick.folder is not None and self.version else []

    def mount(self, stick: Stick) -> None:
        """Mount a plugged-in stick that was unmounted; ApplianceError if that fails."""
        self._begin(stick)
        if not any(plugged.device == stick.device and plugged.folder is not None for plugged in self.plugged_in()):
            raise ApplianceError(f"{stick.name}: the system uses this disk, so it isn't taken for a memory stick")

    def _begin(self, stick: Stick) -> None:
        self._ask(f"{stick.name}: can't be mounted; it may be damaged", "start", f"gunbai-stick@{stick.device}.service")

    def take_out(self, stick: Stick) -> None:
        """Sync and unmount a stick, so that it may be pulled out; ApplianceError if it is still in use."""
        os.sync()
        self._begin(stick)  # a unit that failed to unmount before would not be stopped again
        busy = f"{stick.name}: still in use"
        self._ask(busy, "stop", f"gunbai-stick@{stick.device}.service")
        if stick.folder is not None and stick.folder.is_mount():
            raise ApplianceError(busy)

    def begin_update(self, offer: Offer) -> None:
        """Start the unit that checks and installs an update as root, without waiting; ApplianceError if that fails."""
        self._ask("", "--no-block", "start", unit_of(offer.release))

    def progress(self, offer: Offer) -> Progress:
        """Return the state of an update that was begun."""
        state, lines = self._state(offer.release), self._lines()
        if state.get("ActiveState") == "activating":
            return Progress(running=True, line=lines[-1] if lines else "")
        return Progress(False, state.get("Result") == "success" and bool(lines), lines[-1] if lines else "")

    def _ask(self, why: str, *words: str) -> None:
        """Run `systemctl`; ApplianceError with `why` if the unit failed, with systemd's words if it refused."""
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
        """Return the release that a running update has changed over to; None if none has, or none is running.

        The update waits for the app to start, so it is still running then. If another release than this is in use, this
        one didn't start.
        """
        release = self.switched_to()
        return release if release and self._state(release).get("ActiveState") == "activating" else None

    def switched_to(self) -> str:
        """Return the release that the last update changed over to, read from its log; "" if it got to none."""
        switched = [line.rpartition(SWITCHED)[2] for line in self._lines() if SWITCHED in line and "done" in line]
        return switched[-1] if switched and NAME.fullmatch(switched[-1]) else ""

    def _state(self, release: str) -> dict[str, str]:
        """Return the ActiveState and Result of the unit that installs a release, as systemd names them."""
        shown = self._host.run("systemctl", "show", "-p", "ActiveState,Result", unit_of(release)).output
        return dict(line.partition("=")[::2] for line in shown.splitlines())


def unit_of(release: str) -> str:
    """Return the name of the systemd unit that installs this release."""
    return f"gunbai-update@{release}.service"
