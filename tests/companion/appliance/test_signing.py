"""Who vouches for a release: a fault never turns the check off, and no older build comes back unasked."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.appliance import archive, packing, releases, running, signing
from companion.appliance.host import RunResult
from companion.appliance.packing import build_of
from companion.appliance.signing import REMEMBERED, SIGNERS
from companion.core.errors import ApplianceError
from intake.files import read_file
from tests.companion.appliance.machines import (
    Rehearsed,
    install,
    make_tree,
    make_update,
    refused,
    state_of,
    update,
    works,
)
from tests.companion.appliance.test_pack import Packer, Signed
from tests.companion.commands.terminal import Capture
from tests.programs import needs, require


@pytest.fixture
def machine(host: Rehearsed, tree: Path) -> Signed:
    """Return a machine with 1.0.0 on it that really runs ssh-keygen."""
    signed = Signed(host.layout)
    install(signed)
    return signed


def name_signer(machine: Rehearsed, key: Path) -> Path:
    signers = machine.layout.settings / SIGNERS
    signers.write_text(f"gunbai {key.with_suffix('.pub').read_text()}")
    return signers


def signed(machine: Rehearsed, key: Path, tree: Path, target: Path, build: int = 0) -> Path:
    """Build an update of this tree, signed with this key."""
    make_update(tree, target, build=build)
    data = archive.read_head(target).data
    target.unlink()
    make_update(tree, target, signature=signing.sign(machine, key, data), build=build)
    return target


# ---- a fault never turns it off -----------------------------------------------------------------------------------


def anybody_s(signers: Path) -> None:
    signers.write_text("gunbai ssh-ed25519 AAAA\n")
    signers.chmod(0o666)


def no_folder(signers: Path) -> None:
    shutil.rmtree(signers.parent)
    signers.parent.write_text("")


def folder_nowhere(signers: Path) -> None:
    shutil.rmtree(signers.parent)
    signers.parent.symlink_to("not-there")


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (lambda signers: signers.symlink_to("not-there"), "a link that leads nowhere"),
        (lambda signers: signers.write_text(""), "names nobody"),
        (lambda signers: signers.write_text("# my key\n\n"), "names nobody"),
        (Path.mkdir, "not a plain file"),
        (os.mkfifo, "not a plain file"),
        (lambda signers: signers.symlink_to(signers.name), "Too many levels of symbolic links"),
        (anybody_s, "others than root may change it"),
        (lambda signers: signers.write_bytes(b"gunbai ssh-ed25519 AAAA\n" * 50_000), "longer than 1 MB"),
        (no_folder, "Not a directory"),
        (folder_nowhere, "a link that leads nowhere"),
    ],
)
def test_signers_that_cannot_be_read_refuse_every_update(
    machine: Signed, newer: Path, fault: Callable[[Path], None], why: str
) -> None:
    fault(machine.layout.settings / SIGNERS)
    with pytest.raises(ApplianceError, match=rf"{why}.*, so no update is accepted \(to take it anyway: --unsigned\)"):
        update(machine, str(newer))
    assert works(machine.layout).startswith("1.0.0-")
    assert update(machine, str(newer), "--unsigned") == 0
    assert works(machine.layout).startswith("1.1.0-")


def test_where_nobody_can_look_no_update_is_taken(
    machine: Signed, newer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signers = machine.layout.settings / SIGNERS
    signers.write_text("gunbai ssh-ed25519 AAAA\n")

    def shut(path: Path, most_bytes: int) -> bytes:
        if path == signers:
            raise PermissionError(13, os.strerror(13), str(path))
        return read_file(path, most_bytes)

    monkeypatch.setattr("companion.appliance.signing.read_file", shut)
    with pytest.raises(ApplianceError, match="update-signers: Permission denied, so no update is accepted"):
        update(machine, str(newer))


def test_without_ssh_keygen_no_update_is_taken(machine: Signed, newer: Path, key: Path, tmp_path: Path) -> None:
    name_signer(machine, key)
    target = signed(machine, key, tmp_path / "newer", tmp_path / "signed.update")

    class Bare(Rehearsed):
        def run(self, *command: str, **_more: object) -> RunResult:
            return RunResult(127, "sh: exec: ssh-keygen: not found\n") if "ssh-keygen" in command else RunResult(0, "")

    with pytest.raises(ApplianceError, match="ssh-keygen is missing, so its signature can't be checked"):
        update(Bare(machine.layout), str(target))


def test_where_there_never_were_signers_any_update_is_taken(machine: Signed, newer: Path, capsys: Capture) -> None:
    shutil.rmtree(machine.layout.settings)
    assert update(machine, str(newer)) == 0
    assert "not checked who made it" in capsys.readouterr().out


def test_signers_that_are_gone_again_are_missed(machine: Signed, newer: Path, key: Path, tmp_path: Path) -> None:
    signers = name_signer(machine, key)
    trees = [make_tree(tmp_path / version, version) for version in ("1.2.0", "1.3.0")]
    assert update(machine, str(signed(machine, key, trees[0], tmp_path / "a.update"))) == 0
    signers.unlink()
    make_update(trees[1], tmp_path / "b.update")
    for _again in range(2):
        refused(machine, tmp_path / "b.update", "missing, but updates had to be signed before", at=signers)
        assert update(machine, "--back") == 0
    assert update(machine, str(tmp_path / "b.update"), "--unsigned") == 0
    assert not (machine.layout.home / REMEMBERED).exists()
    make_update(make_tree(tmp_path / "1.4.0", "1.4.0"), tmp_path / "c.update")
    assert update(machine, str(tmp_path / "c.update")) == 0


# ---- an unpacked update -------------------------------------------------------------------------------------------


@pytest.fixture
def unpacked(machine: Signed, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the unpacked tree of a signed update to 1.1.0, with all that lies beside it.

    The machine asks for signatures.
    """
    name_signer(machine, key)
    target = signed(machine, key, make_tree(tmp_path / "newer", "1.1.0"), tmp_path / "signed.update", build=7)
    where = tmp_path / "unpacked"
    where.mkdir()
    require("tar")
    subprocess.run(["tar", "-x", "-C", where, "-f", target], check=True)
    monkeypatch.setattr(running, "ROOT", where / "tree")
    return where / "tree"


