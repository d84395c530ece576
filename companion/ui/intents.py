"""What can be touched, and what a touch means: the words that everything on a screen is written in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from companion.core.language import _
from companion.ui.small_map import SmallMap

Tone = Literal["plain", "quiet", "strong", "title", "hero", "good", "bad", "warn"]
Look = Literal["plain", "primary", "quiet", "danger", "chosen", "off"]
Spot = Literal["", "undo", "confirm"]
"""A place of its own in the row of actions: at its beginning, or at its end, whatever stands between them."""
Place = tuple[float, float]
"""(x, y) as parts of a picture's width and height, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a touch means: a verb of the scene, what it is about, and a number where it needs one.

    at: where on the thing that is dragged the finger is, as parts of its width and height; `n` is then 0 for a finger
    that comes down, 1 for one that moves, 2 for one that leaves. seat: the faction in whose half it was touched, put
    there by the app; "" in the one-sided layout.
    """

    verb: str
    what: str = ""
    n: int = 0
    at: tuple[float, float] = (0.0, 0.0)
    seat: str = ""


@dataclass(frozen=True, slots=True)
class Button:
    """Something to touch. "off" looks dead but still answers: it explains why not. `sign` is a small picture.

    repeats: it is made to be touched fast, one touch after the other: an arrow, a turn by a little. spot: among the
    actions along the lower edge it has this place, the same on every screen. picture: what it is about, drawn small at
    its left where there is room. side: the faction whose mark stands at its right: who has won, whose turn it is.
    ticked: it is a line of a list with a box for a tick, and whether that is ticked; None for any other button.
    """

    label: str
    intent: Intent
    look: Look = "plain"
    sign: str = ""
    note: str = ""
    repeats: bool = False
    spot: Spot = ""
    picture: SmallMap | None = None
    side: str = ""
    ticked: bool | None = None

    @property
    def about(self) -> str:
        """The key of what a long touch explains."""
        return f"{self.intent.verb}:{self.intent.what}"


def back_button(look: Look = "quiet") -> Button:
    """Return the button that leads back to the scene before and changes nothing."""
    return Button(_("Back"), Intent("back"), look)


def done_button(look: Look = "primary") -> Button:
    """Return the button that leads back from a scene where every choice holds as soon as it is made."""
    return Button(_("Done"), Intent("back"), look)


def cancel_button() -> Button:
    """Return the button that gives up what was begun."""
    return Button(_("Cancel"), Intent("cancel"), "quiet")


CONFIRM = Intent("confirm")


def confirm_button(label: str, look: Look = "primary", intent: Intent = CONFIRM, sign: str = "") -> Button:
    """Return the button that confirms a turn, a throw, a card, an order or a count.

    It has one place in all games.
    """
    return Button(label, intent, look, sign, spot="confirm")


def live_first(buttons: Iterable[Button]) -> tuple[Button, ...]:
    """Return the buttons in their order, but with those that look dead after the others."""
    return tuple(sorted(buttons, key=lambda one: one.look == "off"))
