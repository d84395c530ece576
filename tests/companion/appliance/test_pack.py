"""`gunbai pack` and signed updates: the same tree makes the same file, and who vouches for it is checked."""

import errno
import os
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import pytest

from companion.appliance import archive, packing, signing, tree
from companion.appliance.host import Host, RunResult
from companion.appliance.layout import Layout
from companion.appliance.signing import SIGNERS
from companion.appliance.tree import files_of
from companion.core.errors import ApplianceError
from tests.companion.appliance.machines import Rehearsed, install, make_tree, make_update, refused, update, works
from tests.companion.commands.terminal import Capture, fault, printed
from tests.programs import needs

ROOT = Path(__file__).resolve().parents[3]


class Packer(Host):
    """A host whose pip brings one package for each machine, and one for all of them."""

    def __init__(self, pip: bool = True) -> None:
        super().__init__(Layout())
        self.ran: list[tuple[str, ...]] = []
        self.pip = pip
        self.fault = ""

    def run(self, *command: str, extra: Mapping[str, str] | None = None, shown: bool = False) -> RunResult:
        if "pip" not in command and "venv" not in command:
            return super().run(*command, extra=extra, shown=shown)
        self.ran.append(command)
        if "download" not in command:
            return RunResult(0 if self.pip or "venv" in command else 1, "")
        if self.fault:
            return RunResult(1, self.fault)
        folder = Path(command[command.index("--dest") + 1])
        folder.mkdir(exist_ok=True)
        python = command[command.index("--python-version") + 1]
        for name in ("plain-1-py3-none-any.whl", f"fast-1-cp{python.replace('.', '')}-{_processor(command)}.whl"):
            (folder / name).write_text(name)
        return RunResult(0, "")


def _processor(command: tuple[str, ...]) -> str:
    return next(word for word in command if word.startswith("manylinux_2_17_")).removeprefix("manylinux_2_17_")


def test_all_that_it_needs_is_in_it(tmp_path: Path) -> None:
    source, target = make_tree(tmp_path / "tree"), tmp_path / "a.update"
    host = Packer()
    packed = packing.pack(source, target, packing.RUNS_ON, host)
    head = archive.verify(target)
    assert head.manifest.release == packed.release
    assert head.manifest.runs_on == packing.RUNS_ON
    assert packed.packages == 5
    assert head.manifest.files["tree/gunbai"].executable
    assert head.manifest.tree.keys() == tree.files_of(source).keys()
    downloads = [command for command in host.ran if "download" in command]
    assert all("--require-hashes" in command and "--only-binary" in command for command in downloads)


def test_the_same_tree_makes_the_same_bytes(tmp_path: Path) -> None:
    source = make_tree(tmp_path / "tree")
    for name in ("a.update", "b.update"):
        packing.pack(source, tmp_path / name, packing.RUNS_ON[:1], Packer(pip=False))
    assert (tmp_path / "a.update").read_bytes() == (tmp_path / "b.update").read_bytes()


def test_what_a_killed_run_left_goes(tmp_path: Path) -> None:
    source = make_tree(tmp_path / "tree")
    (tmp_path / f"a.update.new-{2**22 + 1}").write_bytes(b"half")
    packing.pack(source, tmp_path / "a.update", packing.RUNS_ON[:1], Packer())
    assert {path.name for path in tmp_path.iterdir()} == {"tree", "a.update"}


