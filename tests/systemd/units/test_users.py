"""The user and the groups of the rules."""

import re
import shlex
from collections.abc import Iterator

from companion.appliance import layout
from companion.appliance.layout import FOLDERS, Layout
from companion.appliance.sticks import unit_of
from tests.systemd.units.unit_files import CURRENT, PI_WATCHDOG_S, ROOT, SYSTEMD, read, unit


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
