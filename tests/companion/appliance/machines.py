"""A made-up machine below a temporary folder: what it is asked to run is remembered and answered, not started."""

import platform
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.appliance import archive, packing
from companion.appliance.archive import TREE, Manifest
from companion.appliance.host import Host, RunResult
from companion.appliance.layout import Layout
from companion.appliance.tree import PARTS, files_of

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
    archive.make(target, manifest, sources, signature)
    return manifest
