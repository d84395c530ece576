"""What a report of a fault gives away: no card of the card game, no hand, nobody's name, no machine's, no folder."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

import pytest

from companion.core import storage
from companion.core.language import _, use_language
from companion.crash.report import crash_of, report, write_report
from companion.demo.generals_player import GeneralsPlayer, set_up
from companion.games.match import GameSession, Match
from companion.games.private_hand import PrivateHands
from companion.settings.layers import Settings
from engine.generals.position import Position
from engine.orders.board import load_board
from engine.orders.wire import step_from_json
from tests.companion.crash.test_crash import raised
from tests.companion.other_games import begun
from tests.companion.sample_games import BOARD, BONUSES

PLAYERS = {"red": "Zoë Quillfeather", "black": "Bartholomäus Ünger"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUNBAI_DATA", str(tmp_path))
    return tmp_path


# ---- cards ----------------------------------------------------------------------------------------


@pytest.fixture
def duel() -> GameSession[Position, Any]:
    """Return a card game of forty steps."""
    match: GameSession[Position, Any] = GameSession.begin(storage.games_dir() / "duel.jsonl", set_up(2))
    player = GeneralsPlayer(2)
    while len(match.steps) < 40:
        step = player.step(match.position)
        assert step is not None
        assert match.offer(step).legal
    return match


def cards_of(position: Position) -> set[str]:
    """All that a card of this game is called."""
    cards = [card for side in position.sides for card in side.deck.cards.values()]
    return {word for card in cards for word in (card.name, card.title, _(card.title))}


@pytest.mark.parametrize("language", ["en", "pt_BR"])
def test_a_report_of_the_card_game_names_no_card(duel: GameSession[Position, Any], language: str) -> None:
    use_language(language)
    words = cards_of(duel.position)
    error = raised(KeyError(f"{duel.position!r} {duel.steps!r} {sorted(words)} {duel.path}"))
    text = report(crash_of(error, "DuelTableScene", duel.path), Settings(language=language))
    use_language("en")
    assert {word for word in words if word.casefold() in text.casefold()} == set()
    assert text.count('"deploy": "card ') > 1
    steps = text.partition("game:\n")[2].splitlines()[1:]
    assert len(steps) == 40
    assert {line for line in steps if '"card 1' in line}, "one card has one number"


def test_agreed_generals_are_numbered_with_what_they_wear() -> None:
    match = begun(storage.games_dir() / "duel.jsonl", "generals", steps=0)
    general, item, _event = (
        next(card.name for card in match.position.sides[0].deck.cards.values() if card.kind == kind)
        for kind in ("general", "item", "event")
    )
    stands = {"agreed": "red", "generals": {general: {"zone": "city", "item": item}}, "note": f"Zoë has {item}"}
    step = match.system.read_step({**stands, "resources": match.position.sides[0].resources - 2})
    assert match.offer(step).legal
    text = report(crash_of(raised(KeyError("x")), "DuelTableScene", match.path), Settings())
    assert '"generals": {"card 1": {"zone": "city", "item": "card 2"}}' in text
    assert "Zoë" not in text


def test_what_a_player_noted_of_the_own_hand_is_in_no_message() -> None:
    match = Match.start(storage.games_dir() / "game.jsonl", BOARD, "red", BONUSES)
    match.offer(step_from_json({"deploy": "plan:2", "draw": 2}))
    hands = PrivateHands()
    hands.put(match, match.position, "red", "ambush")
    assert hands.of(match, match.position, "red") == {"ambush": 1}
    assert "ambush" not in f"{hands!r} {hands.notes!r}"


@pytest.mark.parametrize("name", ["sengoku-rivers", "wwii-island"])
def test_cards_of_the_board_game_are_struck_out_in_every_language(name: str) -> None:
    board = load_board(name)
    bonuses = dict(zip(board.slots, board.mode.bonuses, strict=False))
    match = Match.start(storage.games_dir() / "game.jsonl", board.name, board.factions[0], bonuses)
    cards = board.mode.cards
    printed = {word for card in cards.values() for word in (card.title, card.title_pt)} | set(cards) - {""}
    text = report(crash_of(raised(KeyError(" / ".join(printed))), "CardsScene", match.path), Settings())
    told = text.partition("settings:")[0]
    assert {title for title in printed - {""} if title in told} == set()


# ---- people, machines, folders ----------------------------------------------------------------------


def test_a_report_names_nobody(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "node", lambda: "kwisatzhost.fritz.box")
    monkeypatch.setenv("HOME", "/srv/quillfeather")
    path = storage.games_dir() / "Ünger's last stand.jsonl"
    match = Match.start(path, BOARD, "red", BONUSES, PLAYERS)
    assert match.offer(step_from_json({"agreed": {}, "note": "Zoë Quillfeather owes Bartholomäus Ünger"})).legal
    settings = Settings(
        players={"red": "Caspian Holloway"},
        board="caspian holloway's own",
        readers=("/srv/quillfeather/reader", "/home/caspian/other"),
        table=folder / "Holloway.table",
        camera="/dev/holloway-camera",
    )
    error = raised(
        KeyError(f"{PLAYERS} {path} Caspian Holloway on kwisatzhost in /home/bartholomäus, /srv/quillfeather/x")
    )
    text = report(crash_of(error, "TableScene", path), settings).casefold()
    for word in ("zoë", "quillfeather", "bartholom", "ünger", "caspian", "holloway", "kwisatz", "fritz", "last stand"):
        assert word not in text, word
    assert '"agreed": {}' in text
    assert "players" not in text.partition("settings:")[2].partition("game:")[0]


def test_without_a_game_nothing_is_told_of_what_a_fault_says() -> None:
    text = report(crash_of(raised(KeyError("Quillfeather")), "SavedScene"), Settings())
    assert "Quillfeather" not in text
    assert "test_crash.py" in text
    assert "raise error" in text


def test_nor_with_one_that_cannot_be_read(folder: Path) -> None:
    path = folder / "Quillfeather.jsonl"
    path.write_bytes(b'{"do": "new", "players": {"red": "Quillfeather"}, "board": "none"}\n')
    text = report(crash_of(raised(KeyError("Quillfeather")), "SavedScene", path), Settings())
    assert "Quillfeather" not in text
    assert text.endswith("game:\n  MatchError\n")


def test_what_a_side_is_called_is_no_name(folder: Path) -> None:
    match = Match.start(folder / "game.jsonl", BOARD, "red", BONUSES, {"red": "Red", "black": "Al"})
    text = report(crash_of(raised(KeyError("red is all that Al says")), "TableScene", match.path), Settings())
    assert "red is all that […] says" in text
    assert '"initiative": "red"' in text


def test_a_report_can_be_written_of_any_text(folder: Path) -> None:
    match = Match.start(folder / "game.jsonl", BOARD, "red", BONUSES)
    crash = crash_of(raised(KeyError("caf\udce9")), "TableScene", match.path)
    assert "udce9" in write_report(crash, Settings(), folder / "reports").read_text()


def test_causes_and_groups_are_told_by_kind_and_place() -> None:
    def fail() -> None:
        try:
            raise KeyError("Quillfeather")
        except KeyError as error:
            raise ExceptionGroup("Quillfeather", [ValueError("Quillfeather")]) from error

    with pytest.raises(ExceptionGroup) as caught:
        fail()
    text = report(crash_of(caught.value, "HomeScene"), None)
    for word in ("KeyError", "and then:", "ExceptionGroup", "in it:", "ValueError"):
        assert word in text
    assert "settings:" not in text
