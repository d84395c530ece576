"""Sizes, and the colours that a screen is drawn in: a theme for the light in the room, a palette for the eyes.

Sizes are in points: every screen is 480 points high or more (800x480 has one pixel a point). Colours are "#rrggbb".
No colour says anything alone: a shape, a sign or a word stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product

from companion.settings.layers import PALETTES, THEMES

ERAS = ("sengoku", "wwii")
"""The times that have a look of their own, by the name of their rulebook."""
TOUCH_PT = 63.0  # the least side of anything to touch: 12 mm on the 7 inch panel of 800x480 (a sheet knows its own)
GAP_PT = 6.0
CLOSE_PT = 2.0  # the gap where a page is saved by it
LINE = 1.25  # height of a line over the size of its letters

CORE = 0.56  # in a line of two colours, the inner one's part of the width

Style = tuple[str, float, bool]
"""Colour, size in points, bold."""


@dataclass(frozen=True, slots=True)
class SideColours:
    """A faction's colours and its shape: its ground, the rim around it, letters on it, and its lines on the map.

    core: the middle of its lines, where `border` alone would be too dark for its colour. asks: what asks for a touch
    on its maps, where its colour would be taken for the accent. shape: one of `companion.view.kit.signs.SHAPES`.
    """

    fill: str
    line: str
    text: str
    border: str
    shape: str = "disc"
    core: str = ""
    asks: str = ""

    def strokes(self, width: float) -> tuple[tuple[str, float], ...]:
        """Return the strokes that make up the side's line of that width: (colour, width), the lowest first."""
        return ((self.border, width), (self.core, width * CORE)) if self.core else ((self.border, width),)


@dataclass(frozen=True, slots=True, eq=False)
class Glow:
    """Colours over photos and pictures, where the ground may be anything: each is drawn with a rim of `ink`."""

    good: str
    bad: str
    accent: str
    quiet: str
    sides: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Material:
    """What plates and pieces are made of: lacquer, paper, enamelled tin.

    cut_pt: how much of a plate's corner is cut off; 0 for flat plates. sheen: how far `light` at a plate's top and
    `shade` at its foot are mixed into its colour, 0 to 1; pieces are flat where it is 0. shadow: how strong shadows
    are, 0 to 1. inner_rim: how strong the hairline inside a plate's rim is, 0 to 1. page_low: the page's colour at the
    foot of the screen; "" for a page of one colour, without a pattern. pattern: what is woven into the page, one of
    `companion.view.page.ornament.PATTERNS` or "". ground: how maps are painted, one of
    `companion.grounds.store.STYLES` or "". numerals: how rounds are numbered, in "brush" strokes or as a "tally".
    heading: the file of the typeface for headings, in `companion/view/fonts`; "" for the reading face.
    """

    cut_pt: float = 0.0
    sheen: float = 0.0
    light: str = "#ffffff"
    shade: str = "#000000"
    shadow: float = 0.0
    inner_rim: float = 0.0
    page_low: str = ""
    pattern: str = ""
    ground: str = ""
    numerals: str = "brush"
    heading: str = ""


FLAT = Material()


