"""The picture of a board that is being traced: the straight photo, and over it what was set so far."""

from __future__ import annotations

from dataclasses import dataclass

from companion.ui.intents import Place

Outline = tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class TracedArea:
    """An area, or a zone's section: its outline, its kind ("land", "water", "air", "" for a hex of none), its name.

    zone: the colour of the air zone above it or of the section; state: "", "chosen" or "bad".
    """

    outline: Outline
    kind: str
    name: str = ""
    at: Place = (0.0, 0.0)
    zone: str = ""
    fort: bool = False
    state: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something printed on the board: its sign (an icon's name, "points", "unit" or "dot"), where, a text, whose.

    what: the unit of a "unit"; in_hex: an action space, drawn in its small hex.
    """

    sign: str
    at: Place
    text: str = ""
    faction: str = ""
    what: str = ""
    in_hex: bool = False


@dataclass(frozen=True, slots=True)
class DraftPicture:
    """The straight photo (a JPEG, or the part of it that is looked at) in the map's place, and what lies over it.

    Places are parts of its width and height. piers: from the land's middle to the water's. half: half the size of a
    small hex, as a part of the width. A touch is Intent("trace", at=...), n 0 as the finger comes down, 1 as it moves,
    2 as it leaves. cross and loupe: what is under the finger, enlarged.
    """

    data: bytes
    size_px: tuple[int, int]
    areas: tuple[TracedArea, ...] = ()
    marks: tuple[Mark, ...] = ()
    piers: tuple[tuple[Place, Place], ...] = ()
    half: float = 0.025
    loupe: bytes = b""
    loupe_left: bool = True
    box: Outline = ()
