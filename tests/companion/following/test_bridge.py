"""The bridge to a broker: what it sends, in which topics, and again whenever the broker may have forgotten."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.core.errors import SettingsError
from companion.following.bridge import Bridge, BridgeSettings, read_settings
from companion.following.follower import Follower
from companion.games.match import Match
from tests.companion.sample_games import BOARD, BONUSES, played

STEPS, _POSITIONS = played()


class Wire:
    """A broker that keeps what it is sent; `fresh` once, and whenever a test says so."""

    def __init__(self) -> None:
        self.new = True
        self.retained: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.sent = 0

    def fresh(self) -> bool:
        new, self.new = self.new, False
        return new

    def publish(self, topic: str, payload: str, retain: bool) -> None:
        self.sent += 1
        if retain:
            self.retained[topic] = payload if topic.endswith("/online") else json.loads(payload)
        else:
            assert topic == "gunbai/kitchen/event"
            self.events.append(json.loads(payload))


@pytest.fixture
def game(tmp_path: Path) -> Match:
    (tmp_path / "games").mkdir()
    return Match.start(tmp_path / "games" / "a.jsonl", BOARD, "red", BONUSES, {"red": "Ana"})


def bridge(tmp_path: Path, wire: Wire, **more: Any) -> Bridge:
    return Bridge(BridgeSettings("broker", table="kitchen", **more), Follower(tmp_path / "games"), wire)


def test_every_event_goes_out_once_and_the_state_is_retained(tmp_path: Path, game: Match) -> None:
    wire = Wire()
    made = bridge(tmp_path, wire)
    made.tick()
    for step in STEPS:
        game.offer(step)
        made.tick()
    sent = wire.sent
    made.tick()
    assert wire.sent == sent
    assert [event["n"] for event in wire.events if event["event"] == "step"] == list(range(1, len(STEPS) + 1))
    state = wire.retained["gunbai/kitchen/state"]
    assert (state["winner"], state["points"], state["running"], state["camera"]) == ("black", "4–6", False, "off")
    assert (state["game"], state["n"], state["round"]) == ("a.jsonl", len(STEPS), 4)


def test_a_broker_that_forgot_is_told_all_again(tmp_path: Path, game: Match) -> None:
    wire = Wire()
    made = bridge(tmp_path, wire)
    made.tick()
    game.offer(STEPS[0])
    made.tick()
    before, events = dict(wire.retained), list(wire.events)
    wire.retained.clear()
    wire.new = True
    made.tick()
    assert (wire.retained, wire.events) == (before, events)


def test_home_assistant_finds_the_table(tmp_path: Path, game: Match) -> None:
    wire = Wire()
    bridge(tmp_path, wire).tick()
    found = {topic: told for topic, told in wire.retained.items() if topic.startswith("homeassistant/")}
    assert "homeassistant/sensor/gunbai_kitchen_turn/config" in found
    assert "homeassistant/binary_sensor/gunbai_kitchen_running/config" in found
    assert len({told["unique_id"] for told in found.values()}) == len(found) == 7
    assert {told["state_topic"] for told in found.values()} == {"gunbai/kitchen/state"}
    assert {told["availability_topic"] for told in found.values()} == {"gunbai/kitchen/online"}
    assert wire.retained["gunbai/kitchen/online"] == "online"
    quiet = Wire()
    bridge(tmp_path, quiet, home_assistant="").tick()
    assert set(quiet.retained) == {"gunbai/kitchen/online", "gunbai/kitchen/state"}


def test_names_stay_at_the_table_unless_they_are_asked_for(tmp_path: Path, game: Match) -> None:
    for names in (False, True):
        wire = Wire()
        bridge(tmp_path, wire, names=names).tick()
        assert ("Ana" in json.dumps([wire.events, wire.retained])) is names


def test_the_settings_name_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "mqtt.toml"
    for text, told in (
        ('table = "a"', "broker: is missing"),
        ('broker = ""', "broker: expected a name or an address"),
        ('broker = "b"\nport = 0', "port: expected 1 to 65535"),
        ('broker = "b"\nport = true', "port: expected a number"),
        ('broker = "b"\ntable = "#"', "table: expected letters"),
        ('broker = "b"\ntopics = "a/+"', "topics: expected letters"),
        ('broker = "b"\nnames = 1', "names: expected true or false"),
        ('broker = "b"\npasswort = "x"', "passwort: no such key; there is broker, port"),
        ("broker = ", "mqtt.toml: "),
    ):
        path.write_text(text)
        with pytest.raises(SettingsError, match=told):
            read_settings(path)
    with pytest.raises(SettingsError, match="can't be read"):
        read_settings(tmp_path / "none.toml")


def test_the_command_reads_its_settings_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mqtt.toml"
    path.write_text('broker = "10.0.0.2"\nport = 8883\ntls = true\ntable = "kitchen"\n')
    assert main(["bridge", str(path), "--check"]) == 0
    assert capsys.readouterr().out == "10.0.0.2:8883, gunbai/kitchen\n"
    path.write_text("")
    assert main(["bridge", str(path)]) == 2
