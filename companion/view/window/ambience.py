"""What goes on around the app while its window is open: sounds, a voice, lamps, a dimmed screen, no screen saver.

The loudspeaker is opened when something is to be heard, and closed after a while of quiet; where there is none,
everything stays silent, and nothing else changes.
"""

from __future__ import annotations

from pathlib import Path

import pygame

from companion.app.app import App
from companion.app.cues import RATE_HZ, Cues, Moment, Sayings, samples
from companion.app.dimming import Backlight, Idle, find_backlight
from companion.core.language import _, language_tag
from companion.core.log import tell
from companion.core.printable import without_lines
from companion.core.speech import Speech
from companion.desk.in_use import State, lights
from companion.settings.layers import Settings
from companion.text.faults import fault_words
from companion.view.window.input import post
from hardware.lights import OFF

QUIET_S = 20.0  # an open device costs a thread that wakes up all the time
AGAIN_S = 60.0  # a device that would not open is not tried for each sound
BUFFER = 512
ALSA = b"ALSA lib "
"""How the lines begin that ALSA's library writes where there is no sound card; `fault` says it in a sentence."""


class Speaker:
    """Plays cues at a volume (0 to 100). `fault` says why nothing is heard, None as long as that is not known."""

    def __init__(self) -> None:
        self.fault: str | None = None
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        self._played_s: float | None = None
        self._failed_s: float | None = None
        self._sentence: pygame.mixer.Sound | None = None

    def play(self, cue: str, volume: int, now_s: float) -> bool:
        """Play a cue; False without a device."""
        if not self._open(now_s):
            return False
        self._played_s = now_s
        sound = self._sounds.get(cue) or pygame.mixer.Sound(buffer=samples(cue))
        self._sounds[cue] = sound
        sound.set_volume(volume / 100)
        sound.play()
        return True

    def speak(self, wave: Path, volume: int, now_s: float) -> bool:
        """Play a sentence, cutting off the one before; False without a device. pygame.error where it isn't audio."""
        if not self._open(now_s):
            return False
        self.hush()
        self._sentence = pygame.mixer.Sound(str(wave))
        self._played_s = now_s + self._sentence.get_length()
        self._sentence.set_volume(volume / 100)
        self._sentence.play()
        return True

    def hush(self) -> None:
        """Stop the sentence that is being played."""
        if self._sentence is not None and pygame.mixer.get_init():
            self._sentence.stop()
        self._sentence = None

    def rest(self, now_s: float) -> None:
        """Close the device once it has been quiet for a while, even if something else opened it."""
        if self._played_s is None and pygame.mixer.get_init():
            self._played_s = now_s
        if self._played_s is not None and now_s - self._played_s >= QUIET_S:
            self.close()

    def finish(self) -> None:
        """Wait until the current sound has ended, then close the device."""
        while pygame.mixer.get_init() and pygame.mixer.get_busy():
            pygame.time.wait(20)
        self.close()

    def close(self) -> None:
        """Close the device."""
        self._sounds.clear()
        self._sentence = None
        self._played_s = None
        pygame.mixer.quit()

    def _open(self, now_s: float) -> bool:
        if pygame.mixer.get_init():
            return True
        if self._failed_s is not None and now_s - self._failed_s < AGAIN_S:
            return False
        try:
            with without_lines(ALSA):
                pygame.mixer.init(RATE_HZ, -16, 1, BUFFER, allowedchanges=0)
        except pygame.error as error:
            self.fault, self._failed_s = str(error), now_s
            return False
        self.fault = self._failed_s = None
        return True


# ---- the voice -----------------------------------------------------------------------------------


