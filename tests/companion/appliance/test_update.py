"""`gunbai update`: what is in a file is checked before anything is changed, and the way back is always there."""

import argparse
import errno
import io
import json
import os
import random
import tarfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion.appliance import archive, installing, releases, running
from companion.appliance.host import Host, RunResult, carry_out
from companion.appliance.layout import Layout
from companion.cli import main, parser
from companion.core.errors import ApplianceError, UsageError
from tests.companion.appliance.installing.rehearsal import PowerCut, install, state_of, stopped_after, works
from tests.companion.appliance.machines import HERE, Rehearsed, make_tree, make_update

Capture = pytest.CaptureFixture[str]
Edit = Callable[[list[tuple[tarfile.TarInfo, bytes]]], None]


def update(host: Rehearsed, *words: str) -> int:
    options: argparse.Namespace = parser().parse_args(("update", "--yes", *words))

    def maker(_layout: Layout) -> Host:
        return host

    return running.update(options, maker)


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


def test_another_release_takes_over(installed: Rehearsed, newer: Path, capsys: Capture) -> None:
    assert update(installed, str(newer)) == 0
    assert works(installed.layout).startswith("1.1.0-")
    assert (installed.layout.current / "gunbai").read_text() == "#!/bin/sh\necho newer\n"
    assert not list(installed.layout.releases.glob(".wheels-*"))
    order = [
        installed.ran.index(command)
        for command in installed.ran
        if "gunbai backup" in command or command.startswith("systemctl st")
    ]
    assert order == sorted(order)
    assert "complete; not checked who made it" in capsys.readouterr().out


