"""The stream of events: each step once, and after undo, a new game, damage or a restart how it is now."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from companion.core.language import speaking
from companion.following.follower import CAMERA, KEPT, SCAN_EVERY, Event, Follower, in_words, step_event
from companion.games.live_note import LiveNoteWriter, place, read_note
from companion.games.match import SESSIONS, Match, open_game
from engine.systems import system_named
from tests.companion.sample_games import BOARD, BONUSES, played, saved

STEPS, POSITIONS = played()


def looked(follower: Follower) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(event)) for event in follower.look()]


def names(events: list[dict[str, Any]]) -> list[str]:
    return [event["event"] for event in events]


def state(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the last of each kind of event that holds until the next one."""
    return {event["event"]: {k: v for k, v in event.items() if k != "n"} for event in events if event["event"] in KEPT}


@pytest.fixture
def games(tmp_path: Path) -> Path:
    (tmp_path / "games").mkdir()
    return tmp_path / "games"


@pytest.fixture
def game(games: Path) -> Match:
    return Match.start(games / "first.jsonl", BOARD, "red", BONUSES)


def fresh(games: Path) -> dict[str, Any]:
    """Return what is told to whoever begins to follow now."""
    return state(looked(Follower(games)))


def test_nothing_is_told_where_nothing_is_played(games: Path) -> None:
    follower = Follower(games)
    assert looked(follower) == [
        {"event": "app", "running": False},
        {"event": "camera", "state": "off"},
        {"event": "game", "game": None},
    ]
    assert looked(follower) == []


def test_a_whole_game_is_told_step_by_step(games: Path, game: Match) -> None:
    follower, told = Follower(games), []
    begun = looked(follower)
    assert names(begun) == ["app", "camera", "game", *KEPT]
    assert begun[2] | {"event": "", "players": ""} == {
        "event": "",
        "game": "first.jsonl",
        "system": "orders",
        "board": BOARD,
        "sides": ["red", "black"],
        "players": "",
        "steps": 0,
    }
    for n, step in enumerate(STEPS, 1):
        assert game.offer(step).legal
        events = looked(follower)
        assert (events[0]["event"], events[0]["n"]) == ("step", n)
        assert events[0]["text"]
        assert looked(follower) == []
        told += events
    assert state(begun + told) == fresh(games)
    assert state(told)["winner"]["winner"] == POSITIONS[-1].winner_name
    assert state(told)["score"]["score"] == {"red": 4, "black": 6}
    assert [event["round"] for event in told if event["event"] == "round"] == [2, 3, 4]
    assert any(event["owed"] for event in told if event["event"] == "owed")