def test_what_cannot_be_packed_is_told(tmp_path: Path) -> None:
    source, target = make_tree(tmp_path / "tree"), tmp_path / "a.update"
    host = Packer()
    with pytest.raises(ApplianceError, match="expected a processor and a Python"):
        packing.pack(source, target, ["z80 3.11"], host)
    host.fault = "ERROR: no network"
    with pytest.raises(ApplianceError, match=r"for aarch64 3\.11 can't be fetched: ERROR: no network"):
        packing.pack(source, target, packing.RUNS_ON, host)
    assert not target.exists()
    target.write_text("there")
    with pytest.raises(ApplianceError, match="there already"):
        packing.pack(source, target, packing.RUNS_ON, host)
    (source / "engine" / "link.py").symlink_to("/etc/passwd")
    target.unlink()
    with pytest.raises(ApplianceError, match="a link; a release has only files"):
        packing.pack(source, target, packing.RUNS_ON, Packer())
    with pytest.raises(ApplianceError, match="not a tree of Gunbai"):
        tree.version_of(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        ("install", "--yes", "--anyway", "--root", "."),
        ("install", "--dry-run", "--root", "."),
        ("pack", "-o", "a.update"),
    ],
)
def test_a_package_of_python_alone_is_no_tree(
    words: tuple[str, ...], tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = make_tree(tmp_path / "site-packages")
    for part in ("systemd", "requirements", "docs"):
        shutil.rmtree(packages / part)
    (packages / "gunbai").unlink()
    (packages / "__init__.py").touch()
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr("companion.appliance.running.ROOT", packages)
    monkeypatch.setattr("companion.appliance.host.Host", lambda _layout: Packer())
    why = "this needs Gunbai's whole tree, which the Python package isn't: unpack its source and run ./gunbai there"
    assert fault(capsys, *words) == why
    assert list(Path().iterdir()) == []


def test_half_a_tree_is_told_by_what_it_lacks(tmp_path: Path) -> None:
    tree = make_tree(tmp_path / "tree")
    shutil.rmtree(tree / "docs")
    with pytest.raises(ApplianceError, match=r"needs Gunbai's whole tree: .* has no docs\)$"):
        files_of(tree)


def test_half_an_update_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = make_tree(tmp_path / "tree"), tmp_path / "a.update"

    addfile = tarfile.TarFile.addfile

    def full(tar: tarfile.TarFile, member: tarfile.TarInfo, source: IO[bytes]) -> None:
        if member.name not in (archive.MANIFEST, archive.SIGNATURE):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), member.name)
        addfile(tar, member, source)

    monkeypatch.setattr(tarfile.TarFile, "addfile", full)
    with pytest.raises(OSError, match="No space left"):
        packing.pack(source, target, packing.RUNS_ON[:1], Packer())
    assert list(tmp_path.glob("a.update*")) == []


@needs("git")
def test_what_is_not_committed_is_not_packed(tmp_path: Path) -> None:
    source = make_tree(tmp_path / "tree")
    git = ["git", "-C", str(source), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"]):
        subprocess.run([*git, *words], check=True, env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
    packing.pack(source, tmp_path / "a.update", packing.RUNS_ON[:1], Packer())
    (source / "engine" / "new.py").write_text("")
    with pytest.raises(ApplianceError, match=r"not everything is committed: \?\? engine/new.py; commit it first"):
        packing.pack(source, tmp_path / "b.update", packing.RUNS_ON[:1], Packer())


def test_the_command_tells_what_it_made(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.appliance.running.ROOT", make_tree(tmp_path / "tree"))
    monkeypatch.setattr("companion.appliance.host.Host", lambda _layout: Packer())
    assert "Gunbai 1.0.0-" in printed(capsys, "pack", "-o", str(tmp_path / "a.update"), "--for", "aarch64 3.13")


def test_the_real_tree_has_a_name_of_its_files() -> None:
    files = {name: tree.entry_of(name, path) for name, path in tree.files_of(ROOT).items()}
    assert tree.NAME.fullmatch(tree.name_of(tree.version_of(ROOT), files))
    assert {name for name, entry in files.items() if entry.executable} == tree.PROGRAMS
    assert all(not name.endswith(".pyc") for name in files)


# ---- signatures ---------------------------------------------------------------------------------------------------


class Signed(Rehearsed):
    """A rehearsed machine that really runs ssh-keygen."""

    def run(self, *command: str, extra: Mapping[str, str] | None = None, shown: bool = False) -> RunResult:
        if "ssh-keygen" in command:
            return Host.run(self, *command, extra=extra, shown=shown)
        return super().run(*command, extra=extra, shown=shown)


def test_where_signers_are_named_only_theirs_are_taken(
    host: Rehearsed, tree: Path, tmp_path: Path, key: Path, capsys: Capture
) -> None:
    machine = Signed(host.layout)
    install(machine)
    signers = machine.layout.settings / SIGNERS
    signers.write_text(f"gunbai {key.with_suffix('.pub').read_text()}")
    newer = make_tree(tmp_path / "newer", "1.1.0")
    unsigned, signed, forged = (tmp_path / f"{name}.update" for name in ("unsigned", "signed", "forged"))
    make_update(newer, unsigned)
    refused(machine, unsigned, r"unsigned\.update: not signed, and .*update-signers asks for it")
    data = archive.read_head(unsigned).data
    make_update(newer, forged, signature=signing.sign(machine, key, data))
    refused(machine, forged, "signed by nobody listed")
    make_update(newer, signed, signature=signing.sign(machine, key, data.replace(b"unsigned", b"signed")))
    assert update(machine, str(signed)) == 0
    assert "signed by a key in" in capsys.readouterr().out
    assert works(machine.layout).startswith("1.1.0-")


def test_a_key_that_is_none_is_told(host: Rehearsed, tmp_path: Path) -> None:
    with pytest.raises(ApplianceError, match="can't sign"):
        signing.sign(Signed(host.layout), tmp_path / "no-key", b"")
