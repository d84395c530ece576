"""What is typed, switched, measured and tried out on a screen, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from companion.ui.intents import Intent, Look


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line that is being typed, with its end marked; `hint` is shown while it is empty."""

    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the keyboard on the screen; `sign` is "shift" or "erase", `span` its width in letters."""

    label: str
    intent: Intent
    look: Look = "plain"
    sign: str = ""
    span: float = 1.0


@dataclass(frozen=True, slots=True)
class Keys:
    """A keyboard: its rows for a wide place, and for a narrow one."""

    wide: tuple[tuple[Key, ...], ...]
    narrow: tuple[tuple[Key, ...], ...]


@dataclass(frozen=True, slots=True)
class Switch:
    """Something that is on or off: its name, one sentence of what it does. The whole row is touched."""

    label: str
    text: str
    on: bool
    intent: Intent


@dataclass(frozen=True, slots=True)
class Ruler:
    """A ruler as long as the screen is believed to make it, and a square of 12 mm: to be held against a real one."""

    text: str


@dataclass(frozen=True, slots=True)
class Sample:
    """Both factions' pieces, a good and a bad verdict, and the accent, in the colours that are chosen."""

    good: str
    bad: str


@dataclass(frozen=True, slots=True)
class Hold:
    """A ring to hold a finger on, sent as a drag; `part` of the time has passed (0 to 1), `label` is shown below it."""

    label: str
    intent: Intent
    part: float = 0.0


@dataclass(frozen=True, slots=True)
class StatusRow:
    """A thing that was checked: "ok", "note" or "bad", what it is, the facts, and what to do."""

    state: str
    title: str
    told: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Crosses:
    """Five crosses to touch, in the corners and the middle: which have been, sent as Intent(verb, "", index)."""

    verb: str
    touched: tuple[bool, ...]
