"""Where everything of an installed Gunbai lies, under the root of a machine or of a mounted tree.

A release lies in a folder of its own, `current` is a link to the one in use, and every file that the system has of
Gunbai is a link to a file of `current`: one rename changes from one release to another, whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

HOME = "opt/gunbai"
CURRENT, PREVIOUS = "current", "previous"
STATE = "var/lib/gunbai"
BACKUPS = "var/lib/gunbai-backups"
SETTINGS = "etc/gunbai"
USER = "gunbai"
NOBODY = "65534"
"""A user without rights on every Linux; stands in for ours if that exists only in a mounted tree."""
SERVICE, CAMERA, FALLEN = "gunbai.service", "gunbai-camera.service", "gunbai-fallen.service"
TIMER = "gunbai-backup.timer"
BRIDGE = "gunbai-mqtt.service"
STICKS = "gunbai-stick@*.service"
"""The units of all memory sticks that are plugged in."""
UNIT_FOLDER = "etc/systemd/system"
FOLDERS: Mapping[str, str] = {
    "units": UNIT_FOLDER,
    "udev": "etc/udev/rules.d",
    "polkit": "etc/polkit-1/rules.d",
    "manager": "etc/systemd/system.conf.d",
}
"""{folder of `systemd/` in a release: the system's folder with links to its files}"""
SINCE = {0: ("drop-ins", f"{UNIT_FOLDER}/{SERVICE}.d"), 254: ("since-254", f"{UNIT_FOLDER}/{SERVICE}.d")}
"""{version of systemd: (the folder of `systemd/` linked from that version on, the system's folder)}"""
SHARED = "usr/lib/*/systemd/libsystemd-shared-*.so"
COMMAND = "usr/local/bin/gunbai"
COMMAND_SCRIPT = "systemd/gunbai.sh"
ENABLED: Mapping[str, str] = {SERVICE: "multi-user.target.wants", TIMER: "timers.target.wants"}
CHOSEN: Mapping[str, str] = {BRIDGE: "multi-user.target.wants"}
"""Units that the owner may enable; an update leaves that as it is."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of an installed Gunbai below a root, which must be absolute."""

    root: Path = Path("/")

    @property
    def here(self) -> bool:
        """Whether the root is the running machine's own, not a mounted tree's."""
        return self.root == Path("/")

    @property
    def home(self) -> Path:
        """Gunbai's own folder, with the releases and the links to them."""
        return self.root / HOME

    @property
    def releases(self) -> Path:
        """The folder that holds a folder for each release."""
        return self.home / "releases"

    @property
    def current(self) -> Path:
        """The link to the release in use."""
        return self.home / CURRENT

    @property
    def previous(self) -> Path:
        """The link to the release that was in use before."""
        return self.home / PREVIOUS

    @property
    def state(self) -> Path:
        """The folder of the saved games, tables and choices."""
        return self.root / STATE

    @property
    def backups(self) -> Path:
        """The folder of the nightly copies."""
        return self.root / BACKUPS

    @property
    def settings(self) -> Path:
        """The folder of the owner's own settings."""
        return self.root / SETTINGS

    @property
    def systemd(self) -> int:
        """The version of the system's systemd; 0 where there is none."""
        names = (path.stem.removeprefix("libsystemd-shared-") for path in self.root.glob(SHARED))
        return max((int(version) for name in names if (version := name.partition(".")[0]).isdigit()), default=0)

    def links(self, release: Path) -> dict[Path, str]:
        """Return {link's path: its target} of all links that the system needs for this release.

        The targets in a release go through `current`.
        """
        found = {self.root / COMMAND: f"/{HOME}/{CURRENT}/{COMMAND_SCRIPT}"}
        understood = dict(where for version, where in SINCE.items() if self.systemd >= version)
        for folder, system in {**FOLDERS, **understood}.items():
            for file in sorted((release / "systemd" / folder).iterdir()):
                found[self.root / system / file.name] = f"/{HOME}/{CURRENT}/systemd/{folder}/{file.name}"
        for unit, wants in ENABLED.items():
            found[self.root / UNIT_FOLDER / wants / unit] = f"../{unit}"
        return found

    def kept_links(self, release: Path) -> frozenset[Path]:
        """Return the links to keep when this release comes into use.

        These are its own, and those that enable units which are for the owner to enable.
        """
        own = self.links(release)
        units = self.root / UNIT_FOLDER
        return frozenset(own) | {units / wants / unit for unit, wants in CHOSEN.items() if units / unit in own}

    def found_links(self) -> Iterator[Path]:
        """Yield every link to Gunbai that exists in the system's folders, those of other releases too."""
        if _is_ours(self.root / COMMAND):
            yield self.root / COMMAND
        for unit, wants in {**ENABLED, **CHOSEN}.items():
            link = self.root / UNIT_FOLDER / wants / unit
            if link.is_symlink():
                yield link
        for system in (*FOLDERS.values(), *(system for _folder, system in SINCE.values())):
            yield from (link for link in sorted((self.root / system).glob("*gunbai*")) if _is_ours(link))


def _is_ours(link: Path) -> bool:
    return link.is_symlink() and str(link.readlink()).startswith(f"/{HOME}/")
