"""Catalogues of texts as translators write them (GNU gettext's .po), within limits: none is trusted to be sound."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Mapping

from intake.errors import Unreadable
from intake.text import decode_text

MOST_BYTES = 4_000_000
NUMBERS = range(200)
"""Each of them has to have a form: one that can't be worked out would be found out far from here."""

_ASIDE = r"((?:\n|#.*\n)*+)"
_ENTRY = re.compile(
    rf'{_ASIDE}msgid "(.*)"\n(?:msgstr "(.*)"\n|msgid_plural "(.*)"\n((?:msgstr\[[0-9]\] ".*"\n)++))',
)
_FORM = re.compile(r'msgstr\[([0-9])\] "(.*)"\n')
_END = re.compile(rf"{_ASIDE}\Z")
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_RULE = re.compile(r"plural=([^;]+)")
_PLACE = re.compile(r"\{\w+\}")

Texts = dict[str | tuple[str, int], str]
"""A text to its translation; the first form of a number of things, with the number of a form, to that form."""


class Catalogue(gettext.NullTranslations):
    """The translations of one language; texts without one are returned unchanged."""

    def __init__(self, texts: Texts, form_of: Callable[[int], int], head: Mapping[str, str]) -> None:
        super().__init__()
        self._texts, self._form_of, self._head = texts, form_of, head

    def gettext(self, message: str) -> str:
        """Return a text's translation; the form for one thing if the text has several forms."""
        found = self._texts.get(message)
        return self._texts.get((message, self._form_of(1)), message) if found is None else found

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the translation in the form that goes with the number `n`."""
        found = self._texts.get((msgid1, self._form_of(n)))
        return super().ngettext(msgid1, msgid2, n) if found is None else found

    def info(self) -> dict[str, str]:
        """Return the file's header, {name in lower case: value}."""
        return dict(self._head)


def parse_po(data: bytes) -> Catalogue:
    """Parse a catalogue; raise Unreadable if it is none.

    Left out: what isn't translated, is marked fuzzy, or has places in braces that the original lacks.
    """
    texts = _texts_of(decode_text(data).replace("\r\n", "\n") + "\n")
    parted = (line.partition(":") for line in str(texts.pop("", "")).split("\n") if ":" in line)
    head = {name.strip().lower(): value.strip() for name, _colon, value in parted}
    rule = _RULE.search(head.get("plural-forms", "plural=n!=1;"))
    if rule is None:
        raise Unreadable("not a text catalogue, or damaged (no rule for plurals)")
    try:
        form_of = gettext.c2py(rule[1])
        for n in NUMBERS:
            form_of(n)
    except (ValueError, ArithmeticError) as error:
        raise Unreadable(f"not a text catalogue, or damaged ({error})") from error
    return Catalogue(texts, form_of, head)


def _texts_of(lines: str) -> Texts:
    """Return all that is translated; Unreadable where not all of it is a catalogue."""
    text = lines.replace('"\n"', "")  # a long string goes on in the next line
    texts: Texts = {}
    end = 0
    while entry := _ENTRY.match(text, end):
        end = entry.end()
        comments, msgid, msgstr, many, forms = entry.groups()
        if "fuzzy" in comments and _FUZZY.search(comments):
            continue
        if msgstr and _can_be_filled(msgstr, msgid):
            texts[_unescape(msgid)] = _unescape(msgstr)
        elif forms:
            for which, form in _FORM.findall(forms):
                if form and _can_be_filled(form, msgid + many):
                    texts[_unescape(msgid), int(which)] = _unescape(form)
    if not end or not _END.match(text, end):
        raise Unreadable(f"not a text catalogue, or damaged (at text {len(texts) + 1})")
    return texts


def _can_be_filled(told: str, text: str) -> bool:
    """Return whether what fills the places of a text fills its translation too; a text with other braces has none."""
    if "{" not in told and "}" not in told:
        return True
    bare, rest = _PLACE.sub("", text), _PLACE.sub("", told)
    if "{" in bare or "}" in bare:
        return True
    return "{" not in rest and "}" not in rest and {*_PLACE.findall(told)} <= {*_PLACE.findall(text)}


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text) if "\\" in text else text
