"""`gunbai card`: makes a freshly flashed card of Raspberry Pi OS 13 Lite install Gunbai at its first start.

The card's boot partition gets the update, packages of Debian if some are given, a script, and what cloud-init reads
there: user-data and network-config (NoCloud, as the system's /etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg names it).
user-data is JSON, which is YAML too. It is written last: a card that was not finished starts as if it had been left.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.appliance import archive, signing
from companion.appliance.host import Host
from companion.appliance.layout import SETTINGS, Layout
from companion.core.errors import ApplianceError
from intake.errors import Unreadable
from intake.files import BINARY, open_file, read_text

RUNS_ON = "aarch64 3.13"
UPDATE, SCRIPT, PACKAGES = "gunbai.update", "gunbai-first-start.sh", "gunbai-packages"
LOG = "gunbai-first-start.log"
USER_DATA, NETWORK = "user-data", "network-config"
NEEDED = ("config.txt", "cmdline.txt", "issue.txt", "meta-data", USER_DATA, NETWORK)
BOOT = "/boot/firmware"
MOST_TEXT = 200_000
SPARE_BYTES = 20_000_000
OURS = "made by gunbai card"
_LITE = re.compile(r"\bstage2\b")
_USER = re.compile(r"[a-z][a-z0-9-]{0,30}")
_LAYOUT = re.compile(r"[a-z]{2,3}")
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2}")
_LOCALES: Mapping[str, str] = {"en": "en_GB.UTF-8", "pt_BR": "pt_BR.UTF-8"}
_GROUPS = "users,adm,dialout,audio,sudo,video,plugdev,input,gpio,spi,i2c,netdev,render"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the owner wants of the machine.

    user: who may log in, by an SSH key alone; signers: a public key whose updates are accepted; packages: a
    folder of .deb files, for a first start without network.
    """

    user: str = "owner"
    language: str = "en"
    keyboard: str = "us"
    timezone: str = "Etc/UTC"
    ssh_key: str = ""
    signer: str = ""
    packages: Path | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """What is on the card now: the release, how many packages, and its bytes."""

    release: str
    packages: int
    size: int


SCRIPT_TEXT = f"""\
#!/bin/sh
# Installs Gunbai at this machine's first start; cloud-init runs it once. What it says is beside it, in {LOG}.
exec >{BOOT}/{LOG} 2>&1
set -eux
systemctl disable --now userconfig.service || true
rfkill block all || true
if ls {BOOT}/{PACKAGES}/*.deb; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends --no-download {BOOT}/{PACKAGES}/*.deb
fi
mkdir -p /var/tmp/gunbai-first
tar -x --no-same-owner -C /var/tmp/gunbai-first -f {BOOT}/{UPDATE}
cd /var/tmp/gunbai-first/tree
./gunbai install --yes
rm -rf /var/tmp/gunbai-first {BOOT}/{UPDATE} {BOOT}/{PACKAGES}
"""


def check_card(card: Path) -> None:
    """Check that this is the boot partition of a card with Raspberry Pi OS 13 Lite; ApplianceError where it isn't."""
    if not card.is_dir():
        raise ApplianceError(f"{card}: not a folder")
    missing = [name for name in NEEDED if not (card / name).is_file()]
    if {"config.txt", "cmdline.txt", "issue.txt"} & set(missing):
        raise ApplianceError(f"{card}: not the boot partition of Raspberry Pi OS ({missing[0]} is missing)")
    if missing:
        raise ApplianceError(
            f"{card}: this Raspberry Pi OS has no cloud-init ({missing[0]} is missing): use version 13 of "
            "November 2025 or later"
        )
    issue = _text(card / "issue.txt")
    if "Raspberry Pi" not in issue or not _LITE.search(issue):
        raise ApplianceError(f"{card}: not Raspberry Pi OS Lite (issue.txt names another, or a desktop)")
    if (card / LOG).exists():
        raise ApplianceError(f"{card}: this card has been started already: flash it afresh")


def _text(path: Path) -> str:
    try:
        return read_text(path, MOST_TEXT)
    except (OSError, Unreadable) as error:
        raise ApplianceError(f"{path}: can't be read ({error})") from error


def check_wishes(wishes: Wishes) -> None:
    """Check that every wish says something sensible; ApplianceError at the first that does not."""
    forms = (("--user", wishes.user, _USER), ("--keyboard", wishes.keyboard, _LAYOUT))
    for option, value, form in (*forms, ("--timezone", wishes.timezone, _ZONE)):
        if not form.fullmatch(value):
            raise ApplianceError(f"{option}: {value!r} isn't one")
    if wishes.user in ("root", "gunbai"):
        raise ApplianceError(f"--user: {wishes.user} is taken")
    if wishes.language not in _LOCALES:
        raise ApplianceError(f"--language: expected one of {', '.join(_LOCALES)}, not {wishes.language!r}")
    for key in filter(None, (wishes.ssh_key, wishes.signer)):
        if len(key.split()) < 2 or "\n" in key or "PRIVATE" in key:
            raise ApplianceError("expected a public key of OpenSSH on one line, such as id_ed25519.pub has")


