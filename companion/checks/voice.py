"""The check of the voice: where people want one, a word is spoken into a file."""

from __future__ import annotations

import time

from companion.checks.check_result import CheckResult
from companion.core.language import _, language_tag
from companion.core.speech import INSTALL, Speech, find_voice
from companion.settings.layers import Settings

LOOK_EVERY_S = 0.02


def voice(settings: Settings) -> CheckResult:
    """Judge whether sentences can be said aloud; without a voice everything works."""
    if not settings.voice:
        return "note", _("The voice is off."), ""
    found = find_voice(language_tag())
    if found is None:
        return "note", _("The voice isn't installed."), INSTALL
    fault = _try()
    if fault:
        return "note", _("The voice doesn't work ({fault}).").format(fault=fault), _("Gunbai plays on without it.")
    return "ok", found.program, ""


def _try() -> str:
    """Speak a word and return what went wrong; "" if nothing did."""
    speech = Speech()
    speech.begin(_("OK"), language_tag(), time.monotonic())
    while speech.busy:
        time.sleep(LOOK_EVERY_S)
        speech.fetch(time.monotonic())
    speech.close()
    return speech.fault
