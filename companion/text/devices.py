"""The desk's devices and controls in words: what came, what went, what is wrong with it and what to do."""

from __future__ import annotations

from pathlib import PurePath

from companion.core.language import _, plural
from companion.text.faults import fault_words
from hardware.device import Health
from hardware.events import CONTROLS, Ailing, Plugged


def control_name(control: str) -> str:
    """A button as people call it: "confirm, side one"."""
    deed, _dash, side = control.partition("-")
    deeds = {
        "confirm": _("Confirm"),
        "pass": _("Pass"),
        "undo": _("Undo"),
        "choose": _("Push of the knob"),
        "previous": _("Arrow back"),
        "next": _("Arrow on"),
        "encoder": _("Knob"),
    }
    sides = {"one": _("side one"), "two": _("side two")}
    return ", ".join([deeds.get(deed, deed), *([sides.get(side, side)] if side else [])])


def device_name(name: str) -> str:
    """A device in a few words: what it is, or the end of its path."""
    known = {"pins": _("The buttons"), "controller": _("The table controller"), "desk": _("The desk")}
    return known.get(name) or PurePath(name).name or name


def plugged(event: Plugged) -> str:
    """A device came or went."""
    form = _("{device}: connected.") if event.present else _("{device}: not connected. Everything works by touch.")
    return form.format(device=device_name(event.device))


def ailing(event: Ailing) -> str:
    """What is wrong, and what to do."""
    form = {
        "stuck": _("{device}: {what} is stuck and is left out until it is let go of."),
        "noise": _("{device} sends what cannot be read: look at its cable."),
        "silent": _("{device} does not answer: unplug it and plug it in again."),
        "version": _("{device} speaks an older version: load the sketch of this Gunbai onto it."),
        "refused": _("{device} may not be opened: {what}"),
    }.get(event.kind, _("{device}: {what}"))
    if (event.kind, event.what) == ("version", "newer"):
        form = _("{device} speaks a newer version: update Gunbai, or load this one's sketch onto it.")
    if event.what not in CONTROLS:
        return form.format(device=device_name(event.device), what=fault_words(event.what))
    if event.kind == "noise":
        form = _("{device}: {what} flickers and is left out until it rests: look at its wires.")
    return form.format(device=device_name(event.device), what=control_name(event.what))


def standing(health: Health) -> tuple[str, str]:
    """(how a device stands: "ok" or "bad"; the facts in a line), as the self-check and the devices' page have it."""
    told = [health.address] if health.address and health.address != health.name else []
    told += [fault_words(health.fault)] if health.fault else []
    told += [_ail(one) for one in health.ails]
    told += [_count(name, n) for name, n in health.counts.items() if n]
    well = health.state == "present" and not health.ails
    return "ok" if well else "bad", ", ".join(told) or _("is there")


def _ail(what: str) -> str:
    """Something that is not well, in words: one of the kinds, or a control that is stuck or flickers."""
    kinds = {"noise": _("sends what cannot be read"), "silent": _("does not answer"), "version": _("another version")}
    return kinds.get(what) or _("{control} is left out, it sticks or flickers").format(control=control_name(what))


def _count(name: str, n: int) -> str:
    told = {
        "events": plural("{n} press or turn", "{n} presses and turns", n),
        "frames": plural("{n} message", "{n} messages", n),
        "skipped_bytes": plural("{n} byte skipped", "{n} bytes skipped", n),
        "bad_checksums": _("{n} with a wrong sum").format(n=n),
        "reopened": plural("opened again {n} time", "opened again {n} times", n),
        "stray_lines": plural("{n} line of another kind", "{n} lines of another kind", n),
    }
    return told.get(name, f"{name} {n}")
