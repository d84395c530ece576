"""A table's events handed to an MQTT broker: each event once, how things are now retained, and Home Assistant told.

    gunbai/TABLE/event    every event of `gunbai follow`, not retained
    gunbai/TABLE/state    one JSON object with how things are now, retained
    gunbai/TABLE/online   "online"; "offline" once the bridge or its network is gone, retained

It only goes out: it subscribes to nothing, so nothing that others send is read. The file that switches it on says which
broker, as whom, and what is told.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol

from companion.core.errors import SettingsError
from companion.following.follower import Event, Follower
from intake.errors import Unreadable
from intake.files import read_file_or_pipe
from intake.toml_text import parse_toml

# ---- the settings -----------------------------------------------------------------------------

MOST_BYTES = 20_000
WORD = re.compile(r"[A-Za-z0-9_-]{1,40}")
PATH = re.compile(r"[A-Za-z0-9_-]{1,40}(/[A-Za-z0-9_-]{1,40}){0,4}")
HOST = re.compile(r"[A-Za-z0-9.:_-]{1,253}")


@dataclass(frozen=True, slots=True)
class BridgeSettings:
    """The settings of the bridge.

    broker: a name or an address; table: this table's name in topics; user, password: "" for none; tls: whether
    to use TLS; ca: a file with the authority to trust, "" for the system's; topics: what they begin with;
    home_assistant: where its discovery looks, "" for no discovery; names: whether the players' names are told.
    """

    broker: str
    port: int = 1883
    table: str = "table"
    user: str = ""
    password: str = ""
    tls: bool = False
    ca: str = ""
    topics: str = "gunbai"
    home_assistant: str = "homeassistant"
    names: bool = False


FORMS: Mapping[str, re.Pattern[str]] = {
    "broker": HOST,
    "table": WORD,
    "topics": PATH,
    "home_assistant": re.compile(f"(?:{PATH.pattern})?"),
}
KINDS: Mapping[str, type] = {"port": int, "tls": bool, "names": bool}


def read_settings(path: Path) -> BridgeSettings:
    """Read the settings in a file; SettingsError, naming file and key, for anything invalid."""
    try:
        told = parse_toml(read_file_or_pipe(path, MOST_BYTES).decode())
    except OSError as error:
        raise SettingsError(f"{path}: can't be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: not UTF-8 text") from error
    except Unreadable as error:
        raise SettingsError(f"{path}: {error}") from error
    if fault := next((f"{key}: {why}" for key, value in told.items() if (why := _fault(key, value))), ""):
        raise SettingsError(f"{path}: {fault}")
    if "broker" not in told:
        raise SettingsError(f"{path}: broker: is missing")
    return BridgeSettings(**told)


def _fault(key: str, value: Any) -> str:
    """Say what is wrong with a key's value; "" if nothing is."""
    known = [field.name for field in fields(BridgeSettings)]
    if key not in known:
        return f"no such key; there is {', '.join(known)}"
    kind = KINDS.get(key, str)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return f"expected {'a number' if kind is int else 'true or false' if kind is bool else 'a text'}"
    if isinstance(value, int) and key == "port" and not 0 < value < 65536:
        return "expected 1 to 65535"
    if key in FORMS and not FORMS[key].fullmatch(str(value)):
        return "expected letters, digits, - and _" if key != "broker" else "expected a name or an address"
    return ""


# ---- what goes out ----------------------------------------------------------------------------

ONLINE, OFFLINE = "online", "offline"
SENSORS = {
    "turn": ("Turn", "mdi:account-arrow-right", "{{ value_json.to_move or '–' }}"),
    "round": ("Round", "mdi:counter", "{{ value_json.round }}"),
    "score": ("Score", "mdi:scoreboard", "{{ value_json.points }}"),
    "owed": ("Waiting for", "mdi:dice-multiple", "{{ value_json.owed.wants if value_json.owed else '–' }}"),
    "winner": ("Winner", "mdi:trophy", "{{ value_json.winner or '–' }}"),
    "camera": ("Camera", "mdi:camera", "{{ value_json.camera }}"),
}
"""Home Assistant's sensors: name, icon, and where its value is in the state."""


class Broker(Protocol):
    """A connection to an MQTT broker as the bridge needs it."""

    def fresh(self) -> bool:
        """Return whether the connection is new since the last call, so that retained messages may be lost."""

    def publish(self, topic: str, payload: str, retain: bool) -> None:
        """Send a message, at least once; it is kept while there is no connection."""


class Bridge:
    """Publishes what happens at the table; `tick` is to be called a few times a second."""

    def __init__(self, settings: BridgeSettings, follower: Follower, broker: Broker) -> None:
        self._settings, self._follower, self._broker = settings, follower, broker
        self._base = f"{settings.topics}/{settings.table}"
        self._online_topic = online_topic(settings)
        self.state: dict[str, Any] = {}

    def tick(self) -> None:
        """Publish what has happened and the state after it; on a new connection, everything retained again."""
        before = dict(self.state)
        for event in self._follower.look():
            told = event if self._settings.names else {key: event[key] for key in event if key != "players"}
            self._keep(told)
            self._broker.publish(f"{self._base}/event", json.dumps(told), retain=False)
        fresh = self._broker.fresh()
        if fresh:
            for topic, payload in self.discovery():
                self._broker.publish(topic, json.dumps(payload), retain=True)
            self._broker.publish(self._online_topic, ONLINE, retain=True)
        if fresh or self.state != before:
            self._broker.publish(f"{self._base}/state", json.dumps(self.state), retain=True)

    def _keep(self, event: Event) -> None:
        """Update the state with what an event says."""
        said = {key: value for key, value in event.items() if key not in ("event", "step", "text")}
        match event["event"]:
            case "game":
                kept = {key: value for key, value in self.state.items() if key in ("running", "camera")}
                self.state = kept | said
            case "camera":
                self.state["camera"] = event["state"]
            case "score":
                self.state |= {**said, "points": _points(event["score"])}
            case _:
                self.state |= said

    def discovery(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield Home Assistant's discovery messages, (topic, payload) for each entity; none where it isn't used."""
        table, where = self._settings.table, self._settings.home_assistant
        if not where:
            return
        shared = {
            "availability_topic": self._online_topic,
            "device": {"identifiers": [f"gunbai_{table}"], "name": f"Gunbai {table}", "manufacturer": "Gunbai"},
            "state_topic": f"{self._base}/state",
        }
        for key, (name, icon, template) in SENSORS.items():
            unique = f"gunbai_{table}_{key}"
            told = {"name": name, "icon": icon, "value_template": template, "unique_id": unique}
            yield f"{where}/sensor/{unique}/config", {**shared, **told}
        unique = f"gunbai_{table}_running"
        template = "{{ 'ON' if value_json.running else 'OFF' }}"
        told = {"name": "App", "device_class": "running", "value_template": template, "unique_id": unique}
        yield f"{where}/binary_sensor/{unique}/config", {**shared, **told}


def online_topic(settings: BridgeSettings) -> str:
    """Return the topic that says whether the bridge is there; the connection's last will goes there too."""
    return f"{settings.topics}/{settings.table}/online"


def _points(score: object) -> str:
    """Return a score as people read it, if it is a number for each side: "4–6"; "" for any other."""
    numbers = list(score.values()) if isinstance(score, dict) else []
    return "–".join(map(str, numbers)) if all(isinstance(number, int) for number in numbers) else ""