def test_of_a_game_that_goes_on_the_new_lines_alone_are_read(
    games: Path, game: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    follower = Follower(games)
    looked(follower)
    monkeypatch.setattr("companion.following.follower.read_game", lambda path: pytest.fail(f"{path} is read again"))
    for step in STEPS[:3]:
        game.offer(step)
        assert names(looked(follower))[0] == "step"


def test_undo_and_a_correction_lead_to_what_is_there(games: Path, game: Match) -> None:
    follower = Follower(games)
    for step in STEPS[:9]:
        game.offer(step)
    told = looked(follower)
    game.undo(3)
    undone = looked(follower)
    assert undone[0] == {"event": "undo", "game": "first.jsonl", "n": 6}
    assert state(told + undone) == fresh(games)
    game.redo(2)
    assert [event["n"] for event in looked(follower) if event["event"] == "step"] == [7, 8]
    game.offer(STEPS[8])
    assert [event["n"] for event in looked(follower) if event["event"] == "step"] == [9]


def test_an_end_that_is_undone_is_none(games: Path, game: Match) -> None:
    for step in STEPS:
        game.offer(step)
    follower = Follower(games)
    assert state(looked(follower))["winner"]["winner"] == "black"
    game.undo()
    assert state(looked(follower))["winner"] == {"event": "winner", "game": "first.jsonl", "winner": "", "reason": ""}


def test_a_new_game_is_followed(games: Path, game: Match) -> None:
    follower = Follower(games)
    looked(follower)
    Match.start(games / "second.jsonl", BOARD, "black", BONUSES)
    os.utime(games / "second.jsonl", ns=(0, 0))  # a clock without a battery
    told = [event for _ in range(SCAN_EVERY) for event in looked(follower)]
    assert told[0]["game"] == "second.jsonl"
    assert state(told)["turn"]["to_move"] == "black"
    game.offer(STEPS[0])
    told = [event for _ in range(SCAN_EVERY) for event in looked(follower)]
    assert (told[0]["game"], told[0]["steps"]) == ("first.jsonl", 1)


def test_a_new_game_is_followed_though_the_last_one_has_only_just_changed(games: Path, game: Match) -> None:
    follower = Follower(games)
    looked(follower)
    game.offer(STEPS[0])
    assert looked(follower)[0]["n"] == 1
    game.offer(STEPS[1])
    Match.start(games / "another.jsonl", BOARD, "black", BONUSES)
    later = (games / "first.jsonl").stat().st_mtime_ns + 1
    os.utime(games / "another.jsonl", ns=(later, later))
    told = [event for _ in range(2 * SCAN_EVERY) for event in looked(follower)]
    assert [event["game"] for event in told if event["event"] == "game"] == ["another.jsonl"]


def test_a_torn_line_is_waited_for_and_a_cut_one_is_gone(games: Path, game: Match) -> None:
    for step in STEPS[:4]:
        game.offer(step)
    whole = game.path.read_bytes()
    follower = Follower(games)
    looked(follower)
    game.offer(STEPS[4])
    longer = game.path.read_bytes()
    game.path.write_bytes(longer[:-9])
    assert names(looked(follower)) == []
    game.path.write_bytes(longer)
    assert "step" in names(looked(follower))
    game.path.write_bytes(longer[:-9])  # the power went
    cut = looked(follower)
    assert cut[0] == {"event": "undo", "game": "first.jsonl", "n": 4}
    game.close()
    game.path.write_bytes(longer[:-9])
    again = open_game(game.path)
    assert again.path.read_bytes() == whole
    again.offer(STEPS[4])
    assert [event["n"] for event in looked(follower) if event["event"] == "step"] == [5]


def test_zeros_and_noise_are_no_event_and_no_end(games: Path, game: Match) -> None:
    follower = Follower(games)
    looked(follower)
    good = game.path.read_bytes()
    for spoiled in (b"\0" * 300, b"", b"{}\n", good + b"\0" * 50, good[:40]):
        game.path.write_bytes(spoiled)
        assert [event for event in looked(follower) if event["event"] != "undo"] == []
    game.path.write_bytes(good)
    looked(follower)
    game.path.unlink()
    assert looked(follower) == [{"event": "game", "game": None}]


def test_a_game_that_begins_anew_under_the_same_name_is_another(games: Path, game: Match) -> None:
    follower = Follower(games)
    game.offer(STEPS[0])
    looked(follower)
    game.path.write_bytes(saved(seed=3, steps=2).replace(b'"red"', b'"red" ', 1))
    told = looked(follower)
    assert (told[0]["event"], told[0]["steps"]) == ("game", 2)


def test_a_battle_is_followed_too(games: Path) -> None:
    battle = SESSIONS.of("sonae").begin(games / "b.jsonl", {"do": "new", "system": "sonae", "scenario": "maru-shikaku"})
    told = looked(Follower(games))
    assert told[2]["system"] == "sonae"
    assert set(state(told)["score"]["score"]) == {"maru", "shikaku"}
    battle.close()


def test_cards_drawn_are_a_number() -> None:
    system = system_named("orders")
    step = system.read_step({"deploy": "plan:1", "draw": ["ambush"]})
    event = step_event(system, "a", 1, step, POSITIONS[0])
    assert event["step"] == {"deploy": "plan:1", "draw": 1}
    assert "mbush" not in json.dumps(event)


def test_events_are_told_in_words(games: Path, game: Match) -> None:
    follower = Follower(games)
    told = [in_words(event) for event in follower.look()]
    assert told[:2] == ["Gunbai isn't running", "the camera is off"]
    assert told[2].endswith("sengoku-rivers, red against black, 0 steps")
    assert told[3:] == ["round 1", "red to move", "nothing is owed", "score: red 0, black 0", "nobody has won yet"]
    game.offer(STEPS[0])
    assert in_words(next(iter(follower.look()))) == "1: Red advances to c5 with 2 troops from d5"


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ({"event": "app", "running": True}, "Gunbai is running"),
        ({"event": "camera", "state": "sync"}, "the board matches the game"),
        ({"event": "camera", "state": "asleep"}, "the camera: asleep"),
        ({"event": "game", "game": None}, "no game on the table"),
        (
            {"event": "game", "game": "a", "board": "", "sides": ["x", "y"], "players": {"x": "Ana"}, "steps": 1},
            "a, x (Ana) against y, 1 step",
        ),
        ({"event": "game", "game": "a", "board": "b", "sides": ["x"], "players": {}, "steps": 2}, "a, b, x, 2 steps"),
        ({"event": "undo", "n": 1}, "undone: 1 step is left"),
        ({"event": "turn", "to_move": ""}, "nobody to move"),
        ({"event": "owed", "owed": {"wants": "roll", "message": "Black rolls 2 dice"}}, "Black rolls 2 dice"),
        ({"event": "owed", "owed": {"wants": "roll"}}, "roll"),
        ({"event": "score", "score": {"maru": {"units": 3, "fled": 1}}}, "score: maru (units 3, fled 1)"),
        ({"event": "score", "score": {}}, "score: –"),
        ({"event": "winner", "winner": "red", "reason": "victory points"}, "red wins: victory points"),
        ({"event": "winner", "winner": "red", "reason": ""}, "red wins"),
        ({"event": "weather"}, "weather"),
    ],
)
def test_every_event_is_a_plain_sentence(event: Event, told: str) -> None:
    assert in_words(event) == told


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ({"event": "turn", "to_move": "red"}, "Vez de Vermelho"),
        ({"event": "score", "score": {"red": 4, "black": 6}}, "placar: Vermelho 4, Preto 6"),
        ({"event": "winner", "winner": "black", "reason": "victory_points"}, "Preto vence: pontos de vitória"),
        ({"event": "winner", "winner": "maru", "reason": "agreed"}, "maru vence: por acordo dos jogadores"),
        ({"event": "winner", "winner": "maru", "reason": "luck"}, "maru vence: luck"),
    ],
)
def test_sides_and_reasons_are_told_in_the_language_in_use(event: dict[str, Any], told: str) -> None:
    with speaking("pt_BR"):
        assert in_words(event) == told


