"""Which lines the tests run: a plugin of pytest's that `./gunbai test` asks for, and nobody else.

What is watched takes two to three times as long. So it is what is imported, and the tests that are neither long nor lay
out pictures by the hundred. The engine's own tests run by themselves: what others had loaded before, they'd run past.
"""

from __future__ import annotations

import os

import pytest
from coverage import Coverage

from tests.run import ENGINE_TESTS, OTHERS, ROOT, UNWATCHED_TESTS

CHILDREN = "COVERAGE_PROCESS_CONFIG"
"""What coverage sets for the processes that are started meanwhile."""


def runs_elsewhere(path: str, *, long: bool) -> bool:
    """Tell whether a test is one of those that run by themselves, watched in the engine.

    >>> runs_elsewhere("tests/engine/test_referee.py::test_it", long=False)
    True
    >>> runs_elsewhere("tests/engine/test_referee.py::test_it", long=True)
    False
    """
    return path.startswith(ENGINE_TESTS) and not long


def is_watched(path: str, *, long: bool) -> bool:
    """Tell whether a test is watched.

    >>> is_watched("vision/frame.py::vision.frame", long=False)
    True
    >>> is_watched("tests/vision/test_frame.py::test_it", long=True)
    False
    >>> is_watched("tests/companion/gallery/test_gallery.py::test_it", long=False)
    False
    """
    return not long and not path.startswith(UNWATCHED_TESTS)


def is_long(item: pytest.Item) -> bool:
    """Tell whether a test is marked so."""
    return item.get_closest_marker("long") is not None


class Watch:
    """Watches the rooms other than the engine, or looks away."""

    def __init__(self) -> None:
        self.coverage = Coverage(source=[str(ROOT / room) for room in OTHERS], data_suffix=True, messages=False)
        self.watching = False

    def turn(self, *, to: bool) -> None:
        """Watch from now on, or look away; so do the processes that are started."""
        if to and not self.watching:
            self.coverage.start()
        elif self.watching and not to:
            self.coverage.stop()
            os.environ.pop(CHILDREN, None)
        self.watching = to

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out what runs by itself."""
        elsewhere = [item for item in items if runs_elsewhere(item.nodeid, long=is_long(item))]
        config.hook.pytest_deselected(items=elsewhere)
        left_out = set(elsewhere)
        items[:] = [item for item in items if item not in left_out]

    def pytest_collection_finish(self) -> None:
        """Watch nothing more that is imported."""
        self.turn(to=False)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        """Watch this test, or look away."""
        self.turn(to=is_watched(item.nodeid, long=is_long(item)))

    def pytest_sessionfinish(self) -> None:
        """Keep what was seen."""
        self.turn(to=False)
        self.coverage.save()


WATCH = pytest.StashKey[Watch]()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Watch what is imported from now on."""
    early_config.stash[WATCH] = watch = Watch()
    watch.turn(to=True)


def pytest_configure(config: pytest.Config) -> None:
    """Go on where tests are run, and not where they are only handed out."""
    watch = config.stash[WATCH]
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(watch)
    else:
        watch.turn(to=False)
