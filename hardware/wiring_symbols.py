"""The parts of a wiring diagram as SVG, each drawn around its own centre; lengths in px of the diagram."""

from __future__ import annotations

from html import escape

BANDS = {
    "0": "#1b1b1b",
    "1": "#8a5a2b",
    "2": "#c8372d",
    "3": "#e58a1f",
    "4": "#e8c51d",
    "5": "#3f8f3f",
    "6": "#2f62b5",
    "7": "#7d4fa3",
    "8": "#8a8a8a",
    "9": "#f4f4f4",
}
"""The colour code of resistors, by digit."""
GOLD = "#c9a227"
INK = "#23211e"


def tag(name: str, body: str = "", **attributes: object) -> str:
    """Return one element; `_` in a name stands for `-`."""
    attribute_text = "".join(f' {key.rstrip("_").replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f"<{name}{attribute_text}>{body}</{name}>" if body else f"<{name}{attribute_text}/>"


def centred_at(x: float, y: float, body: str) -> str:
    """Centre this drawing at (x, y)."""
    return tag("g", body, transform=f"translate({x:g} {y:g})")


def text(x: float, y: float, words: str, **attributes: object) -> str:
    """Draw letters on their base line."""
    return tag("text", escape(words), x=f"{x:g}", y=f"{y:g}", **attributes)


def line(points: list[tuple[float, float]], colour: str, width: float = 3) -> str:
    """Draw a wire through these points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return tag("polyline", points=path, fill="none", stroke=colour, stroke_width=f"{width:g}", stroke_linejoin="round")


def dot(x: float, y: float, colour: str = INK) -> str:
    """Draw the dot where wires are joined."""
    return tag("circle", cx=f"{x:g}", cy=f"{y:g}", r=4, fill=colour)


def bands_of(ohms: int) -> tuple[str, str, str]:
    """Return the three digits of a resistor's colour code: 330 is 3, 3 and one nought more."""
    digits = str(ohms)
    return digits[0], digits[1], str(len(digits) - 2)


def resistor(ohms: int) -> str:
    """Draw a resistor 62 px wide, with its colour bands and the value above it."""
    body = tag("rect", x=-31, y=-8, width=62, height=16, rx=7, fill="#e9d9b4", stroke="#9c8a5e")
    colours = [*(BANDS[digit] for digit in bands_of(ohms)), GOLD]
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
