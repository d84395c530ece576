"""What is asked before anything is installed; installed, mended, uninstalled, purged."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from companion.appliance import installing, machine, running, system
from companion.appliance.host import Host, RunResult, exclusive
from companion.appliance.layout import Layout
from companion.core.errors import ApplianceError, UsageError
from tests.companion.appliance.machines import Rehearsal, Rehearsed, install, maker, options, state_of, works
from tests.companion.commands.terminal import Capture, fault


def test_root_is_needed(host: Rehearsed, tree: Path) -> None:
    host.root = False
    with pytest.raises(UsageError, match="needs root: sudo gunbai install"):
        install(host)


@pytest.mark.parametrize("command", ["install", "uninstall", "update x"])
def test_the_command_line_says_so_in_one_line(command: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert fault(capsys, *command.split()).startswith("this changes the system, so it needs root")


def test_one_at_a_time(host: Rehearsed, tree: Path, root: Path) -> None:
    before = state_of(root)
    with exclusive(host.layout), pytest.raises(ApplianceError, match="another install or update is running"):
        install(host)
    assert state_of(root) == before
    assert install(host) == 0


def test_a_dry_run_waits_for_nobody(host: Rehearsed, tree: Path) -> None:
    with exclusive(host.layout):
        assert install(host, "--dry-run") == 0


def test_another_machine_is_refused_and_told_of(host: Rehearsed, tree: Path, root: Path, capsys: Capture) -> None:
    (root / "proc/device-tree/model").unlink()
    (root / "etc/os-release").write_text("ID=arch\n")
    with pytest.raises(ApplianceError, match=r"no Raspberry Pi.*an unknown system.*--anyway"):
        install(host)
    assert install(host, "--anyway") == 0
    assert "note: no Raspberry Pi" in capsys.readouterr().out


def test_a_full_disk_is_refused(host: Rehearsed, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "ROOM_MB", 10**9)
    with pytest.raises(ApplianceError, match="MB are needed"):
        install(host)


def test_a_desktop_is_told_of(host: Rehearsed, tree: Path, root: Path, capsys: Capture) -> None:
    (root / "etc/systemd/system").mkdir(parents=True)
    (root / "etc/systemd/system/display-manager.service").symlink_to("/lib/systemd/system/lightdm.service")
    install(host)
    assert "set-default multi-user.target" in capsys.readouterr().out


@pytest.mark.parametrize(("answer", "status"), [("n", 1), ("", 1), ("y", 0), ("sim", 0)])
def test_one_question_is_asked(
    host: Rehearsed, tree: Path, answer: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _question: answer)
    assert running.install(options("install"), maker(host)) == status
    assert bool(works(host.layout)) == (status == 0)


def test_the_end_of_input_is_a_no(
    host: Rehearsed, tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def ends(_question: str) -> str:
        raise EOFError

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", ends)
    assert running.install(options("install"), maker(host)) == 1
    assert works(host.layout) == ""


@pytest.mark.parametrize("umask", [0o077, 0o000])
def test_what_is_made_can_be_read_by_all_and_written_by_root_alone(host: Rehearsed, tree: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        assert install(host) == 0
        assert os.umask(umask) == umask
    finally:
        os.umask(before)
    layout = host.layout
    made = [
        *layout.home.rglob("*"),
        layout.settings,
        *layout.settings.rglob("*"),
        *(layout.root / "etc").rglob("*.wants"),
        *(layout.root / "etc").rglob("system.conf.d"),
    ]
    rights = {str(path): path.stat().st_mode & 0o777 for path in made if path.exists() and path.name != "python"}
    assert {0o755} <= set(rights.values()) <= {0o755, 0o644}, rights


def test_where_nobody_can_be_asked_nothing_is_done(
    host: Rehearsed, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    with pytest.raises(UsageError, match="--yes"):
        running.install(options("install"), maker(host))


def test_a_tree_of_an_unpacked_update_brings_its_packages(host: Rehearsed, tree: Path) -> None:
    assert installing.of_tree(tree, host.layout).wheels is None
    (tree.parent / "wheels").mkdir()
    (tree.parent / "manifest.json").write_text("{}")
    assert installing.of_tree(tree, host.layout).wheels == tree.parent / "wheels"


def test_packages_that_are_missing_are_fetched_or_named(
    root: Path, tree: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Rehearsed(Rehearsal(root))
    monkeypatch.setattr("shutil.which", lambda _name: "/usr/bin/dpkg-query")
    there.answers["dpkg-query"] = RunResult(1, "libgbm1 installed\npython3-venv installed\nlibdrm2 deinstalled\n")
    there.answers["apt-get install"] = RunResult(100, "E: no network\n")
    facts = machine.look(there.layout)
    missing = machine.missing_packages(facts, there)
    assert "libgbm1" not in missing
    assert {"libdrm2", "rpicam-apps-lite", "python3-lgpio"} <= set(missing)
    first = installing.plan_installation(there, facts, installing.of_tree(tree, there.layout), begin=False)[0]
    first.do()
    assert "later: sudo apt-get install" in capsys.readouterr().out


@pytest.mark.parametrize("there", ["rpicam-apps-lite", "rpicam-apps", "python3-picamera2"])
def test_any_package_that_sees_through_a_ribbon_camera_will_do(
    root: Path, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Rehearsed(Rehearsal(root))
    monkeypatch.setattr("shutil.which", lambda _name: "/usr/bin/dpkg-query")
    host.answers["dpkg-query"] = RunResult(1, f"{there} installed\n")
    facts = machine.look(host.layout)
    assert facts.is_pi
    assert not set(machine.RIBBON_CAMERA_PACKAGES) & set(machine.missing_packages(facts, host))


def test_only_a_pi_needs_packages_for_a_ribbon_camera(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = Rehearsed(Rehearsal(root))
    monkeypatch.setattr("shutil.which", lambda _name: "/usr/bin/dpkg-query")
    host.answers["dpkg-query"] = RunResult(1, "")
    facts = replace(machine.look(host.layout), model="A desktop PC")
    assert not set(machine.RIBBON_CAMERA_PACKAGES) & set(machine.missing_packages(facts, host))


def test_the_user_must_be_made(host: Rehearsed, tree: Path, root: Path) -> None:
    before = state_of(root)
    host.answers["systemd-sysusers"] = RunResult(1, "Failed to lock\n")
    with pytest.raises(ApplianceError, match="Failed to lock"):
        install(host)
    assert state_of(root) == before


def test_a_host_really_runs_programs(root: Path) -> None:
    there = Host(Layout(root))
    assert there.run("sh", "-c", "echo $MARK; exit 3", extra={"MARK": "here"}) == RunResult(3, "here\n")
    assert there.run("no-such-program").status == 127
    assert there.systemctl("stop", "everything") == RunResult(0, "")
    assert RunResult(1, "\n").last == "no output"
    with pytest.raises(ApplianceError, match="sh -c failed: gone"):
        there.run_or_raise("sh", "-c", "echo gone; exit 1")
    there.wait(0.0)
    assert isinstance(there.is_root(), bool)
    assert not system.is_running(there)


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
