"""The house: which room may know which, and that importing one touches nothing (docs/architecture.md)."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.programs import needs

ROOT = Path(__file__).resolve().parent.parent
MAY_KNOW = {
    "intake": set(),
    **{room: {"intake"} for room in ("engine", "vision", "hardware")},
    "companion": {"intake", "engine", "vision", "hardware"},
}
ROOMS = [room for room in MAY_KNOW if (ROOT / room).is_dir()]
KEEPERS = {  # outside packages that only these parts of the house import
    "pygame": ("companion/view/",),
    "cv2": ("vision/", "companion/demo/", "companion/grounds/"),
    "onnxruntime": ("vision/onnx_model.py",),
    "numpy": ("vision/", "companion/demo/", "companion/grounds/"),
    "gpiozero": ("hardware/",),
    "serial": ("hardware/",),
    "paho": ("companion/following/broker.py",),
}
NOT_FOR_THE_ENGINE = {  # of the standard library: chance, clocks, and the world outside
    *("random", "secrets", "uuid", "time", "datetime", "sched", "signal"),
    *("os", "subprocess", "socket", "tempfile", "shutil", "threading", "multiprocessing", "asyncio", "ctypes"),
}
BACK_DOORS = {"__import__", "import_module", "eval", "exec"}


def imports_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield each import with its line; a relative one names its own room and is left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module


def back_doors_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield each name that could import what no import statement shows."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in BACK_DOORS:
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and node.attr == "import_module":
            yield node.lineno, node.attr


def why_not(path: str, module: str) -> str | None:
    """Say why the file at `path` (from the root) may not import `module`, or None where it may."""
    room, top = path.partition("/")[0], module.partition(".")[0]
    if top in MAY_KNOW and top != room and top not in MAY_KNOW[room]:
        return f"{room} may not know {top}"
    if top in KEEPERS and not path.startswith(KEEPERS[top]):
        return f"only {', '.join(KEEPERS[top])} may import {top}"
    if room == "intake" and top not in ("intake", *sys.stdlib_module_names):
        return f"intake may not import {top}"
    outside = top not in ("engine", "intake")
    if room == "engine" and outside and (top not in sys.stdlib_module_names or top in NOT_FOR_THE_ENGINE):
        return f"the engine may not import {top}"
    return None


def faults_of(path: str, source: str) -> list[str]:
    """Return every fault of a file's imports, with its line."""
    tree = ast.parse(source)
    found = [(line, why_not(path, module)) for line, module in imports_of(tree)]
    if path.startswith("engine/"):
        found += [(line, f"the engine may not use {name}") for line, name in back_doors_of(tree)]
    return [f"{path}:{line}: {why}" for line, why in found if why]


def files_of(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_run_down_only(room: str) -> None:
    files = files_of(room)
    assert files
    faults = [fault for file in files for fault in faults_of(str(file.relative_to(ROOT)), file.read_text())]
    assert faults == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/dice.py", "import random"),
        ("engine/dice.py", "def f():\n    from time import monotonic"),
        ("engine/dice.py", "from datetime import date"),
        ("engine/dice.py", "import numpy as np"),
        ("engine/dice.py", "import platformdirs"),
        ("engine/dice.py", "roll = __import__('random')"),
        ("engine/dice.py", "import importlib\nimportlib.import_module('random')"),
        ("engine/orders/board.py", "from companion.games.match import Match"),
        ("engine/orders/board.py", "import vision.reading.count"),
        ("vision/reading/count.py", "from engine.areas import members"),
        ("vision/live/camera.py", "import pygame.camera"),
        ("hardware/desk.py", "import companion"),
        ("companion/scenes/table/table.py", "import pygame"),
        ("companion/view/page/canvas.py", "import numpy"),
        ("companion/games/match.py", "import cv2"),
        ("intake/pictures.py", "import numpy"),
        ("vision/reading/network.py", "import onnxruntime"),
        ("intake/pictures.py", "from vision.errors import PictureError"),
    ],
)
def test_a_wrong_arrow_is_seen(path: str, source: str) -> None:
    assert len(faults_of(path, source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/tables.py", "import re\nimport tomllib\nfrom engine.ruling import Ruling\nword = re.compile('a')"),
        ("vision/reading/count.py", "import cv2\nimport numpy as np\nfrom . import frame"),
        ("companion/demo/table.py", "import numpy\nimport vision.reading.count\nfrom engine import areas"),
        ("companion/view/page/canvas.py", "import pygame.freetype"),
    ],
)
def test_a_right_arrow_passes(path: str, source: str) -> None:
    assert faults_of(path, source) == []


# ---- a system of rules is one value -----------------------------------------------------------

