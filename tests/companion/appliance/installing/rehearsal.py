"""What the tests of an installation share."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.appliance import releases, running
from companion.appliance.host import Host
from companion.appliance.layout import Layout
from companion.cli import parser
from tests.companion.appliance.machines import Rehearsed

Capture = pytest.CaptureFixture[str]


class PowerCut(BaseException):
    """Ends everything at once: nothing is undone."""


def options(*words: str) -> argparse.Namespace:
    options: argparse.Namespace = parser().parse_args(words)
    return options


def maker(host: Rehearsed) -> Callable[[Layout], Host]:
    return lambda _layout: host


def state_of(root: Path) -> dict[str, str]:
    """Every link and file of a tree, but folders, which may stay."""
    found = {}
    for path in sorted(root.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(root))] = f"-> {path.readlink()}"
        elif path.is_file():
            found[str(path.relative_to(root))] = path.read_text(errors="replace")
    return found


def install(host: Rehearsed, *words: str) -> int:
    return running.install(options("install", "--yes", *words), maker(host))


def works(layout: Layout) -> str:
    """Return the name of the release in use, after checking that it is whole; "" for none."""
    release = releases.in_use(layout)
    if release is None:
        assert not layout.current.exists()
        return ""
    assert (release / "gunbai").read_text().startswith("#!")
    assert os.access(release / "gunbai", os.X_OK)
    assert (release / ".venv/bin/python").exists()
    return release.name


def stopped_after(number: int, why: BaseException) -> Callable[[int], None]:
    def watched(done: int) -> None:
        if done == number:
            raise why

    return watched


class Forgetful:
    """Stands for an ExitStack in a machine whose power goes: nobody is left to undo anything."""

    def __enter__(self) -> "Forgetful":
        return self

    def __exit__(self, *_why: object) -> None:
        return None

    def callback(self, _undo: object) -> None:
        return None

    def pop_all(self) -> None:
        return None
