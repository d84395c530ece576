"""Scenes of a disk that refuses: the sign at the table, and the question before such a game is left."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import cv2
import numpy as np

from companion.checks.camera import Shot
from companion.checks.health import HealthCheck
from companion.core.language import _, plural
from companion.games.match import Match
from companion.scenes.settings.checkup import CheckScene
from companion.ui.screen import Intent
from tests.companion.equip import equip
from tests.companion.gallery.gallery import scene, scenes_after
from tests.companion.sample_games import played
from tests.companion.touching import Hand


@contextmanager
def refusing(number: int) -> Iterator[None]:
    """Replace the disk by one that takes no byte."""

    def refuse(*_given: object) -> int:
        raise OSError(number, os.strerror(number))

    with mock.patch.object(os, "write", refuse):
        yield


def _played_in_memory(hand: Hand, steps: int) -> Match:
    match = hand.start().board_table.match
    with refusing(errno.ENOSPC):
        for step in played()[0][:steps]:
            assert match.offer(step).legal
        hand.app.tick(0.0)
    return match


@scene
def unsaved_leaving(hand: Hand) -> None:
    """Show the question on the way home while steps are in memory only."""
    _played_in_memory(hand, 3)
    with refusing(errno.ENOSPC):
        hand.app.touch(Intent("menu"))
        hand.press("Home")


@scene
def unsaved_touched(hand: Hand) -> None:
    """Show the table after the sign was touched, and the disk tried again in vain."""
    _played_in_memory(hand, 1)
    with refusing(errno.ENOSPC):
        hand.app.touch(Intent("unsaved"))
        hand.press("Try again")


def _picture() -> Shot:
    """Return what a camera may see."""
    grey = np.full((270, 360, 3), 90, np.uint8)
    cv2.rectangle(grey, (60, 40), (300, 230), (120, 160, 170), -1)
    return Shot(cv2.imencode(".jpg", grey)[1].tobytes(), (360, 270))


def _well() -> tuple[HealthCheck, ...]:
    """Everything that is well, in the language in use."""
    free = _("{n} MB free in {folder}, saving a step takes {ms} ms")
    received = plural("{n} message received", "{n} messages received", 12)
    watched = _("watched")
    seen = ", ".join((_("good light"), _("sharp")))
    found = _("found: {names}").format(names="csi:0")
    return (
        HealthCheck("versions", _("Versions"), "ok", "Gunbai 0.3.0, Python 3.13.5, pygame-ce 2.5.8, numpy 2.4.6"),
        HealthCheck(
            "machine",
            _("Machine"),
            "ok",
            "Raspberry Pi 5 Model B Rev 1.0, Debian GNU/Linux 13 (trixie), kernel 6.12.34",
        ),
        HealthCheck("pins", _("Pins"), "ok", "GPIO of the Raspberry Pi 5 Model B Rev 1.0"),
        HealthCheck("serial", _("Readers and controller"), "ok", f"/dev/serial/by-id/usb-Pico-if00: {received}"),
        HealthCheck("disk", _("Disk"), "ok", free.format(n=22140, folder="/var/lib/gunbai", ms=9)),
        HealthCheck("service", _("Service"), "ok", f"gunbai: {watched}, camera: {watched}, backup: {watched}"),
        HealthCheck("camera", _("Camera"), "ok", f"{found}; 1920×1440, {seen}", shot=_picture()),
    )


def _weak() -> tuple[HealthCheck, ...]:
    """Return the checks that ask for something to be done, in the language in use."""
    now = ", ".join((_("voltage too low"), _("slowed down"), _("{n} °C").format(n=71)))
    clock = ", ".join(("1970-01-01 01:02", _("not set by the network"), _("battery clock without a battery")))
    return (
        HealthCheck(
            *("power", _("Power and heat"), "bad", _("now: {what}").format(what=now)),
            _("Use the official Raspberry Pi power supply and a short cable: low power ruins SD cards."),
        ),
        HealthCheck(
            *("clock", _("Clock"), "note", clock),
            _("Connect it to a network, or set the time. Doesn't affect your games."),
        ),
    )


def _checked(hand: Hand, found: tuple[HealthCheck, ...]) -> None:
    equip(hand.app.stage, doctor=lambda: found)
    hand.app.scene = CheckScene(hand.app.stage, hand.app.scene)


scenes_after(
    __name__,
    {
        # a table whose last steps are in memory only, as it is said first
        "unsaved_now": (lambda hand: _played_in_memory(hand, 12),),
        # the standing sign alone, once the sentence is put away
        "unsaved_later": (lambda hand: _played_in_memory(hand, 12), Intent("hush")),
        # all is well, and the camera's picture at the end
        "check_up_well": (lambda hand: _checked(hand, _well()),),
        # the camera's picture alone
        "check_up_picture": (lambda hand: _checked(hand, _well()[-1:]),),
        # too little power, and a clock that knows nothing
        "check_up_weak": (lambda hand: _checked(hand, (*_well(), *_weak())),),
    },
)
