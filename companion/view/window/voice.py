"""What is new at the table, said aloud where people want that: the newest sentence takes the place of an older one."""

from __future__ import annotations

import pygame

from companion.app.app import App
from companion.app.cues import Sayings
from companion.core.language import language_tag
from companion.core.log import tell
from companion.core.speech import Speech
from companion.view.window.sounds import Speaker


class Announcer:
    """Asked at each turn of the window's loop; it never waits for the program that speaks."""

    def __init__(self, speaker: Speaker) -> None:
        self.speech = Speech()
        self._speaker = speaker
        self._sayings = Sayings()
        self._told = ""

    def follow(self, app: App, now_s: float) -> None:
        """Say what is new, as the settings are now."""
        settings = app.stage.settings
        if not settings.voice:
            self.hush()
            self._sayings = Sayings()
            return
        text = self._sayings.saying(app.table, app.on_stage())
        if text:
            self._speaker.hush()
            self.speech.begin(text, language_tag(), now_s)
        wave = self.speech.fetch(now_s)
        if wave is not None:
            try:
                self._speaker.speak(wave, settings.volume, now_s)
            except pygame.error as error:
                self.speech.fault = f"no sound in it: {error}"
        self._tell_fault()

    def hush(self) -> None:
        """Say nothing any more."""
        self.speech.hush()
        self._speaker.hush()

    def close(self) -> None:
        """Let go of the program and its files."""
        self.hush()
        self.speech.close()

    def _tell_fault(self) -> None:
        """Write a line in the log for each new fault; the game goes on in silence."""
        fault = self.speech.fault
        if fault and fault != self._told:
            tell("warning", f"voice: {fault}")
        self._told = fault
