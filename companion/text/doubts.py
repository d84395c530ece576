"""Why the eye isn't surer of an area, as players say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.language import _

MOST_NAMED = 2


def doubt_words(reasons: Sequence[str]) -> str:
    """Return the weightiest reasons (`vision.reading.doubt`) in words; "" for none."""
    words = _words()
    return ", ".join(words[reason] for reason in reasons[:MOST_NAMED] if reason in words)


def other_light() -> str:
    """Return the sentence that says that the empty board was photographed in another light."""
    return _("The light isn't that of the empty board's photo.")


def _words() -> Mapping[str, str]:
    return {
        "belief": _("hard to tell"),
        "others": _("much of the board is unclear"),
        "unlike": _("something that's neither board nor piece"),
        "contrast": _("pieces hardly stand out from the board"),
        "light": _("the light has changed"),
        "glare": _("glare"),
        "start": _("unlike the photo of the start"),
        "line": _("a piece on a border"),
        "edge": _("partly out of the picture"),
        "hidden": _("covered"),
        "lost": _("board not found"),
        "place": _("the board's place isn't exact here"),
    }