def test_every_state_of_the_camera_has_a_sentence() -> None:
    assert set(CAMERA) >= {"off", "lost", "waiting", "hand", "moving", "sync", "unsure", "proposal", "out", "ignored"}


# ---- the note of the running app --------------------------------------------------------------------------------


def test_the_app_says_which_game_and_what_the_camera_does(games: Path, game: Match, tmp_path: Path) -> None:
    note = tmp_path / "run" / "live.json"
    noted, follower = LiveNoteWriter(note), Follower(games, note)
    other = Match.start(games / "other.jsonl", BOARD, "black", BONUSES)
    noted.tell(game.path, "sync")
    told = looked(follower)
    assert told[:3] == [
        {"event": "app", "running": True},
        {"event": "camera", "state": "sync"},
        told[2] | {"game": "first.jsonl"},
    ]
    noted.tell(other.path, "lost")
    assert [(event["event"], event.get("game")) for event in looked(follower)][:2] == [
        ("camera", None),
        ("game", "other.jsonl"),
    ]
    noted.forget()
    assert looked(follower)[:2] == [{"event": "app", "running": False}, {"event": "camera", "state": "off"}]


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "{}", '{"camera": 3, "pid": 1}'),
        *(f'{{"camera": "off", "pid": {pid}}}' for pid in ("-1", "2147483646", "9" * 500)),
    ],
)
def test_what_is_no_note_of_a_running_app_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "live.json").write_text(text)
    assert read_note(tmp_path / "live.json") is None


def test_where_the_note_lies() -> None:
    assert place({}) is None
    assert place({"XDG_RUNTIME_DIR": "/run/user/1000"}) == Path("/run/user/1000/gunbai/live.json")
    assert place({"GUNBAI_LIVE": "/run/x", "XDG_RUNTIME_DIR": "/run/user/1"}) == Path("/run/x/live.json")


def test_a_folder_that_refuses_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    noted = LiveNoteWriter(tmp_path / "file" / "live.json")
    noted.tell(None, "off")
    noted.forget()
    LiveNoteWriter(None).tell(None, "off")
