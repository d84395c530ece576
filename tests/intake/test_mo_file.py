"""Catalogues of texts, as they lie on a card that may have gone bad."""

import io
import random
import struct
from pathlib import Path

import pytest

import companion
from intake.errors import Unreadable
from intake.mo_file import parse_mo

SOUND = (Path(companion.__file__).parent / "locale/pt_BR/LC_MESSAGES/gunbai.mo").read_bytes()


def made(head: str, texts: dict[str, str]) -> bytes:
    """A small catalogue."""
    pairs = sorted({"": head, **texts}.items())
    out, at = io.BytesIO(), 28 + 16 * len(pairs)
    tables: list[list[int]] = [[], []]
    for side in (0, 1):
        for pair in pairs:
            text = pair[side].encode()
            tables[side] += [len(text), at]
            out.write(text + b"\0")
            at += len(text) + 1
    start = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0)
    return start + struct.pack(f"<{4 * len(pairs)}I", *tables[0], *tables[1]) + out.getvalue()


def plurals(rule: str) -> bytes:
    head = f"Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural={rule};\n"
    return made(head, {"one\0many": "um\0muitos"})


def test_a_sound_catalogue_is_read() -> None:
    assert parse_mo(SOUND).gettext("Undo") == "Desfazer"
    assert [parse_mo(plurals("(n != 1)")).ngettext("one", "many", n) for n in (0, 1)] == ["muitos", "um"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no catalogue",
        SOUND[:1000],
        SOUND[:28],
        plurals("n%0"),
        plurals("1/n"),
        plurals("n +"),
        plurals("__import__"),
        plurals("(" * 400 + "n" + ")" * 400),
        plurals("9" * 5000),
        made("Content-Type: text/plain; charset=nonsense\n", {}),
        made("Plural-Forms: \n", {}),
        plurals("n").replace(b"um", b"\xff\xff"),
    ],
)
def test_what_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable, match=r"^not a text catalogue, or damaged"):
        parse_mo(data)


def test_a_damaged_one_is_read_or_refused() -> None:
    chance, refused = random.Random(1), 0
    for _round in range(200):
        data = bytearray(SOUND[:40_000])
        for _byte in range(chance.randint(1, 4)):
            data[chance.randrange(600)] = chance.randrange(256)
        try:
            parse_mo(bytes(data))
        except Unreadable:
            refused += 1
    assert refused
