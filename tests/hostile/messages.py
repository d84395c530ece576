"""What a camera's process gone mad may send, and what may be written into the pipe of a camera's orders."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from vision.live.messages import HEAD

READING: dict[str, Any] = {
    "units": {"a1": {"red": {"troop": 2}}},
    "commanders": {"advance:a1": "red"},
    "confidence": {"a1": 0.9},
    "unreadable": [],
    "ms": 12.5,
    "counts": {"a1": [[[["red", "troop", 2]], 0.9], [[], 0.1]]},
    "leaders": {"advance:a1": {"red": 0.9}},
    "pieces": [["red", "troop", "a1", [10.0, 20.0], 0.9, 1.5]],
    "strange": [],
    "support": [],
    "cut_off": [],
    "at_a_line": [],
    "why": {"a1": ["belief"]},
    "light": 0.02,
    "quality": 0.8,
    "registration": {
        "matrix": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        "figures": [0.9, 0.5, 0.1],
        "points": 200,
        "still": True,
    },
}
DICE: dict[str, Any] = {"dice": [[[1.0, 2.0], 2, 0.9]], "unreadable": [[3.0, 4.0]], "seen": True, "ms": 1.0}


def sent(text: str | bytes, data: bytes = b"") -> bytes:
    """Return a message's bytes."""
    raw = text.encode() if isinstance(text, str) else text
    return HEAD.pack(len(raw), len(data)) + raw + data


def settled(reading: object = READING, image: object = None, dice: object = None) -> bytes:
    """Return a message about a settled reading."""
    return sent(json.dumps({"told": "settled", "reading": reading, "image": image, "dice": dice}), b"123456789")


REFUSED: Mapping[str, Callable[[], bytes]] = {
    "an infinity": lambda: sent('{"told": "nudge", "mm": 1e400, "deg": 0}'),
    "Infinity": lambda: sent('{"told": "nudge", "mm": Infinity, "deg": 0}'),
    "no number": lambda: sent('{"told": "nudge", "mm": NaN, "deg": 0}'),
    "digits": lambda: sent('{"told": "nudge", "mm": ' + "9" * 5000 + ', "deg": 0}'),
    "deep": lambda: sent('{"told":' * 100_000),
    "many lists": lambda: sent('{"told": [' + "[]," * 500_000 + "1]}"),
    "half a character": lambda: sent('{"told": "state", "state": "\\ud800", "fault": ""}'),
    "no text": lambda: sent(b'{"told": "caf\xe9"}'),
    "no object": lambda: sent("[]"),
    "nothing": lambda: sent(""),
    "gigabytes": lambda: HEAD.pack(20, 0xFFFFFFFF),
    "gigabytes of words": lambda: HEAD.pack(0xFFFFFFFF, 0),
    "megabytes of words": lambda: HEAD.pack(60_000_000, 0),
}
"""Bytes that are no message."""

NONSENSE: Mapping[str, Callable[[], bytes]] = {
    "no reading": lambda: settled(None),
    "half a reading": lambda: settled({"units": {}}),
    "a reading of numbers": lambda: settled([1, 2]),
    "units that are none": lambda: settled({**READING, "units": {"a1": {"red": {"troop": 1.5}}}}),
    "units below nothing": lambda: settled({**READING, "units": {"a1": {"red": {"troop": -1}}}}),
    "units of nobody": lambda: settled({**READING, "units": {"a1": 3}}),
    "a long name": lambda: settled({**READING, "commanders": {"a" * 100_000: "red"}}),
    "a name that steers": lambda: settled({**READING, "commanders": {"advance:a1": "\x1b[31m"}}),
    "too sure": lambda: settled({**READING, "confidence": {"a1": 1e300}}),
    "sure in words": lambda: settled({**READING, "confidence": {"a1": "0.9"}}),
    "many unreadable": lambda: settled({**READING, "unreadable": ["a1"] * 100_000}),
    "a belief in nothing": lambda: settled({**READING, "counts": {"a1": []}}),
    "half a belief": lambda: settled({**READING, "counts": {"a1": [[1]]}}),
    "pieces nowhere": lambda: settled({**READING, "pieces": [["red", "troop", "a1", [1.0], 0.9, 1.5]]}),
    "no homography": lambda: settled({**READING, "registration": {**READING["registration"], "matrix": [[1.0] * 3]}}),
    "points without number": lambda: settled({**READING, "registration": {**READING["registration"], "points": "x"}}),
    "a picture of no size": lambda: settled(image=[0, 0, 3]),
    "a picture the other way round": lambda: settled(image=[-1, -3, 3]),
    "a huge picture": lambda: settled(image=[10**6, 10**6, 3]),
    "a picture in five directions": lambda: settled(image=[1, 1, 1, 1, 1]),
    "a picture of words": lambda: settled(image="9x9"),
    "a picture of infinite size": lambda: settled(image=[2**62, 2**62, 3]),
    "dice that are none": lambda: settled(dice={**DICE, "dice": [1]}),
    "dice of many pips": lambda: settled(dice={**DICE, "dice": [[[1.0, 2.0], 2**60, 0.9]]}),
    "dice nowhere": lambda: settled(dice={**DICE, "unreadable": [[1.0, 2.0, 3.0]]}),
    "a nudge in words": lambda: sent('{"told": "nudge", "mm": "1", "deg": 0}'),
    "a state of numbers": lambda: sent('{"told": "state", "state": 1, "fault": ""}'),
    "half a state": lambda: sent('{"told": "state", "state": "live"}'),
    "dice alone": lambda: sent('{"told": "dice", "dice": 5}'),
}
"""Messages that make no sense."""

ORDERS: Mapping[str, bytes] = {
    "nothing": b"",
    "deep": b"[" * 8000,
    "digits": b'{"camera": ' + b"9" * 6000 + b"}",
    "infinity": b'{"camera": "0", "table": 1e400}',
    "long": f'{{"camera": "{"a" * 20_000}", "table": null}}'.encode(),
    "no text": b'{"camera": "caf\xe9", "table": null}',
    "zeros": bytes(4096),
    "no table": b'{"camera": "0"}',
    "a list": b"[]",
}
"""What is no order."""

CAMERAS = ("csi:" + "9" * 5000, "csi:\u00b2", "a" * 5000, "a\0b", "/dev/null/a", "\ud800")
"""Names of cameras that there cannot be."""
