"""The pages of the settings, as tables: each choice with its words and its field of the settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.core.language import _, language_tag, plural
from companion.core.speech import INSTALL, find_voice
from companion.settings.layers import Settings
from companion.settings.values import ROTATIONS
from companion.ui.screen import Block, Button, Choice, Intent, Look, Ruler, Sample, Switch, Text
from engine.words import decimal

Named = tuple[tuple[Any, str], ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """A setting with several values to choose from, each with its label."""

    field: str
    label: str
    values: Named

    def block(self, settings: Settings) -> Block:
        """Return buttons for the values, the present one chosen; one set in a file but not listed comes last."""
        now = getattr(settings, self.field)
        values = self.values if now in [value for value, _label in self.values] else (*self.values, (now, decimal(now)))
        looks: tuple[Look, ...] = tuple("chosen" if value == now else "plain" for value, _label in values)
        buttons = (Button(values[i][1], Intent("pick", self.field, i), look) for i, look in enumerate(looks))
        return Choice(self.label, tuple(buttons))


@dataclass(frozen=True, slots=True)
class Flip:
    """A setting that is on or off, with a sentence on what it does."""

    field: str
    label: str
    text: str

    def block(self, settings: Settings) -> Block:
        """Return the switch in its present state."""
        return Switch(self.label, self.text, getattr(settings, self.field), Intent("flip", self.field))


Item = Pick | Flip | Block
"""A setting, or a block that only shows something."""


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """A page of the settings: its title, what makes its summary for the list of pages, and its items."""

    title: str
    summary: Callable[[Settings], str]
    items: tuple[Item, ...]


def pages() -> dict[str, SettingsPage]:
    """Return all pages that are tables, by name, in the language in use."""
    return {
        "look": _look(),
        "size": _size(),
        "seats": _seats(),
        "sound": _sound(),
        "rest": _rest(),
        "clock": _clock(),
        "camera": _camera(),
        "play": _play(),
        "map": _map(),
        "bases": _bases(),
    }


def _word(values: Named, value: object) -> str:
    """Return the label of a value, or the value itself if it has none."""
    return next((label for choice, label in values if choice == value), str(value))


def _count_on(items: tuple[Item, ...], settings: Settings) -> str:
    flips = [item for item in items if isinstance(item, Flip)]
    on = sum(getattr(settings, item.field) for item in flips)
    return _("{on} of {all} on").format(on=on, all=len(flips))


def _look() -> SettingsPage:
    themes: Named = (("dark", _("Dark")), ("light", _("Light")), ("contrast", _("High contrast")))
    palettes: Named = (
        ("standard", _("Standard")),
        ("deuteranopia", _("Deuteranopia")),
        ("protanopia", _("Protanopia")),
        ("tritanopia", _("Tritanopia")),
    )
    return SettingsPage(
        _("Colours"),
        lambda now: f"{_word(themes, now.theme)} · {_word(palettes, now.palette)}",
        (
            Pick("theme", _("Theme"), themes),
            Pick("palette", _("Colour-blind palettes"), palettes),
            Sample(_("Allowed"), _("Not allowed")),
        ),
    )


def _size() -> SettingsPage:
    scales: Named = ((0.9, _("Small")), (1.0, _("Normal")), (1.2, _("Large")), (1.4, _("Extra large")))
    inches: Named = tuple((n, f'{decimal(n)}"') for n in (5.0, 7.0, 8.0, 10.1, 13.3, 15.6))
    return SettingsPage(
        _("Text and screen size"),
        lambda now: f'{_word(scales, now.text_scale)} · {decimal(now.diagonal_inches)}"',
        (
            Pick("text_scale", _("Text size"), scales),
            Pick("diagonal_inches", _("Screen size (diagonal)"), inches),
            Ruler(_("Hold a ruler to the screen. If the centimetres match, your size is right.")),
        ),
    )


def _seats() -> SettingsPage:
    layouts: Named = (("one", _("Side by side")), ("two", _("Face to face")))
    turns: Named = tuple((degrees, f"{degrees}°") for degrees in ROTATIONS)
    return SettingsPage(
        _("Seats and rotation"),
        lambda now: f"{_word(layouts, now.layout)} · {now.rotation_degrees}°",
        (
            Pick("layout", _("How do you sit?"), layouts),
            Text(_("Face to face: each player gets half of the screen."), "quiet"),
            Pick("rotation_degrees", _("Rotate the screen"), turns),
        ),
    )


def _sound() -> SettingsPage:
    volumes: Named = ((30, _("Soft")), (60, _("Medium")), (100, _("Loud")))
    install = Text(_("The voice isn't installed: {command}").format(command=INSTALL), "warn")
    missing = () if find_voice(language_tag()) is not None else (install,)
    return SettingsPage(
        _("Sounds and voice"),
        lambda now: _word(volumes, now.volume) if now.sound or now.voice else _("off"),
        (
            Flip("sound", _("Sounds"), _("Soft sounds for actions, refusals, your turn, round ends and low time.")),
            Flip(
                "voice", _("Voice"), _("Says turns, rulings, dice to roll and round ends aloud. Never a hidden card.")
            ),
            *missing,
            Pick("volume", _("Volume"), volumes),
        ),
    )


def _rest() -> SettingsPage:
    waits: Named = ((0, _("Never")), (60, _("1 min")), (300, _("5 min")), (900, _("15 min")))
    return SettingsPage(
        _("Screen saver and animations"),
        lambda now: (
            _("dims after {when}").format(when=_word(waits, now.dim_after_s)) if now.dim_after_s else _("never dims")
        ),
        (
            Pick("dim_after_s", _("Dim the screen after"), waits),
            Flip("keep_awake", _("Keep awake"), _("Keeps the computer's screen saver off while Gunbai runs.")),
            Flip("motion", _("Animations"), _("Small movements and fades.")),
        ),
    )


def _clock() -> SettingsPage:
    minutes: Named = ((0, _("No clock")), *((n, plural("{n} min", "{n} min", n)) for n in (20, 30, 45, 60, 90)))
    warns: Named = ((60, _("1 min")), (120, _("2 min")), (300, _("5 min")))
    return SettingsPage(
        _("Game clock"),
        lambda now: _word(minutes, now.clock_minutes),
        (
            Pick("clock_minutes", _("Time per player"), minutes),
            Pick("clock_warn_s", _("Warn at"), warns),
            Text(_("The clock never ends the game. Touch it to pause."), "quiet"),
        ),
    )


def _camera() -> SettingsPage:
    items: tuple[Item, ...] = (
        Flip("propose_turns", _("Turns"), _("Suggests the turn it sees on the board; one touch accepts it.")),
        Flip("tick_by_camera", _("Auto-tick"), _("Reminders tick themselves when the camera sees it done.")),
        Flip("camera_dice", _("Dice"), _("Fills in the dice the camera reads; touch to confirm.")),
        Flip("evidence", _("Pictures"), _("Keeps small photos of what each turn changed.")),
        Flip("learning", _("Learning"), _("The camera learns how your table looks from each confirmed turn.")),
    )
    return SettingsPage(_("Camera"), lambda now: _count_on(items, now), items)


def _play() -> SettingsPage:
    items: tuple[Item, ...] = (
        Flip("list_hands", _("Piece reminders"), _("After each action, what to move on the board.")),
        Flip("forecast", _("Forecast"), _("What an action would change before you confirm it: supply, points, odds.")),
        Flip("ask_cards", _("Cards"), _("Asks before moving on when a card can be played.")),
        Flip("round_end", _("End of a round"), _("Shows the points, who begins and what to clear away.")),
        Flip("score_at_end", _("Score"), _("Opens the score when the game ends.")),
    )
    return SettingsPage(_("Automatic help"), lambda now: _count_on(items, now), items)


def _map() -> SettingsPage:
    items: tuple[Item, ...] = (
        Flip("show_supply", _("Supply"), _("Shows supply lines to the headquarters, and where they're cut.")),
        Flip("show_changes", _("Changes"), _("Marks what the last turn changed.")),
        Flip("show_names", _("Area names"), _("Shows area names (c4).")),
        Flip("show_points", _("Points"), _("Shows what each area scores right now.")),
        Flip("show_camera", _("Camera"), _("Marks areas that differ from what the camera sees.")),
    )
    return SettingsPage(_("On the map"), lambda now: _count_on(items, now), items)


def _bases() -> SettingsPage:
    ways: Named = (("middle", _("In the middle")), ("rear", _("At the rear edge")))
    heights: Named = ((None, _("Not measured")), *((n, decimal(n)) for n in (0.0, 0.05, 0.075, 0.1, 0.125, 0.15, 0.2)))
    ratio = _("Height divided by width: 3 mm on a 40 mm base is 0.075; paper on the table is 0.")
    why = _("If you don't measure it, the camera assumes 0.04 to 0.12 and is less sure of bases far away.")
    return SettingsPage(
        _("Miniature bases"),
        lambda now: f"{_word(ways, now.base_marking)} · {_high(now.base_height)}",
        (
            Pick("base_marking", _("Where is the marker on its base?"), ways),
            Pick("base_height", _("How tall is a base?"), heights),
            Text(ratio, "quiet"),
            Text(why, "quiet"),
        ),
    )


def _high(height: float | None) -> str:
    """Return how high bases are, in words."""
    return _("height not measured") if height is None else _("height {n}").format(n=decimal(height))
