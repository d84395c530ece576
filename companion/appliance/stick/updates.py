"""Updates on memory sticks: which there are, what is new in them, and the file that root is asked to install.

The screen asks root for a release by its name, never for a file. Root looks for it itself and takes it only with the
signature of somebody whom the machine's owner has named: the app's user alone can't bring a program to be run as root.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from companion.appliance import archive, releases, signing
from companion.appliance.host import Host
from companion.appliance.layout import Layout
from companion.appliance.tree import NAME, number
from companion.core.errors import ApplianceError
from companion.core.sticks import mounted_folders

PATTERN = "*.update"
MOST_FILES = 8
MOST_NEWS = 8
_HEADLINE = re.compile(r"^- \*\*(.+?)\*\*", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Offer:
    """An update on a stick.

    release: its name; news: its change log's headlines, in English; fault: why it can't be installed from the
    screen, "" where it can.
    """

    path: Path
    release: str
    news: tuple[str, ...] = ()
    fault: str = ""

    @property
    def version(self) -> str:
        """The version alone, such as 0.3.0."""
        return self.release.partition("-")[0]


def files() -> Iterator[Path]:
    """Yield the files on all sticks that have an update's name, a few of each."""
    for folder in mounted_folders():
        try:
            yield from islice(sorted(path for path in folder.glob(PATTERN) if path.is_file()), MOST_FILES)
        except OSError:
            continue


def look(host: Host, folder: Path) -> list[Offer]:
    """Return the updates on a stick that are not what is in use, newest first.

    Those that can't be read at all are left out. Each is read to the end of its change log only: root checks the
    rest before it changes anything.
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
    """Return the bold beginnings of the first section's points in a change log."""
    section = text.split("\n## ", 2)[1] if text.count("\n## ") else text
    return tuple(" ".join(found.split()).rstrip(".:") for found in _HEADLINE.findall(section)[:MOST_NEWS])


def require_signers(layout: Layout) -> None:
    """Refuse to go on where the owner has named nobody who may sign updates, with an ApplianceError."""
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
