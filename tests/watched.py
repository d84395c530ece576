"""Which lines the tests run: a plugin of pytest's that `./gunbai test` asks for, and nobody else.

What is watched takes two to three times as long. So it is what importing the rooms runs, and their own tests that are
neither long, nor of games by chance, nor lay out pictures by the hundred; of a test with many cases the first, as the
others mostly run the same lines. The engine's own tests run by themselves (--watch-engine), each case watched: what
others had loaded before, they'd run past.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from coverage import Coverage

from tests.run import ENGINE, ENGINE_TESTS, OTHERS, ROOT, UNWATCHED_TESTS

WATCHED = tuple(f"{folder}{room}/" for room in OTHERS for folder in ("", "tests/"))
"""Where the rooms' doctests are, and their tests."""
CHILDREN = "COVERAGE_PROCESS_CONFIG"
"""What coverage sets for the processes that are started meanwhile."""


def runs_elsewhere(path: str, *, apart: bool) -> bool:
    """Tell whether a test is one of those that run by themselves, watched in the engine.

    >>> runs_elsewhere("tests/engine/test_referee.py::test_it", apart=False)
    True
    >>> runs_elsewhere("tests/engine/test_referee.py::test_it", apart=True)
    False
    """
    return path.startswith(ENGINE_TESTS) and not apart


def has_apart(source: str) -> bool:
    """Tell whether a module may have tests that are long or of games by chance.

    >>> has_apart("pytestmark = pytest.mark.chance")
    True
    >>> has_apart("def test_it(): ...")
    False
    """
    return "mark.long" in source or "mark.chance" in source


def is_watched(path: str, *, apart: bool) -> bool:
    """Tell whether a test is watched, or at least its first case.

    >>> is_watched("vision/frame.py::vision.frame", apart=False)
    True
    >>> is_watched("tests/vision/test_frame.py::test_it", apart=True)
    False
    >>> is_watched("tests/companion/gallery/test_gallery.py::test_it", apart=False)
    False
    >>> is_watched("tests/test_house.py::test_it", apart=False)
    False
    """
    return not apart and path.startswith(WATCHED) and not path.startswith(UNWATCHED_TESTS)


def is_apart(item: pytest.Item) -> bool:
    """Tell whether a test is long or of games by chance, which nobody watches."""
    return any(item.iter_markers("long")) or any(item.iter_markers("chance"))


def first_cases(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the first case of each test."""
    seen = set[str]()
    for item in items:
        test, _, _ = item.nodeid.partition("[")
        if test not in seen:
            yield item
        seen.add(test)


def modules() -> Iterator[str]:
    """Yield the names of the modules in the rooms other than the engine."""
    for room in OTHERS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if path.name != "__main__.py":
                yield ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


class Watch:
    """Watches the engine, or the rooms other than it, or looks away."""

    def __init__(self, *, engine: bool) -> None:
        self.engine = engine
        rooms = ENGINE if engine else OTHERS
        self.coverage = Coverage(source=[str(ROOT / room) for room in rooms], data_suffix=True, messages=False)
        self.watching = False
        self.watched: set[pytest.Item] = set()

    def turn(self, *, to: bool) -> None:
        """Watch from now on, or look away; so do the processes that are started."""
        if to and not self.watching:
            self.coverage.start()
        elif self.watching and not to:
            self.coverage.stop()
            os.environ.pop(CHILDREN, None)
        self.watching = to

    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        """Pass over a module of which all runs by itself."""
        path = collection_path.as_posix().removeprefix(f"{config.rootpath.as_posix()}/")
        elsewhere = collection_path.suffix == ".py" and not self.engine and runs_elsewhere(path, apart=False)
        return True if elsewhere and not has_apart(collection_path.read_text(encoding="utf-8")) else None

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out what runs by itself."""
        if self.engine:
            self.watched = set(items)
            return
        elsewhere = [item for item in items if runs_elsewhere(item.nodeid, apart=is_apart(item))]
        config.hook.pytest_deselected(items=elsewhere)
        left_out = set(elsewhere)
        items[:] = [item for item in items if item not in left_out]
        self.watched = set(first_cases([item for item in items if is_watched(item.nodeid, apart=is_apart(item))]))

    def pytest_sessionstart(self) -> None:
        """Import the rooms, and look away while tests are gathered, as that takes long; not so the engine."""
        if self.engine:
            return
        for name in modules():
            import_module(name)
        self.turn(to=False)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        """Watch this test, or look away."""
        self.turn(to=item in self.watched)

    def pytest_sessionfinish(self) -> None:
        """Keep what was seen."""
        self.turn(to=False)
        self.coverage.save()


WATCH = pytest.StashKey[Watch]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the choice of what is watched."""
    parser.addoption("--watch-engine", action="store_true", help="watch the engine, by all tests that are run")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Watch what is imported from now on."""
    early_config.stash[WATCH] = watch = Watch(engine=early_config.known_args_namespace.watch_engine)
    watch.turn(to=True)


def pytest_configure(config: pytest.Config) -> None:
    """Go on where tests are run, and not where they are only handed out."""
    watch = config.stash[WATCH]
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(watch)
    else:
        watch.turn(to=False)
