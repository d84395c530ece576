"""A machine in a folder, with an os-release."""

import platform
import subprocess
from pathlib import Path

import pytest

from companion.appliance import machine, running
from companion.appliance.layout import Layout
from tests.companion.appliance.machines import Rehearsal, Rehearsed, make_tree
from tests.programs import require
from tests.setup.conftest import launcher

__all__ = ["launcher"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    (folder / "etc").mkdir(parents=True)
    (folder / "root").mkdir(0o700)
    (folder / "etc/os-release").write_text('ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian 12"\n')
    (folder / "proc/device-tree").mkdir(parents=True)
    (folder / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    (folder / "usr/lib/aarch64-linux-gnu/systemd").mkdir(parents=True)
    (folder / "usr/lib/aarch64-linux-gnu/systemd/libsystemd-shared-257.so").write_text("")
    return folder


@pytest.fixture
def host(root: Path, monkeypatch: pytest.MonkeyPatch) -> Rehearsed:
    """Return a Raspberry Pi 5 that seems to run."""
    monkeypatch.setattr(machine, "PROCESSOR", platform.machine())
    monkeypatch.setattr(machine, "missing_packages", lambda _facts, _host: ())
    return Rehearsed(Rehearsal(root))


@pytest.fixture
def elsewhere(root: Path) -> Rehearsed:
    """Return the same machine as a mounted tree."""
    return Rehearsed(Layout(root))


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a small tree that commands take for the one they run from."""
    made = make_tree(tmp_path / "source" / "tree")
    monkeypatch.setattr(running, "ROOT", made)
    return made


@pytest.fixture(autouse=True)
def back_where_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bring each test back to the folder it began in, as an uninstallation leaves the folder that it removes."""
    monkeypatch.chdir(Path.cwd())


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Somebody's private key, with the public one beside it."""
    require("ssh-keygen")
    path = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    return path
