"""The texts for the translators: `python -m tests.catalogue` renews the template, and what is made of it.

    companion/locale/gunbai.pot                          every text there is, with the place where it is said
    companion/locale/<language>/LC_MESSAGES/gunbai.po    a translator's work, which the program reads as it is; new
                                                         texts are added to it, empty

A new language: copy the template to a folder of its code (`de`, `pt_BR`), translate, and run this.
"""

from __future__ import annotations

import ast
import io
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
LOCALE = ROOT / "companion" / "locale"
TEMPLATE = LOCALE / "gunbai.pot"
SPOKEN_BY = {"_": 1, "say": 1, "mark": 1, "gettext": 1, "plural": 2, "pair": 2}
"""The functions that texts go through, with how many forms of its text each takes."""
SPOKEN = (
    "text",
    "holds",
    "fails",
    "fails_none",
    "question",
    "default",
    "other",
    "condition",
    "title",
    "differs",
    "likely",
)
"""The keys of the engine's data that hold texts for people."""
MANY = "_many"
"""What follows a key that holds the form of its text for more than one."""
SOUGHT = "tags"
"""The key of the words that lead to a section of the rules when a player searches them."""
AS_PRINTED = ("cards", "bonuses", "boards")
"""The data whose titles stay as they are printed on the game."""
WORDS = (
    *("red", "black", "blue", "yellow", "land", "water", "air"),
    *("troop", "ship", "siege", "aircraft", "commander", "card", "headquarters"),
)
"""Words that the engine puts into its sentences by themselves."""

NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)
"""Dates would change a file in which no text did."""

Text = str | tuple[str, ...]


def texts(*folders: str) -> Iterator[tuple[Text, str]]:
    """Every text of these rooms, or of all, and of the engine's data, with the file in which it is said."""
    for folder in folders or ("engine", "companion"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            yield from ((text, name) for text in spoken_in(path))
    for path in sorted((ROOT / "engine" / "data").rglob("*.toml")):
        titled = path.parent.name not in AS_PRINTED
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        yield from ((text, path.relative_to(ROOT).as_posix()) for text in _told(data, titled))
    yield from ((word, "engine/data") for word in WORDS)


@cache
def spoken_in(path: Path) -> tuple[Text, ...]:
    """Return the texts in a Python file, which is read once."""
    return tuple(spoken(path.read_text(encoding="utf-8")))


def spoken(source: str) -> Iterator[Text]:
    """Yield the texts in a Python file, read from its syntax tree, which is the same on every Python."""
    for call in calls(ast.parse(source)):
        forms = [node.value for node in said(call) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        if forms and len(forms) == len(said(call)) and all(forms):
            yield forms[0] if len(forms) == 1 else tuple(forms)


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Every call of a function that texts go through, or of a method that is called like one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in SPOKEN_BY:
            yield node


def said(call: ast.Call) -> list[ast.expr]:
    """Return the arguments of a call that are forms of its text."""
    return call.args[: SPOKEN_BY[_name(call.func)]]


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _told(data: object, titled: bool) -> Iterator[Text]:
    """Yield the texts in a data file, at any depth."""
    if isinstance(data, list):
        for item in data:
            yield from _told(item, titled)
    if not isinstance(data, dict):
        return
    for key, value in data.items():
        if isinstance(value, str) and key in SPOKEN and value and (titled or key != "title"):
            yield (value, data[key + MANY]) if key + MANY in data else value
        if key == SOUGHT and isinstance(value, list):
            yield from (word for word in value if not word.isdigit())
        yield from _told(value, titled)


def template() -> Catalog:
    """Every text once, with all the files that say it."""
    found = Catalog(project="Gunbai", charset="utf-8", fuzzy=False, creation_date=NO_DATE)
    for text, file in texts():
        found.add(text, locations=[(file, 0)])
    return found


def catalogue(path: Path) -> Catalog:
    """Read a translation from its file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parents[1].name)


def translations() -> list[Path]:
    """Return the paths of the translators' files."""
    return sorted(LOCALE.glob("*/LC_MESSAGES/gunbai.po"))


def messages(found: Catalog) -> list[Message]:
    """All but the head."""
    return [message for message in found if message.id]


def written(found: Catalog) -> bytes:
    """Return a catalogue as a file without dates or line numbers, so that it changes only when a text does."""
    file = io.BytesIO()
    write_po(file, found, omit_header=found.locale is None, include_lineno=False, width=110, sort_output=True)
    return file.getvalue()


def renew() -> list[str]:
    """Write the template anew, and what follows from it; return what is still to be translated, by language."""
    whole = template()
    LOCALE.mkdir(exist_ok=True)
    TEMPLATE.write_bytes(written(whole))
    told = [f"{TEMPLATE.name}: {len(messages(whole))} texts"]
    for path in translations():
        found = catalogue(path)
        found.update(whole, no_fuzzy_matching=True)
        found.obsolete.clear()
        path.write_bytes(written(found))
        told += _untranslated(path, found)
    return told


def _untranslated(path: Path, found: Catalog) -> list[str]:
    """Return a line for the language, and one for each text that it lacks."""
    missing = [message for message in messages(found) if not all(_forms(message))]
    asked = [message.id if isinstance(message.id, str) else message.id[0] for message in missing]
    return [f"{path.parents[1].name}: {len(missing)} to translate", *(f"  {text!r}" for text in sorted(asked))]


def _forms(message: Message) -> tuple[str, ...]:
    return tuple(message.string) if isinstance(message.string, tuple | list) else (message.string or "",)


if __name__ == "__main__":
    sys.stdout.write("\n".join(renew()) + "\n")
