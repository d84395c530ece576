"""Pictures, tables and plans of strangers: refused in a sentence that names the file, and nothing else happens."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.hostile import pictures, tables
from vision.errors import PictureError, TableError
from vision.frame import load_picture, picture_of
from vision.table import Table


@pytest.mark.parametrize("case", pictures.REFUSED)
def test_a_hostile_picture_is_refused(
    case: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 1)  # an earlier test's thread may still be about to end
    make, why = pictures.REFUSED[case]
    path = tmp_path / "photo.png"
    path.write_bytes(make())
    with pytest.raises(PictureError) as refused:
        load_picture(path)
    said = str(refused.value)
    assert said.startswith(f"{path}: ")
    assert why in said
    assert "\n" not in said
    assert capfd.readouterr().err == "", "the libraries say nothing of their own"


@pytest.mark.long
@pytest.mark.parametrize("case", tables.REFUSED)
def test_a_hostile_table_is_refused(case: str, tmp_path: Path) -> None:
    make, why = tables.REFUSED[case]
    path = tmp_path / "kitchen.table"
    path.write_bytes(make())
    with pytest.raises(TableError) as refused:
        Table.load(path)
    said = str(refused.value)
    assert said.startswith(f"{path}: ")
    assert why in said
    assert len(said) < len(str(path)) + 300
    assert said.isprintable()


def test_the_table_that_they_are_made_from_is_an_honest_one(tmp_path: Path) -> None:
    path = tmp_path / "kitchen.table"
    path.write_bytes(tables.table())
    assert Table.load(path).picture_size == (800, 600)


@pytest.mark.parametrize("form", [".png", ".jpg", ".bmp", ".webp"])
def test_honest_pictures_are_read_as_ever(form: str, tmp_path: Path) -> None:
    data = pictures.picture(form)
    path = tmp_path / f"photo{form}"
    path.write_bytes(data)
    plain = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert np.array_equal(load_picture(path), np.asarray(plain))


def test_a_picture_held_upright_is_turned() -> None:
    """The width and height of its head are the other way round then; tables and frames go by the turned one."""
    plain = pictures.picture(".jpg")
    turned = b"II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0"
    data = plain[:2] + b"\xff\xe1" + (len(turned) + 8).to_bytes(2, "big") + b"Exif\0\0" + turned + plain[2:]
    assert picture_of(plain, "it").shape == (600, 800, 3)
    assert picture_of(data, "it").shape == (800, 600, 3)


@pytest.mark.parametrize("read", [load_picture, Table.load])
def test_a_pipe_or_a_device_holds_nobody_up(read: object, tmp_path: Path) -> None:
    assert callable(read)
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises((PictureError, TableError), match=f"^{path}: not a plain file$"):
            read(path)
    with pytest.raises((PictureError, TableError), match="can't be read"):
        read(tmp_path / "none")
    with pytest.raises((PictureError, TableError), match="not a possible file name"):
        read("a\0b")
