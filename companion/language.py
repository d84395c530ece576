"""The words on the screen in the language of the table; English where there is no catalogue for it.

Texts are wrapped as `_("Undo")`, with named places: `_("{faction} to move").format(faction=...)`; with a number that
decides the form, as `plural("{n} card", "{n} cards", n)`.
"""

from __future__ import annotations

import gettext
from pathlib import Path

CATALOGUES = Path(__file__).parent / "locale"


class _Chosen:
    """The catalogue in use; none is opened before a language is asked for."""

    catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use_language(language: str) -> None:
    """Speak this language from now on ("en", "pt_BR"); English where its catalogue is missing."""
    _Chosen.catalogue = gettext.translation("gunbai", CATALOGUES, [language], fallback=True)


def _(text: str) -> str:
    """The text in the chosen language."""
    return _Chosen.catalogue.gettext(text)


def plural(one: str, many: str, n: int) -> str:
    """The text in the chosen language, in its form for `n` things, with `{n}` filled in."""
    return _Chosen.catalogue.ngettext(one, many, n).format(n=n)
