"""The first start of a card: what it checks, installs and removes, and what it says where it can't go on."""

from __future__ import annotations

import hashlib
import platform
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.appliance import machine
from companion.appliance.cards import first_start, wishes
from companion.appliance.cards.first_start import LAYOUTS, LOCALES, ZONES, FileFault, FirstStart, faults_of, show_on
from companion.appliance.cards.wishes import PACKAGES, UPDATE, Wishes
from companion.appliance.host import Host, RunResult
from companion.core.language import speaking
from tests.companion.appliance.machines import HERE, Rehearsal, Rehearsed, make_tree, make_update
from tests.companion.commands.terminal import Capture

NEEDED = machine.PACKAGES
WIFI = "#  wifis:"
"""The first of the lines that an owner takes the # from."""


@pytest.fixture(autouse=True)
def language() -> Iterator[None]:
    with speaking("en"):
        yield


class Start:
    """A card and the machine that starts from it; `screen` is what it showed."""

    def __init__(self, folder: Path, unpacked: Path) -> None:
        self.boot, self.root = folder / "boot", folder / "root"
        self.boot.mkdir()
        (self.boot / PACKAGES).mkdir()
        for name, data in wishes.small_files(Wishes(), "1.0.0").items():
            (self.boot / name).write_bytes(data)
        (self.boot / PACKAGES / "libgbm1_1_arm64.deb").write_bytes(b"deb")
        (self.boot / UPDATE).write_bytes(b"update")
        self.tree = unpacked / "tree"
        for path, text in (
            (f"{ZONES}/Etc/UTC", ""),
            (LAYOUTS, "! model\n  pc105\n\n! layout\n  us  English\n  br  B\n\n"),
        ):
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)
        (self.root / LOCALES).parent.mkdir(parents=True)
        (self.root / LOCALES).write_text("en_GB.UTF-8 UTF-8\npt_BR.UTF-8 UTF-8\n")
        self.host = Rehearsed(Rehearsal(self.root))
        self.have(*NEEDED)
        self.screen: list[str] = []

        (self.root / "etc").mkdir()
        (self.root / "etc/locale.gen").write_text("# none\n")

    def have(self, *names: str) -> None:
        """Have these packages of Debian installed."""
        self.host.answers["dpkg-query"] = RunResult(0, "".join(f"{name} installed\n" for name in names))

    def change(self, name: str, before: str, after: str) -> None:
        """Change a file of the card as a person would."""
        path = self.boot / name
        text = path.read_bytes().decode()
        assert before in text
        path.write_bytes(text.replace(before, after).encode())

    def run(self) -> int:
        return FirstStart(self.host, self.boot, self.tree, self.screen.append).run()


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the card's script has unpacked an update; nothing of it is run."""
    folder = tmp_path_factory.mktemp("first")
    make_update(make_tree(folder / "source"), folder / UPDATE, HERE)
    with tarfile.open(folder / UPDATE) as update:
        update.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has none
        update.extractall(folder / "whole")
    return folder / "whole"


