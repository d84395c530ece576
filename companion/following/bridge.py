"""A table's events handed to an MQTT broker: each event once, how things are now retained, and Home Assistant told.

    gunbai/TABLE/event    every event of `gunbai follow`, not retained
    gunbai/TABLE/state    one JSON object with how things are now, retained
    gunbai/TABLE/online   "online"; "offline" once the bridge or its network is gone, retained

It only goes out: it subscribes to nothing, so nothing that others send is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Protocol

from companion.following.bridge_settings import BridgeSettings
from companion.following.events import Event
from companion.following.follower import Follower

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
    """What the bridge asks of a connection: `fresh` is whether it is another one than when this was last asked."""

    def fresh(self) -> bool:
        """Return whether the broker may have forgotten what was retained, as the connection is new."""

    def publish(self, topic: str, payload: str, retain: bool) -> None:
        """Send it, at least once; kept while there is no connection."""


class Bridge:
    """Looks at the table and tells the broker; `turn` is to be called a few times a second."""

    def __init__(self, settings: BridgeSettings, follower: Follower, broker: Broker) -> None:
        self._settings, self._follower, self._broker = settings, follower, broker
        self._base = f"{settings.topics}/{settings.table}"
        self._online_topic = online_topic(settings)
        self.state: dict[str, Any] = {}

    def turn(self) -> None:
        """Tell what has happened; all that is retained, where the connection is new."""
        before = dict(self.state)
        for event in self._follower.look():
            told = self._allowed(event)
            self._keep(told)
            self._broker.publish(f"{self._base}/event", json.dumps(told), retain=False)
        fresh = self._broker.fresh()
        if fresh:
            for topic, payload in self.discovery():
                self._broker.publish(topic, json.dumps(payload), retain=True)
            self._broker.publish(self._online_topic, ONLINE, retain=True)
        if fresh or self.state != before:
            self._broker.publish(f"{self._base}/state", json.dumps(self.state), retain=True)

    def _allowed(self, event: Event) -> Event:
        """Return an event without what the owner doesn't want told."""
        return event if self._settings.names else {key: value for key, value in event.items() if key != "players"}

    def _keep(self, event: Event) -> None:
        """Take into the state what an event says of it."""
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
        """Yield (topic, payload) for each of Home Assistant's entities."""
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
    """Write a score as people read it, if it is a number a side: "4–6"; "" for other games."""
    numbers = list(score.values()) if isinstance(score, dict) else []
    return "–".join(map(str, numbers)) if all(isinstance(number, int) for number in numbers) else ""
