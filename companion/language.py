"""The words on the screen in the language of the table; English where there is no catalogue for it.

Texts are wrapped as `_("Undo")`, with named places: `_("{faction} to move").format(faction=...)`; with a number that
decides the form, as `plural("{n} card", "{n} cards", n)`, other places named as well: `plural(…, n, who=...)`.
"""

from __future__ import annotations

import gettext
from functools import lru_cache
from pathlib import Path

from engine.words import speak

CATALOGUES = Path(__file__).parent / "locale"


class _Chosen:
    """The catalogue in use; none is opened before a language is asked for."""

    catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use_language(language: str) -> None:
    """Speak this language from now on ("en", "pt_BR"); English where its catalogue is missing."""
    _Chosen.catalogue = gettext.translation("gunbai", CATALOGUES, [language], fallback=True)
    speak(_, _Chosen.catalogue.ngettext)


@lru_cache(maxsize=1)
def languages() -> dict[str, str]:
    """{code: its name in itself} of every language there is: English, and each that has a catalogue."""
    codes = sorted(path.parent.parent.name for path in CATALOGUES.glob("*/LC_MESSAGES/gunbai.mo"))
    return {"en": "English"} | {code: _own_name(code) for code in codes if code != "en"}


def _own_name(code: str) -> str:
    """What a catalogue says for "English": a translator puts the language's own name there."""
    name = gettext.translation("gunbai", CATALOGUES, [code]).gettext("English")
    return code if name == "English" else name


def _(text: str) -> str:
    """The text in the chosen language."""
    return _Chosen.catalogue.gettext(text) if text else ""  # gettext answers "" with the head of its file


def plural(one: str, many: str, n: int, **facts: object) -> str:
    """The text in the chosen language, in its form for `n` things, with `{n}` and its other places filled in."""
    return _Chosen.catalogue.ngettext(one, many, n).format(n=n, **facts)
