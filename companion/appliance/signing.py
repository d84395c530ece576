"""Signed updates: `ssh-keygen` signs the manifest, which holds the check value of every file.

Where the machine's owner has put a file `update-signers` into /etc/gunbai, in the form of OpenSSH's allowed signers,
only updates that are signed by one of these keys are taken. Where there is none, any update is.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from companion.appliance.archive import Head
from companion.appliance.host import Host
from companion.errors import ApplianceError

SIGNERS = "update-signers"
SIGNER, PURPOSE = "gunbai", "gunbai-update"


def sign(host: Host, key: Path, data: bytes) -> bytes:
    """The signature of these bytes by this private key; ApplianceError where ssh-keygen makes none."""
    with TemporaryDirectory() as folder:
        message = Path(folder) / "manifest"
        message.write_bytes(data)
        ran = host.run("ssh-keygen", "-Y", "sign", "-q", "-f", str(key), "-n", PURPOSE, str(message))
        if not ran.well:
            raise ApplianceError(f"{key}: cannot sign: {ran.last}")
        return message.with_suffix(".sig").read_bytes()


def check(host: Host, head: Head, path: Path) -> str:
    """A sentence on who vouches for the update; ApplianceError where somebody has to and does not."""
    signers = host.layout.settings / SIGNERS
    if not signers.exists():
        return "not checked who made it: its check values tell damage, not forgery (docs/appliance.md, Signed updates)"
    if not head.signature:
        raise ApplianceError(f"{path}: not signed, and {signers} asks for it")
    with TemporaryDirectory() as folder:
        message, signature = Path(folder) / "manifest", Path(folder) / "manifest.sig"
        message.write_bytes(head.data)
        signature.write_bytes(head.signature)
        command = ("ssh-keygen", "-Y", "verify", "-f", str(signers), "-I", SIGNER, "-n", PURPOSE, "-s", str(signature))
        ran = host.run("sh", "-c", 'input=$1; shift; exec "$@" <"$input"', "sh", str(message), *command)
    if not ran.well:
        raise ApplianceError(f"{path}: its signature is of nobody in {signers}: {ran.last}")
    return f"signed by a key in {signers}"
