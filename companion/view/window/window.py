"""The window, or the whole display where there is no desktop: the one place that reads events and shows pictures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Protocol

import pygame

from companion.app.app import App
from companion.app.split_screen import SeatScreens
from companion.core.heap import collect_if_due
from companion.core.storage import data_dir
from companion.grounds.store import FOLDER, NO_GROUNDS, GroundStore
from companion.ui.screen import Intent, Screen
from companion.view.kit.glass import Glass, Grain, glass_of
from companion.view.kit.sheet import Target
from companion.view.page.canvas import Canvas
from companion.view.page.marks import Mark
from companion.view.window.ambience import ambience_of
from companion.view.window.desk_presses import DeskPresses
from companion.view.window.display import LOOK_MS, TICK_MS, ScreenError, open_display, wait_for_events
from companion.view.window.explaining import Explaining, strays
from companion.view.window.input import InputEvent, Reader, merge_turns
from companion.view.window.keyboard import Keyboard, focus_ring
from companion.view.window.motion import Motion
from companion.view.window.panes import (
    DrawingAhead,
    FingerPress,
    Painting,
    Shown,
    TurnedPages,
    bare_table,
    divide_glass,
    layer_of,
    pane_at,
)
from companion.view.window.taps import Taps
from hardware.events import Ailing, Event, Plugged

STOPPING = frozenset({"down", "key", "char", "wheel", "desk"})  # input that ends all motion

Events = Callable[[], Iterable[pygame.event.Event]]
"""Waits a moment at most for something to happen, and gives what did."""


class Attendant(Protocol):
    """What goes on around the app: sounds, dimming, a lock."""

    def wake(self, now_s: float) -> bool:
        """Wake the screen on a touch or press; return whether that is all the touch means."""

    def attend(self, now_s: float) -> float:
        """Do what is due around the app; return how bright to draw the picture (1 to 0)."""


class Window:
    """Draws what changed in the app, and hands it each finger's touches as its player's."""

    def __init__(
        self,
        app: App,
        display: pygame.Surface,
        attendant: Attendant | None = None,
        grounds: GroundStore | None = None,
    ) -> None:
        self.app = app
        self.display = display
        self.attendant = attendant
        self._grounds = grounds
        self._asked = -1, SeatScreens(())
        self.glass = glass_of(app.stage.settings)
        self.reader = Reader(display.get_size(), self.glass.rotation_degrees)
        self.shown: tuple[Shown, ...] = ()
        self.presses: dict[int, FingerPress] = {}
        self.taps = Taps(app)
        self.keyboard = Keyboard(app, self.taps, self)
        self.desk_presses = DeskPresses(app, self.keyboard, self)
        self.drawn = -1
        self.now_s = 0.0
        self._clock: Callable[[], float] = lambda: self.now_s
        self._pages = TurnedPages()
        self.explaining = Explaining(app, self.taps, self)
        self._painting = Painting(self.reader.upright_size())
        self._ahead = DrawingAhead()
        self.motion = Motion()
        self._runs, self._brightness = False, 1.0
        self._guard(self._draw)
        self.refresh()

    @property
    def canvas(self) -> Canvas:
        """The canvas of the first pane, which is the whole glass in the one-sided layout."""
        return self.shown[0].canvas

    def drawn_on(self) -> tuple[Glass, Grain]:
        """Return the glass that the panes are drawn on, and how fine it is."""
        return self.glass, self.glass.grain(self.reader.upright_size(), len(self.shown) > 1)

    # ---- drawing ------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Redraw if the picture has changed."""
        if self.app.version != self.drawn or self._glass_now() != self.glass:
            self._draw()

    def _glass_now(self) -> Glass:
        """Return the glass as the settings and the game at the table have it now."""
        return glass_of(self.app.stage.settings, self._faces().era, self._grounds or NO_GROUNDS)

    def _draw(self) -> None:
        """Lay the glass out, as the settings have it; panes that show the same as before are kept."""
        if (glass := self._glass_now()) != self.glass:
            self.glass, self.drawn = glass, -1
            self.reader = Reader(self.display.get_size(), glass.rotation_degrees)
            self._painting = Painting(self.reader.upright_size())
            self.presses.clear()
        size = self.reader.upright_size()
        faces = self._faces()
        on = self.glass, self.glass.grain(size, len(faces.faces) > 1)
        faces = faces._replace(faces=tuple(self._pages.at_page(face) for face in faces.faces))
        before = {} if self.drawn < 0 else dict(enumerate(self.shown))
        shown = []
        for number, pane in enumerate(divide_glass(faces, size, on)):
            old = before.get(number)
            shown.append(old if old is not None and old.pane == pane else Shown(pane, pane.lay_out(on)))
        if self._runs and self.app.stage.settings.motion and self.drawn >= 0 and not self.presses:
            self.motion.begin(self.shown, shown, self.glass.look, self._clock())
        self.shown = tuple(shown)
        self.keyboard.renew()
        self.drawn = self.app.version
        self.present()
        self.taps.record_shown(self.shown, self._clock())

    def _faces(self) -> SeatScreens:
        """Return what the app shows, asked once for each of its versions."""
        if self._asked[0] != self.app.version:
            self._asked = self.app.version, self.app.faces()
        return self._asked[1]

    def present(self) -> None:
        """Show the panes, what fingers touch lit up and the focus ringed; only what has changed is painted."""
        now_s = self._clock()
        layers = tuple(layer_of(pane, self._on_top(number, now_s)) for number, pane in enumerate(self.shown))
        painted = self._painting.show(layers, self.glass.look.edge)
        if painted == [self._painting.picture.get_rect()]:
            self._present_all()
        elif painted:
            pygame.display.update([self._put(place) for place in painted])

    def _on_top(self, number: int, now_s: float) -> Iterator[Mark]:
        """Yield what moves over a pane, the light under the fingers on it, and the ring around the focus in it."""
        yield from self.motion.marks(number, now_s)
        canvas = self.shown[number].canvas
        for press in self.presses.values():
            target = press.target if press.pane == number else None
            if target and not target.drag and any(target in layer.targets for layer in canvas.sheet.layers()):
                yield canvas.glow(target)
        if self.keyboard.at and self.keyboard.at.pane == number:
            yield focus_ring(canvas, self.keyboard.at.target, self.glass.look)
        yield from self.explaining.marks(number)

    def _present_all(self) -> None:
        """Show the whole picture again."""
        self._put(self._painting.picture.get_rect())
        pygame.display.flip()

    def _put(self, place: pygame.Rect) -> pygame.Rect:
        """Put a rectangle of the upright picture on the display, turned and dimmed; return where it is."""
        picture = self._painting.picture.subsurface(place)
        if self.reader.rotation:
            picture, place = pygame.transform.rotate(picture, -self.reader.rotation), self.reader.on_display(place)
        self.display.blit(picture, place)
        if self._brightness < 1:
            level = round(255 * self._brightness)
            self.display.fill((level, level, level), place, special_flags=pygame.BLEND_RGB_MULT)
        return place

    # ---- touches ------------------------------------------------------------------------------

    def handle(self, touch: InputEvent) -> None:
        """Handle any input; a target lights up under a finger and, unless it is dragged, acts when the finger lifts."""
        if touch.kind in STOPPING and self.motion.moves(self.now_s):
            self.motion.stop()
            self.present()
        if touch.kind == "quit":
            self.app.running = False
        elif touch.kind == "redraw":
            self._present_all()
        elif touch.event is not None:
            self._desk_event(touch.event)
        elif self._is_spent(touch):
            return
        elif touch.kind in ("key", "char"):
            self.keyboard.handle(touch)
        elif touch.kind == "wheel":
            self.turn(pane_at(self.shown, touch.at_px), -touch.steps)
        elif touch.kind == "down":
            self._finger_down(touch)
        elif touch.finger in self.presses:
            self._finger_moved(touch, self.presses[touch.finger])

    def _is_spent(self, touch: InputEvent) -> bool:
        """Return whether a touch only wakes the screen, or takes an explanation away."""
        if touch.kind in ("down", "key", "char", "wheel") and self.attendant and self.attendant.wake(self.now_s):
            self.taps.record_wake(touch.at_px, self.now_s)
            return True
        return self.explaining.takes(touch, self.now_s)

    def _desk_event(self, event: Event) -> None:
        """Handle an event of the desk; what people do there counts at once, as they may be looking away."""
        if self.attendant and not isinstance(event, Plugged | Ailing):
            self.attendant.wake(self.now_s)
        self.desk_presses.handle(event)

    def _finger_moved(self, touch: InputEvent, press: FingerPress) -> None:
        """Handle a finger that came down before and now moves, or leaves."""
        if press.under and strays(self.canvas.sheet, touch.at_px, press.at_px):
            press = self.presses[touch.finger] = replace(press, target=press.under, under=None)
            self._drag(replace(touch, kind="down", at_px=press.at_px), press)
            self.present()
        if press.target and press.target.drag:
            self._drag(touch, press)
        elif touch.kind == "up":
            del self.presses[touch.finger]
            self.present()
            self._finger_lifted(touch, press)

    def _finger_down(self, touch: InputEvent) -> None:
        number = pane_at(self.shown, touch.at_px)
        if number is None:
            return
        target = self.shown[number].target_at(touch.at_px) if self.taps.heeds(touch.at_px, self.now_s) else None
        press = FingerPress(number, target, touch.at_px, self.shown[number].under(target, touch.at_px))
        self.presses[touch.finger] = press
        self.keyboard.forget()
        if press.target and press.target.drag:
            self._drag(touch, press)
        elif press.target:
            self.present()

    def _finger_lifted(self, touch: InputEvent, press: FingerPress) -> None:
        """Handle a finger that left: on what it came down on, on another area, or after a swipe."""
        if press.pane >= len(self.shown):
            return
        shown_pane = self.shown[press.pane]
        there = shown_pane.target_at(touch.at_px)
        if press.target and there == press.target:
            if self.taps.heeds(press.at_px, self.now_s):
                self.act(press.pane, press.target)
        elif press.target and press.target.intent.verb == "area":
            if there and there.intent.verb == "area":
                both = f"{press.target.intent.what}/{there.intent.what}"
                self.hand(replace(shown_pane.pane.intent(there), verb="drag", what=both))
        else:
            way = shown_pane.pane.local(press.at_px)[1] - shown_pane.pane.local(touch.at_px)[1]
            if abs(way) >= shown_pane.canvas.sheet.touch * shown_pane.canvas.px_per_pt:
                self.turn(press.pane, 1 if way > 0 else -1)

    def turn(self, number: int | None, n: int) -> bool:
        """Turn the page of a pane; return whether it has more than one."""
        if number is None or not n:
            return False
        has_pages = any(target.intent.verb == "page" for target in self.shown[number].canvas.sheet.targets)
        if has_pages:
            self.hand(Intent("page", "", n, seat=self.shown[number].pane.seat))
        return has_pages

    def _drag(self, touch: InputEvent, press: FingerPress) -> None:
        """Tell the app where the finger is on what it drags."""
        shown_pane = self.shown[press.pane]
        assert press.target
        x, y = shown_pane.pane.local(touch.at_px)
        if touch.kind == "up":
            del self.presses[touch.finger]
        k = shown_pane.canvas.px_per_pt
        phase = {"down": 0, "move": 1}.get(touch.kind, 2)
        self.hand(replace(press.target.dragged((x / k, y / k), phase), seat=shown_pane.pane.seat))

    def act(self, number: int, target: Target) -> None:
        """Touch a target of a pane."""
        self.taps.record_touch(number, target, self.now_s)
        self.hand(self.shown[number].pane.intent(target))

    def hand(self, intent: Intent) -> None:
        """Hand an intent to the app; a page that its scene doesn't turn is turned here."""
        before = self._screen_of(intent.seat)
        self.app.touch(intent)
        if intent.verb == "page":
            self._pages.turn(intent.seat, (before, self._screen_of(intent.seat)), intent.n)

    def _screen_of(self, seat: str) -> Screen:
        faces = self._faces().faces
        return next((face.screen for face in faces if face.seat == seat), faces[0].screen)

    # ---- the loop -----------------------------------------------------------------------------

    def run(self, events: Events, now_s: Callable[[], float]) -> None:
        """Run until the app stops: wait for events, hand them over, let the app tick, draw what changed."""
        self._clock, self._runs = now_s, True
        while self.app.running:
            self._guard(lambda: self._turn(events, now_s))

    def _turn(self, events: Events, now_s: Callable[[], float]) -> None:
        """Go once around the loop."""
        happened = list(merge_turns(events()))
        looked_s = now_s()  # a finger may have left since, however long the drawing takes
        for event in happened:
            self.now_s = now_s()
            touch = self.reader.read(event)
            if touch:
                self.handle(touch)
                self.refresh()
        self.now_s = now_s()
        self.app.tick(self.now_s)
        self.explaining.tick(looked_s)
        brightness = self.attendant.attend(self.now_s) if self.attendant else 1.0
        if brightness != self._brightness:
            self._brightness = brightness
            self._present_all()
        if self._grounds is not None and self._grounds.poll():
            self.drawn = -1
        self.refresh()
        moves = bool(self.motion.flights)
        self._move()
        if not happened and not moves:
            self.rest()
        if self.app.service is not None:
            self.app.service.turn_done(self.now_s)

    def _move(self) -> None:
        """Show the next frame of what moves; the last one shows everything arrived."""
        if self.motion.flights:
            began_s = self._clock()
            self.motion.moves(began_s)
            self.present()
            self.motion.record_frame(self._clock() - began_s)

    @property
    def wait_ms(self) -> int:
        """How long to wait for events: until the next frame of what moves, or until the app may act by itself."""
        return LOOK_MS if self.motion.flights else TICK_MS

    def rest(self) -> None:
        """Use an idle moment for what would delay a touch: collect garbage, or draw some of what comes next."""
        if collect_if_due():
            return
        stage, size = self.app.stage, self.reader.upright_size()
        self._ahead.go_on(bare_table(self.shown) or stage.board, self.glass, size, stage.settings.layout == "two")

    def _guard(self, work: Callable[[], None]) -> None:
        """Do some work; after a fault of our own a calm screen comes, and the game resumes from its journal.

        This is the one place that catches any exception: people at a table have no other program to fall back on. A
        fault of the calm screen itself is raised again.
        """
        try:
            work()
        except Exception as error:  # noqa: BLE001
            self.presses.clear()
            self.app.show_crash(error)


def run_window(
    app: App,
    size_px: tuple[int, int] | None = None,
    sitting: Callable[[Window], Events] = lambda window: lambda: wait_for_events(window.wait_ms),
) -> int:
    """Show the app full screen, or in a window of that size, until it is left; return 0. Raises ScreenError.

    sitting: makes the source of events for a window; by default the display's own.
    """
    display = _await_screen(app, size_px)
    if display is None:
        return 0
    around, grounds = ambience_of(app), GroundStore(data_dir() / FOLDER)
    try:
        window = Window(app, display, around, grounds)
        window.run(sitting(window), time.monotonic)
    finally:
        grounds.close()
        around.close()
        pygame.display.quit()
    return 0


def _await_screen(app: App, size_px: tuple[int, int] | None) -> pygame.Surface | None:
    """Open the display; a service waits until there is one. Return None if the app ends before."""
    while True:
        try:
            return open_display(size_px)
        except ScreenError as error:
            again = app.service is not None and app.service.missing_screen(str(error))
            if not app.running:
                return None
            if not again:
                raise