OWN_ROOMS = {  # of each system: beginnings of the paths that may spell its name
    "orders": (
        *("companion/systems/orders.py", "companion/games/orders.py", "companion/games/match.py"),
        *("companion/scenes/orders/", "companion/scenes/setup/", "companion/terminal/orders.py"),
        "companion/demo/player.py",
    ),
    "sonae": (
        *("companion/systems/sonae.py", "companion/games/sonae.py", "companion/scenes/sonae/"),
        *("companion/terminal/sonae.py", "companion/demo/sonae_"),
    ),
    "generals": (
        *("companion/systems/generals.py", "companion/games/generals.py", "companion/scenes/generals/"),
        *("companion/terminal/generals.py", "companion/demo/generals_"),
    ),
}
SPELT_OTHERWISE = {  # files that use the word for something else: Sonae's orders, generals of both other games
    "orders": (
        *("companion/text/sonae.py", "companion/text/meanings/sonae.py", "companion/measuring/"),
        *OWN_ROOMS["sonae"],
    ),
    "generals": OWN_ROOMS["generals"],
    "sonae": (),
}


SPELT = re.compile("|".join((*OWN_ROOMS, "DEFAULT")))
"""Without one of these words, a module knows no system."""


def system_names_in(path: str, source: str) -> list[str]:
    """Return each place of the app where a system is spelt by its name, or is told from the others by it.

    That a name is handed on, or looked up in `SYSTEMS`, is no fault.
    """
    found: list[str] = []
    if not SPELT.search(source):
        return found
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in OWN_ROOMS:
            if not path.startswith((*OWN_ROOMS[node.value], *SPELT_OTHERWISE[node.value])):
                found.append(f"{path}:{node.lineno}: spells {node.value!r}")
        elif isinstance(node, ast.Compare):
            named = [part for part in ast.walk(node) if isinstance(part, ast.Name) and part.id == "DEFAULT"]
            if named and not path.startswith(OWN_ROOMS["orders"]):
                found.append(f"{path}:{node.lineno}: compares with the default system")
    return found


def test_no_room_but_its_own_knows_a_system_by_name() -> None:
    files = {str(file.relative_to(ROOT)): file.read_text() for file in files_of("companion")}
    assert [fault for path, source in files.items() for fault in system_names_in(path, source)] == []
    rooms = [room for rooms in OWN_ROOMS.values() for room in rooms]
    assert [room for room in rooms if not any(path.startswith(room) for path in files)] == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("companion/games/saved/shelf.py", 'if game.system == "sonae":\n    pass'),
        ("companion/text/saved_games.py", 'titles = {"generals": "Generals Order"}'),
        ("companion/crash/report.py", 'match system:\n    case "orders":\n        pass'),
        ("companion/scenes/home/home.py", "board = last.system == DEFAULT"),
        ("companion/scenes/sonae/setup.py", 'other = "generals"'),
    ],
)
def test_a_branch_on_a_system_is_seen(path: str, source: str) -> None:
    assert len(system_names_in(path, source)) == 1


# ---- importing touches nothing -----------------------------------------------------------------

PROBE = """
import sys
from importlib import import_module
from pathlib import Path

room, root = sys.argv[1:]
own = str(Path(root, room)) + "/"
watched = ("open", "os.", "shutil.", "socket.", "sqlite3.", "subprocess.", "tempfile.", "glob.", "fcntl.")
seen = set()

def reach(event, arguments):
    # The nearest of: an import under way or a package from outside (innocent), a line of the room (not).
    if not event.startswith(watched) or event == "os.putenv":
        return
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(own):
            seen.add(f"{code.co_filename}:{frame.f_lineno}: {event} {arguments[:1]}")
            return
        importing = code.co_filename == "<frozen importlib._bootstrap>" and code.co_name == "_find_and_load"
        if importing or "site-packages" in code.co_filename:
            return
        frame = frame.f_back

names = [
    ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(Path(own).rglob("*.py")) if path.name != "__main__.py"
]
sys.path.insert(0, root)
sys.addaudithook(reach)
for name in names:
    import_module(name)
print(*sorted(seen), sep="\\n", end="")
"""


def reached_on_import(room: str, root: Path) -> list[str]:
    """Import every module of a room in a fresh Python; return each file, port or program that it reached for."""
    command = [sys.executable, "-P", "-c", PROBE, room, str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("room", ROOMS)
def test_importing_a_room_touches_nothing(room: str) -> None:
    assert reached_on_import(room, ROOT) == []


@pytest.mark.parametrize(
    "line",
    [
        "from pathlib import Path; TEXT = Path(__file__).read_text()",
        "from importlib import resources; TEXT = resources.files(__package__).joinpath('__init__.py').read_text()",
        "import pkgutil; TEXT = pkgutil.get_data(__package__, '__init__.py')",
        "import os; NAMES = os.listdir('/')",
        "import socket; PORT = socket.socket()",
        "import subprocess, sys; subprocess.run([sys.executable, '-c', ''])",
    ],
)
def test_a_reach_on_import_is_seen(line: str, tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    (room / "__init__.py").write_text("")
    (room / "part.py").write_text("import json\n" + line + "\n")
    (reached,) = {entry.split(": ")[0] for entry in reached_on_import("room", tmp_path)}
    assert reached == f"{room}/part.py:2"


@needs("git")
def test_nothing_that_is_built_is_kept() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("needs a clone: a source distribution has no history")
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip(f"git lists nothing here: {listed.stderr.strip()}")
    names = listed.stdout.splitlines()
    assert "gunbai" in names
    assert [name for name in names if name.endswith((".mo", ".pyc", ".so", ".whl", ".deb", ".update"))] == []