@dataclass(frozen=True, slots=True, eq=False)
class Theme:
    """All colours of a screen. Grounds: page, panel, raised. Letters: text, quiet, dim; `ink` on light grounds always.

    icon: signs on plain plates. accent: the one colour that asks for a touch, a ground for letters in `accent_ink`;
    accent_text: the same for letters and lines on the page. cream: light grounds in every theme (dice, tokens). board:
    the map's own colours (companion.drawing.board_svg.COLOURS). material: what plates and pieces are made of.
    """

    name: str
    palette: str
    page: str
    panel: str
    raised: str
    edge: str
    text: str
    quiet: str
    dim: str
    accent: str
    accent_ink: str
    accent_text: str
    good: str
    bad: str
    chosen: str
    danger: str
    off: str
    nobody: str
    icon: str
    ink: str
    cream: str
    glow: Glow
    steps: tuple[str, ...]
    board: Mapping[str, str]
    sides: Mapping[str, SideColours]
    material: Material = FLAT

    @property
    def tones(self) -> Mapping[str, Style]:
        """How a paragraph of each tone is set: (colour, size in points, bold)."""
        return {
            "plain": (self.text, 16, False),
            "quiet": (self.quiet, 14, False),
            "strong": (self.text, 17, True),
            "title": (self.text, 24, True),
            "hero": (self.text, 44, True),
            "good": (self.good, 16, True),
            "bad": (self.bad, 16, True),
            "warn": (self.accent_text, 16, True),
        }

    @property
    def buttons(self) -> Mapping[str, tuple[str, str, str]]:
        """The colours of each look of a button: (ground, outline, letters)."""
        return {
            "plain": (self.raised, self.edge, self.text),
            "primary": (self.accent, self.accent, self.accent_ink),
            "quiet": (self.page, self.edge, self.quiet),
            "danger": (self.danger, self.bad, self.text),
            "chosen": (self.chosen, self.accent_text, self.text),
            "off": (self.off, self.off, self.dim),
        }

    def banner(self, tone: str) -> tuple[str, str]:
        """Return the colours of a banner: (ground, letters), the tone's and the page's."""
        return self.tones[tone][0], self.page

    def asking_colour(self, factions: Iterable[str]) -> str:
        """Return the colour that asks for a touch on a map of these factions: the accent, unless one of them has it."""
        return next((self.sides[faction].asks for faction in factions if self.sides[faction].asks), self.accent)

    def share_colour(self, faction: str, index: int) -> str:
        """Return the colour of a chart's part: its faction's, grey for "nobody", for "" a step towards the accent."""
        if faction in self.sides:
            return self.sides[faction].fill
        return self.nobody if faction else self.steps[index % len(self.steps)]


INK, CREAM = "#15110b", "#f6ecd4"
GLOW = Glow("#6fd0b0", "#ff9b7a", "#f3c54b", "#b4bec8",
            {"red": "#ff5a3c", "black": "#ffffff", "blue": "#7db4ff", "yellow": "#ffe14d"})  # fmt: skip
SIDES: Mapping[str, SideColours] = {
    "red": SideColours("#b0301a", "#ffe0c8", "#fffaf0", "#ab2d18", "disc"),
    "black": SideColours("#1c1e22", "#f3e3b4", "#fbf4e2", "#17181c", "banner"),
    "blue": SideColours("#2257ab", "#dbe7ff", "#f6f9ff", "#1d4f9e", "square"),
    "yellow": SideColours("#f8d51c", "#332700", "#241b00", "#6b4f00", "diamond", core="#ffd91a", asks="#ffffff"),
}
PAPER: Mapping[str, str] = {
    "land": "#dfd2ac",
    "water": "#9ac0cf",
    "border": "#2c261e",
    "land_line": "#9c8c60",
    "water_line": "#5f8aa0",
    "shore": "#d5e4e6",
    "land_detail": "#c3b387",
    "water_detail": "#b9d6e0",
    "pier": "#7e542e",
    "points": "#e9b93c",
    "paper": "#f5ead0",
    "ink": "#2f2a20",
    "dull": "#5a4c36",  # an icon in a space that is not to be used now
}

KAISEI, STENCIL = "KaiseiTokumin-Headings.ttf", "GunbaiStencil.ttf"
LACQUER = Material(cut_pt=7.0, sheen=0.12, light="#e8a070", shade="#000000", shadow=1.0, inner_rim=0.4,
                   page_low="#0e0809", pattern="waves", ground="lacquer", heading=KAISEI)  # fmt: skip
WASHI = Material(cut_pt=7.0, sheen=0.09, light="#ffffff", shade="#8a6a34", shadow=0.55, inner_rim=0.45,
                 page_low="#e6d9b8", pattern="fibres", ground="washi", heading=KAISEI)  # fmt: skip

