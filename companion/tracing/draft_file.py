"""Drafts on the disk: saved after every touch, so that the power may go. A draft's photo lies beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from companion.content.own_files import text_of, write
from companion.content.shelves import BOARDS
from companion.core.errors import OwnFileError
from companion.core.toml_values import toml_lines
from companion.tracing.draft import AirSection, Draft, DraftSpace, Home, OwnCard, Patch, SupportNumber
from companion.tracing.hexes import BoardGrid
from engine.errors import BadTable
from engine.tables import Several, Within, Word, parse_table

DRAFT, PHOTO = "draft.toml", "photo.jpg"
_NUMBER = Within(float, -10_000, 10_000)
_POINT = Several(_NUMBER, 2, 2)
_SIZE = Several(Within(float, 10, 3000), 2, 2)
_MOST_CELLS = 10_000
"""Of a grid over its board; more are not drawn, and no board has a tenth of it."""
_CELL = Several(Within(int, -500, 500), 2, 2)
_UNIT = {"faction": str, "unit": str, "n": Within(int, 0, 99)}
_FORM: Mapping[str, Any] = {
    "name": Word(r"[a-z0-9]{1,20}(-[a-z0-9]{1,20}){1,4}", "name of a board"),
    "mode": str,
    "corners": Several(_POINT, 0, 4),
    "size_mm": _SIZE,
    "space_side_mm": _NUMBER,
    "symmetry": ("", "mirror", "flip", "turn"),
    "scenery": str,
    "grid?": {"origin_mm": _POINT, "across_mm": _POINT, "down_mm": _POINT, "flat": bool},
    "patches": [
        {
            "cells": Several(_CELL, 1, 400), "kind": ("land", "water"), "vp": Within(int, 0, 20), "hq": str,
            "slot": str, "printed": str, "fort": bool, "no_drop": bool, "zone": str, "piers": [_CELL], "start": [_UNIT],
        }
    ],
    "sections": [{"zone": str, "centre_mm": _POINT, "size_mm": _POINT, "start": [_UNIT]}],
    "links": [Several(str, 2, 2)],
    "spots": [{"action": str, "zone?": str, "cell?": _CELL, "at_mm": _POINT, "faction": str}],
    "support": [
        {"space": str, "amount": int, "siege": int, "initiative": bool, "amounts": [{"faction": str, "n": int}]}
    ],
    "cards": [
        {
            "name": str, "title": str, "copies": int, "verb": str, "moment": str, "action": str, "by": str,
            "amount": int, "unit": str, "text": str, "condition": str, "into_enemy": bool,
        }
    ],
}  # fmt: skip


def drafts_folder() -> Path:
    """Return the folder of the drafts, which is not created here."""
    return BOARDS.folder() / "drafts"


def draft_path(name: str) -> Path:
    """Return the path of the draft with this name."""
    return drafts_folder() / name / DRAFT


def photo_path(name: str) -> Path:
    """Return the path of the photo that belongs to the draft with this name."""
    return drafts_folder() / name / PHOTO


def drafts() -> tuple[str, ...]:
    """Return the names of all drafts, the one edited last first."""
    found = [path for path in drafts_folder().glob(f"*/{DRAFT}") if path.is_file()]
    return tuple(path.parent.name for path in sorted(found, key=lambda path: -path.stat().st_mtime_ns))


def save_draft(draft: Draft) -> None:
    """Save a draft in one go; OwnFileError if the disk refuses."""
    write(draft_path(draft.name), draft_text(draft).encode())


def save_photo(name: str, jpeg: bytes) -> None:
    """Save the photo that a draft is made from; OwnFileError if the disk refuses."""
    write(photo_path(name), jpeg)


def forget_draft(name: str) -> None:
    """Delete a draft and its photo, if they exist."""
    for path in (draft_path(name), photo_path(name)):
        path.unlink(missing_ok=True)


def load_draft(path: Path) -> Draft:
    """Load the draft in a file; OwnFileError, listing its faults, if it can't be read or is no sound draft."""
    return read_draft(str(path), text_of(path))