class Announcer:
    """Speaks what is new at the table; it never waits for the program that makes the speech."""

    def __init__(self, speaker: Speaker) -> None:
        self.speech = Speech()
        self._speaker = speaker
        self._sayings = Sayings()
        self._told = ""

    def follow(self, app: App, now_s: float) -> None:
        """Speak what is new in the app, if the voice is on; log each new fault of the voice."""
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
        fault = self.speech.fault
        if fault and fault != self._told:  # a line in the log for each new one; the game goes on in silence
            tell("warning", f"voice: {fault}")
        self._told = fault

    def hush(self) -> None:
        """Stop speaking, and drop the sentence in the making."""
        self.speech.hush()
        self._speaker.hush()

    def close(self) -> None:
        """Stop speaking, end the program that makes the speech, and delete its files."""
        self.hush()
        self.speech.close()


# ---- all of it around the app --------------------------------------------------------------------


class Ambience:
    """Sounds, voice, lamps and dimming around the app, as set in its settings; `close` restores the machine."""

    def __init__(self, app: App, light: Backlight | None = None) -> None:
        self._app = app
        self._light = light
        self._lit = 1.0
        self._cues = Cues()
        self.awaits_desk = False  # it is opened once the first picture is there: that takes a while on a small Pi
        self.idle = Idle()
        self.speaker = Speaker()
        self.announcer = Announcer(self.speaker)
        app.stage.listeners.append(self._apply_settings)
        self._apply_settings(app.stage.settings)

    def _apply_settings(self, settings: Settings) -> None:
        self.idle.after_s, self.idle.motion = settings.dim_after_s, settings.motion
        keep_awake(settings.keep_awake)

    def wake(self, now_s: float) -> bool:
        """Wake the screen on a touch or press; return whether that is all the touch means."""
        return self.idle.wake(now_s)

    def attend(self, now_s: float) -> float:
        """Play cues, speak, set the lamps and the backlight; return how bright to draw the picture (1 to 0).

        Called at each turn of the window's loop. The first call opens the desk, if one is awaited.
        """
        if self.awaits_desk:
            self.awaits_desk = False
            desk = self._app.stage.desk.devices
            desk.begin(self._app.stage.settings, post)
            if desk.fault:
                form = _("No buttons or readers: {fault}. Everything works by touch.")
                self._app.hearing.say(form.format(fault=fault_words(desk.fault)))
            self._app.stage.listeners.append(desk.heed)
        cue = self._cues.cue_for(moment(self._app))
        if cue:
            self.idle.wake(now_s)
        settings = self._app.stage.settings
        if cue:
            self._app.stage.desk.devices.buzz(cue)
        if cue and settings.sound and settings.volume:
            self.speaker.play(cue, settings.volume, now_s)
        else:
            self.speaker.rest(now_s)
        self.announcer.follow(self._app, now_s)
        light = self.idle.light(now_s)
        self._app.stage.desk.devices.show(lights(state(self._app), now_s) if light else OFF)
        if self._light is None:
            return light
        if light != self._lit and not self._light.set(light):
            self._light = None
            return light
        self._lit = light
        return 1.0

    def close(self) -> None:
        """Close the loudspeaker and the desk, with its lamps off, and restore the backlight."""
        self.announcer.close()
        self.speaker.close()
        self._app.stage.desk.devices.close()
        if self._light is not None:
            self._light.restore()


def moment(app: App) -> Moment:
    """Return the state of the app that cues are chosen by."""
    return Moment(app.situation, app.on_stage(), app.stage.sense, app.stage.services.clock, app.fault)


def state(app: App) -> State:
    """Return what the lamps are to show of the app now; they stay dark while no game is open."""
    settings, game = app.stage.settings, app.situation
    if game is None:
        return State()
    return State(game, app.stage.sense, settings.palette, settings.motion)


def ambience_of(app: App) -> Ambience:
    """Return the ambience of an app on this machine, with its backlight; the first `attend` opens the desk."""
    around = Ambience(app, find_backlight())
    around.awaits_desk = True
    return around


def keep_awake(wanted: bool) -> None:
    """Keep the desktop from blanking the screen, or allow it again; nothing happens while no display is open."""
    if pygame.display.get_init():
        pygame.display.set_allow_screensaver(not wanted)
