"""What Gunbai has in the system beside its releases: links, its user and folders, and its services."""

from __future__ import annotations

import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path

from companion.appliance.host import Action, Host, Undo
from companion.appliance.layout import CAMERA, COMMAND, FALLEN, SERVICE, TIMER, USER, Layout
from companion.core.errors import ApplianceError
from companion.core.language import _

SETTINGS_HEAD = """\
# The owner's settings of this machine; docs/playing.md has every key. Choices made in the app override it.
"""


def link(layout: Layout, release: Path) -> Undo:
    """Make the links that this release needs and return an undo; ApplianceError if a plain file is in the way."""
    wanted = layout.links(release)
    for path in wanted:
        if path.exists() and not path.is_symlink():
            raise ApplianceError(f"{path}: Gunbai didn't make this file; move it away")
    made = [path for path, target in wanted.items() if not path.is_symlink() or str(path.readlink()) != target]
    old = {path: str(path.readlink()) for path in made if path.is_symlink()}
    for path in made:
        _link(path, wanted[path])
    return partial(_link_back, made, old)


def _link(path: Path, target: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    beside.symlink_to(target)
    beside.replace(path)


def _link_back(made: list[Path], old: dict[Path, str]) -> None:
    for path in made:
        path.unlink(missing_ok=True)
        if path in old:
            path.symlink_to(old[path])


def unlink(layout: Layout, kept: frozenset[Path] = frozenset()) -> Undo:
    """Remove all of Gunbai's links but these; return an undo that makes them again."""
    gone = {path: str(path.readlink()) for path in layout.found_links() if path not in kept}
    for path in gone:
        path.unlink()
        _remove_empty(path.parent)
    return partial(_link_back, list(gone), gone)


def _remove_empty(folder: Path) -> None:
    """Remove a systemd folder, such as `*.wants` or `gunbai.service.d`, if it is empty."""
    if folder.suffix in (".wants", ".d") and folder.parent.name in ("system", "systemd") and not any(folder.iterdir()):
        folder.rmdir()


def make_user(host: Host, release: Path) -> Undo | None:
    """Create the user, its groups and folders from the release's sysusers and tmpfiles; ApplianceError if that fails.

    Return an undo if this machine had no such user before, else None.
    """
    layout = host.layout
    is_new = layout.here and not host.run("getent", "passwd", USER).well
    where = [] if layout.here else [f"--root={layout.root}"]
    for tool, folder in (("systemd-sysusers", "sysusers.d"), ("systemd-tmpfiles", "tmpfiles.d")):
        create = ["--create"] if tool == "systemd-tmpfiles" else []
        host.run_or_raise(tool, *where, *create, str(release / "systemd" / folder / "gunbai.conf"))
    if layout.here:
        host.run_or_raise("chown", "-R", "--no-dereference", f"{USER}:{USER}", str(layout.state), str(layout.backups))
    return partial(_unmake_user, host) if is_new else None


def _unmake_user(host: Host) -> None:
    """Remove the user, and its folders if empty; give those with files in them to root."""
    for folder in (host.layout.state, host.layout.backups):
        with suppress(OSError):
            folder.rmdir()
        give_to_root(host, folder)
    remove_user(host)


def write_settings(layout: Layout) -> Undo | None:
    """Create the owner's settings file if it is missing; return an undo, None if the file existed."""
    path = layout.settings / "settings.toml"
    if path.exists():
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SETTINGS_HEAD, encoding="utf-8")
    return partial(path.unlink, missing_ok=True)


def reload(host: Host) -> None:
    """Make systemd, udev and polkit reload their files; failures don't matter."""
    host.systemctl("daemon-reload")
    if host.layout.here:
        host.run("udevadm", "control", "--reload")
        host.run("udevadm", "trigger", "--subsystem-match=gpio", "--subsystem-match=backlight")
        host.run("udevadm", "trigger", "--subsystem-match=tty", "--subsystem-match=dma_heap")
        host.systemctl("try-reload-or-restart", "polkit.service")


