"""What the owner wants of the machine that a card makes, and what its files are called."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.appliance import archive, signing
from companion.appliance.archive import Manifest
from companion.appliance.host import Host
from companion.appliance.layout import Layout
from companion.core.errors import ApplianceError

RUNS_ON = "aarch64 3.13"
"""Raspberry Pi OS 13, 64 bit: the first that reads its first start's settings from the card."""
DEBIAN_NAMES: Mapping[str, str] = {"aarch64": "arm64", "x86_64": "amd64"}
UPDATE, SCRIPT, PACKAGES = "gunbai.update", "gunbai-first-start.sh", "gunbai-packages"
LOG = "gunbai-first-start.log"
USER_DATA, NETWORK, META_DATA, VENDOR_DATA = "user-data", "network-config", "meta-data", "vendor-data"
LOCALES: Mapping[str, str] = {"en": "en_GB.UTF-8", "pt_BR": "pt_BR.UTF-8"}
USER = re.compile(r"[a-z][a-z0-9-]{0,30}")
LAYOUT = re.compile(r"[a-z]{2,3}")
ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2}")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the owner wants of the machine.

    user: who may log in, by an SSH key alone; signer: a public key whose updates are accepted; packages: a folder of
    .deb files, for a first start without network.
    """

    user: str = "owner"
    language: str = "en"
    keyboard: str = "us"
    timezone: str = "Etc/UTC"
    ssh_key: str = ""
    signer: str = ""
    packages: Path | None = None

    @property
    def signers(self) -> str:
        """The list of those whose updates are accepted, as a machine has it."""
        return f"{signing.SIGNER} {self.signer}\n"


def check_wishes(wishes: Wishes) -> None:
    """Check that every wish says something sensible; ApplianceError at the first that does not."""
    forms = (("--user", wishes.user, USER), ("--keyboard", wishes.keyboard, LAYOUT))
    for option, value, form in (*forms, ("--timezone", wishes.timezone, ZONE)):
        if not form.fullmatch(value):
            raise ApplianceError(f"{option}: {value!r} isn't one")
    if wishes.user in ("root", "gunbai"):
        raise ApplianceError(f"--user: {wishes.user} is taken")
    if wishes.language not in LOCALES:
        raise ApplianceError(f"--language: expected one of {', '.join(LOCALES)}, not {wishes.language!r}")
    for key in filter(None, (wishes.ssh_key, wishes.signer)):
        if len(key.split()) < 2 or "\n" in key or "PRIVATE" in key:
            raise ApplianceError("expected a public key of OpenSSH on one line, such as id_ed25519.pub has")


def check_update(update: Path, wishes: Wishes, runs_on: str = RUNS_ON) -> Manifest:
    """Read all of an update and return its manifest.

    ApplianceError where it is damaged, for others, or not signed as wished.
    """
    head = archive.verify(update)
    if runs_on not in head.manifest.runs_on:
        raise ApplianceError(f"{update}: made for {', '.join(head.manifest.runs_on)}; the card needs {runs_on}")
    if wishes.signer:
        with TemporaryDirectory() as folder:
            layout = Layout(Path(folder))
            layout.settings.mkdir(parents=True)
            (layout.settings / signing.SIGNERS).write_text(wishes.signers, encoding="utf-8")
            if "signed by" not in signing.check(Host(layout), head, update):
                raise ApplianceError(f"{update}: not signed by that key")
    return head.manifest


def debs_of(wishes: Wishes, runs_on: str = RUNS_ON) -> Sequence[Path]:
    """Return the Debian packages of the wished folder, in order.

    ApplianceError for none, for another processor's, or for what is no file.
    """
    folder = wishes.packages
    if folder is None:
        return ()
    processor = DEBIAN_NAMES[runs_on.partition(" ")[0]]
    found = sorted(folder.glob("*.deb"))
    wrong = [deb for deb in found if not deb.name.endswith((f"_{processor}.deb", "_all.deb"))]
    if not found or wrong:
        raise ApplianceError(
            f"{wrong[0] if wrong else folder}: expected packages for {processor} (NAME_VERSION_{processor}.deb)"
        )
    odd = next((deb for deb in found if not deb.is_file()), None)
    if odd is not None:
        raise ApplianceError(f"{odd}: not a plain file")
    return found
