"""What `gunbai install`, `update` and `uninstall` will do, as lists of actions.

Installing again mends or renews what is there. An update is another release from a file, all of it checked first; it is
taken back where it does not start. Everything can go but the saved games; with `purge` these too, after one last copy.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from stat import S_ISREG

from companion.appliance import archive, machine, releases, signing, system
from companion.appliance.archive import Head, Manifest
from companion.appliance.host import Action, Host, without_undo
from companion.appliance.layout import CAMERA, FALLEN, SERVICE, STICKS, TIMER, USER, Layout
from companion.appliance.machine import MachineFacts
from companion.appliance.system import copy_games_action, is_running
from companion.appliance.tree import number
from companion.core.errors import ApplianceError
from companion.core.language import _

PACKED_WHEELS = "wheels"


@dataclass(frozen=True, slots=True)
class NewRelease:
    """A release that is to be installed, or changed over to.

    put: writes its files into a new folder; wheels: the folder of its packages, None to fetch them from the network;
    ready: whether it is installed already and runs with this machine's Python; build: its build number.
    """

    name: str
    put: Callable[[Path], None]
    wheels: Path | None
    ready: bool
    build: int = 0

    def release(self, layout: Layout) -> Path:
        """Return the folder of the release, whether it exists yet or not."""
        return layout.releases / self.name


def of_tree(root: Path, layout: Layout) -> NewRelease:
    """Return this tree as a release to install, with the packages beside it if it is an unpacked update."""
    name = releases.name_of_tree(root)
    beside = root.parent / PACKED_WHEELS
    packed = beside.is_dir() and (root.parent / archive.MANIFEST).exists()
    wheels = beside if packed else None
    return NewRelease(name, partial(releases.copy_tree, root), wheels, releases.is_ready(layout.releases / name))


def check_signature(newcomer: NewRelease, root: Path, host: Host) -> tuple[NewRelease, str]:
    """Check the signature of the tree's manifest if signatures are required; return the release and who signed it.

    A release that is ready was checked when it was installed. ApplianceError if the tree is no unpacked update, not
    as it was packed, or not signed as required.
    """
    layout = host.layout
    if newcomer.ready or signing.signers_of(layout) is None:
        return newcomer, ""
    head = archive.head_beside(root)
    who = signing.check(host, head, root.parent / archive.MANIFEST)
    if head.manifest.release != newcomer.name:
        raise ApplianceError(f"{root}: not as it was packed")
    wheels = layout.releases / f".wheels-{newcomer.name}"
    put = partial(put_both, partial(archive.copy_unpacked, root.parent, head.manifest), wheels)
    return replace(newcomer, put=put, wheels=wheels, build=head.manifest.build), who


def put_both(take: Callable[[Path, Path], None], wheels: Path, release: Path) -> None:
    """Call `take` to fill the folders of a release and its packages; if it fails, remove the packages' folder."""
    shutil.rmtree(wheels, ignore_errors=True)
    try:
        take(release, wheels)
    except (OSError, ApplianceError):
        shutil.rmtree(wheels, ignore_errors=True)
        raise


def prepare(host: Host, newcomer: NewRelease) -> None:
    """Make a release ready to run (`releases.make_ready`), then remove its packages from beside the releases."""
    try:
        releases.make_ready(host, newcomer.release(host.layout), newcomer.wheels, newcomer.build)
    finally:
        if newcomer.wheels is not None and newcomer.wheels.parent == host.layout.releases:
            shutil.rmtree(newcomer.wheels, ignore_errors=True)


def program_text(release: Path) -> str:
    """Return the line that announces that a release's files will be written."""
    return _("{place}: the program").format(place=release)


def check_machine(facts: MachineFacts, host: Host, anyway: bool) -> None:
    """Raise ApplianceError if the machine can't take an installation, or isn't supported, unless `anyway`."""
    if facts.free_mb < machine.ROOM_MB:
        raise ApplianceError(f"{host.layout.home}: {facts.free_mb} MB are free, {machine.ROOM_MB} MB are needed")
    if not host.layout.here and machine.is_foreign(host.layout):
        raise ApplianceError(
            f"{host.layout.root}: a different processor or Python than here: install on that machine itself"
        )
    differs = machine.differences(facts)
    if differs and not anyway:
        raise ApplianceError(f"this machine differs: {'; '.join(differs)} (to continue: --anyway)")


