"""The voice beside a running app: it says what is new, waits for nothing, and stays silent where nobody wants it.

The program is one of the tests' own on PATH, which records its arguments and writes a real wave file.
"""

from __future__ import annotations

import time
import wave
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from companion.core.language import use_language
from companion.view.window.ambience import Ambience
from engine.orders.steps import Pass
from tests.companion.core.voices import put_voice
from tests.companion.desk.desk import Desk, desk_at
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.usefixtures("display")


def tone(path: Path, seconds: float = 0.5) -> None:
    """Write a wave file as espeak-ng does: one channel, 16 bits, 22050 Hz."""
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(22050)
        sound.writeframes(b"\0\x20\0\xe0" * int(22050 * seconds / 2))


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a voice program on PATH; return the file that tells what it was called with."""
    monkeypatch.setenv("PATH", str(tmp_path))
    tone(tmp_path / "sound.wav")
    body = f'for last; do :; done; {{ echo "$@"; cat_lines; }} >> "$0.told"; /bin/cat {tmp_path}/sound.wav > "$last"'
    return put_voice(tmp_path, body=body)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder on PATH, empty; `log` in it has what is told."""

    def keep(_level: str, text: str) -> None:
        with (tmp_path / "log").open("a") as file:
            file.write(f"{text}\n")

    monkeypatch.setattr("companion.view.window.ambience.tell", keep)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    found = desk_at(tmp_path / "data", monkeypatch, 0)
    found.app.stage.change(voice=True, sound=False)
    yield found
    use_language("en")
    pygame.mixer.quit()


@pytest.fixture
def keeper(desk: Desk) -> Iterator[Ambience]:
    found = Ambience(desk.app)
    yield found
    found.close()
    assert not found.announcer.speech.busy


def heard(keeper: Ambience, now_s: float) -> bool:
    """Go round the loop until a sentence plays, or its program is done in vain."""
    until_s = time.monotonic() + PATIENCE_S
    keeper.brightness(now_s)
    while keeper.announcer.speech.busy and time.monotonic() < until_s:
        time.sleep(0.005)
        keeper.brightness(now_s)
    return bool(pygame.mixer.get_init()) and pygame.mixer.get_busy()


def test_each_turn_is_said_and_replaces_the_one_before(told: Path, keeper: Ambience, desk: Desk) -> None:
    assert heard(keeper, 0.0)
    desk.match.offer(Pass())
    keeper.brightness(1.0)
    assert not pygame.mixer.get_busy(), "the old sentence breaks off at once"
    assert heard(keeper, 1.0)
    lines = told.read_text().splitlines()
    assert lines[1::2] == ["Ana's turn.", "Bo's turn."]
    assert lines[0].startswith("--stdin -v en -w ")
    heard(keeper, 30.0)
    assert told.read_text().splitlines() == lines, "and only once"


def test_it_speaks_the_language_of_the_screen(told: Path, keeper: Ambience, desk: Desk) -> None:
    desk.app.stage.change(language="pt_BR")
    assert heard(keeper, 0.0)
    assert told.read_text().splitlines()[1] == "Vez de Ana."
    assert told.read_text().startswith("--stdin -v pt-br -w ")


def test_it_is_off_by_default_and_silent_at_once_when_switched_off(told: Path, keeper: Ambience, desk: Desk) -> None:
    desk.app.stage.change(voice=False)
    assert not heard(keeper, 0.0)
    assert not told.exists()
    desk.app.stage.change(voice=True)
    assert heard(keeper, 1.0)
    desk.app.stage.change(voice=False)
    keeper.brightness(2.0)
    assert not pygame.mixer.get_busy()


def test_the_loudspeaker_rests_only_after_the_sentence(
    told: Path, keeper: Ambience, desk: Desk, tmp_path: Path
) -> None:
    tone(tmp_path / "sound.wav", 12.0)
    assert heard(keeper, 0.0)
    keeper.brightness(25.0)
    assert pygame.mixer.get_init()
    keeper.brightness(40.0)
    assert not pygame.mixer.get_init()


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (None, "voice: espeak-ng: not installed"),
        ('echo "no sound" > "$5"', "voice: no sound in it: "),
    ],
)
def test_what_fails_is_one_line_in_the_log_and_the_game_goes_on(
    body: str | None, fault: str, keeper: Ambience, desk: Desk, bare: Path
) -> None:
    if body is not None:
        put_voice(bare, body=body)
    for n in range(3):
        assert not heard(keeper, float(n))
        desk.match.offer(Pass())
    told_of = (bare / "log").read_text().splitlines()
    assert len(told_of) == 1
    assert told_of[0].startswith(fault)
