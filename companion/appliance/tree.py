"""What a release consists of: the program's files, and a name made of its version and a hash of these files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from companion.core.errors import ApplianceError

PARTS = (
    *("intake", "engine", "vision", "hardware", "companion", "systemd", "requirements", "docs"),
    *("gunbai", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"),
)
PROGRAMS = frozenset({"gunbai", "systemd/gunbai.sh", "systemd/stick.sh"})
"""The files of a release that are executable."""
DIGITS = 10
_NUMBER = r"[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}"
VERSION = re.compile(rf'^__version__ = "({_NUMBER})"$', re.MULTILINE)
NAME = re.compile(rf"{_NUMBER}-[0-9a-f]{{10}}")


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file in a manifest: the sha256 of its bytes in hexadecimal, its size in bytes, whether it is executable."""

    sha256: str
    size: int
    executable: bool = False


def files_of(root: Path) -> Mapping[str, Path]:
    """Return {path relative to the root: file} of all files of a release, without caches.

    ApplianceError for a link, or if parts are missing, as they are from an installed Python package.
    """
    if (root / "__init__.py").exists() and not (root / "gunbai").exists():  # as pip, pipx or uv install it
        raise ApplianceError(
            "this needs Gunbai's whole tree, which the Python package isn't: unpack its source and run ./gunbai there"
        )
    if missing := [part for part in PARTS if not (root / part).exists()]:
        lacks = ", ".join(missing)
        raise ApplianceError(
            f"this needs Gunbai's whole tree: run ./gunbai where it was cloned ({root} has no {lacks})"
        )
    found = {str(path.relative_to(root)): path for part in PARTS for path in _files(root / part)}
    for name, path in found.items():
        if path.is_symlink():
            raise ApplianceError(f"{name}: a link; a release has only files")
    return found


def _files(part: Path) -> Iterator[Path]:
    if part.is_file():
        yield part
    for path in sorted(part.rglob("*")) if part.is_dir() else ():
        if (path.is_file() or path.is_symlink()) and "__pycache__" not in path.parts:
            yield path


def entry_of(name: str, path: Path) -> FileEntry:
    """Measure a file of the tree and return its entry in a manifest."""
    data = path.read_bytes()
    return FileEntry(hashlib.sha256(data).hexdigest(), len(data), name in PROGRAMS)


def version_of(root: Path) -> str:
    """Return the version of Gunbai in this tree; ApplianceError if it is no tree of Gunbai."""
    try:
        found = VERSION.search((root / "companion" / "__init__.py").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        found = None
    if found is None:
        raise ApplianceError(f"{root}: not a tree of Gunbai")
    return found[1]


def name_of(version: str, files: Mapping[str, FileEntry]) -> str:
    """Return a release's name: its version and a hash of its files' paths and contents."""
    lines = "".join(f"{name} {files[name].sha256}\n" for name in sorted(files))
    return f"{version}-{hashlib.sha256(lines.encode()).hexdigest()[:DIGITS]}"


def number(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, or of the version in a release's name, for comparing.

    >>> number("0.10.2-0123456789") > number("0.9.12")
    True
    """
    return tuple(int(part) for part in version.partition("-")[0].split("."))
