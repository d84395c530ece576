"""A machine in a folder, with an os-release."""

import platform
import subprocess
from pathlib import Path

import pytest

from companion.appliance import machine, running
from companion.appliance.layout import Layout
from tests.companion.appliance.machines import Rehearsal, Rehearsed, install, make_tree, make_update
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


@pytest.fixture
def installed(host: Rehearsed, tree: Path) -> Rehearsed:
    """Return a machine on which 1.0.0 runs."""
    install(host)
    host.ran.clear()
    return host


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """Return an update to 1.1.0."""
    target = tmp_path / "newer.update"
    make_update(make_tree(tmp_path / "newer", "1.1.0", "#!/bin/sh\necho newer\n"), target)
    return target


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty place for games and choices."""
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("GUNBAI_SETTINGS", raising=False)
    return tmp_path / "data"