def test_the_packages_come_from_the_file(installed: Rehearsed, newer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    run = installed.run

    def watched(*command: str, **more: Any) -> RunResult:
        if command[-1] == "--version":
            wheels = Path((more["extra"] or {})["GUNBAI_WHEELS"])
            seen.extend(path.name for path in wheels.iterdir())
        return run(*command, **more)

    monkeypatch.setattr(installed, "run", watched)
    update(installed, str(newer))
    assert seen == ["newer.whl"]


def test_the_way_back_and_forth(installed: Rehearsed, newer: Path) -> None:
    old = works(installed.layout)
    with pytest.raises(ApplianceError, match="no release to go back to"):
        update(installed, "--back")
    update(installed, str(newer))
    new = works(installed.layout)
    assert update(installed, "--back") == 0
    assert works(installed.layout) == old
    assert update(installed, "--back") == 0
    assert works(installed.layout) == new


def test_one_that_does_not_start_is_taken_back(installed: Rehearsed, newer: Path, root: Path, capsys: Capture) -> None:
    old, before = works(installed.layout), state_of(root)
    installed.answers["systemctl start gunbai.service"] = RunResult(1, "Job failed\n")
    assert update(installed, str(newer)) == 1
    assert works(installed.layout) == old
    assert state_of(root) == before
    err = capsys.readouterr().err
    assert err.startswith("gunbai: gunbai.service doesn't start")
    assert err.rstrip().endswith(f"{old} stays in use")
    assert installed.ran[-1] == "systemctl start gunbai-backup.timer gunbai.service"


def test_a_disk_that_gets_full_meanwhile_is_not_left_full(
    installed: Rehearsed, newer: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, write = state_of(root), archive.write

    def full(path: Path, data: Iterator[bytes], mode: int) -> None:
        if path.suffix == ".whl":
            path.write_bytes(b"half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        write(path, data, mode)

    monkeypatch.setattr(archive, "write", full)
    with pytest.raises(OSError, match="No space left"):
        update(installed, str(newer))
    assert state_of(root) == before


def test_games_that_cannot_be_copied_stop_it(installed: Rehearsed, newer: Path, root: Path) -> None:
    old, before = works(installed.layout), state_of(root)
    installed.answers["gunbai backup"] = RunResult(2, "gunbai: the disk is nearly full\n")
    assert update(installed, str(newer)) == 1
    assert works(installed.layout) == old
    assert state_of(root) == before
    assert not installed.asked("systemctl stop")


def test_where_the_app_does_not_run_it_is_not_started(installed: Rehearsed, newer: Path) -> None:
    installed.answers["is-active"] = RunResult(3, "")
    assert update(installed, str(newer)) == 0
    assert works(installed.layout).startswith("1.1.0-")
    assert not installed.asked("systemctl start")


def deeds_of(host: Rehearsed, path: Path) -> list[Any]:
    head = archive.read_head(path)
    return installing.plan_update(host, installing.newcomer_of(path, head, host.layout))


DEEDS = 9


def test_the_number_of_deeds_is_the_one_that_is_tried(installed: Rehearsed, newer: Path) -> None:
    assert len(deeds_of(installed, newer)) == DEEDS


@pytest.mark.parametrize("number", range(1, DEEDS + 1))
def test_one_that_fails_leaves_what_was(installed: Rehearsed, newer: Path, root: Path, number: int) -> None:
    before = state_of(root)
    with pytest.raises(ApplianceError, match="by request"):
        carry_out(deeds_of(installed, newer), stopped_after(number, ApplianceError("by request")))
    left = {name: text for name, text in state_of(root).items() if "/.wheels-" not in name}
    assert left == before


@pytest.mark.parametrize("number", range(1, DEEDS + 1))
def test_after_a_power_cut_one_of_both_works(
    installed: Rehearsed, newer: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.appliance import host as hosts
    from tests.companion.appliance.installing.rehearsal import Forgetful

    old = works(installed.layout)
    planned = deeds_of(installed, newer)
    with monkeypatch.context() as cut:
        cut.setattr(hosts, "ExitStack", Forgetful)
        with pytest.raises(PowerCut):
            carry_out(planned, stopped_after(number, PowerCut()))
    assert works(installed.layout).partition("-")[0] in ("1.0.0", "1.1.0")
    assert update(installed, str(newer)) == 0
    assert works(installed.layout).startswith("1.1.0-")
    assert releases.before(installed.layout) == installed.layout.releases / old


# ---- files that are refused ---------------------------------------------------------------------------------------


def refused(host: Rehearsed, path: Path, why: str, *words: str, at: Path | None = None) -> None:
    """Refused with one clear sentence that begins with the name of the file at fault, and with nothing changed."""
    before = state_of(host.layout.root)
    host.ran.clear()
    with pytest.raises(ApplianceError, match=why) as error:
        update(host, str(path), *words)
    assert str(error.value).startswith(f"{at or path}: ")
    assert "\n" not in str(error.value)
    assert state_of(host.layout.root) == before
    assert not host.asked("gunbai backup")


def changed(path: Path, edit: Edit) -> Path:
    """Write a copy of the update with its members edited; return its path."""
    with tarfile.open(path) as tar:
        members = [(member, _bytes(tar, member)) for member in tar]
    edit(members)
    target = path.with_name("changed.update")
    with tarfile.open(target, "w", format=tarfile.PAX_FORMAT) as tar:
        for member, data in members:
            member.size = len(data) if member.isreg() else 0
            tar.addfile(member, io.BytesIO(data))
    return target


def _bytes(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = tar.extractfile(member)
    assert file is not None
    return file.read()


def told(path: Path, edit: Callable[[dict[str, Any]], None]) -> Path:
    """Write a copy of the update with its manifest edited; return its path."""

    def rewrite(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        value = json.loads(members[0][1])
        edit(value)
        members[0] = (members[0][0], json.dumps(value).encode())

    return changed(path, rewrite)


def add(name: str, kind: bytes = tarfile.REGTYPE, mode: int = 0o644, link: str = "") -> Edit:
    def edit(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        member = tarfile.TarInfo(name)
        member.type, member.mode, member.linkname = kind, mode, link
        members.append((member, b"" if kind != tarfile.REGTYPE else b"evil"))

    return edit


def turn(kind: bytes, link: str = "/etc/passwd", mode: int = 0o755) -> Edit:
    """Turn the program itself into something else."""

    def edit(members: list[tuple[tarfile.TarInfo, bytes]]) -> None:
        member, data = next(member for member in members if member[0].name == "tree/gunbai")
        member.type, member.linkname, member.mode = kind, link, mode
        assert data

    return edit


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (add("tree/extra.py"), "doesn't list: 'tree/extra.py'"),
        (add("../evil"), "doesn't list: '../evil'"),
        (add("/etc/evil"), "doesn't list"),
        (add("tree/evil", tarfile.SYMTYPE, link="/etc"), "doesn't list"),
        (turn(tarfile.SYMTYPE), "isn't a plain file: 'tree/gunbai'"),
        (turn(tarfile.LNKTYPE, "tree/LICENSE"), "isn't a plain file"),
        (turn(tarfile.CHRTYPE), "isn't a plain file"),
        (turn(tarfile.FIFOTYPE), "isn't a plain file"),
        (turn(tarfile.DIRTYPE), "isn't a plain file"),
        (turn(tarfile.REGTYPE, "", 0o4755), "more rights"),
        (turn(tarfile.REGTYPE, "", 0o777), "more rights"),
        (lambda members: members.append(members[-1]), "doesn't list"),
        (lambda members: members.__delitem__(-1), r"cut off: .* is missing \(1 in all\)"),
        (lambda members: members.__delitem__(0), "not a Gunbai update"),
        (lambda members: members.__delitem__(1), "not a Gunbai update"),
        (lambda members: members.__setitem__(-1, (members[-1][0], b"other")), "damaged: .* isn't the size"),
        (
            lambda members: members.__setitem__(-1, (members[-1][0], bytes(reversed(members[-1][1])))),
            "damaged: .* not as it was packed",
        ),
    ],
)
def test_a_malicious_or_damaged_file_is_refused(installed: Rehearsed, newer: Path, edit: Edit, why: str) -> None:
    refused(installed, changed(newer, edit), why)


def rename_file(old: str, new: str) -> Callable[[dict[str, Any]], None]:
    def edit(value: dict[str, Any]) -> None:
        value["files"][new] = value["files"].pop(old)

    return edit


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda value: value.update(what="cake"), "not a Gunbai update"),
        (lambda value: value.update(format=2), "another form"),
        (lambda value: value.update(release="../../etc"), "names no release"),
        (lambda value: value.update(release=7), "names no release"),
        (lambda value: value.update(release="1.1.0-0123456789"), "its name doesn't match its files"),
        (lambda value: value.update(runs_on="x"), "what it runs on"),
        (lambda value: value.update(files={}), "names no files"),
        (lambda value: value["files"].update({"tree/gunbai": {}}), "nothing sensible about tree/gunbai"),
        (lambda value: value["files"]["tree/gunbai"].update(size=-1), "nothing sensible"),
        (lambda value: value["files"]["tree/gunbai"].update(sha256="0" * 63), "nothing sensible"),
        (lambda value: value["files"]["tree/gunbai"].update(size=2_000_000_000), "too large for"),
        (rename_file("tree/LICENSE", "tree/../../LICENSE"), "a path that no update has"),
        (rename_file("tree/LICENSE", "/etc/LICENSE"), "a path that no update has"),
        (rename_file("tree/LICENSE", "tree//LICENSE"), "a path that no update has"),
        (rename_file("tree/LICENSE", "tree/a\nb"), "a path that no update has"),
        (rename_file("tree/LICENSE", "else/LICENSE"), "a path that no update has"),
        (rename_file("tree/LICENSE", "tree/gunbai/x"), "both as a file and as a folder"),
    ],
)
def test_a_manifest_is_read_strictly(
    installed: Rehearsed, newer: Path, edit: Callable[[dict[str, Any]], None], why: str, tmp_path: Path
) -> None:
    tree = tmp_path / "newer"
    (tree / "LICENSE").write_text("free")
    newer.unlink()
    make_update(tree, newer)
    refused(installed, told(newer, edit), why)


def test_whatever_is_cut_or_changed_is_refused(installed: Rehearsed, newer: Path, tmp_path: Path) -> None:
    data, chance = newer.read_bytes(), random.Random(6)
    whole = archive.verify(newer)
    for number in range(150):
        broken = bytearray(data)
        if number % 3 == 0:
            broken = broken[: chance.randrange(len(broken))]
        else:
            for _byte in range(chance.choice((1, 20, 500))):
                broken[chance.randrange(len(broken))] = chance.randrange(256)
        path = tmp_path / "broken.update"
        path.write_bytes(broken)
        with suppress(ApplianceError):  # a byte between the members, or of a time, is one that nothing depends on
            assert archive.verify(path) == whole


def test_a_bomb_in_the_manifest_is_refused(installed: Rehearsed, tmp_path: Path) -> None:
    for text in (b"[" * 100_000, b"{}", b"null", b'{"what": "gunbai update"}', b"\xff\xfe"):
        path = tmp_path / "bomb.update"
        with tarfile.open(path, "w") as tar:
            member = tarfile.TarInfo("manifest.json")
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text))
        refused(installed, path, ".")


