"""Made-up machines below a temporary folder: what they are asked to run is remembered and answered, not started."""

import argparse
import os
import platform
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from companion.appliance import archive, packing, releases, running
from companion.appliance.archive import TREE, Manifest
from companion.appliance.host import Host, RunResult
from companion.appliance.layout import Layout
from companion.appliance.tree import PARTS, files_of
from companion.cli import parser
from companion.core.errors import ApplianceError

WELL = RunResult(0, "")
WHEEL = b"not really a package"
HERE = f"{platform.machine()} {sys.version_info.major}.{sys.version_info.minor}"


class Rehearsal(Layout):
    """The layout of a machine that seems to run, although it lies in a folder."""

    @property
    def here(self) -> bool:
        return True


class Rehearsed(Host):
    """A host that runs nothing but what lies down an environment and a trial; `answers` by words of the command."""

    def __init__(self, layout: Layout, root: bool = True) -> None:
        super().__init__(layout)
        self.ran: list[str] = []
        self.answers: dict[str, RunResult | Callable[[], RunResult]] = {}
        self.root = root
        self.waited_s = 0.0

    def run(self, *command: str, extra: Mapping[str, str] | None = None, shown: bool = False) -> RunResult:
        words = " ".join(command)
        self.ran.append(words)
        for sign, answer in self.answers.items():
            if sign in words:
                return answer() if callable(answer) else answer
        if words.endswith("gunbai --version"):
            python = Path(command[0]).parent / ".venv" / "bin" / "python"
            python.parent.mkdir(parents=True, exist_ok=True)
            python.write_text("")
        if "ActiveState,NRestarts" in words:
            return RunResult(0, "ActiveState=active\nNRestarts=0\n")
        return WELL

    def sync(self) -> None:
        pass

    def wait(self, seconds: float) -> None:
        self.waited_s += seconds

    def is_root(self) -> bool:
        return self.root

    def asked(self, words: str) -> bool:
        """Whether a command with these words was run."""
        return any(words in ran for ran in self.ran)


def make_tree(folder: Path, version: str = "1.0.0", program: str = "#!/bin/sh\necho well\n") -> Path:
    """Build a small tree of Gunbai, with the units of the real one."""
    real = Path(__file__).resolve().parents[3]
    for part in PARTS:
        if "." not in part and part not in ("gunbai", "LICENSE", "systemd"):
            (folder / part).mkdir(parents=True, exist_ok=True)
            (folder / part / "__init__.py").write_text(f"part = {part!r}\n")
    for part in ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"):
        (folder / part).write_text(f"{part}\n")
    for path in (real / "systemd").rglob("*.*"):
        if path.is_file():
            (folder / path.relative_to(real)).parent.mkdir(parents=True, exist_ok=True)
            (folder / path.relative_to(real)).write_bytes(path.read_bytes())
    (folder / "companion" / "__init__.py").write_text(f'__version__ = "{version}"\n')
    (folder / "gunbai").write_text(program)
    return folder


def make_update(tree: Path, target: Path, runs_on: str = HERE, signature: bytes = b"", build: int = 0) -> Manifest:
    """Build an update of a small tree with one package."""
    wheel = target.with_suffix(".whl")
    wheel.write_bytes(WHEEL)
    sources = {TREE + name: path for name, path in files_of(tree).items()} | {f"wheels/{wheel.name}": wheel}
    manifest = packing.manifest_of(tree, sources, (runs_on,), build)
    archive.write_update(target, manifest, sources, signature)
    return manifest


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


def update(host: Rehearsed, *words: str) -> int:
    return running.update(options("update", "--yes", *words), maker(host))


def refused(host: Rehearsed, path: Path, why: str, *words: str, at: Path | None = None) -> None:
    """Refused with one clear sentence that begins with the name of the file at fault, and with nothing changed."""
    before = state_of(host.layout.root)
    host.ran.clear()
    with pytest.raises(ApplianceError, match=why) as error:
        update(host, str(path), *words)
    assert str(error.value).startswith(f"{at or path}: ")
    assert "\n" not in str(error.value)
    assert state_of(host.layout.root) == before
    assert not host.asked("gunbai backup")


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
