"""Which tag or code is which operation card: a file for each deck in the data folder, `tags/<mode>.toml`.

Every copy of a card has a tag of its own. A file that is damaged is named and set aside, and the deck begins without
tags; nothing else suffers.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from companion.core import storage
from companion.core.errors import TagsError
from companion.core.toml_values import toml_value
from engine.orders.mode import Mode
from intake.errors import Unreadable
from intake.files import read_file
from intake.text import decode_text
from intake.toml_text import MOST_BYTES, parse_toml

HEAD = "# Which card each tag or code is. Written by Gunbai: Settings, The desk, Tags on the cards.\n\n[tags]\n"
LONGEST_CODE = 128


class Tags:
    """The tags linked to the cards of all decks; each deck's file is read when first asked for."""

    def __init__(self) -> None:
        self._known: dict[Path, dict[str, str]] = {}
        self._unread: set[Path] = set()

    def of(self, mode: Mode) -> Mapping[str, str]:
        """Return a deck's {code: card}; TagsError, once, if its file is unreadable, or damaged and so set aside."""
        path = file_of(mode)
        if path not in self._known:
            self._known[path] = {}
            self._unread.add(path)
            self._known[path] = _read(path, mode)
            self._unread.discard(path)
        return self._known[path]

    def _sure_of(self, mode: Mode) -> Mapping[str, str]:
        """Return a deck's {code: card} for changing it, rereading an unreadable file; TagsError if it still is.

        What could not be read is never written over.
        """
        if file_of(mode) in self._unread:
            self._known.pop(file_of(mode), None)
        return self.of(mode)

    def card(self, mode: Mode, code: str) -> str | None:
        """Return the card that a code is linked to; None for an unknown code."""
        return self.of(mode).get(code)

    def codes(self, mode: Mode, card: str) -> tuple[str, ...]:
        """Return the codes linked to a card, in the order in which they were linked."""
        return tuple(code for code, bound in self.of(mode).items() if bound == card)

    def bind(self, mode: Mode, code: str, card: str) -> None:
        """Link a code to a card, whatever it was linked to; TagsError if it is invalid or all copies have one."""
        _check_code(code)
        known = {tag: bound for tag, bound in self._sure_of(mode).items() if tag != code}
        copies = mode.cards[card].copies
        if list(known.values()).count(card) >= copies:
            raise TagsError(f"all copies of {mode.cards[card].heading} already have a tag: {copies}")
        self._keep(mode, {**known, code: card})

    def unbind(self, mode: Mode, code: str) -> None:
        """Unlink a code."""
        self._keep(mode, {tag: bound for tag, bound in self._sure_of(mode).items() if tag != code})

    def _keep(self, mode: Mode, known: dict[str, str]) -> None:
        path = file_of(mode)
        lines = [f"{toml_value(code)} = {toml_value(card)}\n" for code, card in known.items()]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            storage.atomic_write(path, (HEAD + "".join(lines)).encode())
        except OSError as error:
            raise TagsError(f"{path}: can't be written ({error.strerror})") from error
        self._known[path] = known


def file_of(mode: Mode) -> Path:
    """Return the path of the file with the tags of a mode's deck."""
    return storage.data_dir() / "tags" / f"{mode.name}.toml"


def _read(path: Path, mode: Mode) -> dict[str, str]:
    """Return {code: card} from a file, {} if there is none; TagsError if unreadable, or damaged and so set aside."""
    if not os.path.lexists(path):
        return {}
    try:
        return parse(read_file(path, MOST_BYTES), mode)
    except OSError as error:
        raise TagsError(f"{path}: can't be read ({error.strerror})") from error
    except (Unreadable, TagsError) as error:
        aside = _set_aside(path).name
        raise TagsError(f"{path.name}: set aside as {aside}, tag the cards again ({error})") from error


def parse(data: bytes, mode: Mode) -> dict[str, str]:
    """Parse {code: card} from a file's bytes; TagsError or Unreadable with the first fault, not naming the file."""
    found = parse_toml(decode_text(data))
    tags = found.get("tags", {})
    if set(found) - {"tags"} or not isinstance(tags, dict):
        raise TagsError("expected only a section [tags]")
    for code, card in tags.items():
        _check_code(code)
        if not isinstance(card, str) or card not in mode.cards:
            raise TagsError(f"tags.{code}: not a card of this deck: {card!r}")
    for card in set(tags.values()):
        if list(tags.values()).count(card) > mode.cards[card].copies:
            raise TagsError(f"more tags than copies of {card}")
    return tags


def _check_code(code: str) -> None:
    if not code or len(code) > LONGEST_CODE or not code.isprintable():
        raise TagsError(f"no code of a card: {code!r}")


def _set_aside(path: Path) -> Path:
    try:
        return storage.set_aside(path)
    except OSError as error:
        raise TagsError(f"{path}: can't be set aside ({error.strerror})") from error
