"""Parts of sheets that are kept: what is to be laid out as it was before is taken over, not laid out again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from companion.core.language import language_in_use
from companion.view.kit.sheet import Sheet

T = TypeVar("T")

MOST_PARTS = 1000  # a table with its panels has about a hundred

_PARTS: OrderedDict[Hashable, tuple[Sheet, object]] = OrderedDict()


def draw_kept(sheet: Sheet, what: Hashable, draw: Callable[[Sheet], T]) -> T:
    """Draw a part onto a sheet, once for the same thing in the same style; return what `draw` returned.

    what: all that the drawing depends on, besides the sheet's style and the language.
    """
    key = what, sheet.style, language_in_use()
    part, result = _PARTS.get(key) or _drawn(sheet, draw)
    _PARTS[key] = part, result
    _PARTS.move_to_end(key)
    if len(_PARTS) > MOST_PARTS:
        _PARTS.popitem(last=False)
    sheet.add(part)
    return cast("T", result)


def _drawn(sheet: Sheet, draw: Callable[[Sheet], T]) -> tuple[Sheet, T]:
    part = sheet.scratch()
    result = draw(part)
    part.join_groups()
    return part, result


def forget_parts() -> None:
    """Drop all kept parts: for when colours that are not in a sheet's style have changed."""
    _PARTS.clear()
