"""`gunbai install`: what it will do, as a list of actions; doing it again mends or renews what is there."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from companion.appliance import archive, machine, releases, signing, system
from companion.appliance.actions import Action, Undo, for_good
from companion.appliance.host import Host
from companion.appliance.layout import FALLEN, SERVICE, TIMER, USER, Layout
from companion.appliance.machine import MachineFacts
from companion.core.errors import ApplianceError
from companion.core.language import _

PACKED_WHEELS = "wheels"


@dataclass(frozen=True, slots=True)
class NewRelease:
    """A release that is to be used.

    put: lays its files into a new folder; wheels: where its packages lie, None: in the network; ready: whether it
    is there already and runs with this machine's Python; build: as its manifest tells it.
    """

    name: str
    put: Callable[[Path], None]
    wheels: Path | None
    ready: bool
    build: int = 0

    def release(self, layout: Layout) -> Path:
        """Return where the release lies, or will."""
        return layout.releases / self.name


def of_tree(root: Path, layout: Layout) -> NewRelease:
    """Return the tree that this program runs from as a release, with the packages an unpacked update has beside it."""
    name = releases.name_of_tree(root)
    beside = root.parent / PACKED_WHEELS
    packed = beside.is_dir() and (root.parent / archive.MANIFEST).exists()
    wheels = beside if packed else None
    return NewRelease(name, partial(releases.copy_tree, root), wheels, releases.is_ready(layout.releases / name))


def vouch(newcomer: NewRelease, root: Path, host: Host) -> tuple[NewRelease, str]:
    """Hold a release's files against a signed manifest, if signatures are asked for; return it and who signed.

    What is installed already was looked at then. ApplianceError where the tree is no unpacked update, or not as
    packed.
    """
    layout = host.layout
    if newcomer.ready or signing.signers_of(layout) is None:
        return newcomer, ""
    head = archive.head_beside(root)
    who = signing.check(host, head, root.parent / archive.MANIFEST)
    if head.manifest.release != newcomer.name:
        raise ApplianceError(f"{root}: not as it was packed")
    wheels = layout.releases / f".wheels-{newcomer.name}"
    put = partial(put_both, partial(archive.take, root.parent, head.manifest), wheels)
    return replace(newcomer, put=put, wheels=wheels, build=head.manifest.build), who


def put_both(take: Callable[[Path, Path], None], wheels: Path, release: Path) -> None:
    """Lay down a release and the folder of its packages; of neither anything is left where that fails."""
    shutil.rmtree(wheels, ignore_errors=True)
    try:
        take(release, wheels)
    except (OSError, ApplianceError):
        shutil.rmtree(wheels, ignore_errors=True)
        raise


def prepare(host: Host, newcomer: NewRelease) -> None:
    """Give the release its environment and try it out; packages that were laid beside the releases go again."""
    try:
        releases.make_ready(host, newcomer.release(host.layout), newcomer.wheels, newcomer.build)
    finally:
        if newcomer.wheels is not None and newcomer.wheels.parent == host.layout.releases:
            shutil.rmtree(newcomer.wheels, ignore_errors=True)


def program_text(release: Path) -> str:
    """Return the line that tells of laying a release down."""
    return _("{place}: the program").format(place=release)


def check(facts: MachineFacts, host: Host, anyway: bool) -> None:
    """Refuse where it cannot be done, or where this is another machine and nobody said to go on."""
    if facts.free_mb < machine.ROOM_MB:
        raise ApplianceError(f"{host.layout.home}: {facts.free_mb} MB are free, {machine.ROOM_MB} MB are needed")
    if not host.layout.here and machine.is_foreign(host.layout):
        raise ApplianceError(
            f"{host.layout.root}: a different processor or Python than here: install on that machine itself"
        )
    differs = machine.differences(facts)
    if differs and not anyway:
        raise ApplianceError(f"this machine differs: {'; '.join(differs)} (to continue: --anyway)")


def plan(host: Host, facts: MachineFacts, newcomer: NewRelease, begin: bool) -> list[Action]:
    """Plan all that an installation does, in the order in which it is done.

    `begin`: the app is started at the end.
    """
    layout = host.layout
    release = newcomer.release(layout)
    missing = machine.missing_packages(facts, host)
    wanted = _("Debian packages: {names}").format(names=" ".join(missing))
    found = [Action(wanted, partial(_get_packages, host, missing))] if missing else []
    if not newcomer.ready and not releases.is_complete(release):
        found.append(Action(program_text(release), partial(releases.lay, release, newcomer.put)))
    user = _("user {name}; {places}").format(name=USER, places=f"{layout.state}, {layout.backups}")
    found.append(Action(user, partial(system.make_user, host, release)))
    if not newcomer.ready:
        made = partial(for_good, prepare, host, newcomer)
        told = _("{place}: its environment, tried out with a demo's turn as user {name}")
        found.append(Action(told.format(place=release / ".venv", name=USER), made))
    settings = _("{place}, if there is none").format(place=layout.settings / "settings.toml")
    found.append(Action(settings, partial(system.write_settings, layout)))
    return [*found, *_copied(host, release), *change_over(host, newcomer, begin)]


def _copied(host: Host, release: Path) -> list[Action]:
    """Return the action that copies the saved games before another release takes over.

    Nothing where no release is in use, where this one is, or where the one in use no longer runs: it could not
    copy them.
    """
    now = releases.in_use(host.layout)
    if now is None or now == release or not releases.is_ready(now):
        return []
    return [system.copy_games(host)]


def change_over(host: Host, newcomer: NewRelease, begin: bool) -> list[Action]:
    """Let a release that is ready be the one in use; where it does not start, the one before is started again."""
    layout, release = host.layout, newcomer.release(host.layout)
    told = f"{layout.current} → releases/{newcomer.name}"
    found = [
        Action("", partial(system.pause, host)),
        Action(_links_text(layout, newcomer), partial(system.link, layout, release)),
        Action(told, partial(releases.switch, layout, release)),
        Action("", partial(for_good, system.reload, host)),
    ]
    if begin:
        told = _("start of {name} and {other}, now and with the machine").format(name=SERVICE, other=TIMER)
        found.append(Action(told, partial(_start, host)))
    found.append(Action("", partial(_remove_stale, layout, release)))
    return found


def _remove_stale(layout: Layout, release: Path) -> Undo:
    """Remove the links that only the release before had, and return the way back."""
    return system.unlink(layout, layout.kept_links(release))


def _links_text(layout: Layout, newcomer: NewRelease) -> str:
    release = newcomer.release(layout)
    source = release if newcomer.ready else Path(__file__).resolve().parents[2]
    return _("links to it:") + "\n" + "\n".join(f"    {path}" for path in layout.links(source))


def _get_packages(host: Host, missing: tuple[str, ...]) -> None:
    """Install packages where there is a network; where there is none they are named, and the rest goes on."""
    host.run("apt-get", "update")
    ran = host.run("apt-get", "install", "-y", "--no-install-recommends", *missing)
    if not ran.well:
        told = _("not installed ({why}); later: {command}")
        print("  " + told.format(why=ran.last, command=f"sudo apt-get install {' '.join(missing)}"))


def _start(host: Host) -> None:
    """Start the services; a screen that is not there yet is waited for by the app itself."""
    if not system.start(host):
        raise ApplianceError(f"{SERVICE} doesn't start: journalctl -u gunbai; {FALLEN} shows on the screen why")