def test_other_files_and_none_are_refused_by_the_command(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, host: Rehearsed, tree: Path
) -> None:
    install(host)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    root = str(host.layout.root)
    (tmp_path / "text").write_text("hello\n" * 1000)
    capsys.readouterr()
    for name in (str(tmp_path / "text"), str(tmp_path / "missing"), str(tmp_path)):
        assert main(["update", "--yes", "--root", root, name]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("gunbai: ")
        assert err.count("\n") == 1


def test_one_for_another_machine_is_refused(installed: Rehearsed, tmp_path: Path) -> None:
    target = tmp_path / "other.update"
    make_update(make_tree(tmp_path / "other", "1.1.0"), target, runs_on="vax 3.11")
    refused(installed, target, f"made for vax 3.11; this machine is {HERE}")


def test_an_older_one_is_taken_only_where_asked_for(installed: Rehearsed, tmp_path: Path) -> None:
    target = tmp_path / "older.update"
    make_update(make_tree(tmp_path / "older", "0.9.9"), target)
    refused(installed, target, "is older than 1.0.0")
    assert update(installed, str(target), "--older") == 0
    assert works(installed.layout).startswith("0.9.9-")


def test_one_too_large_for_the_disk_is_refused(
    installed: Rehearsed, newer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installing, "ENVIRONMENT_MB", 10**9)
    with pytest.raises(ApplianceError, match="MB are needed"):
        update(installed, str(newer))


def test_a_file_that_changes_meanwhile_is_refused(installed: Rehearsed, newer: Path, tmp_path: Path) -> None:
    head = archive.verify(newer)
    newcomer = installing.newcomer_of(newer, head, installed.layout)
    newer.unlink()
    make_update(make_tree(tmp_path / "newer", "1.2.0"), newer)
    with pytest.raises(ApplianceError, match="it changed while being read"):
        releases.lay(newcomer.release(installed.layout), newcomer.put)
    assert not newcomer.release(installed.layout).exists()


def test_a_file_or_the_way_back_is_expected(installed: Rehearsed) -> None:
    for words in ((), ("x", "--back")):
        with pytest.raises(UsageError, match="give a FILE, or --back"):
            update(installed, *words)


def test_where_nothing_is_installed_nothing_is_updated(host: Rehearsed, newer: Path) -> None:
    with pytest.raises(ApplianceError, match="isn't installed here"):
        update(host, str(newer))


def test_what_is_unpacked_has_plain_rights(installed: Rehearsed, newer: Path) -> None:
    old = os.umask(0o077)
    try:
        update(installed, str(newer))
    finally:
        os.umask(old)
    release = installed.layout.releases / works(installed.layout)
    assert (release / "gunbai").stat().st_mode & 0o7777 == 0o755
    assert (release / "companion/__init__.py").stat().st_mode & 0o7777 == 0o644


def test_a_manifest_is_read_as_it_was_written(newer: Path) -> None:
    head = archive.read_head(newer)
    assert archive.read_manifest(archive.manifest_bytes(head.manifest)) == head.manifest
    assert head.data == archive.manifest_bytes(head.manifest)
