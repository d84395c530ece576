"""`gunbai uninstall`: everything goes but the saved games; with `purge` these too, after one last copy."""

from __future__ import annotations

from functools import partial
from stat import S_ISREG

from companion.appliance import system
from companion.appliance.actions import Action, for_good
from companion.appliance.host import Host
from companion.appliance.layout import BACKUPS, CAMERA, FALLEN, SERVICE, STATE, STICKS, TIMER, USER
from companion.core.errors import ApplianceError
from companion.core.language import _

LAST = "var/backups/gunbai"
"""Where the last copy of purged games stays."""


def is_there(host: Host) -> bool:
    """Return whether anything of Gunbai is installed."""
    layout = host.layout
    return layout.home.exists() or any(True for _link in layout.found_links())


def plan(host: Host, purge: bool) -> list[Action]:
    """Plan all that an uninstallation does. `purge`: the saved games and the settings go too.

    From the links on there is no way back: they would lead into a folder that is gone.
    """
    layout = host.layout
    stop = _("stop of {names}").format(names=", ".join((SERVICE, CAMERA, FALLEN, TIMER)))
    found = [Action(stop, partial(system.pause, host))]
    found.append(Action("", partial(for_good, host.systemctl, "stop", STICKS)))
    kept = (layout.state, layout.backups)
    last = layout.root / LAST
    if purge and layout.state.exists():
        copy = _("{place}: one last copy of the saved games; this stays").format(place=last)
        found.append(Action(copy, partial(_last_copy, host)))
    links = "".join(f"\n    {link}" for link in layout.found_links())
    found.append(Action(_("removed links:") + links, partial(for_good, system.unlink, layout)))
    found.append(Action("", partial(for_good, system.reload, host)))
    found.append(system.remove(layout.home))
    if purge:
        found += [system.remove(folder) for folder in (*kept, layout.settings)]
    else:
        found += [_keep(host, path) for path in (STATE, BACKUPS)]
    user = _("removed user {name}").format(name=USER)
    found.append(Action(user, partial(for_good, system.remove_user, host)))
    return found


def _keep(host: Host, path: str) -> Action:
    folder = host.layout.root / path
    told = _("{place} stays, and belongs to root").format(place=folder)
    return Action(told, partial(system.give_to_root, host, folder))


def _last_copy(host: Host) -> None:
    """Have Gunbai's own user make the last copy, and put it where root alone may write."""
    if not host.layout.here:
        return
    folder = host.layout.root / LAST
    system.back_up(host, host.layout.backups)
    copies = [path for path in sorted(host.layout.backups.glob("gunbai-*.tar.gz")) if S_ISREG(path.lstat().st_mode)]
    if not copies:
        raise ApplianceError(f"{host.layout.backups}: no copy of the saved games there, so nothing was removed")
    folder.mkdir(parents=True, exist_ok=True)
    host.need("cp", "--no-dereference", "--", str(copies[-1]), str(folder))
    host.need("chown", "-R", "--no-dereference", "root:root", str(folder))
