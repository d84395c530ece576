"""The commands over pictures, tables and bundles of strangers: one sentence, status 2, and under 350 MB."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from companion.evidence.bundle_file import HEAD, TABLE
from tests.companion.sample_eye import save_sample_table
from tests.companion.sample_games import BOARD
from tests.hostile import pictures, tables, zips
from tests.hostile.child import Ended, gunbai

pytestmark = pytest.mark.long

MOST_MB = 350.0
LARGE = "30000x30000 pixels are too many"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_sample_table(tmp_path_factory.mktemp("eye") / "demo.table")


def refused(ended: Ended, *said: str) -> None:
    """Check that the command ended as bad input has to end."""
    lines = ended.err.splitlines()
    assert (ended.status, ended.out, len(lines)) == (2, "", 1), ended
    assert lines[0].startswith("gunbai: ")
    assert all(words in lines[0] for words in said), lines[0]
    assert ended.peak_mb < MOST_MB


# ---- pictures -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        ["read", "--table", "TABLE", "PHOTO"],
        ["score", "--table", "TABLE", "PHOTO"],
        ["calibrate", "PHOTO", "--board", BOARD, "-o", "OUT"],
        ["trace", "PHOTO", "--board", BOARD, "--headless", "-o", "OUT"],
        ["measure", "PHOTO"],
        ["bundle", "PHOTO", "--table", "TABLE", "-o", "OUT"],
        ["bench", "TABLES"],
    ],
    ids=lambda command: command[0],
)
def test_a_small_file_of_a_huge_picture(command: list[str], table: Path, tmp_path: Path) -> None:
    photo, out = tmp_path / "reference.png", tmp_path / "new"
    photo.write_bytes(pictures.png_of(30_000, 30_000))
    (tmp_path / "table.json").write_text(json.dumps({"board": BOARD}))
    (tmp_path / "truth.json").write_text(json.dumps({"reference": {"units": {}}}))
    names = {"TABLE": table, "PHOTO": photo, "OUT": out, "TABLES": tmp_path}
    refused(gunbai([names.get(word, word) for word in command], tmp_path), str(photo), LARGE)
    assert not out.exists()


@pytest.mark.parametrize("case", ["texts", "chunks", "scans", "segments", "damaged PNG", "cut off bitmap", "GIF"])
def test_a_picture_that_is_none(case: str, table: Path, tmp_path: Path) -> None:
    make, why = pictures.REFUSED[case]
    photo = tmp_path / "photo.png"
    photo.write_bytes(make())
    refused(gunbai(["read", "--table", table, photo], tmp_path), str(photo), why)


def test_the_largest_pictures_are_read_one_after_the_other(table: Path, tmp_path: Path) -> None:
    photos = [tmp_path / f"{name}.png" for name in pictures.LARGEST]
    for photo, make in zip(photos, pictures.LARGEST.values(), strict=True):
        photo.write_bytes(make())
    ended = gunbai(["read", "--table", table, *photos, "--json"], tmp_path)
    assert ended.status == 0
    assert [line.split(": ")[1:3] for line in ended.err.splitlines()] == [
        [str(photo), "board not found; show its corners"] for photo in photos
    ]
    assert [json.loads(line)["frame"] for line in ended.out.splitlines()] == [str(photo) for photo in photos]
    assert ended.peak_mb < MOST_MB


@pytest.mark.parametrize("case", ["JPEG in steps", "grain of a pixel", "lattice"])
@pytest.mark.parametrize("command", ["calibrate", "measure"])
def test_the_largest_pictures_with_nothing_to_be_found(command: str, case: str, tmp_path: Path) -> None:
    photo = tmp_path / "photo.png"
    photo.write_bytes(pictures.LARGEST[case]())
    more = ["--board", BOARD, "-o", str(tmp_path / "new")] if command == "calibrate" else []
    refused(gunbai([command, photo, *more], tmp_path), str(photo))


@pytest.mark.parametrize("case", ["JPEG in steps", "lattice"])
def test_the_largest_pictures_traced(case: str, tmp_path: Path) -> None:
    photo = tmp_path / "photo.png"
    photo.write_bytes(pictures.LARGEST[case]())
    ended = gunbai(["trace", photo, "--board", BOARD, "--headless", "-o", tmp_path / "new"], tmp_path)
    assert (ended.status, ended.err) == (1, "")
    assert ended.peak_mb < MOST_MB


@pytest.mark.parametrize("size", ["9999x9999", "10x10", "1500x50"])
def test_a_board_of_a_size_that_none_has_is_not_traced(size: str, tmp_path: Path) -> None:
    photo = tmp_path / "photo.png"
    photo.write_bytes(pictures.picture(".png"))
    corners = ["--corners", "0,0 799,0 799,599 0,599", "--mm", size]
    refused(
        gunbai(["trace", photo, "--board", BOARD, *corners, "--headless", "-o", tmp_path / "new"], tmp_path),
        "can't trace a board of",
    )


# ---- tables -------------------------------------------------------------------------------------


TABLES = (
    *("encrypted", "an unknown method", "damaged deflate", "a bomb for its head", "a bomb for its picture"),
    *("a large picture", "deep", "digits", "a huge corner", "a board of a thousand kilometres"),
)


@pytest.mark.parametrize("case", TABLES)
def test_a_table_that_is_none(case: str, tmp_path: Path) -> None:
    make, why = tables.REFUSED[case]
    path = tmp_path / "kitchen.table"
    path.write_bytes(make())
    refused(gunbai(["read", "--table", path, "photo.jpg"], tmp_path), str(path), why)


@pytest.mark.parametrize("command", [["score", "--table"], ["bundle", "photo.jpg", "-o", "new.zip", "--table"]])
def test_a_table_that_is_none_in_other_commands(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "kitchen.table"
    path.write_bytes(tables.REFUSED["deep"][0]())
    more = ["photo.jpg"] if command[0] == "score" else []
    refused(gunbai([*command, path, *more], tmp_path), str(path), "nested too deeply")


# ---- bundles ------------------------------------------------------------------------------------

FRAME = "frames/01.jpg"
READING: dict[str, object] = {"units": {}, "commanders": {}, "confidence": {}, "unreadable": []}


def bundle(**members: bytes) -> bytes:
    """Return a bundle with other contents than it should have."""
    told = {"kind": "gunbai-bundle", "version": 1, "board": BOARD, "frames": [{"file": FRAME, "reading": READING}]}
    whole = {HEAD: json.dumps(told).encode(), TABLE: tables.table(), FRAME: pictures.picture(".jpg")}
    return zips.zipped(
        *{**whole, **{{"head": HEAD, "table": TABLE, "frame": FRAME}[k]: v for k, v in members.items()}}.items()
    )


BUNDLES: Mapping[str, tuple[Callable[[], bytes], str]] = {
    "a bomb for its head": (lambda: zips.bomb(HEAD), "missing"),
    "a bomb for a picture": (lambda: bundle(frame=bytes(20_000_000)), "frames/01.jpg: too large"),
    "a bomb in its table": (lambda: bundle(table=zips.bomb("table.json")), "table.gunbai: too large inside"),
    "a huge picture": (lambda: bundle(frame=pictures.png_of(30_000, 30_000)), LARGE),
    "a huge picture in its table": (lambda: bundle(table=tables.table(None, pictures.png_of(30_000, 30_000))), LARGE),
    "deep": (lambda: bundle(head=tables.DEEP.encode()), "not JSON (nested too deeply)"),
    "digits": (lambda: bundle(head=b"[" + b"9" * 5000 + b"]"), "not JSON (a number beyond 64 bits)"),
    "encrypted": (lambda: zips.encrypted((HEAD, b"{}"), (TABLE, b"")), "bundle.json is encrypted"),
    "an unknown method": (lambda: zips.of_unknown_method((HEAD, b"{}"), (TABLE, b"")), "packed in a way"),
    "damaged deflate": (lambda: zips.with_damaged_deflate((HEAD, bytes(range(256)) * 9), (TABLE, b"")), "damaged"),
    "many members": (zips.with_many_members, "too many files in it"),
    "nothing": (lambda: b"", "not a bundle, or cut off"),
}  # fmt: skip


@pytest.mark.parametrize("case", BUNDLES)
def test_a_bundle_that_is_none(case: str, tmp_path: Path) -> None:
    make, why = BUNDLES[case]
    path = tmp_path / "report.zip"
    path.write_bytes(make())
    refused(gunbai(["bundle", "--check", path], tmp_path), str(path), why)


def test_what_is_no_file_is_no_bundle(tmp_path: Path) -> None:
    refused(gunbai(["bundle", "--check", "/dev/zero"], tmp_path), "/dev/zero: not a plain file")
    refused(gunbai(["bundle", "--check", tmp_path], tmp_path), f"{tmp_path}: not a plain file")
    refused(gunbai(["read", "--table", "/dev/zero", "photo.jpg"], tmp_path), "/dev/zero: not a plain file")
