"""`gunbai pack`: the program and its packages as one file, from which a machine without network is updated."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.appliance import archive, signing
from companion.appliance.archive import TREE, WHEELS, Made, Manifest, manifest_bytes
from companion.appliance.host import Host
from companion.appliance.tree import PARTS, entry_of, files_of, name_of, version_of
from companion.core.errors import ApplianceError
from companion.core.language import _
from companion.core.outputs import written_beside

RUNS_ON = ("aarch64 3.11", "aarch64 3.13", "x86_64 3.11", "x86_64 3.13")
GLIBC_MINORS = range(17, 37)  # bookworm has glibc 2.36: wheels made for anything up to that run on it
_RUNS_ON = re.compile(r"(aarch64|x86_64) 3\.(1[1-9])")


def pack(root: Path, target: Path, runs_on: Sequence[str], host: Host, key: Path | None = None) -> Made:
    """Write an update of this tree with its packages, signed if there is a key.

    runs_on: machines such as "aarch64 3.11". ApplianceError if a change isn't committed, or packages can't be fetched.
    """
    for machine in runs_on:
        if not _RUNS_ON.fullmatch(machine):
            raise ApplianceError(f"{machine!r}: expected a processor and a Python, such as {RUNS_ON[0]!r}")
    if os.path.lexists(target):
        raise ApplianceError(f"{target}: there already")
    _refuse_changed(root, host)
    sources = {TREE + name: path for name, path in files_of(root).items()}
    with TemporaryDirectory() as scratch:
        wheels = _wheels(root, runs_on, Path(scratch), host)
        sources |= {WHEELS + path.name: path for path in wheels}
        manifest = manifest_of(root, sources, runs_on, build_of(root, host))
        signature = signing.sign(host, key, manifest_bytes(manifest)) if key else b""
        with written_beside(target) as beside:
            archive.write_update(beside, manifest, sources, signature)
            archive.verify(beside)
    return Made(manifest.release, len(wheels), target.stat().st_size)


def build_of(root: Path, host: Host) -> int:
    """Return a tree's build number: when it was committed, in seconds since 1970.

    Outside git it is SOURCE_DATE_EPOCH (reproducible-builds.org), else 0. ApplianceError if that is no number.
    """
    if (root / ".git").exists():
        ran = host.run("git", "-C", str(root), "log", "-1", "--format=%ct")
        told = ran.output.strip() if ran.well else ""
    else:
        told = os.environ.get("SOURCE_DATE_EPOCH", "0")
    if not re.fullmatch(r"[0-9]{1,12}", told):
        raise ApplianceError(f"{root}: neither git nor SOURCE_DATE_EPOCH says when it was made, in whole seconds")
    return int(told)


def manifest_of(root: Path, sources: Mapping[str, Path], runs_on: Sequence[str], build: int = 0) -> Manifest:
    """Measure these files ({path in the update: file}) and return their manifest."""
    files = {name: entry_of(name.removeprefix(TREE), path) for name, path in sources.items()}
    tree = {name.removeprefix(TREE): entry for name, entry in files.items() if name.startswith(TREE)}
    return Manifest(name_of(version_of(root), tree), tuple(runs_on), files, build)


def _refuse_changed(root: Path, host: Host) -> None:
    """Raise ApplianceError if a tree under git has uncommitted changes.

    A release can then be traced to its commit.
    """
    if not (root / ".git").exists():
        return
    ran = host.run("git", "-C", str(root), "status", "--porcelain", "--", *PARTS)
    if not ran.well:
        raise ApplianceError(f"{root}: git can't tell whether everything is committed: {ran.last}")
    if ran.output.strip():
        raise ApplianceError(f"{root}: not everything is committed: {ran.last}; commit it first")


def _wheels(root: Path, runs_on: Sequence[str], scratch: Path, host: Host) -> list[Path]:
    """Download all packages of the lock file for these machines, verified by its hashes; return their paths."""
    pip, folder = _pip(scratch, host), scratch / "wheels"
    lock = str(root / "requirements" / "run.txt")
    for machine in runs_on:
        print("  " + _("fetching the packages for {name}").format(name=machine), file=sys.stderr, flush=True)
        ran = host.run(
            *pip, "download", "--quiet", "--dest", str(folder), *_for(machine), "--require-hashes", "-r", lock
        )
        if not ran.well:
            raise ApplianceError(f"the packages for {machine} can't be fetched: {ran.last}")
    return sorted(folder.iterdir())


def _for(runs_on: str) -> list[str]:
    """Return pip's options to download for a processor and a Python ("aarch64 3.11")."""
    processor, python = runs_on.split()
    tags = ["manylinux2014", *(f"manylinux_2_{minor}" for minor in GLIBC_MINORS)]
    platforms = [word for tag in tags for word in ("--platform", f"{tag}_{processor}")]
    abi = ["--implementation", "cp", "--abi", f"cp{python.replace('.', '')}", "--abi", "abi3", "--abi", "none"]
    return ["--only-binary", ":all:", "--no-deps", "--python-version", python, *abi, *platforms]


def _pip(scratch: Path, host: Host) -> list[str]:
    """Return a command that runs pip: this Python's, or one in a new environment in the scratch folder."""
    if host.run(sys.executable, "-m", "pip", "--version").well:
        return [sys.executable, "-m", "pip"]
    made = host.run(sys.executable, "-m", "venv", str(scratch / "venv"))
    if not made.well:
        raise ApplianceError(f"pip is needed to fetch packages: {made.last}")
    return [str(scratch / "venv/bin/python"), "-m", "pip"]
