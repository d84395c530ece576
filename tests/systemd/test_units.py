"""What units name is there, none has more rights than it needs, users and groups agree, and systemd finds no fault."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

import pytest

from companion.appliance import layout
from companion.appliance.layout import BRIDGE, CAMERA, CHOSEN, ENABLED, FALLEN, FOLDERS, SERVICE, TIMER, Layout
from companion.appliance.sticks import LOG, unit_of
from companion.cli import COMMANDS
from tests.programs import needs
from tests.systemd.unit_files import (
    CURRENT,
    MOST_EXPOSURE,
    OF_ROOT,
    PI_WATCHDOG_S,
    ROOT,
    SCRIPTS,
    SERVICES,
    SYSTEMD,
    UNITS,
    UPDATE,
    analyze,
    environment,
    needs_systemd,
    one,
    read,
    unit,
)


def test_these_are_the_units() -> None:
    assert {path.name for path in UNITS} == {SERVICE, CAMERA, FALLEN, TIMER, BRIDGE, "gunbai-backup.service", *OF_ROOT}


def test_an_update_may_write_wherever_a_release_has_links() -> None:
    allowed = [Path(path) for line in read(unit(UPDATE))["Service"]["ReadWritePaths"] for path in line.split()]
    links = Layout().links(ROOT)
    assert len(links) > len(FOLDERS)
    for link in links:
        assert any(link.is_relative_to(path) for path in allowed), link
    # A folder that no release had before can't be made in one that is read-only.
    assert Path("/etc/systemd") in allowed


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
    """But for two, which keep of root's rights what they need, and reach nothing but systemd and the disk."""
    if path.name in OF_ROOT:
        assert "User" not in read(path)["Service"]
        assert set(one(path, "CapabilityBoundingSet").split()) == {f"CAP_{name}" for name in OF_ROOT[path.name]}
        assert one(path, "PrivateNetwork") == "yes"
        assert one(path, "ProtectSystem") == "strict"
    else:
        assert one(path, "User") == one(path, "Group") == layout.USER
        assert one(path, "CapabilityBoundingSet") == ""
    assert one(path, "AmbientCapabilities") == ""
    assert one(path, "NoNewPrivileges") == "yes"
    assert not any(command[0] in "+!" for command in read(path)["Service"]["ExecStart"])


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_none_has_a_socket_of_the_internet(path: Path) -> None:
    families = set(one(path, "RestrictAddressFamilies").split())
    internet = {"AF_INET", "AF_INET6"} if path.name == BRIDGE else set()
    assert families <= {"AF_UNIX", "AF_NETLINK", "none", *internet}
    assert one(path, "IPAddressDeny") == "any"
    assert one(path, "SocketBindDeny") == "any"
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
    from companion.settings import layers

    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("GUNBAI_SETTINGS", raising=False)
    assert str(layers.chosen_file()).startswith(f"/{layout.STATE}/")
    assert Path(f"/{layout.SETTINGS}/settings.toml") in layers.hand_written()


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


def test_the_app_draws_with_opengl_es() -> None:
    """Desktop OpenGL left the lab's screens black."""
    told = [word for line in read(unit(SERVICE))["Service"]["Environment"] for word in line.split()]
    assert {"SDL_VIDEODRIVER=kmsdrm", "SDL_FRAMEBUFFER_ACCELERATION=opengles2"} <= set(told)


def test_lamps_that_are_slow_to_go_out_do_not_turn_a_restart_into_a_failure() -> None:
    ignored, limit_s, *_ = one(unit(SERVICE), "ExecStopPost").split()
    assert ignored == "-/usr/bin/timeout"
    assert int(limit_s) < int(one(unit(SERVICE), "TimeoutStopSec"))


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
    for name, wants in {**ENABLED, **CHOSEN}.items():
        assert one(unit(name), "WantedBy", "Install") + ".wants" == wants
    assert {path.name for path in UNITS if "Install" in read(path)} == {*ENABLED, *CHOSEN}


def test_the_bridge_is_off_until_its_owner_sets_it_up(tmp_path: Path) -> None:
    """It needs a file that nobody makes but the owner, is enabled by nobody else, and goes nowhere but near."""
    wants = tmp_path / layout.UNIT_FOLDER / CHOSEN[BRIDGE] / BRIDGE
    here = Layout(tmp_path)
    assert wants not in here.links(ROOT)
    assert "/etc/gunbai/mqtt.toml" in read(unit(BRIDGE))["Unit"]["ConditionPathExists"]
    assert all(ip_network(near).is_private for near in one(unit(BRIDGE), "IPAddressAllow").split()[1:])
    wants.parent.mkdir(parents=True)
    wants.symlink_to(f"../{BRIDGE}")
    assert list(here.found_links()) == [wants]
    assert wants in here.kept_links(ROOT)


def test_the_apps_note_lies_where_those_who_follow_look() -> None:
    (dropin,) = (SYSTEMD / "drop-ins").iterdir()
    assert f"/run/{one(dropin, 'RuntimeDirectory')}" == environment()["GUNBAI_LIVE"]


def test_a_backup_catches_up_and_never_all_at_once() -> None:
    assert one(unit(TIMER), "Persistent", "Timer") == "yes"
    assert "RandomizedDelaySec" in read(unit(TIMER))["Timer"]


