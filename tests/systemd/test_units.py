"""The units, rules and users of the appliance: what they name is there, they agree, systemd finds no fault in them."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.appliance import layout
from companion.appliance.layout import CAMERA, ENABLED, FALLEN, FOLDERS, SERVICE, TIMER, Layout
from companion.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
SYSTEMD = ROOT / "systemd"
SCRIPTS = [
    path.relative_to(ROOT).as_posix()
    for path in sorted((ROOT / ".ci").rglob("*"))
    if path.is_file() and path.suffix in ("", ".sh")
]
UNITS = sorted((SYSTEMD / "units").iterdir())
SERVICES = [path for path in UNITS if path.suffix == ".service"]
CURRENT = "/opt/gunbai/current"
MOST_EXPOSURE = 20  # tenths
Sections = dict[str, dict[str, list[str]]]

analyze = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(analyze is None, reason="systemd-analyze is not there")


def read(path: Path) -> Sections:
    """{section: {key: [value, ...]}} of a unit."""
    found: Sections = {}
    section = ""
    for line in path.read_text().splitlines():
        if line.startswith("["):
            section = line.strip("[]")
            found[section] = {}
        elif line and not line.startswith(("#", ";")):
            key, equals, value = line.partition("=")
            assert equals, f"{path.name}: {line}"
            found[section].setdefault(key, []).append(value)
    return found


def environment() -> dict[str, str]:
    lines = [line for line in (SYSTEMD / "gunbai.env").read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def one(path: Path, key: str, section: str = "Service") -> str:
    """The only value of a key."""
    values = read(path)[section].get(key, [])
    assert len(values) == 1, f"{path.name}: {key}={values}"
    return values[0]


def unit(name: str) -> Path:
    return SYSTEMD / "units" / name


# ---- what they name -----------------------------------------------------------------------------------------------


def test_these_are_the_units() -> None:
    assert {path.name for path in UNITS} == {SERVICE, CAMERA, FALLEN, TIMER, "gunbai-backup.service"}


@pytest.mark.parametrize("path", [*SERVICES, SYSTEMD / "variants/wayland.conf"], ids=lambda path: str(path.name))
def test_every_program_is_there(path: Path) -> None:
    for command in (*read(path)["Service"]["ExecStart"], *read(path)["Service"].get("ExecStopPost", [])):
        for word in shlex.split(command):
            if word.startswith(CURRENT) and "/.venv/" not in word:
                assert (ROOT / word.removeprefix(CURRENT + "/")).is_file(), word
        words = shlex.split(command)
        if "-m" in words:
            assert (ROOT / f"{words[words.index('-m') + 1].replace('.', '/')}.py").is_file()
        if f"{CURRENT}/gunbai" in words:
            assert words[words.index(f"{CURRENT}/gunbai") + 1] in {known.NAME for known in COMMANDS}


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_the_page_that_is_named_is_there(path: Path) -> None:
    named = one(path, "Documentation", "Unit")
    assert (ROOT / named.removeprefix(f"file://{CURRENT}/")).is_file()


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_all_run_as_the_same_user_without_any_right_of_root(path: Path) -> None:
    assert one(path, "User") == one(path, "Group") == layout.USER
    assert one(path, "CapabilityBoundingSet") == one(path, "AmbientCapabilities") == ""
    assert one(path, "NoNewPrivileges") == "yes"
    assert not any(command[0] in "+!" for command in read(path)["Service"]["ExecStart"])


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_none_has_a_socket_of_the_internet(path: Path) -> None:
    families = set(one(path, "RestrictAddressFamilies").split())
    assert families <= {"AF_UNIX", "AF_NETLINK", "none"}
    assert one(path, "IPAddressDeny") == "any"
    assert not list((SYSTEMD / "units").glob("*.socket"))


def test_folders_agree() -> None:
    home = environment()["GUNBAI_DATA"]
    assert home == "/" + layout.STATE
    assert one(unit(SERVICE), "StateDirectory") == Path(home).name
    backups = one(unit("gunbai-backup.service"), "StateDirectory")
    assert f"/var/lib/{backups}" == "/" + layout.BACKUPS
    assert one(unit("gunbai-backup.service"), "ExecStart").endswith(f"--to /{layout.BACKUPS}")
    made = dict(re.findall(r"^d\s+(\S+)\s+(\d+)", (SYSTEMD / "tmpfiles.d/gunbai.conf").read_text(), re.MULTILINE))
    assert made.keys() == {"/" + layout.STATE, "/" + layout.BACKUPS, "/" + layout.SETTINGS}
    assert made[home] == one(unit(SERVICE), "StateDirectoryMode")
    assert one(unit(SERVICE), "ConfigurationDirectory") == Path(layout.SETTINGS).name
    assert environment()["XDG_CONFIG_DIRS"] == str(Path("/" + layout.SETTINGS).parent)


def test_the_app_s_own_choices_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion import settings

    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("GUNBAI_SETTINGS", raising=False)
    assert str(settings.chosen_file()).startswith(f"/{layout.STATE}/")
    assert Path(f"/{layout.SETTINGS}/settings.toml") in settings.hand_written()


def test_app_and_camera_meet_in_one_folder() -> None:
    folder = f"/run/{one(unit(CAMERA), 'RuntimeDirectory')}"
    assert f"GUNBAI_CAMERA_DIR={folder}" in " ".join(read(unit(SERVICE))["Service"]["Environment"]).split()
    assert one(unit(CAMERA), "ExecStart").endswith(f"--dir {folder}")
    assert CAMERA in one(unit(SERVICE), "Wants", "Unit").split()


def test_every_way_of_failing_comes_to_the_fallen_screen() -> None:
    """Starts that hang until they are given up count too: all of them fit into the limit's time."""
    app, section = unit(SERVICE), "Unit"
    starts, window_s = int(one(app, "StartLimitBurst", section)), int(one(app, "StartLimitIntervalSec", section))
    hung_s = int(one(app, "TimeoutStartSec")) + int(one(app, "TimeoutStopSec")) + int(one(app, "RestartSec"))
    assert starts * hung_s < window_s
    assert one(app, "OnFailure", section) == FALLEN
    assert one(unit(FALLEN), "OnSuccess", section) == SERVICE
    assert f"--wait {window_s}" in one(unit(FALLEN), "ExecStart")