_DARK = Theme(
    name="dark", palette="standard",
    page="#20100e", panel="#2b1512", raised="#40201a", edge="#a37b3c",
    text="#fbf1dc", quiet="#dcc9a4", dim="#b79f78",
    accent="#efc45a", accent_ink="#1a1003", accent_text="#f0c868",
    good="#86d8a8", bad="#ff9f7d", chosen="#553a12", danger="#5c1a12", off="#25120f",
    nobody="#8d7560", icon="#f0c868", ink=INK, cream=CREAM, glow=GLOW,
    steps=("#4a3426", "#6f5531", "#a5803d", "#d0a24a", "#efc45a"),
    board=PAPER,
    sides=SIDES,
    material=LACQUER,
)  # fmt: skip

_LIGHT = replace(
    _DARK, name="light",
    page="#efe5cb", panel="#f7efd9", raised="#fcf6e6", edge="#8c6f43",
    text="#1c130a", quiet="#54432c", dim="#5d4d31",
    accent="#e9b53a", accent_ink="#1a1003", accent_text="#7c3d00",
    good="#0c6146", bad="#a02a0d", chosen="#f6dfa0", danger="#f7d3c6", off="#e7dcc0",
    nobody="#94876f", icon="#8a1f0d",
    steps=("#e2d6b8", "#dccb93", "#dbbd68", "#e2b94a", "#e9b53a"),
    board={**PAPER, "land": "#ece0bd", "water": "#a5c8d6", "land_detail": "#d3c499", "water_detail": "#c6dde6",
           "paper": "#fbf3df"},
    material=WASHI,
)  # fmt: skip

TIN = Material(cut_pt=4.5, sheen=0.1, light="#e6dca0", shade="#000000", shadow=0.9, inner_rim=0.3,
               page_low="#10110b", pattern="grid", ground="staff-night", numerals="tally",
               heading=STENCIL)  # fmt: skip
CARD = Material(cut_pt=4.5, sheen=0.08, light="#ffffff", shade="#6a5f30", shadow=0.5, inner_rim=0.35,
                page_low="#d3c9a5", pattern="grid", ground="staff-day", numerals="tally",
                heading=STENCIL)  # fmt: skip

_STAFF_NIGHT = replace(
    _DARK,
    page="#1c1d14", panel="#26271b", raised="#393a28", edge="#8a8358",
    text="#f4efdc", quiet="#d3cba9", dim="#aca581",
    accent="#e8b64a", accent_ink="#1c1503", accent_text="#f0c25a",
    chosen="#4c471d", danger="#54231a", off="#212218",
    nobody="#86826c", icon="#e8c877",
    steps=("#3d3d2b", "#5f5733", "#93793c", "#c29a43", "#e8b64a"),
    board={**PAPER, "land": "#d3ca9f", "water": "#9fbcbf", "land_detail": "#b8ae82", "water_detail": "#b9d0d1"},
    material=TIN,
)  # fmt: skip

_STAFF_DAY = replace(
    _LIGHT,
    page="#e6dec2", panel="#eee7d0", raised="#f6f0dc", edge="#7f754b",
    text="#1b1a10", quiet="#4a4731", dim="#565238",
    accent="#e2ae37", accent_ink="#1c1503", accent_text="#6d4400",
    chosen="#ecdc9e", danger="#f0cdbd", off="#dbd2b3",
    nobody="#8b8669", icon="#4a5720",
    steps=("#dbd2b0", "#d5c58e", "#d6b964", "#dcb34a", "#e2ae37"),
    board={**PAPER, "land": "#e5dbb6", "water": "#b3cdd2", "land_detail": "#cabf93", "water_detail": "#cfe0e2",
           "paper": "#f8f2de"},
    material=CARD,
)  # fmt: skip

