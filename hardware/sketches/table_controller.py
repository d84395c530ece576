"""A table controller on a Raspberry Pi Pico with MicroPython: save this file on it as main.py.

It speaks version 1 of the line protocol in docs/hardware.md over its USB cable. All lamps are one chain of NeoPixels:
turn, initiative, unsure, out of sync, and then the strip. What is not wired is 0 or left out below.
"""

import sys
from select import POLLIN, poll

VERSION = 1

# ---- what is wired where: the numbers of GP pins ------------------------------------------------
# Buttons, encoder and tray connect their pin with GND; the pins' own pull-ups do the rest.

BUTTONS = {
    "confirm-one": 2,
    "pass-one": 3,
    "undo-one": 4,
    "confirm-two": 5,
    "pass-two": 6,
    "undo-two": 7,
    "choose": 8,
}
ENCODER_A, ENCODER_B = 9, 10
TRAY = 11  # connected with GND for a moment when a throw has come to rest: a tilt switch, a light barrier, a button
BUZZER = 15
CHAIN = 16
STRIP_LAMPS = 16
BRIGHTNESS = 0.25  # USB gives 500 mA: 20 NeoPixels at full white would take 1.2 A

# ---- the protocol ------------------------------------------------------------------------------

SIDE_ONE = ("confirm-one", "pass-one", "undo-one")
SIDE_TWO = ("confirm-two", "pass-two", "undo-two")
CONTROLS = SIDE_ONE + SIDE_TWO + ("choose", "previous", "next")
STATE_LAMPS = 4  # turn, initiative, unsure, out of sync
AMBER, RED = (255, 120, 0), (255, 0, 0)
DARK = (0, 0, 0)
SAMPLE_MS = 5
BEAT_MS = 250
DARK_MS = 3000
TRAY_MS = 500
LONGEST_LINE = 80  # without CR LF
TONE_HZ = 2000
# What the two contacts of an encoder say, by what they said before and what they say now: a quarter of a click.
QUARTERS = (0, -1, 1, 0, 1, 0, 0, -1, -1, 0, 0, 1, 0, 1, -1, 0)


def checksum(body: str) -> int:
    """Return the exclusive or of the characters between `$` and `*`."""
    value = 0
    for character in body:
        value ^= ord(character)
    return value


def line_of(kind: str, *fields: object) -> str:
    """Return a complete line, with its checksum and CR LF."""
    body = ",".join(["GB" + kind] + [str(field) for field in fields])
    return f"${body}*{checksum(body):02X}\r\n"


def fields_of(line: str) -> list[str]:
    """Return kind and fields of a line from `$` on; [] if it isn't one of ours or its checksum is wrong."""
    body, _, check = line[1:].partition("*")
    if not body.startswith("GB") or check != f"{checksum(body):02X}":
        return []
    return body[2:].split(",")


def colour_of(text: str) -> tuple[int, int, int]:
    """Return six hex digits as red, green, blue, each 0 to 255."""
    value = int(text, 16)
    return (value >> 16 & 255, value >> 8 & 255, value & 255)


