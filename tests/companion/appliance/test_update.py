"""`gunbai update`: what is in a file is checked before anything is changed, and the way back is always there."""

import errno
import os
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.appliance import archive, installing, releases
from companion.appliance import host as hosts
from companion.appliance.host import RunResult, carry_out
from companion.core.errors import ApplianceError, UsageError
from tests.companion.appliance.machines import (
    HERE,
    Forgetful,
    PowerCut,
    Rehearsed,
    make_tree,
    make_update,
    refused,
    state_of,
    stopped_after,
    update,
    works,
)
from tests.companion.commands.terminal import Capture

Edit = Callable[[list[tuple[tarfile.TarInfo, bytes]]], None]


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


# ---- what is refused ----------------------------------------------------------------------------------------------


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
        releases.write_release(newcomer.release(installed.layout), newcomer.put)
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
