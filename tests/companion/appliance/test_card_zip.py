"""`gunbai card --zip`: one archive that anybody unpacks onto a freshly flashed card, the same bytes each time."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.appliance.cards import preparing
from companion.appliance.cards.preparing import check_names, make_zip
from companion.appliance.cards.wishes import PACKAGES, RUNS_ON, UPDATE, Wishes
from companion.cli import main
from companion.core.errors import ApplianceError
from tests.companion.appliance.machines import make_tree, make_update
from tests.companion.appliance.some_card import make_card

Capture = pytest.CaptureFixture[str]
BUILD = 1_764_000_000  # 2025-11-24 16:00:00 UTC
DEBS = ("kbd_2.7.1-2_all.deb", "libgbm1_25.0.7-2%2brpt1_arm64.deb")
SMALL = ("gunbai-first-start.sh", "meta-data", "network-config", "README.txt", "user-data", "vendor-data")


@pytest.fixture(scope="module")
def update(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("packed")
    make_update(make_tree(folder / "tree", "1.1.0"), folder / "pi.update", RUNS_ON, build=BUILD)
    return folder / "pi.update"


@pytest.fixture
def debs(tmp_path: Path) -> Path:
    """Return a folder of Debian packages."""
    folder = tmp_path / "debs"
    folder.mkdir()
    for name in DEBS:
        (folder / name).write_bytes(name.encode())
    return folder


def test_the_archive_has_what_a_card_needs(update: Path, debs: Path, tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "card.zip"
    assert main(["card", "--zip", str(target), str(update), "--packages", str(debs)]) == 0
    assert "Gunbai 1.1.0-" in capsys.readouterr().out
    with zipfile.ZipFile(target) as made:
        assert made.testzip() is None
        assert sorted(made.namelist()) == sorted([*SMALL, UPDATE, *(f"{PACKAGES}/{name}" for name in DEBS)])
        assert made.namelist()[-1] == "vendor-data", (
            "a card that isn't unpacked to the end starts as if it had been left"
        )
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


def refused(capsys: Capture, *words: str) -> str:
    """Return the one line of a refusal."""
    assert main(["card", *words]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return told


def test_what_is_there_is_never_written_over(update: Path, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "card.zip").write_bytes(b"mine")
    assert "there already" in refused(capsys, "--zip", str(tmp_path / "card.zip"), str(update))
    assert (tmp_path / "card.zip").read_bytes() == b"mine"


def test_what_a_killed_run_left_goes(update: Path, tmp_path: Path) -> None:
    left, another = tmp_path / f"card.zip.new-{2**22 + 1}", tmp_path / f"card.zip.new-{os.getppid()}"
    for path in (left, another):
        path.write_bytes(b"half")
    make_zip(tmp_path / "card.zip", update, Wishes())
    assert {path.name for path in tmp_path.iterdir()} == {"card.zip", another.name}


def test_neither_a_card_nor_an_archive_or_both_are_refused(update: Path, tmp_path: Path, capsys: Capture) -> None:
    assert "either CARD" in refused(capsys, str(update))
    assert "either CARD" in refused(capsys, str(tmp_path), str(update), "--zip", str(tmp_path / "card.zip"))


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("nowhere")])
def test_a_package_that_is_no_file_is_named(
    update: Path, debs: Path, tmp_path: Path, capsys: Capture, make: Callable[[Path], None]
) -> None:
    odd = debs / "odd_1_arm64.deb"
    make(odd)
    words = ("--zip", str(tmp_path / "card.zip"), str(update), "--packages", str(debs))
    assert refused(capsys, *words) == f"gunbai: {odd}: not a plain file\n"
    assert not (tmp_path / "card.zip").exists()


def test_a_folder_or_key_without_a_name_is_not_left_out(
    update: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty variable of a shell's: the card would have no packages, and nobody could log in."""
    monkeypatch.chdir(tmp_path)
    for option in ("--packages", "--ssh-key", "--signer"):
        refused(capsys, "--zip", "card.zip", str(update), option, "")
    told = refused(capsys, "--zip", "card.zip", str(update), "--ssh-key", "none")
    assert told == "gunbai: none: can't be read (No such file or directory)\n"
    assert not (tmp_path / "card.zip").exists()


def test_options_may_stand_between_card_and_update(update: Path, tmp_path: Path, capsys: Capture) -> None:
    make_card(tmp_path / "bootfs")
    assert main(["card", str(tmp_path / "bootfs"), "--language", "pt_BR", str(update), "--keyboard", "br"]) == 0
    assert (tmp_path / "bootfs/gunbai.update").is_file()
    for words in ((str(tmp_path / "bootfs"), "--keyboard", "br", str(update), "more"), (str(update), "--what")):
        assert "unrecognized arguments" in refused(capsys, *words)


def test_more_than_a_boot_partition_holds_is_refused(
    update: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "MOST_BYTES", 10)
    assert "boot partition has room" in refused(capsys, "--zip", str(tmp_path / "card.zip"), str(update))


def test_a_disk_that_refuses_leaves_no_half_archive(
    update: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(preparing, "_write_zip", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    assert "can't be written (No space left on device)" in refused(
        capsys, "--zip", str(tmp_path / "card.zip"), str(update)
    )
    assert not list(tmp_path.glob("card.zip*"))
