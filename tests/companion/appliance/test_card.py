"""`gunbai card`: a freshly flashed card gets all that its first start needs; anything else is refused in one line."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

from companion.appliance import archive, signing
from companion.appliance.cards import first_start, preparing
from companion.appliance.cards.first_start import values_of
from companion.appliance.cards.preparing import prepare
from companion.appliance.cards.wishes import LOG, PACKAGES, RUNS_ON, SCRIPT, SCRIPT_TEXT, UPDATE, Wishes
from companion.appliance.host import Host
from companion.appliance.layout import Layout
from companion.cli import main
from companion.core.errors import ApplianceError
from tests.companion.appliance.machines import make_tree, make_update
from tests.companion.appliance.some_card import ISSUE, make_card

Capture = pytest.CaptureFixture[str]
USER_DATA = "#cloud-config\n\n# commented only\n"


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """Return the boot partition of a card that was just flashed."""
    make_card(tmp_path / "bootfs")
    return tmp_path / "bootfs"


@pytest.fixture
def update(tmp_path: Path) -> Path:
    make_update(make_tree(tmp_path / "tree", "1.1.0"), tmp_path / "pi.update", RUNS_ON)
    return tmp_path / "pi.update"


def vendor_data(card: Path) -> dict[str, Any]:
    """Return what cloud-init reads besides the owner's lines: JSON behind comments."""
    first, _ours, rest = (card / "vendor-data").read_text().split("\n", 2)
    assert first == "#cloud-config"
    found: dict[str, Any] = json.loads(rest)
    return found


def state(card: Path) -> dict[str, bytes]:
    return {str(path.relative_to(card)): path.read_bytes() for path in sorted(card.rglob("*")) if path.is_file()}


def test_a_card_gets_what_its_first_start_needs(card: Path, update: Path, capsys: Capture) -> None:
    words = ["--language", "pt_BR", "--keyboard", "br", "--timezone", "America/Sao_Paulo"]
    assert main(["card", str(card), str(update), *words]) == 0
    assert "Gunbai 1.1.0-" in capsys.readouterr().out
    assert (card / UPDATE).read_bytes() == update.read_bytes()
    assert (card / "user-data.before").read_text() == USER_DATA
    values = {key: value for key, (_line, value) in values_of((card / "user-data").read_text()).items()}
    assert values == {"locale": "pt_BR.UTF-8", "timezone": "America/Sao_Paulo", "layout": "br"}
    told = vendor_data(card)
    assert told["runcmd"] == [["sh", f"/boot/firmware/{SCRIPT}"]]
    [user] = told["users"]
    assert user["lock_passwd"], "nobody logs in by a password that is on every card"
    assert "\n  wifis" not in (card / "network-config").read_text()


def test_done_again_it_is_the_same(card: Path, update: Path) -> None:
    prepare(card, update, Wishes())
    before = state(card)
    prepare(card, update, Wishes())
    assert state(card) == before


def test_packages_and_keys_go_along(card: Path, update: Path, tmp_path: Path) -> None:
    debs = tmp_path / "debs"
    debs.mkdir()
    for name in ("libgbm1_25_arm64.deb", "kbd_2_all.deb"):
        (debs / name).write_bytes(b"deb")
    (tmp_path / "me.pub").write_text("ssh-ed25519 AAAA me\n")
    assert main(["card", str(card), str(update), "--packages", str(debs), "--ssh-key", str(tmp_path / "me.pub")]) == 0
    assert sorted(path.name for path in (card / PACKAGES).iterdir()) == ["kbd_2_all.deb", "libgbm1_25_arm64.deb"]
    assert vendor_data(card)["users"][0]["ssh_authorized_keys"] == ["ssh-ed25519 AAAA me"]
    assert vendor_data(card)["runcmd"][0] == ["systemctl", "enable", "--now", "ssh"]
    prepare(card, update, Wishes())
    assert not (card / PACKAGES).exists(), "what is no longer wanted goes"
    (debs / "libgbm1_25_amd64.deb").write_bytes(b"deb")
    with pytest.raises(ApplianceError, match="packages for arm64"):
        prepare(card, update, Wishes(packages=debs))
    with pytest.raises(ApplianceError, match="packages for arm64"):
        prepare(card, update, Wishes(packages=tmp_path))


