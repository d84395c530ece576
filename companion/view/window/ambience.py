"""What goes on around the app while its window is open: sounds, a voice, lamps, a dimmed screen, no screen saver."""

from __future__ import annotations

import pygame

from companion.app.app import App
from companion.app.cues import Cues, Moment
from companion.app.dimming import Backlight, Idle, find_backlight
from companion.core.language import _
from companion.desk.in_use import State, lights
from companion.settings.layers import Settings
from companion.text.faults import fault_words
from companion.view.window.input import post
from companion.view.window.sounds import Announcer, Speaker
from hardware.lights import OFF


class Ambience:
    """Heeds the settings as they are now; `close` puts the machine back as it was."""

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
        """Wake the screen, as something was touched or pressed; return whether that is all the touch means."""
        return self.idle.wake(now_s)

    def brightness(self, now_s: float) -> float:
        """Return how bright the picture is to be drawn (1 to 0); asked at each turn of the window's loop."""
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
        """Let go of the loudspeaker and the desk, its lamps dark, and light the panel as before."""
        self.announcer.close()
        self.speaker.close()
        self._app.stage.desk.devices.close()
        if self._light is not None:
            self._light.restore()


def moment(app: App) -> Moment:
    """Return what there is to listen to in the app now."""
    return Moment(app.situation, app.on_stage(), app.stage.sense, app.stage.services.clock, app.fault)


def state(app: App) -> State:
    """Return what the lamps have to show of the app now: dark at home, and while the screen is."""
    settings, game = app.stage.settings, app.situation
    if game is None:
        return State()
    return State(game, app.stage.sense, settings.palette, settings.motion)


def ambience_of(app: App) -> Ambience:
    """Return the attendant of this machine's screen, with the desk that the settings name."""
    around = Ambience(app, find_backlight())
    around.awaits_desk = True
    return around


def keep_awake(wanted: bool) -> None:
    """Keep the desktop from blanking the screen, or let it; nothing happens where there is no desktop."""
    if pygame.display.get_init():
        pygame.display.set_allow_screensaver(not wanted)
