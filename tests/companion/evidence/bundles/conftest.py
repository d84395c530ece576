"""A table to make bundles of, small bundles, and what is packed in them."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.evidence.bundle_file import Bundle, BundleFrame
from tests.companion.sample_eye import save_sample_table
from tests.companion.sample_games import BOARD
from vision.frame import jpeg_of

PICTURE = jpeg_of(np.zeros((48, 64, 3), np.uint8))

READING: dict[str, Any] = {
    "units": {"c4": {"red": {"troop": 2}}},
    "commanders": {"advance:c4": "red"},
    "confidence": {"c4": 0.99},
    "unreadable": ["a1"],
}


def zipped(members: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as pack:
        for name, content in members.items():
            pack.writestr(name, content)
    return out.getvalue()


TINY_TABLE = zipped({"table.json": b"{}", "reference.png": PICTURE})

TINY = Bundle(BOARD, TINY_TABLE, (BundleFrame(PICTURE, READING),))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_sample_table(tmp_path_factory.mktemp("eye") / "demo.table")