def test_the_fallen_screen_waits_for_the_last_try_on_newer_systems_too(tmp_path: Path) -> None:
    """Since 254 each failure calls OnFailure=, unless a restart is direct; before, the key is a fault of the unit."""
    assert "RestartMode" not in unit(SERVICE).read_text()
    (dropin,) = (SYSTEMD / "since-254").iterdir()
    assert one(dropin, "RestartMode") == "direct"
    shared = tmp_path / "usr/lib/x86_64-linux-gnu/systemd"
    shared.mkdir(parents=True)
    link = tmp_path / f"etc/systemd/system/{SERVICE}.d" / dropin.name
    assert Layout(tmp_path).systemd == 0
    for version, wanted in (("252", False), ("254", True), ("257.13-1~deb13u1", True)):
        library = shared / f"libsystemd-shared-{version}.so"
        library.write_text("")
        assert (link in Layout(tmp_path).links(ROOT)) == wanted
        library.unlink()


def test_watched_services_tell_themselves() -> None:
    for name in (SERVICE, CAMERA):
        assert one(unit(name), "Type") == "notify"
        assert one(unit(name), "NotifyAccess") == "main"
        assert int(one(unit(name), "WatchdogSec")) <= 30


def test_what_starts_with_the_machine_says_so() -> None:
    for name, wants in ENABLED.items():
        assert one(unit(name), "WantedBy", "Install") + ".wants" == wants
    assert {path.name for path in UNITS if "Install" in read(path)} == set(ENABLED)


def test_a_backup_catches_up_and_never_all_at_once() -> None:
    assert one(unit(TIMER), "Persistent", "Timer") == "yes"
    assert "RandomizedDelaySec" in read(unit(TIMER))["Timer"]


def test_nothing_waits_for_a_network() -> None:
    assert not any("network" in path.read_text() and "network-online" in path.read_text() for path in UNITS)


# ---- users and rules ----------------------------------------------------------------------------------------------


def users() -> Iterator[list[str]]:
    for line in (SYSTEMD / "sysusers.d/gunbai.conf").read_text().splitlines():
        if line and not line.startswith("#"):
            yield shlex.split(line)


def test_the_user_can_log_in_nowhere_and_is_in_every_group_that_rules_grant() -> None:
    lines = list(users())
    assert [line[5] for line in lines if line[0] == "u"] == ["/usr/sbin/nologin"]
    groups = {line[2] for line in lines if line[0] == "m"}
    rules = (SYSTEMD / "udev/70-gunbai.rules").read_text()
    granted = set(re.findall(r'GROUP="(\w+)"', rules)) | set(re.findall(r"chgrp (\w+)", rules))
    assert granted <= groups
    assert {"video", "render", "input", "gpio", "dialout", "audio"} == groups


