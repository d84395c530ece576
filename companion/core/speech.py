"""Sentences said aloud: another program turns each into a wave file beside the screen, which never waits for it.

espeak-ng is a small package of Debian's. Piper sounds better and is used where it is on PATH and a voice of it lies in
`voices/LANGUAGE.onnx` in Gunbai's folder for data (the name alone is not enough: another program has it too).
"""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.core.storage import data_dir

ESPEAK, PIPER = "espeak-ng", "piper"
INSTALL = "sudo apt install espeak-ng"
MOST_LETTERS = 240  # of a sentence; the rest is cut off
MOST_S = 15.0  # a program that takes longer for a sentence is killed


@dataclass(frozen=True, slots=True)
class Voice:
    """A program that speaks a language: its name, and its command line up to the path of the wave file."""

    program: str
    command: tuple[str, ...]

    def into(self, path: Path) -> tuple[str, ...]:
        """Return the command line that reads a text from standard input and writes it as speech to this wave file."""
        return (*self.command, str(path))


def find_voice(language: str) -> Voice | None:
    """Return a program that speaks a language ("en", "pt-BR"); None if none is installed."""
    model = data_dir() / "voices" / f"{language}.onnx"
    piper, espeak = shutil.which(PIPER), shutil.which(ESPEAK)
    if piper and model.is_file():
        return Voice(PIPER, (piper, "--model", str(model), "--output_file"))
    if espeak:
        return Voice(ESPEAK, (espeak, "--stdin", "-v", language.lower(), "-w"))
    return None


class Speech:
    """Turns sentences into wave files, one at a time: a new one replaces the one under way.

    fault: why the last one failed, "" if it didn't.
    """

    def __init__(self) -> None:
        self.fault = ""
        self._folder: TemporaryDirectory[str] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._voice: Voice | None = None
        self._began_s = 0.0
        self._n = 0
        self._dying: list[subprocess.Popen[bytes]] = []

    @property
    def busy(self) -> bool:
        """Whether a sentence is being turned into speech."""
        return self._child is not None

    def begin(self, text: str, language: str, now_s: float) -> None:
        """Start turning a sentence into speech, dropping any other; a failure is noted in `fault`."""
        self.hush()
        self._voice = find_voice(language)
        if self._voice is None:
            self.fault = f"{ESPEAK}: not installed"
            return
        self._n += 1
        self._began_s = now_s
        try:
            self._child = subprocess.Popen(
                self._voice.into(self._path),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            self.fault = f"{self._voice.program}: {error.strerror}"
            return
        assert self._child.stdin is not None
        with suppress(OSError):  # it has ended already: its status says why
            self._child.stdin.write(f"{text[:MOST_LETTERS]}\n".encode())  # less than a pipe holds
            self._child.stdin.close()

    def fetch(self, now_s: float) -> Path | None:
        """Return the path of the finished wave file, once; None before, after that, or if it failed (`fault`)."""
        self._dying = [process for process in self._dying if process.poll() is None]
        if self._child is None or self._voice is None:
            return None
        status = self._child.poll()
        if status is None:
            if now_s - self._began_s > MOST_S:
                self.hush()
                self.fault = f"{self._voice.program}: no answer in {MOST_S:.0f} s"
            return None
        self._child = None
        made = status == 0 and self._path.is_file() and self._path.stat().st_size > 0
        self.fault = "" if made else f"{self._voice.program}: failed (exit status {status})"
        return self._path if made else None

    def hush(self) -> None:
        """Drop the sentence that is being turned into speech."""
        if self._child is not None:
            self._child.kill()
            self._dying.append(self._child)
            self._child = None

    def close(self) -> None:
        """End the program if it runs, and delete the wave files."""
        self.hush()
        for process in self._dying:
            with suppress(subprocess.TimeoutExpired):  # a driver may keep it even then: don't wait for that
                process.wait(1.0)
        self._dying = []
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    @property
    def _path(self) -> Path:
        """The path of the current wave file; two take turns, as the one before may still be playing."""
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="gunbai-voice-", ignore_cleanup_errors=True)
        return Path(self._folder.name) / f"{self._n % 2}.wav"
