"""The memory stick in the app: noticed, saved to, brought in from, updated from, taken out."""

from __future__ import annotations

import errno
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.app import App
from companion.appliance.sticks import Progress
from companion.core import sticks, storage
from companion.core.errors import ApplianceError
from companion.core.sticks import Stick
from companion.scenes.home.home import HomeMoreScene
from companion.scenes.home.stick import BringScene, StickScene, StickSight
from companion.scenes.home.stick_update import UpdateScene
from companion.text import faults
from companion.ui.screen import Intent
from tests.companion.equip import equip
from tests.companion.gallery.rooms.stick import OFFER, UNSIGNED, Plugged
from tests.companion.touching import Hand

NEW = b'{"do": "new", "board": "sengoku-rivers", "initiative": "red"}\n'


class Table(Hand):
    """A hand at an app with a work of its own; time goes on by calls."""

    def __init__(self, folder: Path) -> None:
        super().__init__(App())
        self.folder, self.now_s = folder, 0.0
        self.work = Plugged()
        equip(self.app.stage, sticks=self.work)
        self.press("More", "Memory stick")

    def plug(self, *devices: str) -> None:
        self.work.sights = tuple(
            StickSight(Stick(device, device.upper(), "vfat", self.folder / device)) for device in devices
        )
        for device in devices:
            (self.folder / device).mkdir(exist_ok=True)
        self.look()

    def look(self) -> None:
        """Let the scene see what there is, and what came of its work."""
        for _turn in range(4):
            scene = self.app.scene
            if isinstance(scene, StickScene | UpdateScene):
                scene.wait()
            self.now_s += 3.0
            self.app.tick(self.now_s)
            if isinstance(scene, StickScene | UpdateScene):
                scene.wait()

    @property
    def labels(self) -> list[str]:
        return [button.label for button in self.all_buttons() if button.look != "off"]


@pytest.fixture
def hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(sticks, "OWN", tmp_path)
    return Table(tmp_path)


def test_a_stick_that_is_plugged_in_is_noticed_and_one_that_is_pulled_too(hand: Table) -> None:
    assert hand.labels == ["Back"]
    assert hand.screen.title == "Memory stick"
    assert "Looking for a memory stick" in hand.text()
    hand.plug()
    assert "Plug in a memory stick" in hand.text()
    hand.plug("sda1")
    assert "SDA1 · " in hand.text()
    assert hand.labels == ["Save everything", "Back", "Take it out"]
    hand.plug()
    assert "Plug in a memory stick" in hand.text()
    hand.press("Back")
    assert isinstance(hand.app.scene, HomeMoreScene)


def test_everything_is_saved_and_taken_out(hand: Table) -> None:
    (storage.games_dir() / "one.jsonl").write_bytes(NEW)
    hand.plug("sda1")
    hand.press("Save everything").look()
    assert "Saved: gunbai-000001-" in hand.text()
    hand.press("Save everything").look()
    assert "Nothing new since gunbai-000001-" in hand.text()
    assert len(list((hand.folder / "sda1").iterdir())) == 1
    hand.press("Take it out")
    assert "Take it out" not in hand.labels, "not twice"
    hand.work.sights = (StickSight(Stick("sda1", "SDA1", "vfat")),)
    hand.look()
    assert hand.work.asked == ["out sda1"]
    assert "You can pull out SDA1 now." in hand.text()
    hand.press("Use it again").look()
    assert hand.work.asked[-1] == "in sda1"
    hand.plug()
    assert "pull out" not in hand.text()


