"""Root's care with others' files: the environment of programs that it starts, and giving up its rights.

Programs read much that nobody names: pip its pip.conf, git and uv their settings, Python the packages in a home folder.
Where that home is another user's, they do as that user says, with root's rights. So root starts everything with the few
variables below.

Between a look at a path and its use its owner may put a link there. With the owner's own rights it leads nowhere that
the owner could not go anyway, and what is made is the owner's. So root becomes the owner of a folder that somebody else
may write. Standard library only: the launcher uses this before anything is installed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
WORDS = ("LANG", "LANGUAGE", "TERM", "SOURCE_DATE_EPOCH")
"""Variables that root passes on, as well as LC_*, if they are plain words: a path in them would lead to files."""
WAYS = (
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "PIP_CERT", "PIP_INDEX_URL", "PIP_DEFAULT_TIMEOUT"),
    "GUNBAI_WHEELS",
)
"""Variables that root passes on as they are: the ways to packages, whose bytes are checked against locked hashes."""
LEADING = ("XDG_", "PIP_", "UV_", "PYTHON")
"""The beginnings of variables that, like HOME, name folders and settings."""
OFFLINE: Mapping[str, str] = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "UV_NO_CONFIG": "1"}
"""For installing packages from an update: without anybody's settings, even root's, and without network."""
PLAIN_PYTHON: Mapping[str, str] = {"PYTHONNOUSERSITE": "1", "PYTHONSAFEPATH": "1"}
"""Makes Python look for packages neither in a home folder nor in the current one."""


def is_root() -> bool:
    """Return whether this process runs as root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def root_environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for a program that root starts: of the given variables only harmless ones."""
    words = {name: value for name, value in given.items() if name in WORDS or name.startswith("LC_")}
    kept = {name: value for name, value in words.items() if not {"/", "%"} & set(value)}
    ways = {name: given[name] for name in WAYS if name in given}
    return {"PATH": PATH, "HOME": _home_of(0), "UV_NO_CONFIG": "1", **PLAIN_PYTHON, **kept, **ways}


def tool_environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for a tool that we start.

    For root, that of `root_environment`; for other users all of the given variables but PYTHONPATH.
    """
    if is_root():
        return root_environment(given)
    return {**{name: value for name, value in given.items() if name != "PYTHONPATH"}, **PLAIN_PYTHON}


def app_environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for Gunbai itself, without any path variables if one leads into another user's folder."""
    own_home = {"HOME": _home_of(os.geteuid())}
    if any(_is_another_s(value) for name, value in given.items() if _leads(name)):
        return {name: value for name, value in given.items() if not _leads(name)} | own_home
    home = given.get("HOME", "/")
    return {**given, **(own_home if Path(home).exists() and not os.access(home, os.X_OK) else {})}


def _leads(name: str) -> bool:
    return name == "HOME" or name.startswith(LEADING)


def _is_another_s(value: str) -> bool:
    """Return whether another user could write to one of the paths in a variable's value."""
    paths = [Path(part) for part in value.split(":") if part.startswith("/")]
    return any(_can_another_write(path) for given in paths for path in {given, given.resolve()})


def _can_another_write(path: Path) -> bool:
    """Return whether another user could write to a path, or replace it.

    For a path that doesn't exist, the nearest existing folder above counts; all folders above are checked, too.
    """
    nearest, *above = [place.lstat() for place in (path, *path.parents) if os.path.lexists(place)]
    if any(about.st_uid not in (0, os.geteuid()) for about in (nearest, *above)):
        return True
    return _is_open(nearest) or any(_is_open(about) and not about.st_mode & stat.S_ISVTX for about in above)


def _is_open(about: os.stat_result) -> bool:
    """Return whether everybody may write here; False for a link, whose target is checked by itself."""
    return bool(about.st_mode & stat.S_IWOTH) and not stat.S_ISLNK(about.st_mode)


def _home_of(user: int) -> str:
    import pwd  # Linux alone has it, and the launcher asks on every start

    try:
        return pwd.getpwuid(user).pw_dir
    except KeyError:
        return "/"


def _owner(folder: Path) -> os.stat_result | None:
    """Return the status of a folder, or of the nearest existing one above, if we are root and root doesn't own it.

    None otherwise.
    """
    if not is_root():
        return None
    about = next(place for place in (folder, *folder.absolute().parents) if place.exists()).stat()
    return about if about.st_uid != 0 else None


def become_owner(folder: Path) -> None:
    """Drop root's rights for good and become the folder's owner; do nothing if we aren't root, or root owns it."""
    about = _owner(folder)
    if about is not None:
        os.setgroups([])
        os.setgid(about.st_gid)
        os.setuid(about.st_uid)


@contextmanager
def as_owner(folder: Path) -> Iterator[None]:
    """Take on the rights of the folder's owner meanwhile; do nothing if we aren't root, or root owns it."""
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
