"""The releases of an installed Gunbai: written side by side, made ready, and switched to by one rename."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.appliance.archive import PLAIN, RUN, write
from companion.appliance.host import Host, Undo
from companion.appliance.layout import NOBODY, USER, Layout
from companion.appliance.rights import OFFLINE
from companion.appliance.tree import NAME, entry_of, files_of, name_of, version_of
from companion.core.errors import ApplianceError

COMPLETE = ".complete"
_BUILD = re.compile(r"build ([0-9]{1,16})\n")
TRIAL = ("demo", "--headless", "--turns", "1")


def is_complete(release: Path) -> bool:
    """Return whether a release was written to its end and its trial run has succeeded."""
    return (release / COMPLETE).exists()


def is_ready(release: Path) -> bool:
    """Return whether a release is complete and its environment, if any, was made for this Python's version."""
    made_for = {path.name for path in (release / ".venv/lib").glob("python3*")}
    return is_complete(release) and (not made_for or f"python3.{sys.version_info.minor}" in made_for)


def build_of(release: Path) -> int:
    """Return a complete release's build number, which `make_ready` noted; 0 if none is known."""
    told = _BUILD.fullmatch((release / COMPLETE).read_text(encoding="utf-8", errors="replace"))
    return int(told[1]) if told else 0


def in_use(layout: Layout) -> Path | None:
    """Return the folder of the release that `current` leads to; None if there is none, or it isn't complete."""
    return _led_to(layout, layout.current)


def before(layout: Layout) -> Path | None:
    """Return the folder of the release that was in use before; None if there is none, or it isn't complete."""
    return _led_to(layout, layout.previous)


def _led_to(layout: Layout, link: Path) -> Path | None:
    if not link.is_symlink():
        return None
    release = layout.releases / link.readlink().name
    return release if is_complete(release) else None


def name_of_tree(root: Path) -> str:
    """Return the name of the release that this tree would be installed as."""
    return name_of(version_of(root), {name: entry_of(name, path) for name, path in files_of(root).items()})


def copy_tree(root: Path, release: Path) -> None:
    """Copy a tree's files into the folder of a new release."""
    for name, path in files_of(root).items():
        write(release / name, iter((path.read_bytes(),)), RUN if entry_of(name, path).executable else PLAIN)


def write_release(release: Path, put: Callable[[Path], None]) -> Undo:
    """Write a new release with `put`, removing what an earlier try left; return an undo that removes it."""
    if release.exists():
        shutil.rmtree(release)
    release.parent.mkdir(parents=True, exist_ok=True)
    try:
        put(release)
    except (OSError, ApplianceError):
        shutil.rmtree(release, ignore_errors=True)
        raise
    return partial(shutil.rmtree, release, ignore_errors=True)


def make_ready(host: Host, release: Path, wheels: Path | None, build: int = 0) -> None:
    """Make a release's environment, try it out, and mark it complete on the disk.

    wheels: a folder with all packages, None: they come from the network. build: as its manifest tells it.
    ApplianceError if it doesn't run.
    """
    packed = {"GUNBAI_WHEELS": str(wheels), **OFFLINE} if wheels else {}
    made = host.run(str(release / "gunbai"), "--version", extra={**packed, "GUNBAI_SET_UP_ONLY": "1"}, shown=True)
    if not made.well:
        raise ApplianceError(f"{release.name}: can't make its environment: {made.last}")
    packages = [str(release / room) for room in ("intake", "engine", "vision", "hardware", "companion")]
    host.run_or_raise(str(release / ".venv/bin/python"), "-S", "-m", "compileall", "-q", *packages)
    try_out(host, release)
    host.sync()
    (release / COMPLETE).unlink(missing_ok=True)
    write(release / COMPLETE, iter((f"build {build}\n".encode(),)), PLAIN)
    _sync(release)


def try_out(host: Host, release: Path) -> None:
    """Try a release out: let it play a turn on a simulated table, without root's rights, in a scratch folder.

    ApplianceError if that fails.
    """
    user = USER if host.layout.here else NOBODY
    scratch = tempfile.mkdtemp(prefix="gunbai-trial-")
    own = dict.fromkeys(("HOME", "GUNBAI_DATA", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"), scratch)
    try:
        if host.is_root():
            host.run_or_raise("chown", user, scratch)
        ran = host.run_as(user, str(release / "gunbai"), *TRIAL, extra=own)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if not ran.well:
        raise ApplianceError(f"{release.name}: doesn't run: {ran.last}")


def switch(layout: Layout, release: Path) -> Undo:
    """Point `current` to this release and `previous` to the one in use before; return an undo for both."""
    old, older = in_use(layout), before(layout)
    if old is not None and old != release:
        _point(layout.previous, old)
    _point(layout.current, release)
    return partial(_switch_back, layout, old, older)


def _switch_back(layout: Layout, old: Path | None, older: Path | None) -> None:
    for link, release in ((layout.current, old), (layout.previous, older)):
        if release is None:
            link.unlink(missing_ok=True)
        else:
            _point(link, release)


def _point(link: Path, release: Path) -> None:
    beside = link.with_name(f".{link.name}.new")
    beside.unlink(missing_ok=True)
    beside.symlink_to(f"releases/{release.name}")
    beside.replace(link)
    _sync(link.parent)


def _sync(folder: Path) -> None:
    """Sync a folder to the disk as core.storage does.

    `core.storage.sync_folder` can't be used: it needs a package, and this runs before there are any.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def prune(layout: Layout) -> list[str]:
    """Remove all releases, and their packages, but those that `current` and `previous` lead to; return their names."""
    kept = {in_use(layout), before(layout)}
    folders = (path for path in sorted(layout.releases.iterdir()) if path not in kept and path.is_dir())
    gone = [path for path in folders if NAME.fullmatch(path.name.removeprefix(".wheels-"))]  # not what others put here
    for path in gone:
        shutil.rmtree(path)
    return [path.name for path in gone]
