"""`gunbai follow` and `bridge`: the game at the table as a stream of events, for other programs and an MQTT broker."""

import argparse
import json
import time
from pathlib import Path

from companion.commands.parsing import InputFile
from companion.core.errors import InputError, UsageError
from companion.core.language import _
from engine.words import mark

EVERY_S = 0.25
"""Seconds between two looks for events."""


class Follow:
    """The command `gunbai follow`: prints the events at the table, one a line."""

    NAME = "follow"
    HELP = mark("tell other programs what happens at the table, one JSON event per line")
    DESCRIPTION = mark("""\
Follows the game at the table and prints an event per line as it happens: the game, each step, undo, round, whose turn
it is, dice and answers owed, the score, the end, and what the camera does. First it prints how things are now. For
lamps, stream overlays and home automation; docs/following.md has every event. It only reads, and listens to nothing.

Without GAME it follows whichever game is being played, through new games and restarts of the app.

examples:
  gunbai follow --json
  gunbai follow --json --once
  gunbai follow --json game.jsonl | jq --unbuffered 'select(.event == "turn") | .to_move'""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add [GAME] [--json] [--once]."""
        parser.add_argument("game", nargs="?", type=InputFile, metavar="GAME", help=_("follow this saved game only"))
        parser.add_argument("--json", action="store_true", help=_("events as JSON (default: in words)"))
        parser.add_argument("--once", action="store_true", help=_("only print how things are now"))

    def run(self, options: argparse.Namespace) -> int:
        """Print events for ever; with --once print how things are now and return 0."""
        from companion.core.storage import data_dir
        from companion.following.follower import Follower, in_words
        from companion.games.live_note import place

        only = Path(options.game) if options.game else None
        if only is not None and not only.is_file():
            raise InputError(f"{only}: no such saved game")
        follower = Follower(data_dir() / "games", place(), only)
        while True:
            for event in follower.look():
                print(json.dumps(event, ensure_ascii=False) if options.json else in_words(event), flush=True)
            if options.once:
                return 0
            time.sleep(EVERY_S)


class Bridge:
    """The command `gunbai bridge`: hands the events at the table to an MQTT broker."""

    NAME = "bridge"
    HELP = mark("hand the table's events to an MQTT broker, for home automation (off until you set it up)")
    DESCRIPTION = mark("""\
Connects to the MQTT broker that SETTINGS names, hands it every event of `gunbai follow`, and keeps how things are now
there, retained. Home Assistant finds the table by itself. It only sends: it subscribes to nothing and listens to
nothing. Needs paho-mqtt: pip install 'gunbai[mqtt]'. docs/following.md has the settings, the topics and the service.

examples:
  gunbai bridge mqtt.toml
  gunbai bridge mqtt.toml --check""")

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add SETTINGS [--check]."""
        parser.add_argument(
            "settings",
            type=InputFile,
            metavar="SETTINGS",
            help=_('a TOML file with broker = "…" and what else it needs'),
        )
        parser.add_argument("--check", action="store_true", help=_("only read the settings"))

    def run(self, options: argparse.Namespace) -> int:
        """Run the bridge until it is stopped, and return 0."""
        import signal
        import threading
        from importlib.util import find_spec

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
            bridge.tick()
        broker.stop()
        return 0