class Board:
    """What is wired to the Pico."""

    def __init__(self) -> None:
        from machine import PWM, Pin
        from neopixel import NeoPixel

        def contact(number: int) -> Pin:
            return Pin(number, Pin.IN, Pin.PULL_UP)

        self.strip_lamps = STRIP_LAMPS
        self.buttons = {control: contact(number) for control, number in BUTTONS.items()}
        self.encoder = [contact(ENCODER_A), contact(ENCODER_B)] if ENCODER_A else []
        self.tray = contact(TRAY) if TRAY else None
        self.chain = NeoPixel(Pin(CHAIN), STATE_LAMPS + STRIP_LAMPS)
        self.buzzer = PWM(Pin(BUZZER)) if BUZZER else None
        self.sounding = False
        self.clicks = 0
        self.quarters = 0
        self.phase = self.read_phase()
        self.tray_ms = -TRAY_MS
        self.thrown = False

    def held(self) -> set[str]:
        """Return the controls whose contacts are closed now; removing bounce is left to the app."""
        return {control for control, pin in self.buttons.items() if not pin.value()}

    def watch(self, now_ms: int) -> None:
        """Follow the encoder and the tray; call it often."""
        phase = self.read_phase()
        self.quarters += QUARTERS[self.phase * 4 + phase]
        self.phase = phase
        if phase == 3:  # at rest between two clicks
            self.clicks += (self.quarters > 1) - (self.quarters < -1)
            self.quarters = 0
        if self.tray is not None and not self.tray.value():
            self.thrown = self.thrown or now_ms - self.tray_ms >= TRAY_MS
            self.tray_ms = now_ms

    def read_phase(self) -> int:
        """Return the encoder's two contacts as a number from 0 to 3; 3 without an encoder."""
        return self.encoder[0].value() * 2 + self.encoder[1].value() if self.encoder else 3

    def take_throw(self) -> bool:
        """Return whether a throw has been noticed since the last call."""
        thrown, self.thrown = self.thrown, False
        return thrown

    def show(self, first: int, colours: list[tuple[int, int, int]]) -> None:
        """Light lamps of the chain in these colours, from the one numbered `first` on."""
        for place, colour in enumerate(colours):
            self.chain[first + place] = tuple(int(part * BRIGHTNESS) for part in colour)
        self.chain.write()

    def tone(self, sounds: bool) -> None:
        """Turn the buzzer on or off."""
        if self.buzzer is not None and sounds != self.sounding:
            self.sounding = sounds
            self.buzzer.freq(TONE_HZ)
            self.buzzer.duty_u16(0x8000 if sounds else 0)


