"""`python -m hardware.wiring_picture [NAME=BCM ...] [inverted=NAME,...] > wiring.svg`: the diagram of a wiring.

The header stands in the middle as it does on the board. Each wired pin is a rung from its place to a ground rail at its
side, with its part on it, so that wires cross for no wiring whatever. Lengths are in px; each part is drawn around its
own centre.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType

from hardware.errors import WiringError
from hardware.wiring import LAMPS, Wiring

# ---- the parts, each around its own centre --------------------------------------------------------


BANDS = ("#1b1b1b", "#8a5a2b", "#c8372d", "#e58a1f", "#e8c51d", "#3f8f3f", "#2f62b5", "#7d4fa3", "#8a8a8a", "#f4f4f4")
"""The colour code of resistors, by digit."""
GOLD = "#c9a227"
INK = "#23211e"


def tag(name: str, body: str = "", **attributes: object) -> str:
    """Return one SVG element; `_` in an attribute's name stands for `-`."""
    attribute_text = "".join(f' {key.rstrip("_").replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f"<{name}{attribute_text}>{body}</{name}>" if body else f"<{name}{attribute_text}/>"


def centred_at(x: float, y: float, body: str) -> str:
    """Centre this drawing at (x, y)."""
    return tag("g", body, transform=f"translate({x:g} {y:g})")


def text(x: float, y: float, words: str, **attributes: object) -> str:
    """Draw words on a baseline at (x, y)."""
    return tag("text", escape(words), x=f"{x:g}", y=f"{y:g}", **attributes)


def line(points: list[tuple[float, float]], colour: str, width: float = 3) -> str:
    """Draw a wire through these points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return tag("polyline", points=path, fill="none", stroke=colour, stroke_width=f"{width:g}", stroke_linejoin="round")


def dot(x: float, y: float) -> str:
    """Draw the dot where wires are joined."""
    return tag("circle", cx=f"{x:g}", cy=f"{y:g}", r=4, fill=INK)


def bands_of(ohms: int) -> tuple[str, str, str]:
    """Return the three digits of a resistor's colour code: 330 is 3, 3 and 1, as one nought follows."""
    digits = str(ohms)
    return digits[0], digits[1], str(len(digits) - 2)


def resistor(ohms: int) -> str:
    """Draw a resistor 62 px wide, with its colour bands and the value above it."""
    body = tag("rect", x=-31, y=-8, width=62, height=16, rx=7, fill="#e9d9b4", stroke="#9c8a5e")
    colours = [*(BANDS[int(digit)] for digit in bands_of(ohms)), GOLD]
    for x, colour in zip((-21, -10, 1, 17), colours, strict=True):
        body += tag("rect", x=x, y=-8, width=5, height=16, fill=colour)
    value = f"{ohms // 1000} kΩ" if ohms >= 1000 else f"{ohms} Ω"
    return body + text(0, -12, value, class_="small", text_anchor="middle")


def led(colour: str) -> str:
    """Draw a lamp seen from above, 26 px across, its flat side (the cathode, to ground) at its left."""
    dome = tag("path", d="M -9 -10 A 13 13 0 1 1 -9 10 Z", fill=colour, stroke=INK, stroke_width="1.5")
    return dome + tag("circle", cx=5, cy=-4, r=4, fill="#ffffff", fill_opacity="0.65")


def button(cap: str) -> str:
    """Draw a push button seen from above, 34 px wide, its cap of this colour."""
    base = tag("rect", x=-17, y=-16, width=34, height=32, rx=5, fill="#4a4741")
    return base + tag("circle", r=11, fill=cap, stroke="#ffffff", stroke_width=2)


def contact(letter: str) -> str:
    """Draw one contact of the encoder, 34 px wide."""
    base = tag("rect", x=-17, y=-13, width=34, height=26, rx=4, fill="#6d5a8c")
    return base + text(0, 5, letter, class_="letter", text_anchor="middle")


def knob() -> str:
    """Draw the encoder's knob, 34 px wide: what is pressed to choose."""
    base = tag("circle", r=17, fill="#6d5a8c") + tag("circle", r=11, fill="#cfc4e2", stroke="#ffffff", stroke_width=2)
    return base + tag("rect", x=-1.5, y=-11, width=3, height=8, fill="#4b3d63")


def buzzer() -> str:
    """Draw a buzzer with a transistor on its module, 34 px wide."""
    board = tag("rect", x=-17, y=-17, width=34, height=34, rx=4, fill="#2c5f7c")
    can = tag("circle", r=13, fill="#17191b", stroke="#5a6065", stroke_width=2)
    return board + can + tag("circle", r=3, fill="#5a6065")


def flag(words: str, colour: str) -> str:
    """Draw a net's name in a box of 44 px, where a wire would cross everything."""
    box = tag("rect", x=-22, y=-9, width=44, height=18, rx=9, fill=colour)
    return box + text(0, 5, words, class_="flag", text_anchor="middle")


# ---- the diagram ----------------------------------------------------------------------------------


LEAD = "Seen from above, the SD card's end up and the header at the right edge. Pin 1 is square."
WIDTH, HEIGHT = 1440, 1150
MIDDLE, TOP, PITCH = 720, 168, 40
PAD, LABEL, RESISTOR, PART, WORDS, PLUS, RAIL = 25, 112, 235, 335, 366, 545, 670
"""How far from the middle: a pad, the centre of its label, of a resistor, of a part; where words begin; the flag of a
lamp that hangs from 3V3; the rail."""

RED_OHM, BLUE_OHM = 330, 100
"""Resistors for lamps whose colour needs about 2 V (red, yellow) and about 3 V (green, blue, white)."""

LIGHTS = {"red": "#e0352b", "green": "#35a84a", "blue": "#2f62d6", "unsure": "#f0b429", "out_of_sync": "#e0352b"}
CAPS = {"confirm": "#35a84a", "pass": "#f0b429", "undo": "#e0352b", "previous": "#f4f1ea", "next": "#f4f1ea"}
KINDS = {"3V3": "#e58a1f", "5V": "#c8372d", "GND": INK}
FREE, USED = "#b9b4a8", "#2c6e49"
BUTTON_WIRE, ENCODER_WIRE, BUZZER_WIRE = "#5a6b8c", "#6d5a8c", "#2c5f7c"

FRAMES = {"turn_": "RGB", "initiative_": "RGB", "encoder_": ""}
"""Parts that have several pins: what the names of these begin with, and what is written at the frame."""

STYLE = """text{font-family:'DejaVu Sans',Verdana,sans-serif;fill:#23211e}
.title{font-size:30px;font-weight:bold}.lead{font-size:17px;fill:#55514a}.name{font-size:16px;font-weight:bold}
.small{font-size:12px;fill:#55514a}.setting{font-family:'DejaVu Sans Mono',monospace;font-size:12px;fill:#6f6a60}
.letter{font-size:15px;font-weight:bold;fill:#fff}.flag{font-size:12px;font-weight:bold;fill:#fff}
.pin{font-size:12px;font-weight:bold;fill:#23211e}.bcm{font-size:13px;font-weight:bold;fill:#fff}
.part{font-size:16px}"""


@dataclass(frozen=True)
class Rung:
    """What is drawn beside a wired pin: a part, the resistor before it (0: none), the colour of its wire, its name."""

    name: str
    part: str
    wire: str
    ohms: int = 0


def rung_of(setting: str) -> Rung:
    """Return what is drawn beside the pin of a field of Wiring."""
    if setting.startswith("encoder"):
        letter = setting[-1].upper()
        return Rung(f"Encoder, contact {letter}", contact(letter), ENCODER_WIRE)
    if setting == "choose":
        return Rung("Choose (knob pressed)", knob(), ENCODER_WIRE)
    if setting == "buzzer":
        return Rung("Buzzer", buzzer(), BUZZER_WIRE)
    thing, _, which = setting.partition("_")
    if thing in CAPS:
        return Rung(f"{thing.capitalize()}{f', side {which}' if which else ''}", button(CAPS[thing]), BUTTON_WIRE)
    colour = LIGHTS.get(which) or LIGHTS[setting]
    names = {"unsure": "Camera unsure", "out_of_sync": "Out of sync"}
    name = names.get(setting) or f"{thing.capitalize()}, {which}"
    return Rung(name, led(colour), colour, ohms_of(setting))


def ohms_of(setting: str) -> int:
    """Return the ohms of the resistor before a lamp, by its field of Wiring."""
    return BLUE_OHM if setting.endswith(("green", "blue")) else RED_OHM


# ---- the 40 pins of the header, the same on every model that has it -------------------------------
# Seen from above, the end with the SD card up and the header at the right edge, pin 1 is at the top left: odd numbers
# run down the left column, even ones down the right column, at the board's edge.

_LEFT = "3V3 2 3 4 GND 17 27 22 3V3 10 9 11 GND 0 5 6 13 19 26 GND"
_RIGHT = "5V 5V GND 14 15 18 GND 23 24 GND 25 8 7 1 GND 12 GND 16 20 21"

HEADER: Mapping[int, str] = MappingProxyType(
    {
        number: name
        for row, pair in enumerate(zip(_LEFT.split(), _RIGHT.split(), strict=True))
        for number, name in zip((2 * row + 1, 2 * row + 2), pair, strict=True)
    }
)
"""Physical number (1 to 40) to what is there: "3V3", "5V", "GND", or a BCM number."""

OTHERS: Mapping[int, str] = MappingProxyType(
    {
        pin: bus
        for bus, pins in (("ID", (0, 1)), ("I2C", (2, 3)), ("serial", (14, 15)), ("SPI", (8, 9, 10, 11)))
        for pin in pins
    }
)
"""BCM numbers that other boards are most likely to need, and what for."""

PHYSICAL: Mapping[str, int] = MappingProxyType({name: number for number, name in HEADER.items()})
"""What is there to its physical number, for BCM numbers."""


def is_left(number: int) -> bool:
    """Return whether a physical pin is in the left column, that of pin 1."""
    return number % 2 == 1


# ---- drawing: x runs outwards from the middle on either side --------------------------------------


@dataclass(frozen=True)
class Side:
    """One column of the header, and what is drawn beside it."""

    sign: int

    def x(self, outwards: float) -> float:
        """Return the x of a place this far outwards from the middle of the header, in px."""
        return MIDDLE + self.sign * outwards

    @property
    def anchor(self) -> str:
        """The SVG text-anchor of words that begin near the header."""
        return "end" if self.sign < 0 else "start"


def side_of(number: int) -> Side:
    """Return the side of a physical pin."""
    return Side(-1 if is_left(number) else 1)


def _y(number: int) -> float:
    return TOP + PITCH * ((number - 1) // 2)


def _body() -> str:
    board = tag("rect", x=MIDDLE - 50, y=TOP - 34, width=100, height=PITCH * 19 + 68, rx=10, fill="#2b2a28")
    for number in HEADER:
        x, y = side_of(number).x(PAD), _y(number)
        board += tag("rect", x=x - 13, y=y - 13, width=26, height=26, rx=3 if number == 1 else 13, fill="#e8c766")
        board += text(x, y + 4, str(number), class_="pin", text_anchor="middle")
    return board


def _label(number: int, used: bool) -> str:
    name, side, y = HEADER[number], side_of(number), _y(number)
    words = name if name in KINDS else f"GPIO {name}"
    colour = KINDS.get(name) or (USED if used else FREE)
    if not used and name.isdecimal() and int(name) in OTHERS:
        words += f" {OTHERS[int(name)]}"
    box = tag("rect", x=side.x(LABEL) - 55, y=y - 12, width=110, height=24, rx=5, fill=colour)
    return box + text(side.x(LABEL), y + 5, words, class_="bcm", text_anchor="middle")


def _rung(number: int, setting: str, inverted: bool) -> str:
    side, y, rung = side_of(number), _y(number), rung_of(setting)
    drawn = line([(side.x(LABEL + 55), y), (side.x(PART), y)], rung.wire)
    from_plus = bool(rung.ohms) and inverted
    drawn += _from_plus(side, y) if from_plus else line([(side.x(PART), y), (side.x(RAIL), y)], INK, 2)
    drawn += "" if from_plus else dot(side.x(RAIL), y)
    if rung.ohms:
        drawn += centred_at(side.x(RESISTOR), y, resistor(rung.ohms))
    facing = side.sign if from_plus else -side.sign
    turned = f'<g transform="scale({facing} 1)">{rung.part}</g>' if rung.ohms else rung.part
    drawn += centred_at(side.x(PART), y, turned)
    if setting == "buzzer":
        drawn += line([(side.x(PART), y - 17), (side.x(PART), y - 30), (side.x(PART - 40), y - 30)], KINDS["5V"], 2)
        drawn += centred_at(side.x(PART - 60), y - 30, flag("5 V", KINDS["5V"]))
    drawn += text(side.x(WORDS), y - 7, rung.name, class_="name", text_anchor=side.anchor)
    towards = "start" if side.sign < 0 else "end"  # words that end near the rail
    return drawn + text(side.x(RAIL - 12), y - 7, setting, class_="setting", text_anchor=towards)


def _from_plus(side: Side, y: float) -> str:
    """Draw the far half of a rung whose lamp hangs from 3V3 and is lit by a low level at its pin."""
    wire = line([(side.x(PART), y), (side.x(PLUS), y)], KINDS["3V3"], 2)
    return wire + centred_at(side.x(PLUS), y, flag("3V3", KINDS["3V3"]))


def _ground(number: int) -> str:
    side, y = side_of(number), _y(number)
    return line([(side.x(LABEL + 55), y), (side.x(RAIL), y)], INK, 2) + dot(side.x(RAIL), y)


def _rail(numbers: list[int]) -> str:
    side, ends = side_of(numbers[0]), [_y(min(numbers)), _y(max(numbers))]
    x = side.x(RAIL)
    words = text(x, ends[0] - 38, "GND", class_="name", text_anchor="middle")
    return line([(x, ends[0] - 30), (x, ends[1])], INK, 6) + words


def _frame(wiring: Wiring, prefix: str, title: str) -> str:
    numbers = [PHYSICAL[str(pin)] for name, pin in wiring.pins().items() if name.startswith(prefix)]
    if len(numbers) < 2 or len({is_left(number) for number in numbers}) > 1:
        return ""
    side, ends = side_of(numbers[0]), (min(map(_y, numbers)) - 19, max(map(_y, numbers)) + 19)
    between = [pin for name, pin in wiring.pins().items() if not name.startswith(prefix)]
    inner = {PHYSICAL[str(pin)] for pin in between} & set(range(min(numbers), max(numbers) + 1))
    if any(is_left(number) == is_left(numbers[0]) for number in inner):
        return ""
    x = side.x(PART) - 24
    box = tag("rect", x=x, y=ends[0], width=48, height=ends[1] - ends[0], rx=12, fill="#efe9db", stroke="#b9b4a8")
    return box + text(side.x(PART), ends[0] - 4, title, class_="small", text_anchor="middle")


def _board() -> str:
    """Draw a small Raspberry Pi as it lies, with its header marked."""
    board = tag("rect", width=84, height=128, rx=6, fill="#3f7d58")
    sockets = "".join(tag("rect", x=x, y=112, width=20, height=22, fill="#c9cdd1") for x in (6, 32, 58))
    card = tag("rect", x=28, y=-4, width=28, height=14, fill="#2b2a28")
    header = tag("rect", x=70, y=12, width=10, height=80, fill="#2b2a28", stroke="#e8c766", stroke_width=2)
    chip = tag("rect", x=22, y=44, width=28, height=28, rx=2, fill="#c9cdd1")
    words = text(96, 24, "header", class_="small") + text(-12, 4, "SD card", class_="small", text_anchor="end")
    return board + sockets + card + header + chip + words


def parts_of(wiring: Wiring) -> list[str]:
    """List what has to be bought for this wiring."""
    settings = list(wiring.pins())
    has_knob = wiring.encoder() is not None
    buttons = sum(name.partition("_")[0] in CAPS or (name == "choose" and not has_knob) for name in settings)
    closed = sum(wiring.is_inverted(name) for name in settings if name.partition("_")[0] in CAPS)
    legs = [[name for name in settings if name.startswith(lamp)] for lamp in ("turn_", "initiative_")]
    anodes = [all(map(wiring.is_inverted, names)) for names in legs if names]
    ohms = Counter(rung_of(name).ohms for name in settings if rung_of(name).ohms)
    level = "low" if wiring.is_inverted("buzzer") else "high"
    single = sum(name in ("unsure", "out_of_sync") for name in settings)
    parts = [
        (buttons - closed, "push buttons that close while pressed"),
        (closed, "push buttons that open while pressed"),
        (int(has_knob), "rotary encoder with push (EC11, KY-040)"),
        (anodes.count(False), "RGB LEDs, common cathode"),
        (anodes.count(True), "RGB LEDs, common anode"),
        (single, "LEDs: yellow for unsure, red for out of sync"),
        *((count, f"resistors {value} Ω") for value, count in sorted(ohms.items())),
        (int(wiring.buzzer != 0), f"active buzzer module for 5 V, input {level} = sound"),
    ]
    return [f"{count} × {what}" for count, what in parts if count]


def _legend(wiring: Wiring) -> str:
    top = TOP + PITCH * 19 + 78
    drawn = text(60, top, "Parts", class_="name")
    for place, part in enumerate(parts_of(wiring)):
        drawn += text(60 + 460 * (place // 3), top + 28 + 24 * (place % 3), part, class_="part")
    from_plus = any(map(wiring.is_inverted, LAMPS))
    notes = (
        "Every button closes its pin to GND: no resistor needed. The flat side (short leg) of an LED goes to GND"
        + ("; from 3V3 it is the long leg that goes to 3V3, never to 5 V." if from_plus else "."),
        "One GND pin of the header is enough for each rail. Switch the Pi off and unplug it before wiring.",
    )
    for place, note in enumerate(notes):
        drawn += text(60, top + 114 + 22 * place, note, class_="lead")
    return drawn


def picture(wiring: Wiring) -> str:
    """Return the diagram of this wiring as a whole SVG file."""
    used = {PHYSICAL[str(pin)]: name for name, pin in wiring.pins().items()}
    grounds = [number for number, name in HEADER.items() if name == "GND"]
    drawn = [
        tag("style", STYLE),
        tag("rect", width=WIDTH, height=HEIGHT, fill="#fbf9f4"),
        text(60, 58, "The desk on the header", class_="title"),
        text(60, 88, LEAD, class_="lead"),
        centred_at(1240, 24, _board()),
        *(_frame(wiring, prefix, title) for prefix, title in FRAMES.items()),
        *(_rail([n for n in (*used, *grounds) if is_left(n) is left]) for left in (True, False)),
        *(_ground(number) for number in grounds),
        *(_rung(number, setting, wiring.is_inverted(setting)) for number, setting in used.items()),
        _body(),
        *(_label(number, number in used) for number in HEADER),
        _legend(wiring),
    ]
    box = f"0 0 {WIDTH} {HEIGHT}"
    whole = tag("svg", "\n".join(drawn), xmlns="http://www.w3.org/2000/svg", viewBox=box, width=WIDTH, height=HEIGHT)
    return f"{whole}\n"


def main(arguments: list[str]) -> int:
    """Print the diagram of the default wiring with these changes; return 2 if they are impossible."""
    try:
        given = dict(argument.partition("=")[::2] for argument in arguments)
        inverted = tuple(filter(None, given.pop("inverted", "").split(",")))
        sys.stdout.write(picture(Wiring.of({name: int(bcm) for name, bcm in given.items()}, inverted)))
    except (WiringError, ValueError) as error:
        print(f"wiring_picture: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
