"""The table's devices in words: what came and went, what is wrong with the desk or a picture, and what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Protocol

from companion.core.language import _, plural
from companion.text.faults import fault_words
from companion.text.orders import faction_name, join_words
from engine.words import mark
from hardware.device import Health
from hardware.events import CONTROLS, Ailing, Plugged


def control_name(control: str) -> str:
    """Return the name of a button as people call it: "confirm, side one"."""
    deed, _dash, side = control.partition("-")
    deeds = {
        "confirm": _("Confirm"),
        "pass": _("Pass"),
        "undo": _("Undo"),
        "choose": _("Knob push"),
        "previous": _("Back arrow"),
        "next": _("Forward arrow"),
        "encoder": _("Knob"),
    }
    sides = {"one": _("side one"), "two": _("side two")}
    return ", ".join([deeds.get(deed, deed), *([sides.get(side, side)] if side else [])])


def device_name(name: str) -> str:
    """Return a device in a few words: what it is, or the end of its path."""
    known = {"pins": _("The buttons"), "controller": _("The table controller"), "desk": _("Buttons and readers")}
    return known.get(name) or PurePath(name).name or name


def plugged_sentence(event: Plugged) -> str:
    """Return the sentence for a device that came or went."""
    form = _("{device}: connected.") if event.present else _("{device}: not connected. You can play by touch.")
    return form.format(device=device_name(event.device))


def ailing(event: Ailing) -> str:
    """Say what is wrong with a device, and what to do."""
    form = {
        "stuck": _("{device}: {what} is stuck and is ignored until it's released."),
        "noise": _("{device} sends garbled data: check its cable."),
        "silent": _("{device} doesn't respond: unplug it and plug it back in."),
        "version": _("{device} runs an older version: load this Gunbai's sketch onto it."),
        "refused": _("{device} can't be opened: {what}"),
    }.get(event.kind, _("{device}: {what}"))
    if (event.kind, event.what) == ("version", "newer"):
        form = _("{device} runs a newer version: update Gunbai, or load this Gunbai's sketch onto it.")
    if event.what not in CONTROLS:
        return form.format(device=device_name(event.device), what=fault_words(event.what))
    if event.kind == "noise":
        form = _("{device}: {what} flickers and is ignored until it settles: check its wires.")
    return form.format(device=device_name(event.device), what=control_name(event.what))


def standing(health: Health) -> tuple[str, str]:
    """Return how a device stands ("ok" or "bad") and the facts in a line."""
    told = [health.address] if health.address and health.address != health.name else []
    told += [fault_words(health.fault)] if health.fault else []
    told += [_ail(ail) for ail in health.ails]
    told += [_count(name, n) for name, n in health.counts.items() if n]
    well = health.state == "present" and not health.ails
    return "ok" if well else "bad", ", ".join(told) or _("connected")


def _ail(what: str) -> str:
    """Say what is not well with a device: one of the kinds, or a control that is stuck or flickers."""
    kinds = {"noise": _("sends garbled data"), "silent": _("doesn't respond"), "version": _("another version")}
    return kinds.get(what) or _("{control} is ignored: it sticks or flickers").format(control=control_name(what))


def _count(name: str, n: int) -> str:
    told = {
        "events": plural("{n} press or turn", "{n} presses and turns", n),
        "frames": plural("{n} message", "{n} messages", n),
        "skipped_bytes": plural("{n} byte skipped", "{n} bytes skipped", n),
        "bad_checksums": _("{n} with a bad checksum").format(n=n),
        "reopened": plural("reopened {n} time", "reopened {n} times", n),
        "stray_lines": plural("{n} unknown line", "{n} unknown lines", n),
    }
    return told.get(name, f"{name} {n}")


# ---- the camera ----------------------------------------------------------------------------------


MOST_NAMED = 2  # reasons of a doubt


class CalibrationFault(Protocol):
    """What is wrong with a picture: see vision.calibration.faults."""

    @property
    def kind(self) -> str:
        """One of the eye's kinds of fault."""

    @property
    def places(self) -> tuple[str, ...]:
        """Areas, or corners of the board."""

    @property
    def value(self) -> float:
        """What was measured."""

    @property
    def side(self) -> str:
        """Whose pieces it is about; "" where that is nobody in particular."""


def fault_text(fault: CalibrationFault) -> str:
    """Return one fault as a sentence or two: what is wrong, and what helps."""
    places = join_words(map(_, fault.places))
    return _(TEXTS[fault.kind]).format(areas=places, corners=places, who=faction_name(fault.side))


def first_fault(faults: Sequence[CalibrationFault]) -> str:
    """Return the gravest fault in words; "" for none."""
    return fault_text(faults[0]) if faults else ""


TEXTS: Mapping[str, str] = {
    "dark": mark("Too dark. Turn on a lamp."),
    "bright": mark("Too bright to see the print. Dim the lamp or move it."),
    "blurred": mark("Blurred. Focus the camera or wipe its lens."),
    "shaken": mark("The camera shook. Keep it still."),
    "cut-off": mark("Board cut off: {corners}. Move the camera until all of it shows."),
    "glare": mark("Lamp glare in {areas}. Move the lamp or the camera."),
    "few-pixels": mark("The camera's resolution is too low: it needs at least 640 × 480."),
    "small": mark("Too far away. Bring the camera closer."),
    "steep": mark("The camera's angle is too low. Put it higher."),
    "moved": mark("This doesn't match the photo of the empty board: the board or camera moved too far."),
    "covered": mark("Something covers {areas}."),
    "unseen": mark("{who}: no pieces found. The camera can't tell them from the board: try different lighting."),
    "faint": mark(
        "{who}: these pieces hardly stand out from the board, so the camera will never be sure. Try more light."
    ),
    "missing": mark("Pieces are missing in {areas}."),
    "extra": mark("Too many pieces in {areas}."),
    "shine": mark("Can't find the board. A lamp or window glares at the picture's {corners}."),
    "same": mark("Both photos look the same. If there were pieces on the board in the first one, retake it."),
    "unsure": mark("Not sure about {areas}: does it match the map?"),
}
CORNERS = (mark("top left"), mark("top right"), mark("bottom right"), mark("bottom left"))
"""What the eye calls the corners of the board."""


def doubt_words(reasons: Sequence[str]) -> str:
    """Return the weightiest reasons (`vision.reading.doubt`) in words; "" for none."""
    return ", ".join(_(DOUBTS[reason]) for reason in reasons[:MOST_NAMED] if reason in DOUBTS)


def other_light() -> str:
    """Return the sentence that says that the empty board was photographed in another light."""
    return _("The light isn't that of the empty board's photo.")


DOUBTS: Mapping[str, str] = {
    "belief": mark("hard to tell"),
    "others": mark("much of the board is unclear"),
    "unlike": mark("something that's neither board nor piece"),
    "contrast": mark("pieces hardly stand out from the board"),
    "light": mark("the light has changed"),
    "glare": mark("glare"),
    "start": mark("unlike the photo of the start"),
    "line": mark("a piece on a border"),
    "edge": mark("partly out of the picture"),
    "hidden": mark("covered"),
    "lost": mark("board not found"),
    "place": mark("the board's place isn't exact here"),
}
