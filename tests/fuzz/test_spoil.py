"""Inputs are spoiled in every way that is meant, whatever they are, and by the chance of their seed alone."""

from __future__ import annotations

import io
import json
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from random import Random

import cv2
import numpy as np
import pytest

from tests.fuzz.images import as_picture
from tests.fuzz.packs import as_sniffed, as_tar, as_tar_gz, as_zip, packed, tar_members, tar_of, undated, unpacked
from tests.fuzz.spoil import MOST_BYTES, NESTS, Spoil, Stock, as_bytes, as_text, made
from tests.fuzz.trees import as_json, as_json_lines, as_toml
from tests.hostile.pictures import png_of
from tests.hostile.zips import zipped

pytestmark = pytest.mark.long

JSON = json.dumps(
    {"board": "rivers", "units": {"c4": {"red": {"troop": 2}}}, "hands": [1, 2.5, "é", None, True]}
).encode()
LINES = b"\n".join([JSON] * 4)
TOML = b'title = "Foxes"\nn = 3\n[cards.fox]\ncost = 1\nplaces = [[1.5, 2], [3, 4]]\nswift = true\n'
ZIP = undated(zipped(("table.json", JSON), ("reference.png", png_of(40, 30))))
TAR = tar_of([("manifest.json", 0o644, JSON), ("games/a.jsonl", 0o755, LINES), ("data/x.toml", 0o644, TOML)])
PNG = png_of(64, 48)
JPEG = bytes(cv2.imencode(".jpg", np.full((48, 64, 3), 90, np.uint8))[1])
FORMS: dict[str, tuple[Spoil, bytes]] = {
    "bytes": (as_bytes, bytes(range(256))),
    "text": (as_text, b"advance:c4 from d5=2t d3=1t\nroll 1 0 by black\n"),
    "json": (as_json, JSON),
    "lines": (as_json_lines, LINES),
    "toml": (as_toml, TOML),
    "zip": (as_zip, ZIP),
    "tar": (as_tar, TAR),
    "tar.gz": (as_tar_gz, packed(TAR)),
    "png": (as_picture, PNG),
    "jpeg": (as_picture, JPEG),
    "sniffed": (as_sniffed, PNG),
}
every_form = pytest.mark.parametrize("form", FORMS)


def spoiled(form: str, count: int, seed: int = 1) -> Iterator[bytes]:
    spoil, honest = FORMS[form]
    rng, stock = Random(seed), Stock([honest])
    return (made(spoil, rng, stock) for _number in range(count))


@every_form
def test_a_seed_makes_the_same_inputs(form: str) -> None:
    first, again, other = ([*spoiled(form, 30, seed)] for seed in (5, 5, 6))
    assert first == again
    assert first != other
    assert len(set(first)) > 20
    assert all(len(data) <= MOST_BYTES for data in first)


@every_form
def test_any_bytes_can_be_spoiled(form: str) -> None:
    spoil, honest = FORMS[form]
    rng = Random(2)
    odd = (b"", b"\0", b"{", honest[:20], honest[:-5], rng.randbytes(300), NESTS[2], b"PK\3\4" + bytes(60))
    for data in odd:
        for _time in range(20):
            assert isinstance(spoil(data, rng, Stock([data, honest])), bytes)


def test_all_that_has_broken_readers_is_put_in() -> None:
    found = b"".join(spoiled("text", 3000)) + b"".join(spoiled("json", 2000))
    for nasty in (
        b"9" * 5000,
        b"1e400",
        b"NaN",
        b"9223372036854775808",
        b"[" * 3000,
        b"\x1b",
        b"\0",
        b"\\ud800",
        b"\xff",
    ):
        assert nasty in found, nasty


def test_json_stays_json_more_often_than_not() -> None:
    sound = sum(_is_json(data) for data in spoiled("json", 300))
    assert sum(_is_json(data) for data in spoiled("lines", 300)) + sound > 60
    assert 100 < sound < 280


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data.split(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    return True


def test_toml_is_written_as_toml() -> None:
    sound = 0
    for data in spoiled("toml", 300):
        try:
            sound += bool(tomllib.loads(data.decode()))
        except (ValueError, RecursionError):
            continue
    assert 50 < sound < 280


def test_packs_are_packed_again_with_other_things_in_them() -> None:
    zips = [data for data in spoiled("zip", 300) if _unzips(data)]
    assert 30 < len(zips) < 250
    tars = [members for data in spoiled("tar", 200) if (members := tar_members(data))]
    assert any(members != tar_members(TAR) for members in tars)
    plain = [content for data in spoiled("tar.gz", 100) if (content := unpacked(data)) is not None]
    assert len(plain) > 30


def _unzips(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as pack:
            return pack.testzip() is None and pack.read("table.json") != JSON
    except Exception:  # noqa: BLE001 - a spoiled zip may break Python's reader in any way
        return False


def test_heads_lie_with_right_check_values() -> None:
    kinds = set()
    for data in spoiled("tar", 400):
        try:
            with tarfile.open(fileobj=io.BytesIO(data)) as tar:
                kinds.add((first := tar.next()) and (first.type, first.size > 2**31))
        except Exception:  # noqa: BLE001 - as above
            continue
    assert (tarfile.SYMTYPE, False) in kinds
    assert (tarfile.REGTYPE, True) in kinds


def test_pictures_tell_other_sizes() -> None:
    sizes = {data[16:24] for data in spoiled("png", 300) if data.startswith(b"\x89PNG")}
    assert len(sizes) > 8
    assert any(int.from_bytes(size[:4], "big") > 29_000 for size in sizes)
