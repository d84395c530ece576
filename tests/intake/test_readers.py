"""Who takes in what strangers may have written: nobody but the bottom room, and those named here with the reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("engine", "vision", "hardware", "companion")
READING = {  # calls that take a format apart, or take in a file
    *("json.load", "json.loads", "json.JSONDecoder", "tomllib.load", "tomllib.loads", "pickle.load", "pickle.loads"),
    *("marshal.load", "marshal.loads", "ast.literal_eval", "plistlib.load", "csv.reader", "shelve.open"),
    *("zipfile.ZipFile", "tarfile.open", "tarfile.TarFile", "gzip.open", "gzip.GzipFile", "gzip.decompress"),
    *("zlib.decompress", "zlib.decompressobj", "lzma.open", "lzma.decompress", "bz2.open", "bz2.decompress"),
    *("cv2.imdecode", "cv2.imread", "cv2.FileStorage", "cv2.VideoCapture", "pygame.image.load", "np.load"),
    *("np.fromfile", "np.loadtxt", "np.genfromtxt"),
    *("gettext.translation", "gettext.GNUTranslations", "gettext.install"),
    *("open", "io.open", "os.open", "os.fdopen", "mmap.mmap", "fileinput.input", "linecache.getlines"),
}
OF_A_PATH = {"read_bytes", "read_text"}
"""So is `open` where it is called with a mode alone, or with nothing."""
NOT_READ = {"O_WRONLY", "O_DIRECTORY"}

OURS = "comes with Gunbai"
KERNEL = "the kernel's: /proc, /sys and devices, a line or so each"
OWN = "what this program, or a part of it that it started, has just written"
WRITTEN = "a file that is written: it is opened to be locked, added to and read back"
LISTED = "a saved game that was looked at and is a plain file"
ROOTS = "the system's own: its release, its programs"
Reason = tuple[str, frozenset[str]]


def because(why: str, *calls: str) -> Reason:
    """Why somebody may read by itself, and by which calls."""
    return why, frozenset(calls)


MAY_READ: Mapping[str, Reason] = {
    "engine/tables.py": because(OURS, "read_text"),
    "vision/onnx_model.py": because(OURS, "read_bytes"),
    "vision/reading/pieces.py": because(OURS, "read_text", "json.loads"),
    "vision/live/camera.py": because("the camera's driver", "cv2.VideoCapture"),
    "vision/frame.py": because("unpacks pictures, for all of the eye, once their heads were looked at", "cv2.imdecode"),
    "vision/live/messages.py": because("memory that app and camera share", "mmap.mmap", "os.open"),
    "vision/table.py": because(OWN, "json.loads"),
    "companion/thinking/thought.py": because(OWN, "pickle.loads"),
    "companion/core/own_process.py": because(OWN, "os.fdopen"),
    "companion/grounds/store.py": because(OWN, "json.loads"),
    "companion/thinking/worker.py": because(OWN, "pickle.load"),
    "companion/perception/camera_watch.py": because("memory that app and camera share", "os.open"),
    "companion/view/page/marks.py": because(
        "unpacks pictures for the screen, once their heads were looked at", "pygame.image.load"
    ),
    "companion/content/help_pages.py": because(OURS, "read_text"),
    "companion/scenes/base/help.py": because(OURS, "read_bytes"),
    "companion/printing/paper.py": because(OURS, "read_bytes"),
    "companion/replays/page.py": because(OURS, "read_bytes", "read_text"),
    "companion/tracing/writer.py": because(OURS, "read_text"),
    "companion/view/kit/lettering.py": because(OURS, "read_bytes"),
    "companion/view/window/display.py": because(KERNEL, "read_text"),
    "companion/app/dimming.py": because(KERNEL, "read_text"),
    "companion/perception/cameras.py": because(KERNEL, "read_bytes"),
    "companion/checks/check_result.py": because(KERNEL, "read_text"),
    "companion/app/failure_screen.py": because(KERNEL, "os.open"),
    "companion/checks/machine.py": because(OWN, "read_bytes"),
    "companion/demo/show.py": because(OWN, "read_bytes"),
    "companion/drill/camera.py": because(KERNEL, "read_text", "read_bytes"),
    "companion/drill/player.py": because(OWN, "json.loads", "read_text"),
    "companion/drill/sitter.py": because(OWN, "json.loads"),
    "companion/games/game_file.py": because(WRITTEN, "os.open", "read_bytes"),
    "companion/games/saved/index_file.py": because(f"{WRITTEN}; {LISTED}", "os.open", "open"),
    "companion/following/follower.py": because(LISTED, "open"),
    "companion/games/saved/shelf.py": because(LISTED, "open", "read_bytes"),
    "companion/core/printable.py": because("nothing but /dev/null", "os.open", "os.fdopen"),
    "companion/appliance/archive.py": because(OURS, "open"),
    "companion/appliance/machine.py": because(ROOTS, "open", "read_text"),
    "companion/appliance/releases.py": because(OURS, "read_bytes", "read_text"),
    "companion/appliance/restoring.py": because(LISTED, "open"),
    "companion/appliance/signing.py": because(OWN, "read_bytes"),
    "companion/appliance/tree.py": because(OURS, "read_bytes", "read_text"),
    "companion/core/storage.py": because(WRITTEN, "os.open"),
    "companion/core/sticks.py": because(KERNEL, "read_text"),
}


NAMED = re.compile("|".join(sorted({name.rpartition(".")[2] for name in READING} | OF_A_PATH)))
"""Without one of these words, a module reads nothing."""


def calls_in(source: str) -> frozenset[str]:
    """Return the names of the calls that read."""
    return frozenset(calls_of(ast.parse(source))) if NAMED.search(source) else frozenset()


def calls_of(tree: ast.Module) -> Iterator[str]:
    """Yield the name of each call that reads; one that opens what is written is none."""
    names = dict(_imported(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not _writes(node):
            name = _dotted(node.func, names)
            if name in READING:
                yield name
            elif isinstance(node.func, ast.Attribute) and _is_of_a_path(node, node.func.attr):
                yield node.func.attr


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield (name used here, full name) of everything imported; numpy is np."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((name.asname or name.name, "np" if name.name == "numpy" else name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((name.asname or name.name, f"{node.module}.{name.name}") for name in node.names)


def _dotted(node: ast.expr, names: Mapping[str, str]) -> str:
    """Return the full dotted name of what is called, or "" if it has none."""
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value, names)
        return before and f"{before}.{node.attr}"
    return names.get(node.id, node.id) if isinstance(node, ast.Name) else ""


def _texts(node: ast.Call) -> list[str]:
    given = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
    return [
        argument.value for argument in given if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def _is_of_a_path(node: ast.Call, method: str) -> bool:
    alone = len(node.args) <= len(_texts(node)) <= 1
    return method in OF_A_PATH or (method == "open" and alone)


def _writes(node: ast.Call) -> bool:
    flags = {part.attr for given in node.args for part in ast.walk(given) if isinstance(part, ast.Attribute)}
    return bool(flags & NOT_READ) or any(mode[:1] in ("w", "x", "a") and len(mode) <= 3 for mode in _texts(node))


def test_nobody_else_takes_in_what_strangers_wrote() -> None:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name, calls = str(path.relative_to(ROOT)), calls_in(path.read_text())
            _why, may = MAY_READ.get(name, because("nobody said why"))
            assert calls == may, name


@pytest.mark.parametrize(
    ("source", "call"),
    [
        ("import json\njson.loads(x)", "json.loads"),
        ("from json import loads as read\nread(x)", "json.loads"),
        ("import zipfile\nzipfile.ZipFile(x, 'r')", "zipfile.ZipFile"),
        ("import tarfile\ntarfile.open(fileobj=x, mode='r:')", "tarfile.open"),
        ("import cv2\ncv2.imdecode(x, cv2.IMREAD_COLOR)", "cv2.imdecode"),
        ("import numpy\nnumpy.load(x)", "np.load"),
        ("path.read_bytes()", "read_bytes"),
        ("folder().joinpath(x).read_text(encoding='utf-8')", "read_text"),
        ("path.open()", "open"),
        ("(a / b).open('rb')", "open"),
        ("path.open(mode='r+b')", "open"),
        ("open(x)", "open"),
        ("import os\nos.open(x, os.O_RDONLY)", "os.open"),
    ],
)
def test_a_reader_is_seen(source: str, call: str) -> None:
    assert calls_in(source) == {call}


@pytest.mark.parametrize(
    "source",
    [
        "import json\njson.dumps(x)",
        "import zipfile\nzipfile.ZipFile(x, 'w', zipfile.ZIP_DEFLATED)",
        "import tarfile\ntarfile.open(fileobj=x, mode='w:')",
        "path.open('wb')",
        "open(x, 'x')",
        "games.open(path)",
        "import os\nos.open(x, os.O_WRONLY | os.O_CREAT)",
        "import os\nos.open(x, os.O_RDONLY | os.O_DIRECTORY)",
        "from intake.json_text import parse_json\nparse_json(x)",
    ],
)
def test_what_is_none_passes(source: str) -> None:
    assert list(calls_of(ast.parse(source))) == []
