"""Games and texts with people's names removed, for reports that somebody sends.

A saved game keeps what its rules need, and the steps. Players are numbered, notes are struck out, and so is whatever
else the file holds; its check values are made anew, so it reads as any other.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from companion.games import checksums
from companion.games.journal import AnyJournal
from companion.games.summary import summary_of
from companion.systems.game_system import game_system

STRUCK = "[…]"
BY_WHOM = ("app", "table")
SHORT = 3  # letters: shorter words occur inside too many others


def anonymous_request(journal: AnyJournal) -> dict[str, Any]:
    """Return a game's `new` request without private values, its players called "Player 1" and "Player 2"."""
    written = journal.request
    system = game_system(journal.system.name)
    needed = ("do", "system", "format", system.needs, *system.request, "readings")
    request = {key: written[key] for key in needed if key in written}
    chance, players = written.get("chance"), written.get("players")
    if isinstance(chance, dict):
        request["chance"] = {what: chance[what] for what in ("initiative", "bonuses") if chance.get(what) in BY_WHOM}
    if isinstance(players, dict):
        sides = [side for side in summary_of(journal).sides if side in players]
        request["players"] = {side: f"Player {n}" for n, side in enumerate(sides, 1)}
    return request


def anonymous_steps(journal: AnyJournal) -> list[dict[str, Any]]:
    """Return the steps as JSON objects, with their notes struck out."""
    written = (journal.system.write_step(step) for step in journal.steps)
    return [step | {"note": STRUCK} if step.get("note") else step for step in written]


def anonymous_game(journal: AnyJournal) -> bytes:
    """Return a saved game as a file's bytes, up to its first fault, without names or notes of people."""
    lines: list[bytes] = []
    for line in (anonymous_request(journal), *anonymous_steps(journal)):
        lines.append(checksums.with_checksum(line, lines))
    return b"".join(lines)


def names_in(journal: AnyJournal) -> set[str]:
    """Return the players' names in a game, without those that are only a side's name."""
    players = journal.request.get("players")
    names = {str(name).strip() for name in players.values()} if isinstance(players, dict) else set()
    sides = {side.casefold() for side in summary_of(journal).sides}
    return {name for name in names if name.casefold() not in sides}


def strike_words(text: str, words: Iterable[str]) -> str:
    """Replace these words in a text by […], in upper or lower case, also inside longer words unless very short.

    >>> strike_words("Zoe's game, lost to ZOE", ["zoe"]), strike_words("Al has all", ["Al"])
    ("[…]'s game, lost to […]", '[…] has all')
    """
    forms = {form for word in words for form in _forms(word)}
    longest_first = sorted(forms, key=len, reverse=True)
    patterns = [re.escape(word) if len(word) >= SHORT else rf"\b{re.escape(word)}\b" for word in longest_first]
    return re.sub("|".join(patterns), STRUCK, text, flags=re.IGNORECASE) if patterns else text


def _forms(word: str) -> set[str]:
    """Return the spellings of a word that a text may have: Unicode forms, and escapes of JSON and Python."""
    whole = {word, unicodedata.normalize("NFC", word), unicodedata.normalize("NFD", word)} if word else set()
    escaped: set[str] = set()
    for form in whole:
        as_bytes = form.encode(errors="surrogateescape")
        escaped |= {json.dumps(form)[1:-1], ascii(form)[1:-1], repr(as_bytes)[2:-1]}  # without quotes and b
    return whole | escaped


def rename_throughout(value: Any, names: Mapping[str, str]) -> Any:
    """Replace whole strings by other names throughout a JSON value, keys included; never parts of longer strings.

    >>> rename_throughout({"use": "fox", "fox": ["fox", 2]}, {"fox": "card 1"})
    {'use': 'card 1', 'card 1': ['card 1', 2]}
    """
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list | tuple):
        return [rename_throughout(part, names) for part in value]
    if isinstance(value, dict):
        return {names.get(key, key): rename_throughout(part, names) for key, part in value.items()}
    return value