def test_an_unpacked_update_is_installed_where_its_signature_is_right(
    machine: Signed, unpacked: Path, capsys: Capture
) -> None:
    (unpacked / "companion/__pycache__").mkdir()
    (unpacked / "companion/__pycache__/x.pyc").write_text("")
    assert install(machine) == 0
    assert "signed by a key in" in capsys.readouterr().out
    release = machine.layout.current.resolve()
    assert (release.name.partition("-")[0], releases.build_of(release)) == ("1.1.0", 7)
    assert not (release / "companion/__pycache__").exists()
    assert not list(machine.layout.releases.glob(".wheels-*"))
    assert install(machine) == 0, "what is installed was looked at then"


def edit(path: Path) -> Callable[[Path], None]:
    def change(tree: Path) -> None:
        (tree / path).write_text("changed")

    return change


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (edit(Path("LICENSE")), "tree: not as it was packed"),
        (edit(Path("docs/new.md")), "tree: not as it was packed"),
        (edit(Path("../wheels/signed.whl")), "signed.whl: damaged"),
        (lambda tree: (tree.parent / "wheels/signed.whl").unlink(), "No such file"),
        (edit(Path("../manifest.json")), "manifest.json: not a Gunbai update: its manifest is not JSON"),
        (edit(Path("../manifest.json.sig")), "signed by nobody listed"),
        (lambda tree: (tree.parent / "manifest.json.sig").write_text(""), "not signed, and"),
        (lambda tree: (tree.parent / "manifest.json.sig").unlink(), "manifest.json.sig: not there"),
        (lambda tree: (tree.parent / "manifest.json").unlink(), "manifest.json: not there"),
    ],
)
def test_one_that_was_changed_is_not(machine: Signed, unpacked: Path, change: Callable[[Path], None], why: str) -> None:
    change(unpacked)
    before = state_of(machine.layout.root)
    with pytest.raises((ApplianceError, OSError), match=why):
        install(machine)
    assert state_of(machine.layout.root) == before


