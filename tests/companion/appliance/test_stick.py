"""The memory stick of an appliance: what it brings in, updates on it, and what systemd is asked to do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.appliance import archive, bringing, running
from companion.appliance.backing_up import back_up
from companion.appliance.bringing import Find, find_imports, import_find
from companion.appliance.host import RunResult
from companion.appliance.sticks import Progress, StickWork, file_of, headlines, look
from companion.core import sticks, storage
from companion.core.errors import ApplianceError, OwnFileError, UsageError
from companion.core.sticks import Stick
from tests.companion.appliance.machines import Rehearsed, make_tree, make_update, update, works
from tests.companion.appliance.test_pack import Signed
from tests.companion.appliance.test_signing import machine, name_signer, signed
from tests.companion.gallery.rooms.shelf import own_battle
from tests.companion.owned import shelves

__all__ = ["machine"]

UNIT = "gunbai-stick@sda1.service"
NEW = b'{"do": "new", "board": "sengoku-rivers", "initiative": "red"}\n'


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "media" / "gunbai" / "sda1"
    folder.mkdir(parents=True)
    monkeypatch.setattr(sticks, "PLACES", (tmp_path / "media",))
    monkeypatch.setattr(Path, "is_mount", lambda self: self == folder)
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    return folder


# ---- bringing in ----------------------------------------------------------------------------------------------------


def test_everything_new_is_offered_and_comes_in_once(stick: Path) -> None:
    with shelves():
        own_battle()
        battle = storage.data_dir() / "scenarios" / "ford.toml"
        (stick / "ford.toml").write_bytes(battle.read_bytes())
        battle.unlink()
        (stick / "one.jsonl").write_bytes(NEW)
        for name, data in (("two.jsonl", b"{}\n"), ("notes.toml", b"x = 1"), ("odd.table", b"PK"), (".table", b"")):
            (stick / name).write_bytes(data)
        (stick / "three.jsonl").mkdir()
        assert find_imports(stick) == (Find("game", stick / "one.jsonl"), Find("battle", stick / "ford.toml"))
        assert [import_find(find).files for find in find_imports(stick)] == [1, 1]
        assert (storage.games_dir() / "one.jsonl").read_bytes() == NEW
        assert battle.exists()
        assert find_imports(stick) == ()


def test_a_copy_brings_what_is_missing(stick: Path) -> None:
    (storage.games_dir() / "one.jsonl").write_bytes(NEW)
    made = back_up(stick).path
    assert made is not None
    (storage.games_dir() / "one.jsonl").unlink()
    [find] = find_imports(stick)
    assert find == Find("copy", made)
    with shelves():
        brought = import_find(find)
        bringing.make_known()
    assert (brought.files, brought.left_out) == (1, 0)
    assert (storage.games_dir() / "one.jsonl").read_bytes() == NEW
    assert import_find(find).files == 0


def test_nothing_that_is_here_is_changed(stick: Path) -> None:
    (storage.games_dir() / "one.jsonl").write_bytes(NEW + b'{"do": "pass"}\n')
    (stick / "one.jsonl").write_bytes(NEW)
    assert find_imports(stick) == ()
    with pytest.raises(FileExistsError):
        import_find(Find("game", stick / "one.jsonl"))
    assert (storage.games_dir() / "one.jsonl").read_bytes().startswith(NEW + b"{")


def test_what_changed_since_it_was_offered_is_refused(stick: Path) -> None:
    (stick / "one.jsonl").write_bytes(b"no game\n")
    (stick / "gunbai-000001-2026-11-21.tar.gz").write_bytes(b"no copy")
    with pytest.raises(ApplianceError, match=r"one\.jsonl"):
        import_find(Find("game", stick / "one.jsonl"))
    with pytest.raises(ApplianceError):
        import_find(find_imports(stick)[0])
    with pytest.raises(OwnFileError):
        import_find(Find("deck", stick / "gone.toml"))
    assert find_imports(stick / "gone") == ()


# ---- updates --------------------------------------------------------------------------------------------------------

LOG = (
    "# What is new\n\n## Unreleased\n\nSince:\n\n- **One\n  thing.** And so on.\n- **Two**: more\n\n## 0.1\n- **Old**\n"
)


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    tree = make_tree(tmp_path / "newer", "1.1.0")
    (tree / "CHANGELOG.md").write_text(LOG)
    return tree


def test_headlines_are_those_of_the_newest_section() -> None:
    assert headlines(LOG) == ("One thing", "Two")
    assert headlines("- **Alone**") == ("Alone",)


def test_a_signed_update_is_offered_with_its_news_and_installed_by_its_name(
    machine: Signed, key: Path, newer: Path, stick: Path
) -> None:
    name_signer(machine, key)
    path = signed(machine, key, newer, stick / "gunbai.update")
    (stick / "odd.update").write_text("no update")
    [offer] = look(machine, stick)
    assert (offer.path, offer.version, offer.news, offer.fault) == (path, "1.1.0", ("One thing", "Two"), "")
    assert update(machine, "--stick", offer.release) == 0
    assert works(machine.layout) == offer.release
    assert look(machine, stick) == [], "it is in use"


def test_what_the_owner_has_not_let_in_is_told_and_refused(
    machine: Signed, key: Path, newer: Path, stick: Path, tmp_path: Path
) -> None:
    make_update(newer, stick / "gunbai.update")
    [offer] = look(machine, stick)
    assert "missing; it has to name whose updates are accepted" in offer.fault
    with pytest.raises(ApplianceError, match="it has to name whose updates"):
        update(machine, "--stick", offer.release)
    name_signer(machine, key)
    [offer] = look(machine, stick)
    assert "not signed" in offer.fault
    with pytest.raises(ApplianceError, match="not signed"):
        update(machine, "--stick", offer.release)
    older = make_tree(tmp_path / "older", "0.9.0")
    signed(machine, key, older, stick / "older.update")
    told = {release.version: release.fault for release in look(machine, stick)}
    assert "is older than 1.0.0" in told["0.9.0"]
    assert list(told) == ["1.1.0", "0.9.0"], "the newest first"
    assert works(machine.layout).startswith("1.0.0")


def test_root_takes_a_release_s_name_and_nothing_else(installed: Rehearsed, stick: Path, key: Path) -> None:
    for words in (["--stick", "x", "--unsigned"], ["--stick", "x", "file"], ["--stick", "x", "--back"], []):
        with pytest.raises(UsageError):
            update(installed, *words)
    with pytest.raises(ApplianceError, match="not a release's name"):
        update(installed, "--stick", "../../etc")
    name_signer(installed, key)
    (stick / "odd.update").write_text("no update")
    with pytest.raises(ApplianceError, match="no memory stick has an update to"):
        file_of("1.1.0-0123456789", installed.layout)


def test_a_change_log_that_was_changed_is_seen(stick: Path, newer: Path) -> None:
    path = stick / "gunbai.update"
    make_update(newer, path)
    assert archive.head_and_news(path)[1] == LOG
    path.write_bytes(path.read_bytes().replace(b"**Two**", b"**Ten**"))
    with pytest.raises(ApplianceError, match="is not as it was packed"):
        archive.head_and_news(path)


# ---- what systemd is asked ------------------------------------------------------------------------------------------


@pytest.fixture
def work(installed: Rehearsed, tmp_path: Path) -> StickWork:
    return StickWork(installed, tmp_path / "log")


def test_a_stick_is_unmounted_by_its_unit(
    work: StickWork, installed: Rehearsed, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sync", lambda: None)
    disk = Stick("sda1", "KINGSTON", "vfat", stick)
    with pytest.raises(ApplianceError, match="KINGSTON: still in use"):
        work.take_out(disk)
    monkeypatch.setattr(Path, "is_mount", lambda _self: False)
    work.take_out(disk)
    monkeypatch.setattr(work, "plugged_in", lambda: (disk,))
    work.mount(disk)
    start, stop = (f"systemctl --no-ask-password {verb} gunbai-stick@sda1.service" for verb in ("start", "stop"))
    assert installed.ran == [start, stop, start, stop, start], "one that failed to stop is started, to be stopped again"
    installed.answers["stop"] = RunResult(1, "Access denied\n")
    with pytest.raises(ApplianceError, match="Access denied"):
        work.take_out(disk)
    failed = f'Job for {UNIT} failed because the control process exited.\nSee "systemctl status {UNIT}" for details.\n'
    installed.answers["stop"] = RunResult(1, failed)
    with pytest.raises(ApplianceError, match="KINGSTON: still in use"):
        work.take_out(disk)
    installed.answers["start"] = RunResult(1, failed)
    with pytest.raises(ApplianceError, match="KINGSTON: can't be mounted; it may be damaged"):
        work.mount(disk)


def test_a_disk_of_the_systems_is_not_used_as_a_stick(work: StickWork, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Stick("sda3", "SPARE", "vfat")
    monkeypatch.setattr(work, "plugged_in", lambda: (disk,))
    with pytest.raises(ApplianceError, match="SPARE: the system uses this disk"):
        work.mount(disk)


def test_an_update_is_begun_and_followed(machine: Signed, key: Path, newer: Path, stick: Path, tmp_path: Path) -> None:
    work = StickWork(machine, tmp_path / "log")
    name_signer(machine, key)
    signed(machine, key, newer, stick / "gunbai.update")
    [offer] = work.updates(Stick("sda1", "", "vfat", stick))
    assert work.updates(Stick("sda1")) == []
    work.begin_update(offer)
    unit = f"gunbai-update@{offer.release}.service"
    assert machine.asked(f"systemctl --no-ask-password --no-block start {unit}")
    machine.answers[f"show -p ActiveState,Result {unit}"] = RunResult(0, "Result=success\nActiveState=activating\n")
    assert work.progress(offer) == Progress(running=True)
    (tmp_path / "log").write_text("a\n  done: the program\n")
    assert work.progress(offer) == Progress(running=True, line="done: the program")
    machine.answers[f"show -p ActiveState,Result {unit}"] = RunResult(0, "Result=exit-code\nActiveState=failed\n")
    (tmp_path / "log").write_text("gunbai: no room; 1.0.0 stays in use\n\n")
    assert work.progress(offer) == Progress(running=False, well=False, line="no room; 1.0.0 stays in use")


def test_the_first_start_after_an_update_knows_what_became_of_it(
    work: StickWork, installed: Rehearsed, tmp_path: Path
) -> None:
    log, shown = tmp_path / "log", "show -p ActiveState,Result gunbai-update@1.1.0-0123456789.service"
    installed.answers[shown] = RunResult(0, "Result=success\nActiveState=activating\n")
    assert work.outcome() is None
    log.write_text("x: Gunbai 1.1.0-0123456789, complete\n  done: /opt/gunbai/releases/1.1.0-0123456789: the program\n")
    assert work.outcome() is None, "nothing has changed over yet"
    log.write_text("  done: /opt/gunbai/current → releases/1.1.0-0123456789\n")
    assert work.outcome() == "1.1.0-0123456789"
    assert work.version.startswith("1.0.0-"), "it was taken back"
    installed.answers[shown] = RunResult(0, "Result=success\nActiveState=inactive\n")
    assert work.outcome() is None, "that update is over, and the app started again for another reason"


def test_where_gunbai_is_not_installed_nothing_is_updated(host: Rehearsed, stick: Path) -> None:
    work = StickWork(host)
    assert work.version == ""
    assert work.updates(Stick("sda1", "", "vfat", stick)) == []
    assert running.ROOT.is_dir()
