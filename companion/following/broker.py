"""A connection to an MQTT broker by paho-mqtt, which reconnects by itself and keeps what is not yet acknowledged.

A broker may send anything, and paho-mqtt keeps a message until it is whole: up to 256 MB. Who subscribes to nothing is
owed acknowledgements alone, so a connection on which more is announced is given up before any of it is read.
"""

from __future__ import annotations

import threading
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion.core.log import tell
from companion.following.bridge import OFFLINE, BridgeSettings, online_topic

KEEPALIVE_S = 30
LATEST_S = 30
"""The longest wait between two tries to connect."""
MOST_KEPT = 10_000
"""Messages that wait for a broker; a whole evening has fewer."""
AT_LEAST_ONCE = 1
MOST_READ = 2
"""Bytes that a broker's packet may have after its length: an acknowledgement has two, and no message has so few."""


class Publisher(Client):
    """A client that is sent nothing: on any message its connection is lost."""

    def _sock_recv(self, bufsize: int) -> bytes:
        if bufsize > MOST_READ:
            tell("warning", f"{self.host}: the broker sends {bufsize} bytes that nobody asked for")
            raise ConnectionAbortedError
        return super()._sock_recv(bufsize)


class PahoBroker:
    """Connects in a thread of its own; its last will tells on `online_topic` when the connection is lost."""

    def __init__(self, settings: BridgeSettings) -> None:
        name = f"gunbai-{settings.table}"
        self._client = Publisher(CallbackAPIVersion.VERSION2, client_id=name, clean_session=True)
        self._client.max_queued_messages_set(MOST_KEPT)
        self._client.max_inflight_messages_set(100)
        self._client.reconnect_delay_set(1, LATEST_S)
        self._client.will_set(online_topic(settings), OFFLINE, AT_LEAST_ONCE, retain=True)
        if settings.user:
            self._client.username_pw_set(settings.user, settings.password)
        if settings.tls:
            self._client.tls_set(settings.ca or None)
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._lost
        self._new = threading.Event()
        self._settings = settings

    def start(self) -> None:
        """Connect as soon as the broker can be reached, and again whenever it is lost."""
        self._client.connect_async(self._settings.broker, self._settings.port, KEEPALIVE_S)
        self._client.loop_start()

    def _connected(self, _client: Client, _data: object, _flags: object, reason: Any, _properties: object) -> None:
        if reason.is_failure:
            tell("warning", f"{self._settings.broker}: the broker refuses: {reason}")
        else:
            tell("info", f"{self._settings.broker}: connected")
            self._new.set()

    def _lost(self, _client: Client, _data: object, _flags: object, reason: Any, _properties: object) -> None:
        if reason.is_failure:
            tell("warning", f"{self._settings.broker}: connection lost: {reason}")

    def fresh(self) -> bool:
        """Return whether a new connection has been made since the last call."""
        new = self._new.is_set()
        self._new.clear()
        return new

    def publish(self, topic: str, payload: str, retain: bool) -> None:
        """Send a message, at least once; without a connection, up to ten thousand are kept in memory."""
        self._client.publish(topic, payload, AT_LEAST_ONCE, retain)

    def stop(self) -> None:
        """Publish that the bridge is offline and disconnect, once everything is sent or after a few seconds."""
        if self._client.is_connected():
            last = self._client.publish(online_topic(self._settings), OFFLINE, AT_LEAST_ONCE, retain=True)
            last.wait_for_publish(3.0)
        self._client.disconnect()
        self._client.loop_stop()