def plan_installation(host: Host, facts: MachineFacts, newcomer: NewRelease, begin: bool) -> list[Action]:
    """Return the actions of an installation, in order.

    begin: whether to start the app at the end.
    """
    layout = host.layout
    release = newcomer.release(layout)
    missing = machine.missing_packages(facts, host)
    wanted = _("Debian packages: {names}").format(names=" ".join(missing))
    found = [Action(wanted, partial(_get_packages, host, missing))] if missing else []
    if not newcomer.ready and not releases.is_complete(release):
        found.append(Action(program_text(release), partial(releases.write_release, release, newcomer.put)))
    user = _("user {name}; {places}").format(name=USER, places=f"{layout.state}, {layout.backups}")
    found.append(Action(user, partial(system.make_user, host, release)))
    if not newcomer.ready:
        made = partial(prepare, host, newcomer)
        told = _("{place}: its environment, tried out with a demo's turn as user {name}")
        found.append(Action(told.format(place=release / ".venv", name=USER), made))
    settings = _("{place}, if there is none").format(place=layout.settings / "settings.toml")
    found.append(Action(settings, partial(system.write_settings, layout)))
    return [*found, *_copied(host, release), *change_over(host, newcomer, begin)]


def _copied(host: Host, release: Path) -> list[Action]:
    """Return the action, if any, that copies the saved games before another release takes over.

    [] if no release is in use, if it is this one, or if its environment is for another Python, so that it can't run.
    """
    now = releases.in_use(host.layout)
    if now is None or now == release or not releases.is_ready(now):
        return []
    return [system.copy_games_action(host)]


def change_over(host: Host, newcomer: NewRelease, begin: bool) -> list[Action]:
    """Return the actions that make a ready release the one in use; undone, the one before runs again.

    begin: whether to start the app, and to fail if it doesn't start.
    """
    layout, release = host.layout, newcomer.release(host.layout)
    told = f"{layout.current} → releases/{newcomer.name}"
    found = [
        Action("", partial(system.pause, host)),
        Action(_links_text(layout, newcomer), partial(system.link, layout, release)),
        Action(told, partial(releases.switch, layout, release)),
        Action("", partial(system.reload, host)),
    ]
    if begin:
        told = _("start of {name} and {other}, now and with the machine").format(name=SERVICE, other=TIMER)
        found.append(Action(told, partial(_start, host)))
    # Remove links of the release before that this one lacks.
    found.append(Action("", lambda: system.unlink(layout, layout.kept_links(release))))
    return found


def _links_text(layout: Layout, newcomer: NewRelease) -> str:
    release = newcomer.release(layout)
    source = release if newcomer.ready else Path(__file__).resolve().parents[2]
    return _("links to it:") + "\n" + "\n".join(f"    {path}" for path in layout.links(source))


def _get_packages(host: Host, missing: tuple[str, ...]) -> None:
    """Install Debian packages; if that fails, print how to install them later and go on."""
    host.run("apt-get", "update")
    ran = host.run("apt-get", "install", "-y", "--no-install-recommends", *missing)
    if not ran.well:
        told = _("not installed ({why}); later: {command}")
        print("  " + told.format(why=ran.last, command=f"sudo apt-get install {' '.join(missing)}"))


def _start(host: Host) -> None:
    """Start the services; ApplianceError if the app doesn't start. A missing screen doesn't matter: the app waits."""
    if not system.start(host):
        raise ApplianceError(f"{SERVICE} doesn't start: journalctl -u gunbai; {FALLEN} shows on the screen why")


# ---- an update: all of it is checked first ------------------------------------------------------------------------


MB = 1_000_000
ENVIRONMENT_MB = 500


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the owner allows in an update: an older release or build; a signature missing or wrong."""

    older: bool = False
    unsigned: bool = False


def installed_release(layout: Layout) -> Path:
    """Return the folder of the release in use; ApplianceError if none is installed."""
    release = releases.in_use(layout)
    if release is None:
        raise ApplianceError(
            f"there is no {layout.current}: updates are for the appliance, and Gunbai isn't installed here as one "
            "(sudo ./gunbai install in its tree does that)"
        )
    return release


def check_update(path: Path, host: Host, facts: MachineFacts, allowed: Allowed) -> tuple[Head, str]:
    """Check all of an update before anything is changed; return its head and a sentence on who signed it.

    ApplianceError if it is damaged, not signed as required, not for this machine, older than what is installed, or
    too large for the disk.
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
    """Raise ApplianceError for an older version, or an older build of the same version."""
    theirs, ours = number(manifest.release), number(now.name)
    if theirs < ours:
        raise ApplianceError(f"{path}: {manifest.release} is older than {now.name} (to install it anyway: --older)")
    if theirs == ours and manifest.release != now.name and manifest.build < releases.build_of(now):
        raise ApplianceError(
            f"{path}: {manifest.release} is an older build than {now.name} (to install it anyway: --older)"
        )