def test_with_a_signer_the_update_has_to_be_theirs(card: Path, update: Path, key: Path, tmp_path: Path) -> None:

    wishes = Wishes(signer=key.with_suffix(".pub").read_text().strip())
    with pytest.raises(ApplianceError, match="not signed"):
        prepare(card, update, wishes)
    assert not (card / UPDATE).exists()
    data = archive.read_head(update).data
    signature = signing.sign(Host(Layout(tmp_path)), key, data)
    signed = tmp_path / "signed.update"
    make_update(tmp_path / "tree", signed, RUNS_ON, signature)
    head = archive.read_head(signed)
    if head.data != data:  # the package is called as the update is
        signed.unlink()
        make_update(tmp_path / "tree", signed, RUNS_ON, signing.sign(Host(Layout(tmp_path)), key, head.data))
    prepare(card, signed, wishes)
    files = {file["path"]: file["content"] for file in vendor_data(card)["write_files"]}
    assert files["/etc/gunbai/update-signers"] == f"gunbai {wishes.signer}\n"


# ---- refused ------------------------------------------------------------------------------------------------------


def refused(card: Path, update: Path, capsys: Capture, *words: str) -> str:
    """Return the one line of a refusal, after checking that it changed nothing."""
    before = state(card) if card.is_dir() else {}
    assert main(["card", str(card), str(update), *words]) == 2
    assert (state(card) if card.is_dir() else {}) == before
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return told


@pytest.mark.parametrize(
    ("gone", "why"),
    [("issue.txt", "not the boot"), ("config.txt", "not the boot"), ("meta-data", "cloud-init")],
)
def test_what_is_no_such_card_is_refused(card: Path, update: Path, capsys: Capture, gone: str, why: str) -> None:
    (card / gone).unlink()
    assert why in refused(card, update, capsys)


def test_a_desktop_or_a_used_card_is_refused(card: Path, update: Path, capsys: Capture) -> None:
    (card / LOG).write_text("")
    assert "flash it afresh" in refused(card, update, capsys)
    (card / "issue.txt").write_text(ISSUE.replace("stage2", "stage4"))
    assert "not Raspberry Pi OS Lite" in refused(card, update, capsys)
    (card / "issue.txt").write_bytes(b"\xff\xfe")
    assert "can't be read" in refused(card, update, capsys)
    assert "not a folder" in refused(card / "none", update, capsys)


@pytest.mark.parametrize(
    "words",
    [
        ("--user", "root"),
        ("--user", "a b"),
        ("--language", "xx"),
        ("--keyboard", "'"),
        ("--timezone", "../../etc"),
        ("--packages", "/nowhere"),
    ],
)
def test_wishes_that_say_nothing_sensible_are_refused(
    card: Path, update: Path, capsys: Capture, words: tuple[str, str]
) -> None:
    refused(card, update, capsys, *words)


def test_a_private_key_never_goes_onto_a_card(card: Path, update: Path, capsys: Capture, key: Path) -> None:
    assert "expected a public key" in refused(card, update, capsys, "--ssh-key", str(key))


def test_an_update_for_others_or_none_is_refused(card: Path, update: Path, capsys: Capture, tmp_path: Path) -> None:
    other = tmp_path / "other.update"
    make_update(tmp_path / "tree", other, "x86_64 3.13")
    assert f"the card needs {RUNS_ON}" in refused(card, other, capsys)
    update.write_bytes(update.read_bytes()[:3000])
    assert "incomplete" in refused(card, update, capsys)


def test_a_card_without_room_is_refused(
    card: Path, update: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage(30_000_000, 20_000_000, 10_000_000))
    assert "10 MB are free" in refused(card, update, capsys)


def test_a_card_that_refuses_is_told(
    card: Path, update: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_target: Path, _chunks: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(preparing, "_put", refuse)
    assert "can't be written (Read-only file system)" in refused(card, update, capsys)


def test_the_script_can_be_read_by_its_shell_and_installs_what_is_there() -> None:
    subprocess.run(["sh", "-n"], input=SCRIPT_TEXT, text=True, check=True)
    assert f"/boot/firmware/{LOG}" in SCRIPT_TEXT
    assert f" -m {first_start.__name__}\n" in SCRIPT_TEXT