def test_the_app_reads_what_the_update_writes() -> None:
    assert one(unit(UPDATE), "StandardOutput") == f"truncate:{LOG}"
    assert one(unit(UPDATE), "StandardError") == "inherit"
    assert one(unit(UPDATE), "ExecStart").endswith("update --yes --stick %i")


def test_nothing_waits_for_a_network() -> None:
    assert not any("network" in path.read_text() and "network-online" in path.read_text() for path in UNITS)


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


def test_rpicam_vid_finds_what_it_needs_in_the_cameras_unit() -> None:
    service = read(unit("gunbai-camera.service"))["Service"]
    needed = {"char-video4linux rw", "char-media rw", "char-dma_heap rw"}  # libcamera's pipelines and its buffers
    assert needed <= set(service["DeviceAllow"])
    assert {"PrivateDevices", "NoExecPaths"}.isdisjoint(service)
    assert service["SystemCallFilter"][0] == "@system-service", "which may start programs"
    assert "AF_NETLINK" in service["RestrictAddressFamilies"][0], "libcamera asks udev"
    rules = (SYSTEMD / "udev/70-gunbai.rules").read_text()
    assert 'SUBSYSTEM=="dma_heap", GROUP="video", MODE="0660"' in rules


def test_the_app_may_be_heard_and_have_a_program_speak_for_it() -> None:
    service = read(unit("gunbai.service"))["Service"]
    assert "char-alsa rw" in service["DeviceAllow"]
    assert "PrivateDevices" not in service, "it would hide the loudspeaker"
    assert service["PrivateTmp"] == ["yes"], "sentences are files for a moment"
    assert not {"NoExecPaths", "InaccessiblePaths", "TemporaryFileSystem"} & service.keys()
    assert service["SystemCallFilter"][0] == "@system-service", "which may start programs"


def test_polkit_grants_nothing_but_off_and_restart_and_the_sticks_units() -> None:
    text = (SYSTEMD / "polkit/70-gunbai.rules").read_text()
    actions = set(re.findall(r'"(org\.[\w.-]+)"', text))
    assert actions == {
        "org.freedesktop.systemd1.manage-units",
        *(
            f"org.freedesktop.login1.{deed}{more}"
            for deed in ("power-off", "reboot")
            for more in ("", "-multiple-sessions")
        ),
    }
    assert f'"{layout.USER}"' in text
    forms = re.findall(r"^ +/(\^.+\$)/,?$", text, re.MULTILINE)
    assert len(forms) == 2

    def may(deed: str) -> bool:
        return any(re.search(form, deed) for form in forms)

    for deed in (f"start {unit_of('0.3.0-0123456789')}", "stop gunbai-stick@sda1.service"):
        assert may(deed), deed
    for deed in (
        "stop gunbai-update@0.3.0-0123456789.service",
        "start gunbai-update@--unsigned.service",
        "start gunbai-stick@..service",
        "restart gunbai-stick@sda1.service",
        "start gunbai-stick@sda1.service.evil",
        "xstart gunbai-stick@sda1.service",
        "start ssh.service",
        "null null",
    ):
        assert not may(deed), deed


def test_every_file_is_linked_or_used_at_installation() -> None:
    linked = {str(target) for target in Layout().links(ROOT).values()}
    for folder in FOLDERS:
        for path in (SYSTEMD / folder).iterdir():
            assert f"{CURRENT}/systemd/{folder}/{path.name}" in linked
    used = {"drop-ins", "since-254", "variants", "sysusers.d", "tmpfiles.d", "gunbai.env", "gunbai.sh", "stick.sh"}
    assert {path.name for path in SYSTEMD.iterdir()} == {*FOLDERS, *used, "debian"}


def test_a_kernel_that_has_stopped_is_reset_within_what_a_pi_can_count() -> None:
    manager = read(SYSTEMD / "manager/70-gunbai.conf")["Manager"]
    assert 0 < int(manager["RuntimeWatchdogSec"][0]) <= PI_WATCHDOG_S


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
    """The units as they are, with programs that are there in place of those of an installation; and in a wrong one."""
    for path in UNITS:
        text = re.sub(rf"(?m)^(Exec\w+=-?){CURRENT}\S+", r"\1/bin/true", path.read_text())
        (tmp_path / path.name).write_text(text.replace(f"EnvironmentFile={CURRENT}", f"EnvironmentFile={ROOT}"))
    wrong = tmp_path / "gunbai-wrong.service"
    wrong.write_text("[Service]\nExecStart=nowhere\n")
    done = subprocess.run(
        [str(analyze), "verify", "--man=no", *(str(tmp_path / path.name) for path in UNITS), str(wrong)],
        env={"SYSTEMD_UNIT_PATH": f"{tmp_path}:", "PATH": "/usr/bin:/bin", "SYSTEMD_LOG_LEVEL": "warning"},
        capture_output=True,
        text=True,
        check=False,
    )
    told = [line for line in done.stderr.splitlines() if "gunbai" in line]
    assert told, "nothing was looked at"
    assert [line for line in told if wrong.name not in line] == []


@needs("bash")
@pytest.mark.parametrize("script", ["systemd/gunbai.sh", "systemd/stick.sh", *SCRIPTS])
def test_scripts_can_be_read_by_their_shell(script: str) -> None:
    subprocess.run(["bash", "-n", str(ROOT / script)], check=True)
