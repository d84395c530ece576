"""The words on the screen in the language of the table; English where there is no catalogue for it.

Texts are wrapped as `_("Undo")`, with named places: `_("{faction} to move").format(faction=...)`; with a number that
decides the form, as `plural("{n} card", "{n} cards", n)`, other places named as well: `plural(…, n, who=...)`.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path

from companion.core.errors import reason
from companion.core.log import tell
from engine.words import speak
from intake.errors import Unreadable
from intake.files import read_file
from intake.po_file import MOST_BYTES, parse_po

CATALOGUES = Path(__file__).parents[1] / "locale"
FILE = Path("LC_MESSAGES") / "gunbai.po"
"""The path of a catalogue in its language's folder: the translators' own file, so that nothing has to be built."""
OWN = "languages"
"""The folder, in that of Gunbai's data, of owners' catalogues: CODE.po, used instead of ours of that code."""
CODE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")


ENGLISH = gettext.NullTranslations()
_catalogue: ContextVar[gettext.NullTranslations] = ContextVar("catalogue", default=ENGLISH)
"""The catalogue in use in each context; none is opened before a language is asked for."""
_fault_words: ContextVar[Callable[[str], str]] = ContextVar("fault_words", default=str)
"""Translates the fault of a damaged catalogue for the log."""


def use_language(language: str) -> None:
    """Switch to this language ("en", "pt_BR"), in this context; English if its catalogue is missing or damaged."""
    use_catalogue(catalogue_of(language))


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use this language inside the block, then again the one before."""
    before = _catalogue.get()
    use_language(language)
    try:
        yield
    finally:
        use_catalogue(before)


def use_catalogue(catalogue: gettext.NullTranslations) -> None:
    """Use this catalogue from now on, in the engine, too."""
    _catalogue.set(catalogue)
    speak(_, catalogue.ngettext)


def tell_faults_by(words: Callable[[str], str]) -> None:
    """Set the function that translates the fault of a damaged catalogue for the log; until then it is in English."""
    _fault_words.set(words)


def language_in_use() -> object:
    """Return an object to key caches of texts by, another one whenever the language is switched."""
    return _catalogue.get()


def language_code() -> str:
    """Return the code of the language in use, such as "en" or "pt_BR"; "en" if its catalogue names no valid one."""
    told = _catalogue.get().info().get("language", "en")
    return told if CODE.fullmatch(told) else "en"


def language_tag() -> str:
    """Return the tag of the language in use as web pages write it, such as "en" or "pt-BR"."""
    return language_code().replace("_", "-")


def catalogue_of(language: str) -> gettext.NullTranslations:
    """Load the catalogue of a language, empty if there is none.

    A damaged file is logged; in place of an owner's, Gunbai's own catalogue of that language is used.
    """
    code = code_of(language)
    found, faults = gettext.NullTranslations(), list[str]()
    if code is None or code == "en":
        return found
    for path in dict.fromkeys((_files()[code], *(CATALOGUES / code).glob(str(FILE)))):
        try:
            found = parse_po(read_file(path, MOST_BYTES))
            break
        except (OSError, Unreadable) as error:
            faults.append(f"{path}: {reason(error)}")
    before = _catalogue.set(found)
    for fault in faults:
        _warn_once(fault)
    _catalogue.reset(before)
    return found


@cache
def _warn_once(fault: str) -> None:
    """Log a fault, the first time only."""
    tell("warning", _fault_words.get()(fault))


@lru_cache(maxsize=1)
def languages() -> dict[str, str]:
    """Return {code: the language's own name} of English and every language with a catalogue."""
    return {code: "English" if code == "en" else _own_name(code) for code in _codes()}


def _codes() -> list[str]:
    """Return the codes of English and every language with a catalogue, without opening any."""
    return ["en", *(code for code in sorted(_files()) if code != "en")]


def _files() -> dict[str, Path]:
    """Return {code: path of its catalogue}, the owner's before our own; only our own if packages are missing."""
    found = {path.parents[1].name: path for path in CATALOGUES.glob(f"*/{FILE}")}
    with suppress(ModuleNotFoundError, OSError):
        from companion.core.storage import data_dir

        found |= {path.stem: path for path in (data_dir() / OWN).glob("*.po") if CODE.fullmatch(path.stem)}
    return found


def code_of(text: str) -> str | None:
    """Return the code of the language meant by a text, however it is written; None for an unknown one.

    >>> code_of("pt-BR"), code_of("PT_br"), code_of("tlh")
    ('pt_BR', 'pt_BR', None)
    """
    wanted = text.replace("-", "_").casefold()
    return next((code for code in _codes() if code.casefold() == wanted), None)


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language that a machine is set to (LC_ALL, LC_MESSAGES, LANG), or a related one; else English.

    >>> language_of({"LANG": "pt_PT.UTF-8"}), language_of({"LANG": "pt-BR"})
    ('pt_BR', 'pt_BR')
    """
    named = next(filter(None, (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    wanted = re.split(r"[.@]", named)[0].replace("-", "_")
    kin = [code for code in _codes() if code.partition("_")[0] == wanted.partition("_")[0].casefold()]
    return code_of(wanted) or next(iter(kin), "en")


def _own_name(code: str) -> str:
    """Return a language's own name, which is its catalogue's translation of "English"; the code if there is none."""
    name = catalogue_of(code).gettext("English")
    return code if name == "English" else name


def _(text: str) -> str:
    """Return the text in the language in use."""
    return _catalogue.get().gettext(text) if text else ""  # gettext answers "" with the head of its file


def plural(one: str, many: str, n: int, **facts: object) -> str:
    """Return the text in the language in use, in the form for the number `n`, with `{n}` and `facts` filled in."""
    return _catalogue.get().ngettext(one, many, n).format(n=n, **facts)