# ---- its text ---------------------------------------------------------------------------------


def draft_text(draft: Draft) -> str:
    """Return a draft as TOML, a line for each thing on it."""
    plain = _plain(draft)
    grid = plain.pop("grid")
    return toml_lines(plain | ({"grid": grid} if grid else {}))


def _plain(value: Any) -> Any:
    """Turn a draft's values into dicts, lists and single values; units and amounts get keys."""
    if isinstance(value, DraftSpace):
        where = {"zone": value.on} if isinstance(value.on, str) else {"cell": value.on}
        return {"action": value.action, **where, "at_mm": value.at_mm, "faction": value.faction}
    if is_dataclass(value):
        values = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        rows = {"start": ("faction", "unit", "n"), "amounts": ("faction", "n")}
        for key in rows.keys() & values.keys():
            values[key] = [dict(zip(rows[key], row, strict=True)) for row in values[key]]
        return values
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def read_draft(where: str, text: str) -> Draft:
    """Parse a draft's TOML; OwnFileError with all its faults. where: the file's name for the message."""
    try:
        data = parse_table(where, text, dict(_FORM))
    except BadTable as fault:
        raise OwnFileError(str(fault)) from fault
    row = data.get("grid")
    points = {key: _pair(row[key]) for key in ("origin_mm", "across_mm", "down_mm")} if row else {}
    grid = BoardGrid(**points, flat=row["flat"]) if row else None
    if grid is not None and not _covers(grid, _pair(data["size_mm"])):
        raise OwnFileError(f"{where}: grid: not hexes that a board could have")
    return Draft(
        name=data["name"],
        mode=data["mode"],
        corners=tuple(map(_pair, data["corners"])),
        size_mm=_pair(data["size_mm"]),
        grid=grid,
        patches=tuple(map(_patch, data["patches"])),
        sections=tuple(
            AirSection(row["zone"], _pair(row["centre_mm"]), _pair(row["size_mm"]), _start(row))
            for row in data["sections"]
        ),
        links=tuple(map(tuple, data["links"])),
        spots=tuple(
            DraftSpace(row["action"], _home(row), _pair(row["at_mm"]), row["faction"]) for row in data["spots"]
        ),
        space_side_mm=float(data["space_side_mm"]),
        symmetry=data["symmetry"],
        support=tuple(
            SupportNumber(**{**row, "amounts": tuple((amount["faction"], amount["n"]) for amount in row["amounts"])})
            for row in data["support"]
        ),
        cards=tuple(OwnCard(**row) for row in data["cards"]),
        scenery=data["scenery"],
    )


def _covers(grid: BoardGrid, size_mm: tuple[float, float]) -> bool:
    """Return whether the grid is neither reversed nor degenerate, nor too fine to be drawn on a board of this size."""
    try:
        columns, rows = grid.reach(size_mm)
    except (ArithmeticError, ValueError):
        return False
    upright = grid.across_mm[0] > 0 and grid.down_mm[1] > 0
    return upright and 0 < len(columns) * len(rows) <= _MOST_CELLS


def _patch(row: Mapping[str, Any]) -> Patch:
    cells, piers = (tuple((int(x), int(y)) for x, y in row[key]) for key in ("cells", "piers"))
    return Patch(**{**row, "cells": cells, "piers": piers, "start": _start(row)})


def _start(row: Mapping[str, Any]) -> tuple[tuple[str, str, int], ...]:
    return tuple((stack["faction"], stack["unit"], stack["n"]) for stack in row["start"])


def _home(row: Mapping[str, Any]) -> Home:
    if "cell" in row:
        return (row["cell"][0], row["cell"][1])
    return str(row.get("zone", ""))


def _pair(pair: list[float]) -> tuple[float, float]:
    return (float(pair[0]), float(pair[1]))