class Controller:
    """Speaks for a board: call `step` about a thousand times a second, `hear` what comes in, send what `said` gives."""

    def __init__(self, board: Board, run: int) -> None:
        self.board = board
        self.run = run
        self.now_ms = self.heard_ms = self.sampled_ms = self.beat_ms = 0
        self.held_line = ""
        self.unsent: list[str] = []
        self.last_sample = ("", 0)
        self.repeat = False
        self.throw = 0
        self.throw_answered = True
        self.tones: list[tuple[bool, int]] = []
        self.tone_until_ms = 0
        self.say_hello()
        self.go_dark()

    def said(self) -> str:
        """Return the lines to send now, each once."""
        lines, self.unsent = self.unsent, []
        return "".join(lines)

    # ---- what it tells

    def say_hello(self) -> None:
        """Queue the line that says what this controller has."""
        board = self.board
        tray, encoder = int(board.tray is not None), int(board.encoder != [])
        self.say("HEL", VERSION, f"{self.run:02X}", self.mask(board.buttons), board.strip_lamps, tray, encoder)

    def say(self, kind: str, *fields: object) -> None:
        """Queue a line to be sent."""
        self.unsent.append(line_of(kind, *fields))

    def mask(self, controls: set[str] | dict[str, int]) -> str:
        """Return controls as four hex digits, bit 0 for the first."""
        bits = 0
        for bit, control in enumerate(CONTROLS):
            if control in controls:
                bits |= 1 << bit
        return f"{bits:04X}"

    def step(self, now_ms: int) -> None:
        """Do all that is due at this time."""
        self.now_ms = now_ms
        self.board.watch(now_ms)
        if now_ms - self.sampled_ms >= SAMPLE_MS:
            self.sampled_ms = now_ms
            self.sample()
        if now_ms - self.heard_ms >= DARK_MS:
            self.heard_ms = now_ms
            self.go_dark()
        self.sound()

    def sample(self) -> None:
        """Queue the state of buttons and encoder on a change, once more after it, and at each beat (BEAT_MS).

        A throw is queued at each beat until it is answered.
        """
        now = (self.mask(self.board.held()), self.board.clicks % 0x10000)
        beat = self.now_ms - self.beat_ms >= BEAT_MS
        changed, self.last_sample = now != self.last_sample, now
        if changed or self.repeat or beat:
            self.say("NOW", f"{self.run:02X}", now[0], f"{now[1]:04X}")
            self.repeat = changed
        if self.board.take_throw():
            self.throw = (self.throw + 1) % 256
            self.throw_answered = False
        if beat:
            self.beat_ms = self.now_ms
            if not self.throw_answered:
                self.say("THR", f"{self.run:02X}", f"{self.throw:02X}")

    # ---- what it is told

    def hear(self, data: bytes) -> None:
        """Take the bytes that have come in, and obey the lines they complete."""
        for character in map(chr, data):
            if character == "$":
                self.held_line = "$"
            elif character in "\r\n":
                self.obey(fields_of(self.held_line))
                self.held_line = ""
            elif self.held_line and len(self.held_line) < LONGEST_LINE:
                self.held_line += character
            else:
                self.held_line = ""

    def obey(self, fields: list[str]) -> None:
        """Carry out a line; ignore one that is unknown or malformed."""
        if not fields:
            return
        self.heard_ms = self.now_ms
        try:
            self.carry_out(fields[0], fields[1:])
        except (ValueError, IndexError):
            pass

    def carry_out(self, kind: str, fields: list[str]) -> None:
        """Do what a line of this kind says; raises ValueError or IndexError for malformed fields."""
        if kind == "PNG":
            self.say_hello()
        elif kind == "LMP":
            self.light(fields)
        elif kind == "STR":
            self.paint(fields)
        elif kind == "BUZ":
            self.buzz(fields)
        elif kind == "GOT":
            self.answered(fields)
        elif kind == "DRK":
            self.go_dark()

    def light(self, fields: list[str]) -> None:
        """Light the four lamps of the game's state: turn, initiative, unsure, out of sync."""
        turn, initiative = colour_of(fields[0]), colour_of(fields[1])
        unsure, out_of_sync = fields[2] == "1", fields[3] == "1"
        self.board.show(0, [turn, initiative, AMBER if unsure else DARK, RED if out_of_sync else DARK])

    def paint(self, fields: list[str]) -> None:
        """Light a part of the strip; raises IndexError beyond its ends."""
        first, colours = int(fields[0]), [colour_of(text) for text in fields[1:]]
        if first < 0 or first + len(colours) > self.board.strip_lamps:
            raise IndexError
        self.board.show(STATE_LAMPS + first, colours)

    def answered(self, fields: list[str]) -> None:
        """Stop repeating this throw."""
        self.throw_answered = self.throw_answered or int(fields[0], 16) == self.throw

    def buzz(self, fields: list[str]) -> None:
        """Start a pattern: milliseconds on, off, on ..."""
        self.tones = [(place % 2 == 0, int(text)) for place, text in enumerate(fields)]
        self.tone_until_ms = self.now_ms
        self.sound()

    def sound(self) -> None:
        """Play the next tone of the pattern once the last one is over."""
        if self.now_ms < self.tone_until_ms:
            return
        sounds, lasts_ms = self.tones.pop(0) if self.tones else (False, 0)
        self.tone_until_ms = self.now_ms + lasts_ms
        self.board.tone(sounds and lasts_ms > 0)

    def go_dark(self) -> None:
        """Turn off all lamps and the buzzer."""
        self.tones = []
        self.board.tone(False)
        self.board.show(0, [DARK] * (STATE_LAMPS + self.board.strip_lamps))


# ---- the Pico's own clock and cable ------------------------------------------------------------


def received(inbox: poll) -> bytes:
    """Return what has come in over USB, a line's worth at most, without waiting."""
    data = b""
    while len(data) < LONGEST_LINE and inbox.poll(0):
        data += sys.stdin.buffer.read(1)
    return data


def main() -> None:
    """Run the controller for ever."""
    from os import urandom
    from time import ticks_diff, ticks_ms  # type: ignore[attr-defined] # MicroPython's own

    inbox = poll()
    inbox.register(sys.stdin, POLLIN)
    controller = Controller(Board(), urandom(1)[0])
    last, now_ms = ticks_ms(), 0
    while True:
        ticks = ticks_ms()
        now_ms += ticks_diff(ticks, last)  # the Pico's ticks begin again every twelve days, this does not
        last = ticks
        controller.hear(received(inbox))
        controller.step(now_ms)
        sys.stdout.write(controller.said())


if __name__ == "__main__":
    main()
