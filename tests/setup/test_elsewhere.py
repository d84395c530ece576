"""Gunbai without what Linux alone has (tests/elsewhere.py): it starts, plays, scores and reviews all the same."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import LINUX_ONLY, main, parser
from companion.core import storage
from companion.core.own_process import memory_file
from companion.perception import camera_watch
from companion.view.window import display
from tests.setup.conftest import ROOT
from vision import memory
from vision.errors import CameraError

WALK = """
import os
import sys
from importlib import import_module
from pathlib import Path

from companion.cli import COMMANDS, main
from companion.core.errors import MatchError
from companion.games.match import open_game

shots = Path(sys.argv[1])
held = shots.with_name("held")
with held.open("wb"):  # what Windows refuses is refused here too, or this walk would show nothing
    for deed in (lambda: held.replace(shots), held.unlink, lambda: os.open(shots.parent, os.O_RDONLY)):
        try:
            deed()
        except PermissionError:
            continue
        raise SystemExit("not refused")
for name in ("companion.bootstrap", "companion.thinking.worker", "companion.grounds.painter", "hardware.desk"):
    import_module(name)
assert main(["demo", "--practice", str(shots), "--turns", "2"]) == 0
game = shots / "game.jsonl"
assert main(["score", str(game)]) == main(["review", str(game)]) == 0

match = open_game(game)
try:
    open_game(game)
except MatchError as error:
    print("locked:", error)
match.undo()
assert match.save(), match.fault
match.redo()
assert match.save(), match.fault
match.close()

from companion.app.app import App
from companion.view.page.canvas import save_screen

match = open_game(game)
assert len(match.steps) == 2
save_screen(App(match=match), shots / "screen.png", (800, 480))
match.close()
assert main(["play", "--game", str(game), "--table", str(shots / "demo.table"), "--camera", "0"]) == 2
"""


@pytest.mark.long
def test_all_but_the_machine_goes_on_without_linux(tmp_path: Path) -> None:
    script = tmp_path / "walk.py"
    script.write_text(WALK)
    command = [sys.executable, "-P", str(ROOT / "tests/elsewhere.py"), "--run", str(script), str(tmp_path / "practice")]
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
        "GUNBAI_DATA": str(tmp_path / "data"),
        "GUNBAI_TRACEBACKS": "1",
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
    }
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "locked: " in done.stdout
    assert "this game is open in another Gunbai" in done.stdout
    assert "the game's own score is the same" in done.stdout
    assert "chance to win" in done.stdout
    assert (tmp_path / "practice/screen.png").stat().st_size > 10_000
    assert done.stderr.splitlines()[-1] == (
        "gunbai: a live camera needs Linux; gunbai read and gunbai score read photographs here too"
    )


@pytest.mark.parametrize("command", LINUX_ONLY)
@pytest.mark.parametrize(("platform", "name"), [("win32", "Windows"), ("darwin", "macOS")])
def test_what_needs_linux_says_so_in_one_line(
    command: str, platform: str, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert main([command]) == 2
    assert capsys.readouterr().err == (
        f"gunbai: gunbai {command} needs Linux, such as a Raspberry Pi's, and this is {name}\n"
    )


def test_a_live_camera_needs_linux_and_a_folder_that_plays_one_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_watch, "OwnProcess", lambda *order: order)
    monkeypatch.setattr(camera_watch, "service_folder", lambda: None)
    monkeypatch.setattr(sys, "platform", "darwin")
    linked: object = camera_watch.link_to(str(tmp_path), None, print)
    assert linked == (str(tmp_path), None, print)
    with pytest.raises(CameraError, match="needs Linux"):
        camera_watch.link_to("0", None, print)
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(CameraError, match="needs Linux"):
        camera_watch.link_to(str(tmp_path), None, print)


def test_a_file_in_memory_is_one_on_the_disk_where_there_is_no_such_thing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.memfd_create")
    with memory_file("words") as file:
        file.write(b"kept")
        file.seek(0)
        assert file.read() == b"kept"


def test_folders_that_cannot_be_opened_are_not_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.O_DIRECTORY")
    storage.create(tmp_path / "file", b"kept")
    assert (tmp_path / "file").read_bytes() == b"kept"


def test_a_system_without_that_c_library_has_as_many_heaps_as_it_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctypes.CDLL", lambda name: name + "")
    memory.one_heap()
    memory.give_back()


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_windows_and_a_mac_always_have_a_screen(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", display.DRIVER):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    assert display.has_screen()


def test_the_matrix_runs_commands_that_there_are() -> None:
    told = (ROOT / ".github/workflows/elsewhere.yml").read_text()
    assert {"windows-latest", "macos-latest"} <= set(re.findall(r"\w+-latest", told))
    assert "Untried" in told
    lines = re.findall(r"^ +- run: gunbai (.+?)(?: \|\|.*)?$", told, re.M)
    assert {"demo", "score", "review"} <= {
        parser().parse_args(shlex.split(line)).parser.prog.split()[-1] for line in lines
    }
