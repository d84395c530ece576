"""Table files and bundles that a stranger may bring."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from tests.hostile import pictures, zips
from tests.vision.tables import four_areas
from vision.plan import plan_text

HEAD, REFERENCE = "table.json", "reference.png"
DEEP = "[" * 100_000
DIGITS = "9" * 5000


def head(**changes: Any) -> dict[str, Any]:
    """Return the head of an honest table file, changed as told."""
    corners = [[100.0, 80.0], [700.0, 90.0], [690.0, 520.0], [110.0, 510.0]]
    whole = {"kind": "gunbai-table", "version": 2, "plan": json.loads(plan_text(four_areas())), "corners_px": corners}
    return {**whole, **changes}


@lru_cache(maxsize=1)
def reference() -> bytes:
    """Return an honest reference picture."""
    return pictures.picture(".png")


def members(told: str | dict[str, Any] | None = None, png: bytes | None = None) -> tuple[tuple[str, bytes], ...]:
    """Return the members of a table file."""
    text = told if isinstance(told, str) else json.dumps(head() if told is None else told)
    return (HEAD, text.encode()), (REFERENCE, reference() if png is None else png)


def table(told: str | dict[str, Any] | None = None, png: bytes | None = None) -> bytes:
    """Return a table file's bytes."""
    return zips.zipped(*members(told, png))


def planned(**changes: Any) -> bytes:
    """Return a table file with these values of the plan changed."""
    return table(head(plan={**head()["plan"], **changes}))


def with_area(**changes: Any) -> bytes:
    """Return a table file with these values of the first area changed."""
    areas = head()["plan"]["areas"]
    return planned(areas=[{**areas[0], **changes}, *areas[1:]])


def numbers(text: str, number: str) -> str:
    """Return a table's head in which this number replaces every other."""
    return json.dumps(head()).replace("42.0", number) if text == "plan" else json.dumps(head()).replace("80.0", number)


REFUSED: Mapping[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "not a zip file, or cut off"),
    "noise": (lambda: bytes(n * n % 251 for n in range(5000)), "not a zip file, or cut off"),
    "cut off": (lambda: table()[:-30], "not a zip file, or cut off"),
    "encrypted": (lambda: zips.encrypted(*members()), "table.json is encrypted"),
    "an unknown method": (lambda: zips.of_unknown_method(*members()), "is packed in a way Gunbai doesn't read"),
    "damaged deflate": (lambda: zips.with_damaged_deflate(*members()), "not a zip file, or damaged"),
    "longer than it says": (lambda: zips.longer_than_it_says(*members()), "not a table file, or cut off"),
    "many members": (zips.with_many_members, "too many files in it"),
    "two ends": (zips.with_two_ends, "too many files in it"),
    "a bomb for its head": (lambda: zips.bomb(HEAD), "table.json is too large"),
    "a bomb for its picture": (
        lambda: zips.zipped(members()[0], (REFERENCE, bytes(20_000_000))),
        "reference.png is too large",
    ),
    "no picture": (lambda: zips.zipped(members()[0]), "reference.png is missing"),
    "a large picture": (lambda: table(None, pictures.png_of(30_000, 30_000)), "30000x30000 pixels are too many"),
    "a picture that calibrating makes smaller": (lambda: table(None, pictures.png_of(2000, 1500)), "at most 1920"),
    "a small picture": (lambda: table(None, pictures.png_of(100, 80)), "100x80 pixels are too few"),
    "another kind of picture": (lambda: table(None, b"GIF89a" + bytes(99)), "a picture in it is broken"),
    "texts in its picture": (lambda: table(None, pictures.png_with_texts(30)), "a picture in it is broken"),
    "deep": (lambda: table(DEEP), "nested too deeply"),
    "digits": (lambda: table(f'{{"kind": "gunbai-table", "version": {DIGITS}}}'), "a number beyond 64 bits"),
    "many lists": (lambda: table("[" + "[]," * 300_000 + "1]"), "it is not a table's data"),
    "no object": (lambda: table("[]"), "it is not a table's data"),
    "another version": (lambda: table(head(version="x" * 900_000)), "calibrate again"),
    "a huge corner": (lambda: table(numbers("corners", "1e400")), "too large a number"),
    "a corner that is no number": (lambda: table(numbers("corners", "NaN")), "NaN isn't a JSON number"),
    "a corner that says it is none": (lambda: table(numbers("corners", '"nan"')), "four corners"),
    "corners far away": (lambda: table(numbers("corners", "1e300")), "far outside the picture"),
    "other corners": (lambda: table(head(corners_px={"a": 1})), "damaged table file"),
    "corners in corners": (lambda: table(head(corners_px=[[[[1.0] * 9] * 9] * 9] * 9)), "four corners"),
    "a huge place": (lambda: table(numbers("plan", "1e300")), "lies beside the board"),
    "an infinite place": (lambda: table(numbers("plan", "Infinity")), "Infinity isn't a JSON number"),
    "a place in words": (lambda: table(numbers("plan", '"inf"')), "expected a number"),
    "a place that is true": (lambda: table(numbers("plan", "true")), "expected a number"),
    "no plan": (lambda: table(head(plan={})), "plan is broken"),
    "a plan of numbers": (lambda: table(head(plan=[1, 2])), "plan is broken"),
    "a board of a thousand kilometres": (lambda: planned(size_mm=[1e12, 1e12]), "larger than the eye reads"),
    "a board of two metres": (lambda: planned(size_mm=[2000, 2000]), "larger than the eye reads"),
    "a board of no size": (lambda: planned(size_mm=[0, 0]), "smaller than the eye reads"),
    "a board the other way round": (lambda: planned(size_mm=[-150, -140]), "smaller than the eye reads"),
    "no areas": (lambda: planned(areas=[], spaces=[], start=[]), "no areas"),
    "many areas": (lambda: planned(areas=head()["plan"]["areas"] * 50), "a list of at most 60"),
    "areas of one name": (lambda: planned(areas=head()["plan"]["areas"] * 2), "two with the same name"),
    "an area of many corners": (lambda: with_area(polygon_mm=[[1.0, 1.0]] * 20_000), "a list of at most 400"),
    "an area without corners": (lambda: with_area(polygon_mm=[]), "without outline"),
    "an area with a long name": (lambda: with_area(name="a" * 100_000), "expected a name"),
    "an area that steers the terminal": (lambda: with_area(name="\x1b[31ma1"), "expected a name"),
    "spaces of no area": (lambda: planned(areas=head()["plan"]["areas"][:2]), "isn't one of its areas"),
    "a start of no area": (lambda: planned(start=[["z9", "red", "troop", 1]]), "'z9' isn't one of its areas"),
    "a start of millions": (lambda: planned(start=[["a1", "red", "troop", 10**6]]), "at most 99 units"),
    "a start below nothing": (lambda: planned(start=[["a1", "red", "troop", -1]]), "a whole number"),
}
"""Files that are no table, and what is said of them."""