def test_polkit_grants_nothing_but_off_and_restart() -> None:
    text = (SYSTEMD / "polkit/70-gunbai.rules").read_text()
    actions = set(re.findall(r'"(org\.[\w.-]+)"', text))
    assert actions == {
        f"org.freedesktop.login1.{deed}{more}"
        for deed in ("power-off", "reboot")
        for more in ("", "-multiple-sessions")
    }
    assert f'"{layout.USER}"' in text


def test_every_file_is_linked_or_used_at_installation() -> None:
    linked = {str(target) for target in Layout().links(ROOT).values()}
    for folder in FOLDERS:
        for path in (SYSTEMD / folder).iterdir():
            assert f"{CURRENT}/systemd/{folder}/{path.name}" in linked
    named = {"since-254", "units", "variants", "sysusers.d", "tmpfiles.d", "udev", "polkit", "gunbai.env", "gunbai.sh"}
    assert {path.name for path in SYSTEMD.iterdir()} == named


def test_the_command_has_the_service_s_games_where_it_should(tmp_path: Path) -> None:
    """Run by a shell with another place for the release and another user's name."""
    release = tmp_path / "current"
    (release / "systemd").mkdir(parents=True)
    (release / "systemd/gunbai.env").write_text((SYSTEMD / "gunbai.env").read_text())
    (release / "gunbai").write_text('#!/bin/sh\necho "$GUNBAI_DATA $*"\n')
    (release / "gunbai").chmod(0o755)
    (tmp_path / "id").write_text('#!/bin/sh\necho "$WHO"\n')
    (tmp_path / "id").chmod(0o755)
    (tmp_path / "runuser").write_text('#!/bin/sh\necho "runuser $*"\n')
    (tmp_path / "runuser").chmod(0o755)
    script = (SYSTEMD / "gunbai.sh").read_text().replace(CURRENT, str(release))
    for who, words, told in (
        ("gunbai", "doctor --json", "/var/lib/gunbai doctor --json\n"),
        ("root", "backup --to x", "/var/lib/gunbai backup --to x\n"),
        ("root", "restore x", "/var/lib/gunbai restore x\n"),
        ("root", "doctor --json", "runuser -u gunbai -- gunbai doctor --json\n"),
        ("root", "play", " play\n"),
        ("ana", "backup", " backup\n"),
    ):
        done = subprocess.run(
            ["/bin/sh", "-c", script, "gunbai", *words.split()],
            env={"PATH": f"{tmp_path}:/usr/bin:/bin", "WHO": who},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == told


# ---- what systemd says --------------------------------------------------------------------------------------------


@needs_systemd
@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_exposure_is_at_most_two(path: Path) -> None:
    done = subprocess.run(
        [str(analyze), "security", "--offline=true", f"--threshold={MOST_EXPOSURE}", "--no-pager", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if "unrecognized option" in done.stderr or "Unknown" in done.stderr:
        pytest.skip("this systemd-analyze cannot look at units offline")
    assert done.returncode == 0, done.stdout[-300:] + done.stderr


@needs_systemd
def test_systemd_finds_no_fault(tmp_path: Path) -> None:
    """The units as they are, with programs that are there in place of those of an installation."""
    for path in UNITS:
        text = re.sub(rf"(?m)^(Exec\w+=-?){CURRENT}\S+", r"\1/bin/true", path.read_text())
        (tmp_path / path.name).write_text(text.replace(f"EnvironmentFile={CURRENT}", f"EnvironmentFile={ROOT}"))
    done = subprocess.run(
        [str(analyze), "verify", "--man=no", *(str(tmp_path / path.name) for path in UNITS)],
        env={"SYSTEMD_UNIT_PATH": f"{tmp_path}:", "PATH": "/usr/bin:/bin", "SYSTEMD_LOG_LEVEL": "warning"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line for line in done.stderr.splitlines() if "gunbai" in line] == []


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not there")
@pytest.mark.parametrize("script", ["systemd/gunbai.sh", *SCRIPTS])
def test_scripts_can_be_read_by_their_shell(script: str) -> None:
    subprocess.run(["bash", "-n", str(ROOT / script)], check=True)
