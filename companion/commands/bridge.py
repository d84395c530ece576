"""`gunbai bridge`: the table's events to an MQTT broker, for home automation and a club's scoreboard."""

import argparse

from companion.commands.parsing import InputFile
from companion.core.language import _
from engine.words import mark

NAME = "bridge"
HELP = mark("hand the table's events to an MQTT broker, for home automation (off until you set it up)")
DESCRIPTION = mark("""\
Connects to the MQTT broker that SETTINGS names, hands it every event of `gunbai follow`, and keeps how things are now
there, retained. Home Assistant finds the table by itself. It only sends: it subscribes to nothing and listens to
nothing. Needs paho-mqtt: pip install 'gunbai[mqtt]'. docs/following.md has the settings, the topics and the service.

examples:
  gunbai bridge mqtt.toml
  gunbai bridge mqtt.toml --check""")
EVERY_S = 0.25


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add SETTINGS [--check]."""
    parser.add_argument(
        "settings", type=InputFile, metavar="SETTINGS", help=_('a TOML file with broker = "…" and what else it needs')
    )
    parser.add_argument("--check", action="store_true", help=_("only read the settings"))


def run(options: argparse.Namespace) -> int:
    """Run the bridge until it is stopped, and return 0."""
    import signal
    import threading
    from importlib.util import find_spec
    from pathlib import Path

    from companion.core.errors import UsageError
    from companion.core.storage import data_dir
    from companion.following.bridge import Bridge, read_settings
    from companion.following.follower import Follower
    from companion.games.live_note import place

    settings = read_settings(Path(options.settings))
    if find_spec("paho") is None:
        raise UsageError("the bridge needs paho-mqtt: pip install 'gunbai[mqtt]'")
    if options.check:
        print(f"{settings.broker}:{settings.port}, {settings.topics}/{settings.table}")
        return 0
    from companion.following.broker import PahoBroker

    broker = PahoBroker(settings)
    bridge = Bridge(settings, Follower(data_dir() / "games", place()), broker)
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: ended.set())
    broker.start()
    while not ended.wait(EVERY_S):
        bridge.turn()
    broker.stop()
    return 0
