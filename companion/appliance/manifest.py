"""The first file of an update: what it is, and the check value of every other file in it. Read strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from companion.appliance.tree import NAME, FileEntry, name_of
from companion.core.errors import ApplianceError
from engine.codec import brief
from intake.errors import Unreadable
from intake.json_text import parse_object

FORMAT = 1
WHAT = "gunbai update"
TREE, WHEELS = "tree/", "wheels/"
MOST_BYTES, MOST_FILES = 2_000_000_000, 20_000
_PATH = re.compile(r"(?:tree|wheels)(?:/[A-Za-z0-9_+@][A-Za-z0-9._+@ -]*|/\.[A-Za-z0-9_-][A-Za-z0-9._-]*)+")
MOST_HEAD_BYTES = 8_000_000
MOST_PATH, MOST_RUNS_ON, MOST_BUILD = 250, 32, 10**15
_RUNS_ON = re.compile(r"[a-z0-9_]{1,16} [0-9]{1,2}\.[0-9]{1,3}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an update holds.

    release: its name, such as 0.2.0-0123456789; runs_on: such as "aarch64 3.11"; files: {path in the update:
    Entry}, the program's below tree/, the packages below wheels/; build: when the program was committed, in
    seconds since 1970, by which an older build of a version is told from a newer one; 0 where nobody knows.
    """

    release: str
    runs_on: tuple[str, ...]
    files: Mapping[str, FileEntry]
    build: int = 0

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(entry.size for entry in self.files.values())

    @property
    def tree(self) -> Mapping[str, FileEntry]:
        """The program's files, by their path in the tree."""
        return {name.removeprefix(TREE): entry for name, entry in self.files.items() if name.startswith(TREE)}


def to_bytes(manifest: Manifest) -> bytes:
    """Return the manifest as JSON."""
    files = {
        name: {"sha256": entry.sha256, "size": entry.size, "executable": entry.executable}
        for name, entry in sorted(manifest.files.items())
    }
    told = {"what": WHAT, "format": FORMAT, "release": manifest.release, "build": manifest.build}
    return json.dumps({**told, "runs_on": manifest.runs_on, "files": files}, indent=1).encode() + b"\n"


def from_bytes(data: bytes) -> Manifest:
    """Read a manifest; ApplianceError with what is wrong with it. Those of before there were builds are read too."""
    value = _object(data)
    if value.get("what") != WHAT:
        raise ApplianceError("not a Gunbai update")
    if value.get("format") != FORMAT:
        raise ApplianceError(
            f"an update in another format ({brief(value.get('format'))}), which this Gunbai doesn't know"
        )
    release, files, build = value.get("release"), value.get("files"), value.get("build", 0)
    if not isinstance(release, str) or not NAME.fullmatch(release):
        raise ApplianceError("its manifest names no release")
    if type(build) is not int or not 0 <= build <= MOST_BUILD:
        raise ApplianceError("its manifest names no build")
    if not isinstance(files, dict) or not files:
        raise ApplianceError("its manifest names no files")
    if len(files) > MOST_FILES:
        raise ApplianceError("too large for a Gunbai update")
    entries = {name: _entry(name, told) for name, told in files.items()}
    manifest = Manifest(release, _runs_on(value.get("runs_on")), entries, build)
    if manifest.size > MOST_BYTES:
        raise ApplianceError("too large for a Gunbai update")
    folders = {str(parent) for name in manifest.files for parent in PurePosixPath(name).parents}
    if folders & manifest.files.keys():
        raise ApplianceError("its manifest names something both as a file and as a folder")
    version = manifest.release.partition("-")[0]
    if name_of(version, manifest.tree) != manifest.release:
        raise ApplianceError("its name doesn't match its files")
    return manifest


def _object(data: bytes) -> Mapping[str, Any]:
    try:
        return parse_object(data, MOST_HEAD_BYTES)
    except Unreadable as error:
        raise ApplianceError(f"not a Gunbai update: its manifest is {error}") from error


def _runs_on(told: object) -> tuple[str, ...]:
    if isinstance(told, list) and len(told) <= MOST_RUNS_ON:
        known = tuple(machine for machine in told if isinstance(machine, str) and _RUNS_ON.fullmatch(machine))
        if len(known) == len(told):
            return known
    raise ApplianceError("its manifest doesn't say what it runs on")


def _entry(name: str, told: object) -> FileEntry:
    if len(name) > MOST_PATH or not _PATH.fullmatch(name):
        raise ApplianceError(f"its manifest has a path that no update has: {brief(name)}")
    match told:
        case {"sha256": str(sha256), "size": int(size), "executable": bool(executable)}:
            if _SHA256.fullmatch(sha256) and 0 <= size <= MOST_BYTES:
                return FileEntry(sha256, size, executable)
    raise ApplianceError(f"its manifest says nothing sensible about {name}")