def check_update(update: Path, wishes: Wishes) -> str:
    """Read all of the update; its release. ApplianceError where it is damaged, for others, or not signed as wished."""
    head = archive.verify(update)
    if RUNS_ON not in head.manifest.runs_on:
        raise ApplianceError(f"{update}: made for {', '.join(head.manifest.runs_on)}; the card needs {RUNS_ON}")
    if wishes.signer:
        with TemporaryDirectory() as folder:
            layout = Layout(Path(folder))
            layout.settings.mkdir(parents=True)
            (layout.settings / signing.SIGNERS).write_text(_signers(wishes), encoding="utf-8")
            if "signed by" not in signing.check(Host(layout), head, update):
                raise ApplianceError(f"{update}: not signed by that key")
    return head.manifest.release


def prepare(card: Path, update: Path, wishes: Wishes) -> Made:
    """Put everything onto the card; done again, it is all the same. ApplianceError where something isn't right."""
    check_card(card)
    check_wishes(wishes)
    release = check_update(update, wishes)
    debs = _debs(wishes.packages)
    if debs and (card / PACKAGES).exists() and (card / PACKAGES).samefile(debs[0].parent):
        raise ApplianceError(f"{debs[0].parent}: this folder is on the card and will be replaced: name another one")
    sources = {card / UPDATE: update, **{card / PACKAGES / deb.name: deb for deb in debs}}
    _refuse_small(card, sources)
    try:
        if (card / PACKAGES).exists():
            shutil.rmtree(card / PACKAGES)
        for target, source in sources.items():
            _copy(source, target)
        _write(card / SCRIPT, SCRIPT_TEXT)
        before = _text(card / USER_DATA)
        if OURS not in before and not (card / f"{USER_DATA}.before").exists():
            _write(card / f"{USER_DATA}.before", before)
        _write(card / NETWORK, _cloud(NETWORK_CONFIG))
        _write(card / USER_DATA, _cloud(user_data(wishes)))
    except OSError as error:
        raise ApplianceError(f"{card}: can't be written ({error.strerror})") from error
    return Made(release, len(debs), sum(source.stat().st_size for source in sources.values()))


def _debs(folder: Path | None) -> Sequence[Path]:
    if folder is None:
        return ()
    found = sorted(folder.glob("*.deb"))
    wrong = [deb for deb in found if not deb.name.endswith(("_arm64.deb", "_all.deb"))]
    if not found or wrong:
        raise ApplianceError(f"{wrong[0] if wrong else folder}: expected packages for arm64 (NAME_VERSION_arm64.deb)")
    return found


def _refuse_small(card: Path, sources: Mapping[Path, Path]) -> None:
    here = sum(target.stat().st_size for target in sources if target.is_file())
    free, needed = shutil.disk_usage(card).free + here, sum(path.stat().st_size for path in sources.values())
    if free < needed + SPARE_BYTES:
        told = f"{free // 1_000_000} MB are free, {(needed + SPARE_BYTES) // 1_000_000} MB are needed"
        raise ApplianceError(f"{card}: {told}; pack the update with --for {RUNS_ON!r} alone")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(exist_ok=True)
    with open_file(source) as file:
        _put(target, iter(lambda: file.read(1 << 20), b""))


def _write(target: Path, text: str) -> None:
    _put(target, iter((text.encode(),)))


def _put(target: Path, chunks: Iterator[bytes]) -> None:
    """Write a file whole, under its name at last; FAT has no rights to give it."""
    beside = target.with_name(f"{target.name}.part")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o644), "wb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(target)


# ---- what cloud-init reads ----------------------------------------------------------------------------------------

NETWORK_CONFIG: Mapping[str, object] = {
    "network": {"version": 2, "ethernets": {"eth0": {"dhcp4": True, "optional": True}}}
}
"""A cable works where one is plugged in, nothing waits for it, and there is no Wi-Fi."""


def user_data(wishes: Wishes) -> dict[str, object]:
    """Return what becomes of the machine at its first start, as cloud-init's keys."""
    user: dict[str, object] = {
        "name": wishes.user,
        "groups": _GROUPS,
        "shell": "/bin/bash",
        "lock_passwd": True,
        "sudo": "ALL=(ALL) NOPASSWD:ALL",
    }
    if wishes.ssh_key:
        user["ssh_authorized_keys"] = [wishes.ssh_key]
    files = [{"path": f"/{SETTINGS}/settings.toml", "content": f'language = "{wishes.language}"\n'}]
    if wishes.signer:
        files.append({"path": f"/{SETTINGS}/{signing.SIGNERS}", "content": _signers(wishes)})
    return {
        "hostname": "gunbai",
        "locale": _LOCALES[wishes.language],
        "timezone": wishes.timezone,
        "keyboard": {"model": "pc105", "layout": wishes.keyboard},
        "users": [user],
        "ssh_pwauth": False,
        "write_files": [{**file, "permissions": "0644"} for file in files],
        "runcmd": [*([["systemctl", "enable", "--now", "ssh"]] if wishes.ssh_key else []), ["sh", f"{BOOT}/{SCRIPT}"]],
    }


def _signers(wishes: Wishes) -> str:
    return f"{signing.SIGNER} {wishes.signer}\n"


def _cloud(value: Mapping[str, object]) -> str:
    head = "#cloud-config\n" if "users" in value else ""
    return f"{head}# {OURS}\n{json.dumps(value, indent=2, ensure_ascii=False)}\n"
