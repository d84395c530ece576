"""Whose files these are: root steps aside in folders that somebody else may write, for what lies there can lead astray.

Between a look at a path and its use its owner may put a link there. With the owner's own rights it leads nowhere that
the owner could not go anyway, and what is made is the owner's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def _owner(folder: Path) -> os.stat_result | None:
    """The folder, or the nearest one above it that is there, where root asks and it is somebody else's."""
    if os.geteuid() != 0:
        return None
    about = next(one for one in (folder, *folder.absolute().parents) if one.exists()).stat()
    return about if about.st_uid != 0 else None


def become_owner(folder: Path) -> None:
    """Become this folder's owner for the rest of the process."""
    about = _owner(folder)
    if about is not None:
        os.setgroups([])
        os.setgid(about.st_gid)
        os.setuid(about.st_uid)


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Do something with the rights of this folder's owner, then be root again."""
    about = _owner(folder)
    if about is None:
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    os.setgroups([])
    os.setegid(about.st_gid)
    os.seteuid(about.st_uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)