def test_what_fails_is_told(hand: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(stick: Stick) -> None:
        raise ApplianceError(f"{stick.name}: still in use")

    hand.plug("sda1")
    hand.press("Save everything").look()
    assert "nothing to save yet" in hand.text()
    monkeypatch.setattr(hand.work, "take_out", refuse)
    hand.press("Take it out").look()
    assert "SDA1: still in use" in hand.text()
    assert "Take it out" in hand.labels


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "The memory stick is full"),
        (errno.EROFS, "The memory stick is write-protected or damaged."),
        (errno.EIO, "The memory stick was pulled out, or it's broken."),
    ],
)
def test_what_the_stick_refuses_is_a_sentence_that_stays_when_it_is_pulled(
    hand: Table, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    def refuse(*_args: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(faults, "PLACES", (hand.folder,))
    (storage.games_dir() / "one.jsonl").write_bytes(NEW)
    hand.plug("sda1")
    with monkeypatch.context() as refusing:
        refusing.setattr(os, "fsync", refuse)
        hand.press("Save everything").look()
    assert words in hand.text()
    hand.plug()
    assert words in hand.text()
    assert "Plug in a memory stick" in hand.text()
    hand.plug("sda1")
    hand.press("Save everything").look()
    assert words not in hand.text()


def test_a_small_stick_takes_a_copy_and_a_full_one_says_so(hand: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(hand.folder)
    room = 50_000_000
    monkeypatch.setattr(faults, "PLACES", (hand.folder,))
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: usage._replace(free=room))
    (storage.games_dir() / "one.jsonl").write_bytes(NEW)
    hand.plug("sda1")
    hand.press("Save everything").look()
    assert "Saved: gunbai-000001" in hand.text()
    (storage.games_dir() / "two.jsonl").write_bytes(NEW)
    room = 10
    hand.press("Save everything").look()
    assert "The memory stick is full: free some space on it." in hand.text()
    assert len(list((hand.folder / "sda1").iterdir())) == 1, "the copy that is there stays"


def test_two_sticks_are_told_apart_by_their_device_where_they_have_one_name(hand: Table) -> None:
    hand.plug("sda1", "sdb1")
    assert hand.button("SDA1").look == "chosen"
    hand.press("SDB1")
    assert hand.button("SDB1").look == "chosen"
    (storage.games_dir() / "one.jsonl").write_bytes(NEW)
    hand.press("Save everything").look()
    assert list((hand.folder / "sda1").iterdir()) == []
    hand.plug("sda1")
    assert "SDA1 · " in hand.text(), "the one that is left"
    twins = (Stick(device, "KINGSTON", "vfat", hand.folder / device) for device in ("sda1", "sdb1"))
    hand.work.sights = tuple(StickSight(twin) for twin in twins)
    hand.look()
    hand.press("KINGSTON (sdb1)")
    assert hand.button("KINGSTON (sdb1)").look == "chosen"


def test_a_game_is_brought_in_and_a_copy_with_its_files_counted(hand: Table) -> None:
    (hand.folder / "sda1").mkdir()
    (hand.folder / "sda1" / "one.jsonl").write_bytes(NEW)
    hand.plug("sda1")
    hand.press("Bring in")
    assert isinstance(hand.app.scene, BringScene)
    hand.app.touch(Intent("take", "../../etc/passwd"))
    assert isinstance(hand.app.scene, BringScene)
    hand.press("one.jsonl").look()
    assert "Brought in: one.jsonl" in hand.text()
    assert (storage.games_dir() / "one.jsonl").read_bytes() == NEW
    assert "Bring in" not in hand.labels
    hand.press("Save everything").look()
    (storage.games_dir() / "one.jsonl").unlink()
    hand.press("Bring in")
    hand.app.touch(next(button.intent for button in hand.all_buttons() if button.intent.verb == "take"))
    hand.look()
    assert "1 file brought in." in hand.text()


def test_an_update_is_watched_until_it_takes_over(hand: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand.work, "updates", lambda _stick: [OFFER])
    hand.plug("sda1")
    hand.press("Update to 0.4.0")
    assert "In use now: 0.3.0" in hand.text()
    assert "· It talks like a player" in hand.text()
    hand.press("Install").look()
    assert hand.work.asked == [f"update {OFFER.release}"]
    assert "done: /opt/gunbai/releases" in hand.text()
    assert hand.app.screen().actions == ()
    hand.app.touch(Intent("back"))
    assert isinstance(hand.app.scene, UpdateScene), "what is under way is not left"
    monkeypatch.setattr(
        hand.work, "progress", lambda _offer: Progress(running=False, line="damaged; 0.3.0 stays in use")
    )
    hand.look()
    assert "Not installed: damaged; 0.3.0 stays in use." in hand.text()
    monkeypatch.setattr(hand.work, "progress", lambda _offer: Progress(running=False, well=True, line="In use now"))
    hand.press("Install").look()
    assert "Restart to use it" in hand.text()


def test_an_update_that_systemd_refuses_or_nobody_vouches_for_is_not_installed(
    hand: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_offer: object) -> None:
        raise ApplianceError("Access denied")

    monkeypatch.setattr(hand.work, "updates", lambda _stick: [OFFER])
    monkeypatch.setattr(hand.work, "begin_update", refuse)
    hand.plug("sda1")
    hand.press("Update to 0.4.0", "Install").look()
    assert "Not installed: Access denied." in hand.text()
    hand.press("Back")
    assert isinstance(hand.app.scene, StickScene)
    monkeypatch.setattr(hand.work, "updates", lambda _stick: [replace(OFFER, fault=UNSIGNED)])
    hand.plug()
    hand.plug("sda1")
    hand.press("Update to 0.4.0")
    assert "has to name whose updates" in hand.text()
    hand.app.touch(Intent("install"))
    assert hand.work.asked == []
    assert "Install" not in hand.labels