def newcomer_of(path: Path, head: Head, layout: Layout) -> NewRelease:
    """Return the release that an update, whose head has been checked, would install."""
    name = head.manifest.release
    wheels = layout.releases / f".wheels-{name}"
    put = partial(put_both, partial(archive.unpack, path, head.manifest), wheels)
    return NewRelease(name, put, wheels, releases.is_complete(layout.releases / name), head.manifest.build)


def plan_update(host: Host, newcomer: NewRelease) -> list[Action]:
    """Return the actions of an update, in order; the app is restarted if it runs now."""
    layout, found = host.layout, []
    release = newcomer.release(layout)
    if not newcomer.ready:
        made = partial(prepare, host, newcomer)
        found.append(Action(program_text(release), partial(releases.write_release, release, newcomer.put)))
        told = _("{place}: its environment, without network, tried out with a demo's turn as user {name}")
        found.append(Action(told.format(place=release / ".venv", name=USER), made))
    return [*found, *plan_change(host, newcomer)]


def plan_change(host: Host, newcomer: NewRelease) -> list[Action]:
    """Return the actions that copy the games and change over to a ready release, be it newer or the one before."""
    return [copy_games_action(host), *change_over(host, newcomer, begin=is_running(host))]


def newcomer_before(layout: Layout) -> NewRelease:
    """Return the release that was in use before; ApplianceError if there is none to go back to."""
    installed_release(layout)
    release = releases.before(layout)
    if release is None:
        raise ApplianceError(f"{layout.previous}: no release to go back to")
    return NewRelease(release.name, _refuse_missing, None, ready=True)


def _refuse_missing(release: Path) -> None:
    raise ApplianceError(f"{release}: should be there already")


def tidy(host: Host) -> list[str]:
    """Remove the releases that are no longer used, and sync; return their names."""
    gone = releases.prune(host.layout)
    host.sync()
    return gone


# ---- the removal ----------------------------------------------------------------------------------------------------


LAST = "var/backups/gunbai"
"""The folder of the last copy of purged games."""


def is_installed(host: Host) -> bool:
    """Return whether Gunbai's own folder or a link to it is below this root; saved games don't count."""
    layout = host.layout
    return layout.home.exists() or any(True for _link in layout.found_links())


def plan_removal(host: Host, purge: bool) -> list[Action]:
    """Return the actions of an uninstallation, in order. purge: remove the saved games and settings, too.

    From the removal of the links on, the actions can't be undone.
    """
    layout = host.layout
    stop = _("stop of {names}").format(names=", ".join((SERVICE, CAMERA, FALLEN, TIMER)))
    found = [Action(stop, partial(system.pause, host))]
    found.append(Action("", partial(without_undo, host.systemctl, "stop", STICKS)))
    if purge and layout.state.exists():
        copy = _("{place}: one last copy of the saved games; this stays").format(place=layout.root / LAST)
        found.append(Action(copy, partial(_last_copy, host)))
    links = "".join(f"\n    {link}" for link in layout.found_links())
    found.append(Action(_("removed links:") + links, partial(without_undo, system.unlink, layout)))
    found.append(Action("", partial(system.reload, host)))
    found.append(system.removal_action(layout.home))
    if purge:
        found += [system.removal_action(folder) for folder in (layout.state, layout.backups, layout.settings)]
    else:
        found += [_keep(host, folder) for folder in (layout.state, layout.backups)]
    user = _("removed user {name}").format(name=USER)
    found.append(Action(user, partial(system.remove_user, host)))
    return found


def _keep(host: Host, folder: Path) -> Action:
    told = _("{place} stays, and belongs to root").format(place=folder)
    return Action(told, partial(system.give_to_root, host, folder))


def _last_copy(host: Host) -> None:
    """Back up the games, and copy the newest backup to where only root may write; do nothing for a mounted tree."""
    if not host.layout.here:
        return
    folder = host.layout.root / LAST
    system.back_up(host, host.layout.backups)
    copies = [path for path in sorted(host.layout.backups.glob("gunbai-*.tar.gz")) if S_ISREG(path.lstat().st_mode)]
    if not copies:
        raise ApplianceError(f"{host.layout.backups}: no copy of the saved games there, so nothing was removed")
    folder.mkdir(parents=True, exist_ok=True)
    host.run_or_raise("cp", "--no-dereference", "--", str(copies[-1]), str(folder))
    host.run_or_raise("chown", "-R", "--no-dereference", "root:root", str(folder))