@pytest.fixture
def start(tmp_path: Path, unpacked: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    return Start(tmp_path, unpacked)


def test_it_installs_and_clears_the_card(start: Start) -> None:
    assert start.run() == 0
    assert start.host.asked("gunbai install --yes --anyway")
    assert "Don't pull the plug" in start.screen[0]
    assert len(start.screen) == 1
    assert not (start.boot / UPDATE).exists()
    assert not (start.boot / PACKAGES).exists()
    assert (start.root / "etc/gunbai/settings.toml").read_text() == 'language = "en"\n'
    assert start.host.asked("rfkill block all")
    assert not start.host.asked("rfkill unblock")
    assert not start.host.asked("apt-get")
    assert not start.host.asked("cloud-init clean")


def test_the_language_of_the_card_is_that_of_the_screen(start: Start) -> None:
    start.change("user-data", "locale: en_GB.UTF-8", "locale: pt_BR.UTF-8")
    assert start.run() == 0
    assert (start.root / "etc/gunbai/settings.toml").read_text() == 'language = "pt_BR"\n'
    assert "Instalando" in start.screen[0]


def test_a_language_that_debian_has_not_made_is_made(start: Start) -> None:
    assert start.run() == 0
    listed = start.root / "etc/locale.gen"
    assert listed.read_text() == "# none\nen_GB.UTF-8 UTF-8\n"
    assert start.host.asked("locale-gen")
    assert start.host.asked("update-locale LANG=en_GB.UTF-8")
    start.host.ran.clear()
    assert start.run() == 0
    assert not start.host.asked("locale-gen")


def test_settings_that_are_there_stay(start: Start) -> None:
    (start.root / "etc/gunbai").mkdir(parents=True)
    (start.root / "etc/gunbai/settings.toml").write_text("# mine\n")
    assert start.run() == 0
    assert (start.root / "etc/gunbai/settings.toml").read_text() == "# mine\n"


def test_wifi_is_let_free_where_it_is_set_up(start: Start) -> None:
    start.change("network-config", WIFI, WIFI.removeprefix("#"))
    assert start.run() == 0
    assert start.host.asked("rfkill unblock wifi")
    assert start.host.asked("nmcli radio wifi on")


# ---- packages -----------------------------------------------------------------------------------------------------


def test_missing_packages_come_from_the_card(start: Start) -> None:
    start.have(*NEEDED[:2])
    start.host.answers["dpkg-deb --field"] = RunResult(0, "Package: libgbm1\n")

    def install() -> RunResult:
        index = start.root / "var/tmp/gunbai-debs/Packages"
        digest = hashlib.sha256(b"deb").hexdigest()
        assert index.read_text() == (f"Package: libgbm1\nFilename: ./libgbm1_1_arm64.deb\nSize: 3\nSHA256: {digest}\n")
        start.have(*NEEDED)
        return RunResult(0, "")

    start.host.answers["install -y --no-install-recommends"] = install
    assert start.run() == 0
    [update, installed] = [ran for ran in start.host.ran if ran.startswith("apt-get")]
    assert update.count("SourceParts=-") == installed.count("SourceParts=-") == 1, "the network isn't asked"
    assert installed.endswith(" ".join(NEEDED[2:]))
    assert not (start.root / "var/tmp/gunbai-debs").exists()


def test_one_that_is_not_there_holds_up_no_other(start: Start) -> None:
    start.have(*NEEDED[2:])
    start.host.answers["dpkg-deb --field"] = RunResult(0, "Package: libgbm1\n")
    start.host.answers["install -y"] = RunResult(100, "E: no candidate")
    assert start.run() == 1
    singly = [ran.rpartition(" ")[2] for ran in start.host.ran if "SourceParts=-" in ran and " install " in ran]
    assert singly == [NEEDED[1], *NEEDED[:2]]


def test_a_card_whose_packages_cannot_be_listed_goes_to_the_network(start: Start) -> None:
    start.have(*NEEDED[1:])
    start.host.answers["dpkg-deb --field"] = RunResult(0, "Package: libgbm1\n")
    start.host.answers["SourceParts"] = RunResult(100, "E: no list")
    assert start.run() == 1
    assert [ran for ran in start.host.ran if ran.startswith("apt-get update")]


def test_without_them_the_network_is_asked_and_then_the_owner(start: Start) -> None:
    shutil.rmtree(start.boot / PACKAGES)
    start.have(*NEEDED[1:])
    assert start.run() == 1
    assert start.host.asked("apt-get update")
    assert start.host.asked(f"--no-install-recommends {NEEDED[0]}")
    assert f"Debian packages are missing: {NEEDED[0]}" in start.screen[-1]
    assert "network cable" in start.screen[-1]
    assert start.host.asked("cloud-init clean"), "the next start begins anew"
    assert (start.boot / UPDATE).exists()


def test_a_damaged_package_is_named(start: Start) -> None:
    start.have()
    start.host.answers["dpkg-deb --field"] = RunResult(2, "not a Debian format archive")
    assert start.run() == 1
    assert "libgbm1_1_arm64.deb on the card is damaged" in start.screen[-1]


# ---- what stops it ------------------------------------------------------------------------------------------------


def test_another_system_is_told(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert start.run() == 1
    assert "isn't Raspberry Pi OS Lite (64-bit)" in start.screen[-1]


def test_an_installation_that_fails_is_told(start: Start) -> None:
    start.host.answers["gunbai install"] = RunResult(2, "first line\ngunbai: 3 MB are free\n")
    assert start.run() == 1
    assert "can't be installed: gunbai: 3 MB are free" in start.screen[-1]
    assert "gunbai-first-start.log" in start.screen[-1]
    assert (start.boot / UPDATE).exists()


def test_a_wrong_line_is_told_and_can_be_mended(start: Start) -> None:
    start.change("user-data", "timezone: Etc/UTC", "timezone: Etc/Utopia")
    assert start.run() == 1
    assert "user-data, line 18: there is no time zone Etc/Utopia" in start.screen[-1]
    assert "Correct it on a computer" in start.screen[-1]
    assert start.host.asked("cloud-init clean")
    assert not start.host.asked("gunbai install")
    start.change("user-data", "Etc/Utopia", "Etc/UTC")
    assert start.run() == 0


@pytest.mark.parametrize(
    ("name", "before", "after", "told"),
    [
        ("user-data", "layout: us", "layout: xx", FileFault("user-data", 14, "there is no keyboard xx")),
        ("user-data", "en_GB.UTF-8\r\n\r\n", "en_XX\r\n\r\n", FileFault("user-data", 9, "there is no language en_XX")),
        ("user-data", "  layout", "\tlayout", FileFault("user-data", 14, "there is a tab: use spaces")),
        ("user-data", "#cloud-config", "# cloud-config", FileFault("user-data", 1, "it has to be #cloud-config")),
        ("user-data", "Etc/UTC", "../../x", FileFault("user-data", 18, "there is no time zone ../../x")),
        ("network-config", "  version", "\tversion", FileFault("network-config", 6, "there is a tab: use spaces")),
    ],
)
def test_what_a_person_may_get_wrong_is_named(
    start: Start, name: str, before: str, after: str, told: FileFault
) -> None:
    assert faults_of(start.boot, start.host) == []
    start.change(name, before, after)
    assert faults_of(start.boot, start.host) == [told]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\xef\xbb\xbf#cloud-config\n", "user-data, line 1: an invisible mark"),
        (b"\xff\xfe#\0", "user-data: it isn't plain text"),
        (b"", "user-data, line 1: it has to be"),
        (None, "user-data: it is missing on the card"),
    ],
)
def test_what_an_editor_spoils_is_named(start: Start, data: bytes | None, told: str) -> None:
    (start.boot / "user-data").unlink()
    if data is not None:
        (start.boot / "user-data").write_bytes(data)
    [fault] = faults_of(start.boot, start.host)
    assert str(fault).startswith(told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Error: Invalid: format-l13.c3: parsing YAML", "user-data, line 13: this line or the one before can't be und"),
        ("Error: properties are not allowed ('timezone' was", "user-data, line 18: this can't be understood: timezone"),
        ("Error: schema errors: nobody knows", "user-data: this can't be understood: nobody knows"),
    ],
)
def test_what_cloud_init_has_against_a_file_is_told_with_its_line(start: Start, said: str, told: str) -> None:
    start.host.answers["--schema-type cloud-config"] = RunResult(1, said)
    [fault] = faults_of(start.boot, start.host)
    assert str(fault).startswith(told)


def test_a_machine_that_lists_nothing_takes_every_value(start: Start) -> None:
    shutil.rmtree(start.root / "usr/share")
    start.change("user-data", "Etc/UTC", "Etc/Utopia")
    assert faults_of(start.boot, start.host) == []


def test_the_screen_is_cleared_first_and_may_be_missing(tmp_path: Path, capsys: Capture) -> None:
    show_on(tmp_path / "tty")("one\ntwo")
    assert (tmp_path / "tty").read_text() == "\033c\n\n  one\n  two\n"
    show_on(tmp_path / "none" / "tty")("three")
    assert capsys.readouterr().out == "one\ntwo\nthree\n"


def test_it_is_this_machine_that_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    monkeypatch.setattr(Host, "run", lambda _self, *words: begun.append(words))

    def begin(self: FirstStart) -> int:
        begun.append((self.boot, self.host.layout.here))
        return 0

    monkeypatch.setattr(FirstStart, "run", begin)
    assert first_start.main() == 0
    assert begun == [("chvt", "1"), (Path(wishes.BOOT), True)]
