"""The trial of .ci/mqtt: simulated tables, each with the bridge's own connection, on a broker that is restarted."""

import atexit
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from threading import Lock

ROOT, TABLES, STEPS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
sys.path.insert(0, ROOT)

from paho.mqtt.client import Client  # noqa: E402
from paho.mqtt.enums import CallbackAPIVersion  # noqa: E402

from companion.following.bridge import Bridge, BridgeSettings  # noqa: E402
from companion.following.broker import PahoBroker  # noqa: E402
from companion.following.follower import Follower  # noqa: E402
from companion.games.match import Match  # noqa: E402
from tests.companion.sample_games import BOARD, BONUSES, played  # noqa: E402

PATIENCE_S = 60


class Subscriber:
    """Everything that the broker hands out, by topic."""

    def __init__(self, port):
        self.lock, self.events, self.retained = Lock(), defaultdict(list), {}
        self.client = Client(CallbackAPIVersion.VERSION2, client_id="subscriber", clean_session=True)
        self.client.on_message = self.take
        self.client.on_connect = lambda client, *_rest: client.subscribe("#", 1)
        self.client.connect_async("127.0.0.1", port)
        self.client.loop_start()

    def take(self, _client, _data, message):
        with self.lock:
            if message.topic.endswith("/event"):
                self.events[message.topic].append(json.loads(message.payload))
            else:
                self.retained[message.topic] = message.payload.decode()

    def stop(self):
        self.client.disconnect()
        self.client.loop_stop()


def wait_for(what, condition):
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > PATIENCE_S:
            sys.exit(f"FAILED: {what}: not within {PATIENCE_S} s")
        time.sleep(0.05)
    print(f"ok: {what} ({time.monotonic() - begin:.1f} s)", flush=True)


def start_broker(folder, port):
    settings = folder / "mosquitto.conf"
    settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\nmax_queued_messages 0\n")
    quiet = subprocess.DEVNULL
    broker = subprocess.Popen(["mosquitto", "-c", str(settings)], stdin=quiet, stdout=quiet, stderr=quiet)
    atexit.register(broker.kill)
    return broker


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Table:
    def __init__(self, folder, number, port):
        (folder / "games").mkdir(parents=True)
        self.steps = played(number % 7 + 1)[0][:STEPS]
        self.name = f"t{number:03}"
        self.match = Match.start(folder / "games" / "game.jsonl", BOARD, "red", BONUSES)
        settings = BridgeSettings("127.0.0.1", port, table=self.name)
        self.broker = PahoBroker(settings)
        self.bridge = Bridge(settings, Follower(folder / "games"), self.broker)
        self.broker.start()
        self.bridge.turn()

    def play(self):
        if len(self.match.steps) < len(self.steps):
            self.match.offer(self.steps[len(self.match.steps)])


def told(subscriber, table):
    return [event["n"] for event in subscriber.events[f"gunbai/{table.name}/event"] if event["event"] == "step"]


def has_state(subscriber, table):
    return json.loads(subscriber.retained.get(f"gunbai/{table.name}/state", "{}")) == table.bridge.state


def play(tables, subscriber):
    """Whole games side by side: every step arrives once, in order."""
    begin = time.monotonic()
    for _ in range(STEPS):
        for table in tables:
            table.play()
            table.bridge.turn()
    took = time.monotonic() - begin
    wanted = {table.name: list(range(1, len(table.steps) + 1)) for table in tables}
    wait_for("the last step of every table", lambda: all(len(told(subscriber, t)) >= len(t.steps) for t in tables))
    time.sleep(2)  # for what would come twice
    wrong = [table.name for table in tables if told(subscriber, table) != wanted[table.name]]
    steps, events = sum(map(len, wanted.values())), sum(map(len, subscriber.events.values()))
    print(f"{TABLES} tables, {steps} steps, {events} events in {took:.1f} s: {len(wrong)} tables with a lost step")
    if wrong:
        sys.exit(f"FAILED: {wrong}")
    wait_for("every state", lambda: all(has_state(subscriber, table) for table in tables))


def come_back(tables, folder, port):
    """Try a new broker that knows nothing: all that is retained is there again, and later clients have it at once."""
    broker, again = start_broker(folder, port), time.monotonic()
    late = Subscriber(port)

    def all_back():
        for table in tables:
            table.bridge.turn()
        return all(has_state(late, table) for table in tables)

    wait_for("every state after the broker's restart", all_back)
    print(f"all again {time.monotonic() - again:.1f} s after the restart")
    newcomer = Subscriber(port)
    for topic, each in (("/state", 1), ("/online", 1), ("/sensor/", 6), ("/binary_sensor/", 1)):
        count = each * TABLES
        wait_for(
            f"a newcomer has {count} of {topic}",
            lambda topic=topic, count=count: sum(topic in one for one in list(newcomer.retained)) == count,
        )
    tables[0].broker.stop()
    wait_for("a table that ends is offline", lambda: newcomer.retained["gunbai/t000/online"] == "offline")
    for one in (*(table.broker for table in tables[1:]), late, newcomer):
        one.stop()
    broker.terminate()
    broker.wait()


def main(folder):
    port = free_port()
    broker = start_broker(folder, port)
    subscriber = Subscriber(port)
    wait_for("the subscriber is there", subscriber.client.is_connected)
    tables = [Table(folder / str(n), n, port) for n in range(TABLES)]
    play(tables, subscriber)
    broker.kill()
    broker.wait()
    subscriber.stop()
    for table in tables:  # an undo while there is no broker
        table.match.undo()
        table.bridge.turn()
    come_back(tables, folder, port)


with tempfile.TemporaryDirectory() as scratch:
    main(Path(scratch))
