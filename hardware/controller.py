"""The table controller: a microcontroller with buttons, lamps and a dice tray, on the line protocol of `wire`."""

from __future__ import annotations

from dataclasses import asdict

from hardware.debounce import USUAL, Debouncer, Timing
from hardware.device import Health
from hardware.errors import FrameError
from hardware.events import CONTROLS, Ailing, Event, Thrown, Turned
from hardware.frames import NoiseWatch
from hardware.lights import OFF, Buzz, Lights
from hardware.ports import Link, Opener, PatientOpener
from hardware.wire import (
    BAUD,
    CLICKS_ROUND,
    VERSION,
    Hello,
    Levels,
    LineParser,
    Message,
    Sentence,
    Throw,
    buzz_line,
    dark,
    got,
    lights_lines,
    message_of,
    ping,
)

PING_S = 1.0
"""So often we say that we are there, and tell all lamps again."""
SILENT_S = 2.0
"""A controller tells its buttons four times a second: heard nothing for so long, it is silent."""
START_S = 3.0
"""Some microcontrollers start anew when their port is opened: their silence begins to count after so long."""
STALE_S = 0.6
"""What is held is believed for so long; then time stands still for presses until the controller is heard again."""


class TableController:
    """Reports a controller's presses, turns and throws, and drives its lamps; a device of hardware/device.py.

    `show` and `buzz` may be called from another thread; `poll` carries them out.
    """

    def __init__(self, name: str, opener: Opener, timing: Timing = USUAL, address: str = "") -> None:
        self.hello: Hello | None = None
        self._name, self._address = name, address or name
        self._timing = timing
        self._link = Link(name, opener)
        self._parser = LineParser()
        self._noise = NoiseWatch()
        self._stray_lines = 0
        self._wanted, self._shown = OFF, OFF
        self._wanted_buzz: Buzz | None = None
        self._next_ping_s = self._heard_s = float("-inf")
        self._silent = False
        self._last_throw: tuple[int, int] | None = None
        self._run: int | None = None
        self._run_before: int | None = None
        self._levels: Levels | None = None
        self._held: frozenset[str] = frozenset()
        self._clicks = 0
        self._debouncer = Debouncer(name, CONTROLS, timing)

    @property
    def name(self) -> str:
        """Its name among the desk's devices."""
        return self._name

    def poll(self, now_s: float) -> tuple[Event, ...]:
        """Return the events since the last call; send the controller new lamps and tones, and a sign of life."""
        if self._link.poll(now_s):
            self._begin(now_s)
        was_open = self._link.is_open
        events = [
            event for sentence in self._parser.feed(self._link.read(now_s)) for event in self._hear(sentence, now_s)
        ]
        if self._levels is not None and now_s - self._heard_s < STALE_S:
            events += self._debouncer.sample(self._held, now_s)
        events += self._ailments(now_s)
        self._speak(now_s)
        if was_open and not self._link.is_open:
            self._silent = False
            self._begin_run(None)
        return self._link.take_events() + tuple(events)

    def show(self, lights: Lights) -> None:
        """Set the controller's lamps with the next poll."""
        self._wanted = lights

    def buzz(self, pattern: Buzz) -> None:
        """Start this pattern with the next poll, replacing any other."""
        self._wanted_buzz = pattern

    def health(self) -> Health:
        """Return the controller's state: lines read, refused and unknown, times reopened."""
        link = self._link
        counts = {**asdict(self._parser.tally), "stray_lines": self._stray_lines, "reopened": link.reopened}
        ails = [*self._debouncer.ails()]
        ails += ["noise"] * self._noise.noisy + ["silent"] * self._silent + ["version"] * (self._age() is not None)
        return Health(self._name, "controller", link.state, self._address, link.fault, counts, tuple(ails))

    def close(self) -> None:
        """Turn the lamps off and close the port."""
        self._link.write(dark(), self._heard_s)
        self._link.close()

    # ---- what it tells

    def _hear(self, sentence: Sentence, now_s: float) -> tuple[Event, ...]:
        try:
            message = message_of(sentence)
        except FrameError:
            self._stray_lines += 1
            return ()
        self._heard_s, self._silent = now_s, False
        return self._take(message, now_s) if self._is_of_this_run(message.run) else ()

    def _is_of_this_run(self, run: int) -> bool:
        """Note the run that a line names; return whether it is the current one. Two in a row for another begin it."""
        before, self._run_before = self._run_before, run
        if self._run not in (None, run) and run != before:
            return False
        if run != self._run:
            self._begin_run(run)
        return True

    def _take(self, message: Message, now_s: float) -> tuple[Event, ...]:
        match message:
            case Hello():
                return self._meet(message, now_s)
            case Levels():
                return self._turned(message, now_s)
            case Throw():
                self._link.write(got(message), now_s)
                before, self._last_throw = self._last_throw, (message.run, message.number)
                return (Thrown(message.dice, now_s),) if self._last_throw != before else ()

    def _meet(self, hello: Hello, now_s: float) -> tuple[Event, ...]:
        if hello == self.hello:
            return ()
        self.hello = hello
        self._tell_lights(now_s)
        age = self._age()
        return () if age is None else (Ailing(self._name, "version", age, now_s),)

    def _age(self) -> str | None:
        if self.hello is None or self.hello.version == VERSION:
            return None
        return "newer" if self.hello.version > VERSION else "older"

    def _turned(self, levels: Levels, now_s: float) -> tuple[Event, ...]:
        """Believe what two lines in a row say: one checksum of eight bits proves little on a bad line."""
        before, self._levels = self._levels, levels
        if before is None:
            self._held, self._clicks = levels.held, levels.clicks
            return ()
        self._held = levels.held & before.held
        if levels.clicks != before.clicks:
            return ()
        known, self._clicks = self._clicks, levels.clicks
        steps = (levels.clicks - known + CLICKS_ROUND // 2) % CLICKS_ROUND - CLICKS_ROUND // 2
        return (Turned(steps, now_s),) if steps else ()

    # ---- what ails it

    def _ailments(self, now_s: float) -> list[Event]:
        ailing: list[Event] = []
        if self._noise.begins(self._parser.tally):
            ailing.append(Ailing(self._name, "noise", self._name, now_s))
        if self._link.is_open and not self._silent and now_s - self._heard_s >= SILENT_S:
            self._silent = True
            self._begin_run(None)
            ailing.append(Ailing(self._name, "silent", self._name, now_s))
        return ailing

    # ---- beginning, and beginning again

    def _begin(self, now_s: float) -> None:
        """Start with a newly opened port."""
        self._parser.begin()
        self._begin_run(None)
        self._heard_s, self._silent = now_s + START_S, False
        self._next_ping_s = now_s

    def _begin_run(self, run: int | None) -> None:
        """Forget what was held and turned: whatever is held now is no press, nor is its release."""
        self._run = run
        self.hello = None
        self._levels = None
        self._held = frozenset()
        self._clicks = 0
        self._debouncer = Debouncer(self._name, CONTROLS, self._timing)

    # ---- what it is told

    def _speak(self, now_s: float) -> None:
        if now_s >= self._next_ping_s:
            self._next_ping_s = now_s + PING_S
            self._link.write(ping(), now_s)
            self._tell_lights(now_s)
        elif self._wanted != self._shown:
            self._tell_lights(now_s)
        pattern, self._wanted_buzz = self._wanted_buzz, None
        if pattern is not None:
            self._link.write(buzz_line(pattern), now_s)

    def _tell_lights(self, now_s: float) -> None:
        lights = self._wanted
        self._link.write(lights_lines(lights, self.hello.lamps if self.hello else 0), now_s)
        self._shown = lights


def open_controller(path: str, timing: Timing = USUAL) -> TableController:
    """Return the controller at `path`, with the path as its name; polling opens its port."""
    return TableController(path, PatientOpener(path, BAUD), timing)
