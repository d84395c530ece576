"""`gunbai card`: a card, or an archive of one, gets all that its first start needs; else it is refused in one line."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import zipfile
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.appliance import archive, signing
from companion.appliance.cards import first_start, preparing
from companion.appliance.cards.first_start import values_of
from companion.appliance.cards.preparing import check_names, make_zip, prepare
from companion.appliance.cards.wishes import LOG, PACKAGES, RUNS_ON, SCRIPT, SCRIPT_TEXT, UPDATE, Wishes
from companion.appliance.host import Host
from companion.appliance.layout import Layout
from companion.cli import main
from companion.core.errors import ApplianceError
from tests.companion.appliance.backup.conftest import state_of
from tests.companion.appliance.machines import make_tree, make_update
from tests.companion.appliance.some_card import ISSUE, make_card
from tests.companion.commands.terminal import Capture, fault, printed
from tests.companion.refusing import refusing

USER_DATA = "#cloud-config\n\n# commented only\n"
BUILD = 1_764_000_000  # 2025-11-24 16:00:00 UTC
DEBS = ("kbd_2.7.1-2_all.deb", "libgbm1_25.0.7-2%2brpt1_arm64.deb")
SMALL = ("gunbai-first-start.sh", "meta-data", "network-config", "README.txt", "user-data", "vendor-data")


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """Return the boot partition of a card that was just flashed."""
    make_card(tmp_path / "bootfs")
    return tmp_path / "bootfs"


@pytest.fixture(scope="module")
def update(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packed")
    make_update(make_tree(folder / "tree", "1.1.0"), folder / "pi.update", RUNS_ON, build=BUILD)
    return folder / "pi.update"


def vendor_data(card: Path) -> dict[str, Any]:
    """Return what cloud-init reads besides the owner's lines: JSON behind comments."""
    first, _ours, rest = (card / "vendor-data").read_text().split("\n", 2)
    assert first == "#cloud-config"
    found: dict[str, Any] = json.loads(rest)
    return found


def test_a_card_gets_what_its_first_start_needs(card: Path, update: Path, capsys: Capture) -> None:
    words = ["--language", "pt_BR", "--keyboard", "br", "--timezone", "America/Sao_Paulo"]
    assert "Gunbai 1.1.0-" in printed(capsys, "card", str(card), str(update), *words)
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
    before = state_of(card)
    prepare(card, update, Wishes())
    assert state_of(card) == before


@pytest.fixture
def debs(tmp_path: Path) -> Path:
    """Return a folder of Debian packages."""
    folder = tmp_path / "debs"
    folder.mkdir()
    for name in DEBS:
        (folder / name).write_bytes(name.encode())
    return folder


def test_packages_and_keys_go_along(card: Path, update: Path, debs: Path, tmp_path: Path) -> None:
    (tmp_path / "me.pub").write_text("ssh-ed25519 AAAA me\n")
    assert main(["card", str(card), str(update), "--packages", str(debs), "--ssh-key", str(tmp_path / "me.pub")]) == 0
    assert sorted(path.name for path in (card / PACKAGES).iterdir()) == list(DEBS)
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
    make_update(update.with_name("tree"), signed, RUNS_ON, signature, BUILD)
    head = archive.read_head(signed)
    if head.data != data:  # the package is called as the update is
        signed.unlink()
        signature = signing.sign(Host(Layout(tmp_path)), key, head.data)
        make_update(update.with_name("tree"), signed, RUNS_ON, signature, BUILD)
    prepare(card, signed, wishes)
    files = {file["path"]: file["content"] for file in vendor_data(card)["write_files"]}
    assert files["/etc/gunbai/update-signers"] == f"gunbai {wishes.signer}\n"


# ---- refused ------------------------------------------------------------------------------------------------------


def refused(card: Path, update: Path, capsys: Capture, *words: str) -> str:
    """Return the one line of a refusal, after checking that it changed nothing."""
    before = state_of(card) if card.is_dir() else {}
    told = fault(capsys, "card", str(card), str(update), *words)
    assert (state_of(card) if card.is_dir() else {}) == before
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
    make_update(update.with_name("tree"), other, "x86_64 3.13")
    assert f"the card needs {RUNS_ON}" in refused(card, other, capsys)
    other.write_bytes(update.read_bytes()[:3000])
    assert "incomplete" in refused(card, other, capsys)


def test_a_card_without_room_is_refused(
    card: Path, update: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage(30_000_000, 20_000_000, 10_000_000))
    assert "10 MB are free" in refused(card, update, capsys)


def test_a_card_that_refuses_is_told(
    card: Path, update: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "_put", refusing(errno.EROFS))
    assert "can't be written (Read-only file system)" in refused(card, update, capsys)


def test_the_script_can_be_read_by_its_shell_and_installs_what_is_there() -> None:
    subprocess.run(["sh", "-n"], input=SCRIPT_TEXT, text=True, check=True)
    assert f"/boot/firmware/{LOG}" in SCRIPT_TEXT
    assert f" -m {first_start.__name__}\n" in SCRIPT_TEXT


# ---- as an archive ------------------------------------------------------------------------------------------------


