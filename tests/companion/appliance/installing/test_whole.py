"""Installed, mended, uninstalled, purged."""

import os
import sys
from pathlib import Path

import pytest

from companion.appliance import machine, running
from companion.appliance.host import RunResult
from companion.core.errors import ApplianceError
from tests.companion.appliance.installing.rehearsal import Capture, install, maker, options, state_of, works
from tests.companion.appliance.machines import Rehearsed


def test_it_shows_all_and_installs(host: Rehearsed, tree: Path, capsys: Capture) -> None:
    assert install(host) == 0
    layout, out = host.layout, capsys.readouterr().out
    name = works(layout)
    assert name.startswith("1.0.0-")
    for link, target in layout.links(layout.releases / name).items():
        assert str(link) in out
        assert str(link.readlink()) == target
        if target.startswith("/"):
            assert (layout.root / target[1:].replace("opt/gunbai/current", f"opt/gunbai/releases/{name}")).exists()
    assert "Raspberry Pi 5" in out
    assert host.asked("systemd-sysusers")
    assert host.asked("systemctl start gunbai.service")


def test_a_dry_run_changes_nothing(host: Rehearsed, tree: Path, root: Path, capsys: Capture) -> None:
    before = state_of(root)
    assert running.install(options("install", "--dry-run"), maker(host)) == 0
    assert state_of(root) == before
    assert host.ran == []
    assert "Nothing was changed" in capsys.readouterr().out


def test_again_it_changes_nothing_but_mends(host: Rehearsed, tree: Path, root: Path) -> None:
    install(host)
    before = state_of(root)
    (root / "usr/local/bin/gunbai").unlink()
    assert install(host) == 0
    assert state_of(root) == before


def test_uninstalled_only_settings_are_left(host: Rehearsed, tree: Path, root: Path, capsys: Capture) -> None:
    before = state_of(root)
    install(host)
    (host.layout.state / "games").mkdir(parents=True)
    (host.layout.state / "games/a.jsonl").write_text("{}\n")
    capsys.readouterr()
    assert running.uninstall(options("uninstall", "--yes"), maker(host)) == 0
    assert "var/lib/gunbai stays" in capsys.readouterr().out
    left = {name for name in state_of(root) if name not in before}
    assert left == {"etc/gunbai/settings.toml", "var/lib/gunbai/games/a.jsonl"}
    assert not (root / "etc/systemd/system.conf.d").exists()
    assert host.asked("userdel gunbai")
    assert running.uninstall(options("uninstall", "--yes"), maker(host)) == 1


def test_a_user_whose_last_process_still_ends_is_waited_for(host: Rehearsed, tree: Path, capsys: Capture) -> None:
    busy, tries = RunResult(8, "userdel: user gunbai is currently used by process 7\n"), iter(range(3))
    install(host)
    host.answers["userdel"] = lambda: busy if next(tries) < 2 else RunResult(0, "")
    host.waited_s = 0.0
    assert running.uninstall(options("uninstall", "--yes"), maker(host)) == 0
    assert (host.waited_s, "not removed" in capsys.readouterr().out) == (2.0, False)
    install(host)
    host.answers["userdel"] = busy
    assert running.uninstall(options("uninstall", "--yes"), maker(host)) == 0
    assert (
        "not removed: the user gunbai (userdel: user gunbai is currently used by process 7)" in capsys.readouterr().out
    )


def test_purged_nothing_is_left_but_a_last_copy(host: Rehearsed, tree: Path, root: Path) -> None:
    before = state_of(root)
    install(host)
    (host.layout.state / "games").mkdir(parents=True)

    def backed_up() -> RunResult:
        host.layout.backups.mkdir(parents=True, exist_ok=True)
        (host.layout.backups / "gunbai-000001-2026-01-01.tar.gz").write_text("games")
        os.mkfifo(host.layout.backups / "gunbai-000002-2026-01-01.tar.gz")
        (host.layout.backups / "gunbai-000003-2026-01-01.tar.gz").symlink_to("/etc/shadow")
        return RunResult(0, "")

    host.answers["gunbai backup"] = backed_up
    assert running.uninstall(options("uninstall", "--yes", "--purge"), maker(host)) == 0
    assert host.asked("gunbai-000001-2026-01-01.tar.gz")
    assert state_of(root) == before


def test_without_a_last_copy_nothing_is_purged(host: Rehearsed, tree: Path) -> None:
    install(host)
    host.layout.state.mkdir(parents=True)
    host.answers["gunbai backup"] = RunResult(1, "no room")
    with pytest.raises(ApplianceError, match="no room"):
        running.uninstall(options("uninstall", "--yes", "--purge"), maker(host))
    assert works(host.layout)
    assert host.layout.state.exists()
    assert host.ran[-1] == "systemctl start gunbai-backup.timer gunbai.service"


def test_an_uninstallation_that_fails_late_leaves_no_link_into_nowhere(host: Rehearsed, tree: Path, root: Path) -> None:
    install(host)
    host.layout.state.mkdir(parents=True, exist_ok=True)
    host.answers["chown -R --no-dereference root:root"] = RunResult(1, "chown: Read-only file system")
    with pytest.raises(ApplianceError, match="Read-only file system"):
        running.uninstall(options("uninstall", "--yes"), maker(host))
    assert not host.layout.home.exists()
    assert list(host.layout.found_links()) == []


def test_what_cannot_be_removed_is_told(host: Rehearsed, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(host)
    monkeypatch.setattr("companion.appliance.system.shutil.rmtree", lambda folder, ignore_errors: None)
    with pytest.raises(ApplianceError, match="opt/gunbai: couldn't remove all of it"):
        running.uninstall(options("uninstall", "--yes"), maker(host))


def test_a_mounted_tree_is_not_started(elsewhere: Rehearsed, tree: Path) -> None:
    assert install(elsewhere, "--root", str(elsewhere.layout.root), "--anyway") == 0
    assert works(elsewhere.layout)
    assert not elsewhere.asked("systemctl")
    assert elsewhere.asked(f"--root={elsewhere.layout.root}")


def test_a_mounted_tree_of_another_machine_is_refused(elsewhere: Rehearsed, tree: Path, root: Path) -> None:
    own = Path(sys.executable).resolve()
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin" / name).symlink_to(own)
    (root / "usr/bin/python3").symlink_to(name)
    assert not machine.is_foreign(elsewhere.layout)
    (root / "usr/bin" / name).unlink()
    head = bytearray(own.read_bytes()[:64])
    head[18] ^= 0xFF
    (root / "usr/bin" / name).write_bytes(head)
    with pytest.raises(ApplianceError, match="install on that machine itself"):
        install(elsewhere, "--root", str(root), "--anyway")
    (root / "usr/bin/python3").unlink()
    (root / "usr/bin/python3").symlink_to("python2.7")
    assert machine.is_foreign(elsewhere.layout)
