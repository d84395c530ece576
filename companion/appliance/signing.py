"""Signed updates: `ssh-keygen` signs the manifest, which holds the check value of every file.

Where the machine's owner has put a file `update-signers` into /etc/gunbai, in the form of OpenSSH's allowed signers,
only updates that are signed by one of these keys are taken. Where there has never been one, any update is. Whatever is
between the two (a link that leads nowhere, a file that is empty, unreadable or gone again) refuses every update: a
fault must not turn the check off. `--unsigned` is the owner's word for taking one anyway.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.appliance.archive import PLAIN, Head, write
from companion.appliance.host import Host, RunResult
from companion.appliance.layout import Layout
from companion.core.errors import ApplianceError
from companion.core.language import _
from engine.words import mark
from intake.errors import Unreadable
from intake.files import read_file

SIGNERS = "update-signers"
SIGNER, PURPOSE = "gunbai", "gunbai-update"
REMEMBERED = "signed"
"""A file beside the releases: if it exists, signatures were required when a release was last installed."""
MOST_SIGNERS_BYTES = 1_000_000
NOT_FOUND = 127
UNCHECKED = mark(
    "not checked who made it: its check values tell damage, not forgery (docs/appliance.md, Signed updates)"
)
ANYWAY = "to take it anyway: --unsigned"


def sign(host: Host, key: Path, data: bytes) -> bytes:
    """Sign these bytes with a private key of OpenSSH and return the signature; ApplianceError if that fails."""
    with TemporaryDirectory() as folder:
        message = Path(folder) / "manifest"
        message.write_bytes(data)
        ran = host.run("ssh-keygen", "-Y", "sign", "-q", "-f", str(key.absolute()), "-n", PURPOSE, str(message))
        if not ran.well:
            raise ApplianceError(f"{key}: can't sign: {ran.last}")
        return message.with_suffix(".sig").read_bytes()


def check(host: Host, head: Head, path: Path) -> str:
    """Check an update's signature if the owner requires one; return a sentence on who signed it, if checked.

    path: the update's file, for messages. ApplianceError if a required signature is missing or wrong.
    """
    signers = signers_of(host.layout)
    if signers is None:
        return _(UNCHECKED)
    told = host.layout.settings / SIGNERS
    if not head.signature:
        raise ApplianceError(f"{path}: not signed, and {told} asks for it ({ANYWAY})")
    ran = _verify(host, head, signers)
    if ran.status == NOT_FOUND:
        raise ApplianceError(
            f"{path}: ssh-keygen is missing, so its signature can't be checked (openssh-client has it)"
        )
    if not ran.well:
        raise ApplianceError(f"{path}: signed by nobody listed in {told}: {ran.last}")
    return _("signed by a key in {place}").format(place=told)


def _verify(host: Host, head: Head, signers: bytes) -> RunResult:
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("manifest", "manifest.sig", SIGNERS)]
        for path, data in zip(paths, (head.data, head.signature, signers), strict=True):
            path.write_bytes(data)
        message, signature, allowed = map(str, paths)
        command = ("ssh-keygen", "-Y", "verify", "-f", allowed, "-I", SIGNER, "-n", PURPOSE, "-s", signature)
        return host.run("sh", "-c", 'input=$1; shift; exec "$@" <"$input"', "sh", message, *command)


# ---- whether signatures are asked for ---------------------------------------------------------------------------


def signers_of(layout: Layout) -> bytes | None:
    """Read the file of accepted signers; None if there never was one; ApplianceError if it is gone or no good."""
    path = layout.settings / SIGNERS
    if _is_there(layout):
        return _read(path)
    if (layout.home / REMEMBERED).exists():
        raise ApplianceError(f"{path}: missing, but updates had to be signed before; put it back ({ANYWAY})")
    return None


def _is_there(layout: Layout) -> bool:
    """Return whether the file of accepted signers exists, even as a dangling link.

    ApplianceError if that can't be told.
    """
    for path in (layout.settings, layout.settings / SIGNERS):
        try:
            about = path.lstat()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise _refusal(path, error.strerror) from error
        if stat.S_ISLNK(about.st_mode) and path == layout.settings and not path.is_dir():
            raise _refusal(path, "a link that leads nowhere")
    return True


def _read(path: Path) -> bytes:
    try:
        about, data = path.stat(), read_file(path, MOST_SIGNERS_BYTES)
    except FileNotFoundError as error:
        raise _refusal(path, "a link that leads nowhere") from error
    except OSError as error:
        raise _refusal(path, error.strerror) from error
    except Unreadable as error:
        raise _refusal(path, str(error)) from error
    if about.st_uid not in (0, os.geteuid()) or about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise _refusal(path, "others than root may change it")
    if not any(line.strip() and not line.lstrip().startswith(b"#") for line in data.splitlines()):
        raise _refusal(path, "names nobody")
    return data


def _refusal(path: Path, why: str | None) -> ApplianceError:
    return ApplianceError(f"{path}: {why}, so no update is accepted ({ANYWAY})")


def remember(layout: Layout, unsigned: bool) -> None:
    """Note, once a release is in use, that signatures are required, so that a signers' file lost later is noticed.

    unsigned: the owner waived the check this time; if the file is gone as well, the note is removed.
    """
    note = layout.home / REMEMBERED
    try:
        asked = _is_there(layout)
    except ApplianceError:
        asked = True
    if asked and not note.exists():
        write(note, iter((f"{layout.settings / SIGNERS}\n".encode(),)), PLAIN)
    elif unsigned and not asked:
        note.unlink(missing_ok=True)
