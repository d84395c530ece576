"""Sentences made by another program: which one, one at a time, and what goes wrong.

Most tests put an executable of their own on PATH, which writes down its arguments and what it reads; the last ones run
the real espeak-ng, and only where that is installed.
"""

from __future__ import annotations

import time
import wave
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.speech import MOST_LETTERS, MOST_S, Speech, find_voice
from tests.companion.core.voices import put_voice
from tests.patience import PATIENCE_S
from tests.programs import needs

needs_espeak = needs("espeak-ng")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path / "data"))
    return folder


@pytest.fixture
def speech() -> Iterator[Speech]:
    made = Speech()
    yield made
    made.close()


def wait_for(speech: Speech) -> Path | None:
    """Return the speech's file, as soon as the program is done."""
    began_s = time.monotonic()
    while speech.busy and time.monotonic() - began_s < PATIENCE_S:
        found = speech.fetch(0.0)
        if found is not None:
            return found
        time.sleep(0.005)
    assert not speech.busy
    return None


def test_nothing_installed_is_one_line(programs: Path, speech: Speech) -> None:
    assert find_voice("en") is None
    speech.begin("Ana's turn.", "en", 0.0)
    assert not speech.busy
    assert speech.fetch(0.0) is None
    assert speech.fault == "espeak-ng: not installed"


def test_the_program_reads_the_sentence_and_writes_the_file(programs: Path, speech: Speech) -> None:
    told = put_voice(programs)
    speech.begin("-h; Vez da Ana.", "pt-BR", 0.0)
    path = wait_for(speech)
    assert path is not None
    assert path.read_bytes() == b"sound"
    assert told.read_text() == f"--stdin -v pt-br -w {path}\n-h; Vez da Ana.\n"  # the name of a player is no option
    assert speech.fault == ""
    assert speech.fetch(0.0) is None  # only once
    speech.begin("x" * 10_000, "en", 0.0)
    assert wait_for(speech) is not None
    assert told.read_text().endswith("\n" + "x" * MOST_LETTERS + "\n")


def test_piper_is_used_where_a_voice_of_it_is_there(programs: Path, tmp_path: Path, speech: Speech) -> None:
    put_voice(programs)
    told = put_voice(programs, "piper")
    found = find_voice("pt-BR")
    assert found is not None
    assert found.program == "espeak-ng"  # the other piper sets up mice
    model = tmp_path / "data" / "voices" / "pt-BR.onnx"
    model.parent.mkdir(parents=True)
    model.touch()
    speech.begin("Fim da rodada 1.", "pt-BR", 0.0)
    path = wait_for(speech)
    assert told.read_text() == f"--model {model} --output_file {path}\nFim da rodada 1.\n"
    found = find_voice("en")
    assert found is not None
    assert found.program == "espeak-ng"


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("exit 3", "espeak-ng: failed (exit status 3)"),
        ("exit 0", "espeak-ng: failed (exit status 0)"),  # it has written nothing
        ("kill -9 $$", "espeak-ng: failed (exit status -9)"),
    ],
)
def test_a_program_that_fails_is_one_line(programs: Path, speech: Speech, body: str, fault: str) -> None:
    put_voice(programs, body=body)
    speech.begin("Ana's turn.", "en", 0.0)
    assert wait_for(speech) is None
    assert speech.fault == fault


def test_a_program_that_cannot_be_run_is_one_line(programs: Path, speech: Speech) -> None:
    broken = programs / "espeak-ng"
    broken.write_bytes(b"\x7fELF")
    broken.chmod(0o755)
    speech.begin("Ana's turn.", "en", 0.0)
    assert not speech.busy
    assert speech.fault == "espeak-ng: Exec format error"


def test_nobody_waits_for_a_program_that_hangs(programs: Path, speech: Speech) -> None:
    put_voice(programs, body="exec /bin/sleep 600")
    began_s = time.monotonic()
    speech.begin("Ana's turn.", "en", 100.0)
    assert speech.fetch(100.0 + MOST_S) is None
    assert speech.busy
    assert speech.fetch(100.1 + MOST_S) is None
    assert not speech.busy
    assert speech.fault == "espeak-ng: no answer in 15 s"
    assert time.monotonic() - began_s < 5.0


def test_a_new_sentence_takes_the_place_of_the_one_before(programs: Path, speech: Speech) -> None:
    put_voice(programs, body='read line; [ "$line" = old ] && exec /bin/sleep 600; echo "$line" > "$5"')
    speech.begin("old", "en", 0.0)
    assert speech.fetch(0.1) is None
    speech.begin("new", "en", 0.2)
    path = wait_for(speech)
    assert path is not None
    assert path.read_text() == "new\n"
    assert speech.fault == ""


def test_nothing_is_left_behind(programs: Path) -> None:
    put_voice(programs)
    speech = Speech()
    speech.begin("Ana's turn.", "en", 0.0)
    path = wait_for(speech)
    assert path is not None
    speech.close()
    assert not path.parent.exists()
    speech.close()


@needs_espeak
@pytest.mark.parametrize(("language", "text"), [("en", "Ana's turn."), ("pt-BR", "Vez da Ana. Role 2 dados.")])
def test_the_real_program_makes_sound(speech: Speech, language: str, text: str) -> None:
    speech.begin(text, language, 0.0)
    path = wait_for(speech)
    assert path is not None, speech.fault
    with wave.open(str(path)) as sound:
        assert sound.getnchannels() == 1
        assert 0.5 < sound.getnframes() / sound.getframerate() < 5.0
        values = array("h", sound.readframes(sound.getnframes()))
    assert max(values) > 3000
    assert sum(abs(value) > 300 for value in values) > len(values) / 10  # not a click in silence


@needs_espeak
def test_the_real_program_does_not_know_every_language(speech: Speech) -> None:
    speech.begin("Ana's turn.", "xx-nowhere", 0.0)
    assert wait_for(speech) is None
    assert speech.fault == "espeak-ng: failed (exit status 1)"