def is_running(host: Host) -> bool:
    """Return whether the app's service is active, or the screen that shows why it failed."""
    return host.layout.here and (
        host.systemctl("is-active", "--quiet", SERVICE).well or host.systemctl("is-active", "--quiet", FALLEN).well
    )


def stop(host: Host) -> None:
    """Stop the app, its camera, its failure screen and the timer of the nightly copies."""
    host.systemctl("stop", TIMER, FALLEN, SERVICE, CAMERA)


def pause(host: Host) -> Undo:
    """Call `stop` while the release changes; return an undo that starts app and timer again if the app was running."""
    ran = is_running(host)
    stop(host)
    return partial(_go_on, host, ran)


def _go_on(host: Host, ran: bool) -> None:
    stop(host)
    reload(host)
    if ran:
        host.systemctl("reset-failed", SERVICE, FALLEN)
        host.systemctl("start", TIMER, SERVICE)


def start(host: Host) -> bool:
    """Start the timer and the app; return whether the app has started and keeps running for a while."""
    host.systemctl("reset-failed", SERVICE, FALLEN)
    host.systemctl("start", TIMER)
    return host.systemctl("start", SERVICE).well and _stays(host)


STAYS_S = 15
USER_GOES_S, IN_USE = 10, 8  # IN_USE: how userdel(8) ends where a process of the user's still runs


def _stays(host: Host) -> bool:
    """Watch the app for `STAYS_S` seconds; return whether it keeps running without a restart."""
    for _second in range(STAYS_S if host.layout.here else 0):
        host.wait(1.0)
        shown = host.systemctl("show", "-p", "ActiveState,NRestarts", SERVICE).output
        if "ActiveState=active" not in shown or "NRestarts=0" not in shown:
            return False
    return True


def copy_games_action(host: Host) -> Action:
    """Return the action that copies the saved games into the folder of the nightly copies."""
    folder = host.layout.backups
    return Action(_("copy of the saved games into {place}").format(place=folder), partial(back_up, host, folder))


def back_up(host: Host, folder: Path) -> None:
    """Run `gunbai backup` as Gunbai's user; ApplianceError if it fails. Do nothing for a mounted tree."""
    if not host.layout.here:
        return
    ran = host.run_as(USER, f"/{COMMAND}", "backup", "--to", str(folder))
    if not ran.well:
        raise ApplianceError(f"can't copy the saved games, so nothing was changed: {ran.last}")


def remove_user(host: Host) -> None:
    """Remove the timer's time stamp and, unless below a mounted root, the user and its group; leave its files."""
    (host.layout.root / f"var/lib/systemd/timers/stamp-{TIMER}").unlink(missing_ok=True)
    if host.layout.here:
        _delete_user(host)
        host.run("groupdel", USER)


def _delete_user(host: Host) -> None:
    """Delete the user, retrying for a while if it still has a process; if that never works, say so and go on."""
    for _second in range(USER_GOES_S):
        ran = host.run("userdel", USER)
        if ran.status != IN_USE:
            return
        host.wait(1.0)
    print(_("not removed: the user {name} ({why})").format(name=USER, why=ran.last))


def give_to_root(host: Host, folder: Path) -> None:
    """Make root the owner of a folder that stays, so that a later user with the same id doesn't get it."""
    if host.layout.here and folder.exists():
        host.run_or_raise("chown", "-R", "--no-dereference", "root:root", str(folder))


def removal_action(folder: Path) -> Action:
    """Return the action that removes a folder with all that is in it; it can't be undone."""
    return Action(_("{place} is removed").format(place=folder), partial(_remove, folder))


def _remove(folder: Path) -> None:
    """Remove a folder with all that is in it; an empty one may stay, as a disk may be mounted on it.

    ApplianceError if anything else is left.
    """
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists() and any(folder.iterdir()):
        raise ApplianceError(f"{folder}: couldn't remove all of it; is the disk read-only?")
