"""Which lines the tests run: a plugin of pytest's that `./gunbai test` asks for, and nobody else.

A watched line takes three times as long. So the engine's own tests are watched in the engine alone, the others in
everything else, and those that are long, or lay out pictures by the hundred, nowhere. What is imported while tests are
collected is watched in all rooms.
"""

from __future__ import annotations

import os

import pytest
from coverage import Coverage

from tests.run import ENGINE, ENGINE_TESTS, OTHERS, ROOT, UNWATCHED_TESTS

CHILDREN = "COVERAGE_PROCESS_CONFIG"
"""What coverage sets for the processes that are started meanwhile."""
ROOMS_OF = {"engine": ENGINE, "others": OTHERS, "imports": [*ENGINE, *OTHERS]}


def watcher_of(path: str, *, long: bool) -> str:
    """Tell which rooms a test is watched in: "engine", "others", or "" for none.

    >>> watcher_of("tests/engine/test_referee.py::test_it", long=False)
    'engine'
    >>> watcher_of("tests/engine/test_referee.py::test_it", long=True)
    ''
    >>> watcher_of("tests/companion/gallery/test_gallery.py::test_it", long=False)
    ''
    >>> watcher_of("vision/frame.py::vision.frame", long=False)
    'others'
    """
    if long or path.startswith(UNWATCHED_TESTS):
        return ""
    return "engine" if path.startswith(ENGINE_TESTS) else "others"


class Watch:
    """Watches one set of rooms at a time."""

    def __init__(self) -> None:
        self.watchers = {
            name: Coverage(source=[str(ROOT / room) for room in rooms], data_suffix=True, messages=False)
            for name, rooms in ROOMS_OF.items()
        }
        self.current = ""

    def turn_to(self, name: str) -> None:
        """Watch those rooms from now on, or none."""
        if name == self.current:
            return
        if self.current:
            self.watchers[self.current].stop()
            os.environ.pop(CHILDREN, None)
        if name:
            self.watchers[name].start()
        self.current = name

    def pytest_collection_finish(self) -> None:
        """Watch nothing more that is imported."""
        self.turn_to("")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        """Turn to what is watched in this test."""
        self.turn_to(watcher_of(item.nodeid, long=item.get_closest_marker("long") is not None))

    def pytest_sessionfinish(self) -> None:
        """Keep what was seen."""
        self.turn_to("")
        for watcher in self.watchers.values():
            watcher.save()


WATCH = pytest.StashKey[Watch]()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Watch what is imported from now on."""
    early_config.stash[WATCH] = watch = Watch()
    watch.turn_to("imports")


def pytest_configure(config: pytest.Config) -> None:
    """Go on where tests are run, and not where they are only handed out."""
    watch = config.stash[WATCH]
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(watch)
    else:
        watch.turn_to("")