def test_the_archive_has_what_a_card_needs(update: Path, debs: Path, tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "card.zip"
    assert "Gunbai 1.1.0-" in printed(capsys, "card", "--zip", str(target), str(update), "--packages", str(debs))
    with zipfile.ZipFile(target) as made:
        assert made.testzip() is None
        assert sorted(made.namelist()) == sorted([*SMALL, UPDATE, *(f"{PACKAGES}/{name}" for name in DEBS)])
        assert made.namelist()[-1] == "vendor-data", "one that isn't unpacked to the end starts as if it had been left"
        assert made.read(UPDATE) == update.read_bytes()
        for member in made.infolist():
            assert (member.create_system, member.external_attr) == (0, 0x20), "no rights, no links"
            assert member.compress_type == zipfile.ZIP_STORED
            assert member.date_time == (2025, 11, 24, 16, 0, 0)


@pytest.mark.parametrize("name", ["README.txt", "user-data", "network-config"])
def test_what_people_open_shows_in_windows(update: Path, tmp_path: Path, name: str) -> None:
    make_zip(tmp_path / "card.zip", update, Wishes())
    with zipfile.ZipFile(tmp_path / "card.zip") as made:
        data = made.read(name)
    assert data.count(b"\n") == data.count(b"\r\n") > 10
    text = data.decode("utf-8-sig")
    assert "Idioma" in text or "Wi-Fi" in text
    assert data.startswith(b"#") or name == "README.txt", "cloud-init takes no mark before it"
    assert max(map(len, text.splitlines())) <= 120


def test_the_same_makes_the_same_bytes(update: Path, debs: Path, tmp_path: Path) -> None:
    for name in ("one.zip", "other.zip"):
        make_zip(tmp_path / name, update, Wishes(packages=debs))
        for deb in debs.iterdir():
            deb.touch()
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()


@pytest.mark.parametrize(("build", "year"), [(0, 1980), (10**15, 2107)])
def test_an_update_of_another_age_is_of_the_nearest_year_that_a_zip_can_tell(
    update: Path, tmp_path: Path, build: int, year: int
) -> None:
    odd = tmp_path / "odd.update"
    make_update(update.with_name("tree"), odd, RUNS_ON, build=build)
    make_zip(tmp_path / "card.zip", odd, Wishes())
    with zipfile.ZipFile(tmp_path / "card.zip") as made:
        assert {member.date_time[0] for member in made.infolist()} == {year}


@pytest.mark.parametrize("name", ["a:b", "a/con", "lpt1.deb", "a.", "b ", 'a"b', "é", "x\\y", "a//b", "a" * 200])
def test_a_name_that_fat_has_not_is_refused(name: str) -> None:
    with pytest.raises(ApplianceError, match="can't have a file of this name"):
        check_names([name])


def test_names_that_differ_in_case_alone_are_refused() -> None:
    check_names(["libgl1_1%3a2~3+b1_arm64.deb", "README.txt"])
    with pytest.raises(ApplianceError, match="the same name"):
        check_names(["README.txt", "readme.TXT"])


def test_what_is_there_is_never_written_over(update: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "card.zip").write_bytes(b"mine")
    assert "there already" in fault(capsys, "card", "--zip", str(tmp_path / "card.zip"), str(update))
    assert (tmp_path / "card.zip").read_bytes() == b"mine"


def test_what_a_killed_run_left_goes(update: Path, tmp_path: Path) -> None:
    left, another = tmp_path / f"card.zip.new-{2**22 + 1}", tmp_path / f"card.zip.new-{os.getppid()}"
    for path in (left, another):
        path.write_bytes(b"half")
    make_zip(tmp_path / "card.zip", update, Wishes())
    assert {path.name for path in tmp_path.iterdir()} == {"card.zip", another.name}


def test_neither_a_card_nor_an_archive_or_both_are_refused(update: Path, tmp_path: Path, capsys: Capture) -> None:
    assert "either CARD" in fault(capsys, "card", str(update))
    assert "either CARD" in fault(capsys, "card", str(tmp_path), str(update), "--zip", str(tmp_path / "card.zip"))


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("nowhere")])
def test_a_package_that_is_no_file_is_named(
    update: Path, debs: Path, tmp_path: Path, capsys: Capture, make: Callable[[Path], None]
) -> None:
    odd = debs / "odd_1_arm64.deb"
    make(odd)
    words = ("--zip", str(tmp_path / "card.zip"), str(update), "--packages", str(debs))
    assert fault(capsys, "card", *words) == f"{odd}: not a plain file"
    assert not (tmp_path / "card.zip").exists()


def test_a_folder_or_key_without_a_name_is_not_left_out(
    update: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty variable of a shell's: the card would have no packages, and nobody could log in."""
    monkeypatch.chdir(tmp_path)
    for option in ("--packages", "--ssh-key", "--signer"):
        fault(capsys, "card", "--zip", "card.zip", str(update), option, "")
    told = fault(capsys, "card", "--zip", "card.zip", str(update), "--ssh-key", "none")
    assert told == "none: can't be read (No such file or directory)"
    assert not (tmp_path / "card.zip").exists()


def test_options_may_stand_between_card_and_update(update: Path, tmp_path: Path, capsys: Capture) -> None:
    make_card(tmp_path / "bootfs")
    for words in ((str(tmp_path / "bootfs"), "--keyboard", "br", str(update), "more"), (str(update), "--what")):
        assert "unrecognized arguments" in fault(capsys, "card", *words)
    assert main(["card", str(tmp_path / "bootfs"), "--language", "pt_BR", str(update), "--keyboard", "br"]) == 0
    assert (tmp_path / "bootfs/gunbai.update").is_file()


def test_more_than_a_boot_partition_holds_is_refused(
    update: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "MOST_BYTES", 10)
    assert "boot partition has room" in fault(capsys, "card", "--zip", str(tmp_path / "card.zip"), str(update))


def test_a_disk_that_refuses_leaves_no_half_archive(
    update: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "_write_zip", refusing())
    monkeypatch.setattr(Path, "unlink", refusing())
    assert "can't be written (No space left on device)" in fault(
        capsys, "card", "--zip", str(tmp_path / "card.zip"), str(update)
    )
    assert not list(tmp_path.glob("card.zip*"))
