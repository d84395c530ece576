"""`gunbai update`: another release from a file, all of it checked first; back again where it does not start."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from companion.appliance import archive, releases, signing
from companion.appliance.actions import Action
from companion.appliance.archive import Head
from companion.appliance.host import Host
from companion.appliance.installing import NewRelease, change_over, prepare, program_text, put_both
from companion.appliance.layout import USER, Layout
from companion.appliance.machine import MachineFacts
from companion.appliance.manifest import Manifest
from companion.appliance.system import copy_games, is_running
from companion.appliance.tree import number
from companion.core.errors import ApplianceError
from companion.core.language import _

MB = 1_000_000
ENVIRONMENT_MB = 500


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the owner lets in all the same: an older release or build; one that nobody has signed."""

    older: bool = False
    unsigned: bool = False


def installed_release(layout: Layout) -> Path:
    """Return the release in use; ApplianceError where none is."""
    release = releases.in_use(layout)
    if release is None:
        raise ApplianceError(
            f"there is no {layout.current}: updates are for the appliance, and Gunbai isn't installed here as one "
            "(sudo ./gunbai install in its tree does that)"
        )
    return release


def check(path: Path, host: Host, facts: MachineFacts, allowed: Allowed) -> tuple[Head, str]:
    """Look at all of an update before anything is changed: its head, and a sentence on who vouches for it.

    ApplianceError where it is damaged, not signed as it should be, not made for this machine, older than what is
    installed, or too large for the disk.
    """
    now = installed_release(host.layout)
    head = archive.read_head(path)
    vouched = _("not checked who made it (--unsigned)") if allowed.unsigned else signing.check(host, head, path)
    manifest, wanted = head.manifest, f"{facts.processor} {facts.python}"
    if wanted not in manifest.runs_on:
        raise ApplianceError(f"{path}: made for {', '.join(manifest.runs_on)}; this machine is {wanted}")
    if not allowed.older:
        _refuse_older(path, manifest, now)
    needed = manifest.size // MB + ENVIRONMENT_MB
    if facts.free_mb < needed:
        raise ApplianceError(f"{host.layout.home}: {facts.free_mb} MB are free, {needed} MB are needed")
    if archive.verify(path) != head:
        raise ApplianceError(f"{path}: it changed while being read")
    return head, vouched


def _refuse_older(path: Path, manifest: Manifest, now: Path) -> None:
    """Refuse an older version, or an older build of the same: a fault that was mended is not brought back."""
    theirs, ours = number(manifest.release), number(now.name)
    if theirs < ours:
        raise ApplianceError(f"{path}: {manifest.release} is older than {now.name} (to install it anyway: --older)")
    if theirs == ours and manifest.release != now.name and manifest.build < releases.build_of(now):
        raise ApplianceError(
            f"{path}: {manifest.release} is an older build than {now.name} (to install it anyway: --older)"
        )


def newcomer_of(path: Path, head: Head, layout: Layout) -> NewRelease:
    """Return the release of an update whose head has been checked."""
    name = head.manifest.release
    wheels = layout.releases / f".wheels-{name}"
    put = partial(put_both, partial(archive.unpack, path, head.manifest), wheels)
    return NewRelease(name, put, wheels, releases.is_complete(layout.releases / name), head.manifest.build)


def plan(host: Host, newcomer: NewRelease) -> list[Action]:
    """Plan all that an update does; the app is started again where it runs now."""
    layout, found = host.layout, []
    release = newcomer.release(layout)
    if not newcomer.ready:
        made = partial(prepare, host, newcomer)
        found.append(Action(program_text(release), partial(releases.lay, release, newcomer.put)))
        told = _("{place}: its environment, without network, tried out with a demo's turn as user {name}")
        found.append(Action(told.format(place=release / ".venv", name=USER), made))
    return [*found, *back(host, newcomer)]


def back(host: Host, newcomer: NewRelease) -> list[Action]:
    """Return the part of an update that changes over to a release which is ready: the way back, too."""
    return [copy_games(host), *change_over(host, newcomer, begin=is_running(host))]


def newcomer_before(layout: Layout) -> NewRelease:
    """Return the release that was in use before; ApplianceError where there is none to go back to."""
    installed_release(layout)
    release = releases.before(layout)
    if release is None:
        raise ApplianceError(f"{layout.previous}: no release to go back to")
    return NewRelease(release.name, _refuse_missing, None, ready=True)


def _refuse_missing(release: Path) -> None:
    raise ApplianceError(f"{release}: should be there already")


def tidy(host: Host) -> list[str]:
    """Remove releases that nobody goes back to; their names."""
    gone = releases.prune(host.layout)
    host.sync()
    return gone
