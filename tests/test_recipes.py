"""Every recipe of docs/recipes.md does what it says: taken from the page, and run with nothing but the command line."""

from __future__ import annotations

import csv
import json
import re
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

import pytest

from companion.drawing.board_svg import COLOURS
from companion.settings.layers import load
from tests.companion.sample_eye import sample_eye, save_sample_table
from tests.companion.sample_games import BOARD, played, saved
from tests.programs import require
from vision.frame import jpeg_of

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/recipes.md"
RECIPE = re.compile(
    r"^## (?P<title>.+?)\n(?:(?!^## ).)*?^`(?P<name>[\w.-]+)`\n\n```\w+\n(?P<text>.*?)^```$", re.M | re.S
)
RECIPES: Mapping[str, str] = {found["name"]: found["text"] for found in RECIPE.finditer(PAGE.read_text())}
MOST_LINES = 15
GUNBAI = f"""#!/bin/sh
# The command line of this tree; what would go on for ever is asked for how it is now.
case "$1" in
    follow) exec {sys.executable} -P -m companion "$@" --once ;;
    play) exit 0 ;;
    *) exec {sys.executable} -P -m companion "$@" ;;
esac
"""
LED = """
class LED:
    def __init__(self, pin):
        self.pin = pin

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if name == "value":
            print(self.pin, "on" if value else "off", flush=True)
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a home with a saved game in it, a folder of programs, and the recipes."""
    programs, games = tmp_path / "bin", tmp_path / ".local/share/gunbai/games"
    programs.mkdir()
    games.mkdir(parents=True)
    for game in (games / "evening.jsonl", tmp_path / "game.jsonl"):
        game.write_bytes(saved())
    program(programs / "gunbai", GUNBAI)
    for name, text in RECIPES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def environment(place: Path) -> dict[str, str]:
    return {
        "PATH": f"{place / 'bin'}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONPATH": f"{ROOT}:{place / 'lib'}",
        "HOME": str(place),
        "LANG": "C.UTF-8",
    }


def run(place: Path, *command: str) -> str:
    """Run a recipe to its end, and return what it printed."""
    done = subprocess.run(command, cwd=place, env=environment(place), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_ten_and_each_is_short() -> None:
    assert len(RECIPES) == len(re.findall(r"^## ", PAGE.read_text(), re.M)) == 10
    lines = {name: len([line for line in text.splitlines() if line]) for name, text in RECIPES.items()}
    assert {name: n for name, n in lines.items() if n > MOST_LINES} == {}


def test_a_lamp_follows_the_turn(place: Path) -> None:
    (place / "lib").mkdir()
    (place / "lib/gpiozero.py").write_text(LED)
    (place / ".local/share/gunbai/games/evening.jsonl").write_bytes(saved(steps=0))
    assert run(place, sys.executable, "lamp.py").splitlines() == ["17 on", "27 off"]


def test_a_scoreboard_for_a_stream(place: Path) -> None:
    run(place, sys.executable, "scoreboard.py")
    assert re.fullmatch(r"Round \d   red \d+   black \d+\n", (place / "scoreboard.txt").read_text())


@pytest.mark.long
def test_a_photo_is_scored_every_evening(place: Path) -> None:
    (place / "league").mkdir()
    save_sample_table(place / "league/kitchen.table")
    (place / "photo.jpg").write_bytes(jpeg_of(sample_eye().look(played()[1][-1]).picture, 92))
    program(place / "bin/rpicam-still", f'#!/bin/sh\ncp "{place}/photo.jpg" "$3"\n')
    run(place, "sh", "evening.sh")
    run(place, "sh", "evening.sh")
    days = [json.loads(line) for line in (place / "league/scores.jsonl").read_text().splitlines()]
    assert [day["vp"].keys() for day in days] == [{"red", "black"}] * 2


def test_javascript_asks_the_referee(place: Path) -> None:
    require("node")
    assert run(place, "node", "judge.mjs") == 'red {"black":{"troop":2}}\n'


def test_a_result_goes_to_bg_stats(place: Path) -> None:
    link = run(place, "sh", "bg-stats.sh")
    address, _, data = link.partition("?data=")
    assert address == "https://app.bgstatsapp.com/createPlay.html"
    assert len(json.loads(unquote(data))["players"]) == 2


def test_statistics_become_a_table(place: Path) -> None:
    rows = list(csv.reader(run(place, sys.executable, "table.py", ".local/share/gunbai/games").splitlines()))
    assert rows[0] == ["game", "winner", "points"]
    assert [row[0] for row in rows[1:]] == ["evening"]
    assert re.fullmatch(r"red \d+ black \d+", rows[1][2])


def test_a_club_s_tables_are_shown(place: Path) -> None:
    pytest.importorskip("paho.mqtt.client")
    state = json.dumps({"round": 2, "points": "4–6"}).encode()
    topic = b"gunbai/kitchen/state"
    told = bytes([0x30, 2 + len(topic) + len(state), 0, len(topic)]) + topic + state
    with socket.create_server(("127.0.0.1", 0)) as door:
        command = [sys.executable, "-u", "club.py", "127.0.0.1", str(door.getsockname()[1])]
        with subprocess.Popen(command, cwd=place, env=environment(place), stdout=subprocess.PIPE, text=True) as club:
            assert club.stdout is not None
            link, _ = door.accept()
            with link:
                assert link.recv(1000)[0] == 0x10
                link.sendall(b"\x20\x02\x00\x00")
                asked = link.recv(1000)
                assert b"gunbai/+/state" in asked
                link.sendall(b"\x90\x03" + asked[2:4] + b"\x00" + told)
                assert club.stdout.readline() == "kitchen      round 2  4–6\n"
                club.kill()


def test_a_board_of_one_s_own_is_on_the_shelf(place: Path) -> None:
    told = run(place, "sh", "own-board.sh")
    assert f"\n{BOARD}-mine (" in told
    own = (place / f".local/share/gunbai/boards/{BOARD}-mine.toml").read_text()
    assert re.search(r"^\[areas\.c4\]\n(?:.+\n)*?vp = 3$", own, re.M)


def test_another_language_is_spoken(place: Path) -> None:
    assert "gewinnt" in run(place, "sh", "language.sh")


def test_another_theme_is_set(place: Path) -> None:
    run(place, "sh", "theme.sh")
    settings = load([place / ".config/gunbai/settings.toml"])
    assert (settings.theme, settings.text_scale) == ("light", 1.2)
    assert settings.colours.keys() == {"water", "land"} <= COLOURS.keys()
