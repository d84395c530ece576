"""The index of the saved games, as a stranger may write it: made anew, never believed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pygame
import pytest

from companion.app.app import App
from companion.games.saved import shelf, statistics
from companion.scenes.home.statistics import StatisticsScene
from companion.ui.screen import Intent
from companion.view.window.window import Window
from tests.companion.gallery.gallery import unpainted
from tests.companion.other_games import SYSTEMS, file_of
from tests.companion.sample_games import REQUEST, lines_of, saved
from tests.companion.touching import Hand

pytestmark = pytest.mark.long

GAME = lines_of({**REQUEST, "players": {"red": "Ana", "black": "Bo"}})
SIZE = (800, 480)


def values() -> Iterator[object]:
    """Yield values that may stand in the place of any other."""
    yield from (
        None,
        True,
        -1,
        0,
        1.5,
        10**15,
        "",
        "x" * 5000,
        "\0\x1b",
        [],
        {},
        [[]],
        {"a": []},
        ["red"],
        {"red": "x"},
    )
    yield from ([None, None], [1, 2], "purple", "orders", "sonae", ["red", "black"], ["maru", "shikaku"], ["x"] * 90)


def shelf_of_all(games: Path) -> None:
    (games / "one.jsonl").write_bytes(GAME)
    (games / "over.jsonl").write_bytes(saved())
    (games / "torn.jsonl").write_text("{")
    for system in SYSTEMS:
        file_of(games, system, name=system)


def look_round(games: Path) -> None:
    """Look at all that shows saved games, each drawn."""
    window = Window(App(), pygame.display.set_mode(SIZE))
    for verb in ("saved", "search", "cancel"):
        window.hand(Intent(verb))
        window.refresh()
    for path in games.glob("*.jsonl"):
        window.hand(Intent("game", path.name))
        window.refresh()
        window.hand(Intent("back"))
    for verb in ("back", "new", "back", "statistics"):
        window.hand(Intent(verb))
        window.refresh()
    scene = window.app.scene
    assert isinstance(scene, StatisticsScene)
    scene.wait()
    for tab in ("players", "games", "play"):
        window.hand(Intent("tab", tab))
        window.refresh()


def told(games: Path) -> list[object]:
    """Return what the shelf, in the order of names, and the statistics say."""
    facts = [
        (game.path.name, game.title, game.players, game.winner, game.steps, game.fault) for game in shelf.saved_games()
    ]
    return [*sorted(facts, key=lambda fact: fact[0]), statistics.gather(games)]


@pytest.mark.parametrize("name", [shelf.INDEX, statistics.INDEX])
def test_an_entry_of_wrong_values_is_read_anew(games: Path, name: str) -> None:
    shelf_of_all(games)
    right = told(games)
    index = games / name
    good: dict[str, dict[str, Any]] = json.loads(index.read_bytes())
    key = "one.jsonl"
    for fact in good[key]:
        for value in values():
            if value == good[key][fact] or fact == "order":
                continue
            index.write_text(json.dumps({**good, key: {**good[key], fact: value}}))
            shelf.forget()
            found = told(games)
            if fact in HANG_TOGETHER:
                assert found == right, (fact, value)
            if name == shelf.INDEX:
                Hand(App()).press("Saved games").text()


HANG_TOGETHER = {"state", "sides", "needs"}
"""Another value here cannot be right; elsewhere a stranger may say what could be so, and nothing breaks."""


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n\n",
        b"{",
        b"[]",
        b"3",
        b'"one.jsonl"',
        b'{"one.jsonl": 3}',
        b'{"one.jsonl": {"state": [1, 2]}}',
        b'{"one.jsonl": {"state": [NaN, 2], "order": 1}}',
        b'{"one.jsonl": {"state": [1e400, 2], "order": Infinity}}',
        b'{"one.jsonl": {"state": [' + b"9" * 400 + b", 2], " + b'"order": 1}}',
        b'{"one.jsonl": {"state": [1, 2], "order": ' + b"9" * 5000 + b"}}",
        b'{"one.jsonl": ' + b"[" * 3000 + b"]" * 3000 + b"}",
        b'{"a":' * 100_000,
        b'{"/zz": {"state": [1, 2], "order": 1}, "/": {"state": [1, 2], "order": 2}}',
        b'{"gone.jsonl": {"state": [1, 2], "order": 5, "board": "x"}, "../x": {"state": [1, 2], "order": 6}}',
        b'{"one.jsonl": {"state": [1, 2], "order": 1, "\\ud800": "\\udfff"}}',
        b"\xff\xfe\x00",
        b"\0" * 5000,
        b"{}\n" * 100_000,
    ],
)
@pytest.mark.parametrize("name", [shelf.INDEX, statistics.INDEX])
def test_an_index_of_anything_is_made_anew(games: Path, name: str, content: bytes) -> None:
    shelf_of_all(games)
    right = told(games)
    (games / name).write_bytes(content)
    shelf.forget()
    assert told(games) == right
    shelf.forget()
    assert told(games) == right


def test_an_index_with_bytes_that_were_changed_is_made_anew(games: Path) -> None:
    shelf_of_all(games)
    right, rng = told(games), random.Random(3)
    for name in (shelf.INDEX, statistics.INDEX):
        good = (games / name).read_bytes()
        for _try in range(30):
            bad = bytearray(good)
            for _byte in range(rng.randint(1, 6)):
                bad[rng.randrange(len(bad))] = rng.randrange(256)
            (games / name).write_bytes(bytes(bad[: rng.randint(1, len(bad))]))
            shelf.forget()
            assert len(told(games)) == len(right)
            with suppress(FileNotFoundError):
                (games / name).unlink()
    shelf.forget()
    assert told(games) == right


def test_an_index_far_too_long_is_not_read(games: Path) -> None:
    shelf_of_all(games)
    right = told(games)
    with (games / shelf.INDEX).open("wb") as file:
        file.truncate(3_000_000_000)
    shelf.forget()
    assert told(games) == right
    assert (games / shelf.INDEX).stat().st_size < 10_000, "it is written anew"


def test_what_a_stranger_says_of_games_is_drawn(games: Path) -> None:
    """Words are painted too, as letters may break that."""
    shelf_of_all(games)
    told(games)
    good: dict[str, dict[str, Any]] = json.loads((games / shelf.INDEX).read_bytes())
    for n, value in enumerate(values()):
        odd = {name: dict(entry) for name, entry in good.items()}
        for k, entry in enumerate(odd.values()):
            facts = [fact for fact in entry if fact not in ("state", "order")]
            entry[facts[(n + k) % len(facts)]] = value
        (games / shelf.INDEX).write_text(json.dumps(odd))
        shelf.forget()
        with nullcontext() if isinstance(value, str) else unpainted():
            look_round(games)
