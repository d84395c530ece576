"""The connection to a broker: what goes over the wire, and that nothing but acknowledgements is taken from it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from select import select

import pytest
from paho.mqtt.enums import MQTTErrorCode

from companion.following.bridge import BridgeSettings
from companion.following.broker import PahoBroker
from tests.patience import PATIENCE_S

CONNECT, CONNACK, PUBLISH, PUBACK, PINGRESP = 1, 2, 3, 4, 13
CLEAN_SESSION = 0b10
HUGE = 0xFFFFFF7F.to_bytes(4)
"""The length of a message of 256 MB."""


class Wire:
    """The broker's end of a connection, byte by byte."""

    def __init__(self, listener: socket.socket) -> None:
        self.end, _peer = listener.accept()
        self.end.settimeout(PATIENCE_S)
        self.read = self.end.makefile("rb")

    def packet(self) -> tuple[int, int, bytes]:
        """Return the next packet: its kind, its flags and what is in it, all shorter than 128 bytes."""
        head, length = self.read.read(2)
        return head >> 4, head & 0xF, self.read.read(length)

    def greet(self) -> bytes:
        """Accept the connection; return what it asked for."""
        kind, _flags, asked = self.packet()
        assert kind == CONNECT
        self.end.sendall(bytes([CONNACK << 4, 2, 0, 0]))
        return asked

    def close(self) -> None:
        self.read.close()
        self.end.close()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as made:
        made.settimeout(PATIENCE_S)
        yield made


@pytest.fixture
def bridge(listener: socket.socket) -> Iterator[PahoBroker]:
    """Yield a bridge that is connected, without the thread that would connect it again."""
    port = listener.getsockname()[1]
    broker = PahoBroker(BridgeSettings("127.0.0.1", port=port, table="kitchen"))
    broker._client.connect("127.0.0.1", port)
    yield broker
    broker._client.disconnect()


@pytest.fixture
def wire(listener: socket.socket, bridge: PahoBroker) -> Iterator[Wire]:
    with closing(Wire(listener)) as made:
        yield made


def look(bridge: PahoBroker) -> MQTTErrorCode:
    """Have the bridge read what the broker has sent."""
    end = bridge._client.socket()
    assert end is not None
    select([end], [], [], PATIENCE_S)
    return bridge._client.loop_read()


def test_what_is_published_arrives_at_least_once(wire: Wire, bridge: PahoBroker) -> None:
    wire.greet()
    assert look(bridge) == MQTTErrorCode.MQTT_ERR_SUCCESS
    assert (bridge.fresh(), bridge.fresh()) == (True, False)
    bridge.publish("gunbai/kitchen/state", "{}", retain=True)
    kind, flags, told = wire.packet()
    assert (kind, flags) == (PUBLISH, 0b0011), "at least once, retained"
    topic_end = 2 + int.from_bytes(told[:2])
    assert (told[2:topic_end], told[topic_end + 2 :]) == (b"gunbai/kitchen/state", b"{}")
    wire.end.sendall(bytes([PUBACK << 4, 2]) + told[topic_end : topic_end + 2] + bytes([PINGRESP << 4, 0]))
    assert look(bridge) == MQTTErrorCode.MQTT_ERR_SUCCESS


def test_the_broker_keeps_no_session_with_somebody_s_subscriptions(wire: Wire) -> None:
    asked = wire.greet()
    flags_at = 2 + int.from_bytes(asked[:2]) + 1
    assert asked[flags_at] & CLEAN_SESSION


@pytest.mark.parametrize(
    "message",
    [
        bytes([PUBLISH << 4]) + HUGE + b"\0\x01a",
        bytes([PUBLISH << 4 | 0b0100]) + HUGE + b"\0\x01a\0\x01",
        bytes([PUBLISH << 4, 4]) + b"\0\x01ab",
        bytes([CONNACK << 4]) + HUGE,
    ],
    ids=["a huge message", "one to be confirmed", "a small one", "a huge greeting"],
)
def test_no_message_is_taken(
    message: bytes, wire: Wire, bridge: PahoBroker, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is announced, the connection goes instead of the memory."""
    wire.greet()
    look(bridge)
    wire.end.sendall(message + bytes(10_000))
    assert look(bridge) == MQTTErrorCode.MQTT_ERR_CONN_LOST
    assert "bytes that nobody asked for" in capsys.readouterr().err
    assert bridge._client.socket() is None
    assert bridge._client._in_packet["packet"] == b""
