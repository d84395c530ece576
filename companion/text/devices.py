"""The desk's devices and controls in words: what came, what went, what is wrong with it and what to do."""

from __future__ import annotations

from pathlib import PurePath

from companion.core.language import _, plural
from companion.text.faults import fault_words
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