def test_a_tree_that_nobody_signed_is_installed_only_where_asked_for(
    machine: Signed, unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "ROOT", make_tree(tmp_path / "clone" / "tree", "1.2.0"))
    with pytest.raises(ApplianceError, match=r"manifest\.json: not there"):
        install(machine)
    assert install(machine, "--unsigned") == 0
    assert works(machine.layout).startswith("1.2.0-")
    assert (machine.layout.home / REMEMBERED).exists()


# ---- builds -----------------------------------------------------------------------------------------------------


def build(tmp_path: Path, number: int, version: str = "1.1.0") -> Path:
    tree = make_tree(tmp_path / f"{version}-{number}", version)
    (tree / "LICENSE").write_text(f"build {number}\n")
    make_update(tree, tmp_path / f"{version}-{number}.update", build=number)
    return tmp_path / f"{version}-{number}.update"


def test_an_older_build_of_a_version_is_taken_only_where_asked_for(machine: Signed, tmp_path: Path) -> None:
    """Signed as it is, it may have a fault that the newer one has not."""
    first, second, nobody_knows = (build(tmp_path, number) for number in (199, 200, 0))
    assert update(machine, str(second)) == 0
    newest = works(machine.layout)
    for older in (first, nobody_knows):
        refused(machine, older, rf"is an older build than {newest} \(to install it anyway: --older\)")
    assert update(machine, str(second)) == 0
    assert update(machine, str(first), "--older") == 0
    assert update(machine, "--back") == 0
    assert works(machine.layout) == newest
    assert update(machine, str(build(tmp_path, 1, "1.1.1"))) == 0, "a newer version may be built from older files"


def test_what_was_packed_before_there_were_builds_is_read(machine: Signed, tmp_path: Path) -> None:
    path = build(tmp_path, 0)
    head = archive.read_head(path)
    old = head.data.replace(b' "build": 0,\n', b"")
    assert b"build" not in old
    assert archive.read_manifest(old) == head.manifest
    assert update(machine, str(path)) == 0
    (machine.layout.current / releases.COMPLETE).write_bytes(b"")
    assert update(machine, str(build(tmp_path, 3))) == 0, "a release of that time has no build"


@needs("git")
def test_a_build_is_the_moment_of_its_commit(tmp_path: Path) -> None:
    tree = make_tree(tmp_path / "tree")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all", "--date=@5"]):
        subprocess.run(
            ["git", "-C", tree, "-c", "user.name=a", "-c", "user.email=a@b", *words],
            check=True,
            env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "GIT_COMMITTER_DATE": "@1700000000 +0000"},
        )
    packing.pack(tree, tmp_path / "a.update", packing.RUNS_ON[:1], Packer())
    assert archive.read_head(tmp_path / "a.update").manifest.build == 1_700_000_000
    shutil.rmtree(tree / ".git/refs")
    with pytest.raises(ApplianceError, match="neither git nor SOURCE_DATE_EPOCH says when it was made"):
        build_of(tree, Packer())


def test_elsewhere_it_is_what_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert build_of(tmp_path, Packer()) == 0
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000001")
    assert build_of(tmp_path, Packer()) == 1_700_000_001
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(ApplianceError, match="in whole seconds"):
        build_of(tmp_path, Packer())


# ---- an environment of another Python -----------------------------------------------------------------------------


def test_an_environment_of_another_python_is_made_again_by_an_installation(machine: Signed) -> None:
    """Debian's upgrades change Python; the service may not make one, and root does nothing for it in passing."""
    release = machine.layout.current.resolve()
    machine.ran.clear()
    install(machine)
    assert not machine.asked("--version")
    (release / ".venv/lib/python3.2").mkdir(parents=True)
    (release / "kept").write_text("not laid down again")
    install(machine)
    assert machine.asked(f"{release}/gunbai --version")
    assert (release / "kept").exists()
    assert works(machine.layout) == release.name