_CONTRAST = replace(
    _DARK, name="contrast",
    page="#000000", panel="#0a0a0a", raised="#1b1b1b", edge="#ffffff",
    text="#ffffff", quiet="#ffffff", dim="#d0d0d0",
    accent="#ffd84d", accent_ink="#000000", accent_text="#ffd84d",
    good="#7dffd4", bad="#ffb199", chosen="#3d3300", danger="#3d0d00", off="#000000",
    nobody="#9a9a9a", icon="#ffffff", material=FLAT, ink="#000000", cream="#ffffff",
    steps=("#4d4d4d", "#7d745a", "#ab9a5c", "#d5ba55", "#ffd84d"),
    board={**PAPER, "land": "#fffdf5", "water": "#b9dcec", "border": "#000000", "land_detail": "#e6e0cc",
           "water_detail": "#d8ecf5", "land_line": "#000000", "water_line": "#000000", "shore": "#ffffff",
           "paper": "#ffffff", "ink": "#000000", "points": "#ffd84d"},
    glow=replace(GLOW, sides={**GLOW.sides, "red": "#ff8a6c", "blue": "#8fc0ff"}),
    sides={"red": SideColours("#ff7a5c", "#000000", "#000000", "#c22a0e", "disc"),
           "black": SideColours("#000000", "#ffffff", "#ffffff", "#000000", "banner"),
           "blue": SideColours("#6fabff", "#000000", "#000000", "#0b3d91", "square"),
           "yellow": SideColours("#ffe14d", "#000000", "#000000", "#4a3600", "diamond", core="#ffd91a",
                                 asks="#ff6fd0")},
)  # fmt: skip

_REDS: Mapping[str, tuple[str, str]] = {  # in a palette: the red faction's ground, under dark letters; its lines
    "deuteranopia": ("#e06a1c", "#a84600"),
    "protanopia": ("#f0822e", "#ab4f00"),
}
_VERDICTS: Mapping[str, Mapping[str, tuple[str, str]]] = {  # good and bad, told apart by those who see no red or blue
    "dark": {"deuteranopia": ("#8fc7ff", "#ffb35c"), "protanopia": ("#8fc7ff", "#ffc46b")},
    "light": {"deuteranopia": ("#0b5394", "#8f4200"), "protanopia": ("#0b5394", "#8a4b00")},
    "contrast": {"deuteranopia": ("#a8d4ff", "#ffc27a"), "protanopia": ("#a8d4ff", "#ffcf85")},
}


_LOOKS: Mapping[tuple[str, str], Theme] = {
    ("dark", "sengoku"): _DARK,
    ("light", "sengoku"): _LIGHT,
    ("dark", "wwii"): _STAFF_NIGHT,
    ("light", "wwii"): _STAFF_DAY,
    ("contrast", "sengoku"): _CONTRAST,
    ("contrast", "wwii"): replace(_CONTRAST, material=replace(FLAT, numerals="tally")),
}


def _make_theme(name: str, palette: str, era: str) -> Theme:
    look = _LOOKS[name, era]
    if palette not in _REDS:
        return replace(look, palette=palette)
    good, bad = _VERDICTS[name][palette]
    fill, border = _REDS[palette]
    red = SideColours(fill, "#331500", INK, border)
    if name == "contrast":
        red = SideColours("#ff8f3d", "#000000", "#000000", border)
    seen = dict(zip(("good", "bad"), _VERDICTS["dark"][palette], strict=True))
    glow = replace(look.glow, **seen, sides={**look.glow.sides, "red": "#ff9a4a"})
    return replace(look, palette=palette, good=good, bad=bad, glow=glow, sides={**look.sides, "red": red})


_MADE = {key: _make_theme(*key) for key in product(THEMES, PALETTES, ERAS)}


def theme(name: str = "dark", palette: str = "standard", era: str = "") -> Theme:
    """Return the theme of that name in that palette for an era, always the same object; an unknown name is KeyError.

    era: of the game on the table, one of ERAS; any other game is shown in the first one's hand.
    """
    return _MADE[name, palette, era if era in ERAS else ERAS[0]]
